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
from fuzzytruth.stats.settings import Purpose, Resampling


def bootstrap_means(observed: Observations, over: Over, using: Resampling) -> tuple[Floats, Floats]:
    """Means (draws, systems) and the weight of each draw (draws,), which sum to 1.

    Subjects nested in queries come with their query.

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
        means = _over_queries(observed.by_query(systems), using)
    else:
        with_queries = "query" in over
        values, cells = observed.values, observed.cells
        means = subject_bootstrap(values, cells, using, with_queries=with_queries).T
    return means, np.full(len(means), 1 / len(means))


def _over_queries(values: Floats, using: Resampling) -> Floats:
    """Means of resampled queries: (systems, queries) → (draws, systems); NaN without values."""
    present = ~np.isnan(values)
    filled, weight = on_grid(np.where(present, values, 0.0).T, 0), present.T.astype(np.float64)

    def task(seed: np.random.SeedSequence, size: int) -> Floats:
        times = counts(drawn_units(seed, size, values.shape[1]))
        return divide(times @ filled, times @ weight, fill=np.nan)

    return np.concatenate(using.run(Purpose.QUERIES, task))


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
