"""What is printed of the strengths of a Bradley-Terry model."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.special import expit

from fuzzytruth._typing import Floats
from fuzzytruth.errors import counted
from fuzzytruth.io.answer import Column, Printed, Sentences, Table
from fuzzytruth.io.answer_rows import short_id
from fuzzytruth.io.number_text import (
    interval_text,
    level_text,
    number_text,
    numbers_format,
    written,
    written_interval,
)

if TYPE_CHECKING:
    import pandas as pd

MOST_ROWS = 16


def strengths_answer(
    frame: pd.DataFrame, name: str, level: float, df: Floats, order: dict[str, float] | None
) -> Printed:
    """What `print` shows: the items of the first queries, the strongest first.

    `frame` is that of `BradleyTerry.to_frame`, `name` its repr, `order` its order effect.
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
            *_order(order, level),
            "More: .to_frame(full=True), .differences(), .probability(a, b)",
        ),
    )


def _order(order: dict[str, float] | None, level: float) -> tuple[str, ...]:
    """How much being shown first matters."""
    if order is None:
        return ()
    ends = interval_text(float(expit(order["lower"])), float(expit(order["upper"])), 3)
    matters = order["lower"] > 0 or order["upper"] < 0  # not where the ends are unknown
    return (
        f"Of two equal items, the one shown first is preferred with probability "
        f"{number_text(order['probability'], 3)} {ends} ({level_text(level)}): "
        + ("the order matters. " if matters else "no effect of the order is shown. ")
        + "Strengths allow for it; without that, one would be up to "
        f"{number_text(order['largest_move'], 2)} larger or smaller.",
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
