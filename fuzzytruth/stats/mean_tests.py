"""Tests of a mean difference: Student's t, equivalence, sign flips and the shifted bootstrap.

Input and missing values: see `stats.effects`.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from fuzzytruth.core.arithmetic import without_rounding
from fuzzytruth.core.clusters import samples
from fuzzytruth.core.exact_sums import tied_share
from fuzzytruth.core.validation import between_zero_and_one
from fuzzytruth.stats.bootstrap import resampled_means
from fuzzytruth.stats.effects import (
    UNDEFINED,
    PairedOutcome,
    contrasts_of,
    one_pair,
    scale_of,
    t_outcome,
)
from fuzzytruth.stats.laws import student_fit
from fuzzytruth.stats.multiplicity import (
    Fitted,
    MarginTest,
    check_level,
    check_margin,
    not_inferior,
    two_one_sided,
)
from fuzzytruth.stats.settings import Purpose, Resampling
from fuzzytruth.stats.sign_flips import sign_flip_p


def paired_t(
    differences: ArrayLike, *, level: float = 0.95, scale: ArrayLike | None = None
) -> PairedOutcome:
    """Student's paired t test, two-sided, with its interval.

    Null: the mean difference over the population of queries is 0. For a single query p is 1 and the
    interval infinite. Where all differences are equal and not 0 there is no t: p is 2¹⁻ⁿ, that of
    sign flips, and the interval a point if that is 1 - `level` or less, else infinite.

    Parameters
    ----------
    differences : (queries,) or (queries, contrasts) float
        NaN is missing.
    level : float
        Confidence level of the interval.
    scale : float or (contrasts,) float, optional
        Largest |value| of the scores that these are differences of: what is below 1e-12 of it is
        rounding. By default the largest difference.

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
    moments = samples(values, scale=scale_of(values, scale))  # (contrasts,)
    df = np.maximum(moments.n - 1.0, 0.0)
    fit = student_fit(moments.mean, moments.std_error, df, pairs=True)
    return t_outcome(fit, moments.n, at, level)


def equivalence(
    differences: ArrayLike, *, margin: float, level: float = 0.95, scale: ArrayLike | None = None
) -> PairedOutcome:
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
    scale : float or (contrasts,) float, optional
        See `paired_t`.

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
    return _against_margin(differences, two_one_sided, margin, level, scale)


def non_inferiority(
    differences: ArrayLike, *, margin: float, level: float = 0.95, scale: ArrayLike | None = None
) -> PairedOutcome:
    """One-sided t test of whether the first system is worse by less than `margin`.

    Null: the mean difference is -`margin` or less, so that a small p shows non-inferiority.
    Differences must be such that higher is better. The interval is [lower, ∞): it lies above
    -`margin` exactly where p is 1 - `level` or less.

    Parameters
    ----------
    differences : (queries,) or (queries, contrasts) float
        NaN is missing.
    margin : float
        Above 0, in units of the differences.
    level : float
        Above ½.
    scale : float or (contrasts,) float, optional
        See `paired_t`.

    Returns
    -------
    PairedOutcome
        `estimate` is the mean difference, `statistic` the t of its distance from -`margin`.

    Raises
    ------
    OptionError
        `margin` or `level` is out of its range.

    References
    ----------
    Wellek 2010, Testing Statistical Hypotheses of Equivalence and Noninferiority.

    Examples
    --------
    >>> import fuzzytruth as ft
    >>> outcome = ft.stats.non_inferiority([0.02, -0.01, 0.03, 0.0], margin=0.02)
    >>> round(float(outcome.p), 4), round(float(outcome.lower), 4)
    (0.0231, -0.0115)
    """
    return _against_margin(differences, not_inferior, margin, level, scale)


def _against_margin(
    differences: ArrayLike,
    test: Callable[[Fitted, float, float], MarginTest],
    margin: float,
    level: float,
    scale: ArrayLike | None,
) -> PairedOutcome:
    """Outcome of a test against a margin, by Student's t."""
    margin, level = check_margin(margin), check_level(level)
    values, at = contrasts_of(differences)
    moments = samples(values, scale=scale_of(values, scale))  # (contrasts,)
    df = np.maximum(moments.n - 1.0, 0.0)
    fit = student_fit(moments.mean, moments.std_error, df, pairs=True)
    out = test(fit, margin, level)
    return PairedOutcome(
        moments.n[at],
        fit.value[at],
        out.statistic[at],
        out.p[at],
        out.lower[at],
        out.upper[at],
        out.level,
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
        Largest |value| that the differences come from; see `stats.effects`.
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
        Largest |value| that the differences come from; see `stats.effects`.

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
