"""Adjusted p-values and the intervals that agree with them, for one family of comparisons."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.errors import DataError, OptionError, choice, counted
from fuzzytruth.stats.axes import Over, in_words
from fuzzytruth.stats.contrasts import Contrasts, each_system
from fuzzytruth.stats.corrections import adjust, check_correction, interval_level
from fuzzytruth.stats.estimates import Estimates
from fuzzytruth.stats.label_permutation import permuted_ranges
from fuzzytruth.stats.observations import Observations
from fuzzytruth.stats.settings import Resampling
from fuzzytruth.stats.sign_flips import max_t

Null = Literal["partial", "complete"]
Ends = tuple[Floats, Floats, Floats]

MAX_T = "max-t"
LABELS = "permuted labels"
NONE = "none"


@dataclass(frozen=True, slots=True, eq=False)
class Family:
    """A family of comparisons, and the correction for their number.

    Parameters
    ----------
    measures : tuple of str
        The measures whose comparisons are one family.
    observed : tuple of Observations
        One per measure.
    pairs : Contrasts
    baseline : int or None
        Index of the system that all others are compared with.
    over : tuple of str
    correction : str
        "max-t", "permuted labels", "none" or one of statsmodels'.
    level : float
    using : Resampling
    """

    measures: tuple[str, ...]
    observed: tuple[Observations, ...]
    pairs: Contrasts
    baseline: int | None
    over: Over
    correction: str
    level: float
    using: Resampling

    def split(self) -> list[Family]:
        """One family for each measure."""
        return [
            replace(self, measures=(name,), observed=(one,))
            for name, one in zip(self.measures, self.observed, strict=True)
        ]

    def adjusted(self, estimates: list[Estimates]) -> list[Ends]:
        """Lower and upper ends and adjusted p of each measure's pairs, from its estimates."""
        if self.correction == MAX_T:
            return self._by_sign_flips()
        if self.correction == LABELS:
            each = zip(self.measures, self.observed, estimates, strict=True)
            return [self._by_labels(*one) for one in each]
        p = np.concatenate([one.p_value() for one in estimates])
        tests = int((~np.isnan(p)).sum())
        level = self.level
        if self.correction != NONE:
            p = adjust(p, self.correction, level=self.level)
            level = interval_level(self.correction, self.level, tests) or self.level
        parts = np.split(p, len(estimates))
        return [(*one.interval(level), part) for one, part in zip(estimates, parts, strict=True)]

    def _by_sign_flips(self) -> list[Ends]:
        """Centred sign flips, jointly for all measures of the family."""
        differences = [observed.by_query(self.pairs).T for observed in self.observed]
        maxima = max_t(np.concatenate(differences, axis=1), self.using)
        ends = (*maxima.interval(self.level), maxima.p_adjusted)
        parts = [np.split(end, len(self.measures)) for end in ends]
        return [(lower, upper, p) for lower, upper, p in zip(*parts, strict=True)]

    def _by_labels(self, measure: str, observed: Observations, estimates: Estimates) -> Ends:
        """Permuted labels, of complete tables."""
        values = observed.by_query(each_system(len(observed.values))).T
        values = values[~np.isnan(values).all(axis=1)]
        if np.isnan(values).any():
            raise DataError(
                f"null='complete': {counted(int(np.isnan(values).sum()), 'value')} of "
                f"{measure} missing; labels can be permuted only where every system has a "
                "value: leave such "
                "queries out, or use null='partial'"
            )
        ranges = permuted_ranges(values, self.using, baseline=self.baseline)
        half, value = ranges.half_width(self.level), estimates.value
        return value - half, value + half, ranges.p_adjusted(value)


def resolve(correction: str | None, null: str, over: Over, tests: int, across: bool) -> str:
    """The correction to use; None chooses one by the design.

    Raises
    ------
    OptionError
        The correction or the null is unknown, or they do not go together.
    """
    choice("null", null, ("partial", "complete"))
    if null == "complete":
        if correction is not None or over != ("query",) or across:
            raise OptionError(
                "null='complete': permuted labels are an adjustment of their own, over queries "
                "and within one measure; leave out correction= and across_measures=, and use "
                "over='query'"
            )
        return LABELS
    if correction is None:
        return NONE if tests == 1 else MAX_T if over == ("query",) else "bonferroni"
    if correction == MAX_T and over != ("query",):
        raise OptionError(
            f"correction='max-t': flips signs of queries and cannot be used over {in_words(over)}; "
            "use 'bonferroni' or 'holm'"
        )
    return correction if correction in (MAX_T, NONE) else check_correction(correction)


def kind_of_interval(correction: str, tests: int) -> str:
    """Kind of intervals: "simultaneous", "single" (one comparison) or "unadjusted"."""
    if tests == 1 and correction == NONE:
        return "single"
    joint = correction in (MAX_T, LABELS, "bonferroni", "sidak")
    return "simultaneous" if joint else "unadjusted"
