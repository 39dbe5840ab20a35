"""What is printed of judgments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.errors import counted, first_few
from fuzzytruth.io.answer import Column, Printed, Sentences, Table
from fuzzytruth.io.answer_rows import FIRST_ROWS, first_rows_table, short_id
from fuzzytruth.io.number_text import values_format, written

MOST_GRADES = 8
_MOST_NAMES = 8
_DESIGNS = {
    "crossed": "a name is one person over all queries",
    "nested": "a name is one person within a query only",
}


def judgments_answer(
    name: str, columns: Mapping[str, Any], subjects: tuple[str, ...] | None, design: str
) -> Printed:
    """What `print` shows: counts, grades, subjects and the first rows.

    Parameters
    ----------
    name : str
        The repr of the judgments.
    columns : mapping of str to column
        Those that there are, in the order of the table.
    subjects : tuple of str or None
    design : {"crossed", "nested"}
    """
    n_items = len(columns["item"].unique())
    who = "One truth, by an unknown author."
    if subjects is not None:
        who = f"Subjects ({_DESIGNS[design]}): {first_few(map(short_id, subjects), _MOST_NAMES)}"
    elif "probability" in columns:
        who = "No subjects: an item has its grade with the probability given, else grade 0."
    elif "count" in columns:
        who = "No names: the count is that of the people who gave the item the grade."
    first = {}
    for key, column in columns.items():
        part = column[:FIRST_ROWS]
        first[key] = part.tolist() if isinstance(part, np.ndarray) else part.to_pylist()
    return Printed.of(
        f"Judgments: {name.partition('(')[2].removesuffix(')')}, {counted(n_items, 'item')}",
        Sentences.of(who),
        _grades(columns["grade"], columns.get("count")),
        first_rows_table(first, len(columns["grade"]), rest=".to_frame()"),
    )


def _grades(grade: Floats, count: Floats | None) -> Table:
    """How often each grade was given; of many grades, quartiles."""
    values, which = np.unique(grade, return_inverse=True)
    if len(values) > MOST_GRADES:
        ends = np.quantile(grade, (0.0, 0.25, 0.5, 0.75, 1.0)).tolist()
        style = values_format(ends, 3)
        heads = ("lowest", "25 %", "median", "75 %", "highest")
        cells = (
            Column(head, (written(end, style),)) for head, end in zip(heads, ends, strict=True)
        )
        return Table(tuple(cells), f"Quantiles of {len(values):,} different grades")
    style = values_format(values.tolist(), 3)
    number = np.bincount(which.reshape(-1), weights=count, minlength=len(values))
    return Table(
        (
            Column("grade", tuple(written(value, style) for value in values.tolist())),
            Column("judgments", tuple(f"{n:,.0f}" for n in number.tolist())),
            Column("share", tuple(f"{n / number.sum():.3f}" for n in number.tolist())),
        )
    )
