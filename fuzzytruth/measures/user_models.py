"""Measures based on user models: rank-biased precision, expected reciprocal rank, compatibility."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from fuzzytruth._typing import Array, Floats, Ints
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.core.lists.ranked_lists import cell_blocks
from fuzzytruth.core.segments import sum_in_order
from fuzzytruth.measures.families import RankWeighted
from fuzzytruth.measures.measure import Measure, real
from fuzzytruth.measures.registry import define
from fuzzytruth.truth.batch import Batch
from fuzzytruth.truth.item_probabilities import ItemProbabilities

if TYPE_CHECKING:
    from fuzzytruth.truth.unjudged import UnjudgedItems


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
    """Rank-biased precision: relevant items, weighted (1 - p)·p^(rank - 1).

    `p` is the probability that a user who has looked at one item goes on to the next. Bounds for
    unjudged items are of the list as it is; `RBPResidual` also counts the ranks after its end.
    """

    p: float = real(0.8, above=0, below=1)
    rel: float = 1
    meaning = "share of relevant items for a user who continues with probability p"
    formula = r"(1 - p) \sum_{i=1}^{k} r_i \, p^{i-1}"

    def worth(self, grade: Array, top_grade: float) -> Array:
        return np.asarray(grade >= self.rel)

    def worth_of_unjudged(self, top_grade: float) -> tuple[float, float]:
        return 0.0, 1.0


@define("rbp_residual", "rank_biased_precision_residual")
class RBPResidual(Geometric):
    """Residual of rank-biased precision: the weight of all ranks without a judged item.

    These are the ranks of unjudged items, and all ranks beyond the list's end or the cut-off. RBP
    with the same `p` and cut-off is between its value, if nothing there is relevant, and its
    value plus the residual, if everything is.
    """

    p: float = real(0.8, above=0, below=1)
    linear = True
    meaning = "what RBP could gain at ranks without a judged item"
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
    """Expected reciprocal rank of the first item that satisfies the user.

    An item of grade g satisfies with probability (2^g - 1) / 2^gmax; `gmax` is the largest grade
    of the scale, by default the largest one in the judgments (of all queries).
    """

    gmax: float | None = real(None, above=0)
    meaning = "expected 1 / rank at which a user is satisfied"
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
        not_yet = top.product_before(1 - satisfied)
        return top.per_query(not_yet * satisfied / top.first)

    def bounds(self, lists: UnjudgedItems) -> tuple[Array, Array]:
        # Grows with each grade; the scale's largest one is `gmax`, if given.
        gmax = lists.top_grade if self.gmax is None else self.gmax
        inside = lists.within(self.k)
        gain = np.fmax(inside.gain[0], 0.0)
        low, high = (
            expected_reciprocal_rank(np.exp2(grade - gmax) - np.exp2(-gmax))
            for grade in (gain, np.where(inside.unjudged[0], gmax, gain))
        )
        return low[None], high[None]


# Overlap of a list with the ideal list that is most like it.


@define("compatibility")
class Compat(Measure):
    """Largest rank-biased overlap of the list with an ideal list: items by grade, above 0.

    Items of equal grade stand in the ideal list in the order of the list itself, and those that it
    lacks behind them. Overlap counts to the end of the longer list (or rank k), and its weights
    p^(d - 1) are divided by their sum. With `normalize`, the result is divided by the overlap of
    the ideal list with itself, which is below 1 where the list is longer than that.
    """

    p: float = real(0.95, above=0, below=1)
    normalize: bool = True
    meaning = "rank-biased overlap with the most similar ideal list"
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
