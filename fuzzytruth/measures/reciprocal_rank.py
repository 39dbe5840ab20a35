"""Reciprocal rank of the first relevant item."""

from __future__ import annotations

from typing import ClassVar

from fuzzytruth.batch import Array, Batch
from fuzzytruth.core.segments import segment_max
from fuzzytruth.measures.measure import Measure
from fuzzytruth.measures.registry import define
from fuzzytruth.measures.ties import expected_reciprocal_rank


@define("mrr", "recip_rank", "reciprocal_rank", "mean_reciprocal_rank")
class RR(Measure):
    """1 / rank of the first relevant item; 0 if there is none (among the first k)."""

    rel: float = 1
    name: ClassVar[str] = "RR"
    meaning: ClassVar[str] = "1 / rank of the first relevant item"
    reference: ClassVar[str] = "Voorhees 1999"
    needs_relevant: ClassVar[bool] = True
    expects_ties: ClassVar[bool] = True

    def score(self, batch: Batch) -> Array:
        top = batch.top(self.k)
        relevant = top.relevant(self.rel)
        if top.tied:
            return expected_reciprocal_rank(top, relevant, self.k)
        return segment_max(relevant / top.first, top.offsets)
