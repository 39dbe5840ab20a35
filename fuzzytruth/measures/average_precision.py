"""Average precision and its variants."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from fuzzytruth._typing import Array
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.core.lists.measure_bounds import average_precision_bounds, preference_bounds
from fuzzytruth.measures import exact
from fuzzytruth.measures.families import OfRelevant
from fuzzytruth.measures.measure import one_of
from fuzzytruth.measures.registry import define
from fuzzytruth.measures.ties import expected_precision_sum, tied_groups
from fuzzytruth.truth.batch import Batch
from fuzzytruth.truth.inputs import ItemProbabilities, UnjudgedItems

_ROUNDING = 1e-14  # a perfect list has 1, which only rounding keeps it from


@define("map", "average_precision", "mean_average_precision")
class AP(OfRelevant):
    """Average precision: mean of the precision at the ranks of the relevant items.

    The mean is over all relevant items; one that is not retrieved (within k) adds 0.
    ``norm="retrieved"`` divides by the relevant items that are retrieved instead of by all of them,
    as SHREC 2006 does.
    """

    norm: str = one_of("relevant", "retrieved")
    formula = r"\frac{1}{R} \sum_{i=1}^{k} r_i \frac{h_i}{i}"
    reference = "Harman 1992; trec_eval"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.norm == "retrieved":
            # The number of relevant items within a cut-off depends on how ties fall.
            object.__setattr__(self, "expects_ties", self.cutoff is None)

    def score(self, batch: Batch) -> Array:
        top = batch.top(self.k).able(self.rel)
        relevant = top.relevant(self.rel)
        if top.tied:
            total = expected_precision_sum(top, relevant, self.k)
        else:
            total = top.sum_of_precisions(relevant)
        every = self.norm == "relevant"
        value = divide(total, batch.n_relevant(self.rel) if every else top.per_query(relevant))
        return np.where(value > 1 - _ROUNDING, 1.0, value)

    def moments(self, probabilities: ItemProbabilities) -> tuple[Array, None] | None:
        if self.norm == "retrieved":
            return None
        return exact.mean_average_precision(probabilities, self.rel, self.k), None

    def bounds(self, lists: UnjudgedItems) -> tuple[Array, Array]:
        given = lists.binary(self.rel, self.k)
        if self.norm == "retrieved":  # as if there were no other items
            given = replace(given, n_relevant=given.n_hits, outside=np.zeros_like(given.outside))
        return average_precision_bounds(given)


@define("set_map")
class SetAP(OfRelevant):
    """Average precision of a set: precision times recall of the whole list, as a set."""

    formula = r"\frac{h_n}{n} \cdot \frac{h_n}{R}"
    reference = "trec_eval"
    cutoff_use = "none"

    def score(self, batch: Batch) -> Array:
        hits = batch.hits(None, self.rel)
        return divide(hits * hits, batch.length * batch.n_relevant(self.rel))

    def bounds(self, lists: UnjudgedItems) -> tuple[Array, Array]:
        # Grows with hits that are relevant items too, and falls with other relevant items.
        hits, relevant = lists.relevant(self.rel).sum(axis=-1), lists.n_relevant(self.rel)
        most = hits + lists.n_open
        return (
            divide(hits * hits, lists.length * (relevant + lists.outside)),
            divide(most * most, lists.length * (relevant + lists.n_open)),
        )


@define()
class yaap(OfRelevant):
    """Average precision as log-odds, smoothed.

    The value is log((1 + S) / (1 + R - S)), where S is the sum of the precision at the ranks of the
    relevant items, and R their number; 0 without any.
    """

    formula = r"\ln \frac{1 + S}{1 + R - S}, \quad S = \sum_{i=1}^{n} r_i \frac{h_i}{i}"
    reference = "Robertson 2012; trec_eval"
    range = (-math.inf, math.inf)
    cutoff_use = "none"
    expects_ties = False

    def score(self, batch: Batch) -> Array:
        total = batch.sum_of_precisions(batch.relevant(self.rel))
        return _log_odds(total, batch.n_relevant(self.rel))

    def bounds(self, lists: UnjudgedItems) -> tuple[Array, Array]:
        return average_precision_bounds(lists.binary(self.rel), value=_log_odds)


def _log_odds(total: Array, n_relevant: Array) -> Array:
    """Average precision as smoothed log-odds, from the sum of precisions."""
    # The sum may exceed the number by a rounding error.
    return np.asarray(np.log1p(total) - np.log1p(np.maximum(n_relevant - total, 0.0)))


_EPSILON = 1e-5  # trec_eval's smoothing of the share of relevant among judged items


@define("inferred_ap")
class infAP(OfRelevant):
    """Inferred AP: average precision estimated from a judged sample of the pool.

    A negative grade marks an item that is in the pool but was not judged.
    """

    formula = (
        r"\frac{1}{R} \sum_{i=1}^{n} \frac{r_i}{i} \left( 1 + d_{i-1} "
        r"\frac{h_{i-1} + \epsilon}{j_{i-1} + 2 \epsilon} \right)"
    )
    reference = "Yilmaz & Aslam 2006"
    cutoff_use = "none"
    expects_ties = False

    def score(self, batch: Batch) -> Array:
        relevant = batch.relevant(self.rel)
        is_judged = batch.gain >= 0
        # Items above each relevant hit: relevant, judged, and in the pool.
        above = batch.running(relevant) - 1
        judged = batch.running(is_judged) - 1
        pooled = batch.running(np.ones(len(batch.first), dtype=bool)) - 1
        share = (above + _EPSILON) / (judged + 2 * _EPSILON)
        precision = (1 + pooled * share) / batch.first
        return divide(batch.per_query(precision * relevant), batch.n_relevant(self.rel))

    def bounds(self, lists: UnjudgedItems) -> tuple[Array, Array]:
        # All items above a hit are judged: it adds `first` and `each` for each relevant one above.
        rank = np.arange(1.0, lists.gain.shape[-1] + 1)
        each = divide(rank - 1, rank * (rank - 1 + 2 * _EPSILON), fill=1.0)
        first = 1 / rank + _EPSILON * each
        each[0] = 1.0  # nothing is above the first rank, so that this does not count
        return average_precision_bounds(lists.binary(self.rel), first, each)


# Measures of pairwise preference.


@define("binary_preference")
class bpref(OfRelevant):
    """Binary preference: share of relevant over non-relevant judged pairs in the right order.

    Unjudged items do not count, nor do those of negative grade (in the pool, but not judged).
    """

    formula = r"\frac{1}{R} \sum_{i=1}^{n} r_i \left( 1 - \frac{\min(o_i, R)}{\min(O, R)} \right)"
    reference = "Buckley & Voorhees 2004; trec_eval"
    cutoff_use = "none"

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
        return preference_bounds(lists.binary(self.rel))


def _mean_capped(above: Array, beside: Array, cap: Array) -> Array:
    """Mean of min(above + u, cap) over u = 0..beside.

    A relevant item comes after u of the non-relevant items tied with it, all u being equally
    likely.
    """
    free = np.clip(cap - above, 0, beside + 1)  # values of u below the cap
    total = free * above + free * (free - 1) / 2 + (beside + 1 - free) * cap
    return np.asarray(total / (beside + 1))
