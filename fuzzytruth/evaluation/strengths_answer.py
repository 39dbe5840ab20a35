"""What is printed of the strengths of a Bradley-Terry model."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.errors import counted
from fuzzytruth.io.answer import Column, Printed, Sentences, Table
from fuzzytruth.io.answer_rows import short_id
from fuzzytruth.io.number_text import level_text, numbers_format, written, written_interval

if TYPE_CHECKING:
    import pandas as pd

MOST_ROWS = 16


def strengths_answer(frame: pd.DataFrame, name: str, level: float, df: Floats) -> Printed:
    """What `print` shows: the items of the first queries, the strongest first.

    `frame` is that of `BradleyTerry.to_frame`, `name` its repr.
    """
    of = "items and queries" if "query" in frame else "items"
    title = f"The first {MOST_ROWS} of {len(frame):,} {of}" if len(frame) > MOST_ROWS else ""
    law = "normal" if np.isinf(df).all() else "Student's t, subjects being clusters,"
    zero = "the average item of its query" if "query" in frame else "the average item"
    return Printed.of(
        f"Bradley-Terry strengths: {name.partition('(')[2].rstrip(')')}, "
        f"{counted(int(frame['comparisons'].sum() / 2), 'comparison')}",
        Table(_columns(frame.head(MOST_ROWS), level), title),
        Sentences.of(
            f"Strength: log-odds of being preferred to {zero}, which has 0. Brackets: {law} "
            f"{level_text(level)} intervals of the strength, over comparisons, not adjusted for "
            "the number of items.",
            "More: .to_frame(full=True), .differences(), .probability(a, b)",
        ),
    )


def _columns(rows: pd.DataFrame, level: float) -> tuple[Column, ...]:
    names = [name for name in ("query", "item") if name in rows]
    numbers = rows[["strength", "lower", "upper"]].to_numpy()
    style = numbers_format(numbers.ravel().tolist(), 3)
    return (
        *(Column.label(name, map(short_id, rows[name])) for name in names),
        Column("strength", tuple(written(row[0], style, signed=True) for row in numbers)),
        Column(
            f"{level_text(level)} interval",
            tuple(written_interval(row[1], row[2], style, signed=True) for row in numbers),
        ),
        Column("comparisons", tuple(f"{count:g}" for count in rows["comparisons"]), "extra"),
        Column("wins", tuple(f"{count:g}" for count in rows["wins"]), "extra"),
    )
