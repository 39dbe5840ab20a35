"""Clusters and strata of queries, and their estimates by loops."""

import numpy as np


def jackknife(values: np.ndarray, cluster: np.ndarray) -> tuple[float, float, float]:
    """Mean, standard error and degrees of freedom of (queries,) values; NaN is missing."""
    kept = ~np.isnan(values)
    values, cluster = values[kept], cluster[kept]
    names = np.unique(cluster)
    mean = values.mean()
    gaps = [values[cluster != name].mean() - mean for name in names]
    n = len(names)
    return mean, np.sqrt((n - 1) / n * np.sum(np.square(gaps))), n - 1


def mean_of_strata(values: np.ndarray, stratum: np.ndarray) -> tuple[float, float, float]:
    """The same for fixed strata with equal weights."""
    kept = ~np.isnan(values)
    values, stratum = values[kept], stratum[kept]
    parts = [values[stratum == name] for name in np.unique(stratum)]
    each = np.array([part.var(ddof=1) / len(part) for part in parts])
    df = each.sum() ** 2 / sum(v**2 / (len(p) - 1) for v, p in zip(each, parts, strict=True))
    mean = np.mean([part.mean() for part in parts])
    return mean, np.sqrt(each.sum()) / len(parts), df
