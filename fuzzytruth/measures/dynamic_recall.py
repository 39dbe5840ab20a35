"""Average dynamic recall."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from fuzzytruth._typing import Array
from fuzzytruth.core.arithmetic import divide, harmonic
from fuzzytruth.core.segments import segment_cumsum, segment_of
from fuzzytruth.measures.families import AtClassSize, OfCounts, OfRelevant
from fuzzytruth.measures.measure import Measure, one_of
from fuzzytruth.measures.registry import define
from fuzzytruth.truth.batch import Batch, Levels


@define("average_dynamic_recall")
class ADR(Measure):
    """Average dynamic recall: mean, over the first R ranks, of the recall of the groups due.

    R is the number of judged items with a grade above 0; items of one grade are a group. At rank i,
    the recall is the number of items among the first i whose grade is at least that of the i-th
    item in the ideal order, divided by i.
    """

    meaning = "mean recall of the groups due at each of the first R ranks"
    formula = r"\frac{1}{R} \sum_{i=1}^{R} \frac{1}{i} \left| \{ j \le i : g_j \ge g^*_i \} \right|"
    reference = "Typke, Veltkamp & Wiering 2006"
    any_layout = False
    needs_relevant = True
    cutoff_use = "none"
    expects_ties = True

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


# Nearest neighbour, first tier and second tier: the measures of 3D shape benchmarks.


@define("nearest_neighbor", "nearest_neighbour")
class NN(OfCounts, OfRelevant):
    """Nearest neighbour: 1 if the first item is relevant."""

    meaning = "whether the first item is relevant"
    formula = r"r_1"
    linear = True
    needs_relevant = False
    reference = "Shilane et al. 2004"
    cutoff_use = "none"
    counts_missed = False

    @property
    def k(self) -> int:
        return 1

    def of(self, h: Any, m: Any, n: Any) -> Any:
        return h


@dataclasses.dataclass(frozen=True, repr=False, kw_only=True)
class Tier(AtClassSize):
    """Base class of the tiers: share of the C relevant items among the first `per_item` · C."""

    norm: str = one_of("class", "depth")
    reference = "Shilane et al. 2004; SHREC 2006 (norm=depth)"

    def depth_of(self, relevant: Array) -> Array:
        return self.per_item * relevant

    def norm_of(self, relevant: Array | int, length: Array) -> Array:
        if self.norm == "class":
            return np.asarray(relevant)
        return np.asarray(np.minimum(self.per_item * relevant, length))


@define("first_tier")
class FT(Tier):
    """First tier: relevant items among the first C, over C, the number of relevant items.

    ``norm="depth"`` stops at the list's end and divides by the depth reached, as SHREC 2006 does.
    A query that is itself in the collection must not be among its judged items.
    """

    meaning = "share of the C relevant items that are among the first C"
    formula = r"\frac{h_R}{R}"
    per_item = 1


@define("second_tier")
class ST(Tier):
    """Second tier: relevant items among the first 2C, over C, the number of relevant items.

    ``norm="depth"`` stops at the list's end and divides by the depth reached (2C or less), as
    SHREC 2006 does: a perfect list then has only 1/2.
    """

    meaning = "share of the C relevant items that are among the first 2C"
    formula = r"\frac{h_{2R}}{R}"
    per_item = 2
