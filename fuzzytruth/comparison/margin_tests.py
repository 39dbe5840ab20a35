"""Equivalence and non-inferiority of two systems, over queries, subjects or both."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.comparison import pair_tests
from fuzzytruth.comparison.pair_tests import TestResult
from fuzzytruth.core.arithmetic import without_rounding
from fuzzytruth.core.cells import grouped_mean
from fuzzytruth.core.validation import place_of
from fuzzytruth.errors import DataError, LevelWarning, OptionError, shown, warn
from fuzzytruth.evaluation.scores.score_arrays import check_over
from fuzzytruth.evaluation.scores.scores import Scores
from fuzzytruth.evaluation.scores.summary import Grouping, observations_of, query_groups
from fuzzytruth.stats import multiplicity
from fuzzytruth.stats.laws import Fit
from fuzzytruth.stats.observations import Contrasts, Observations
from fuzzytruth.stats.settings import Over, in_words
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
            "large ones on the longer side may be missing by chance, so that p is too small; "
            f"this matters less from about {math.ceil((self.value / HARMFUL_SKEW) ** 2):,} {unit} "
            "on",
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
    >>> round(ft.equivalence(scores, "a", "b", margin=0.4).p, 4)
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
    >>> round(ft.non_inferiority(scores, "a", "b", margin=0.2).p, 4)
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
