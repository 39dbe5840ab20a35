"""Letters of the systems beaten."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from string import ascii_lowercase
from typing import Any

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth.comparison.conditions import Conditions
from fuzzytruth.comparison.rank_sets import better_than
from fuzzytruth.comparison.verdicts import p_text
from fuzzytruth.core.atoms import NEAR
from fuzzytruth.errors import counted
from fuzzytruth.evaluation.scores.score_rows import cut_words
from fuzzytruth.evaluation.scores.summary import few_worlds_text
from fuzzytruth.show.answer import Column
from fuzzytruth.show.number_text import digits_for, interval_text, level_text, signed_text
from fuzzytruth.stats.corrections import interval_level
from fuzzytruth.stats.observations import least_draws


def letters(count: int) -> list[str]:
    """Labels a to z, aa, ab, ...

    Examples
    --------
    >>> letters(28)[24:]
    ['y', 'z', 'aa', 'ab']
    """
    out: list[str] = []
    size = 1
    while len(out) < count:
        out += ["".join(word) for word in product(ascii_lowercase, repeat=size)]
        size += 1
    return out[:count]


def superscripts(table: pd.DataFrame, means: pd.DataFrame, conditions: Conditions) -> pd.DataFrame:
    """See `Comparison.superscripts`."""
    systems = conditions.systems
    label = letters(len(systems))
    separator = "," if len(systems) > len(ascii_lowercase) else ""
    out = means.astype(object)
    for measure in conditions.measures:
        above = better_than(table, conditions, measure)
        out[measure] = [
            separator.join(label[loser] for loser in np.flatnonzero(losers)) for losers in above
        ]
    return out


def beaten(conditions: Conditions) -> str:
    """What the letters after a mean name."""
    if conditions.of_worlds:
        return "systems that are worse in nearly all worlds"
    if conditions.is_adjusted:
        return "systems that are significantly worse"
    return f"systems with a worse mean at p ≤ {1 - conditions.level:.2g}"


# Columns that every printed table of differences has.


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


# Whether there are enough independent worlds for the intervals of a comparison to be finite.


def too_few_worlds(table: pd.DataFrame, conditions: Conditions) -> str:
    """Why intervals over worlds are infinite and what to do; "" where they are finite.

    Such as "500 worlds are too few for 28 simultaneous intervals: n_worlds=1,119 or more gives
    finite ones".
    """
    if not conditions.of_worlds or not conditions.n_worlds:
        return ""
    needed, tests = worlds_needed(table, conditions), family_size(table, conditions)
    kind = f"{kind_text(conditions)} " if tests > 1 else ""
    return few_worlds_text(conditions.n_worlds, needed, counted(tests, f"{kind}interval"))


def worlds_needed(table: pd.DataFrame, conditions: Conditions) -> int:
    """The fewest worlds with which no interval of these comparisons is infinite."""
    tests = family_size(table, conditions)
    level: float | None = conditions.level
    if conditions.is_adjusted:
        level = interval_level(conditions.correction, conditions.level, tests)
    level = conditions.level if level is None else level
    return least_draws(level if conditions.alternative == "two-sided" else 2 * level - 1)


def family_size(table: pd.DataFrame, conditions: Conditions) -> int:
    """Comparisons with a value, all together or by the measure that has the most."""
    known = table.loc[table["difference"].notna(), "measure"]
    if conditions.across_measures or not len(known):
        return max(len(known), 1)
    return int(np.max(known.value_counts()))
