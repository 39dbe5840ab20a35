"""Cumulated gain, plain, discounted and normalised."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from fuzzytruth._typing import Array, Bools
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.core.gain_bounds import gain_levels, normalised_gain_bounds
from fuzzytruth.core.segments import sum_in_order
from fuzzytruth.errors import MeasureError
from fuzzytruth.measures import exact
from fuzzytruth.measures.grade_gains import GradeGains
from fuzzytruth.measures.measure import Measure
from fuzzytruth.measures.registry import define
from fuzzytruth.truth.batch import Batch
from fuzzytruth.truth.item_probabilities import ItemProbabilities
from fuzzytruth.truth.levels import Gains, Judged

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


@dataclasses.dataclass(frozen=True, repr=False, kw_only=True)
class GainMeasure(Measure):
    """Base class of the measures of cumulated gain.

    ``gains={1: 1, 2: 3}`` sets the gain of grades; one that is not listed is its own gain, as in
    trec_eval and ir_measures.
    """

    gains: Any = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.gains is not None:
            object.__setattr__(self, "gains", GradeGains.of(self.gains))

    @property
    def threshold(self) -> float | None:
        """The lowest grade with a gain; None: any above 0."""
        return None if self.gains is None else GradeGains.of(self.gains).threshold

    def gain_of_grades(self, dcg: str) -> Gains:
        """Gain of each grade: as given, else of a kind of DCG."""
        own: Gains | None = self.gains
        return partial(gains, dcg) if own is None else own

    def list_gain(self, batch: Batch, dcg: str, base: float) -> Array:
        """(Expected) discounted gain of the list: (worlds, queries)."""
        top = batch.top(self.k)
        value = top.values_of(self.gain_of_grades(dcg))
        if top.tied:
            cumulative = cumulative_discount(dcg, top.depth(self.k), base)
            return top.weighted(value, top.mean_weight(cumulative))
        return top.weighted(value, _discount_at(top.first, dcg, base))

    def ideal_gain(self, batch: Batch, dcg: str, base: float) -> Array:
        """Discounted gain of the best order of all judged items: (worlds, queries)."""
        judged, value = batch.judged, self.gain_of_grades(dcg)
        depth = judged.most if self.k is None else min(judged.most, self.k)
        cumulative = cumulative_discount(dcg, depth, base)
        if self.gains is None:  # gains are in the order of the grades
            return judged.best_gain((dcg, base, self.k), value, cumulative)
        total = np.zeros((batch.n_worlds, batch.n_queries))
        for gain, above, number in counts_by_gain(judged, value):
            up_to, before = (cumulative[np.minimum(n, depth)] for n in (number, above))
            total += gain * (up_to - before)
        return total

    def gain_bounds(
        self, lists: UnjudgedItems, dcg: str, base: float
    ) -> tuple[Array, Array] | None:
        """Gain of the list if all its unjudged items have no gain, or the top grade."""
        if self.gains is not None and not self.gains.peaks_at(lists.top_grade, lists.grades[0]):
            return None
        inside, value = lists.within(self.k), self.gain_of_grades(dcg)
        weight = discounts(dcg, np.arange(1, inside.gain.shape[-1] + 1), base)
        least, unjudged = (sum_in_order(x * weight) for x in (value(inside.gain), inside.unjudged))
        return least, least + value(np.asarray(lists.top_grade)) * unjudged

    def normalised_bounds(
        self, lists: UnjudgedItems, dcg: str, base: float
    ) -> tuple[Array, Array] | None:
        """Lowest and highest gain of the list over the ideal gain, for grades up to the top one."""
        if self.gains is not None and not self.gains.peaks_at(lists.top_grade, lists.grades[0]):
            return None
        inside, value = lists.within(self.k), self.gain_of_grades(dcg)
        top = float(value(np.asarray(lists.top_grade)))
        levels = gain_levels(value(lists.grades[0]), lists.offsets, top)
        n_items = np.diff(lists.offsets) + (lists.n_open + lists.outside)[0]
        ideal_depth = min(int(n_items.max(initial=0)), self.k or np.inf)
        depth = np.arange(1, max(inside.gain.shape[-1], ideal_depth) + 1)
        gain, unjudged = value(inside.gain[0]), inside.unjudged[0]
        low, high = normalised_gain_bounds(
            gain, unjudged, inside.outside[0], levels, discounts(dcg, depth, base), self.k
        )
        return low[None], high[None]

    def gain_moments(
        self, probabilities: ItemProbabilities, dcg: str, base: float
    ) -> tuple[Array, Array]:
        """Mean and variance of the discounted gain of the list: (..., queries) both."""
        weight = discounts(dcg, probabilities.rank, base) * exact.inside(probabilities, self.k)
        return exact.linear_moments(probabilities, self.gain_of_grades(dcg), weight)

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

        value = self.gain_of_grades(dcg)
        mean = exact.mean_normalised_gain(probabilities, value, weight, self.k, ideal)
        return None if mean is None else (mean, None)

    def normalised(self, batch: Batch, dcg: str, base: float) -> Array:
        """Gain over the ideal gain; exactly 1 where only rounding keeps it from that."""
        share = divide(self.list_gain(batch, dcg, base), self.ideal_gain(batch, dcg, base))
        return np.where(share > 1 - 1e-14, 1.0, share)


def counts_by_gain(judged: Judged, value: Gains) -> Iterator[tuple[float, Array, Array]]:
    """Each gain above 0, the largest first, and how many items have a larger one, and this or more.

    The gain is a number, the counts are (worlds, queries) int. Sums of gain · (f(this or more) -
    f(larger)) are sums of gains over the best order of all judged items, whatever the order of the
    gains and of the grades; gains that no item of a query has change no bit.
    """
    above: Array = np.zeros(1, dtype=np.int64)
    for gain in np.unique(value(judged.grades))[::-1]:
        if gain > 0:
            number = judged.n_where(partial(_reaches, value, gain))
            yield float(gain), np.broadcast_to(above, number.shape), number
            above = number


def _reaches(value: Gains, gain: float, grade: Array) -> Bools:
    out: Bools = value(grade) >= gain
    return out


@define("cumulated_gain")
class CG(GainMeasure):
    """Cumulated gain: sum of the grades of the first k items."""

    name: ClassVar[str] = "CG"
    stops_at_cutoff: ClassVar[bool] = True
    any_layout: ClassVar[bool] = True
    meaning: ClassVar[str] = "sum of the grades of the first k items"
    formula: ClassVar[str] = r"\sum_{i=1}^{k} g_i"
    linear: ClassVar[bool] = True
    reference: ClassVar[str] = "Järvelin & Kekäläinen 2002"
    range: ClassVar[tuple[float, float]] = (0.0, float("inf"))
    expects_ties: ClassVar[bool] = True

    def score(self, batch: Batch) -> Array:
        return self.list_gain(batch, "none", 2.0)

    def moments(self, probabilities: ItemProbabilities) -> tuple[Array, Array]:
        return self.gain_moments(probabilities, "none", 2.0)

    def bounds(self, lists: UnjudgedItems) -> tuple[Array, Array] | None:
        return self.gain_bounds(lists, "none", 2.0)


@define("ncumulated_gain")
class nCG(GainMeasure):
    """Cumulated gain over that of the best order of all judged items."""

    name: ClassVar[str] = "nCG"
    stops_at_cutoff: ClassVar[bool] = True
    any_layout: ClassVar[bool] = True
    meaning: ClassVar[str] = "cumulated gain as a share of the best possible"
    formula: ClassVar[str] = r"\frac{\sum_{i=1}^{k} g_i}{\sum_{i=1}^{k} g^*_i}"
    reference: ClassVar[str] = "Järvelin & Kekäläinen 2002"
    needs_relevant: ClassVar[bool] = True
    expects_ties: ClassVar[bool] = True

    def score(self, batch: Batch) -> Array:
        return self.normalised(batch, "none", 2.0)

    def moments(self, probabilities: ItemProbabilities) -> tuple[Array, None] | None:
        return self.normalised_moments(probabilities, "none", 2.0)

    def bounds(self, lists: UnjudgedItems) -> tuple[Array, Array] | None:
        return self.normalised_bounds(lists, "none", 2.0)


def _check_discount(measure: DCG | nDCG) -> None:
    # ir_measures' name for the discount of Burges et al.
    if measure.dcg in ("exp-log2", "exp_log2"):
        object.__setattr__(measure, "dcg", "burges")
    measure.require_choice("dcg", DISCOUNTS)
    measure.require_number("base", above=1)
    alone = measure.gains is None or measure.dcg != "burges"
    measure.require(alone, "gains and dcg=burges both set gains; use dcg=log2 with gains")
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
    formula: ClassVar[str] = r"\sum_{i=1}^{k} \frac{g_i}{\log_2(i + 1)}"
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

    def bounds(self, lists: UnjudgedItems) -> tuple[Array, Array] | None:
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
    formula: ClassVar[str] = (
        r"\frac{\sum_{i=1}^{k} g_i / \log_2(i + 1)}"
        r"{\sum_{i=1}^{k} g^*_i / \log_2(i + 1)}"
    )
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

    def bounds(self, lists: UnjudgedItems) -> tuple[Array, Array] | None:
        return self.normalised_bounds(lists, self.dcg, self.base)
