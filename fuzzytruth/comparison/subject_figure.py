"""What the figure of the comparisons of single subjects is drawn from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fuzzytruth.comparison.assumptions import size_text
from fuzzytruth.comparison.compared import Compared
from fuzzytruth.comparison.conditions import Conditions
from fuzzytruth.comparison.difference_columns import intervals_text
from fuzzytruth.comparison.turned import turned
from fuzzytruth.errors import counted
from fuzzytruth.evaluation.measure_names import with_direction
from fuzzytruth.plots.frames import PlotData

if TYPE_CHECKING:
    import pandas as pd


def subject_figure(
    table: pd.DataFrame, pooled: Compared, conditions: Conditions, measure: str | None
) -> PlotData:
    """The rows of one measure, those of all subjects together, and a title.

    Raises
    ------
    OptionError
        The measure is not among those compared.
    """
    chosen = conditions.measure_of(measure)
    name = with_direction(chosen, higher_is_better=conditions.better_up(chosen))
    subjects = counted(len(conditions.subjects or ()), "subject")
    each, together = intervals_text(conditions), intervals_text(pooled.conditions)
    whose = "within" if conditions.interval == "simultaneous" else "of"
    rest = f"; all together: {together} over {pooled.conditions.random}"
    if together == each:
        rest = f", all together over {pooled.conditions.random}"
    unadjusted = ""
    if not conditions.is_adjusted:
        size = f"p ≤ {1 - conditions.level:.2g}"
        unadjusted = f"; significant: {size}, not adjusted for {conditions.tests:,} comparisons"
    all_together = pooled.table[pooled.table["measure"] == chosen]
    rows = turned(table[table["measure"] == chosen], conditions, all_together)
    queries = size_text(conditions.n_queries, "query", rows, "n_queries")
    return PlotData(
        rows,
        f"{name}: differences by each of {subjects} alone ({queries})\n"
        f"{each[:1].upper()}{each[1:]} {whose} each subject over {conditions.random}{rest}"
        f"{unadjusted}",
        turned(all_together, conditions),
    )
