"""Means of systems under resampled queries, subjects, both, or under worlds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.core.exact_sums import on_grid
from fuzzytruth.core.pigeonhole import resampled_means
from fuzzytruth.core.resamples import counts, drawn_units
from fuzzytruth.errors import OptionError
from fuzzytruth.stats.axes import Over, in_words
from fuzzytruth.stats.rows import cells, per_query, systems
from fuzzytruth.stats.settings import Purpose, Resampling

if TYPE_CHECKING:
    from fuzzytruth.evaluation.scores import Scores


def redrawn_means(
    scores: Scores, measure: int, over: Over, using: Resampling
) -> tuple[Floats, Floats]:
    """Means (draws, systems) and the weight of each draw (draws,), which sum to 1.

    Subjects nested in queries come with their query.

    Raises
    ------
    OptionError
        Worlds together with something else, or nested subjects by themselves.
    """
    nested = scores.design == "nested"
    if over == ("world",):
        assert scores.uncertainty is not None  # check_over saw to it
        return scores.uncertainty.world_means[:, :, measure], scores.uncertainty.weight
    if "world" in over or (nested and over == ("subject",)):
        raise OptionError(
            f"over {in_words(over)}: draw queries, crossed subjects, both, or worlds alone"
        )
    if over == ("query",) or nested:
        drawn = _over_queries(per_query(scores, measure, systems(scores)), using)
    else:
        drawn = _over_subjects(cells(scores, measure, systems(scores)), "query" in over, using)
    return drawn, np.full(len(drawn), 1 / len(drawn))


def _over_queries(values: Floats, using: Resampling) -> Floats:
    """Means of resampled queries: (systems, queries) → (draws, systems); NaN where none is left."""
    there = ~np.isnan(values)
    filled, present = on_grid(np.where(there, values, 0.0).T, 0), there.T.astype(np.float64)

    def task(seed: np.random.SeedSequence, size: int) -> Floats:
        times = counts(drawn_units(seed, size, values.shape[1]))
        total, judged = times @ filled, times @ present
        out = np.full(total.shape, np.nan)
        np.divide(total, judged, out=out, where=judged > 0)
        return out

    return np.concatenate(using.run(Purpose.QUERIES, task))


def _over_subjects(table: Floats, with_queries: bool, using: Resampling) -> Floats:
    """Means of resampled subjects, and queries if asked: (systems, queries, subjects)."""
    _, queries, subjects = table.shape

    def task(seed: np.random.SeedSequence, size: int) -> Floats:
        first, second = seed.spawn(2)
        of_queries = np.ones((size, queries))
        if with_queries:
            of_queries = counts(drawn_units(first, size, queries))
        of_subjects = counts(drawn_units(second, size, subjects))
        lot = max(1, using.numbers // (size * queries))
        parts = [
            resampled_means(table[start : start + lot], of_queries, of_subjects)
            for start in range(0, len(table), lot)
        ]
        return np.concatenate(parts).T

    return np.concatenate(using.run(Purpose.SUBJECTS, task))
