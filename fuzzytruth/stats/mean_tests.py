"""Tests of a mean difference: Student's t, equivalence, sign flips and the shifted bootstrap.

Input and missing values: see `fuzzytruth.stats.paired`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from fuzzytruth._typing import Floats
from fuzzytruth.core import student
from fuzzytruth.core.exact_sums import tied_share
from fuzzytruth.core.rounding import without_rounding
from fuzzytruth.core.samples import samples
from fuzzytruth.core.validation import between_zero_and_one, number
from fuzzytruth.errors import OptionError
from fuzzytruth.stats.bootstrap import resampled_means
from fuzzytruth.stats.paired import UNDEFINED, PairedOutcome, contrasts_of, one_pair, scale_of
from fuzzytruth.stats.settings import Purpose, Resampling
from fuzzytruth.stats.sign_flips import sign_flip_p


def paired_t(differences: ArrayLike, *, level: float = 0.95) -> PairedOutcome:
    """Student's paired t test, two-sided, with its interval.

    Null: the mean difference over the population of queries is 0. For a single query p is 1 and the
    interval infinite; where all differences agree, the interval is a point and p is 1 or 0.

    Parameters
    ----------
    differences : (queries,) or (queries, contrasts) float
        NaN is missing.
    level : float
        Confidence level of the interval.

    Returns
    -------
    PairedOutcome
        `estimate` is the mean difference, `statistic` its t.

    References
    ----------
    Student 1908, The probable error of a mean, Biometrika 6.

    Examples
    --------
    >>> import fuzzytruth as ft
    >>> outcome = ft.stats.paired_t([0.2, 0.1, 0.3])
    >>> round(float(outcome.p), 4)
    0.0742
    """
    level = between_zero_and_one("level", level)
    values, at = contrasts_of(differences)
    moments = samples(values)  # (contrasts,)
    df = np.maximum(moments.n - 1.0, 0.0)
    width = student.quantile(level, df)
    lower, upper = student.ends(moments.mean, moments.std_error, width)
    p = student.p_value(moments.mean, moments.std_error, df)
    t = _t(moments.mean, moments.std_error)
    return PairedOutcome(moments.n[at], moments.mean[at], t[at], p[at], lower[at], upper[at], level)


def equivalence(differences: ArrayLike, *, margin: float, level: float = 0.95) -> PairedOutcome:
    """Two one-sided t tests (TOST) of whether the mean difference is within ± `margin`.

    Null: the mean difference is `margin` or more in size, so that a small p shows equivalence. The
    interval is that of level 2 · `level` - 1: it lies within the margin exactly where p is
    1 - `level` or less.

    Parameters
    ----------
    differences : (queries,) or (queries, contrasts) float
        NaN is missing.
    margin : float
        Above 0, in units of the differences.
    level : float
        Above ½.

    Returns
    -------
    PairedOutcome
        `estimate` is the mean difference, `statistic` the smaller t and `p` the larger p of both.

    Raises
    ------
    OptionError
        `margin` or `level` is out of its range.

    References
    ----------
    Schuirmann 1987, Journal of Pharmacokinetics and Biopharmaceutics 15.

    Examples
    --------
    >>> import fuzzytruth as ft
    >>> round(float(ft.stats.equivalence([0.02, -0.01, 0.03, 0.0], margin=0.05).p), 4)
    0.011
    """
    margin, level = number("margin", margin), between_zero_and_one("level", level)
    if margin <= 0:
        raise OptionError(f"margin={margin:g}: must be above 0")
    if level <= 0.5:
        raise OptionError(f"level={level:g}: must be above 0.5")
    values, at = contrasts_of(differences)
    moments = samples(values)  # (contrasts,)
    df = np.maximum(moments.n - 1.0, 0.0)
    to_margin = margin - np.abs(moments.mean)
    t = _t(to_margin, moments.std_error)
    two_sided = student.p_value(to_margin, moments.std_error, df)
    p = np.where(t >= 0, two_sided / 2, 1 - two_sided / 2)
    p[moments.n == 1] = 1.0  # nothing is known of the spread
    interval_level = round(2 * level - 1, 12)
    width = student.quantile(2 * level - 1, df)
    lower, upper = student.ends(moments.mean, moments.std_error, width)
    return PairedOutcome(
        moments.n[at], moments.mean[at], t[at], p[at], lower[at], upper[at], interval_level
    )


def sign_flip(
    differences: ArrayLike,
    resampling: Resampling,
    *,
    scale: ArrayLike | None = None,
    mid_p: bool = False,
) -> PairedOutcome:
    """Fisher's randomisation test: the signs of the differences are flipped.

    Null: differences are independent and symmetric about 0. All 2ⁿ patterns of signs are enumerated
    if they are no more than the resamples; otherwise p = (b + 1) / (m + 1). All contrasts share the
    signs.

    Parameters
    ----------
    differences : (queries,) or (queries, contrasts) float
        NaN is missing.
    resampling : Resampling
    scale : float or (contrasts,) float, optional
        Largest |value| that the differences come from; see `fuzzytruth.stats.paired`.
    mid_p : bool
        Whether patterns whose |mean| equals the observed one, itself included, count half. For
        coarse measures, which have many ties, the error is closer to the level (P@10: .047 where
        the plain p gives .039 at .05), but it may exceed it: such a p is never called exact. p is 1
        where all differences are 0.

    Returns
    -------
    PairedOutcome
        `estimate` and `statistic` are the mean difference.

    References
    ----------
    Fisher 1935, The Design of Experiments, §21; Phipson & Smyth 2010, SAGMB 9; Lancaster 1961,
    Significance tests in discrete distributions, JASA 56 (mid-p).

    Examples
    --------
    >>> import fuzzytruth as ft
    >>> float(ft.stats.sign_flip([0.2, 0.1, 0.3], ft.stats.Resampling()).p)
    0.25
    """
    values, at = contrasts_of(differences)
    largest = scale_of(values, scale)
    values = without_rounding(values, largest)
    missing = np.isnan(values)
    moments = samples(values)  # (contrasts,)
    mean, n = without_rounding(moments.mean, largest), moments.n
    p, exact = np.full(n.shape, np.nan), True
    if n.any():
        some = values[~missing.all(axis=1)]
        p, exact = sign_flip_p(some, resampling, scale=largest, mid_p=mid_p)
        p = np.where(n > 0, p, np.nan)
    return PairedOutcome(n[at], mean[at], mean[at], p[at], exact=exact and not mid_p)


def bootstrap_shift(
    differences: ArrayLike, resampling: Resampling, *, scale: ArrayLike | None = None
) -> PairedOutcome:
    """Bootstrap test of the mean difference, the sample being shifted to mean 0.

    Null: the mean difference is 0, and the distribution is otherwise that of the sample.
    p = (b + 1) / (m + 1); for a single query it is 1.

    Parameters
    ----------
    differences : (queries,) float
        NaN is missing.
    resampling : Resampling
    scale : float, optional
        Largest |value| that the differences come from; see `fuzzytruth.stats.paired`.

    Returns
    -------
    PairedOutcome
        `estimate` and `statistic` are the mean difference.

    References
    ----------
    Efron & Tibshirani 1993, An Introduction to the Bootstrap, §16.4.

    Examples
    --------
    >>> import fuzzytruth as ft
    >>> ft.stats.bootstrap_shift([0.2, 0.1, 0.3], ft.stats.Resampling(999)).p
    0.001
    """
    d = one_pair(differences)
    if not len(d):
        return UNDEFINED
    largest = float(scale_of(d, scale))
    d = without_rounding(d, largest)
    mean = float(without_rounding(d.mean(), largest))
    drawn = resampled_means(d[None, :] - mean, resampling, Purpose.QUERIES)[0]  # (resamples,)
    extreme = np.abs(drawn) >= abs(mean) - tied_share(len(d)) * largest
    p = 1.0 if len(d) < 2 else float((extreme.sum() + 1) / (len(drawn) + 1))
    return PairedOutcome(len(d), mean, mean, p, exact=False)


def _t(mean: Floats, std_error: Floats) -> Floats:
    """Student's t; NaN where the mean is."""
    return np.where(np.isnan(mean), np.nan, student.statistic(mean, std_error))
