"""Tests of the mean difference of two systems over queries, each with its own null hypothesis."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth._typing import Floats
from fuzzytruth.comparison.conditions import ends_within
from fuzzytruth.comparison.verdicts import named_p, p_text
from fuzzytruth.core.arithmetic import without_rounding
from fuzzytruth.core.validation import number, option_flag, place_of
from fuzzytruth.errors import DataError, OptionError, counted, printable, require
from fuzzytruth.evaluation.scores.score_arrays import check_scores
from fuzzytruth.evaluation.scores.scores import Scores
from fuzzytruth.show import number_text
from fuzzytruth.show.answer import Column, Parts, Result, Sentences, Table
from fuzzytruth.stats import mean_tests, rank_tests
from fuzzytruth.stats.effects import PairedOutcome
from fuzzytruth.stats.settings import Resampling

#: null hypothesis of the tests of the mean
MEAN_IS_0 = "the mean difference over queries is 0"
EXCHANGEABLE = "within each query the two systems' values are exchangeable"
#: names of the tests against a margin
EQUIVALENCE, NON_INFERIORITY = "two one-sided tests", "non-inferiority"
MID_P = " (mid-p)"  # ends the null hypothesis of such a p
_SHORT = ("system", "other", "measure", "estimate", "lower", "upper", "p")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class TestResult(Result):
    """Result of a test of two systems.

    Parameters
    ----------
    test, null, estimand : str
        Name of the test, its null hypothesis, and what `estimate` estimates.
    system, other, measure : str
    n : int
        Queries with values of both.
    estimate : float
        In units of the measure, `system` minus `other`, unless `estimand` says otherwise.
    statistic, p : float
    lower, upper : float
        Interval at `level` that goes with the test; NaN where it has none.
    level : float
    exact : bool
        Whether p comes from a known distribution or from all resamples, not from drawn ones, and
        is no mid-p.
    alpha : float
        The null hypothesis is rejected where p is at most this.
    over : str
        What is random, such as "queries and subjects".
    higher_is_better : bool
        By the measure.
    width : float
        The largest difference that values of the measure can have, at which printed intervals of
        differences end; infinite if not known.
    """

    __test__ = False  # keeps pytest from collecting it

    test: str
    null: str
    estimand: str
    system: str
    other: str
    measure: str
    n: int
    estimate: float
    statistic: float
    p: float
    lower: float = float("nan")
    upper: float = float("nan")
    level: float = 0.95
    exact: bool = True
    alpha: float = 0.05
    over: str = "queries"
    higher_is_better: bool = True
    width: float = float("inf")

    @property
    def rejected(self) -> bool:
        """Whether p is `alpha` or less, so that the null hypothesis is rejected."""
        return self.p <= self.alpha

    def __repr__(self) -> str:
        sizes = number_text.with_interval(self.estimate, *self._shown_ends())
        return printable(
            f"TestResult({self.test}, {self.system} and {self.other} on {self.measure}: "
            f"{sizes}, {named_p('p', self.p)}, {counted(self.n, 'query')})"
        )

    def _title(self) -> str:
        return (
            f"Test of {self.system} and {self.other} on {self.measure}, "
            f"{counted(self.n, 'query')}: {self.test}"
        )

    def _parts(self) -> Parts:
        """The verdict, estimate with interval and p, and what they are of."""
        yield self.verdict()
        shown = self._shown_ends()
        style, signed = number_text.numbers_format((self.estimate, *shown)), self.is_difference
        cells = {"estimate": number_text.written(self.estimate, style, signed=signed)}
        about, level = "", number_text.level_text(self.level)
        if not np.isnan(self.lower):
            cells[f"{level} interval"] = number_text.written_interval(*shown, style, signed=signed)
            one_sided = " one-sided" if self.test == NON_INFERIORITY else ""
            about = f"Brackets: {level}{one_sided} interval of the {self.estimand}."
        of = f": {self.system} minus {self.other}" if signed else ""
        title = f"{self.estimand[:1].upper()}{self.estimand[1:]}{of}"
        yield one_row(cells | {"p": p_text(self.p)}, printable(title))
        is_drawn = not self.exact and not self.null.endswith(MID_P)
        yield Sentences.of(
            about,
            f"Null hypothesis: {self.null}; rejected where p is at most {self.alpha:g}.",
            "p is from drawn resamples." if is_drawn else "",
            "" if self.higher_is_better else f"Lower is better for {self.measure}.",
        )

    def verdict(self) -> str:
        """What the test shows, in one sentence.

        Examples
        --------
        >>> import pandas as pd, fuzzytruth as ft
        >>> scores = ft.Scores.from_frame(pd.DataFrame({
        ...     "system": list("aaabbb"), "query": [1, 2, 3] * 2,
        ...     "value": [0.5, 0.7, 0.9, 0.3, 0.6, 0.6]}))
        >>> ft.tests.paired_t(scores, "a", "b", level=0.9).verdict()
        'a is significantly better than b on value over queries (p = 0.074)'
        """
        pair, where = f"{self.system} and {self.other}", f"on {self.measure} over {self.over}"
        p = named_p("p", self.p)
        if self.test in (EQUIVALENCE, NON_INFERIORITY):  # whose null names the margin
            p += f"; {'rejected' if self.rejected else 'not rejected'}: {self.null}"
        if self.test == EQUIVALENCE:
            shown = f"{pair} are equivalent {where}"
            not_shown = f"it is not shown that {shown}"
        elif self.test == NON_INFERIORITY:
            shown = f"{self.system} is not inferior to {self.other} {where}"
            not_shown = f"it is not shown that {shown}"
        elif self.null == MEAN_IS_0:
            is_first = (self.estimate > 0) == self.higher_is_better
            first, second = (self.system, self.other)[:: 1 if is_first else -1]
            shown = f"{first} is significantly better than {second} {where}"
            not_shown = f"no difference between {pair} is shown {where}"
        else:
            null = f"The null hypothesis that {self.null.removesuffix(MID_P)}"
            shown = f"{null} is rejected"
            not_shown = f"{null} is not rejected, which does not show that it holds"
        return printable(f"{shown if self.rejected else not_shown} ({p})")

    def _shown_ends(self) -> tuple[float, float]:
        """Ends of the interval as they are printed."""
        width = self.width if self.is_difference else float("inf")
        return ends_within(self.lower, self.upper, width)

    @property
    def is_difference(self) -> bool:
        """Whether `estimate` is `system` minus `other`."""
        return "difference" in self.estimand

    def to_frame(self, *, full: bool = False) -> pd.DataFrame:
        """One row: system, other, measure, estimate, lower, upper, p.

        With ``full=True`` also test and all other fields.
        """
        names = (*_SHORT, *(f.name for f in fields(self) if f.name not in (*_SHORT, "width")))
        shown_names = names if option_flag("full", full) else _SHORT
        return pd.DataFrame({name: [getattr(self, name)] for name in shown_names})


def one_row(cells: dict[str, str], title: str = "") -> Table:
    """A printed table of one row of numbers."""
    return Table(tuple(Column(heading, (cell,)) for heading, cell in cells.items()), title)


# Values of two systems of `Scores` as tests take them.


@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """Per-query values of two systems, of the queries that both have.

    Parameters
    ----------
    a, b : (queries,) float
    scale : float
        Largest |value| of a cell that the means come from.
    about : dict
        See `about`.
    """

    a: Floats
    b: Floats
    scale: float
    about: dict[str, Any]

    @property
    def sign(self) -> int:
        """1 if higher is better, -1 if lower."""
        return 1 if self.about["higher_is_better"] else -1

    @property
    def differences(self) -> Floats:
        """A - b: (queries,); 0 where they differ by rounding only."""
        return without_rounding(self.a - self.b, self.scale)

    @property
    def oriented(self) -> tuple[Floats, Floats]:
        """Values of both, negated if lower is better: (queries,) each."""
        return self.sign * self.a, self.sign * self.b

    def result(self, test: str, null: str, estimand: str, outcome: PairedOutcome) -> TestResult:
        """The result of a test of this pair."""
        more: dict[str, Any] = outcome.numbers | {"level": outcome.level, "exact": outcome.exact}
        more |= {"n": len(self.a), "alpha": round(1 - outcome.level, 12)}
        return TestResult(test, null, estimand, **self.about, **more)


def about(scores: Scores, system: str, other: str, measure: int) -> dict[str, Any]:
    """What a `TestResult` says of the systems and of the measure at this place."""
    return {
        "system": system,
        "other": other,
        "measure": scores.measures[measure],
        "higher_is_better": scores.higher_is_better[measure],
        "width": scores._width_of(measure),
    }


def named_null(null: str, mid_p: bool) -> str:
    """The null hypothesis as results name it, which says of a p that it is a mid-p."""
    return null + MID_P if option_flag("mid_p", mid_p) else null


def one_measure(scores: Scores, measure: str | None) -> int:
    """Index of a measure in any spelling; None if the scores have only one.

    Raises
    ------
    OptionError
        The measure is unknown, or not named although the scores have several.
    """
    check_scores(scores)
    if measure is None:
        if len(scores.measures) > 1:
            raise OptionError(
                f"measure=None: name one; these scores have {', '.join(scores.measures)}"
            )
        return 0
    return scores.measure_place(measure)


def no_common_query(system: str, other: str, measure: str) -> DataError:
    """The error of two systems that no query has values of."""
    return DataError(
        f"{system!r} and {other!r} have no query in common on which both have a value of {measure}"
    )


def pair_of(scores: Scores, system: str, other: str, measure: str | None) -> Pair:
    """Per-query values of two systems, means over the subjects that both have.

    Raises
    ------
    OptionError
        A name is not among the scores.
    DataError
        The systems have no query in common.
    """
    m = one_measure(scores, measure)
    rows = [place_of(scores.systems, name, "system") for name in (system, other)]
    values = scores.values[rows, m]  # (2, cells)
    shared = ~np.isnan(values).any(axis=0)
    a, b = scores.cells.mean_by_query(np.where(shared, values, np.nan))
    kept = ~np.isnan(a)
    if not kept.any():
        raise no_common_query(system, other, scores.measures[m])
    scale = float(np.abs(values[:, shared]).max())
    return Pair(a[kept], b[kept], scale, about(scores, system, other, m))


def oriented_values(scores: Scores, measure: str | None) -> tuple[Floats, float]:
    """Per-query values of all systems, negated if lower is better, and their scale.

    Values (queries, systems) are means over the subjects that the system has, NaN where it has
    none. The scale is the largest |value| of a cell.
    """
    m = one_measure(scores, measure)
    values = scores.cells.mean_by_query(scores.values[:, m]).T  # (queries, systems)
    scale = float(np.fmax.reduce(np.abs(scores.values[:, m]), axis=None, initial=0.0))
    return (values if scores.higher_is_better[m] else -values), scale


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
    >>> round(ft.tests.paired_t(scores, "a", "b").p, 4)
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
    >>> ft.tests.sign_flip(scores, "a", "b").p
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
    >>> ft.tests.bootstrap_shift(scores, "a", "b", n_resamples=999).p
    0.001
    """
    pair = pair_of(scores, system, other, measure)
    using = Resampling(n_resamples, rng, n_jobs)
    outcome = mean_tests.bootstrap_shift(pair.differences, using, scale=pair.scale)
    return pair.result("bootstrap, shifted", MEAN_IS_0, _MEAN, outcome)


def wasserstein(
    scores: Scores,
    system: str,
    other: str,
    measure: str | None = None,
    *,
    n_resamples: int = 9999,
    rng: Any = 0,
    n_jobs: int = 1,
) -> TestResult:
    """Wasserstein-1 distance between the systems' distributions of per-query values.

    Null: within each query the two values are exchangeable. Estimand: the area between the two
    cumulative distributions over the population of queries (biased upwards, as all distances are).
    p is from swaps of the systems within queries.

    Parameters
    ----------
    scores, system, other, measure
        As in `paired_t`.
    n_resamples, rng, n_jobs
        See `stats.Resampling`.

    References
    ----------
    Vallender 1974; Good 2005, Permutation, Parametric and Bootstrap Tests of Hypotheses.

    Examples
    --------
    >>> import pandas as pd, fuzzytruth as ft
    >>> scores = ft.Scores.from_frame(pd.DataFrame({
    ...     "system": list("aaabbb"), "query": [1, 2, 3] * 2,
    ...     "value": [0.5, 0.7, 0.9, 0.3, 0.6, 0.6]}))
    >>> round(ft.tests.wasserstein(scores, "a", "b").estimate, 9)
    0.2
    """
    pair = pair_of(scores, system, other, measure)
    using = Resampling(n_resamples, rng, n_jobs)
    outcome = mean_tests.wasserstein(*pair.oriented, using, scale=pair.scale)
    return pair.result("Wasserstein", EXCHANGEABLE, "Wasserstein distance", outcome)


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
    >>> ft.tests.wilcoxon(scores, "a", "b").p
    0.25
    """
    pair = pair_of(scores, system, other, measure)
    return pair.result(
        "Wilcoxon signed rank",
        "the differences are symmetric about 0",
        "pseudo-median of the differences",
        rank_tests.wilcoxon(pair.differences, scale=pair.scale),
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
    >>> ft.tests.sign_test(scores, "a", "b").p
    0.25
    """
    pair = pair_of(scores, system, other, measure)
    return pair.result(
        "sign",
        named_null("where the systems differ, either is better with probability 1/2", mid_p),
        "probability that the first is better where they differ",
        rank_tests.sign_test(pair.sign * pair.differences, scale=pair.scale, mid_p=mid_p),
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
    >>> round(ft.tests.mcnemar(scores, "a", "b", success=0.65).estimate, 4)
    0.6667
    """
    pair = pair_of(scores, system, other, measure)
    if success is None:
        binary = np.isin((pair.a, pair.b), (0, 1)).all()
        rule = "are not all 0 or 1; give the least that is a success, as success=0.5"
        require("success", success, bool(binary), f"values of {pair.about['measure']} {rule}")
        success = 1.0 if pair.sign > 0 else 0.0
    least = pair.sign * number("success", success)
    a, b = (without_rounding(values - least, pair.scale) >= 0 for values in pair.oriented)
    return pair.result(
        "McNemar",
        named_null("both systems succeed on a query with the same probability", mid_p),
        "difference of the probabilities of success",
        rank_tests.mcnemar(a, b, mid_p=mid_p),
    )
