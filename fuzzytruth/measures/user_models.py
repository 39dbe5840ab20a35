"""Measures based on user models: RBP, expected reciprocal rank, compatibility, and C/W/L."""

from __future__ import annotations

import dataclasses
from abc import abstractmethod
from functools import partial
from typing import Any

import numpy as np

from fuzzytruth._typing import Array, Floats, Ints
from fuzzytruth.core.arithmetic import divide, harmonic, inverse_square_tail, sum_in_order
from fuzzytruth.core.lists.measure_bounds import cell_blocks
from fuzzytruth.measures.families import RankWeighted
from fuzzytruth.measures.gain import cumulative_discount, discounts
from fuzzytruth.measures.measure import Measure, real
from fuzzytruth.measures.registry import define
from fuzzytruth.truth.batch import Batch
from fuzzytruth.truth.inputs import ItemProbabilities, UnjudgedItems

# The cascade model: a user goes down a list until an item satisfies.


def expected_reciprocal_rank(satisfies: Array) -> Floats:
    """Expected 1 / rank of the item that satisfies, 0 for none: (cells,).

    It grows with each item's probability: a user who is not satisfied at rank r goes on and expects
    at most 1 / (r + 1).

    Parameters
    ----------
    satisfies : (cells, ranks) float
        Probability that the item at each rank satisfies a user who looks at it.

    Examples
    --------
    >>> expected_reciprocal_rank(np.array([[0.5, 1.0]])).tolist()
    [0.75]
    """
    n_cells, n_ranks = satisfies.shape
    out = np.zeros(n_cells)
    rank = np.arange(1, n_ranks + 1)
    for cells in cell_blocks(n_cells, n_ranks):
        some = satisfies[cells]
        looks = np.ones_like(some)
        np.cumprod(1 - some[:, :-1], axis=-1, out=looks[:, 1:])
        out[cells] = sum_in_order(looks * some / rank)
    return out


def _persistence(text: str) -> dict[str, float]:
    """Suffix of `rbp`: ranx writes p = 0.95 as `rbp.95`."""
    return {"p": float(text if "." in text else f"0.{text}")}


class Geometric(RankWeighted):
    """Base class of those with the attention (1 - p)·p^(rank - 1)."""

    p: float
    reference = "Moffat & Zobel 2008"

    def weight(self, rank: Array) -> Array:
        return np.asarray((1 - self.p) * np.power(self.p, rank - 1.0))

    def weight_up_to(self, rank: Array) -> Array:
        return np.asarray(-np.power(self.p, rank * 1.0))


@define("rank_biased_precision", suffixed={"rbp": _persistence})
class RBP(Geometric):
    """RBP: share of relevant items for a user who continues with probability p.

    Rank-biased precision: relevant items, weighted (1 - p)·p^(rank - 1). `p` is the probability
    that a user who has looked at one item goes on to the next. Bounds for unjudged items are of the
    list as it is; `RBPResidual` also counts the ranks after its end.
    """

    p: float = real(0.8, above=0, below=1)
    rel: float = 1
    formula = r"(1 - p) \sum_{i=1}^{k} r_i \, p^{i-1}"

    def worth(self, grade: Array, top_grade: float) -> Array:
        return np.asarray(grade >= self.rel)

    def worth_of_unjudged(self, top_grade: float) -> tuple[float, float]:
        return 0.0, 1.0


@define("rbp_residual", "rank_biased_precision_residual")
class RBPResidual(Geometric):
    """Residual of RBP: what RBP could gain at ranks without a judged item.

    It is the weight of these ranks: those of unjudged items, and all beyond the list's end or the
    cut-off. RBP with the same `p` and cut-off is between its value, if nothing there is
    relevant, and its value plus the residual, if everything is.
    """

    p: float = real(0.8, above=0, below=1)
    linear = True
    exact_for_ties = True
    formula = r"1 - (1 - p) \sum_{i \le k, \; i \text{ judged}} p^{i-1}"
    higher_is_better = False

    def worth(self, grade: Array, top_grade: float) -> Array:
        return np.asarray(grade >= 0)  # below 0: in the pool, but not judged

    def score(self, batch: Batch) -> Array:
        return np.asarray(np.maximum(1 - self.list_sum(batch), 0.0))

    def moments(self, probabilities: ItemProbabilities) -> tuple[Array, Array]:
        mean, variance = self.sum_moments(probabilities)
        return np.maximum(1 - mean, 0.0), variance


@define("expected_reciprocal_rank")
class ERR(Measure):
    """Expected reciprocal rank: expected 1 / rank at which a user is satisfied.

    An item of grade g satisfies with probability (2^g - 1) / 2^gmax; `gmax` is the largest grade of
    the scale, by default the largest one in the judgments (of all queries).
    """

    gmax: float | None = real(None, above=0)
    formula = (
        r"\sum_{i=1}^{k} \frac{s_i}{i} \prod_{j<i} (1 - s_j), \quad "
        r"s_i = \frac{2^{g_i} - 1}{2^{g_{\max}}}"
    )
    reference = "Chapelle et al. 2009"

    def score(self, batch: Batch) -> Array:
        largest = batch.judged.grades.max(initial=0.0)
        gmax = max(batch.top_grade, largest) if self.gmax is None else self.gmax
        self.require(bool(largest <= gmax), f"there is a grade of {largest:g}, which is above gmax")
        top = batch.top(self.k)
        # (2^g - 1) / 2^gmax without overflow; unjudged items satisfy nobody.
        satisfied = np.exp2(np.fmax(top.gain, 0.0) - gmax) - np.exp2(-gmax)  # (worlds, hits)
        return top.per_query(top.product_before(1 - satisfied) * satisfied / top.first)

    def bounds(self, lists: UnjudgedItems) -> tuple[Array, Array]:
        # Grows with each grade; the scale's largest one is `gmax`, if given.
        gmax = lists.top_grade if self.gmax is None else self.gmax
        inside = lists.within(self.k)
        gain = np.fmax(inside.gain[0], 0.0)
        low, high = (
            expected_reciprocal_rank(np.exp2(grade - gmax) - np.exp2(-gmax))
            for grade in (gain, np.where(inside.unjudged[0], gmax, gain))
        )
        return low, high


# Overlap of a list with the ideal list that is most like it.


@define("compatibility")
class Compat(Measure):
    """Compatibility: rank-biased overlap with the most similar ideal list.

    An ideal list has the items by grade, above 0. Items of equal grade stand in it in the order of
    the list itself, and those that it lacks behind them. Overlap counts to the end of the longer
    list (or rank k), and its weights p^(d - 1) are divided by their sum. With `normalize`, the
    result is divided by the overlap of the ideal list with itself, which is below 1 where the list
    is longer than that.
    """

    p: float = real(0.95, above=0, below=1)
    normalize: bool = True
    formula = (
        r"\frac{o(L, I)}{o(I, I)}, \quad o(L, I) = "
        r"\frac{\sum_{d=1}^{D} p^{d-1} \, |L_d \cap I_d| / d}{\sum_{d=1}^{D} p^{d-1}}"
    )
    reference = "Clarke, Vtyurina & Smucker 2021"
    needs_relevant = True

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require(isinstance(self.normalize, bool), "normalize must be True or False")

    def score(self, batch: Batch) -> Array:
        top, number = batch.top(self.k), batch.n_relevant(None)  # (worlds, queries)
        depth = np.maximum(batch.listed(self.k), number)
        if self.k is not None:
            depth = np.minimum(depth, self.k)
        deepest = int(depth.max(initial=0))
        rank = np.arange(1, deepest + 1)
        weight = np.power(self.p, rank - 1.0)
        shared = np.append(0.0, np.cumsum(weight / rank))  # weight of an item from each depth on
        common = np.maximum(_ideal_ranks(top), top.first)
        end = top.per_hit(shared[depth])
        inside = (top.values_of(lambda g: g > 0) > 0) & (common <= top.per_hit(depth))
        overlap = top.per_query(inside * (end - shared[np.minimum(common, deepest + 1) - 1]))
        if not self.normalize:
            return divide(overlap, np.append(0.0, np.cumsum(weight))[depth])
        most = np.minimum(number, depth)
        sums = np.append(0.0, np.cumsum(shared))
        return divide(overlap, most * shared[depth] - sums[most])


def _ideal_ranks(batch: Batch) -> Ints:
    """Rank of each hit in the ideal list, for grades above 0: (worlds, hits)."""
    out = np.zeros(batch.code.shape, dtype=np.int64)
    gain = batch.gain
    for grade in np.unique(batch.judged.grades):
        if grade > 0:
            same = gain == grade
            above = batch.judged.n_where(partial(np.less, grade))
            out += same * (batch.per_hit(above) + batch.running(same))
    return out


# Measures of the C/W/L framework: expected gain per item that a user looks at.
#
# A user who has looked at rank i goes on with probability C(i). W(i), the share of attention that
# rank i gets, is proportional to C(1)···C(i - 1), and sums to 1 over all ranks, or over the first
# k. What lies behind the end of a list has no gain. A gain is a grade on the scale from `min_rel`
# (0) to `max_rel` (1), by default the largest grade of the judgments; grades beyond count as its
# ends, and unjudged items have none. Azzopardi, Thomas & Moffat 2019, cwl_eval: an evaluation tool
# for information retrieval.


_NERR = "Azzopardi, Mackenzie & Moffat 2021"


@dataclasses.dataclass(frozen=True, repr=False, kw_only=True)
class ScaledGain(Measure):
    """Base class of measures of gains from 0 to 1."""

    min_rel: float = real(0)
    max_rel: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.max_rel is not None:
            self.require_number("max_rel", above=self.min_rel)

    def raised(self, grade: Array, top_grade: float) -> Array:
        """Grades above the lower end of the scale; 0 for missing ones."""
        most = max(self.min_rel, top_grade if self.max_rel is None else self.max_rel)
        return np.asarray(np.clip(np.fmax(grade, 0.0), self.min_rel, most) - self.min_rel)

    def width(self, top_grade: float) -> float:
        """Length of the scale; 1 where it has none, and there are no gains."""
        most = top_grade if self.max_rel is None else self.max_rel
        return most - self.min_rel if most > self.min_rel else 1.0

    def scaled(self, grade: Array, top_grade: float) -> Array:
        """Gains of grades."""
        return self.raised(grade, top_grade) / self.width(top_grade)

    def gain(self, batch: Batch) -> Array:
        """Gain of each hit: (worlds, hits)."""
        return batch.values_of(lambda grade: self.scaled(grade, batch.top_grade))


class WeightedGain(ScaledGain, RankWeighted):
    """Base class of those where attention depends on the rank alone."""

    def worth(self, grade: Array, top_grade: float) -> Array:
        return self.scaled(grade, top_grade)

    def worth_of_unjudged(self, top_grade: float) -> tuple[Any, Any]:
        least, most = self.scaled(np.array([0.0, top_grade]), top_grade)
        return least, most


@define("scaled_dcg")
class SDCG(WeightedGain):
    """Scaled DCG: DCG as a share of that of a list full of the best grade.

    That list has k items with the largest gain, judged or not.
    """

    formula = r"\frac{\sum_{i=1}^{k} g_i / \log_2(i + 1)}{\sum_{i=1}^{k} 1 / \log_2(i + 1)}"
    reference = "Azzopardi et al. 2019"
    cutoff_use = "required"

    def weight(self, rank: Array) -> Array:
        whole = cumulative_discount("log2", self.k or 1)[-1]
        return np.asarray(discounts("log2", rank) / whole)

    def weight_up_to(self, rank: Array) -> Array:
        cumulative = cumulative_discount("log2", self.k or 1)
        return np.asarray(cumulative[rank] / cumulative[-1])


def _inverse_square(rank: Array, goal: float) -> Array:
    """Attention at each rank over that at the first, for C(i) = ((i + 2T - 1) / (i + 2T))²."""
    return np.asarray(np.square(2 * goal / (rank - 1 + 2 * goal)))


def _inverse_square_beyond(rank: Array, goal: float, k: int | None) -> Array:
    """Sum of the same over the ranks from rank + 1 to `k`, or to infinity."""
    beyond = inverse_square_tail(rank + 2 * goal)
    if k is not None:
        beyond = beyond - inverse_square_tail(np.full(1, k + 2 * goal))
    return (2 * goal) ** 2 * beyond


@define()
class INSQ(WeightedGain):
    """Gain per item for a user who wants T relevant items.

    What is found does not count: C(i) = ((i + 2T - 1) / (i + 2T))². Without a cut-off, lists are
    looked at without end; cwl-eval stops at rank 1000, as ``INSQ@1000`` does.
    """

    T: float = real(1.0, above=0)
    formula = r"\sum_{i=1}^{k} W_i \, g_i, \quad C_i = \left( \frac{i + 2T - 1}{i + 2T} \right)^2"
    reference = "Moffat, Scholer & Thomas 2012"

    def weight(self, rank: Array) -> Array:
        return _inverse_square(rank, self.T) / self._beyond(np.zeros(1))

    def weight_up_to(self, rank: Array) -> Array:
        whole = self._beyond(np.zeros(1))
        return (whole - self._beyond(rank)) / whole

    def _beyond(self, rank: Array) -> Array:
        return _inverse_square_beyond(rank, self.T, self.k)


@define()
class INST(ScaledGain):
    """Gain per item for a user who stops near a total gain of T.

    The user wants a total gain of `T`, and becomes impatient near it: C(i) = ((i - 1 + T + T_i) /
    (i + T + T_i))², where T_i is T minus the gain of the first i items. Without a cut-off, lists
    are looked at without end; cwl-eval stops at rank 1000, as ``INST@1000`` does.
    """

    T: float = real(1.0, above=0)
    formula = (
        r"\sum_{i=1}^{k} W_i \, g_i, \quad "
        r"C_i = \left( \frac{i - 1 + T + T_i}{i + T + T_i} \right)^2, \quad "
        r"T_i = T - \sum_{j \le i} g_j"
    )
    reference = "Bailey et al. 2015; Moffat et al. 2017"

    def score(self, batch: Batch) -> Array:
        top = batch.top(self.k)
        gain, rank = self.gain(top), top.first
        found = top.accumulated(gain)
        # Between two hits C telescopes: from rank i on, attention at rank j is `level` / (j - 1 +
        # wanted)², where `wanted` is 2T minus what was found.
        before, after = rank - 1 + 2 * self.T - (found - gain), rank - 1 + 2 * self.T - found
        drop = np.square(after / before)
        level_before = (2 * self.T) ** 2 * top.product_before(drop)
        attention = level_before / np.square(before)
        # Sums of attention over the ranks between hits are differences of such tails.
        change = level_before * (
            drop * inverse_square_tail(after + 1) - inverse_square_tail(before + 1)
        )
        start = inverse_square_tail(np.full(1, 2 * self.T))
        whole = (2 * self.T) ** 2 * start + top.per_query(change)
        if self.k is not None:
            with np.errstate(divide="ignore"):  # of a user who certainly stops
                level = (2 * self.T) ** 2 * np.exp(top.per_query(np.log(drop)))
            wanted = 2 * self.T - top.per_query(gain)
            whole = whole - level * inverse_square_tail(self.k + wanted)
        return np.asarray(top.per_query(attention * gain) / whole)


@define()
class BPM(ScaledGain):
    """Bejeweled Player Model: gain per item up to a total gain of T, or rank k.

    The static model, with whole numbers of items as costs.
    """

    T: float = real(1.0, above=0)
    formula = (
        r"\frac{1}{s} \sum_{i=1}^{s} g_i, \quad "
        r"s = \min \left( k, \; \min \{ i : g_1 + \cdots + g_i \ge T \} \right)"
    )
    reference = "Zhang et al. 2017"
    cutoff_use = "required"

    def score(self, batch: Batch) -> Array:
        top, end = batch.top(self.k), self.k or 1
        width = self.width(top.top_grade)
        raised = top.values_of(lambda grade: self.raised(grade, top.top_grade))
        # In units of grades, of which sums are exact.
        enough = top.accumulated(raised) >= self.T * width
        stop = end + 1 - np.maximum(top.largest(enough * (end + 1 - top.first)), 1)
        seen = raised * (top.first <= top.per_hit(stop))
        return np.asarray(top.per_query(seen) / width / stop)


class NERR(ScaledGain):
    """Base class of those where a gain is the probability to stop: C(i) = c(i)·(1 - g(i))."""

    reference = _NERR

    @abstractmethod
    def reached(self, rank: Array) -> Array:
        """c(1)···c(rank - 1): attention at each rank, over that at the first, without any gain."""

    @abstractmethod
    def reached_beyond(self, rank: Array) -> Array:
        """Sum of the same over the ranks from rank + 1 to the cut-off, or to infinity."""

    def score(self, batch: Batch) -> Array:
        top = batch.top(self.k)
        gain = self.gain(top)
        stopping = top.product_before(1 - gain) * gain
        value = top.per_query(stopping * self.reached(top.first))
        # Who stops at an item does not see the ranks beyond.
        unseen = top.per_query(stopping * self.reached_beyond(top.first))
        return np.asarray(value / (self.reached_beyond(np.zeros(1, dtype=np.int64)) - unseen))


@define()
class NERR8(NERR):
    """Nearly ERR: gain per item for a user who stops at gain, or rank k.

    The user stops at an item with the probability of its gain: c(i) = 1 up to the cut-off.
    """

    formula = r"\sum_{i=1}^{k} W_i \, g_i, \quad C_i = 1 - g_i"
    cutoff_use = "required"

    def reached(self, rank: Array) -> Array:
        return np.ones(len(rank))

    def reached_beyond(self, rank: Array) -> Array:
        return np.asarray((self.k or 1) - rank, dtype=np.float64)


@define()
class NERR9(NERR):
    """Nearly ERR: gain per item for a user who stops at gain, and less far down.

    Attention falls as 1 / rank: c(i) = i / (i + 1) up to the cut-off.
    """

    formula = r"\sum_{i=1}^{k} W_i \, g_i, \quad C_i = \frac{i}{i + 1} (1 - g_i)"
    cutoff_use = "required"

    def reached(self, rank: Array) -> Array:
        return np.asarray(1.0 / rank)

    def reached_beyond(self, rank: Array) -> Array:
        sums = harmonic(self.k or 1)
        return np.asarray(sums[-1] - sums[rank])


@define()
class NERR10(NERR):
    """Nearly ERR: gain per item for a user who stops at gain, with RBP's patience.

    c(i) = p. Without a cut-off, lists are looked at without end; cwl-eval stops at rank 1000.
    """

    p: float = real(0.9, above=0, below=1)
    formula = r"\sum_{i=1}^{k} W_i \, g_i, \quad C_i = p \, (1 - g_i)"

    def reached(self, rank: Array) -> Array:
        return np.asarray(np.power(self.p, rank - 1.0))

    def reached_beyond(self, rank: Array) -> Array:
        end = 0.0 if self.k is None else self.p**self.k
        return np.asarray((np.power(self.p, rank * 1.0) - end) / (1 - self.p))


@define()
class NERR11(NERR):
    """Nearly ERR: gain per item for a user who stops at gain, with INSQ's patience.

    c(i) = ((i + 2T - 1) / (i + 2T))². Without a cut-off, lists are looked at without end; cwl-eval
    stops at rank 1000.
    """

    T: float = real(1.0, above=0)
    formula = (
        r"\sum_{i=1}^{k} W_i \, g_i, \quad "
        r"C_i = \left( \frac{i + 2T - 1}{i + 2T} \right)^2 (1 - g_i)"
    )

    def reached(self, rank: Array) -> Array:
        return _inverse_square(rank, self.T)

    def reached_beyond(self, rank: Array) -> Array:
        return _inverse_square_beyond(rank, self.T, self.k)
