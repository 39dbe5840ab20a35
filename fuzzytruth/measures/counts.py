"""Counts: the contingency table of a list cut at k, and numbers of items."""

from __future__ import annotations

import math
from typing import Any, TypeVar

import numpy as np

from fuzzytruth._lazy import special
from fuzzytruth._typing import Array
from fuzzytruth.core.arithmetic import digamma_sum, divide
from fuzzytruth.core.lists.measure_bounds import Ends, OpenLists, peak_bounds, rank_mean_bounds
from fuzzytruth.measures import exact
from fuzzytruth.measures.families import AtClassSize, OfCounts, OfRelevant
from fuzzytruth.measures.measure import Measure, one_of, real
from fuzzytruth.measures.registry import define
from fuzzytruth.measures.ties import chance_of_none, expected_reciprocal_rank
from fuzzytruth.truth.batch import Batch
from fuzzytruth.truth.inputs import ItemProbabilities, UnjudgedItems

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
    """True positives: number of relevant items among the first k."""

    formula = r"h_k"
    counts_missed = False
    exact_distribution = OfCounts.exact_distribution

    def of(self, h: Any, m: Any, n: Any) -> Any:
        return h

    def hit_weights(self, probabilities: ItemProbabilities) -> tuple[float, Array]:
        return self.rel, exact.inside(probabilities, self.k)


@define("false_positives")
class FP(Count):
    """False positives: number of items among the first k that are not relevant.

    Unjudged items count as not relevant.
    """

    formula = r"\min(k, n) - h_k"
    higher_is_better = False
    counts_missed = False

    def of(self, h: Any, m: Any, n: Any) -> Any:
        return n - h


@define("false_negatives")
class FN(Count):
    """False negatives: number of relevant items that are not among the first k."""

    formula = r"R - h_k"
    higher_is_better = False

    def of(self, h: Any, m: Any, n: Any) -> Any:
        return m


@define("true_negatives")
class TN(Count):
    """True negatives: number of items neither relevant nor among the first k.

    `collection` is the number of items that could have been retrieved.
    """

    collection: float | None = None
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
    """Number of retrieved items.

    Judged or not.
    """

    formula = r"\min(k, n)"
    reference = "trec_eval"
    range = _ANY_COUNT
    expects_ties = True
    exact_for_ties = True
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

    formula = r"R"
    reference = "trec_eval"
    cutoff_use = "none"

    def of(self, h: Any, m: Any, n: Any) -> Any:
        return h + m


@define("num_nonrel_judged_ret")
class NumNonRelJudgedRet(OfRelevant):
    """Number of retrieved items that are judged and not relevant."""

    formula = r"\left| \{ i \le k : r_i = 0, \; \text{item } i \text{ is judged} \} \right|"
    reference = "trec_eval"
    higher_is_better = False
    range = _ANY_COUNT
    linear = True
    exact_for_ties = True
    needs_relevant = False

    def score(self, batch: Batch) -> Array:
        judged, relevant = (batch.hits(self.cutoff, rel) for rel in (0, self.rel))
        return np.asarray(judged - relevant, dtype=np.float64)

    def moments(self, probabilities: ItemProbabilities) -> tuple[Array, Array]:
        weight = exact.inside(probabilities, self.k)
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
    """Utility: worth of the list as a set: relevant minus other retrieved items.

    `hit` is the worth of a retrieved relevant item, `other` that of any other retrieved item,
    `missed` of a relevant item that is not retrieved, and `rejected` of all others in the
    `collection`, a number of items.
    """

    hit: float = real(1.0)
    other: float = real(-1.0)
    missed: float = real(0.0)
    rejected: float = real(0.0)
    collection: float | None = real(None, above=0)
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
    """Number of retrieved relevant items.

    These are the true positives, and ranx's `hits`.
    """

    formula = r"h_k"
    reference = "trec_eval"


# Precision, recall, success and other counts of relevant items within a cut-off.


@define("precision", "prec", "set_P", "SetP")
class P(OfCounts, OfRelevant):
    """Precision: share of relevant items among the first k.

    A list shorter than k is still divided by k. Without a cut-off: among all retrieved.
    """

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

    formula = r"\frac{h_k}{R}"
    reference = "van Rijsbergen 1979"
    exact_for_ties = True

    def of(self, h: Any, m: Any, n: Any) -> Any:
        return divide(h, h + m)

    def moments(self, probabilities: ItemProbabilities) -> tuple[Array, Array | None]:
        return exact.recall_moments(probabilities, self.rel, self.k, self.of)

    defined_moments = OfCounts.defined_moments


@define("hit_rate", "hitrate", "hit_ratio", "hit", "HR")
class Success(OfRelevant):
    """Success: whether any relevant item is among the first k.

    1 if so, else 0. Image-text retrieval calls it "R@K".
    """

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
    """Relative precision: relevant items among the first k, as a share of the most possible.

    At most min(k, relevant items) are possible.
    """

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
    """R-precision: precision at rank R, the number of relevant items.

    With `mult`, at rank ⌊mult·R + 0.9⌋.
    """

    mult: float = real(1.0, above=0)
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
    """1 / rank of the first relevant item.

    0 if there is none (among the first k).
    """

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


# F, the harmonic mean of precision and recall, and measures derived from it.


Variance = TypeVar("Variance", Array, "Array | None")

# F from counts, its maximum and mean over all ranks of a list, and bounds.


def f_value(hits: Any, retrieved: Any, relevant: Any, beta: float) -> Array:
    """F from counts: (1 + β²)·hits / (β²·relevant + retrieved), 0 without relevant items."""
    weight = beta * beta
    return divide((1 + weight) * hits, weight * relevant + retrieved)


def largest_f(batch: Batch, rel: float, beta: float, cutoff: int | None) -> Array:
    """Largest F over the first `cutoff` ranks: (worlds, queries). Ties must be resolved."""
    top = batch.top(cutoff)
    relevant = top.relevant(rel)
    weight = beta * beta
    # F decreases between hits, so its maximum is at a hit.
    ranks = top.per_hit(weight * top.n_relevant(rel)) + top.first  # (worlds, hits)
    f = (1 + weight) * top.running(relevant) * relevant / ranks
    return top.largest(f)


def mean_f(batch: Batch, rel: float, beta: float, cutoff: int | None) -> Array:
    """(Expected) mean of F over the ranks up to `cutoff` or the end of the list.

    F at rank i is (1 + β²)·(hits up to i) / (x + i) with x = β²·(relevant items). A hit at rank r
    contributes to all ranks i from r on: Σ 1/(x + i), a difference of digamma functions.
    """
    top = batch.top(cutoff)
    weight = beta * beta
    x = top.per_hit(weight * top.n_relevant(rel))  # (worlds, hits)
    end = top.listed(cutoff)  # (queries,)
    to = top.per_hit(end)
    if top.tied:
        size = top.last - top.first + 1
        ranks = np.minimum(to - top.first + 1, size)  # of the tie, within the cut-off
        added = (ranks * special.psi(x + to + 1) - digamma_sum(x + top.first, ranks)) / size
    else:
        added = special.psi(x + to + 1) - special.psi(x + top.first)
    total = top.per_query(added * top.relevant(rel))
    return divide((1 + weight) * total, end)


def bounds_over_ranks(lists: OpenLists, beta: float, points: str) -> Ends:
    """Lowest and highest maximum or mean of F over ranks, over all judgments: (cells,) both.

    Parameters
    ----------
    lists : OpenLists
        Cut at the cut-off.
    points : {"max", "mean"}
    """
    rank = np.arange(1, lists.relevant.shape[-1] + 1)

    def at_rank(hits: Array, relevant: Array) -> Array:
        return f_value(hits, rank, relevant, beta)

    def mean(length: Array, hits: Array, relevant: Array) -> Array:
        weight = beta * beta
        shares = hits / (weight * relevant + rank)
        if (length < len(rank)).any():
            shares *= rank <= length[:, None]
        return divide((1 + weight) * shares.sum(axis=-1), length)

    return peak_bounds(lists, at_rank) if points == "max" else rank_mean_bounds(lists, mean)


@define(
    "f1",
    "fmeasure",
    "f_measure",
    "SetF",
    # trec_eval's x weighs recall as β² does.
    suffixed={"set_F": lambda text: {"beta": math.sqrt(float(text))}},
)
class F(OfCounts):
    """F measure: weighted harmonic mean of precision and recall.

    ``points="cutoff"`` takes both at the cut-off (or the end of the list); ``"max"`` and ``"mean"``
    are the maximum and the mean over all ranks up to it, as in SHREC and NIST.
    """

    beta: float = real(1.0, above=0)
    rel: float = 1
    points: str = one_of("cutoff", "max", "mean")
    formula = (
        r"\frac{(1 + \beta^2) \, \mathrm{P} \cdot \mathrm{R}}"
        r"{\beta^2 \, \mathrm{P} + \mathrm{R}}"
    )
    reference = "van Rijsbergen 1979"
    exact_for_ties = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.points == "max":  # no closed form for the expected maximum over tie orders
            object.__setattr__(self, "expects_ties", False)

    def score(self, batch: Batch) -> Array:
        if self.points == "max":
            return largest_f(batch, self.rel, self.beta, self.k)
        if self.points == "mean":
            return mean_f(batch, self.rel, self.beta, self.k)
        return super().score(batch)

    def of(self, h: Any, m: Any, n: Any) -> Any:
        return f_value(h, self.k or n, h + m, self.beta)

    def moments(self, probabilities: ItemProbabilities) -> tuple[Array, Array | None] | None:
        return super().moments(probabilities) if self.points == "cutoff" else None

    def defined_moments(self, probabilities: ItemProbabilities) -> tuple[Array, Array] | None:
        return super().defined_moments(probabilities) if self.points == "cutoff" else None

    def exact_distribution(self, probabilities: ItemProbabilities) -> exact.Atoms | None:
        return super().exact_distribution(probabilities) if self.points == "cutoff" else None

    def bounds(self, lists: UnjudgedItems) -> tuple[Array, Array]:
        if self.points == "cutoff":
            return super().bounds(lists)
        return bounds_over_ranks(lists.binary(self.rel, self.k), self.beta, self.points)


@define("e_measure", "emeasure")
class E(OfCounts):
    """Van Rijsbergen's effectiveness: 1 - F; lower is better.

    1 without relevant items. SHREC, NIST and the Princeton Shape Benchmark use the first 32 items:
    ``E@32``.
    """

    beta: float = real(1.0, above=0)
    rel: float = 1
    formula = (
        r"1 - \frac{(1 + \beta^2) \, \mathrm{P} \cdot \mathrm{R}}"
        r"{\beta^2 \, \mathrm{P} + \mathrm{R}}"
    )
    reference = "van Rijsbergen 1979"
    higher_is_better = False
    exact_for_ties = True
    empty = 1.0

    def of(self, h: Any, m: Any, n: Any) -> Any:
        return 1 - f_value(h, self.k or n, h + m, self.beta)

    def moments(self, probabilities: ItemProbabilities) -> tuple[Array, Array | None] | None:
        return _one_minus(self._f().moments(probabilities))

    def defined_moments(self, probabilities: ItemProbabilities) -> tuple[Array, Array] | None:
        return _one_minus(self._f().defined_moments(probabilities))

    def _f(self) -> F:
        return F(beta=self.beta, rel=self.rel, cutoff=self.cutoff)


def _one_minus(moments: tuple[Array, Variance] | None) -> tuple[Array, Variance] | None:
    """Moments of 1 - F from those of F: of a certain value, the variance is exactly 0."""
    return None if moments is None else (1 - moments[0], moments[1])


@define("e_psb")
class EPSB(OfCounts, OfRelevant):
    """The Princeton Shape Benchmark's "E-measure": 2 / (1/P + 1/R), higher is better.

    This is F₁.
    """

    formula = r"\frac{2}{1 / \mathrm{P} + 1 / \mathrm{R}}"
    reference = "Shilane et al. 2004"

    def of(self, h: Any, m: Any, n: Any) -> Any:
        return f_value(h, self.k or n, h + m, 1.0)
