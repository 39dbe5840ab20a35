"""Tests against a margin, over queries, subjects or both; and which system is above another."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth._typing import Floats
from fuzzytruth.comparison import pair_tests
from fuzzytruth.comparison.pair_tests import TestResult, one_row
from fuzzytruth.comparison.verdicts import named_p, p_text
from fuzzytruth.core.arithmetic import without_rounding
from fuzzytruth.core.cells import grouped_mean
from fuzzytruth.core.validation import option_flag, place_of
from fuzzytruth.data.distribution import Distribution
from fuzzytruth.errors import DataError, LevelWarning, OptionError, counted, printable, shown, warn
from fuzzytruth.evaluation.scores.score_arrays import check_over
from fuzzytruth.evaluation.scores.scores import Scores
from fuzzytruth.evaluation.scores.summary import Grouping, observations_of, query_groups
from fuzzytruth.show import number_text
from fuzzytruth.show.answer import FrameColumns, Parts, Result, Sentences, printed_table
from fuzzytruth.stats import mean_tests, multiplicity, rank_tests
from fuzzytruth.stats.laws import Fit
from fuzzytruth.stats.observations import Contrasts, Observations
from fuzzytruth.stats.settings import Over, Resampling, in_words
from fuzzytruth.stats.world_estimates import Estimates, estimate

#: skewness over √n above which a claim warns, on the side on which it errs; from the simulations
#: "margins under skew" of docs/evidence/validity.md
HARMFUL_SKEW = 0.15
_FEWEST = 10  # units, of which fewer hardly show how skewed their population is

# The difference of two systems by one measure, of which higher is better.


@dataclass(frozen=True, slots=True)
class Skew:
    """Skewness of a sample of differences, of which higher is better.

    Parameters
    ----------
    value : float
        Third central moment over the 3/2 power of the second; 0 without a spread.
    n : int
    """

    value: float
    n: int

    @classmethod
    def of(cls, differences: Floats) -> Skew:
        """Of (n,) differences; NaN is left out."""
        known = differences[~np.isnan(differences)]
        if not len(known):
            return cls(0.0, 0)
        centred = without_rounding(known - known.mean(), np.abs(known).max())
        spread = np.sqrt((centred**2).mean())
        value = float(((centred / spread) ** 3).mean()) if spread > 0 else 0.0
        return cls(value, len(known))

    def harms(self, side: float = -1.0) -> bool:
        """Whether a claim may err: the long tail is on the side (±1) of the margin that is near."""
        size = side * self.value
        return self.n >= _FEWEST and size > HARMFUL_SKEW * math.sqrt(self.n)

    def warn(self, claim: str, unit: str) -> None:
        """Warn that a claim rests on skewed differences."""
        warn(
            f"{claim}: the differences of these {self.n} {unit} are skewed ({self.value:+.2g}); "
            "large ones on the longer side may be missing by chance, so that p is too small; this "
            f"matters less from about {math.ceil((self.value / HARMFUL_SKEW) ** 2):,} {unit} on",
            LevelWarning,
        )


@dataclass(frozen=True, slots=True, eq=False)
class OrientedDifference:
    """An estimated difference, of which higher is better.

    Parameters
    ----------
    fitted : Estimates
        One row: `sign` times the system minus the other.
    sign : float
        1 if higher is better by the measure, -1 if lower.
    identical : bool
        Whether the systems have the same values wherever both have one, up to rounding; their means
        may be the same without that.
    skew : Skew
        Of the differences by query or cluster; by subject if these alone are random.
    """

    fitted: Estimates
    sign: float
    identical: bool
    skew: Skew


def oriented_difference(
    scores: Scores,
    measure: int,
    systems: tuple[str, ...],
    over: Over,
    clusters: Grouping = None,
    strata: Grouping = None,
    *,
    quiet: bool = False,
    mean: float = 0.0,
) -> OrientedDifference:
    """The estimated mean difference by the measure at this place; `quiet` as in `query_groups`.

    Of a single system it is the difference from a `mean`, a number without error.

    Raises
    ------
    OptionError
        A system is unknown, both are the same, or what is random is no sample.
    DataError
        The systems have no value in common, or a stratum has a single query.
    """
    places = [place_of(scores.systems, system, "system") for system in systems]
    if len({*places}) < len(places):
        raise OptionError(f"system, other: {shown(systems[0])} is both; name two systems")
    spread = scores.uncertainty
    if over == ("world",) and spread is not None and spread.worlds != "population":
        raise OptionError(
            f"over='world': {spread.worlds} worlds are no sample, so that nothing can be tested "
            "over them; use over='query', or worlds='subject' or 'population'"
        )
    groups = query_groups(scores, clusters, strata, over, quiet=quiet)
    sign = 1.0 if scores.higher_is_better[measure] else -1.0
    ordered = places if sign > 0 else places[::-1]
    contrast = Contrasts(*(np.array([place]) for place in ordered))
    observed = observations_of(scores, measure, groups, contrast)
    if scores.replicates is not None and "replicate" in over and not quiet:
        scores.replicates.warn([measure], systems)
    fitted = estimate(observed, contrast, over)
    if np.isnan(fitted.value[0]):
        if len(systems) == 1:
            raise DataError(f"{systems[0]!r} has no value of {scores.measures[measure]}")
        raise pair_tests.no_common_query(systems[0], systems[1], scores.measures[measure])
    differences = _by_unit(observed, contrast, over)
    if len(systems) == 1:
        value, law = sign * (fitted.value - mean), multiplicity.unaware(fitted.law)
        fitted = replace(fitted, value=value, law=law)
        return OrientedDifference(fitted, sign, False, Skew.of(sign * differences))
    values = observed.values[places]  # (2, cells)
    a, b = values[:, ~np.isnan(values).any(axis=0)]
    differ = without_rounding(a - b, np.abs([a, b]).max(initial=0.0)).any()
    return OrientedDifference(fitted, sign, not differ, Skew.of(differences))


def unit_of(over: Over, clusters: Grouping) -> str:
    """What the units of a test are called, in the plural."""
    if "query" not in over:
        return in_words(over)
    return "queries" if clusters is None else "clusters"


def _by_unit(observed: Observations, contrast: Contrasts, over: Over) -> Floats:
    """Differences by query, or the means of clusters; by subject if these alone are random.

    None where queries are fixed and subjects or worlds are no units of one sample.
    """
    if "query" not in over:
        crossed = over == ("subject",) and not observed.nested
        return np.asarray(observed.by_subject(contrast)[0] if crossed else np.empty(0))
    by_query, groups = observed.by_query(contrast)[0], observed.groups
    if groups is None or groups.kind != "clusters":
        return np.asarray(by_query)
    return grouped_mean(by_query, groups.code, groups.n)


def equivalence(
    scores: Scores,
    system: str,
    other: str,
    measure: str | None = None,
    *,
    margin: float,
    over: Iterable[str] | str | None = None,
    level: float = 0.95,
    clusters: Grouping = None,
    strata: Grouping = None,
) -> TestResult:
    """Two one-sided tests (TOST) of whether the mean difference is within the margin.

    Null: the mean difference, in the population that `over` names, is `margin` or more in size. A
    small p shows equivalence. Estimand: the mean difference; the interval is that of level
    2 · `level` - 1, which lies within the margin exactly where p is 1 - `level` or less.

    Parameters
    ----------
    scores, system, other, measure
        As in `paired_t`.
    margin : float
        The largest difference that does not matter, above 0, in units of the measure; choose it
        before looking at the data.
    over : {"query", "subject", "world", "replicate"} or several
        What is random; see `Scores.summary`. Over queries or subjects the tests are Student's t,
        over both they are generalised pivotal ones.
    level : float
        Above ½.
    clusters, strata
        Of queries; see `compare`.

    Returns
    -------
    TestResult

    Raises
    ------
    OptionError
        `margin` or `level` is out of its range, a name is unknown, or the scores lack an axis.
    DataError
        The systems have no value in common.

    Warns
    -----
    LevelWarning
        Equivalence is shown by few and skewed differences, by which it is claimed too often: by 10
        or more whose skewness is above .15 √n towards the nearer margin.

    References
    ----------
    Schuirmann 1987, Journal of Pharmacokinetics and Biopharmaceutics 15.

    Examples
    --------
    >>> import pandas as pd, fuzzytruth as ft
    >>> scores = ft.Scores.from_frame(pd.DataFrame({
    ...     "system": list("aaabbb"), "query": [1, 2, 3] * 2,
    ...     "value": [0.5, 0.7, 0.9, 0.3, 0.6, 0.6]}))
    >>> round(ft.tests.equivalence(scores, "a", "b", margin=0.4).p, 4)
    0.0371
    """
    axes, margin = check_over(over, scores), multiplicity.check_margin(margin)
    null = f"the mean difference over {in_words(axes)} is {margin:g} or more in size"
    asked = (scores, (system, other), measure, axes, clusters, strata, margin, level)
    return _tested(pair_tests.EQUIVALENCE, null, multiplicity.two_one_sided, *asked)


def non_inferiority(
    scores: Scores,
    system: str,
    other: str,
    measure: str | None = None,
    *,
    margin: float,
    over: Iterable[str] | str | None = None,
    level: float = 0.95,
    clusters: Grouping = None,
    strata: Grouping = None,
) -> TestResult:
    """One-sided test of whether a system is worse than another by less than the margin.

    Null: in the population that `over` names, `system` is worse by `margin` or more on average;
    worse is lower, or higher for a measure of which lower is better. A small p shows
    non-inferiority. The one-sided interval excludes the margin exactly where p is 1 - `level` or
    less.

    Parameters
    ----------
    scores, system, other, measure
        As in `paired_t`.
    margin, over, level, clusters, strata
        As in `equivalence`.

    Returns
    -------
    TestResult
        `estimate` is `system` minus `other`, `statistic` the t of its distance from the margin.

    Raises
    ------
    OptionError, DataError
        As in `equivalence`.

    Warns
    -----
    LevelWarning
        As in `equivalence`, of skewness towards losses.

    References
    ----------
    Wellek 2010, Testing Statistical Hypotheses of Equivalence and Noninferiority.

    Examples
    --------
    >>> import pandas as pd, fuzzytruth as ft
    >>> scores = ft.Scores.from_frame(pd.DataFrame({
    ...     "system": list("aaabbb"), "query": [1, 2, 3] * 2,
    ...     "value": [0.5, 0.7, 0.9, 0.5, 0.8, 0.8]}))
    >>> round(ft.tests.non_inferiority(scores, "a", "b", margin=0.2).p, 4)
    0.0371
    """
    axes, margin = check_over(over, scores), multiplicity.check_margin(margin)
    by = f"{margin:g} or more"
    null = f"the mean over {in_words(axes)} of {system} is worse than that of {other} by {by}"
    asked = (scores, (system, other), measure, axes, clusters, strata, margin, level)
    return _tested(pair_tests.NON_INFERIORITY, null, multiplicity.not_inferior, *asked)


def _tested(
    name: str,
    null: str,
    test: Callable[[Fit, float, float], multiplicity.MarginTest],
    scores: Scores,
    systems: tuple[str, str],
    measure: str | None,
    over: Over,
    clusters: Grouping,
    strata: Grouping,
    margin: float,
    level: float,
) -> TestResult:
    """The result of a test of two systems against a margin; higher is better in the test."""
    m, words = pair_tests.one_measure(scores, measure), in_words(over)
    oriented = oriented_difference(scores, m, systems, over, clusters, strata)
    fitted, sign = oriented.fitted, oriented.sign
    out = test(fitted, margin, multiplicity.check_level(level))
    lower, upper = sorted((sign * out.lower[0], sign * out.upper[0]))
    of_both = name == pair_tests.EQUIVALENCE
    side = 1.0 if of_both and fitted.value[0] > 0 else -1.0
    if multiplicity.significant(out.p, level)[0] and oriented.skew.harms(side):
        what = "equivalence" if of_both else "non_inferiority"
        oriented.skew.warn(what, unit_of(over, clusters))
    return TestResult(
        name,
        null,
        f"mean difference over the population of {words}",
        **pair_tests.about(scores, *systems, m),
        n=int(fitted.n_queries[0]),
        estimate=float(sign * fitted.value[0]),
        statistic=float(out.statistic[0]),
        p=float(out.p[0]),
        lower=float(lower),
        upper=float(upper),
        level=out.level,
        alpha=round(1 - level, 12),
        over=words,
    )


# Which system is above another: dominance, superiority over worlds, and Friedman's mean ranks.

_LEVEL = 0.95  # of the printed interval
_ALPHA = 0.05
_MOST = 12  # rows of a printed table
_MEAN_RANKS: FrameColumns = {"system": "system", "mean_rank": ("mean rank", ".2f")}
_POST_HOC: FrameColumns = {
    ("system_a", "system_b"): ("systems", "{} minus {}".format, "label"),
    "difference": ("difference", "+.2f"),
    "p_adjusted": ("adjusted p", p_text),
}
_SHORT = ["system", "other", "measure", "dominates", "lead", "behind", "p", "n"]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Dominance(Result):
    """Whether one system's values are stochastically better than another's.

    Parameters
    ----------
    dominates : bool
        Whether at every threshold the system has at least as large a share of queries that reach
        it, and a larger one at some threshold.
    lead, behind : float
        Largest difference of these shares in the system's favour, and against it.
    test : TestResult
        Of `lead`, the one-sided Kolmogorov-Smirnov statistic.
    """

    dominates: bool
    lead: float
    behind: float
    test: TestResult

    def __repr__(self) -> str:
        test = self.test
        verb = "dominates" if self.dominates else "does not dominate"
        return printable(
            f"Dominance({test.system} {verb} {test.other} on {test.measure}: lead {self.lead:.4g}, "
            f"behind {self.behind:.4g}, {named_p('p', test.p)}, {counted(test.n, 'query')})"
        )

    def _title(self) -> str:
        test = self.test
        pair = f"{test.system} over {test.other} on {test.measure}"
        return f"Stochastic dominance of {pair}, {counted(test.n, 'query')}"

    def _parts(self) -> Parts:
        """Whether it dominates, the leads, and what they are."""
        test = self.test
        verb = "dominates" if self.dominates else "does not dominate"
        yield f"{test.system} {verb} {test.other} on these queries"
        lead, behind = number_text.number_text(self.lead), number_text.number_text(self.behind)
        yield one_row({"lead": lead, "behind": behind, "p of the lead": p_text(test.p)})
        yield Sentences.of(
            f"Lead, behind: the most, over all thresholds, by which the share of queries that "
            f"reach one is larger, or smaller, for {test.system}.",
            f"It dominates if it is never behind, and somewhere in the lead. A small p shows "
            f"that {test.system} is better at some threshold, not that it dominates.",
            f"Null hypothesis: {test.null}; p is of a lead as large under swaps.",
        )

    def to_frame(self, *, full: bool = False) -> pd.DataFrame:
        """One row: system, other, measure, dominates, lead, behind, p, n.

        With ``full=True`` also the rest of the test.
        """
        frame = self.test.to_frame(full=True)
        for place, name in enumerate(("dominates", "lead", "behind"), start=3):
            frame.insert(place, name, [getattr(self, name)])
        return frame if option_flag("full", full) else frame[_SHORT]


def dominance(
    scores: Scores,
    system: str,
    other: str,
    measure: str | None = None,
    *,
    n_resamples: int = 9999,
    rng: Any = 0,
    n_jobs: int = 1,
) -> Dominance:
    """First-order stochastic dominance of per-query values.

    Null: within each query the two values are exchangeable; p is that of the largest lead under
    swaps. Estimand: the largest lead in the share of queries that reach a threshold. A small p does
    not show dominance, only that the system is better at some threshold.

    Parameters
    ----------
    scores, system, other, measure
        As in `paired_t`.
    n_resamples, rng, n_jobs
        See `stats.Resampling`.

    References
    ----------
    Quirk & Saposnik 1962; McFadden 1989, Testing for stochastic dominance.

    Examples
    --------
    >>> import pandas as pd, fuzzytruth as ft
    >>> scores = ft.Scores.from_frame(pd.DataFrame({
    ...     "system": list("aaabbb"), "query": [1, 2, 3] * 2,
    ...     "value": [0.5, 0.7, 0.9, 0.3, 0.6, 0.6]}))
    >>> ft.tests.dominance(scores, "a", "b").dominates
    True
    """
    pair = pair_tests.pair_of(scores, system, other, measure)
    using = Resampling(n_resamples, rng, n_jobs)
    leads = mean_tests.dominance(*pair.oriented, using, scale=pair.scale)
    test = pair.result(
        "stochastic dominance", pair_tests.EXCHANGEABLE, "largest lead of the share", leads.test
    )
    return Dominance(leads.dominates, test.statistic, leads.behind, test)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Superiority(Result):
    """Probability that one system is better than another in the same world.

    Parameters
    ----------
    better, equal, worse : float
        Probabilities over worlds, jointly: both systems share each world.
    difference : Distribution
        Of the mean of `system` minus that of `other`.
    system, other, measure : str
    """

    better: float
    equal: float
    worse: float
    difference: Distribution
    system: str
    other: str
    measure: str

    def __repr__(self) -> str:
        return printable(
            f"Superiority({self.system} and {self.other} on {self.measure}: better "
            f"{self.better:.4g}, equal {self.equal:.4g}, worse {self.worse:.4g})"
        )

    def _title(self) -> str:
        drawn = counted(self.difference.n_samples or 0, "world")
        return (
            f"{self.system} and {self.other} on {self.measure}, over the worlds of this uncertain "
            f"truth ({'exact' if self.difference.exact else drawn})"
        )

    def _parts(self) -> Parts:
        """Probabilities, the difference with its interval, and what they are."""
        yield (
            f"{self.system} is better than {self.other} with probability {self.better:.3f}, "
            f"worse with {self.worse:.3f}"
        )
        mean, ends = self.difference.mean(), self.difference.interval(_LEVEL)
        style, level = number_text.numbers_format((mean, *ends)), number_text.level_text(_LEVEL)
        shares = {"better": self.better, "equal": self.equal, "worse": self.worse}
        yield one_row(
            {name: number_text.number_text(share, 3) for name, share in shares.items()}
            | {
                "difference": number_text.written(mean, style, signed=True),
                f"{level} of worlds": number_text.written_interval(*ends, style, signed=True),
            }
        )
        yield Sentences.of(
            f"Difference: expected mean of {self.system} minus that of {self.other}. Brackets: "
            f"the central {level} of the worlds.",
            "They say how uncertain the truth of these queries is, and nothing about other "
            "queries or people.",
        )

    def to_frame(self) -> pd.DataFrame:
        """One row: system, other, measure, better, equal, worse, mean and std of the difference."""
        names = ("system", "other", "measure", "better", "equal", "worse")
        row = {name: [getattr(self, name)] for name in names}
        return pd.DataFrame(
            row | {"mean": [self.difference.mean()], "std": [self.difference.std()]}
        )


def superiority(scores: Scores, system: str, other: str, measure: str | None = None) -> Superiority:
    """P(A better than B) over worlds, of their means over these queries.

    Estimand: the probability that `system` is the better one in a world drawn from this uncertain
    truth. No hypothesis about other queries is tested.

    Parameters
    ----------
    scores, system, other, measure
        As in `paired_t`.

    Raises
    ------
    OptionError
        The scores have no worlds.

    Examples
    --------
    >>> import fuzzytruth as ft
    >>> truth = ft.Judgments.from_probabilities(["q", "q"], ["a", "b"], [0.9, 0.5])
    >>> runs = {"x": {"q": {"a": 2, "b": 1}}, "y": {"q": {"b": 2, "a": 1}}}
    >>> scores = ft.evaluate(truth, runs, ["P@1"], n_worlds=4000, rng=0)
    >>> abs(ft.tests.superiority(scores, "x", "y").better - 0.9 * 0.5) < 0.03
    True
    """
    check_over("world", scores)
    m = pair_tests.one_measure(scores, measure)
    difference = scores.difference(system, other, scores.measures[m])
    above, equal = float(difference.sf(0.0)), float(difference.pmf(0.0))
    below = max(0.0, float(difference.cdf(0.0)) - equal)
    better, worse = (above, below) if scores.higher_is_better[m] else (below, above)
    return Superiority(better, equal, worse, difference, system, other, scores.measures[m])


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class FriedmanResult(Result):
    """Result of Friedman's test.

    Parameters
    ----------
    null : str
    statistic, df, p : float
        Chi-squared, corrected for ties; p = 1 where all systems tie on all queries.
    n : int
        Queries with values of all systems.
    mean_ranks : Series
        By system; 1 is best.
    post_hoc : DataFrame
        One row per pair: system_a, system_b, difference (of mean ranks), p_adjusted.
    measure, post_hoc_test : str
    """

    null: str
    statistic: float
    df: int
    p: float
    n: int
    mean_ranks: pd.Series[float]
    post_hoc: pd.DataFrame
    measure: str = ""
    post_hoc_test: str = "nemenyi"

    def __repr__(self) -> str:
        return printable(
            f"FriedmanResult({counted(len(self.mean_ranks), 'system')} on {self.measure}, "
            f"{counted(self.n, 'query')}: chi-squared {self.statistic:.4g}, df {self.df}, "
            f"{named_p('p', self.p)})"
        )

    def _title(self) -> str:
        on = f" on {self.measure}" if self.measure else ""
        systems = counted(len(self.mean_ranks), "system")
        return f"Friedman test of {systems}{on}, {counted(self.n, 'query')}"

    def _parts(self) -> Parts:
        """Whether the null hypothesis is rejected, mean ranks, and pairs."""
        rejected = "rejected" if self.p <= _ALPHA else "not rejected"
        yield (
            f"The null hypothesis is {rejected} at the {number_text.level_text(_ALPHA)} level "
            f"(chi-squared = {self.statistic:.2f}, df = {self.df}, {named_p('p', self.p)})"
        )
        ranks = self.to_frame().sort_values("mean_rank", kind="stable")
        of = f"the first {_MOST} of {len(ranks)}; " if len(ranks) > _MOST else ""
        title = f"Mean ranks over queries, {of}1 is best"
        yield printed_table(ranks.head(_MOST), _MEAN_RANKS, title=title)
        pairs = self.post_hoc.sort_values("p_adjusted", kind="stable")
        title = "Differences of mean ranks, the smallest p first"
        yield printed_table(pairs, _POST_HOC, title=title, limit=_MOST)
        yield Sentences.of(
            f"Null hypothesis: {self.null}. Ranks, not means, are compared; the pairs' p are "
            f"adjusted ({self.post_hoc_test}), and assume that all systems are alike.",
            "More: .to_frame(), .mean_ranks, .post_hoc",
        )

    def to_frame(self) -> pd.DataFrame:
        """One row a system: system, mean_rank; statistic, df, p and n of the test in each."""
        frame = self.mean_ranks.rename_axis("system").rename("mean_rank").reset_index()
        return frame.assign(statistic=self.statistic, df=self.df, p=self.p, n=self.n)


def friedman(
    scores: Scores, measure: str | None = None, *, post_hoc: str = "nemenyi"
) -> FriedmanResult:
    """Friedman's rank test of all systems.

    Null: within each query all orders of the systems are equally probable. Estimand: the mean rank
    over queries; this is not a test of means. Queries that any system lacks are left out.

    Parameters
    ----------
    scores : Scores
    measure : str, optional
        In any spelling; may be left out where the scores have one.
    post_hoc : str
        "nemenyi" (all pairs, studentised range), or a correction's name for z tests of the
        differences of mean ranks. Both assume the complete null, that all systems are alike.

    Raises
    ------
    OptionError
        There are fewer than three systems, or no query that all have.

    References
    ----------
    Friedman 1937; Nemenyi 1963; Demšar 2006, Statistical comparisons of classifiers over multiple
    data sets, JMLR 7.

    Examples
    --------
    >>> import pandas as pd, fuzzytruth as ft
    >>> scores = ft.Scores.from_frame(pd.DataFrame({
    ...     "system": list("aaabbbccc"), "query": [1, 2, 3] * 3,
    ...     "value": [0.9, 0.8, 0.7, 0.5, 0.4, 0.6, 0.1, 0.2, 0.3]}))
    >>> ft.tests.friedman(scores).mean_ranks.to_dict()
    {'a': 1.0, 'b': 2.0, 'c': 3.0}
    """
    values, scale = pair_tests.oriented_values(scores, measure)
    outcome = rank_tests.friedman(values, post_hoc=post_hoc, scale=scale)
    names = np.array(scores.systems, dtype=object)
    first, second = np.triu_indices(len(names), 1)
    pairs = {"system_a": names[first], "system_b": names[second]}
    found = {"difference": outcome.difference, "p_adjusted": outcome.p_adjusted}
    index = pd.Index(scores.systems, name="system")
    return FriedmanResult(
        "within each query all orders of the systems are equally probable",
        outcome.statistic,
        outcome.df,
        outcome.p,
        outcome.n,
        pd.Series(outcome.mean_ranks, index=index, name="mean_rank"),
        pd.DataFrame(pairs | found),
        scores.measures[pair_tests.one_measure(scores, measure)],
        post_hoc,
    )
