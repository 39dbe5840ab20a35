"""Differences of two systems query by query."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth._typing import Floats
from fuzzytruth.core.arithmetic import without_rounding
from fuzzytruth.core.validation import between_zero_and_one, place_of
from fuzzytruth.errors import OptionError, counted, printable
from fuzzytruth.evaluation.scores.score_arrays import ScoreArrays
from fuzzytruth.evaluation.scores.score_distributions import NO_WORLDS, of_difference
from fuzzytruth.evaluation.scores.scores_answer import answers_of
from fuzzytruth.evaluation.validation import with_direction
from fuzzytruth.show.answer import Printed, Result, Sentences
from fuzzytruth.show.answer_rows import first_rows_table
from fuzzytruth.show.number_text import between_text, level_text, signed_text
from fuzzytruth.stats.observations import least_draws

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from fuzzytruth.plots.frames import PlotData

_FIRST = 10  # queries that are printed
_OF = {"subject": "subjects", "population": "resamples of the subjects", "independent": "worlds"}


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class QueryDifferences(Result):
    """Differences of two systems by one measure, query by query.

    Parameters
    ----------
    table : DataFrame
        See `to_frame`.
    system, other, measure : str
    higher_is_better : bool
    level : float or None
        Of the intervals; None without intervals.
    over : str
        What the intervals are over, such as "worlds"; "" without intervals.
    n_subjects : (int, int) or None
        The fewest and the most subjects that intervals of queries are over; None where they are
        not over subjects.
    """

    table: pd.DataFrame
    system: str
    other: str
    measure: str
    higher_is_better: bool
    level: float | None
    over: str
    n_subjects: tuple[int, int] | None = None

    @property
    def wins(self) -> int:
        """Number of queries on which `system` is better."""
        return int((self._signed() > 0).sum())

    @property
    def ties(self) -> int:
        """Number of queries with equal values."""
        return int((self._signed() == 0).sum())

    @property
    def losses(self) -> int:
        """Number of queries on which `other` is better."""
        return int((self._signed() < 0).sum())

    @property
    def mean(self) -> float:
        """Mean difference over the queries that both have; NaN without any."""
        values = self.table["difference"].dropna()
        return float(values.mean()) if len(values) else float("nan")

    def _signed(self) -> Floats:
        values = self.table["difference"].to_numpy()
        return np.asarray(values if self.higher_is_better else -values)

    def __repr__(self) -> str:
        return printable(
            f"QueryDifferences({self.system} − {self.other}, {self.measure}, "
            f"{counted(len(self.table), 'query')}: {self.wins} wins, {self.ties} ties, "
            f"{self.losses} losses)"
        )

    def _answer(self) -> Printed:
        rows = self.table.sort_values("difference", ascending=False, kind="stable")
        shown = rows.head(_FIRST)
        columns = {name: shown[name].tolist() for name in shown.columns}
        if self.level is None:
            columns = {name: columns[name] for name in ("query", "difference")}
        return Printed.of(
            f"{self.system} minus {self.other} on {self.measure}, query by query",
            Sentences.of(f"{self._counts()}; mean difference {signed_text(self.mean)}"),
            first_rows_table(columns, len(rows), rest=".to_frame()"),
            Sentences.of(
                "Largest differences first."
                + (f" lower, upper: {self._interval_words()}." if self.level is not None else ""),
                "" if self.higher_is_better else f"Lower is better for {self.measure}.",
                "More: .to_frame(), .plot()",
            ),
        )

    def _counts(self) -> str:
        """Wins, ties and losses, and queries without a difference."""
        undefined = int(self.table["difference"].isna().sum())
        rest = f"; {counted(undefined, 'query')} without a difference" if undefined else ""
        return (
            f"{counted(len(self.table), 'query')}: {self.system} is better on {self.wins:,}, "
            f"worse on {self.losses:,}, equal on {self.ties:,}{rest}"
        )

    def _interval_words(self) -> str:
        """What lower and upper are: of few subjects the range, as no tail can be left out."""
        assert self.level is not None
        central = f"the central interval that holds {level_text(self.level)} of {self.over}"
        if self.n_subjects is None:
            return central
        few = least_draws(self.level)
        fewest, most = self.n_subjects
        if most <= few:
            return f"the range over {between_text(fewest, most, 'subject')}"
        where = f" (their range where they are {few:,} or fewer)" if fewest <= few else ""
        return central + where

    def to_frame(self) -> pd.DataFrame:
        """One row a query, in the order of the scores: query, difference, lower, upper.

        `lower` and `upper` are the ends of the central interval of the difference over worlds or
        subjects; NaN where the truth is crisp. All are NaN where one of the systems has no value.
        A copy.
        """
        return self.table.copy()

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the differences in order, one bar a query; see `plots.waterfall`.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; by default in a new figure. Nothing is shown.
        """
        from fuzzytruth.plots import waterfall

        return waterfall(self, ax)

    _figures: ClassVar[tuple[str, ...]] = ("waterfall",)

    def _plot_data(self, figure: str) -> PlotData:
        from fuzzytruth.plots.frames import PlotData

        name = with_direction(self.measure, higher_is_better=self.higher_is_better)
        words = "" if self.level is None else f"\nLines: {self._interval_words()}"
        return PlotData(
            self.table.assign(measure=self.measure),
            f"{name}: {self.system} − {self.other}\n{self._counts()}{words}",
        )


def query_differences(
    scores: ScoreArrays, system: str, other: str, measure: str | None, level: float | None
) -> QueryDifferences:
    """See `Scores.query_differences`."""
    first, second = (
        place_of(scores.systems, name, label)
        for name, label in ((system, "system"), (other, "other"))
    )
    if first == second:
        raise OptionError(f"other={other!r}: is the same system")
    m = _measure(scores, measure)
    values = _differences(scores, first, second, m)
    over = _over(scores)
    ends = np.full((2, len(values)), np.nan)
    if over and level is not None:
        level = between_zero_and_one("level", level)
        if "distribution" not in answers_of(scores):
            raise OptionError(f"query_differences: {NO_WORLDS}; or give level=None")
        for j in np.flatnonzero(~np.isnan(values)).tolist():
            found = of_difference(scores, (first, m, j), (second, m, j))
            ends[:, j] = found.interval(level)
    table = pd.DataFrame(
        {"query": list(scores.queries), "difference": values, "lower": ends[0], "upper": ends[1]}
    )
    return QueryDifferences(
        table,
        system,
        other,
        scores.measures[m],
        scores.higher_is_better[m],
        level if over else None,
        over if level is not None else "",
        _subjects_of(scores, first, second, m) if over and level is not None else None,
    )


def _differences(scores: ScoreArrays, first: int, second: int, measure: int) -> Floats:
    """Mean difference of each query over its subjects: (queries,)."""
    a, b = scores.values[first, measure], scores.values[second, measure]
    scale = np.nanmax(np.abs(np.stack((a, b))), initial=0.0)
    out: Floats = scores.cells.mean_by_query(without_rounding(a - b, scale)[None, :])[0]
    return out


def _subjects_of(
    scores: ScoreArrays, first: int, second: int, measure: int
) -> tuple[int, int] | None:
    """The fewest and the most subjects by whom a query has a difference."""
    if scores.subjects is None:
        return None
    known = ~np.isnan(scores.values[first, measure] - scores.values[second, measure])
    sizes = scores.cells.sum_by_query(known.astype(np.float64))
    some = sizes[sizes > 0]
    return (int(some.min()), int(some.max())) if some.size else None


def _over(scores: ScoreArrays) -> str:
    """What a query's difference varies over; "" where it does not."""
    if scores.subjects is not None:
        return _OF["subject"]
    return "" if scores.uncertainty is None else _OF[scores.uncertainty.worlds]


def _measure(scores: ScoreArrays, measure: Any) -> int:
    if measure is None and len(scores.measures) > 1:
        raise OptionError(f"measure=None: name one of {', '.join(scores.measures)}")
    return 0 if measure is None else scores.measure_place(measure)
