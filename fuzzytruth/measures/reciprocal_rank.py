"""Reciprocal rank of the first relevant item."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from fuzzytruth._typing import Array
from fuzzytruth.measures import exact
from fuzzytruth.measures.measure import Measure
from fuzzytruth.measures.registry import define
from fuzzytruth.measures.ties import expected_reciprocal_rank
from fuzzytruth.truth.batch import Batch
from fuzzytruth.truth.item_probabilities import ItemProbabilities

if TYPE_CHECKING:
    from fuzzytruth.truth.unjudged import UnjudgedItems


@define("mrr", "recip_rank", "reciprocal_rank", "mean_reciprocal_rank")
class RR(Measure):
    """1 / rank of the first relevant item; 0 if there is none (among the first k)."""

    rel: float = 1
    name: ClassVar[str] = "RR"
    stops_at_cutoff: ClassVar[bool] = True
    any_layout: ClassVar[bool] = True
    meaning: ClassVar[str] = "1 / rank of the first relevant item"
    formula: ClassVar[str] = r"\max_{i \le k} \frac{r_i}{i}"
    reference: ClassVar[str] = "Voorhees 1999"
    needs_relevant: ClassVar[bool] = True
    expects_ties: ClassVar[bool] = True

    def score(self, batch: Batch) -> Array:
        top = batch.top(self.k)
        relevant = top.relevant(self.rel)
        if top.tied:
            return expected_reciprocal_rank(top, relevant, self.k)
        return top.largest(relevant / top.first)

    def moments(self, probabilities: ItemProbabilities) -> tuple[Array, Array]:
        return exact.first_hit_moments(probabilities, self.rel, self.k)

    def defined_moments(self, probabilities: ItemProbabilities) -> tuple[Array, Array]:
        return exact.first_hit_moments(probabilities, self.rel, self.k, some=True)

    def exact_distribution(self, probabilities: ItemProbabilities) -> exact.Atoms:
        first = exact.first_hit(probabilities, self.rel, self.k)
        none, _ = exact.any_hit(probabilities, self.rel, self.k)
        return np.append(1 / probabilities.rank, 0.0), np.append(first, none)

    def bounds(self, lists: UnjudgedItems) -> tuple[Array, Array]:
        inside = lists.within(self.k)
        relevant, rank = inside.relevant(self.rel), np.arange(1, inside.gain.shape[-1] + 1)
        least, most = relevant / rank, (relevant | inside.unjudged) / rank
        return least.max(axis=-1), most.max(axis=-1)
