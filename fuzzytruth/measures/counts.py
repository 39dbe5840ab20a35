"""Counts: the contingency table of a list cut at k, and numbers of items."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from fuzzytruth._typing import Array
from fuzzytruth.measures import exact
from fuzzytruth.measures.measure import Measure
from fuzzytruth.measures.registry import define
from fuzzytruth.truth.batch import Batch
from fuzzytruth.truth.item_probabilities import ItemProbabilities

if TYPE_CHECKING:
    from fuzzytruth.truth.unjudged import UnjudgedItems

_ANY_COUNT = (0.0, math.inf)


class Count(Measure):
    """Base class of the counts. A list shorter than k counts only the items that it has."""

    range = _ANY_COUNT
    reference = "SHREC 2006"
    expects_ties = True

    def require_items(self, rest: Array) -> Array:
        """Numbers of items neither relevant nor retrieved; require that none is below 0."""
        rule = "a query has more relevant and retrieved items than the collection"
        self.require(bool((rest > -0.5).all()), rule)
        return rest


@define("true_positives")
class TP(Count):
    """True positives: relevant items among the first k."""

    rel: float = 1
    meaning = "number of relevant items among the first k"
    formula = r"h_k"
    linear = True

    def score(self, batch: Batch) -> Array:
        return _true_positives(batch, self.rel, self.cutoff)

    def moments(self, probabilities: ItemProbabilities) -> tuple[Array, Array]:
        return exact.hit_moments(probabilities, self.rel, self.k)

    def hit_weights(self, probabilities: ItemProbabilities) -> tuple[float, Array]:
        return self.rel, exact.inside(probabilities, self.k).astype(np.float64)

    def exact_distribution(self, probabilities: ItemProbabilities) -> exact.Atoms:
        pmf = exact.hit_pmf(probabilities, self.rel, self.k)
        return np.arange(len(pmf)).astype(np.float64), pmf

    def bounds(self, lists: UnjudgedItems) -> tuple[Array, Array]:
        inside = lists.within(self.k)
        hits = inside.relevant(self.rel).sum(axis=-1) * 1.0
        return hits, hits + inside.n_open


@define("false_positives")
class FP(Count):
    """False positives: items among the first k that are not relevant (unjudged ones included)."""

    rel: float = 1
    linear = True
    meaning = "number of items among the first k that are not relevant"
    formula = r"\min(k, n) - h_k"
    higher_is_better = False

    def score(self, batch: Batch) -> Array:
        return batch.listed(self.k) - _true_positives(batch, self.rel, self.cutoff)

    def moments(self, probabilities: ItemProbabilities) -> tuple[Array, Array]:
        mean, variance = exact.hit_moments(probabilities, self.rel, self.k)
        return _listed(probabilities, self.k) - mean, variance

    def bounds(self, lists: UnjudgedItems) -> tuple[Array, Array]:
        inside = lists.within(self.k)
        most = inside.length - inside.relevant(self.rel).sum(axis=-1) * 1.0
        return most - inside.n_open, most


@define("false_negatives")
class FN(Count):
    """False negatives: relevant items that are not among the first k."""

    rel: float = 1
    linear = True
    meaning = "number of relevant items that are not among the first k"
    formula = r"R - h_k"
    higher_is_better = False

    def score(self, batch: Batch) -> Array:
        return batch.n_relevant(self.rel) - _true_positives(batch, self.rel, self.cutoff)

    def moments(self, probabilities: ItemProbabilities) -> tuple[Array, Array]:
        return exact.missed_moments(probabilities, self.rel, self.k)

    def bounds(self, lists: UnjudgedItems) -> tuple[Array, Array]:
        inside = lists.within(self.k)
        hits = inside.relevant(self.rel).sum(axis=-1)
        missed = lists.n_relevant(self.rel) - hits * 1.0
        return missed, missed + inside.outside


@define("true_negatives")
class TN(Count):
    """True negatives: the items of the collection that are neither relevant nor in the first k.

    `collection` is the number of items that could have been retrieved.
    """

    rel: float = 1
    collection: float | None = None
    linear = True
    meaning = "number of items neither relevant nor among the first k"
    formula = r"N - \min(k, n) - R + h_k"
    example = "TN(collection=1814)"

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require(
            isinstance(self.collection, int)
            and not isinstance(self.collection, bool)
            and self.collection > 0,
            f"needs the number of items in the collection, such as {self.example}",
        )

    def score(self, batch: Batch) -> Array:
        hits = _true_positives(batch, self.rel, self.cutoff)
        rest = (self.collection or 0) + hits - batch.listed(self.k) - batch.n_relevant(self.rel)
        return self.require_items(np.asarray(rest))

    def moments(self, probabilities: ItemProbabilities) -> tuple[Array, Array]:
        mean, variance = exact.missed_moments(probabilities, self.rel, self.k)
        rest = (self.collection or 0) - _listed(probabilities, self.k) - mean
        return self.require_items(rest), variance

    def bounds(self, lists: UnjudgedItems) -> tuple[Array, Array]:
        missed = FN(rel=self.rel, cutoff=self.cutoff).bounds(lists)
        rest = (self.collection or 0) - lists.within(self.k).length
        return self.require_items(rest - missed[1]), rest - missed[0]


@define("num_ret")
class NumRet(Count):
    """Number of retrieved items, judged or not."""

    meaning = "number of retrieved items"
    formula = r"\min(k, n)"
    reference = "trec_eval"

    def score(self, batch: Batch) -> Array:
        return np.tile(batch.listed(self.k).astype(np.float64), (batch.n_worlds, 1))

    def bounds(self, lists: UnjudgedItems) -> tuple[Array, Array]:
        number = lists.within(self.k).length[None] * 1.0
        return number, number


@define("num_rel")
class NumRel(Count):
    """Number of relevant items, retrieved or not."""

    rel: float = 1
    linear = True
    meaning = "number of relevant items, retrieved or not"
    formula = r"R"
    reference = "trec_eval"
    cutoff_use = "none"

    def score(self, batch: Batch) -> Array:
        return batch.n_relevant(self.rel).astype(np.float64)

    def moments(self, probabilities: ItemProbabilities) -> tuple[Array, Array]:
        return exact.missed_moments(probabilities, self.rel, 0)

    def bounds(self, lists: UnjudgedItems) -> tuple[Array, Array]:
        relevant = lists.n_relevant(self.rel) * 1.0
        return relevant, relevant + lists.n_open + lists.outside


@define("num_nonrel_judged_ret")
class NumNonRelJudgedRet(Count):
    """Number of retrieved items that were judged, and are not relevant."""

    rel: float = 1
    linear = True
    meaning = "number of retrieved items that are judged and not relevant"
    formula = r"\left| \{ i \le k : r_i = 0, \; \text{item } i \text{ is judged} \} \right|"
    reference = "trec_eval"
    higher_is_better = False

    def score(self, batch: Batch) -> Array:
        return _true_positives(batch, 0, self.cutoff) - _true_positives(
            batch, self.rel, self.cutoff
        )

    def moments(self, probabilities: ItemProbabilities) -> tuple[Array, Array]:
        weight = exact.inside(probabilities, self.k).astype(np.float64)
        return exact.linear_moments(probabilities, self._is_counted, weight)

    def _is_counted(self, grade: Array) -> Array:
        return np.asarray((grade >= 0) & (grade < self.rel), dtype=np.float64)

    def bounds(self, lists: UnjudgedItems) -> tuple[Array, Array]:
        inside = lists.within(self.k)
        number = self._is_counted(inside.gain).sum(axis=-1)
        return number, number + inside.n_open


def _utilities(text: str) -> dict[str, float]:
    """Suffix of `utility`: trec_eval's four coefficients, separated by commas."""
    names = ("hit", "other", "missed", "rejected")
    return dict(zip(names, map(float, text.split(",")), strict=True))


@define(suffixed={"utility": _utilities})
class Utility(Count):
    """Sum of the worth of relevant and other items, retrieved or not.

    `hit` is the worth of a retrieved relevant item, `other` that of any other retrieved item,
    `missed` of a relevant item that is not retrieved, and `rejected` of all others in the
    `collection`, a number of items.
    """

    rel: float = 1
    hit: float = 1.0
    other: float = -1.0
    missed: float = 0.0
    rejected: float = 0.0
    collection: float | None = None
    linear = True
    meaning = "worth of the list as a set: relevant minus other retrieved items"
    formula = (
        r"\text{hit} \cdot h_k + \text{other} \cdot (\min(k, n) - h_k) "
        r"+ \text{missed} \cdot (R - h_k) + \text{rejected} \cdot (N - \min(k, n) - R + h_k)"
    )
    reference = "trec_eval"
    range = (-math.inf, math.inf)

    def __post_init__(self) -> None:
        super().__post_init__()
        for worth in ("hit", "other", "missed", "rejected"):
            self.require_number(worth)
        if self.collection is not None:
            self.require_number("collection", above=0)
        rule = "rejected needs the number of items, such as collection=1814"
        self.require(self.rejected == 0 or self.collection is not None, rule)

    def _value(self, hits: Array, missed: Array, listed: Array) -> Array:
        worth = self.hit * hits + self.other * (listed - hits) + self.missed * missed
        if self.collection is not None:
            worth = worth + self.rejected * self.require_items(self.collection - listed - missed)
        return np.asarray(worth)

    def score(self, batch: Batch) -> Array:
        hits = _true_positives(batch, self.rel, self.cutoff)
        return self._value(hits, batch.n_relevant(self.rel) - hits, batch.listed(self.k))

    def moments(self, probabilities: ItemProbabilities) -> tuple[Array, Array]:
        hits = exact.hit_moments(probabilities, self.rel, self.k)
        missed = exact.missed_moments(probabilities, self.rel, self.k)
        mean = self._value(hits[0], missed[0], _listed(probabilities, self.k))
        weight = np.square((self.hit - self.other, self.missed - self.rejected))
        return mean, weight[0] * hits[1] + weight[1] * missed[1]

    def bounds(self, lists: UnjudgedItems) -> tuple[Array, Array]:
        inside = lists.within(self.k)
        hits = inside.relevant(self.rel).sum(axis=-1)
        missed = lists.n_relevant(self.rel) - hits

        def value(listed: bool, others: bool) -> Array:
            """If the unjudged items in the list, or the others, are relevant."""
            more = hits + listed * inside.n_open
            return self._value(more, missed + others * inside.outside, inside.length)

        raises = self.hit > self.other, self.missed > self.rejected
        return value(not raises[0], not raises[1]), value(*raises)


@define("num_rel_ret", "hits")
class NumRelRet(TP):
    """Number of relevant items that are retrieved (ranx's `hits`), the true positives."""

    meaning = "number of retrieved relevant items"
    formula = r"h_k"
    reference = "trec_eval"


def _listed(probabilities: ItemProbabilities, cutoff: int | None) -> Array:
    """Number of items among the first `cutoff`: (queries,)."""
    length = probabilities.length
    return length if cutoff is None else np.minimum(length, cutoff)


def _true_positives(batch: Batch, rel: float, cutoff: float | None) -> Array:
    return batch.hits(cutoff, rel).astype(np.float64)
