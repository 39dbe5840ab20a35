"""Differences between groups of subjects in words: one sentence a pair of systems and of groups."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth.comparison.conditions import Conditions
from fuzzytruth.comparison.verdicts import found_text, named_p, with_interval
from fuzzytruth.errors import counted, printable

if TYPE_CHECKING:
    import pandas as pd


def group_verdicts(between: pd.DataFrame, conditions: Conditions) -> list[str]:
    """See `GroupComparison.verdicts`."""
    p_name = "p" if conditions.tests == 1 else "adjusted p"
    rows = between.itertuples(index=False)
    return [printable(_verdict(row, p_name, conditions)) for row in rows]


def _verdict(row: Any, p_name: str, conditions: Conditions) -> str:
    """Sentence about one pair of systems and of groups."""
    groups = f"{row.group_a} and {row.group_b}"
    if np.isnan(row.difference):
        return (
            f"{groups} judged no query in common for which {row.system_a} and {row.system_b} "
            f"have a value of {row.measure}"
        )
    what = f"{row.system_a} minus {row.system_b} on {row.measure} is"
    if row.difference == 0 and row.std_error == 0:
        return f"{what} the same for {groups} over {_queries(row.n_queries)}"
    if not row.significant:
        found = found_text(row, conditions.found_by)
        size = _size(row, 1, p_name, conditions)
        return (
            f"{what} not shown to differ between {groups} "
            f"(difference {size}{found and f'; {found}'})"
        )
    sign = 1 if row.difference > 0 else -1
    more, less = (row.group_a, row.group_b)[::sign]
    size = _size(row, sign, p_name, conditions)
    return f"{what} significantly larger for {more} than for {less} (by {size})"


def _queries(n: int) -> str:
    """The queries that both groups judged."""
    return f"the {'only query' if n == 1 else counted(n, 'query')} that both judged"


def _size(row: Any, sign: int, p_name: str, conditions: Conditions) -> str:
    """Difference, interval and p of a row; the difference's sign is reversed if `sign` is -1."""
    return f"{with_interval(row, sign, conditions)}, {named_p(p_name, row.p_adjusted)}"
