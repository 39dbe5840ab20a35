"""Precision, recall, success and other counts of relevant items within a cut-off."""

from __future__ import annotations

from typing import Any

import numpy as np

from fuzzytruth._typing import Array
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.measures import exact
from fuzzytruth.measures.families import AtClassSize, OfCounts, OfRelevant
from fuzzytruth.measures.measure import Measure, one_of, real
from fuzzytruth.measures.registry import define
from fuzzytruth.measures.ties import chance_of_none, expected_reciprocal_rank
from fuzzytruth.truth.batch import Batch
from fuzzytruth.truth.item_probabilities import ItemProbabilities
from fuzzytruth.truth.unjudged import UnjudgedItems


@define("precision", "prec", "set_P", "SetP")
class P(OfCounts, OfRelevant):
    """Precision: share of relevant items among the first k.

    A list shorter than k is still divided by k. Without a cut-off: among all retrieved.
    """

    meaning = "share of relevant items among the first k"
    formula = r"\frac{h_k}{k}"
    reference = "van Rijsbergen 1979"
    linear = True
    needs_relevant = False
    counts_missed = False

    def of(self, h: Any, m: Any, n: Any) -> Any:
        return divide(h, self.k or n)

    def hit_weights(self, probabilities: ItemProbabilities) -> tuple[float, Array]:
        length = np.repeat(probabilities.length, np.diff(probabilities.hits.offsets))
        return self.rel, exact.inside(probabilities, self.k) / (self.k or length)


@define("recall", "set_recall", "SetR")
class R(OfCounts, OfRelevant):
    """Recall: share of the relevant items that are among the first k."""

    meaning = "share of the relevant items that are among the first k"
    formula = r"\frac{h_k}{R}"
    reference = "van Rijsbergen 1979"

    def of(self, h: Any, m: Any, n: Any) -> Any:
        return divide(h, h + m)

    def moments(self, probabilities: ItemProbabilities) -> tuple[Array, Array | None]:
        return exact.recall_moments(probabilities, self.rel, self.k, self.of)

    defined_moments = OfCounts.defined_moments


@define("hit_rate", "hitrate", "hit_ratio", "hit", "HR")
class Success(OfRelevant):
    """1 if any relevant item is among the first k, else 0 (image-text retrieval's "R@K")."""

    meaning = "whether any relevant item is among the first k"
    formula = r"\max_{i \le k} r_i"
    reference = "trec_eval"
    needs_relevant = False

    def score(self, batch: Batch) -> Array:
        if not batch.tied:
            return (batch.hits(self.cutoff, self.rel) > 0).astype(np.float64)
        return 1 - chance_of_none(batch, batch.relevant(self.rel), self.k)

    def moments(self, probabilities: ItemProbabilities) -> tuple[Array, Array]:
        none, some = exact.any_hit(probabilities, self.rel, self.k)
        return some, some * none

    def exact_distribution(self, probabilities: ItemProbabilities) -> exact.Atoms:
        none, some = exact.any_hit(probabilities, self.rel, self.k)
        return np.array([0.0, 1.0]), np.concatenate((none, some))

    def bounds(self, lists: UnjudgedItems) -> tuple[Array, Array]:
        inside = lists.within(self.k)
        hits = inside.relevant(self.rel).sum(axis=-1)
        return (hits > 0) * 1.0, (hits + inside.n_open > 0) * 1.0


@define("relative_P", "set_relative_P", "SetRelP")
class RelP(OfCounts, OfRelevant):
    """Precision relative to the best possible: hits in the first k over min(k, relevant items)."""

    meaning = "relevant items among the first k, as a share of the most possible"
    formula = r"\frac{h_k}{\min(k, R)}"
    reference = "trec_eval"

    def of(self, h: Any, m: Any, n: Any) -> Any:
        return divide(h, np.minimum(h + m, self.k or n))


@define(
    "r_prec",
    "rprecision",
    "r_precision",
    suffixed={"rprec_mult": lambda text: {"mult": float(text)}},
)
class Rprec(AtClassSize):
    """Precision at R, the number of relevant items, or at ⌊mult·R + 0.9⌋."""

    mult: float = real(1.0, above=0)
    meaning = "precision at rank R, the number of relevant items"
    formula = r"\frac{h_m}{m}, \quad m = \lfloor \text{mult} \cdot R + 0.9 \rfloor"
    reference = "trec_eval"

    @property
    def per_item(self) -> float:
        return self.mult

    def depth_of(self, relevant: Array | int) -> Array:
        return np.floor(self.mult * np.asarray(relevant) + 0.9)

    def norm_of(self, relevant: Array | int, length: Array) -> Array:
        return self.depth_of(relevant)


@define("judged_at")
class Judged(Measure):
    """Share of judged items among the first k.

    A list shorter than k is divided by its length, as ir_measures does; with ``norm="cutoff"``, by
    k.
    """

    norm: str = one_of("retrieved", "cutoff")
    meaning = "share of judged items among the first k"
    formula = (
        r"\frac{1}{\min(k, n)} \left| \{ i \le k : \text{item } i \text{ is judged} \} \right|"
    )
    takes_judged_only = False
    reference = "ir_measures"
    expects_ties = True

    def score(self, batch: Batch) -> Array:
        top = batch.top(self.k)
        judged = ~np.isnan(top.gain)
        count = top.per_query(judged * top.inside(self.cutoff) if top.tied else judged)
        whole = self.cutoff if self.norm == "cutoff" else None
        return divide(count, whole or batch.listed(self.k))


# Reciprocal rank of the first relevant item.


@define("mrr", "recip_rank", "reciprocal_rank", "mean_reciprocal_rank")
class RR(OfRelevant):
    """1 / rank of the first relevant item; 0 if there is none (among the first k)."""

    meaning = "1 / rank of the first relevant item"
    formula = r"\max_{i \le k} \frac{r_i}{i}"
    reference = "Voorhees 1999"

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
