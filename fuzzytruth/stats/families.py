"""Adjusted p-values and the intervals that agree with them, for one family of comparisons."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.core.samples import mean_where_there
from fuzzytruth.errors import DataError, OptionError, choice
from fuzzytruth.stats.axes import Over, in_words
from fuzzytruth.stats.corrections import adjust, check_correction, interval_level
from fuzzytruth.stats.estimates import Estimates
from fuzzytruth.stats.flips import max_t
from fuzzytruth.stats.labels import permuted_ranges
from fuzzytruth.stats.rows import Rows, per_query
from fuzzytruth.stats.settings import Resampling

if TYPE_CHECKING:
    from fuzzytruth.evaluation.scores import Scores

Null = Literal["partial", "complete"]
Ends = tuple[Floats, Floats, Floats]

MAX_T = "max-t"
LABELS = "permuted labels"
NONE = "none"


@dataclass(frozen=True, slots=True, eq=False)
class Family:
    """What is compared, and how errors are held over all of it.

    Parameters
    ----------
    scores : Scores
    measures : tuple of int
        Places of the measures whose comparisons are one family.
    rows : Rows
        Pairs.
    baseline : int or None
        Place of the system that all others are compared with.
    over : tuple of str
    correction : str
        "max-t", "permuted labels", "none" or one of statsmodels'.
    level : float
    using : Resampling
    """

    scores: Scores
    measures: tuple[int, ...]
    rows: Rows
    baseline: int | None
    over: Over
    correction: str
    level: float
    using: Resampling

    def adjusted(self, found: list[Estimates]) -> list[Ends]:
        """Lower and upper ends and adjusted p of each measure's rows, from its estimates."""
        if self.correction == MAX_T:
            return self._by_flips()
        if self.correction == LABELS:
            return [self._by_labels(m, one) for m, one in zip(self.measures, found, strict=True)]
        p = np.concatenate([one.p_value() for one in found])
        tests = int((~np.isnan(p)).sum())
        level = self.level
        if self.correction != NONE:
            p = adjust(p, self.correction, level=self.level)
            level = interval_level(self.correction, self.level, tests) or self.level
        parts = np.split(p, len(found))
        return [(*one.interval(level), part) for one, part in zip(found, parts, strict=True)]

    def _by_flips(self) -> list[Ends]:
        """Centred sign flips, jointly for all measures of the family."""
        differences = [per_query(self.scores, m, self.rows).T for m in self.measures]
        found = max_t(np.concatenate(differences, axis=1), self.using)
        ends = (*found.interval(self.level), found.p_adjusted)
        parts = [np.split(end, len(self.measures)) for end in ends]
        return [(lower, upper, p) for lower, upper, p in zip(*parts, strict=True)]

    def _by_labels(self, measure: int, found: Estimates) -> Ends:
        """Permuted labels, of complete tables."""
        values = mean_where_there(self.scores.values[:, measure], axis=1).T
        values = values[~np.isnan(values).all(axis=1)]
        if np.isnan(values).any():
            raise DataError(
                f"null='complete': {int(np.isnan(values).sum()):,} values of "
                f"{self.scores.measures[measure]} are missing; labels can be permuted only where "
                "every system has a value: leave such queries out, or use null='partial'"
            )
        ranges = permuted_ranges(values, self.using, baseline=self.baseline)
        half = ranges.half_width(self.level)
        return found.value - half, found.value + half, ranges.p_adjusted(found.value)


def resolve(correction: str | None, null: str, over: Over, tests: int, across: bool) -> str:
    """The correction to use; None is what fits the design.

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
            f"correction='max-t': flips the signs of queries, and over {in_words(over)} more is "
            "random; use 'bonferroni' or 'holm'"
        )
    return correction if correction in (MAX_T, NONE) else check_correction(correction)


def kind_of_interval(correction: str, tests: int) -> str:
    """Say "simultaneous", "single" (one comparison) or "unadjusted"."""
    if tests == 1 and correction == NONE:
        return "single"
    joint = correction in (MAX_T, LABELS, "bonferroni", "sidak")
    return "simultaneous" if joint else "unadjusted"
