"""Experimental measures of trec_eval: gains against the ideal list, at several ranks or all."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from fuzzytruth._typing import Array
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.measures.gain import GainMeasure, counts_by_gain, cumulative_discount, discounts
from fuzzytruth.measures.measure import Measure
from fuzzytruth.measures.registry import define
from fuzzytruth.measures.ties import tied_groups
from fuzzytruth.truth.batch import Batch


def _discounts_within(batch: Batch, depth: Array, cumulative: Array) -> Array:
    """(Mean) discount of each hit's ranks, 0 beyond a depth (worlds, queries): (worlds, hits)."""
    limit = batch.per_hit(depth)
    if not batch.tied:
        weight = np.diff(cumulative)[batch.first - 1]
        return np.asarray(weight * (batch.first <= limit))
    ends = cumulative[np.minimum(batch.last, limit)]
    sums = ends - cumulative[np.minimum(batch.first - 1, limit)]
    return np.asarray(sums / (batch.last - batch.first + 1))


@define()
class Rndcg(GainMeasure):
    """Mean of nDCG at the ranks where the gain of the ideal list falls, and at the list's end.

    The end counts where the list is longer than the number of items with a gain by 2 or more.
    `gains` are those of `nDCG`.
    """

    name: ClassVar[str] = "Rndcg"
    any_layout: ClassVar[bool] = True
    meaning: ClassVar[str] = "mean nDCG at the numbers of items that have each gain or more"
    formula: ClassVar[str] = r"\frac{1}{|D|} \sum_{d \in D} \mathrm{nDCG@} d"
    reference: ClassVar[str] = "trec_eval"
    needs_relevant: ClassVar[bool] = True
    cutoff_use: ClassVar[str] = "none"
    expects_ties: ClassVar[bool] = True

    def score(self, batch: Batch) -> Array:
        value = self.gain_of_grades("log2")
        gain, every = batch.values_of(value), batch.depth(None)
        cumulative = cumulative_discount("log2", every)
        total = np.zeros((batch.n_worlds, batch.n_queries))
        points, ideal = np.zeros_like(total), np.zeros_like(total)
        number: Array = np.zeros(total.shape, dtype=np.int64)
        for some_gain, above, number in counts_by_gain(batch.judged, value):
            weight = _discounts_within(batch, number, cumulative)
            ideal += some_gain * (cumulative[number] - cumulative[above])
            changes = number > above
            total += changes * divide(batch.per_query(gain * weight), ideal)
            points += changes
        longer = (batch.length > number + 1) & (ideal > 0)
        whole = _discounts_within(batch, np.full(total.shape, every), cumulative)
        total += longer * divide(batch.per_query(gain * whole), ideal)
        return divide(total, points + longer)


@define()
class ndcg_rel(GainMeasure):
    """Mean, over the items with a gain, of nDCG at their ranks.

    For an item that is not retrieved it is that of the whole list. `gains` are those of `nDCG`.
    """

    name: ClassVar[str] = "ndcg_rel"
    any_layout: ClassVar[bool] = True
    meaning: ClassVar[str] = "mean nDCG at the ranks of the relevant items"
    formula: ClassVar[str] = (
        r"\frac{1}{M} \left( \sum_{i \le n, \; g_i > 0} \mathrm{nDCG@} i "
        r"+ m \cdot \mathrm{nDCG} \right)"
    )
    reference: ClassVar[str] = "trec_eval"
    needs_relevant: ClassVar[bool] = True
    cutoff_use: ClassVar[str] = "none"

    def score(self, batch: Batch) -> Array:
        value = self.gain_of_grades("log2")
        gain = batch.values_of(value)
        gained = gain * discounts("log2", batch.first)
        cumulative = cumulative_discount("log2", batch.depth(None))
        best = np.zeros((batch.n_worlds, batch.n_queries))
        best_so_far = np.zeros(gain.shape)
        most = np.zeros_like(best)
        for some_gain, above, number in counts_by_gain(batch.judged, value):
            most = np.maximum(most, number)
            best += some_gain * (cumulative[number] - cumulative[above])
            before, up_to = (np.minimum(batch.per_hit(n), batch.first) for n in (above, number))
            best_so_far += some_gain * (cumulative[up_to] - cumulative[before])
        at_items = batch.per_query((gain > 0) * divide(batch.accumulated(gained), best_so_far))
        missed = most - batch.per_query(gain > 0)
        return divide(at_items + missed * divide(batch.per_query(gained), best), most)


@define()
class G(GainMeasure):
    """Normalised gain: gains, discounted by how far the list so far falls behind the ideal one.

    An item of gain g at rank i adds g / log2(2 + C(i) - G(i)), where G(i) is the gain of the first
    i items, and C(i) that of the ideal list, a gain below 1 counting as 1. The sum is divided by
    all gains. `gains` are those of `nDCG`.
    """

    name: ClassVar[str] = "G"
    any_layout: ClassVar[bool] = True
    meaning: ClassVar[str] = "gains, discounted by the gain that the list has missed so far"
    formula: ClassVar[str] = (
        r"\frac{1}{\sum_i g^*_i} \sum_{i=1}^{n} "
        r"\frac{g_i}{\log_2 \left( 2 + \sum_{j \le i} (\max(g^*_j, 1) - g_j) \right)}"
    )
    reference: ClassVar[str] = "trec_eval"
    needs_relevant: ClassVar[bool] = True
    cutoff_use: ClassVar[str] = "none"

    def score(self, batch: Batch) -> Array:
        value = self.gain_of_grades("none")

        def beyond_1(grade: Array) -> Array:
            return np.asarray(np.maximum(value(grade), 1.0) - 1.0)

        gain = batch.values_of(value)
        cost = np.zeros(gain.shape) + batch.first
        for some_gain, above, number in counts_by_gain(batch.judged, beyond_1):
            before, up_to = (np.minimum(batch.per_hit(n), batch.first) for n in (above, number))
            cost += some_gain * (up_to - before)
        lag = cost - batch.accumulated(gain)
        every = np.zeros((batch.n_worlds, batch.n_queries))
        for some_gain, above, number in counts_by_gain(batch.judged, value):
            every += some_gain * (number - above)
        return divide(batch.per_query(gain / np.log2(2 + lag)), every)


@define()
class binG(Measure):
    """Mean, over the relevant items, of 1 / log2(2 + the number of other items before each)."""

    rel: float = 1
    name: ClassVar[str] = "binG"
    any_layout: ClassVar[bool] = True
    meaning: ClassVar[str] = "relevant items, discounted by the number of other items before them"
    formula: ClassVar[str] = r"\frac{1}{R} \sum_{i=1}^{n} \frac{r_i}{\log_2(2 + i - h_i)}"
    reference: ClassVar[str] = "trec_eval"
    needs_relevant: ClassVar[bool] = True
    cutoff_use: ClassVar[str] = "none"
    expects_ties: ClassVar[bool] = True

    def score(self, batch: Batch) -> Array:
        relevant, every = batch.relevant(self.rel), batch.n_relevant(self.rel)
        deepest = int(batch.last.max(initial=0))
        value = 1 / np.log2(2 + np.arange(deepest + 1))  # by the number of other items before
        if not batch.tied:
            before = np.maximum(batch.first - batch.running(relevant), 0)
            return divide(batch.per_query(relevant * value[before]), every)
        groups = tied_groups(batch)
        count = groups.count(relevant)  # (worlds, groups)
        before = groups.first - 1 - groups.before(count)
        beside = groups.size - count
        # A relevant item comes after 0..beside of the others tied with it, all equally likely.
        sums = np.append(0.0, np.cumsum(value))
        end = np.minimum(before + beside + 1, deepest + 1)
        mean = divide(sums[end] - sums[before], beside + 1)
        return divide(groups.per_query(count * mean), every)
