"""Average dynamic recall."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from fuzzytruth._typing import Array
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.core.harmonic import harmonic
from fuzzytruth.core.segments import segment_cumsum, segment_of
from fuzzytruth.measures.measure import Measure
from fuzzytruth.measures.registry import define
from fuzzytruth.truth.batch import Batch
from fuzzytruth.truth.levels import Levels


@define("average_dynamic_recall")
class ADR(Measure):
    """Average dynamic recall: mean, over the first R ranks, of the recall of the groups due.

    R is the number of judged items with a grade above 0; items of one grade are a group. At rank i,
    the recall is the number of items among the first i whose grade is at least that of the i-th
    item in the ideal order, divided by i.
    """

    name: ClassVar[str] = "ADR"
    meaning: ClassVar[str] = "mean recall of the groups due at each of the first R ranks"
    formula: ClassVar[str] = (
        r"\frac{1}{R} \sum_{i=1}^{R} \frac{1}{i} \left| \{ j \le i : g_j \ge g^*_i \} \right|"
    )
    reference: ClassVar[str] = "Typke, Veltkamp & Wiering 2006"
    needs_relevant: ClassVar[bool] = True
    cutoff_use: ClassVar[str] = "none"
    expects_ties: ClassVar[bool] = True

    def score(self, batch: Batch) -> Array:
        relevant = batch.n_relevant(None)  # (worlds, queries)
        # An item at rank ρ counts 1/i at each rank i ≤ R from max(ρ, due) on, where `due` is the
        # first rank at which its group is due: a difference of harmonic numbers.
        due = _better(batch) + 1  # (worlds, hits)
        end = batch.per_hit(relevant)
        deepest = int(relevant.max(initial=0))
        sums = harmonic(deepest)
        whole = sums[end]
        if batch.tied:
            added = whole - _mean_before(batch, due, end, sums)
        else:
            added = whole - sums[np.minimum(np.maximum(batch.first, due) - 1, end)]
        return divide(batch.per_query(added * (batch.gain > 0)), relevant)


def _mean_before(batch: Batch, due: Array, end: Array, sums: Array) -> Array:
    """Mean of H(max(ρ, due) - 1), at most H(end), over the ranks ρ of each hit's tie."""
    first, size = batch.first, batch.last - batch.first + 1
    sums_of_sums = np.concatenate(([0.0], np.cumsum(sums)))  # of H_0 .. H_(j - 1)
    due, past = np.minimum(due, end + 1), end + 1  # ranks up to `due` give H(due - 1)
    early = np.clip(due - first + 1, 0, size)
    start = np.clip(first + early, 1, past)
    stop = np.clip(batch.last + 1, start, past)
    middle = sums_of_sums[stop - 1] - sums_of_sums[start - 1]
    late = size - early - (stop - start)
    mean: Array = (early * sums[due - 1] + middle + late * sums[end]) / size
    return mean


def _better(batch: Batch) -> Array:
    """Number of judged items of the query with a higher grade than each hit: (worlds, hits)."""
    levels = batch.levels
    above = segment_cumsum(levels.count, levels.offsets) - levels.count  # (worlds, levels)
    return np.take_along_axis(above, _level_of(batch, levels), axis=1)


def _level_of(batch: Batch, levels: Levels) -> Array:
    """Index of each hit's grade among the query's levels: (worlds, hits)."""
    grades = np.unique(levels.grade)  # ascending
    if not len(grades):
        return np.zeros(batch.gain.shape, dtype=np.int64)
    # One ascending key for all queries: levels are sorted by query, then by descending grade.
    key = segment_of(levels.offsets) * len(grades) - np.searchsorted(grades, levels.grade)
    query = segment_of(batch.offsets)
    wanted = query * len(grades) - np.searchsorted(grades, batch.gain)
    return np.minimum(np.searchsorted(key, wanted), len(key) - 1)
