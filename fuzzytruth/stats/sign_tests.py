"""Tests of signs of differences: the sign test, McNemar's, and Wilcoxon's signed ranks.

None is a test of the mean. Input and missing values: see `fuzzytruth.stats.paired`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.arithmetic import divide, tie_groups, without_rounding
from fuzzytruth.errors import DataError
from fuzzytruth.stats.paired import UNDEFINED, PairedOutcome, contrasts_of, one_pair, scale_of


def sign_test(
    differences: ArrayLike, *, scale: ArrayLike | None = None, mid_p: bool = False
) -> PairedOutcome:
    """Two-sided sign test, by the binomial distribution.

    Null: a difference that is not 0 is positive with probability ½.

    Parameters
    ----------
    differences : (queries,) or (queries, contrasts) float
        NaN is missing.
    scale : float or (contrasts,) float, optional
        Largest |value| that the differences come from; see `fuzzytruth.stats.paired`.
    mid_p : bool
        Whether the probability of the observed number counts half. The test then errs about as
        often as the level says, sometimes slightly more often; the exact one errs less often. p is
        1 where all differences are 0.

    Returns
    -------
    PairedOutcome
        `estimate` is the share of positive differences among those that are not 0 (½ if all
        are), `statistic` their number.

    References
    ----------
    Conover 1999, Practical Nonparametric Statistics, §3.4; Lancaster 1961, Significance tests in
    discrete distributions, JASA 56 (mid-p).

    Examples
    --------
    >>> import fuzzytruth as ft
    >>> float(ft.stats.sign_test([1, 2, 0, -1, 3, 0, 2]).estimate)
    0.8
    """
    values, at = contrasts_of(differences)
    values = without_rounding(values, scale_of(values, scale))
    n = (~np.isnan(values)).sum(axis=0)
    up, down = (values > 0).sum(axis=0), (values < 0).sum(axis=0)
    share = divide(up, up + down, fill=0.5)
    return _where_any(n, share, up, _binomial_p(up, down, mid_p), at, exact=not mid_p)


def mcnemar(successes: ArrayLike, others: ArrayLike, *, mid_p: bool = False) -> PairedOutcome:
    """McNemar's two-sided test of paired successes, by the binomial distribution.

    Null: both systems succeed with the same probability.

    Parameters
    ----------
    successes, others : (queries,) or (queries, contrasts) bool
        Whether either system succeeds.
    mid_p : bool
        As in `sign_test`; the exact p rejects true hypotheses much more seldom than the level says.

    Returns
    -------
    PairedOutcome
        `estimate` is the difference of the shares of successes, `statistic` the number of queries
        on which the first system alone succeeds.

    Raises
    ------
    DataError
        The arrays are not of booleans or differ in shape.

    References
    ----------
    McNemar 1947, Psychometrika 12; Fagerland, Lydersen & Laake 2013, The McNemar test for binary
    matched-pairs data: mid-p and asymptotic are better than exact conditional, BMC Medical Research
    Methodology 13.

    Examples
    --------
    >>> import fuzzytruth as ft
    >>> float(ft.stats.mcnemar([True, True, False, True], [False, False, False, True]).p)
    0.5
    """
    a, b = np.asarray(successes), np.asarray(others)
    if a.dtype != bool or b.dtype != bool or a.shape != b.shape:
        raise DataError(
            f"successes of type {a.dtype} and shape {a.shape}, of the other system of type "
            f"{b.dtype} and shape {b.shape}: must be booleans of one shape"
        )
    gaps, at = contrasts_of(a.astype(np.float64) - b)  # 1, 0, -1
    n = np.full(gaps.shape[1], len(gaps))
    up, down = (gaps > 0).sum(axis=0), (gaps < 0).sum(axis=0)
    wins = a.reshape(gaps.shape).sum(axis=0), b.reshape(gaps.shape).sum(axis=0)
    estimate = divide(wins[0], n) - divide(wins[1], n)
    return _where_any(n, estimate, up, _binomial_p(up, down, mid_p), at, exact=not mid_p)


def wilcoxon(differences: ArrayLike, *, scale: ArrayLike | None = None) -> PairedOutcome:
    """Wilcoxon's two-sided signed-rank test, by SciPy.

    Null: differences are symmetric about 0. Differences of 0 are left out; where all are 0, p is 1.
    Differences whose sizes are equal but for rounding errors share a rank.

    Parameters
    ----------
    differences : (queries,) float
        NaN is missing.
    scale : float, optional
        Largest |value| that the differences come from; see `fuzzytruth.stats.paired`.

    Returns
    -------
    PairedOutcome
        `estimate` is the pseudo-median (Hodges-Lehmann), `statistic` the smaller sum of ranks.

    References
    ----------
    Wilcoxon 1945, Biometrics Bulletin 1; Hodges & Lehmann 1963, Annals of Mathematical Statistics
    34.

    Examples
    --------
    >>> import fuzzytruth as ft
    >>> ft.stats.wilcoxon([1.0, 2.0, 3.0, -0.5]).p
    0.25
    """
    from scipy import stats

    d = one_pair(differences)
    if not len(d):
        return UNDEFINED
    largest = scale_of(d, scale)
    d = without_rounding(d, largest)
    first, second = np.triu_indices(len(d))
    median = np.asarray(np.median((d[first] + d[second]) / 2))
    statistic, p = 0.0, 1.0
    if d.any():
        result = stats.wilcoxon(np.sign(d) * (tie_groups(np.abs(d), largest) + 1.0))
        statistic, p = float(result.statistic), float(result.pvalue)
    return PairedOutcome(len(d), float(without_rounding(median, largest)), statistic, p)


def _binomial_p(up: Ints, down: Ints, mid_p: bool) -> Floats:
    """Two-sided p of `up` against `down`: (contrasts,); 1 where both are 0."""
    from scipy import stats

    n = up + down
    pairs = zip(up.tolist(), n.tolist(), strict=True)
    p = np.array([float(stats.binomtest(k, m).pvalue) if m else 1.0 for k, m in pairs])
    if not mid_p:
        return p
    # Half the probability of the observed number and of its mirror image, which may be the same.
    half = stats.binom.pmf(up, n, 0.5) * np.where(up == down, 0.5, 1.0)
    return np.where(n > 0, p - half, 1.0)


def _where_any(
    n: Ints, estimate: Floats, up: Ints, p: Floats, at: int | slice, *, exact: bool
) -> PairedOutcome:
    """Outcome of each contrast, NaN for one without queries."""
    estimate, statistic, p = (np.where(n > 0, x, np.nan)[at] for x in (estimate, up, p))
    return PairedOutcome(n[at], estimate, statistic, p, exact=exact)
