"""Measures based on user models: rank-biased precision, expected reciprocal rank."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from fuzzytruth._typing import Array
from fuzzytruth.measures import exact
from fuzzytruth.measures.measure import Measure
from fuzzytruth.measures.registry import define
from fuzzytruth.truth.batch import Batch
from fuzzytruth.truth.item_probabilities import ItemProbabilities

if TYPE_CHECKING:
    from fuzzytruth.truth.unjudged import UnjudgedItems


def _persistence(text: str) -> dict[str, float]:
    """Suffix of `rbp`: ranx writes p = 0.95 as `rbp.95`."""
    return {"p": float(text if "." in text else f"0.{text}")}


@define("rank_biased_precision", suffixed={"rbp": _persistence})
class RBP(Measure):
    """Rank-biased precision: relevant items, weighted (1 - p)·p^(rank - 1).

    `p` is the probability that a user who has looked at one item goes on to the next.
    """

    p: float = 0.8
    rel: float = 1
    name: ClassVar[str] = "RBP"
    stops_at_cutoff: ClassVar[bool] = True
    any_layout: ClassVar[bool] = True
    meaning: ClassVar[str] = "share of relevant items for a user who continues with probability p"
    linear: ClassVar[bool] = True
    reference: ClassVar[str] = "Moffat & Zobel 2008"
    expects_ties: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require_number("p", above=0, below=1)

    def score(self, batch: Batch) -> Array:
        top = batch.top(self.k)
        before = np.power(self.p, top.first - 1.0)
        if top.tied:
            last = top.last if self.k is None else np.minimum(top.last, self.k)
            # The weights of the ranks first..last sum to p^(first - 1) - p^last.
            weight = (before - np.power(self.p, last * 1.0)) / (top.last - top.first + 1)
        else:
            weight = (1 - self.p) * before
        return top.weighted(top.relevant(self.rel), weight)

    def moments(self, probabilities: ItemProbabilities) -> tuple[Array, Array]:
        weight = (1 - self.p) * np.power(self.p, probabilities.rank - 1.0)
        weight *= exact.inside(probabilities, self.k)
        return exact.linear_moments(probabilities, lambda grade: grade >= self.rel, weight)

    def bounds(self, lists: UnjudgedItems) -> tuple[Array, Array]:
        inside = lists.within(self.k)
        weight = (1 - self.p) * np.power(self.p, np.arange(inside.gain.shape[-1]))
        least = inside.relevant(self.rel) @ weight
        return least, least + inside.unjudged @ weight


@define("expected_reciprocal_rank")
class ERR(Measure):
    """Expected reciprocal rank of the first item that satisfies the user.

    An item of grade g satisfies with probability (2^g - 1) / 2^gmax; `gmax` is the largest grade
    of the scale, by default the largest one in the judgments (of all queries).
    """

    gmax: float | None = None
    name: ClassVar[str] = "ERR"
    stops_at_cutoff: ClassVar[bool] = True
    any_layout: ClassVar[bool] = True
    meaning: ClassVar[str] = "expected 1 / rank at which a user is satisfied"
    reference: ClassVar[str] = "Chapelle et al. 2009"

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
