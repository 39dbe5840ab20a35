"""Tests of two systems over queries, each named for its own null.

They do not test the same thing. `paired_t`, `sign_flip` and `bootstrap_shift` are of the mean
difference; `wilcoxon`, `sign` and `mcnemar` are not, and reject true hypotheses about the mean more
often than they should where differences are skewed. `equivalence` has the null that the systems
do differ.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth.core import student
from fuzzytruth.core.samples import samples
from fuzzytruth.core.sign_flips import TIE
from fuzzytruth.core.validation import between_zero_and_one, number
from fuzzytruth.errors import OptionError
from fuzzytruth.stats.bootstrap import resampled_means
from fuzzytruth.stats.pairs import Pair, TestResult, pair_of
from fuzzytruth.stats.settings import Purpose, Resampling
from fuzzytruth.stats.sign_flip import sign_flip_p

if TYPE_CHECKING:
    from fuzzytruth.evaluation.scores import Scores

_MEAN = "mean difference over the population of queries"


def paired_t(
    scores: Scores, system: str, other: str, measure: str | None = None, *, level: float = 0.95
) -> TestResult:
    """Student's paired t test.

    Null: the mean difference over the population of queries is 0. Estimand: that mean. Exact for
    normal differences; by simulation it is the best calibrated of all for retrieval measures.

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
    >>> round(ft.stats.paired_t(scores, "a", "b").p, 4)
    0.0742
    """
    pair = pair_of(scores, system, other, measure)
    level = between_zero_and_one("level", level)
    found = samples(pair.differences[:, None])
    df = np.maximum(found.n - 1.0, 0.0)
    lower, upper = student.ends(found.mean, found.std_error, student.quantile(level, df))
    return pair.result(
        "paired t",
        "the mean difference over queries is 0",
        _MEAN,
        estimate=float(found.mean[0]),
        statistic=float(student.statistic(found.mean, found.std_error)[0]),
        p=float(student.p_value(found.mean, found.std_error, df)[0]),
        lower=float(lower[0]),
        upper=float(upper[0]),
        level=level,
    )


def sign_flip(
    scores: Scores,
    system: str,
    other: str,
    measure: str | None = None,
    *,
    n_resamples: int = 9999,
    rng: Any = 0,
    n_jobs: int = 1,
) -> TestResult:
    """Fisher's randomisation test: signs of the differences are flipped.

    Null: differences are independent and symmetric about 0 (so they are if the systems are
    exchangeable within queries). Estimand: the mean difference. All 2ⁿ signs if they are no more
    than the resamples, else p = (b + 1) / (m + 1).

    References
    ----------
    Fisher 1935; Phipson & Smyth 2010; Smucker, Allan & Carterette 2007, CIKM.
    """
    pair = pair_of(scores, system, other, measure)
    using = Resampling(n_resamples, rng, n_jobs)
    p, exact = sign_flip_p(pair.differences[:, None], using)
    mean = float(pair.differences.mean())
    return pair.result(
        "sign-flip permutation",
        "the differences are symmetric about 0",
        _MEAN,
        estimate=mean,
        statistic=mean,
        p=float(p[0]),
        exact=exact,
    )


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

    Null: the mean difference is 0, its distribution being that of the sample but for its place.
    Estimand: the mean difference. Rejects too often with few queries (.069 for .05 at 25).

    References
    ----------
    Efron & Tibshirani 1993, §16.4; Sakai 2006, SIGIR; Urbano et al. 2019.
    """
    pair = pair_of(scores, system, other, measure)
    using = Resampling(n_resamples, rng, n_jobs)
    d = pair.differences
    drawn = resampled_means(d[None, :] - d.mean(), using, Purpose.QUERIES)[0]
    extreme = np.abs(drawn) >= abs(d.mean()) - TIE * np.abs(d).mean()
    return pair.result(
        "bootstrap, shifted",
        "the mean difference over queries is 0",
        _MEAN,
        estimate=float(d.mean()),
        statistic=float(d.mean()),
        p=1.0 if len(d) < 2 else float((extreme.sum() + 1) / (len(drawn) + 1)),
        exact=False,
    )


def wilcoxon(scores: Scores, system: str, other: str, measure: str | None = None) -> TestResult:
    """Wilcoxon's signed rank test.

    Null: differences are symmetric about 0. Estimand: their pseudo-median (Hodges-Lehmann), which
    is the mean only if they are symmetric: no test of the mean. Differences of 0 are left out.

    References
    ----------
    Wilcoxon 1945; Hodges & Lehmann 1963.
    """
    from scipy import stats

    pair = pair_of(scores, system, other, measure)
    d = pair.differences
    first, second = np.triu_indices(len(d))
    statistic, p = 0.0, 1.0
    if d.any():
        found = stats.wilcoxon(d)
        statistic, p = float(found.statistic), float(found.pvalue)
    return pair.result(
        "Wilcoxon signed rank",
        "the differences are symmetric about 0",
        "pseudo-median of the differences",
        estimate=float(np.median((d[first] + d[second]) / 2)),
        statistic=statistic,
        p=p,
    )


def sign(scores: Scores, system: str, other: str, measure: str | None = None) -> TestResult:
    """Sign test, by the binomial distribution.

    Null: where the systems differ, either is better with probability ½. Estimand: the probability
    that `system` is better, given that they differ (½ where they never do).

    References
    ----------
    Conover 1999, Practical Nonparametric Statistics, §3.4.
    """
    pair = pair_of(scores, system, other, measure)
    d = pair.sign * pair.differences
    return _binomial(
        pair,
        "sign",
        "where the systems differ, either is better with probability 1/2",
        "probability that the first is better where they differ",
        int((d > 0).sum()),
        int((d < 0).sum()),
    )


def mcnemar(
    scores: Scores, system: str, other: str, measure: str | None = None, *, success: float
) -> TestResult:
    """McNemar's test of per-query successes, exact.

    Null: both systems succeed with the same probability. Estimand: the difference of the
    probabilities.

    Parameters
    ----------
    success : float
        A query is a success if its value is at least this (at most, if lower is better).

    References
    ----------
    McNemar 1947, Psychometrika 12.
    """
    pair = pair_of(scores, system, other, measure)
    least = pair.sign * number("success", success)
    a, b = pair.sign * pair.a >= least, pair.sign * pair.b >= least
    found = _binomial(
        pair,
        "McNemar",
        "both systems succeed on a query with the same probability",
        "difference of the probabilities of success",
        int((a & ~b).sum()),
        int((b & ~a).sum()),
    )
    return pair.result(
        found.test,
        found.null,
        found.estimand,
        estimate=float(a.mean() - b.mean()),
        statistic=found.statistic,
        p=found.p,
    )


def _binomial(pair: Pair, test: str, null: str, estimand: str, up: int, down: int) -> TestResult:
    """Two-sided exact test of `up` against `down` being equally probable."""
    from scipy import stats

    p = float(stats.binomtest(up, up + down).pvalue) if up + down else 1.0
    estimate = up / (up + down) if up + down else 0.5
    return pair.result(test, null, estimand, estimate=estimate, statistic=float(up), p=p)


def equivalence(
    scores: Scores,
    system: str,
    other: str,
    measure: str | None = None,
    *,
    margin: float,
    level: float = 0.95,
) -> TestResult:
    """Two one-sided t tests (TOST) of whether the difference is within the margin.

    Null: the mean difference over queries is `margin` or more in size. A small p shows
    equivalence. Estimand: the mean difference; the interval is that of level 2 · `level` - 1, which
    lies within the margin exactly where p is 1 - `level` or less.

    Parameters
    ----------
    margin : float
        The largest difference that does not matter, above 0, in units of the measure: yours to
        say, not the data's.

    References
    ----------
    Schuirmann 1987, Journal of Pharmacokinetics and Biopharmaceutics 15.
    """
    pair = pair_of(scores, system, other, measure)
    margin, level = number("margin", margin), between_zero_and_one("level", level)
    if margin <= 0:
        raise OptionError(f"margin={margin:g}: must be above 0")
    if level <= 0.5:
        raise OptionError(f"level={level:g}: must be above 0.5")
    found = samples(pair.differences[:, None])
    df = np.maximum(found.n - 1.0, 0.0)
    to_margin = margin - np.abs(found.mean)
    t = student.statistic(to_margin, found.std_error)
    two = student.p_value(to_margin, found.std_error, df) / 2
    p = np.where(t >= 0, two, 1 - two)
    if df[0] == 0:
        p = np.ones(1)
    lower, upper = student.ends(found.mean, found.std_error, student.quantile(2 * level - 1, df))
    return pair.result(
        "two one-sided t tests",
        f"the mean difference over queries is {margin:g} or more in size",
        _MEAN,
        estimate=float(found.mean[0]),
        statistic=float(t[0]),
        p=float(p[0]),
        lower=float(lower[0]),
        upper=float(upper[0]),
        level=round(2 * level - 1, 12),
    )
