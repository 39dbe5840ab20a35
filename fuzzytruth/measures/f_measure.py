"""F, the harmonic mean of precision and recall, and measures derived from it."""

from __future__ import annotations

import math
from typing import Any, TypeVar

import numpy as np

from fuzzytruth._typing import Array
from fuzzytruth.core.arithmetic import digamma_sum, divide
from fuzzytruth.core.lists.measure_bounds import peak_bounds, rank_mean_bounds
from fuzzytruth.core.lists.ranked_lists import Ends, OpenLists
from fuzzytruth.measures import exact
from fuzzytruth.measures.families import OfCounts, OfRelevant
from fuzzytruth.measures.measure import one_of, real
from fuzzytruth.measures.registry import define
from fuzzytruth.truth.batch import Batch
from fuzzytruth.truth.item_probabilities import ItemProbabilities
from fuzzytruth.truth.unjudged import UnjudgedItems

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
    from scipy.special import psi

    top = batch.top(cutoff)
    weight = beta * beta
    x = top.per_hit(weight * top.n_relevant(rel))  # (worlds, hits)
    end = top.listed(cutoff)  # (queries,)
    to = top.per_hit(end)
    if top.tied:
        size = top.last - top.first + 1
        ranks = np.minimum(to - top.first + 1, size)  # of the tie, within the cut-off
        added = (ranks * psi(x + to + 1) - digamma_sum(x + top.first, ranks)) / size
    else:
        added = psi(x + to + 1) - psi(x + top.first)
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

    ``points="cutoff"`` takes both at the cut-off (or the end of the list); ``"max"`` and
    ``"mean"`` are the maximum and the mean over all ranks up to it, as in SHREC and NIST.
    """

    beta: float = real(1.0, above=0)
    rel: float = 1
    points: str = one_of("cutoff", "max", "mean")
    meaning = "weighted harmonic mean of precision and recall"
    formula = (
        r"\frac{(1 + \beta^2) \, \mathrm{P} \cdot \mathrm{R}}"
        r"{\beta^2 \, \mathrm{P} + \mathrm{R}}"
    )
    reference = "van Rijsbergen 1979"

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
        low, high = bounds_over_ranks(lists.binary(self.rel, self.k), self.beta, self.points)
        return low[None], high[None]


@define("e_measure", "emeasure")
class E(OfCounts):
    """Van Rijsbergen's effectiveness, 1 - F: lower is better, 1 without relevant items.

    SHREC, NIST and the Princeton Shape Benchmark use the first 32 items: ``E@32``.
    """

    beta: float = real(1.0, above=0)
    rel: float = 1
    meaning = "1 - F; lower is better"
    formula = (
        r"1 - \frac{(1 + \beta^2) \, \mathrm{P} \cdot \mathrm{R}}"
        r"{\beta^2 \, \mathrm{P} + \mathrm{R}}"
    )
    reference = "van Rijsbergen 1979"
    higher_is_better = False
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
    """The Princeton Shape Benchmark's "E-measure", 2 / (1/P + 1/R) = F₁: higher is better."""

    meaning = "2 / (1/P + 1/R), higher is better"
    formula = r"\frac{2}{1 / \mathrm{P} + 1 / \mathrm{R}}"
    reference = "Shilane et al. 2004"

    def of(self, h: Any, m: Any, n: Any) -> Any:
        return f_value(h, self.k or n, h + m, 1.0)
