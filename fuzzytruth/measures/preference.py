"""Measures of pairwise preference."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from fuzzytruth._typing import Array
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.core.preference_bounds import preference_bounds
from fuzzytruth.measures.measure import Measure
from fuzzytruth.measures.registry import define
from fuzzytruth.measures.ties import tied_groups
from fuzzytruth.truth.batch import Batch

if TYPE_CHECKING:
    from fuzzytruth.truth.unjudged import UnjudgedItems


@define("binary_preference")
class bpref(Measure):
    """Binary preference: how few judged non-relevant items are ranked above relevant ones.

    Unjudged items do not count, nor do those of negative grade (in the pool, but not judged).
    """

    rel: float = 1
    name: ClassVar[str] = "bpref"
    any_layout: ClassVar[bool] = True
    meaning: ClassVar[str] = "share of relevant over non-relevant judged pairs in the right order"
    formula: ClassVar[str] = (
        r"\frac{1}{R} \sum_{i=1}^{n} r_i \left( 1 - "
        r"\frac{\min(o_i, R)}{\min(O, R)} \right)"
    )
    reference: ClassVar[str] = "Buckley & Voorhees 2004; trec_eval"
    needs_relevant: ClassVar[bool] = True
    cutoff_use: ClassVar[str] = "none"
    expects_ties: ClassVar[bool] = True

    def score(self, batch: Batch) -> Array:
        relevant = batch.relevant(self.rel)
        nonrelevant = (batch.gain >= 0) & ~relevant
        most = batch.n_relevant(self.rel)  # R: at most R non-relevant items count
        pairs = np.minimum(batch.judged.n_where(lambda g: (g >= 0) & (g < self.rel)), most)
        if batch.tied:
            groups = tied_groups(batch)
            count, beside = groups.count(relevant), groups.count(nonrelevant)
            above = _mean_capped(groups.before(beside), beside, groups.per_group(most))
            hits = groups.per_query(count)
            wrong = groups.per_query(count * above)
        else:
            hits = batch.per_query(relevant)
            above = np.minimum(batch.running(nonrelevant), batch.per_hit(most))
            wrong = batch.per_query(above * relevant)
        return divide(hits - divide(wrong, pairs), most)

    def bounds(self, lists: UnjudgedItems) -> tuple[Array, Array]:
        low, high = preference_bounds(lists.binary(self.rel))
        return low[None], high[None]


def _mean_capped(above: Array, beside: Array, cap: Array) -> Array:
    """Mean of min(above + u, cap) over u = 0..beside.

    A relevant item comes after u of the non-relevant items tied with it, all u being equally
    likely.
    """
    free = np.clip(cap - above, 0, beside + 1)  # values of u below the cap
    total = free * above + free * (free - 1) / 2 + (beside + 1 - free) * cap
    mean: Array = total / (beside + 1)
    return mean
