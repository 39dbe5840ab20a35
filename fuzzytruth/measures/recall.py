"""Measures along recall: precision at its levels, recall of groups due, and the tiers."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from fuzzytruth._typing import Array
from fuzzytruth.core import arithmetic
from fuzzytruth.core.arithmetic import offsets_of, segment_cumsum, segment_of, sum_in_order
from fuzzytruth.core.lists.measure_bounds import Ends, OpenLists, peak_bounds, rank_mean_bounds
from fuzzytruth.measures.families import AtClassSize, OfCounts, OfRelevant
from fuzzytruth.measures.measure import Measure, one_of, print_value
from fuzzytruth.measures.registry import define
from fuzzytruth.truth.batch import Batch, Levels
from fuzzytruth.truth.inputs import UnjudgedItems

INTERPOLATIONS = ("trec", "round", "exact")


def interpolated_precision(batch: Batch, rel: float, levels: Array, interp: str) -> Array:
    """Largest precision at or after each level of recall: (levels, worlds, queries).

    Parameters
    ----------
    levels : (levels,) float
        Recall, from 0 to 1.
    interp : {"trec", "round", "exact"}
        A level is reached with ⌊level·R + 0.9⌋ relevant items, with level·R rounded (half up), or
        with ⌈level·R⌉.
    """
    shape = (batch.n_worlds, batch.n_queries)
    n_relevant = batch.n_relevant(rel).ravel()
    relevant = batch.relevant(rel)
    count = batch.per_query(relevant).ravel()  # (worlds · queries,)
    offsets = offsets_of(count)
    _, hit = np.nonzero(relevant)  # by world, query, rank
    order = np.arange(1, len(hit) + 1) - np.repeat(offsets[:-1], count)
    # Precision decreases between hits, so its maximum is at a hit.
    precision = np.append(order / batch.first[hit], 0.0)
    needed = _hits_needed(levels[:, None], n_relevant, interp)  # (levels, worlds · queries)
    reached = (needed <= count) & (count > 0)
    start = (offsets[:-1] + np.maximum(needed, 1) - 1)[reached]
    end = np.broadcast_to(offsets[1:], reached.shape)[reached]
    out = np.zeros(reached.shape)
    if len(start):
        pairs = np.stack((start, end), axis=1).ravel()
        out[reached] = np.maximum.reduceat(precision, pairs)[::2]
    return out.reshape(len(levels), *shape)


def _hits_needed(level: Array, relevant: Array, interp: str) -> Array:
    """Number of relevant items that reach each level of recall."""
    wanted = level * relevant
    if interp == "trec":
        return np.floor(wanted + 0.9).astype(np.int64)
    if interp == "round":
        return np.floor(wanted + 0.5).astype(np.int64)
    # Rounded first: 0.1 · 30 is 3.0000000000000004, which must not become 4.
    return np.ceil(np.round(wanted, 9)).astype(np.int64)


def _mean_bounds(lists: OpenLists, levels: Array, interp: str) -> Ends:
    """Lowest and highest mean of the precision over levels of recall."""
    rank = np.arange(1, lists.relevant.shape[-1] + 1)

    def mean(length: Array, hits: Array, relevant: Array) -> Array:
        n_cells, n_ranks = hits.shape
        best = np.zeros((n_cells, n_ranks + 1))  # 0 for a level that is not reached
        np.divide(hits, rank, out=best[:, :-1])
        np.maximum.accumulate(best[:, ::-1], axis=-1, out=best[:, ::-1])
        needed = _hits_needed(levels, relevant[:, :1], interp)  # (cells, levels)
        # One ascending key for all cells: the first rank with as many hits.
        step = int(max(hits.max(initial=0), needed.max(initial=0))) + 1
        cell = np.arange(n_cells)[:, None]
        place = np.searchsorted((hits + cell * step).ravel(), needed + cell * step)
        reached = np.minimum(place - cell * n_ranks, n_ranks)
        return np.asarray(np.take_along_axis(best, reached, axis=-1).mean(axis=-1))

    return rank_mean_bounds(lists, mean)


@define("iprec_at_recall", "interpolated_precision")
class IPrec(OfRelevant):
    """Interpolated precision: largest precision at this recall or more.

    The recall is the level after @. Of R relevant items, a level is reached with ⌊level·R + 0.9⌋ if
    ``interp="trec"`` (trec_eval up to version 9, pytrec_eval), with level·R rounded, half up, if
    ``"round"`` (version 10), and with ⌈level·R⌉ if ``"exact"``. A recall of 0.4 of 3 items takes 2,
    1 and 2 of them.
    """

    interp: str = one_of(*INTERPOLATIONS)
    formula = r"\max \left\{ \frac{h_i}{i} : h_i \ge \lfloor k R + 0.9 \rfloor \right\}"
    reference = "trec_eval"
    any_layout = False
    example = "IPrec@0.1"
    cutoff_use = "required"
    expects_ties = False
    stops_at_cutoff = False

    def _check_cutoff(self, cutoff: float) -> None:
        self.require(0 <= cutoff <= 1, "a level of recall is a number from 0 to 1")

    def score(self, batch: Batch) -> Array:
        level = np.array([self.cutoff], dtype=np.float64)
        return np.asarray(interpolated_precision(batch, self.rel, level, self.interp)[0])

    def bounds(self, lists: UnjudgedItems) -> tuple[Array, Array]:
        given, level = lists.binary(self.rel), np.asarray(float(self.cutoff or 0))
        rank = np.arange(1, given.relevant.shape[-1] + 1)

        def precision(hits: Array, relevant: Array) -> Array:
            return np.where(hits >= _hits_needed(level, relevant, self.interp), hits / rank, 0.0)

        # One more relevant item needs at most one more hit, as `peak_bounds` assumes.
        return peak_bounds(given, precision)


@define("interpolated_average", suffixed={"11pt_avg": lambda text: {"levels": _levels(text)}})
class IPrecAvg(OfRelevant):
    """Mean of the interpolated precision at 11 (or other) levels of recall.

    `levels` is a number of equally spaced levels from 0 to 1, or the levels themselves:
    ``levels="0.25/0.5/0.75"``, or any sequence of them. `interp` is that of `IPrec`: "trec" for
    trec_eval up to version 9, "round" for version 10, or "exact".
    """

    levels: Any = 11
    interp: str = one_of(*INTERPOLATIONS)
    formula = r"\frac{1}{11} \sum_{j=0}^{10} \mathrm{IPrec@} \tfrac{j}{10}"
    reference = "trec_eval"
    any_layout = False
    cutoff_use = "none"
    expects_ties = False

    def __post_init__(self) -> None:
        if not isinstance(self.levels, (str, int, float)):
            object.__setattr__(self, "levels", "/".join(map(str, self.levels)))
        super().__post_init__()
        rule = "levels must be a number of levels from 2, or levels from 0 to 1 such as 0.25/0.5"
        try:
            points = self.points
        except ValueError:
            points = np.array([])
        self.require(len(points) > 0 and bool(((points >= 0) & (points <= 1)).all()), rule)
        if isinstance(self.levels, str):
            object.__setattr__(self, "levels", "/".join(print_value(float(p)) for p in points))

    @property
    def points(self) -> Array:
        """The levels of recall."""
        if isinstance(self.levels, int):
            n = self.levels
            return np.arange(n) / (n - 1) if n >= 2 else np.array([])
        return np.array([float(part) for part in str(self.levels).split("/")])

    def score(self, batch: Batch) -> Array:
        values = interpolated_precision(batch, self.rel, self.points, self.interp)
        # `mean` adds up otherwise where there is a single query
        return sum_in_order(np.moveaxis(values, 0, -1)) / len(values)

    def bounds(self, lists: UnjudgedItems) -> tuple[Array, Array]:
        return _mean_bounds(lists.binary(self.rel), self.points, self.interp)


def _levels(text: str) -> str:
    """Parameter from a list of levels as in trec_eval, `.25,.5,.75`."""
    parts = sorted(float(part) for part in text.split(",") if part)
    return "/".join(map(str, parts))


# Average dynamic recall.


@define("average_dynamic_recall")
class ADR(Measure):
    """Average dynamic recall: mean recall of the groups due at each of the first R ranks.

    R is the number of judged items with a grade above 0; items of one grade are a group. At rank i,
    the recall is the number of items among the first i whose grade is at least that of the i-th
    item in the ideal order, divided by i.
    """

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
        sums = arithmetic.harmonic(int(relevant.max(initial=0)))
        whole = sums[end]
        if batch.tied:
            added = whole - _mean_before(batch, due, end, sums)
        else:
            added = whole - sums[np.minimum(np.maximum(batch.first, due) - 1, end)]
        return arithmetic.divide(batch.per_query(added * (batch.gain > 0)), relevant)


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
    return np.asarray((early * sums[due - 1] + middle + late * sums[end]) / size)


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
    wanted = segment_of(batch.offsets) * len(grades) - np.searchsorted(grades, batch.gain)
    return np.minimum(np.searchsorted(key, wanted), len(key) - 1)


# Nearest neighbour, first tier and second tier: the measures of 3D shape benchmarks.


@define("nearest_neighbor", "nearest_neighbour")
class NN(OfCounts, OfRelevant):
    """Nearest neighbour: whether the first item is relevant.

    1 if so, else 0.
    """

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
    """First tier: share of the C relevant items that are among the first C.

    ``norm="depth"`` stops at the list's end and divides by the depth reached, as SHREC 2006 does. A
    query that is itself in the collection must not be among its judged items.
    """

    formula = r"\frac{h_R}{R}"
    per_item = 1


@define("second_tier")
class ST(Tier):
    """Second tier: share of the C relevant items that are among the first 2C.

    ``norm="depth"`` stops at the list's end and divides by the depth reached (2C or less), as SHREC
    2006 does: a perfect list then has only 1/2.
    """

    formula = r"\frac{h_{2R}}{R}"
    per_item = 2
