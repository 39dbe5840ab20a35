"""Cumulated gain, plain, discounted and normalised."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Self

import numpy as np

from fuzzytruth._typing import Array, Bools
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.core.lists.measure_bounds import gain_levels, normalised_gain_bounds
from fuzzytruth.errors import MeasureError, shown
from fuzzytruth.measures import exact
from fuzzytruth.measures.families import OfRelevant, RankWeighted
from fuzzytruth.measures.measure import as_value, one_of, print_value, real
from fuzzytruth.measures.registry import define
from fuzzytruth.measures.ties import tied_groups
from fuzzytruth.truth.batch import Batch, Gains, Judged
from fuzzytruth.truth.inputs import ItemProbabilities, UnjudgedItems

# Gains of grades that a user gives: ``gains={0: 0, 1: 1, 2: 3}``.


_RULE = "gains must be {grade: gain} with gains of 0 or more, such as {0: 0, 1: 1, 2: 3}"


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class GradeGains(Mapping[float, float]):
    """Gain of each listed grade; other grades are their own gains, or 0 below 0.

    A mapping that is hashable, prints as ``{0:0,1:1,2:3}`` and is read from such a text.

    Parameters
    ----------
    pairs : tuple of (grade, gain)
        Grades ascending and distinct.

    Examples
    --------
    >>> gains = GradeGains.of({1: 1, 2: 3})
    >>> str(gains), gains(np.array([-1.0, 0.5, 2.0])).tolist()
    ('{1:1,2:3}', [0.0, 0.5, 3.0])
    """

    pairs: tuple[tuple[float, float], ...]

    @classmethod
    def of(cls, given: Any) -> Self:
        """From a mapping, or a text as `str` gives it.

        Raises
        ------
        MeasureError
            It is neither, it is empty, a grade is listed twice, or a number is not finite or, of a
            gain, below 0.
        """
        entries = _entries(given) if isinstance(given, str) else given
        if not isinstance(entries, Mapping) or not entries:
            raise MeasureError(f"gains={shown(given)}: {_RULE}")
        pairs = {_number(grade, given): _number(gain, given) for grade, gain in entries.items()}
        if len(pairs) < len(entries) or min(pairs.values()) < 0:
            raise MeasureError(f"gains={shown(given)}: {_RULE}")
        return cls(tuple(sorted(pairs.items())))

    def __getitem__(self, grade: float) -> float:
        return dict(self.pairs)[grade]

    def __iter__(self) -> Iterator[float]:
        return iter(dict(self.pairs))

    def __len__(self) -> int:
        return len(self.pairs)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mapping) and dict(self) == dict(other)

    def __hash__(self) -> int:
        return hash(self.pairs)

    def __str__(self) -> str:
        listed = (f"{print_value(grade)}:{print_value(gain)}" for grade, gain in self.pairs)
        return f"{{{','.join(listed)}}}"

    __repr__ = __str__

    def __call__(self, grade: Array) -> Array:
        """Gain of each grade; 0 for a missing one (NaN)."""
        listed, gain = np.array(self.pairs, dtype=np.float64).T
        place = np.minimum(np.searchsorted(listed, grade), len(listed) - 1)
        return np.where(listed[place] == grade, gain[place], np.fmax(grade, 0.0))

    def peaks_at(self, top_grade: float, grades: Array) -> bool:
        """Whether 0 has no gain, and the top grade the largest of all `grades` and listed ones."""
        listed = np.array([grade for grade, _ in self.pairs if grade <= top_grade])
        gain = self(np.concatenate((listed, grades, [0.0, top_grade])))
        return bool(gain[-2] == 0 and gain[-1] == gain.max())

    @property
    def threshold(self) -> float | None:
        """The lowest grade with a gain; None: any above 0."""
        early = [grade for grade, gain in self.pairs if grade <= 0 < gain]
        if early:
            return min(early)
        positive = [(grade, gain) for grade, gain in self.pairs if grade > 0]
        with_gain = [grade for grade, gain in positive if gain > 0]
        first = min(with_gain, default=math.inf)
        without = [grade for grade, gain in positive if gain == 0 and grade < first]
        if not without:
            return None
        return first if with_gain else math.nextafter(max(without), math.inf)


def _entries(text: str) -> dict[str, str]:
    """Grades and gains of ``{0:0,1:1}``, as texts."""
    inside = text.strip().removeprefix("{").removesuffix("}")
    pairs = [part.partition(":") for part in inside.split(",") if part.strip()]
    entries = {grade.strip(): gain.strip() for grade, _, gain in pairs}
    if len(entries) < len(pairs) or not text.strip().startswith("{"):
        raise MeasureError(f"gains={shown(text)}: {_RULE}")
    return entries


def _number(value: Any, given: Any) -> float:
    number = as_value(value)
    if (
        isinstance(number, bool)
        or not isinstance(number, (int, float))
        or not math.isfinite(number)
    ):
        raise MeasureError(f"gains={shown(given)}: {_RULE}")
    return number


def discounts(dcg: str, rank: Array, base: float = 2.0) -> Array:
    """Discount of each rank (from 1)."""
    if dcg == "none":
        return np.ones(len(rank))
    if dcg == "jarvelin":
        divisor: Array = np.maximum(1.0, np.log(rank) / np.log(base))
    else:
        divisor = np.log2(rank + 1.0)
    return 1 / divisor


def _discount_at(rank: Array, dcg: str, base: float) -> Array:
    """Discount of each rank, from a table where there are fewer distinct ranks than hits."""
    deepest = int(rank.max(initial=0))
    if deepest > len(rank):
        return discounts(dcg, rank, base)
    return np.asarray(discounts(dcg, np.arange(1, deepest + 1), base)[rank - 1])


def cumulative_discount(dcg: str, depth: int, base: float = 2.0) -> Array:
    """Sum of the discounts of the first 0, 1, ..., `depth` ranks: (depth + 1,) float."""
    out = np.zeros(depth + 1)
    np.cumsum(discounts(dcg, np.arange(1, depth + 1), base), out=out[1:])
    return out


_ROUNDING = 1e-14  # a perfect list has 1, which only rounding keeps it from
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
class GainMeasure(RankWeighted):
    """Base class of the measures of cumulated gain.

    ``gains={1: 1, 2: 3}`` sets the gain of grades; one that is not listed is its own gain, as in
    trec_eval and ir_measures.
    """

    gains: Any = None
    dcg = "none"
    base = 2.0

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.gains is not None:
            object.__setattr__(self, "gains", GradeGains.of(self.gains))

    @property
    def threshold(self) -> float | None:
        """The lowest grade with a gain; None: any above 0."""
        return None if self.gains is None else GradeGains.of(self.gains).threshold

    def gain_of_grades(self) -> Gains:
        """Gain of each grade: as given, else of the kind of DCG."""
        own: Gains | None = self.gains
        return partial(gains, self.dcg) if own is None else own

    def worth(self, grade: Array, top_grade: float) -> Array:
        return self.gain_of_grades()(grade)

    def weight(self, rank: Array) -> Array:
        return _discount_at(rank, self.dcg, self.base)

    def weight_up_to(self, rank: Array) -> Array:
        return cumulative_discount(self.dcg, int(rank.max(initial=0)), self.base)[rank]

    def bounds(self, lists: UnjudgedItems) -> tuple[Array, Array] | None:
        return super().bounds(lists) if self.rises_to(lists) else None

    def rises_to(self, lists: UnjudgedItems) -> bool:
        """Whether no grade has a larger gain than the top one."""
        own = self.gains is None or self.gains.peaks_at(lists.top_grade, lists.grades[0])
        return bool(own)


class NormalisedGain(GainMeasure):
    """Base class of gains as a share of that of the best order of all judged items."""

    needs_relevant = True
    exact_for_ties = True

    def ideal_gain(self, batch: Batch) -> Array:
        """Discounted gain of the best order of all judged items: (worlds, queries)."""
        judged, value = batch.judged, self.gain_of_grades()
        depth = judged.most if self.k is None else min(judged.most, self.k)
        cumulative = cumulative_discount(self.dcg, depth, self.base)
        if self.gains is None:  # gains are in the order of the grades
            return judged.best_gain((self.dcg, self.base, self.k), value, cumulative)
        total = np.zeros((batch.n_worlds, batch.n_queries))
        for gain, above, number in counts_by_gain(judged, value):
            up_to, before = (cumulative[np.minimum(n, depth)] for n in (number, above))
            total += gain * (up_to - before)
        return total

    def bounds(self, lists: UnjudgedItems) -> tuple[Array, Array] | None:
        if not self.rises_to(lists):
            return None
        inside, value = lists.within(self.k), self.gain_of_grades()
        top = float(value(np.asarray(lists.top_grade)))
        levels = gain_levels(value(lists.grades[0]), lists.offsets, top)
        n_items = np.diff(lists.offsets) + (lists.n_open + lists.outside)[0]
        ideal_depth = min(int(n_items.max(initial=0)), self.k or np.inf)
        depth = np.arange(1, max(inside.gain.shape[-1], ideal_depth) + 1)
        gain, unjudged = value(inside.gain[0]), inside.unjudged[0]
        return normalised_gain_bounds(
            gain, unjudged, inside.outside[0], levels, self.weight(depth), self.k
        )

    def moments(self, probabilities: ItemProbabilities) -> tuple[Array, None] | None:
        if not probabilities.countable:
            return None

        def ideal(number: int) -> Array:
            return self.weight_up_to(np.minimum(np.arange(1, number + 1), self.k or number))

        weight, value = self.mean_weight(probabilities), self.gain_of_grades()
        mean = exact.mean_normalised_gain(probabilities, value, weight, self.k, ideal)
        return None if mean is None else (mean, None)

    def score(self, batch: Batch) -> Array:
        share = divide(self.list_sum(batch), self.ideal_gain(batch))
        return np.where(share > 1 - _ROUNDING, 1.0, share)


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
    return value(grade) >= gain


@define("cumulated_gain")
class CG(GainMeasure):
    """Cumulated gain: sum of the grades of the first k items."""

    formula = r"\sum_{i=1}^{k} g_i"
    reference = "Järvelin & Kekäläinen 2002"
    range = (0.0, math.inf)


@define("ncumulated_gain")
class nCG(NormalisedGain):
    """Cumulated gain as a share of the best possible.

    The best is that of the best order of all judged items.
    """

    formula = r"\frac{\sum_{i=1}^{k} g_i}{\sum_{i=1}^{k} g^*_i}"
    reference = "Järvelin & Kekäläinen 2002"


@dataclasses.dataclass(frozen=True, repr=False, kw_only=True)
class Discounted(GainMeasure):
    """Kind of DCG: its gains and discounts."""

    dcg: str = one_of("log2", "jarvelin", "burges")
    base: float = real(2.0, above=1)

    def __post_init__(self) -> None:
        if self.dcg in ("exp-log2", "exp_log2"):  # ir_measures' name
            object.__setattr__(self, "dcg", "burges")
        super().__post_init__()
        alone = self.gains is None or self.dcg != "burges"
        self.require(alone, "gains and dcg=burges both set gains; use dcg=log2 with gains")
        applies = self.base == 2 or self.dcg == "jarvelin"
        self.require(applies, "base is a parameter of dcg=jarvelin only")


@define("discounted_cumulated_gain", dcg_burges={"dcg": "burges"})
class DCG(Discounted):
    """Discounted cumulated gain: sum of the grades, discounted by rank.

    ``dcg="log2"`` is g / log2(i + 1) (trec_eval), ``"burges"`` (2^g - 1) / log2(i + 1),
    ``"jarvelin"`` g / max(1, log_b i) with b = `base` (the original; SHREC, NIST).
    """

    formula = r"\sum_{i=1}^{k} \frac{g_i}{\log_2(i + 1)}"
    reference = "Järvelin & Kekäläinen 2002; Burges et al. 2005"
    range = (0.0, math.inf)


@define("normalized_dcg", "normalizeddcg", ndcg_burges={"dcg": "burges"})
class nDCG(Discounted, NormalisedGain):
    """Discounted cumulated gain as a share of the best possible.

    The best is that of the best order of all judged items. `dcg` and `base` are those of `DCG`;
    without them this is trec_eval's nDCG.
    """

    formula = r"\frac{\sum_{i=1}^{k} g_i / \log_2(i + 1)}{\sum_{i=1}^{k} g^*_i / \log_2(i + 1)}"
    reference = "Järvelin & Kekäläinen 2002; trec_eval"
    exact_for_ties = True


# Experimental measures of trec_eval: gains against the ideal list, at several ranks or all.


def _discounts_within(batch: Batch, depth: Array, cumulative: Array) -> Array:
    """(Mean) discount of each hit's ranks, 0 beyond a depth (worlds, queries): (worlds, hits)."""
    limit = batch.per_hit(depth)
    if not batch.tied:
        return np.asarray(np.diff(cumulative)[batch.first - 1] * (batch.first <= limit))
    ends = cumulative[np.minimum(batch.last, limit)]
    sums = ends - cumulative[np.minimum(batch.first - 1, limit)]
    return np.asarray(sums / (batch.last - batch.first + 1))


class OverRanks(GainMeasure):
    """Base class of those of all ranks, without a cut-off."""

    reference = "trec_eval"
    needs_relevant = True
    cutoff_use = "none"


@define()
class Rndcg(OverRanks):
    """Mean nDCG at the numbers of items that have each gain or more.

    These are the ranks where the gain of the ideal list falls. The list's end counts, too, where it
    is longer than the number of items with a gain by 2 or more. `gains` are those of `nDCG`.
    """

    formula = r"\frac{1}{|D|} \sum_{d \in D} \mathrm{nDCG@} d"

    def score(self, batch: Batch) -> Array:
        value = self.gain_of_grades()
        gain, every = batch.values_of(value), batch.depth(None)
        cumulative = cumulative_discount("log2", every)
        total = np.zeros((batch.n_worlds, batch.n_queries))
        points, ideal = np.zeros_like(total), np.zeros_like(total)
        number: Array = np.zeros(total.shape, dtype=np.int64)
        for some_gain, above, number in counts_by_gain(batch.judged, value):
            weight = _discounts_within(batch, number, cumulative)
            ideal += some_gain * (cumulative[number] - cumulative[above])
            changes = number > above
            total += changes * divide(batch.per_query(gain * weight), ideal)
            points += changes
        longer = (batch.length > number + 1) & (ideal > 0)
        whole = _discounts_within(batch, np.full(total.shape, every), cumulative)
        total += longer * divide(batch.per_query(gain * whole), ideal)
        return divide(total, points + longer)


@define()
class ndcg_rel(OverRanks):
    """Mean nDCG at the ranks of the relevant items.

    Relevant are the items with a gain. For one that is not retrieved it is nDCG of the whole list.
    `gains` are those of `nDCG`.
    """

    formula = (
        r"\frac{1}{M} \left( \sum_{i \le n, \; g_i > 0} \mathrm{nDCG@} i "
        r"+ m \cdot \mathrm{nDCG} \right)"
    )
    expects_ties = False

    def score(self, batch: Batch) -> Array:
        value = self.gain_of_grades()
        gain = batch.values_of(value)
        gained = gain * discounts("log2", batch.first)
        cumulative = cumulative_discount("log2", batch.depth(None))
        best = np.zeros((batch.n_worlds, batch.n_queries))
        best_so_far = np.zeros(gain.shape)
        most = np.zeros_like(best)
        for some_gain, above, number in counts_by_gain(batch.judged, value):
            most = np.maximum(most, number)
            best += some_gain * (cumulative[number] - cumulative[above])
            before, up_to = (np.minimum(batch.per_hit(n), batch.first) for n in (above, number))
            best_so_far += some_gain * (cumulative[up_to] - cumulative[before])
        at_items = batch.per_query((gain > 0) * divide(batch.accumulated(gained), best_so_far))
        missed = most - batch.per_query(gain > 0)
        return divide(at_items + missed * divide(batch.per_query(gained), best), most)


@define()
class G(OverRanks):
    """Normalised gain: gains, discounted by the gain that the list has missed so far.

    An item of gain g at rank i adds g / log2(2 + C(i) - G(i)), where G(i) is the gain of the first
    i items, and C(i) that of the ideal list, a gain below 1 counting as 1. The sum is divided by
    all gains. `gains` are those of `nDCG`.
    """

    formula = (
        r"\frac{1}{\sum_i g^*_i} \sum_{i=1}^{n} "
        r"\frac{g_i}{\log_2 \left( 2 + \sum_{j \le i} (\max(g^*_j, 1) - g_j) \right)}"
    )
    expects_ties = False

    def score(self, batch: Batch) -> Array:
        value = self.gain_of_grades()

        def beyond_1(grade: Array) -> Array:
            return np.asarray(np.maximum(value(grade), 1.0) - 1.0)

        gain = batch.values_of(value)
        cost = np.zeros(gain.shape) + batch.first
        for some_gain, above, number in counts_by_gain(batch.judged, beyond_1):
            before, up_to = (np.minimum(batch.per_hit(n), batch.first) for n in (above, number))
            cost += some_gain * (up_to - before)
        lag = cost - batch.accumulated(gain)
        every = np.zeros((batch.n_worlds, batch.n_queries))
        for some_gain, above, number in counts_by_gain(batch.judged, value):
            every += some_gain * (number - above)
        return divide(batch.per_query(gain / np.log2(2 + lag)), every)


@define()
class binG(OfRelevant):
    """Binary gain: relevant items, discounted by the number of other items before them.

    The mean, over the relevant items, of 1 / log2(2 + the number of other items before each).
    """

    formula = r"\frac{1}{R} \sum_{i=1}^{n} \frac{r_i}{\log_2(2 + i - h_i)}"
    reference = "trec_eval"
    cutoff_use = "none"

    def score(self, batch: Batch) -> Array:
        relevant, every = batch.relevant(self.rel), batch.n_relevant(self.rel)
        deepest = int(batch.last.max(initial=0))
        value = 1 / np.log2(2 + np.arange(deepest + 1))  # by the number of other items before
        if not batch.tied:
            before = np.maximum(batch.first - batch.running(relevant), 0)
            return divide(batch.per_query(relevant * value[before]), every)
        groups = tied_groups(batch)
        count = groups.count(relevant)  # (worlds, groups)
        before = groups.first - 1 - groups.before(count)
        beside = groups.size - count
        # A relevant item comes after 0..beside of the others tied with it, all equally likely.
        sums = np.append(0.0, np.cumsum(value))
        end = np.minimum(before + beside + 1, deepest + 1)
        mean = divide(sums[end] - sums[before], beside + 1)
        return divide(groups.per_query(count * mean), every)
