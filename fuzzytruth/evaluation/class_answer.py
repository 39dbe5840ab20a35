"""What is printed of precision, recall and F of classes."""

from __future__ import annotations

from typing import Any

from fuzzytruth.errors import counted
from fuzzytruth.io.answer import Column, Printed, Sentences, Table
from fuzzytruth.io.answer_rows import short_id
from fuzzytruth.io.number_text import level_text, with_interval

LEVEL = 0.95  # of printed intervals
MOST_ROWS = 8


def class_answer(
    rows: list[dict[str, Any]], n_systems: int, n_categories: int, n_items: int
) -> Printed:
    """What `print` shows; rows are those of `ClassScores.to_frame` with all columns."""
    columns = [
        Column.label("category", (short_id(row["category"]) for row in rows)),
        *(
            Column(
                name,
                tuple(
                    with_interval(row[name], row[f"{name}_lower"], row[f"{name}_upper"], 2)
                    for row in rows
                ),
            )
            for name in ("precision", "recall", "f1")
        ),
        Column("assigned", tuple(f"{row['n']:,}" for row in rows), "extra"),
        Column("expected", tuple(f"{row['size']:,.1f}" for row in rows), "extra"),
    ]
    if n_systems > 1:
        columns.insert(0, Column.label("system", (short_id(row["system"]) for row in rows)))
    left_out = len(rows) < n_systems * n_categories
    title = ""
    if left_out:
        title = (
            f"{len(rows)} of {n_systems * n_categories:,} rows, those of the categories with most "
            "items; all: .to_frame()"
        )
    return Printed.of(
        f"Classification by {counted(n_systems, 'system')} into "
        f"{counted(n_categories, 'category')}, {counted(n_items, 'item')} with votes",
        Table(tuple(columns), title),
        Sentences.of(
            f"Expected values. Brackets: the central interval that holds {level_text(LEVEL)} of "
            "the worlds in which each item draws its category from its votes, independently; they "
            "say nothing about other items or people.",
            "More: .to_frame(full=True), .precision(category), .recall(category), .f(category)",
        ),
    )
