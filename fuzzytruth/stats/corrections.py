"""Adjusted p-values: all of statsmodels' corrections, by name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from fuzzytruth._typing import Floats
from fuzzytruth.core import student
from fuzzytruth.core.arithmetic import without_rounding
from fuzzytruth.core.validation import between_zero_and_one, option_number, probabilities
from fuzzytruth.errors import DataError, OptionError, require, shown
from fuzzytruth.stats.laws import Law, SymmetricLaw

#: name -> the error rate that it controls
CORRECTIONS = {
    "bonferroni": "family-wise error",
    "sidak": "family-wise error, independent or positively dependent tests",
    "holm": "family-wise error",
    "holm-sidak": "family-wise error, independent or positively dependent tests",
    "simes-hochberg": "family-wise error, independent or positively dependent tests",
    "hommel": "family-wise error, independent or positively dependent tests",
    "fdr_bh": "false discovery rate, independent or positively dependent tests",
    "fdr_by": "false discovery rate, any dependence",
    "fdr_tsbh": "false discovery rate, two stages, independent tests",
    "fdr_tsbky": "false discovery rate, two stages, independent tests",
    "fdr_gbs": "false discovery rate, adaptive, independent tests",
    "lfdr": "false discovery rate of the last rejection, independent tests; statsmodels 0.15",
}


def check_correction(name: object) -> str:
    """Name of a known correction.

    Raises
    ------
    OptionError
        The name is unknown.
    """
    if isinstance(name, str) and name in CORRECTIONS:
        return name
    raise OptionError(
        f"correction={shown(name)}: must be None (chosen by the design), 'max-t', 'sign-flips' "
        "(these in comparisons over queries), 'none', or one of "
        f"{', '.join(map(repr, CORRECTIONS))}"
    )


#: the names as papers write them
WRITTEN = {
    "bonferroni": "Bonferroni",
    "sidak": "Šidák",
    "holm": "Holm",
    "holm-sidak": "Holm-Šidák",
    "simes-hochberg": "Simes-Hochberg",
    "hommel": "Hommel",
    "fdr_bh": "Benjamini-Hochberg",
    "fdr_by": "Benjamini-Yekutieli",
    "fdr_tsbh": "two-stage Benjamini-Hochberg",
    "fdr_tsbky": "two-stage Benjamini-Krieger-Yekutieli",
    "fdr_gbs": "adaptive Gavrilov-Benjamini-Sarkar",
    "lfdr": "local false discovery rates",
}


def adjust(p: ArrayLike, correction: str, *, level: float = 0.95) -> Floats:
    """Adjust the p-values of one family.

    Parameters
    ----------
    p : (tests,) float
        NaN is a test without a result: it stays NaN and does not count.
    correction : str
        A name of statsmodels' `multipletests`; see `CORRECTIONS`.
    level : float
        1 - alpha; the two-stage and adaptive procedures depend on it.

    Returns
    -------
    (tests,) float

    Raises
    ------
    OptionError
        The correction is unknown.
    DataError
        A p is outside [0, 1].

    References
    ----------
    statsmodels.stats.multitest.multipletests; Holm 1979, Hommel 1988, Benjamini & Hochberg 1995,
    Benjamini & Yekutieli 2001, Benjamini, Krieger & Yekutieli 2006, Gavrilov et al. 2009.

    Examples
    --------
    >>> import fuzzytruth as ft
    >>> ft.stats.adjust([0.01, float("nan"), 0.04], "holm").tolist()
    [0.02, nan, 0.04]
    """
    check_correction(correction)
    alpha = 1 - between_zero_and_one("level", level)
    given = np.asarray(p, dtype=np.float64)
    if given.ndim != 1:
        raise DataError(f"p: must be a list of numbers, not an array of shape {given.shape}")
    known = ~np.isnan(given)
    out = np.full(given.shape, np.nan)
    tests = probabilities("p", given[known])
    if not len(tests):
        return out
    if correction == "bonferroni":  # importing statsmodels takes longer than a comparison
        out[known] = np.minimum(tests * len(tests), 1.0)
        return out
    from statsmodels.stats.multitest import multipletests

    try:
        with np.errstate(all="ignore"):  # it divides by 1 - p, and by p
            adjusted = multipletests(tests, alpha=alpha, method=correction)[1]
    except ValueError as error:  # not in this version of statsmodels
        raise OptionError(f"correction={correction!r}: statsmodels: {error}") from None
    out[known] = np.clip(adjusted, 0.0, 1.0)
    return out


def interval_level(correction: str, level: float, tests: int) -> float | None:
    """Level at which every interval agrees with its adjusted p; None if no level does."""
    if tests <= 1:
        return level
    if correction == "bonferroni":
        return 1 - (1 - level) / tests
    return float(level ** (1 / tests)) if correction == "sidak" else None


# Equivalence and non-inferiority: differences within a margin, over whatever is random.


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
