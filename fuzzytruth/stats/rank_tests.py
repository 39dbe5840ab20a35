"""Friedman's test of several systems by their ranks within queries, with post-hoc comparisons."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from fuzzytruth._lazy import stats
from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.arithmetic import divide, tie_groups, without_rounding
from fuzzytruth.errors import DataError, OptionError, is_among
from fuzzytruth.stats.effects import UNDEFINED, PairedOutcome, contrasts_of, one_pair, scale_of
from fuzzytruth.stats.multiplicity import adjust, check_correction
from fuzzytruth.stats.world_estimates import Estimates


@dataclass(frozen=True, slots=True, eq=False)
class RankTest:
    """Outcome of Friedman's test.

    Parameters
    ----------
    statistic, df, p : float
        Chi-squared, corrected for ties; p = 1 where all systems tie on all queries.
    n : int
        Queries with values of all systems.
    mean_ranks : (systems,) float
        1 is best.
    difference, p_adjusted : (pairs,) float
        Of mean ranks, first minus second, in the order of ``np.triu_indices(systems, 1)``.
    """

    statistic: float
    df: int
    p: float
    n: int
    mean_ranks: Floats
    difference: Floats
    p_adjusted: Floats


def friedman(
    values: ArrayLike, *, post_hoc: str = "nemenyi", scale: ArrayLike | None = None
) -> RankTest:
    """Friedman's rank test, and tests of all pairs of mean ranks.

    Null: within each query all orders of the systems are equally probable. This is not a test of
    means. Values of a query that are equal but for rounding errors tie.

    Parameters
    ----------
    values : (queries, systems) float
        The largest value has rank 1. A query with a NaN is left out.
    post_hoc : str
        "nemenyi" (all pairs, studentised range), or a correction's name for z tests of the
        differences of mean ranks. Both assume the complete null, that all systems are alike.
    scale : float, optional
        Largest |value| that the values come from, by default theirs; see `stats.effects`.

    Returns
    -------
    RankTest

    Raises
    ------
    DataError
        The array does not have two axes.
    OptionError
        There are fewer than three systems, no complete query, or an unknown `post_hoc`.

    References
    ----------
    Friedman 1937, JASA 32; Nemenyi 1963; Demšar 2006, Statistical comparisons of classifiers over
    multiple data sets, JMLR 7.

    Examples
    --------
    >>> import fuzzytruth as ft
    >>> outcome = ft.stats.friedman([[0.9, 0.5, 0.1], [0.8, 0.4, 0.2], [0.7, 0.6, 0.3]])
    >>> outcome.mean_ranks.tolist(), round(outcome.p, 4)
    ([1.0, 2.0, 3.0], 0.0498)
    """
    table = np.asarray(values, dtype=np.float64)
    if table.ndim != 2:
        raise DataError(f"values of shape {table.shape}: must be (queries, systems)")
    table = table[~np.isnan(table).any(axis=1)]
    n, k = table.shape
    if k < 3 or n == 0:
        raise OptionError(
            f"friedman: needs three systems and a query with values of all, not {k} and {n}"
        )
    ranks = stats.rankdata(-tie_groups(table, scale_of(table.ravel(), scale)), axis=1)
    statistic, p = 0.0, 1.0
    if not (ranks == ranks[:, :1]).all():
        statistic, p = map(float, stats.friedmanchisquare(*ranks.T))
    mean_ranks = ranks.mean(axis=0)
    first, second = np.triu_indices(k, 1)
    difference = mean_ranks[first] - mean_ranks[second]
    p_adjusted = _post_hoc(np.abs(difference) / np.sqrt(k * (k + 1) / (6 * n)), k, post_hoc)
    p_adjusted = np.where(difference == 0, 1.0, p_adjusted)
    return RankTest(statistic, k - 1, p, n, mean_ranks, difference, p_adjusted)


@np.errstate(under="ignore")
def _post_hoc(z: Floats, systems: int, method: str) -> Floats:
    """Adjusted p of standardised differences of mean ranks: (pairs,)."""
    if is_among(method, ("nemenyi",)):
        p = stats.studentized_range.sf(z * np.sqrt(2), systems, np.inf)
        return np.asarray(np.clip(p, 0.0, 1.0))
    return adjust(2 * stats.norm.sf(z), check_correction(method))


# Bayesian comparison: the posterior of a mean difference.
#
# Under the standard noninformative prior of a normal mean and variance, p(μ, σ) ∝ 1 / σ, the
# posterior of μ is Student's t about the observed mean, scaled by its standard error, with the same
# degrees of freedom. Where the standard error combines several variance components, this form is an
# approximation.
#
# References
# ----------
# Benavoli, A., Corani, G., Demšar, J. & Zaffalon, M. (2017), Time for a change: a tutorial for
# comparing multiple classifiers through Bayesian analysis, JMLR 18.


def posterior(estimates: Estimates, rope: float, *, higher_is_better: bool) -> dict[str, Any]:
    """Probabilities that the first system is practically better, the same, worse: (rows,) each.

    Parameters
    ----------
    estimates : Estimates
        Of differences; NaN in, NaN out.
    rope : float
        Differences of at most this size count as none ("region of practical equivalence").
    higher_is_better : bool

    Returns
    -------
    dict
        The arrays ``posterior_better``, ``posterior_rope`` and ``posterior_worse``.
    """
    above = 1 - estimates.below(rope)
    below = estimates.below(-rope)
    same = np.maximum(1 - above - below, 0.0) if rope > 0 else np.zeros(len(above))
    better, worse = (above, below) if higher_is_better else (below, above)
    return {"posterior_better": better, "posterior_rope": same, "posterior_worse": worse}


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
        Largest |value| that the differences come from; see `stats.effects`.
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
    return _binomial(n, divide(up, up + down, fill=0.5), up, down, at, mid_p)


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
    return _binomial(n, divide(wins[0], n) - divide(wins[1], n), up, down, at, mid_p)


def wilcoxon(differences: ArrayLike, *, scale: ArrayLike | None = None) -> PairedOutcome:
    """Wilcoxon's two-sided signed-rank test, by SciPy.

    Null: differences are symmetric about 0. Differences of 0 are left out; where all are 0, p is 1.
    Differences whose sizes are equal but for rounding errors share a rank.

    Parameters
    ----------
    differences : (queries,) float
        NaN is missing.
    scale : float, optional
        Largest |value| that the differences come from; see `stats.effects`.

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


def _binomial(
    n: Ints, estimate: Floats, up: Ints, down: Ints, at: int | slice, mid_p: bool
) -> PairedOutcome:
    """Two-sided binomial test of as many ups as downs; NaN where there is no query."""
    both = up + down
    pairs = zip(up.tolist(), both.tolist(), strict=True)
    p = np.array([float(stats.binomtest(k, m).pvalue) if m else 1.0 for k, m in pairs])
    if mid_p:
        # Half the probability of the observed number and of its mirror image, perhaps the same.
        half = stats.binom.pmf(up, both, 0.5) * np.where(up == down, 0.5, 1.0)
        p = np.where(both > 0, p - half, 1.0)
    estimate, statistic, p = (np.where(n > 0, x, np.nan)[at] for x in (estimate, up, p))
    return PairedOutcome(n[at], estimate, statistic, p, exact=not mid_p)
