"""Counts: the contingency table of a list cut at k, and numbers of items."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from fuzzytruth._typing import Array
from fuzzytruth.measures import exact
from fuzzytruth.measures.families import OfCounts, OfRelevant
from fuzzytruth.measures.measure import Measure, real
from fuzzytruth.measures.registry import define
from fuzzytruth.truth.batch import Batch
from fuzzytruth.truth.item_probabilities import ItemProbabilities
from fuzzytruth.truth.unjudged import UnjudgedItems

_ANY_COUNT = (0.0, math.inf)


class Count(OfCounts, OfRelevant):
    """Base class of the counts. A list shorter than k counts only the items that it has.

    Of all but the hits, distributions are simulated.
    """

    range = _ANY_COUNT
    reference = "SHREC 2006"
    linear = True
    needs_relevant = False
    collection: float | None = None
    exact_distribution = Measure.exact_distribution

    def value(self, h: Any, m: Any, n: Any) -> Array:
        if self.collection is not None:
            rule = "a query has more relevant and retrieved items than the collection"
            self.require(bool((self.collection - n - m > -0.5).all()), rule)
        return super().value(h, m, n)


@define("true_positives")
class TP(Count):
    """True positives: relevant items among the first k."""

    meaning = "number of relevant items among the first k"
    formula = r"h_k"
    counts_missed = False
    exact_distribution = OfCounts.exact_distribution

    def of(self, h: Any, m: Any, n: Any) -> Any:
        return h

    def hit_weights(self, probabilities: ItemProbabilities) -> tuple[float, Array]:
        return self.rel, exact.inside(probabilities, self.k).astype(np.float64)


@define("false_positives")
class FP(Count):
    """False positives: items among the first k that are not relevant (unjudged ones included)."""

    meaning = "number of items among the first k that are not relevant"
    formula = r"\min(k, n) - h_k"
    higher_is_better = False
    counts_missed = False

    def of(self, h: Any, m: Any, n: Any) -> Any:
        return n - h


@define("false_negatives")
class FN(Count):
    """False negatives: relevant items that are not among the first k."""

    meaning = "number of relevant items that are not among the first k"
    formula = r"R - h_k"
    higher_is_better = False

    def of(self, h: Any, m: Any, n: Any) -> Any:
        return m


@define("true_negatives")
class TN(Count):
    """True negatives: the items of the collection that are neither relevant nor in the first k.

    `collection` is the number of items that could have been retrieved.
    """

    collection: float | None = None
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

    def of(self, h: Any, m: Any, n: Any) -> Any:
        return (self.collection or 0) - n - m


@define("num_ret")
class NumRet(Measure):
    """Number of retrieved items, judged or not."""

    meaning = "number of retrieved items"
    formula = r"\min(k, n)"
    reference = "trec_eval"
    range = _ANY_COUNT
    expects_ties = True
    linear = True

    def score(self, batch: Batch) -> Array:
        return np.tile(batch.listed(self.k).astype(np.float64), (batch.n_worlds, 1))

    def moments(self, probabilities: ItemProbabilities) -> tuple[Array, Array]:
        shape = *probabilities.hits.probability.shape[:-2], probabilities.n_queries
        return exact.listed(probabilities, self.k) + np.zeros(shape), np.zeros(shape)

    def exact_distribution(self, probabilities: ItemProbabilities) -> exact.Atoms:
        return exact.listed(probabilities, self.k) * 1.0, np.ones(1)

    def bounds(self, lists: UnjudgedItems) -> tuple[Array, Array]:
        number = lists.within(self.k).length[None] * 1.0
        return number, number


@define("num_rel")
class NumRel(Count):
    """Number of relevant items, retrieved or not."""

    meaning = "number of relevant items, retrieved or not"
    formula = r"R"
    reference = "trec_eval"
    cutoff_use = "none"

    def of(self, h: Any, m: Any, n: Any) -> Any:
        return h + m


@define("num_nonrel_judged_ret")
class NumNonRelJudgedRet(OfRelevant):
    """Number of retrieved items that were judged, and are not relevant."""

    meaning = "number of retrieved items that are judged and not relevant"
    formula = r"\left| \{ i \le k : r_i = 0, \; \text{item } i \text{ is judged} \} \right|"
    reference = "trec_eval"
    higher_is_better = False
    range = _ANY_COUNT
    linear = True
    needs_relevant = False

    def score(self, batch: Batch) -> Array:
        judged, relevant = (batch.hits(self.cutoff, rel) for rel in (0, self.rel))
        return np.asarray(judged - relevant, dtype=np.float64)

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

    hit: float = real(1.0)
    other: float = real(-1.0)
    missed: float = real(0.0)
    rejected: float = real(0.0)
    collection: float | None = real(None, above=0)
    meaning = "worth of the list as a set: relevant minus other retrieved items"
    formula = (
        r"\text{hit} \cdot h_k + \text{other} \cdot (\min(k, n) - h_k) "
        r"+ \text{missed} \cdot (R - h_k) + \text{rejected} \cdot (N - \min(k, n) - R + h_k)"
    )
    reference = "trec_eval"
    range = (-math.inf, math.inf)

    def __post_init__(self) -> None:
        super().__post_init__()
        rule = "rejected needs the number of items, such as collection=1814"
        self.require(self.rejected == 0 or self.collection is not None, rule)

    def of(self, h: Any, m: Any, n: Any) -> Any:
        worth = self.hit * h + self.other * (n - h) + self.missed * m
        if self.collection is not None:
            worth = worth + self.rejected * (self.collection - n - m)
        return worth


@define("num_rel_ret", "hits")
class NumRelRet(TP):
    """Number of relevant items that are retrieved (ranx's `hits`), the true positives."""

    meaning = "number of retrieved relevant items"
    formula = r"h_k"
    reference = "trec_eval"
