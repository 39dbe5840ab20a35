"""Cumulated gain, plain, discounted and normalised."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from fuzzytruth._typing import Array
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.core.gain_bounds import gain_levels, normalised_gain_bounds
from fuzzytruth.errors import MeasureError
from fuzzytruth.measures import exact
from fuzzytruth.measures.measure import Measure
from fuzzytruth.measures.registry import define
from fuzzytruth.truth.batch import Batch
from fuzzytruth.truth.item_probabilities import ItemProbabilities

if TYPE_CHECKING:
    from fuzzytruth.truth.unjudged import UnjudgedItems

DISCOUNTS = ("log2", "jarvelin", "burges")


def discounts(dcg: str, rank: Array, base: float = 2.0) -> Array:
    """Discount of each rank (from 1)."""
    if dcg == "none":
        return np.ones(len(rank))
    if dcg == "jarvelin":
        divisor: Array = np.maximum(1.0, np.log(rank) / np.log(base))
    else:
        divisor = np.log2(rank + 1.0)
    weight: Array = 1 / divisor
    return weight


def _discount_at(rank: Array, dcg: str, base: float) -> Array:
    """Discount of each rank, from a table where there are fewer distinct ranks than hits."""
    deepest = int(rank.max(initial=0))
    if deepest > len(rank):
        return discounts(dcg, rank, base)
    table = discounts(dcg, np.arange(1, deepest + 1), base)
    out: Array = table[rank - 1]
    return out


def cumulative_discount(dcg: str, depth: int, base: float = 2.0) -> Array:
    """Sum of the discounts of the first 0, 1, ..., `depth` ranks: (depth + 1,) float."""
    out = np.zeros(depth + 1)
    np.cumsum(discounts(dcg, np.arange(1, depth + 1), base), out=out[1:])
    return out


_LARGEST = 1000.0  # 2^1024 overflows


def gains(dcg: str, grade: Array) -> Array:
    """Gain of a grade: 2^g - 1 for `burges`, g otherwise; 0 for negative and missing grades."""
    if dcg == "burges" and np.nanmax(grade, initial=0.0) > _LARGEST:
        raise MeasureError(
            f"dcg=burges: a gain of 2^grade - 1 is too large for grade {np.nanmax(grade):g}; "
            "rescale the grades, or use another dcg"
        )
    positive: Array = np.fmax(grade, 0.0)  # fmax: a missing grade (NaN) has gain 0
    return np.exp2(positive) - 1 if dcg == "burges" else positive


class GainMeasure(Measure):
    """Base class of the measures of cumulated gain."""

    def list_gain(self, batch: Batch, dcg: str, base: float) -> Array:
        """(Expected) discounted gain of the list: (worlds, queries)."""
        top = batch.top(self.k)
        value = top.values_of(partial(gains, dcg))
        if top.tied:
            cumulative = cumulative_discount(dcg, top.depth(self.k), base)
            return top.weighted(value, top.mean_weight(cumulative))
        return top.weighted(value, _discount_at(top.first, dcg, base))

    def ideal_gain(self, batch: Batch, dcg: str, base: float) -> Array:
        """Discounted gain of the best order of all judged items: (worlds, queries)."""
        judged = batch.judged
        depth = judged.most if self.k is None else min(judged.most, self.k)
        cumulative = cumulative_discount(dcg, depth, base)
        return judged.best_gain((dcg, base, self.k), partial(gains, dcg), cumulative)

    def gain_bounds(self, lists: UnjudgedItems, dcg: str, base: float) -> tuple[Array, Array]:
        """Gain of the list if all its unjudged items have no gain, or the top grade."""
        inside = lists.within(self.k)
        weight = discounts(dcg, np.arange(1, inside.gain.shape[-1] + 1), base)
        least = gains(dcg, inside.gain) @ weight
        return least, least + gains(dcg, np.asarray(lists.top_grade)) * (inside.unjudged @ weight)

    def normalised_bounds(self, lists: UnjudgedItems, dcg: str, base: float) -> tuple[Array, Array]:
        """Lowest and highest gain of the list over the ideal gain, for grades up to the top one."""
        inside = lists.within(self.k)
        top = float(gains(dcg, np.asarray(lists.top_grade)))
        levels = gain_levels(gains(dcg, lists.grades[0]), lists.offsets, top)
        n_items = np.diff(lists.offsets) + (lists.n_open + lists.outside)[0]
        ideal_depth = min(int(n_items.max(initial=0)), self.k or np.inf)
        depth = np.arange(1, max(inside.gain.shape[-1], ideal_depth) + 1)
        gain, unjudged = gains(dcg, inside.gain[0]), inside.unjudged[0]
        low, high = normalised_gain_bounds(
            gain, unjudged, inside.outside[0], levels, discounts(dcg, depth, base), self.k
        )
        return low[None], high[None]

    def gain_moments(
        self, probabilities: ItemProbabilities, dcg: str, base: float
    ) -> tuple[Array, Array]:
        """Mean and variance of the discounted gain of the list: (..., queries) both."""
        weight = discounts(dcg, probabilities.rank, base) * exact.inside(probabilities, self.k)
        return exact.linear_moments(probabilities, partial(gains, dcg), weight)

    def normalised_moments(
        self, probabilities: ItemProbabilities, dcg: str, base: float
    ) -> tuple[Array, None] | None:
        """Mean of the normalised gain, known where grades have no gain or one common gain."""
        if not probabilities.countable:
            return None
        weight = discounts(dcg, probabilities.rank, base)

        def ideal(number: int) -> Array:
            depth = np.minimum(np.arange(1, number + 1), self.k or number)
            return cumulative_discount(dcg, int(depth[-1]), base)[depth]

        value = partial(gains, dcg)
        mean = exact.mean_normalised_gain(probabilities, value, weight, self.k, ideal)
        return None if mean is None else (mean, None)

    def normalised(self, batch: Batch, dcg: str, base: float) -> Array:
        """Gain over the ideal gain; exactly 1 where only rounding keeps it from that."""
        share = divide(self.list_gain(batch, dcg, base), self.ideal_gain(batch, dcg, base))
        return np.where(share > 1 - 1e-14, 1.0, share)


@define("cumulated_gain")
class CG(GainMeasure):
    """Cumulated gain: sum of the grades of the first k items."""

    name: ClassVar[str] = "CG"
    stops_at_cutoff: ClassVar[bool] = True
    any_layout: ClassVar[bool] = True
    meaning: ClassVar[str] = "sum of the grades of the first k items"
    linear: ClassVar[bool] = True
    reference: ClassVar[str] = "Järvelin & Kekäläinen 2002"
    range: ClassVar[tuple[float, float]] = (0.0, float("inf"))
    expects_ties: ClassVar[bool] = True

    def score(self, batch: Batch) -> Array:
        return self.list_gain(batch, "none", 2.0)

    def moments(self, probabilities: ItemProbabilities) -> tuple[Array, Array]:
        return self.gain_moments(probabilities, "none", 2.0)

    def bounds(self, lists: UnjudgedItems) -> tuple[Array, Array]:
        return self.gain_bounds(lists, "none", 2.0)


@define("ncumulated_gain")
class nCG(GainMeasure):
    """Cumulated gain over that of the best order of all judged items."""

    name: ClassVar[str] = "nCG"
    stops_at_cutoff: ClassVar[bool] = True
    any_layout: ClassVar[bool] = True
    meaning: ClassVar[str] = "cumulated gain as a share of the best possible"
    reference: ClassVar[str] = "Järvelin & Kekäläinen 2002"
    needs_relevant: ClassVar[bool] = True
    expects_ties: ClassVar[bool] = True

    def score(self, batch: Batch) -> Array:
        return self.normalised(batch, "none", 2.0)

    def moments(self, probabilities: ItemProbabilities) -> tuple[Array, None] | None:
        return self.normalised_moments(probabilities, "none", 2.0)

    def bounds(self, lists: UnjudgedItems) -> tuple[Array, Array]:
        return self.normalised_bounds(lists, "none", 2.0)


def _check_discount(measure: DCG | nDCG) -> None:
    # ir_measures' name for the discount of Burges et al.
    if measure.dcg in ("exp-log2", "exp_log2"):
        object.__setattr__(measure, "dcg", "burges")
    measure.require_choice("dcg", DISCOUNTS)
    measure.require_number("base", above=1)
    applies = measure.base == 2 or measure.dcg == "jarvelin"
    measure.require(applies, "base is a parameter of dcg=jarvelin only")


@define("discounted_cumulated_gain", dcg_burges={"dcg": "burges"})
class DCG(GainMeasure):
    """Discounted cumulated gain: grades lose weight with rank.

    ``dcg="log2"`` is g / log2(i + 1) (trec_eval), ``"burges"`` (2^g - 1) / log2(i + 1),
    ``"jarvelin"`` g / max(1, log_b i) with b = `base` (the original; SHREC, NIST).
    """

    dcg: str = "log2"
    base: float = 2.0
    name: ClassVar[str] = "DCG"
    stops_at_cutoff: ClassVar[bool] = True
    any_layout: ClassVar[bool] = True
    meaning: ClassVar[str] = "sum of the grades, discounted by rank"
    linear: ClassVar[bool] = True
    reference: ClassVar[str] = "Järvelin & Kekäläinen 2002; Burges et al. 2005"
    range: ClassVar[tuple[float, float]] = (0.0, float("inf"))
    expects_ties: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_discount(self)

    def score(self, batch: Batch) -> Array:
        return self.list_gain(batch, self.dcg, self.base)

    def moments(self, probabilities: ItemProbabilities) -> tuple[Array, Array]:
        return self.gain_moments(probabilities, self.dcg, self.base)

    def bounds(self, lists: UnjudgedItems) -> tuple[Array, Array]:
        return self.gain_bounds(lists, self.dcg, self.base)


@define("normalized_dcg", "normalizeddcg", ndcg_burges={"dcg": "burges"})
class nDCG(GainMeasure):
    """Discounted cumulated gain over that of the best order of all judged items.

    `dcg` and `base` are those of `DCG`; without them this is trec_eval's nDCG.
    """

    dcg: str = "log2"
    base: float = 2.0
    name: ClassVar[str] = "nDCG"
    stops_at_cutoff: ClassVar[bool] = True
    any_layout: ClassVar[bool] = True
    meaning: ClassVar[str] = "discounted cumulated gain as a share of the best possible"
    reference: ClassVar[str] = "Järvelin & Kekäläinen 2002; trec_eval"
    needs_relevant: ClassVar[bool] = True
    expects_ties: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_discount(self)

    def score(self, batch: Batch) -> Array:
        return self.normalised(batch, self.dcg, self.base)

    def moments(self, probabilities: ItemProbabilities) -> tuple[Array, None] | None:
        return self.normalised_moments(probabilities, self.dcg, self.base)

    def bounds(self, lists: UnjudgedItems) -> tuple[Array, Array]:
        return self.normalised_bounds(lists, self.dcg, self.base)
