"""Tests of the mean difference of two systems over queries, each with its own null hypothesis."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth.comparison.pair_result import (
    MEAN_IS_0,
    TestResult,
    named_null,
    pair_of,
)
from fuzzytruth.core.arithmetic import without_rounding
from fuzzytruth.core.validation import number
from fuzzytruth.errors import require
from fuzzytruth.stats import mean_tests, sign_tests
from fuzzytruth.stats.settings import Resampling

if TYPE_CHECKING:
    from fuzzytruth.evaluation.scores.scores import Scores


_MEAN = "mean difference over the population of queries"


def paired_t(
    scores: Scores, system: str, other: str, measure: str | None = None, *, level: float = 0.95
) -> TestResult:
    """Student's paired t test of two systems.

    Null: the mean difference over the population of queries is 0. Estimand: that mean. Exact for
    normal differences; in simulations the best calibrated of all tests for retrieval measures.

    Parameters
    ----------
    scores : Scores
    system, other : str
        Queries that either lacks are left out; a query's value is the mean over the subjects that
        both systems have.
    measure : str, optional
        In any spelling; may be left out where the scores have one.
    level : float
        Confidence level of the interval.

    Returns
    -------
    TestResult

    Raises
    ------
    OptionError
        A name is not among the scores, or `measure` is left out and there are several.
    DataError
        The systems have no query in common.

    References
    ----------
    Student 1908; Urbano, Lima & Hanjalic 2019, Statistical significance testing in information
    retrieval: an empirical analysis of type I, type II and type III errors, SIGIR.

    Examples
    --------
    >>> import pandas as pd, fuzzytruth as ft
    >>> scores = ft.Scores.from_frame(pd.DataFrame({
    ...     "system": list("aaabbb"), "query": [1, 2, 3] * 2,
    ...     "value": [0.5, 0.7, 0.9, 0.3, 0.6, 0.6]}))
    >>> round(ft.paired_t(scores, "a", "b").p, 4)
    0.0742
    """
    pair = pair_of(scores, system, other, measure)
    outcome = mean_tests.paired_t(pair.differences, level=level, scale=pair.scale)
    return pair.result("paired t", MEAN_IS_0, _MEAN, outcome)


def sign_flip(
    scores: Scores,
    system: str,
    other: str,
    measure: str | None = None,
    *,
    mid_p: bool = False,
    n_resamples: int = 9999,
    rng: Any = 0,
    n_jobs: int = 1,
) -> TestResult:
    """Fisher's randomisation test: the signs of the differences are flipped.

    Null: differences are independent and symmetric about 0 (so they are if the systems are
    exchangeable within queries). Estimand: the mean difference. All 2ⁿ patterns of signs are
    enumerated if they are no more than the resamples; otherwise p = (b + 1) / (m + 1), b of the m
    random patterns being as extreme as the data.

    Parameters
    ----------
    scores, system, other, measure
        As in `paired_t`.
    mid_p : bool
        Whether patterns whose |mean| equals the observed one, itself included, count half. For
        coarse measures, which have many ties, the error is closer to the level (P@10: .047 where
        the plain p gives .039 at .05), but it may exceed it: such a p is never called exact. p is 1
        where the systems are equal on all queries.
    n_resamples, rng, n_jobs
        See `stats.Resampling`.

    References
    ----------
    Fisher 1935; Phipson & Smyth 2010; Smucker, Allan & Carterette 2007, CIKM; Lancaster 1961,
    Significance tests in discrete distributions, JASA 56 (mid-p).

    Examples
    --------
    >>> import pandas as pd, fuzzytruth as ft
    >>> scores = ft.Scores.from_frame(pd.DataFrame({
    ...     "system": list("aaabbb"), "query": [1, 2, 3] * 2,
    ...     "value": [0.5, 0.7, 0.9, 0.3, 0.6, 0.6]}))
    >>> ft.sign_flip(scores, "a", "b").p
    0.25
    """
    pair = pair_of(scores, system, other, measure)
    using = Resampling(n_resamples, rng, n_jobs)
    null = named_null("the differences are symmetric about 0", mid_p)
    outcome = mean_tests.sign_flip(pair.differences, using, scale=pair.scale, mid_p=mid_p)
    return pair.result("sign-flip permutation", null, _MEAN, outcome)


def bootstrap_shift(
    scores: Scores,
    system: str,
    other: str,
    measure: str | None = None,
    *,
    n_resamples: int = 9999,
    rng: Any = 0,
    n_jobs: int = 1,
) -> TestResult:
    """Bootstrap of the mean difference, shifted to 0.

    Null: the mean difference is 0, and the distribution is otherwise that of the sample.
    Estimand: the mean difference. Rejects too often with few queries (.069 for .05 at 25).

    Parameters
    ----------
    scores, system, other, measure
        As in `paired_t`.
    n_resamples, rng, n_jobs
        See `stats.Resampling`.

    References
    ----------
    Efron & Tibshirani 1993, §16.4; Sakai 2006, SIGIR; Urbano et al. 2019.

    Examples
    --------
    >>> import pandas as pd, fuzzytruth as ft
    >>> scores = ft.Scores.from_frame(pd.DataFrame({
    ...     "system": list("aaabbb"), "query": [1, 2, 3] * 2,
    ...     "value": [0.5, 0.7, 0.9, 0.3, 0.6, 0.6]}))
    >>> ft.bootstrap_shift(scores, "a", "b", n_resamples=999).p
    0.001
    """
    pair = pair_of(scores, system, other, measure)
    using = Resampling(n_resamples, rng, n_jobs)
    outcome = mean_tests.bootstrap_shift(pair.differences, using, scale=pair.scale)
    return pair.result("bootstrap, shifted", MEAN_IS_0, _MEAN, outcome)


# Tests of two systems by the signs of their differences; none is a test of the mean.
#
# Where differences are skewed, they reject true hypotheses about the mean too often.


def wilcoxon(scores: Scores, system: str, other: str, measure: str | None = None) -> TestResult:
    """Wilcoxon's signed-rank test of two systems.

    Null: differences are symmetric about 0. Estimand: their pseudo-median (Hodges-Lehmann), which
    is the mean only if they are symmetric: no test of the mean. Differences of 0 are left out.

    Parameters
    ----------
    scores, system, other, measure
        As in `paired_t`.

    References
    ----------
    Wilcoxon 1945; Hodges & Lehmann 1963.

    Examples
    --------
    >>> import pandas as pd, fuzzytruth as ft
    >>> scores = ft.Scores.from_frame(pd.DataFrame({
    ...     "system": list("aaabbb"), "query": [1, 2, 3] * 2,
    ...     "value": [0.5, 0.7, 0.9, 0.3, 0.6, 0.6]}))
    >>> ft.wilcoxon(scores, "a", "b").p
    0.25
    """
    pair = pair_of(scores, system, other, measure)
    return pair.result(
        "Wilcoxon signed rank",
        "the differences are symmetric about 0",
        "pseudo-median of the differences",
        sign_tests.wilcoxon(pair.differences, scale=pair.scale),
    )


def sign_test(
    scores: Scores, system: str, other: str, measure: str | None = None, *, mid_p: bool = False
) -> TestResult:
    """Sign test of two systems, by the binomial distribution.

    Null: where the systems differ, either is better with probability ½. Estimand: the probability
    that `system` is better, given that they differ (½ where they never do).

    Parameters
    ----------
    scores, system, other, measure
        As in `paired_t`.
    mid_p : bool
        Whether the probability of the observed number of wins counts half. The test then errs about
        as often as the level says, sometimes slightly more often; the exact one errs less often.

    References
    ----------
    Conover 1999, Practical Nonparametric Statistics, §3.4; Lancaster 1961, Significance tests in
    discrete distributions, JASA 56 (mid-p).

    Examples
    --------
    >>> import pandas as pd, fuzzytruth as ft
    >>> scores = ft.Scores.from_frame(pd.DataFrame({
    ...     "system": list("aaabbb"), "query": [1, 2, 3] * 2,
    ...     "value": [0.5, 0.7, 0.9, 0.3, 0.6, 0.6]}))
    >>> ft.sign_test(scores, "a", "b").p
    0.25
    """
    pair = pair_of(scores, system, other, measure)
    return pair.result(
        "sign",
        named_null("where the systems differ, either is better with probability 1/2", mid_p),
        "probability that the first is better where they differ",
        sign_tests.sign_test(pair.sign * pair.differences, scale=pair.scale, mid_p=mid_p),
    )


def mcnemar(
    scores: Scores,
    system: str,
    other: str,
    measure: str | None = None,
    *,
    success: float | None = None,
    mid_p: bool = False,
) -> TestResult:
    """McNemar's test of per-query successes of two systems, by the binomial distribution.

    Null: both systems succeed with the same probability. Estimand: the difference of the
    probabilities.

    Parameters
    ----------
    scores, system, other, measure
        As in `paired_t`.
    success : float, optional
        A query is a success if its value is at least this (at most, if lower is better). Values
        that are all 0 or 1 need none: 1 is a success (0, if lower is better).
    mid_p : bool
        As in `sign_test`; the exact p rejects true hypotheses much more seldom than the level says.

    References
    ----------
    McNemar 1947, Psychometrika 12; Fagerland, Lydersen & Laake 2013, The McNemar test for binary
    matched-pairs data: mid-p and asymptotic are better than exact conditional, BMC Medical Research
    Methodology 13.

    Examples
    --------
    >>> import pandas as pd, fuzzytruth as ft
    >>> scores = ft.Scores.from_frame(pd.DataFrame({
    ...     "system": list("aaabbb"), "query": [1, 2, 3] * 2,
    ...     "value": [0.5, 0.7, 0.9, 0.3, 0.6, 0.6]}))
    >>> round(ft.mcnemar(scores, "a", "b", success=0.65).estimate, 4)
    0.6667
    """
    pair = pair_of(scores, system, other, measure)
    if success is None:
        binary = np.isin((pair.a, pair.b), (0, 1)).all()
        rule = f"values of {pair.measure} are not all 0 or 1; give the least that is a success"
        require("success", success, bool(binary), f"{rule}, as success=0.5")
        success = 1.0 if pair.sign > 0 else 0.0
    least = pair.sign * number("success", success)
    a, b = (without_rounding(values - least, pair.scale) >= 0 for values in pair.oriented)
    return pair.result(
        "McNemar",
        named_null("both systems succeed on a query with the same probability", mid_p),
        "difference of the probabilities of success",
        sign_tests.mcnemar(a, b, mid_p=mid_p),
    )


# Probability that one system is better than another, over possible truths.
