"""Pairs of systems as they are shown: in the order in which their difference is positive."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fuzzytruth.comparison.conditions import Conditions

if TYPE_CHECKING:
    import pandas as pd

_SWAPPED = (
    ("system_a", "system_b"),
    ("mean_a", "mean_b"),
    ("wins", "losses"),
    ("posterior_better", "posterior_worse"),
    ("lower", "upper"),
)
_NEGATED = ("difference", "lower", "upper", "d_z")
_PAIR = ["measure", "system_a", "system_b"]


def turned(
    table: pd.DataFrame, conditions: Conditions, pooled: pd.DataFrame | None = None
) -> pd.DataFrame:
    """Rows with the systems of each pair in the order in which its difference is positive.

    Rows stay as they are where it matters which system is first: with baselines, and where tests
    are one-sided.

    Parameters
    ----------
    table : DataFrame
        Rows of a comparison.
    conditions : Conditions
    pooled : DataFrame, optional
        Rows whose differences decide, by measure and pair, so that all rows of a pair have one
        order; by default each row's own.
    """
    if conditions.is_directed:
        return table
    decides = table["difference"]
    if pooled is not None:
        known = pooled.set_index(_PAIR)["difference"]
        decides = known.reindex(table.set_index(_PAIR).index).set_axis(table.index)
    rows = decides < 0
    out = table.copy()
    for first, second in _SWAPPED:
        if {first, second} <= {*table.columns}:
            out[first] = table[first].where(~rows, table[second])
            out[second] = table[second].where(~rows, table[first])
    for name in _NEGATED:
        if name in table.columns:
            out[name] = out[name].where(~rows, -out[name])
    return out
