"""Result of a test of two systems."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from fuzzytruth.comparison.conditions import ends_within
from fuzzytruth.comparison.verdicts import named_p, p_text
from fuzzytruth.core.validation import option_flag
from fuzzytruth.errors import counted, printable
from fuzzytruth.io.answer import Answer, Column, Printed, Sentences, Table
from fuzzytruth.io.number_text import (
    level_text,
    numbers_format,
    with_interval,
    written,
    written_interval,
)

if TYPE_CHECKING:
    import pandas as pd

#: null hypothesis of the tests of the mean
MEAN_IS_0 = "the mean difference over queries is 0"
#: names of the tests against a margin
EQUIVALENCE, NON_INFERIORITY = "two one-sided tests", "non-inferiority"
MID_P = " (mid-p)"  # ends the null hypothesis of such a p
_SHORT = ("system", "other", "measure", "estimate", "lower", "upper", "p")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class TestResult(Answer):
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
        import pandas as pd

        names = (*_SHORT, *(f.name for f in fields(self) if f.name not in (*_SHORT, "width")))
        shown_names = names if option_flag("full", full) else _SHORT
        return pd.DataFrame({name: [getattr(self, name)] for name in shown_names})
