"""Columns that every printed table of differences has."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from fuzzytruth.comparison.conditions import Conditions
from fuzzytruth.comparison.verdicts import p_text
from fuzzytruth.core.atoms import NEAR
from fuzzytruth.evaluation.beyond_range import cut_words
from fuzzytruth.io.answer import Column
from fuzzytruth.io.number_text import digits_for, interval_text, level_text, signed_text

if TYPE_CHECKING:
    import pandas as pd

_KINDS = {"simultaneous": "simultaneous", "single": "", "unadjusted": "unadjusted"}


def intervals_text(conditions: Conditions) -> str:
    """Such as "simultaneous 95 % intervals"."""
    return f"{kind_text(conditions)} {level_text(conditions.level)} intervals".strip()


def worlds_held(conditions: Conditions) -> str:
    """What brackets are over worlds: "95 % of the worlds, all differences together"."""
    together = ", all differences together" if kind_text(conditions) == "simultaneous" else ""
    return f"{level_text(conditions.level)} of the worlds{together}"


def kind_text(conditions: Conditions) -> str:
    """What intervals are adjusted for: "simultaneous", "unadjusted" or, of a single one, ""."""
    return _KINDS[conditions.interval if conditions.is_adjusted else "unadjusted"]


def difference_columns(rows: Sequence[Any], conditions: Conditions) -> list[Column]:
    """Difference, interval and p of rows of a comparison, fewer decimals where they are large."""
    sizes: dict[str, list[float]] = {}
    for row in rows:
        sizes.setdefault(row.measure, []).extend((row.difference, *conditions.shown_ends(row)))
    digits = {measure: digits_for(numbers, 4) for measure, numbers in sizes.items()}
    differences = (signed_text(row.difference, digits[row.measure]) for row in rows)
    marks = ("*" if row.significant else " " for row in rows)
    ends = (
        interval_text(*conditions.shown_ends(row), digits[row.measure], signed=True) for row in rows
    )
    return [
        Column("difference", tuple(map("".join, zip(differences, marks, strict=True)))),
        Column(f"{level_text(conditions.level)} interval", tuple(ends)),
        Column(p_name(conditions), tuple(p_text(row.p_adjusted) for row in rows)),
    ]


def cut_line(table: pd.DataFrame, conditions: Conditions) -> str:
    """How many intervals are cut at the largest difference that there can be; "" if none is."""
    rows: Iterable[Any] = table.itertuples(index=False)
    shown = ((row, *conditions.shown_ends(row)) for row in rows)
    n_cut = sum(row.lower < low - NEAR or row.upper > high + NEAR for row, low, high in shown)
    return f"{cut_words(n_cut, 'differences that there can be')}." if n_cut else ""


def p_name(conditions: Conditions) -> str:
    """Name of the p-value that decides."""
    return "adjusted p" if conditions.correction != "none" else "p"


def found_words(conditions: Conditions) -> str:
    """What a star means: "Significant (*)", or a star alone where p is no adjusted one."""
    is_test = conditions.is_adjusted and not conditions.of_worlds
    return "Significant (*)" if is_test else "*"
