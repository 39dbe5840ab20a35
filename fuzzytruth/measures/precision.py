"""Counting relevant items within a cut-off: precision, recall, success, F and their kin."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from fuzzytruth.batch import Array, Batch, divide
from fuzzytruth.errors import MeasureError
from fuzzytruth.measures.measure import Measure
from fuzzytruth.measures.registry import define


@define("precision", "prec", set_P={"cutoff": None})
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


@define("recall", set_recall={"cutoff": None})
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


@define("hit_rate", "hitrate", "hits")
class Success(Measure):
    """1 if any relevant item is among the first k, else 0 (image-text retrieval's "R@K")."""

    rel: float = 1
    name: ClassVar[str] = "Success"
    meaning: ClassVar[str] = "whether any relevant item is among the first k"
    reference: ClassVar[str] = "trec_eval"
    expects_ties: ClassVar[bool] = True

    def score(self, batch: Batch) -> Array:
        relevant = batch.relevant(self.rel)
        if not batch.tied:
            return (batch.hits(self.cutoff, self.rel) > 0).astype(np.float64)
        from fuzzytruth.measures.ties import chance_of_none

        return 1 - chance_of_none(batch, relevant, self.cutoff)


def f_value(hits: Array, retrieved: Array, relevant: Array, beta: float) -> Array:
    """F from counts: (1 + β²)·hits / (β²·relevant + retrieved), 0 without relevant items."""
    weight = beta * beta
    return divide((1 + weight) * hits, weight * relevant + retrieved)


@define("f1", "fmeasure", "f_measure", set_F={"cutoff": None})
class F(Measure):
    """F measure: weighted harmonic mean of precision and recall.

    ``points="cutoff"`` takes both at the cut-off (or the end of the list); ``"max"`` and
    ``"mean"`` go over all ranks up to there, as SHREC and NIST ask ("go over all points").
    """

    beta: float = 1.0
    rel: float = 1
    points: str = "cutoff"
    name: ClassVar[str] = "F"
    meaning: ClassVar[str] = "weighted harmonic mean of precision and recall"
    reference: ClassVar[str] = "van Rijsbergen 1979"
    needs_relevant: ClassVar[bool] = True
    expects_ties: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.points not in ("cutoff", "max", "mean"):
            raise MeasureError(f"{self}: points must be cutoff, max or mean")
        if not self.beta > 0:
            raise MeasureError(f"{self}: beta must be above 0")

    def score(self, batch: Batch) -> Array:
        relevant = batch.n_relevant(self.rel)
        if self.points == "cutoff":
            return f_value(
                batch.hits(self.cutoff, self.rel),
                np.asarray(self.cutoff or batch.length),
                relevant,
                self.beta,
            )
        from fuzzytruth.measures.pr_points import f_over_points

        return f_over_points(batch, self)


@define("e_measure", "emeasure")
class E(Measure):
    """Van Rijsbergen's effectiveness, 1 - F: lower is better.

    SHREC, NIST and the Princeton Shape Benchmark look at the first 32 items: `E@32`.
    """

    beta: float = 1.0
    rel: float = 1
    name: ClassVar[str] = "E"
    meaning: ClassVar[str] = "1 - F; lower is better"
    reference: ClassVar[str] = "van Rijsbergen 1979"
    higher_is_better: ClassVar[bool] = False
    expects_ties: ClassVar[bool] = True

    def score(self, batch: Batch) -> Array:
        return 1 - F(beta=self.beta, rel=self.rel, cutoff=self.cutoff).score(batch)


@define("e_psb")
class EPSB(Measure):
    """The Princeton Shape Benchmark's "E-measure", 2 / (1/P + 1/R) = F₁: higher is better."""

    rel: float = 1
    name: ClassVar[str] = "EPSB"
    meaning: ClassVar[str] = "2 / (1/P + 1/R), higher is better"
    reference: ClassVar[str] = "Shilane et al. 2004"
    needs_relevant: ClassVar[bool] = True
    expects_ties: ClassVar[bool] = True

    def score(self, batch: Batch) -> Array:
        return F(rel=self.rel, cutoff=self.cutoff).score(batch)


@define("r_prec", "r-prec", "rprecision", "rprec_mult")
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

    def score(self, batch: Batch) -> Array:
        depth = np.floor(self.mult * batch.n_relevant(self.rel) + 0.9)
        return divide(batch.hits(depth, self.rel), depth)


@define("judged_at")
class Judged(Measure):
    """Share of judged items among the first k (a list shorter than k is divided by k)."""

    name: ClassVar[str] = "Judged"
    meaning: ClassVar[str] = "share of judged items among the first k"
    reference: ClassVar[str] = "ir_measures"
    expects_ties: ClassVar[bool] = True

    def score(self, batch: Batch) -> Array:
        seen = np.broadcast_to(batch.inside(self.cutoff), batch.gain.shape)
        return divide(batch.per_query(seen), self.cutoff or batch.length)
