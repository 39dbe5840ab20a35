"""Whether there are enough independent worlds for the intervals of a comparison to be finite."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fuzzytruth.comparison.conditions import Conditions
from fuzzytruth.comparison.difference_columns import kind_text
from fuzzytruth.errors import counted
from fuzzytruth.evaluation.few_worlds import few_worlds_text
from fuzzytruth.stats.corrections import interval_level
from fuzzytruth.stats.draws import least_draws

if TYPE_CHECKING:
    import pandas as pd


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
