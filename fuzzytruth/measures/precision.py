"""Counting relevant items within a cut-off: precision, recall, success and their kin."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from fuzzytruth._typing import Array
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.measures import exact
from fuzzytruth.measures.measure import Measure
from fuzzytruth.measures.registry import define
from fuzzytruth.measures.ties import chance_of_none
from fuzzytruth.truth.batch import Batch
from fuzzytruth.truth.item_probabilities import ItemProbabilities

if TYPE_CHECKING:
    from fuzzytruth.truth.unjudged import UnjudgedItems


@define("precision", "prec", "set_P", "SetP")
class P(Measure):
    """Precision: share of relevant items among the first k.

    A list shorter than k is still divided by k. Without a cut-off: among all retrieved.
    """

    rel: float = 1
    name: ClassVar[str] = "P"
    meaning: ClassVar[str] = "share of relevant items among the first k"
    reference: ClassVar[str] = "van Rijsbergen 1979"
    expects_ties: ClassVar[bool] = True

    def score(self, batch: Batch) -> Array:
        return divide(batch.hits(self.cutoff, self.rel), self.cutoff or batch.length)

    def expectation(self, probabilities: ItemProbabilities) -> Array:
        hits, _ = exact.hit_moments(probabilities, self.rel, self.k)
        return divide(hits, self.k or probabilities.length)

    def variance(self, probabilities: ItemProbabilities) -> Array:
        _, spread = exact.hit_moments(probabilities, self.rel, self.k)
        return divide(spread, np.square(self.k or probabilities.length))

    def hit_weights(self, probabilities: ItemProbabilities) -> tuple[float, Array]:
        length = np.repeat(probabilities.length, np.diff(probabilities.hits.offsets))
        return self.rel, exact.inside(probabilities, self.k) / (self.k or length)

    def exact_distribution(self, probabilities: ItemProbabilities) -> exact.Law:
        chance = exact.hit_law(probabilities, self.rel, self.k)
        return divide(np.arange(len(chance)), self.k or int(probabilities.length[0])), chance

    def bounds(self, lists: UnjudgedItems) -> tuple[Array, Array]:
        lists_k = lists.within(self.k)
        hits = lists_k.relevant(self.rel).sum(axis=-1)
        retrieved = self.k or lists.length
        return divide(hits, retrieved), divide(hits + lists_k.n_open, retrieved)


def _recall(inside: Array, elsewhere: Array) -> Array:
    return divide(inside, inside + elsewhere)


@define("recall", "set_recall", "SetR")
class R(Measure):
    """Recall: share of the relevant items that are among the first k."""

    rel: float = 1
    name: ClassVar[str] = "R"
    meaning: ClassVar[str] = "share of the relevant items found among the first k"
    reference: ClassVar[str] = "van Rijsbergen 1979"
    needs_relevant: ClassVar[bool] = True
    expects_ties: ClassVar[bool] = True

    def score(self, batch: Batch) -> Array:
        return divide(batch.hits(self.cutoff, self.rel), batch.n_relevant(self.rel))

    def expectation(self, probabilities: ItemProbabilities) -> Array:
        return exact.mean_recall(probabilities, self.rel, self.k)

    def variance(self, probabilities: ItemProbabilities) -> Array | None:
        moments = exact.pair_moments(probabilities, self.rel, self.k, _recall)
        return None if moments is None else moments[1]

    def exact_distribution(self, probabilities: ItemProbabilities) -> exact.Law:
        return exact.pair_law(probabilities, self.rel, self.k, _recall)

    def bounds(self, lists: UnjudgedItems) -> tuple[Array, Array]:
        inside = lists.within(self.k)
        hits, relevant = inside.relevant(self.rel).sum(axis=-1), lists.n_relevant(self.rel)
        most = divide(hits + inside.n_open, relevant + inside.n_open)
        return divide(hits, relevant + inside.outside), most


@define("hit_rate", "hitrate", "hit_ratio")
class Success(Measure):
    """1 if any relevant item is among the first k, else 0 (image-text retrieval's "R@K")."""

    rel: float = 1
    name: ClassVar[str] = "Success"
    meaning: ClassVar[str] = "whether any relevant item is among the first k"
    reference: ClassVar[str] = "trec_eval"
    expects_ties: ClassVar[bool] = True

    def score(self, batch: Batch) -> Array:
        if not batch.tied:
            return (batch.hits(self.cutoff, self.rel) > 0).astype(np.float64)
        return 1 - chance_of_none(batch, batch.relevant(self.rel), self.k)

    def expectation(self, probabilities: ItemProbabilities) -> Array:
        return exact.any_hit(probabilities, self.rel, self.k)

    def variance(self, probabilities: ItemProbabilities) -> Array:
        chance = exact.any_hit(probabilities, self.rel, self.k)
        out: Array = chance * (1 - chance)
        return out

    def exact_distribution(self, probabilities: ItemProbabilities) -> exact.Law:
        chance = exact.any_hit(probabilities, self.rel, self.k)[0]
        return np.array([0.0, 1.0]), np.array([1 - chance, chance])

    def bounds(self, lists: UnjudgedItems) -> tuple[Array, Array]:
        inside = lists.within(self.k)
        hits = inside.relevant(self.rel).sum(axis=-1)
        return (hits > 0) * 1.0, (hits + inside.n_open > 0) * 1.0


@define("relative_P", "set_relative_P", "SetRelP")
class RelP(Measure):
    """Precision relative to the best possible: hits in the first k over min(k, relevant items)."""

    rel: float = 1
    name: ClassVar[str] = "RelP"
    meaning: ClassVar[str] = "relevant items among the first k, as a share of the most possible"
    reference: ClassVar[str] = "trec_eval"
    needs_relevant: ClassVar[bool] = True
    expects_ties: ClassVar[bool] = True

    def score(self, batch: Batch) -> Array:
        most = np.minimum(batch.n_relevant(self.rel), self.cutoff or batch.length)
        return divide(batch.hits(self.cutoff, self.rel), most)


@define(
    "r_prec",
    "rprecision",
    "r_precision",
    suffixed={"rprec_mult": lambda text: {"mult": float(text)}},
)
class Rprec(Measure):
    """Precision at R, the number of relevant items (`mult` times R, rounded up from a tenth)."""

    rel: float = 1
    mult: float = 1.0
    name: ClassVar[str] = "Rprec"
    meaning: ClassVar[str] = "precision at rank R, the number of relevant items"
    reference: ClassVar[str] = "trec_eval"
    needs_relevant: ClassVar[bool] = True
    cutoff_use: ClassVar[str] = "none"
    expects_ties: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require_number("mult", above=0)

    def score(self, batch: Batch) -> Array:
        depth = self._depth(batch.n_relevant(self.rel))
        return divide(batch.hits(depth, self.rel), depth)

    def _depth(self, relevant: Array) -> Array:
        return np.floor(self.mult * relevant + 0.9)

    def expectation(self, probabilities: ItemProbabilities) -> Array | None:
        def share(rank: Array, relevant: Array) -> Array:
            return divide(rank <= self._depth(relevant), self._depth(relevant))

        return exact.mean_over_class_size(probabilities, self.rel, share)

    def exact_distribution(self, probabilities: ItemProbabilities) -> exact.Law | None:
        if not probabilities.countable:
            return None
        n_judged = len(probabilities.rank) + probabilities.rest.grade.shape[-1]
        depth = self._depth(np.arange(1, n_judged + 1))
        return exact.class_size_law(probabilities, self.rel, depth, np.maximum(depth, 1))


@define("judged_at")
class Judged(Measure):
    """Share of judged items among the first k (a list shorter than k is divided by k)."""

    name: ClassVar[str] = "Judged"
    meaning: ClassVar[str] = "share of judged items among the first k"
    reference: ClassVar[str] = "ir_measures"
    expects_ties: ClassVar[bool] = True

    def score(self, batch: Batch) -> Array:
        top = batch.top(self.k)
        seen = ~np.isnan(top.gain)
        count = top.per_query(seen * top.inside(self.cutoff) if top.tied else seen)
        return divide(count, self.cutoff or batch.length)
