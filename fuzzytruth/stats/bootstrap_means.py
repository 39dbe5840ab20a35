"""Means of systems under resampled queries, subjects, both, or under worlds."""

from __future__ import annotations

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.core.cells import Cells
from fuzzytruth.core.exact_sums import on_grid
from fuzzytruth.core.pigeonhole import pigeonhole_means
from fuzzytruth.core.resamples import counts, drawn_units
from fuzzytruth.errors import OptionError
from fuzzytruth.stats.axes import Over, in_words
from fuzzytruth.stats.contrasts import each_system
from fuzzytruth.stats.observations import Observations
from fuzzytruth.stats.query_groups import QueryGroups
from fuzzytruth.stats.settings import Purpose, Resampling


def bootstrap_means(observed: Observations, over: Over, using: Resampling) -> tuple[Floats, Floats]:
    """Means (draws, systems) and the weight of each draw (draws,), which sum to 1.

    Subjects nested in queries come with their query. Clusters of queries are drawn whole; of
    strata, the queries of each are drawn, and the means are those of their means.

    Raises
    ------
    OptionError
        Worlds together with another axis, or nested subjects alone.
    """
    if over == ("world",) and observed.worlds is not None:
        return observed.worlds.means, observed.worlds.weight
    if "world" in over or (observed.nested and over == ("subject",)):
        raise OptionError(
            f"over {in_words(over)}: draw queries, crossed subjects, both, or worlds alone"
        )
    if over == ("query",) or observed.nested:
        systems = each_system(len(observed.values))
        means = query_bootstrap(observed.by_query(systems), using, observed.groups)
    else:
        with_queries = "query" in over
        values, cells = observed.values, observed.cells
        means = subject_bootstrap(values, cells, using, with_queries=with_queries).T
    return means, np.full(len(means), 1 / len(means))


def query_bootstrap(values: Floats, using: Resampling, groups: QueryGroups | None = None) -> Floats:
    """Means of resampled queries: (rows, queries) → (draws, rows); NaN without values."""
    if groups is not None and groups.kind == "strata":
        return _strata_bootstrap(values, groups, using)
    n = values.shape[1]
    cluster, n_clusters, largest = np.arange(n), n, 1
    if groups is not None:
        cluster, n_clusters, largest = groups.code, groups.n, int(groups.sizes.max())
    filled, present = _summands(values, n_clusters * largest)

    def task(seed: np.random.SeedSequence, size: int) -> Floats:
        times = counts(drawn_units(seed, size, n_clusters))[:, cluster]
        return divide(times @ filled, times @ present, fill=np.nan)

    return np.concatenate(using.run(Purpose.QUERIES, task))


def _strata_bootstrap(values: Floats, groups: QueryGroups, using: Resampling) -> Floats:
    """Means of strata whose queries are resampled: (draws, rows).

    NaN where the draw has no value in a stratum in which the row has some.
    """
    members = [np.flatnonzero(groups.code == stratum) for stratum in range(groups.n)]
    parts = [_summands(values[:, queries], len(queries)) for queries in members]
    has_values = np.array([present.any(axis=0) for _, present in parts])  # (strata, rows)

    def task(seed: np.random.SeedSequence, size: int) -> Floats:
        total = np.zeros((size, len(values)))
        for child, (filled, present), has in zip(
            seed.spawn(groups.n), parts, has_values, strict=True
        ):
            times = counts(drawn_units(child, size, len(filled)))
            total += np.where(has, divide(times @ filled, times @ present, fill=np.nan), 0.0)
        return divide(total, has_values.sum(axis=0), fill=np.nan)

    return np.concatenate(using.run(Purpose.QUERIES, task))


def _summands(values: Floats, n_terms: int) -> tuple[Floats, Floats]:
    """Values whose sums are exact, 0 where they are missing, and whether they are not."""
    present = ~np.isnan(values)
    return on_grid(np.where(present, values, 0.0).T, 0, n_terms), present.T.astype(np.float64)


def subject_bootstrap(
    values: Floats, cells: Cells, using: Resampling, *, with_queries: bool
) -> Floats:
    """Means of resampled subjects, and queries if asked: (rows, cells) → (rows, draws)."""

    def task(seed: np.random.SeedSequence, size: int) -> Floats:
        first, second = seed.spawn(2)
        query_counts = np.ones((size, cells.n_queries))
        if with_queries:
            query_counts = counts(drawn_units(first, size, cells.n_queries))
        subject_counts = counts(drawn_units(second, size, cells.n_subjects))
        batch = max(1, using.numbers // (size * cells.n_queries))
        parts = [
            pigeonhole_means(values[start : start + batch], cells, query_counts, subject_counts)
            for start in range(0, len(values), batch)
        ]
        return np.concatenate(parts)

    return np.concatenate(using.run(Purpose.SUBJECTS, task), axis=1)
