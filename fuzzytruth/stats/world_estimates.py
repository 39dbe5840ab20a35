"""Estimates where worlds are random, alone or with the queries.

Where a world is one crisp truth, the score itself varies over worlds: its interval holds a share
of the worlds. Where a world is the expected score under resampled subjects, the estimate varies:
its variance, times S / (S - 1), is that of the estimate, and t has S - 1 degrees of freedom.
"""

from __future__ import annotations

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.core.samples import samples
from fuzzytruth.stats.contrasts import Contrasts
from fuzzytruth.stats.observations import Observations, WorldMeans

#: estimate, standard error, degrees of freedom: (rows,) each; method; draws or None
MeanEstimate = tuple[Floats, Floats, Floats, str, Floats | None]


def over_worlds(observed: Observations, contrasts: Contrasts) -> MeanEstimate:
    """Queries fixed."""
    worlds = _worlds_of(observed)
    value = samples(observed.by_query(contrasts).T).mean
    means = worlds.of(contrasts)
    std_error, df = _spread(worlds, means)
    if worlds.resampled:
        return value, std_error, df, "t over resampled subjects", None
    return value, std_error, df, "quantiles of worlds", means


def over_queries_and_worlds(observed: Observations, contrasts: Contrasts) -> MeanEstimate:
    """Queries drawn from a population, and worlds for them.

    The variance of expected values over queries, plus that over worlds given the queries. For
    resampled subjects both include the subjects' interaction with queries, so that the interval
    errs on the wide side; it is exact under independent worlds.
    """
    worlds = _worlds_of(observed)
    of_queries = samples(observed.by_query(contrasts).T)
    from_queries = of_queries.std_error**2
    std_error, df = _spread(worlds, worlds.of(contrasts))
    from_worlds = std_error**2
    variance = from_queries + from_worlds
    bottom = from_queries**2 / np.maximum(of_queries.n - 1, 1) + from_worlds**2 / df
    total_df = np.where(of_queries.n > 1, np.inf, 0.0)
    np.divide(variance**2, bottom, out=total_df, where=bottom > 0)
    return of_queries.mean, np.sqrt(variance), total_df, "t over queries, plus worlds", None


def _worlds_of(observed: Observations) -> WorldMeans:
    assert observed.worlds is not None, "over='world' without worlds"
    return observed.worlds


def _spread(worlds: WorldMeans, means: Floats) -> tuple[Floats, Floats]:
    """Standard deviation over worlds as one of an estimate, and its degrees of freedom."""
    centre = means @ worlds.weight
    variance = ((means - centre[:, None]) ** 2) @ worlds.weight
    variance[np.ptp(means, axis=1) == 0] = 0.0
    df = 1 / (worlds.inflation - 1) if worlds.resampled else np.inf  # inflation is S / (S - 1)
    return np.sqrt(variance * worlds.inflation), np.full(len(means), df)


def quantile_interval(draws: Floats, level: float) -> tuple[Floats, Floats]:
    """Order statistics that leave (1 - level) / 2 on either side; -∞ and ∞ if draws are few.

    It excludes 0 exactly where `two_sided_share` is 1 - level or less.
    """
    ordered = np.sort(draws, axis=-1)
    n = draws.shape[-1]
    k = int(np.floor((1 - level) / 2 * (n + 1) * (1 + 1e-12)))
    if k < 1:
        infinite = np.full(len(draws), np.inf)
        return -infinite, infinite
    return ordered[:, k - 1], ordered[:, n - k]


def two_sided_share(draws: Floats) -> Floats:
    """2 (b + 1) / (n + 1), b the draws on the rarer side of 0, those at 0 on both sides."""
    below, above = (draws <= 0).sum(axis=-1), (draws >= 0).sum(axis=-1)
    share: Floats = 2 * (np.minimum(below, above) + 1) / (draws.shape[-1] + 1)
    return np.minimum(share, 1.0)
