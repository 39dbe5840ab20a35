"""Result of a test of two systems."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth._typing import Floats
from fuzzytruth.comparison.conditions import ends_within
from fuzzytruth.comparison.verdicts import named_p, p_text
from fuzzytruth.core.arithmetic import without_rounding
from fuzzytruth.core.validation import option_flag, place_of
from fuzzytruth.errors import DataError, OptionError, counted, printable
from fuzzytruth.evaluation.scores.score_arrays import check_scores
from fuzzytruth.evaluation.scores.summary import width_of
from fuzzytruth.show.answer import Column, Printed, Result, Sentences, Table
from fuzzytruth.show.number_text import (
    level_text,
    numbers_format,
    with_interval,
    written,
    written_interval,
)

if TYPE_CHECKING:
    from fuzzytruth.evaluation.scores.scores import Scores
    from fuzzytruth.stats.paired import PairedOutcome


#: null hypothesis of the tests of the mean
MEAN_IS_0 = "the mean difference over queries is 0"
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
        sizes = with_interval(self.estimate, *self._shown_ends())
        return printable(
            f"TestResult({self.test}, {self.system} and {self.other} on {self.measure}: "
            f"{sizes}, {named_p('p', self.p)}, {counted(self.n, 'query')})"
        )

    def _answer(self) -> Printed:
        title = (
            f"Test of {self.system} and {self.other} on {self.measure}, "
            f"{counted(self.n, 'query')}: {self.test}"
        )
        lines = Sentences.of(self.verdict())
        return Printed.of(title, lines, self._table(), self._basis())

    def verdict(self) -> str:
        """What the test shows, in one sentence.

        Examples
        --------
        >>> import pandas as pd, fuzzytruth as ft
        >>> scores = ft.Scores.from_frame(pd.DataFrame({
        ...     "system": list("aaabbb"), "query": [1, 2, 3] * 2,
        ...     "value": [0.5, 0.7, 0.9, 0.3, 0.6, 0.6]}))
        >>> ft.paired_t(scores, "a", "b", level=0.9).verdict()
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

    def _table(self) -> Table:
        """One row: estimate, interval, p."""
        shown = self._shown_ends()
        style = numbers_format((self.estimate, *shown))
        of = f"{self.estimand}: {self.system} minus {self.other}"
        signed = self.is_difference
        columns = [Column("estimate", (written(self.estimate, style, signed=signed),))]
        if self.lower == self.lower:
            ends = written_interval(*shown, style, signed=signed)
            columns.append(Column(f"{level_text(self.level)} interval", (ends,)))
        columns.append(Column("p", (p_text(self.p),)))
        title = of if signed else self.estimand
        return Table(tuple(columns), printable(f"{title[:1].upper()}{title[1:]}"))

    def _shown_ends(self) -> tuple[float, float]:
        """Ends of the interval as they are printed."""
        width = self.width if self.is_difference else float("inf")
        return ends_within(self.lower, self.upper, width)

    @property
    def is_difference(self) -> bool:
        """Whether `estimate` is `system` minus `other`."""
        return "difference" in self.estimand

    def _basis(self) -> Sentences:
        """What p and the interval are of."""
        about = ""
        if self.lower == self.lower:
            one_sided = " one-sided" if self.test == NON_INFERIORITY else ""
            about = (
                f"Brackets: {level_text(self.level)}{one_sided} interval of the {self.estimand}."
            )
        where = "p is from drawn resamples."
        if self.exact or self.null.endswith(MID_P):
            where = ""
        lower = "" if self.higher_is_better else f"Lower is better for {self.measure}."
        return Sentences.of(
            about,
            f"Null hypothesis: {self.null}; rejected where p is at most {self.alpha:g}.",
            where,
            lower,
        )

    def to_frame(self, *, full: bool = False) -> pd.DataFrame:
        """One row: system, other, measure, estimate, lower, upper, p.

        With ``full=True`` also test and all other fields.
        """
        names = (*_SHORT, *(f.name for f in fields(self) if f.name not in (*_SHORT, "width")))
        shown_names = names if option_flag("full", full) else _SHORT
        return pd.DataFrame({name: [getattr(self, name)] for name in shown_names})


# Values of two systems of `Scores` as tests take them.


@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """Per-query values of two systems, of the queries that both have.

    Parameters
    ----------
    system, other, measure : str
    a, b : (queries,) float
    sign : int
        1 if higher is better, -1 if lower.
    scale : float
        Largest |value| of a cell that the means come from.
    width : float
        The largest difference that values of the measure can have.
    """

    system: str
    other: str
    measure: str
    a: Floats
    b: Floats
    sign: int
    scale: float
    width: float

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
        return TestResult(
            test,
            null,
            estimand,
            self.system,
            self.other,
            self.measure,
            len(self.a),
            float(outcome.estimate),
            float(outcome.statistic),
            float(outcome.p),
            float(outcome.lower),
            float(outcome.upper),
            outcome.level,
            outcome.exact,
            round(1 - outcome.level, 12),
            higher_is_better=self.sign > 0,
            width=self.width,
        )


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
    sign = 1 if scores.higher_is_better[m] else -1
    scale = float(np.abs(values[:, shared]).max())
    width = width_of(scores, m)
    return Pair(system, other, scores.measures[m], a[kept], b[kept], sign, scale, width)


def oriented_values(scores: Scores, measure: str | None) -> tuple[Floats, float]:
    """Per-query values of all systems, negated if lower is better, and their scale.

    Values (queries, systems) are means over the subjects that the system has, NaN where it has
    none. The scale is the largest |value| of a cell.
    """
    m = one_measure(scores, measure)
    values = scores.cells.mean_by_query(scores.values[:, m]).T  # (queries, systems)
    scale = float(np.fmax.reduce(np.abs(scores.values[:, m]), axis=None, initial=0.0))
    return (values if scores.higher_is_better[m] else -values), scale
