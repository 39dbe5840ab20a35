"""Tests of a mean difference: Student's t, equivalence, sign flips and the shifted bootstrap.

Input and missing values: see `stats.effects`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.arithmetic import ROUNDING, tie_groups, without_rounding
from fuzzytruth.core.clusters import samples
from fuzzytruth.core.exact_sums import tied_share
from fuzzytruth.core.validation import between_zero_and_one
from fuzzytruth.stats import effects, multiplicity
from fuzzytruth.stats.effects import PairedOutcome
from fuzzytruth.stats.intervals import resampled_means
from fuzzytruth.stats.laws import Fit, student_fit
from fuzzytruth.stats.settings import Purpose, Resampling
from fuzzytruth.stats.sign_flips import all_signs, can_enumerate_signs, random_signs, sign_flip_p


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
    fit, n, at = _of_student(differences, scale)
    return effects.t_outcome(fit, n, at, level)


def _of_student(differences: ArrayLike, scale: ArrayLike | None) -> tuple[Fit, Ints, int | slice]:
    """Means of the contrasts, their numbers of queries, and how to take single ones."""
    values, at = effects.contrasts_of(differences)
    moments = samples(values, scale=effects.scale_of(values, scale))  # (contrasts,)
    df = np.maximum(moments.n - 1.0, 0.0)
    return student_fit(moments.mean, moments.std_error, df, pairs=True), moments.n, at


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
    return _against_margin(differences, multiplicity.two_one_sided, margin, level, scale)


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
    return _against_margin(differences, multiplicity.not_inferior, margin, level, scale)


def _against_margin(
    differences: ArrayLike,
    test: Callable[[Fit, float, float], multiplicity.MarginTest],
    margin: float,
    level: float,
    scale: ArrayLike | None,
) -> PairedOutcome:
    """Outcome of a test against a margin, by Student's t."""
    margin, level = multiplicity.check_margin(margin), multiplicity.check_level(level)
    fit, n, at = _of_student(differences, scale)
    out = test(fit, margin, level)
    lower, upper = out.lower[at], out.upper[at]
    return PairedOutcome(
        n[at], fit.value[at], out.statistic[at], out.p[at], lower, upper, out.level
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
    values, at = effects.contrasts_of(differences)
    largest = effects.scale_of(values, scale)
    values = without_rounding(values, largest)
    missing = np.isnan(values)
    moments = samples(values)  # (contrasts,)
    mean, n = without_rounding(moments.mean, largest), moments.n
    p, exact = np.full(n.shape, np.nan), True
    if n.any():
        p, exact = sign_flip_p(values[~missing.all(axis=1)], resampling, scale=largest, mid_p=mid_p)
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
    d = effects.one_pair(differences)
    if not len(d):
        return effects.UNDEFINED
    largest = float(effects.scale_of(d, scale))
    d = without_rounding(d, largest)
    mean = float(without_rounding(d.mean(), largest))
    drawn = resampled_means(d[None, :] - mean, resampling, Purpose.QUERIES)[0]  # (resamples,)
    extreme = np.abs(drawn) >= abs(mean) - tied_share(len(d)) * largest
    p = 1.0 if len(d) < 2 else float((extreme.sum() + 1) / (len(drawn) + 1))
    return PairedOutcome(len(d), mean, mean, p, exact=False)


#: statistic of each swap: (swaps, queries) signs → (swaps,)
_Statistic = Callable[[Floats], Floats]


@dataclass(frozen=True, slots=True, eq=False)
class Leads:
    """How far one distribution leads another, at the best threshold and at the worst.

    Parameters
    ----------
    test : PairedOutcome
        Of the largest lead: the share of a that reaches a threshold minus that of b.
    behind : float
        Largest lead of b over a.
    """

    test: PairedOutcome
    behind: float

    @property
    def dominates(self) -> bool:
        """Whether a leads at a threshold and b at none."""
        return bool(self.test.statistic > 0.0 and self.behind == 0.0)


@dataclass(frozen=True, slots=True, eq=False)
class _Steps:
    """The gap of two empirical distributions, F_b - F_a, along their pooled values.

    Parameters
    ----------
    query : (values,) int
        Query of each pooled value.
    side : (values,) float
        -1 for a value of a, 1 for one of b.
    width : (values,) float
        Distance to the next value; 0 within ties and at the end.
    scale : float
        Largest |value| that the values come from.
    """

    query: Ints
    side: Floats
    width: Floats
    scale: float

    @property
    def n(self) -> int:
        """Number of queries."""
        return len(self.query) // 2

    @classmethod
    def of(cls, a: Floats, b: Floats, scale: ArrayLike | None) -> _Steps:
        n = len(a)
        pooled = np.concatenate((a, b))
        order = np.argsort(pooled, kind="stable")
        largest = effects.scale_of(pooled, scale)
        same = np.diff(tie_groups(pooled, largest)[order], append=np.inf) == 0
        width = np.where(same, 0.0, np.diff(pooled[order], append=pooled[order[-1]]))
        return cls(order % n, np.where(order < n, -1.0, 1.0), width, float(largest))

    def gaps(self, signs: Floats) -> Floats:
        """Gaps × n where values end, under swaps: (swaps, queries) → (swaps, values); 0 in ties."""
        return np.cumsum(signs[:, self.query] * self.side, axis=1) * (self.width > 0)


def wasserstein(
    a: ArrayLike, b: ArrayLike, resampling: Resampling, *, scale: ArrayLike | None = None
) -> PairedOutcome:
    """Wasserstein-1 distance between two distributions, tested by swaps within queries.

    Null: within each query the two values are exchangeable. The area between both cumulative
    distributions estimates that of the populations with an upward bias, as all distances do. All
    2ⁿ swaps are enumerated if they are no more than the resamples; otherwise p = (b + 1) / (m + 1).

    Parameters
    ----------
    a, b : (queries,) float
        Paired values; a query with a NaN is left out.
    resampling : Resampling
    scale : float, optional
        Largest |value| that the values come from, by default theirs; see `stats.effects`.

    Returns
    -------
    PairedOutcome
        `estimate` and `statistic` are the distance, in units of the values.

    References
    ----------
    Vallender 1974, Theory of Probability and Its Applications 18; Good 2005, Permutation,
    Parametric and Bootstrap Tests of Hypotheses.

    Examples
    --------
    >>> import fuzzytruth as ft
    >>> outcome = ft.stats.wasserstein([0.5, 0.7, 0.9], [0.3, 0.6, 0.6], ft.stats.Resampling())
    >>> round(outcome.estimate, 9), outcome.p
    (0.2, 0.5)
    """
    a, b = effects.two_lists(a, b)
    if not len(a):
        return effects.UNDEFINED
    steps = _Steps.of(a, b, scale)

    def area(signs: Floats) -> Floats:
        return np.asarray(np.abs(steps.gaps(signs)) @ steps.width / steps.n)

    return _swapped(area, steps.n, resampling, ROUNDING * steps.scale)


def dominance(
    a: ArrayLike, b: ArrayLike, resampling: Resampling, *, scale: ArrayLike | None = None
) -> Leads:
    """First-order stochastic dominance of `a` over `b`, larger values being better.

    Null: within each query the two values are exchangeable; p is that of the largest lead (the
    one-sided Kolmogorov-Smirnov statistic) under swaps. A small p does not show dominance, only
    that `a` is better at some threshold.

    Parameters
    ----------
    a, b : (queries,) float
        Paired values; a query with a NaN is left out. If none remains, all results are NaN.
    resampling : Resampling
    scale : float, optional
        Largest |value| that the values come from, by default theirs; see `stats.effects`.

    Returns
    -------
    Leads

    References
    ----------
    Quirk & Saposnik 1962, Review of Economic Studies 29; McFadden 1989, Testing for stochastic
    dominance.

    Examples
    --------
    >>> import fuzzytruth as ft
    >>> leads = ft.stats.dominance([0.5, 0.7, 0.9], [0.3, 0.6, 0.6], ft.stats.Resampling())
    >>> leads.dominates, round(leads.test.estimate, 3), leads.behind
    (True, 0.667, 0.0)
    """
    a, b = effects.two_lists(a, b)
    if not len(a):
        return Leads(effects.UNDEFINED, float("nan"))
    steps = _Steps.of(a, b, scale)

    def lead(signs: Floats) -> Floats:
        return np.asarray(steps.gaps(signs).max(axis=1, initial=0.0) / steps.n)

    behind = abs(float(steps.gaps(np.ones((1, steps.n))).min(initial=0.0))) / steps.n
    return Leads(_swapped(lead, steps.n, resampling, 0.0), behind)


def _swapped(statistic: _Statistic, n: int, resampling: Resampling, tie: float) -> PairedOutcome:
    """Share of swaps of n queries whose statistic is as large as that observed, or `tie` below."""
    observed = float(statistic(np.ones((1, n)))[0])
    least = observed - tie
    exact = can_enumerate_signs(n, resampling)
    if exact:
        half = all_signs(n)
        p = float(np.concatenate([statistic(s) >= least for s in (half, -half)]).mean())
    else:

        def task(seed: np.random.SeedSequence, size: int) -> int:
            return int((statistic(random_signs(seed, size, n)) >= least).sum())

        p = (sum(resampling.run(Purpose.SIGNS, task)) + 1) / (resampling.n_resamples + 1)
    return PairedOutcome(n, observed, observed, p, exact=exact)
