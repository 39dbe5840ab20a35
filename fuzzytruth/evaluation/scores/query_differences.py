"""Differences of two systems query by query."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth._typing import Axes, Floats
from fuzzytruth.errors import counted, printable
from fuzzytruth.evaluation.validation import with_direction
from fuzzytruth.plots.frames import PlotData, Title
from fuzzytruth.show.answer import Printed, Result, Sentences
from fuzzytruth.show.answer_rows import first_rows_table
from fuzzytruth.show.number_text import between_text, level_text, signed_text
from fuzzytruth.stats.observations import least_draws

_FIRST = 10  # queries that are printed


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
        return float(self.table["difference"].mean())

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
        rows = self.table.sort_values("difference", ascending=False, kind="stable")[:_FIRST]
        names = ["query", "difference"] if self.level is None else rows.columns
        columns = {name: rows[name].tolist() for name in names}
        return Printed.of(
            f"{self.system} minus {self.other} on {self.measure}, query by query",
            Sentences.of(f"{self._counts()}; mean difference {signed_text(self.mean)}"),
            first_rows_table(columns, len(self.table), rest=".to_frame()"),
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

    def plot(self, ax: Axes | None = None, *, title: Title = True) -> Axes:
        """Draw the differences in order, one bar a query; see `plots.waterfall`.

        Parameters
        ----------
        ax, title
            As in `plots.waterfall`.
        """
        from fuzzytruth.plots import waterfall

        return waterfall(self, ax, title=title)

    _figures: ClassVar[tuple[str, ...]] = ("waterfall",)

    def _plot_data(self, figure: str) -> PlotData:
        name = with_direction(self.measure, higher_is_better=self.higher_is_better)
        words = "" if self.level is None else self._interval_words()
        lines = f"\nLines: {words}" if words else ""
        title = f"{name}: {self.system} − {self.other}\n{self._counts()}{lines}"
        labels = {"interval": words.removeprefix("the ")} if words.startswith("the range") else {}
        return PlotData(self.table.assign(measure=self.measure), title, labels=labels)
