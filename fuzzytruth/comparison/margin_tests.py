"""Equivalence and non-inferiority of two systems, over queries, subjects or both."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import numpy as np

from fuzzytruth.comparison.pairs import TestResult, one_measure
from fuzzytruth.core.validation import place_of
from fuzzytruth.errors import DataError, OptionError
from fuzzytruth.evaluation.axes import check_over
from fuzzytruth.evaluation.observations import observations_of
from fuzzytruth.evaluation.query_groups import Grouping, check_strata, query_groups
from fuzzytruth.stats.axes import Over, in_words
from fuzzytruth.stats.contrasts import Contrasts
from fuzzytruth.stats.estimates import estimate
from fuzzytruth.stats.margins import (
    Fitted,
    MarginTest,
    check_level,
    check_margin,
    not_inferior,
    two_one_sided,
)

if TYPE_CHECKING:
    from fuzzytruth.evaluation.scores import Scores


def equivalence(
    scores: Scores,
    system: str,
    other: str,
    measure: str | None = None,
    *,
    margin: float,
    over: Iterable[str] | str = ("query",),
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
    over : {"query", "subject", "world"} or several
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
    pair = _Pair(scores, system, other, measure, check_over(over, scores))
    null = f"is {check_margin(margin):g} or more in size"
    groups = clusters, strata
    return pair.tested("two one-sided tests", null, two_one_sided, margin, level, groups)


def non_inferiority(
    scores: Scores,
    system: str,
    other: str,
    measure: str | None = None,
    *,
    margin: float,
    over: Iterable[str] | str = ("query",),
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
    pair = _Pair(scores, system, other, measure, check_over(over, scores))
    null = f"of {system} is worse by {check_margin(margin):g} or more"
    groups = clusters, strata
    return pair.tested("non-inferiority", null, not_inferior, margin, level, groups)


class _Pair:
    """Two systems and what is random."""

    def __init__(
        self, scores: Scores, system: str, other: str, measure: str | None, over: Over
    ) -> None:
        self.scores, self.over = scores, over
        self.names = system, other
        self.measure = one_measure(scores, measure)
        self.places = [place_of(scores.systems, name, "system") for name in self.names]
        if over == ("world",) and self._worlds() == "independent":
            raise OptionError(
                "over='world': independent worlds are no sample, so that nothing can be tested "
                "over them; use over='query', or worlds='subject' or 'population'"
            )

    def _worlds(self) -> str | None:
        spread = self.scores.uncertainty
        return None if spread is None else spread.worlds

    def tested(
        self,
        test: str,
        null: str,
        function: Callable[[Fitted, float, float], MarginTest],
        margin: float,
        level: float,
        groups: tuple[Grouping, Grouping],
    ) -> TestResult:
        """The result of a test; `null` goes on after the words "the mean difference ..."."""
        level, scores, measure = check_level(level), self.scores, self.scores.measures[self.measure]
        observed = observations_of(scores, self.measure, query_groups(scores, *groups, self.over))
        up = scores.higher_is_better[self.measure]
        first, second = self.places if up else self.places[::-1]
        contrast = Contrasts(np.array([first]), np.array([second]))
        check_strata(observed, contrast, scores.systems)
        fitted = estimate(observed, contrast, self.over)
        if np.isnan(fitted.value[0]):
            raise DataError(
                f"{self.names[0]!r} and {self.names[1]!r} have no query in common on which both "
                f"have a value of {measure}"
            )
        out = function(fitted, margin, level)
        sign = 1.0 if up else -1.0
        lower, upper = sorted((sign * out.lower[0], sign * out.upper[0]))
        over = in_words(self.over)
        return TestResult(
            test,
            f"the mean difference over {over} {null}",
            f"mean difference over the population of {over}",
            *self.names,
            measure,
            int(fitted.n_queries[0]),
            float(sign * fitted.value[0]),
            float(out.statistic[0]),
            float(out.p[0]),
            float(lower),
            float(upper),
            out.level,
        )
