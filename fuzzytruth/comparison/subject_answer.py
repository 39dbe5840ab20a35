"""What is printed of the comparisons of single subjects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fuzzytruth.comparison.assumptions import procedure
from fuzzytruth.comparison.conditions import Conditions
from fuzzytruth.comparison.difference_columns import (
    difference_columns,
    found_words,
    intervals_text,
    p_name,
)
from fuzzytruth.errors import counted, first_few
from fuzzytruth.io.answer import Column, Printed, Sentences, Table

if TYPE_CHECKING:
    import pandas as pd

MOST_PAIRS = 6
MOST_ROWS = 8


def subject_answer(
    table: pd.DataFrame, subjects: tuple[str, ...], conditions: Conditions
) -> Printed:
    """What `print` shows: by how many subjects each difference is found, then the differences."""
    return Printed.of(
        f"{counted(len(conditions.systems), 'system')} compared on "
        f"{first_few(conditions.measures, 4)} by each of {counted(len(subjects), 'subject')} "
        f"alone, over {counted(conditions.n_queries, 'query')}",
        _counts(table, len(subjects)),
        _differences(table, conditions),
        Sentences.of(
            f"Brackets: {intervals_text(conditions)} of the mean difference over "
            f"{conditions.random}, one subject's judgments being the truth.",
            f"{found_words(conditions)}: {p_name(conditions)} at most "
            f"{1 - conditions.level:.2g}, by {procedure(conditions)}; not adjusted for the "
            "number of subjects.",
            "More: .to_frame(full=True)",
        ),
    )


def _counts(table: pd.DataFrame, n_subjects: int) -> Sentences:
    """For each pair the subjects who find it significant; or how many pairs they find."""
    pairs = table.groupby(["measure", "system_a", "system_b"], sort=False)
    if pairs.ngroups > MOST_PAIRS:
        found = table.groupby("subject", sort=False)["significant"].sum()
        return Sentences.of(
            f"Significant by one subject alone: {int(found.min()):,} to {int(found.max()):,} of "
            f"{counted(pairs.ngroups, 'difference')}, {found.mean():.1f} on average"
        )
    lines = []
    for (measure, a, b), rows in pairs:
        signs = rows["difference"]
        lines.append(
            f"{a} minus {b} on {measure}: above 0 for {int((signs > 0).sum()):,} of "
            f"{counted(n_subjects, 'subject')}, below 0 for {int((signs < 0).sum()):,}; "
            f"significant for {int(rows['significant'].sum()):,}"
        )
    return Sentences.of(*lines)


def _differences(table: pd.DataFrame, conditions: Conditions) -> Table:
    """The first rows of the table."""
    rows: list[Any] = list(table.head(MOST_ROWS).itertuples(index=False))
    columns = [
        Column.label("subject", (row.subject for row in rows)),
        Column.label("systems", (f"{row.system_a} minus {row.system_b}" for row in rows)),
        *difference_columns(rows, conditions),
    ]
    if len(conditions.measures) > 1:
        columns.insert(1, Column.label("measure", (row.measure for row in rows)))
    title = ""
    if len(table) > MOST_ROWS:
        title = f"The first {MOST_ROWS} of {len(table):,} differences"
    return Table(tuple(columns), title)
