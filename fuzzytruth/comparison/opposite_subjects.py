"""Whether single subjects' own judgments show significant differences in both directions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fuzzytruth.comparison.conditions import Conditions
from fuzzytruth.errors import counted

if TYPE_CHECKING:
    import pandas as pd

#: for how many subjects alone the first system is significantly better, and the second
Alone = tuple[int, int]

PAIR = ["measure", "system_a", "system_b"]


def counts_alone(
    table: pd.DataFrame, alone: pd.DataFrame | None, conditions: Conditions
) -> list[Alone | None]:
    """For each row of a table; `alone` are the comparisons of single subjects."""
    if alone is None:
        return [None] * len(table)
    found = alone[alone["significant"]]
    first = (found["difference"] > 0) == found["measure"].map(conditions.better_up)
    counts = found.groupby([*(found[name] for name in PAIR), first.to_numpy(dtype=bool)]).size()
    keys = table[PAIR].itertuples(index=False, name=None)
    return [(int(counts.get((*key, True), 0)), int(counts.get((*key, False), 0))) for key in keys]


def opposite_texts(
    table: pd.DataFrame, alone: pd.DataFrame | None, conditions: Conditions
) -> list[str]:
    """For each row, `opposite_text`."""
    counts = counts_alone(table, alone, conditions)
    rows = table.itertuples(index=False)
    return [opposite_text(row, one, conditions) for row, one in zip(rows, counts, strict=True)]


def opposite_text(row: Any, alone: Alone | None, conditions: Conditions) -> str:
    """That subjects differ in what they find, and how many; "" where they do not.

    Each direction must be that of more than 2 (1 - level) of the subjects, a tenth at level 0.95:
    four times as many as where there is no difference at all.
    """
    least = round(2 * (1 - conditions.level) * row.n_subjects, 9)
    if alone is None or min(alone) <= least:
        return ""
    return (
        f"significant for {sum(alone):,} of {counted(row.n_subjects, 'subject')} by their own "
        f"judgments, in both directions ({alone[0]:,} for {row.system_a}, {alone[1]:,} for "
        f"{row.system_b})"
    )
