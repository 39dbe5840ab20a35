"""`SubjectInfluence`: the result of `subject_influence`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from fuzzytruth.annotators.influences.influence_answer import influence_answer
from fuzzytruth.core.validation import option_flag, place_of
from fuzzytruth.errors import counted
from fuzzytruth.evaluation.measure_names import with_direction
from fuzzytruth.io.answer import Answer, Printed
from fuzzytruth.plots.frames import PlotData
from fuzzytruth.stats.axes import Over, in_words

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

_SHORT = ["measure", "system", "left_out", "mean", "without", "change", "rank", "new_rank"]
_CHANGED = [
    *("measure", "system_a", "system_b", "left_out", "change", "p_adjusted", "p_without"),
]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SubjectInfluence(Answer):
    """What changes when each subject, or group of them, is left out.

    Parameters
    ----------
    table : DataFrame
        See `to_frame`.
    pairs : DataFrame
        One row a measure, pair of systems and unit left out: measure, system_a, system_b, left_out,
        change ("lost": a significant difference no longer is; "gained"; "reversed": significant in
        the other direction; "undefined": too few queries are left; else empty), difference (a - b),
        p_adjusted, verdict (1, -1: significantly above or below 0; 0: not shown), and the same
        without the unit (difference_without, p_without, verdict_without).
    left_out : DataFrame
        One row a unit: left_out, largest (the largest `std_change` by size), system and measure (of
        it), rank_changes (ranks of systems by a measure that change), lost, gained, reversed,
        undefined (verdicts), n_subjects, n_scores (queries that each of its subjects judged),
        n_queries_lost (judged by nobody else).
    over : tuple of str
        What verdicts and standard errors are over.
    level : float
        A verdict is an adjusted p of 1 - level or less.
    correction : str
        For the number of pairs by one measure; "" without pairs.
    systems, measures : tuple of str
    higher_is_better : tuple of bool
    grouped : bool
        Whether groups of subjects were left out.
    n_queries : int
    """

    table: pd.DataFrame
    pairs: pd.DataFrame
    left_out: pd.DataFrame
    over: Over
    level: float
    correction: str
    systems: tuple[str, ...]
    measures: tuple[str, ...]
    higher_is_better: tuple[bool, ...]
    grouped: bool
    n_queries: int

    def __repr__(self) -> str:
        changed = self.changed_verdicts()[["measure", "system_a", "system_b"]]
        n_units = len(self.left_out)
        verdicts = counted(len(self.pairs) // n_units, "verdict")
        unit = "group" if self.grouped else "subject"
        return (
            f"SubjectInfluence({counted(n_units, unit)}, {counted(len(self.systems), 'system')}, "
            f"{counted(len(self.measures), 'measure')}, over {in_words(self.over)}: "
            f"{len(changed.drop_duplicates()):,} of {verdicts} change)"
        )

    def _answer(self) -> Printed:
        return influence_answer(self)

    def to_frame(self, *, full: bool = False) -> pd.DataFrame:
        """One row for each measure, system and unit left out.

        Columns: measure, system, left_out (the subject or group), mean (with all), without, change
        (without - mean), rank (1 is best; tied systems have their mean rank), new_rank. With
        ``full=True`` also std_change, the change in standard errors of the mean.
        """
        return self.table.copy() if option_flag("full", full) else self.table[_SHORT].copy()

    def changed_verdicts(self, *, full: bool = False) -> pd.DataFrame:
        """The rows of `pairs` in which the verdict changes: what hangs on which subject.

        Columns: measure, system_a, system_b, left_out, change, p_adjusted, p_without; with
        ``full=True`` all of `pairs`.
        """
        changed = self.pairs[self.pairs["change"] != ""].reset_index(drop=True)
        return changed if option_flag("full", full) else changed[_CHANGED].copy()

    def plot(self, ax: Axes | None = None, *, measure: str | None = None) -> Axes:
        """Draw each system's mean with all subjects, and the means without each of them below it.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; by default in a new figure. Nothing is shown.
        measure : str, optional
            The first by default.

        Raises
        ------
        OptionError
            There is no such measure.

        Examples
        --------
        >>> import matplotlib; matplotlib.use("Agg")
        >>> import fuzzytruth as ft
        >>> votes = ft.Judgments.from_columns(
        ...     ["q"] * 4, [*"aabb"], [1, 0, 0, 1], subject=["ann", "bob"] * 2)
        >>> ax = ft.subject_influence(votes, {"x": {"q": ["a", "b"]}}, "AP").plot()
        >>> [text.get_text() for text in ax.get_legend().get_texts()]
        ['with all subjects', 'without ann', 'without bob']
        """
        from fuzzytruth.plots import means

        return means(self, ax, measure=measure)

    _figures: ClassVar[tuple[str, ...]] = ("means",)

    def _plot_data(self, figure: str, measure: str | None = None) -> PlotData:
        """Frames of `plots.means`."""
        place = 0 if measure is None else place_of(self.measures, measure, "measure")
        chosen, unit = self.measures[place], "group" if self.grouped else "subject"
        rows = self.table[self.table["measure"] == chosen]
        with_all = rows.drop_duplicates("system")[["measure", "system", "mean"]]
        without = rows[["measure", "system"]].assign(
            subject="without " + rows["left_out"].astype(str), mean=rows["without"]
        )
        fewer = f" (without some {unit}s over fewer queries)"
        if not self.left_out["n_queries_lost"].any():
            fewer = ""
        name = with_direction(chosen, higher_is_better=self.higher_is_better[place])
        return PlotData(
            with_all.assign(lower=float("nan"), upper=float("nan")),
            f"{name}: means of {counted(len(with_all), 'system')} over "
            f"{counted(self.n_queries, 'query')} with all of "
            f"{counted(len(self.left_out), unit)} and without each{fewer}\n"
            "Means alone, without intervals",
            without,
            {"mean": f"with all {unit}s", "subject": f"without one {unit}"}
            | ({} if self.higher_is_better[place] else {"better": "lower"}),
        )
