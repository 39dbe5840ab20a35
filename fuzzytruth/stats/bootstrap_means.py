"""Means of systems under resampled queries, subjects, both, or under worlds."""

from __future__ import annotations

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.core.exact_sums import on_grid
from fuzzytruth.core.pigeonhole import resampled_means
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
        Worlds together with something else, or nested subjects by themselves.
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
        means = _over_subjects(observed, "query" in over, using)
    return means, np.full(len(means), 1 / len(means))


def _over_queries(values: Floats, using: Resampling) -> Floats:
    """Means of resampled queries: (systems, queries) → (draws, systems); NaN where none is left."""
    present = ~np.isnan(values)
    filled, weight = on_grid(np.where(present, values, 0.0).T, 0), present.T.astype(np.float64)

    def task(seed: np.random.SeedSequence, size: int) -> Floats:
        times = counts(drawn_units(seed, size, values.shape[1]))
        return divide(times @ filled, times @ weight, fill=np.nan)

    return np.concatenate(using.run(Purpose.QUERIES, task))


def _over_subjects(observed: Observations, with_queries: bool, using: Resampling) -> Floats:
    """Means of resampled subjects, and queries if asked: (draws, systems)."""
    values, cells = observed.values, observed.cells

    def task(seed: np.random.SeedSequence, size: int) -> Floats:
        first, second = seed.spawn(2)
        query_counts = np.ones((size, cells.n_queries))
        if with_queries:
            query_counts = counts(drawn_units(first, size, cells.n_queries))
        subject_counts = counts(drawn_units(second, size, cells.n_subjects))
        lot = max(1, using.numbers // (size * cells.n_queries))
        parts = [
            resampled_means(values[start : start + lot], cells, query_counts, subject_counts)
            for start in range(0, len(values), lot)
        ]
        return np.concatenate(parts).T

    return np.concatenate(using.run(Purpose.SUBJECTS, task))
