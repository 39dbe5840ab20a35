"""Cumulated gain, discounted and normalised."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from fuzzytruth.batch import Array, Batch, divide
from fuzzytruth.core.segments import segment_cumsum, segment_sum
from fuzzytruth.errors import MeasureError
from fuzzytruth.measures.measure import Measure
from fuzzytruth.measures.registry import define

DISCOUNTS = ("log2", "jarvelin", "burges")


def cumulative_discount(dcg: str, depth: int, base: float = 2.0) -> Array:
    """Sum of the discounts of the first 0, 1, ..., `depth` ranks: (depth + 1,) float."""
    rank = np.arange(1, depth + 1, dtype=np.float64)
    if dcg == "none":
        weight = np.ones(depth)
    elif dcg == "jarvelin":
        weight = 1 / np.maximum(1.0, np.log(rank) / np.log(base))
    else:
        weight = 1 / np.log2(rank + 1)
    return np.concatenate(([0.0], np.cumsum(weight)))


def discounts(dcg: str, rank: Array, base: float = 2.0) -> Array:
    """Discount of each rank (from 1)."""
    if dcg == "none":
        return np.ones(1)
    if dcg == "jarvelin":
        return 1 / np.maximum(1.0, np.log(rank) / np.log(base))
    return 1 / np.log2(rank + 1.0)


def gains(dcg: str, grade: Array) -> Array:
    """What a grade is worth: 2^g - 1 for `burges`, g for the others, never below 0."""
    positive = np.maximum(grade, 0.0)
    return np.exp2(positive) - 1 if dcg == "burges" else positive


class GainMeasure(Measure):
    """What the four measures of cumulated gain share: the sum over ranks, and the ideal one."""

    def collected(self, batch: Batch, dcg: str, base: float) -> Array:
        """(Expected) discounted gain of the list: (worlds, queries)."""
        if batch.tied:
            cumulative = cumulative_discount(dcg, batch.depth(self.k), base)
            weight = batch.mean_weight(cumulative)
        else:
            weight = discounts(dcg, batch.first, base) * batch.inside(self.cutoff)
        return batch.per_query(gains(dcg, batch.gain) * weight)

    def ideal(self, batch: Batch, dcg: str, base: float) -> Array:
        """Discounted gain of the best order of all judged items: (worlds, queries)."""
        levels = batch.levels
        cumulative = cumulative_discount(dcg, batch.depth(self.k), base)
        end = len(cumulative) - 1
        to = segment_cumsum(levels.count, levels.offsets)
        weight = cumulative[np.minimum(to, end)] - cumulative[np.minimum(to - levels.count, end)]
        return segment_sum(gains(dcg, levels.grade) * weight, levels.offsets)


@define("cumulated_gain")
class CG(GainMeasure):
    """Cumulated gain: sum of the grades of the first k items."""

    name: ClassVar[str] = "CG"
    meaning: ClassVar[str] = "sum of the grades of the first k items"
    reference: ClassVar[str] = "Järvelin & Kekäläinen 2002"
    range: ClassVar[tuple[float, float]] = (0.0, float("inf"))
    expects_ties: ClassVar[bool] = True

    def score(self, batch: Batch) -> Array:
        return self.collected(batch, "none", 2.0)


@define("ncumulated_gain")
class nCG(GainMeasure):
    """Cumulated gain over that of the best order of all judged items."""

    name: ClassVar[str] = "nCG"
    meaning: ClassVar[str] = "cumulated gain as a share of the best possible"
    reference: ClassVar[str] = "Järvelin & Kekäläinen 2002"
    needs_relevant: ClassVar[bool] = True
    expects_ties: ClassVar[bool] = True

    def score(self, batch: Batch) -> Array:
        return divide(self.collected(batch, "none", 2.0), self.ideal(batch, "none", 2.0))


def _check_discount(measure: Measure, dcg: str, base: float) -> None:
    if dcg not in DISCOUNTS:
        raise MeasureError(f"{measure}: dcg must be one of {', '.join(DISCOUNTS)}")
    if not base > 1:
        raise MeasureError(f"{measure}: base must be above 1")


@define("discounted_cumulated_gain")
class DCG(GainMeasure):
    """Discounted cumulated gain: grades lose weight with rank.

    ``dcg="log2"`` is g / log2(i + 1) (trec_eval), ``"burges"`` (2^g - 1) / log2(i + 1),
    ``"jarvelin"`` g / max(1, log_b i) with b = `base` (the original; SHREC, NIST).
    """

    dcg: str = "log2"
    base: float = 2.0
    name: ClassVar[str] = "DCG"
    meaning: ClassVar[str] = "sum of the grades, discounted by rank"
    reference: ClassVar[str] = "Järvelin & Kekäläinen 2002; Burges et al. 2005"
    range: ClassVar[tuple[float, float]] = (0.0, float("inf"))
    expects_ties: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_discount(self, self.dcg, self.base)

    def score(self, batch: Batch) -> Array:
        return self.collected(batch, self.dcg, self.base)


@define("ndcg_cut", "normalized_dcg")
class nDCG(GainMeasure):
    """Discounted cumulated gain over that of the best order of all judged items.

    `dcg` and `base` are those of `DCG`; without them this is trec_eval's nDCG.
    """

    dcg: str = "log2"
    base: float = 2.0
    name: ClassVar[str] = "nDCG"
    meaning: ClassVar[str] = "discounted cumulated gain as a share of the best possible"
    reference: ClassVar[str] = "Järvelin & Kekäläinen 2002; trec_eval"
    needs_relevant: ClassVar[bool] = True
    expects_ties: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_discount(self, self.dcg, self.base)

    def score(self, batch: Batch) -> Array:
        top = self.collected(batch, self.dcg, self.base)
        return divide(top, self.ideal(batch, self.dcg, self.base))
