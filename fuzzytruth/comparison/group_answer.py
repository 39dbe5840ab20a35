"""What is printed of a comparison of groups of subjects."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from fuzzytruth.comparison.assumptions import procedure, size_text
from fuzzytruth.comparison.conditions import Conditions
from fuzzytruth.comparison.difference_columns import (
    difference_columns,
    intervals_text,
    p_name,
)
from fuzzytruth.comparison.group_verdicts import group_verdicts
from fuzzytruth.errors import counted, first_few
from fuzzytruth.io.answer import Column, Printed, Sentences, Table
from fuzzytruth.io.number_text import signed_text

if TYPE_CHECKING:
    import pandas as pd

MOST_SENTENCES = 4
MOST_ROWS = 8


def group_answer(
    between: pd.DataFrame,
    differences: pd.DataFrame,
    groups: Mapping[str, tuple[str, ...]],
    conditions: Conditions,
) -> Printed:
    """What `print` shows: whether groups differ, then by how much."""
    fixed = "; the subjects are fixed" if conditions.over == ("query",) else ""
    sizes = first_few((f"{name} ({len(members):,})" for name, members in groups.items()), 6)
    queries = size_text(conditions.n_queries, "query", between, "n_queries")
    return Printed.of(
        f"{counted(len(groups), 'group')} of subjects compared on "
        f"{first_few(conditions.measures, 4)}, {queries}: {sizes}",
        _verdicts(between, differences, conditions),
        _table(between, conditions),
        Sentences.of(
            f"Difference: of the systems, by the first group minus by the second. Brackets: "
            f"{intervals_text(conditions)} of it over {conditions.random}{fixed}.",
            f"Significant (*): {p_name(conditions)} at most {1 - conditions.level:.2g}, by "
            f"{procedure(conditions)}.",
            "More: .to_frame(full=True), .verdicts(), .differences and .scores of each group",
        ),
    )


def _verdicts(
    between: pd.DataFrame, differences: pd.DataFrame, conditions: Conditions
) -> Sentences:
    """A sentence a row, or counts; then how many differences each group finds alone."""
    if len(between) <= MOST_SENTENCES:
        lines = group_verdicts(between, conditions)
    else:
        found = int(between["significant"].sum())
        lines = [
            f"{found:,} of {counted(len(between), 'difference')} between groups significant over "
            f"{conditions.random}"
        ]
    alone = differences.groupby("group", sort=False)["significant"].agg(["sum", "size"])
    each = (f"{name} {n:,} of {of:,}" for name, n, of in alone.itertuples(name=None))
    return Sentences.of(
        *lines,
        f"Significant differences between systems by each group alone: {first_few(each, 6)}",
    )


def _table(between: pd.DataFrame, conditions: Conditions) -> Table:
    """The differences between groups, the smallest p first if they are many."""
    title = ""
    if len(between) > MOST_ROWS:
        title = f"The {MOST_ROWS} smallest p of {len(between):,} differences"
        between = between.sort_values("p_adjusted", kind="stable").head(MOST_ROWS)
    rows: list[Any] = list(between.itertuples(index=False))
    columns = [
        Column.label("systems", (f"{row.system_a} minus {row.system_b}" for row in rows)),
        Column.label("groups", (f"{row.group_a} minus {row.group_b}" for row in rows)),
        *difference_columns(rows, conditions),
        Column("first group", tuple(signed_text(row.difference_a) for row in rows), "extra"),
        Column("second", tuple(signed_text(row.difference_b) for row in rows), "extra"),
    ]
    if len(conditions.measures) > 1:
        columns.insert(0, Column.label("measure", (row.measure for row in rows)))
    return Table(tuple(columns), title)
