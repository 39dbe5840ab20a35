"""Measures based on user models: rank-biased precision, expected reciprocal rank."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fuzzytruth._typing import Array, Floats
from fuzzytruth.core.ranked_lists import cell_blocks
from fuzzytruth.core.segments import sum_in_order
from fuzzytruth.measures import exact
from fuzzytruth.measures.measure import Measure
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


@define("rank_biased_precision", suffixed={"rbp": _persistence})
class RBP(Measure):
    """Rank-biased precision: relevant items, weighted (1 - p)·p^(rank - 1).

    `p` is the probability that a user who has looked at one item goes on to the next. Bounds for
    unjudged items are of the list as it is; `RBPResidual` also counts the ranks after its end.
    """

    p: float = 0.8
    rel: float = 1
    meaning = "share of relevant items for a user who continues with probability p"
    formula = r"(1 - p) \sum_{i=1}^{k} r_i \, p^{i-1}"
    linear = True
    reference = "Moffat & Zobel 2008"
    expects_ties = True

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require_number("p", above=0, below=1)

    def score(self, batch: Batch) -> Array:
        top = batch.top(self.k)
        return top.weighted(top.relevant(self.rel), _weights(top, self.p, self.k))

    def moments(self, probabilities: ItemProbabilities) -> tuple[Array, Array]:
        weight = _resolved_weights(probabilities, self.p, self.k)
        return exact.linear_moments(probabilities, lambda grade: grade >= self.rel, weight)

    def bounds(self, lists: UnjudgedItems) -> tuple[Array, Array]:
        inside = lists.within(self.k)
        weight = (1 - self.p) * np.power(self.p, np.arange(inside.gain.shape[-1]))
        least = sum_in_order(inside.relevant(self.rel) * weight)
        return least, least + sum_in_order(inside.unjudged * weight)


def _weights(top: Batch, p: float, cutoff: int | None) -> Array:
    """(Mean) weight of each hit's rank, 0 past the cut-off: (hits,)."""
    before = np.power(p, top.first - 1.0)
    if not top.tied:
        return np.asarray((1 - p) * before)
    last = top.last if cutoff is None else np.minimum(top.last, cutoff)
    # The weights of the ranks first..last sum to p^(first - 1) - p^last.
    return np.asarray((before - np.power(p, last * 1.0)) / (top.last - top.first + 1))


def _resolved_weights(probabilities: ItemProbabilities, p: float, cutoff: int | None) -> Array:
    """Weight of each hit's rank, 0 past the cut-off: (hits,)."""
    weight = (1 - p) * np.power(p, probabilities.rank - 1.0)
    return np.asarray(weight * exact.inside(probabilities, cutoff))


@define("rbp_residual", "rank_biased_precision_residual")
class RBPResidual(Measure):
    """Residual of rank-biased precision: the weight of all ranks without a judged item.

    These are the ranks of unjudged items, and all ranks beyond the list's end or the cut-off. RBP
    with the same `p` and cut-off is between its value, if nothing there is relevant, and its
    value plus the residual, if everything is.
    """

    p: float = 0.8
    linear = True
    meaning = "what RBP could gain at ranks without a judged item"
    formula = r"1 - (1 - p) \sum_{i \le k, \; i \text{ judged}} p^{i-1}"
    reference = "Moffat & Zobel 2008"
    higher_is_better = False
    expects_ties = True

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require_number("p", above=0, below=1)

    def score(self, batch: Batch) -> Array:
        top = batch.top(self.k)
        known = top.weighted(top.values_of(_is_judged), _weights(top, self.p, self.k))
        residual: Array = np.maximum(1 - known, 0.0)
        return residual

    def moments(self, probabilities: ItemProbabilities) -> tuple[Array, Array]:
        weight = _resolved_weights(probabilities, self.p, self.k)
        mean, variance = exact.linear_moments(probabilities, _is_judged, weight)
        return np.maximum(1 - mean, 0.0), variance


def _is_judged(grade: Array) -> Array:
    """1 for a grade, 0 for one below 0: in the pool, but not judged."""
    return np.asarray(grade >= 0, dtype=np.float64)


@define("expected_reciprocal_rank")
class ERR(Measure):
    """Expected reciprocal rank of the first item that satisfies the user.

    An item of grade g satisfies with probability (2^g - 1) / 2^gmax; `gmax` is the largest grade
    of the scale, by default the largest one in the judgments (of all queries).
    """

    gmax: float | None = None
    meaning = "expected 1 / rank at which a user is satisfied"
    formula = (
        r"\sum_{i=1}^{k} \frac{s_i}{i} \prod_{j<i} (1 - s_j), \quad "
        r"s_i = \frac{2^{g_i} - 1}{2^{g_{\max}}}"
    )
    reference = "Chapelle et al. 2009"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.gmax is not None:
            self.require_number("gmax", above=0)

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
