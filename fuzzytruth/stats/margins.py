"""Equivalence and non-inferiority: differences within a margin, over whatever is random."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.core import student
from fuzzytruth.core.rounding import without_rounding
from fuzzytruth.core.validation import between_zero_and_one, option_number
from fuzzytruth.errors import OptionError, require
from fuzzytruth.stats.laws import Law, SymmetricLaw


class Fitted(Protocol):
    """Estimates of differences, and the law of their errors."""

    @property
    def value(self) -> Floats:
        """Estimates: (rows,)."""
        ...

    @property
    def std_error(self) -> Floats:
        """Standard errors: (rows,)."""
        ...

    @property
    def law(self) -> Law:
        """Of the errors."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class MarginTest:
    """Outcome of tests against a margin: (rows,) each.

    Parameters
    ----------
    statistic, p, lower, upper : float
    level : float
        Of the two-sided interval, or of the one-sided one.
    """

    statistic: Floats
    p: Floats
    lower: Floats
    upper: Floats
    level: float


def check_margin(given: Any) -> float:
    """A margin above 0.

    Raises
    ------
    OptionError
        It is 0 or below.
    """
    is_flag = isinstance(given, (bool, np.bool_))
    require("margin", given, not is_flag and given is not None, "must be a number above 0")
    margin = option_number("margin", given)
    if margin <= 0:
        raise OptionError(f"margin={margin:g}: must be above 0")
    return margin


def check_level(given: Any) -> float:
    """A confidence level above ½.

    Raises
    ------
    OptionError
        It is something else.
    """
    level = between_zero_and_one("level", given)
    if level <= 0.5:
        raise OptionError(f"level={level:g}: must be above 0.5")
    return level


def two_one_sided(fitted: Fitted, margin: float, level: float) -> MarginTest:
    """Null: the difference is `margin` or more in size.

    `statistic` is the smaller and `p` the larger of both one-sided tests; the interval, of level
    2 · `level` - 1, lies within the margin exactly where p is 1 - `level` or less.
    """
    law = _unaware(fitted.law)
    to_margin = without_rounding(margin - np.abs(fitted.value), margin)
    # 2 · level - 1 without its rounding error
    of_interval = round(2 * level - 1, 12)
    lower, upper = law.interval(fitted.value, of_interval, "two-sided")
    return MarginTest(
        _t(to_margin, fitted), law.p_value(to_margin, "greater"), lower, upper, of_interval
    )


def not_inferior(fitted: Fitted, margin: float, level: float) -> MarginTest:
    """Null: the difference, of which higher is better, is -`margin` or less.

    The interval, open above, lies above -`margin` exactly where p is 1 - `level` or less.
    """
    law = _unaware(fitted.law)
    above = without_rounding(margin + fitted.value, margin)
    lower, upper = law.interval(fitted.value, level, "greater")
    return MarginTest(_t(above, fitted), law.p_value(above, "greater"), lower, upper, level)


def _unaware(law: Law) -> Law:
    """The law of differences that may be anything, also where the systems seem identical.

    Raises
    ------
    OptionError
        It describes worlds, and no sample.
    """
    if isinstance(law, SymmetricLaw):
        return law.with_unknown()
    raise OptionError(
        "margin=: independent worlds are no sample, so that nothing can be tested over them; use "
        "over='query', or worlds='subject' or 'population'"
    )


def _t(distance: Floats, fitted: Fitted) -> Floats:
    """Distance over standard error; NaN where there is no value."""
    t = student.statistic(distance, fitted.std_error)
    return np.where(np.isnan(fitted.value), np.nan, t)
