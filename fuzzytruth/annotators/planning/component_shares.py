"""Shares of the components in the variance of a score, and in that of a difference of means."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.annotators.planning.measure_components import MeasureComponents
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.core.random_effects import QUERY, SUBJECT, SYSTEM
from fuzzytruth.errors import counted
from fuzzytruth.io.number_text import level_text
from fuzzytruth.plots.frames import PlotData

if TYPE_CHECKING:
    import pandas as pd

SCORE, DIFFERENCE = "a single score", "the error of a difference of two systems' means"


def share_rows(one: MeasureComponents, level: float) -> pd.DataFrame:
    """See `VarianceComponents.shares`."""
    import pandas as pd

    factors = {SCORE: np.ones(len(one.names))}
    if any("system" in name for name in one.names):
        is_error = [name != "system" for name in one.names]
        factors[DIFFERENCE] = one.table.differences(one.layout) * is_error
    return pd.concat(
        [_rows(one, level, name, factor) for name, factor in factors.items()], ignore_index=True
    )


def _rows(one: MeasureComponents, level: float, of: str, factor: Floats) -> pd.DataFrame:
    import pandas as pd

    parts = one.variance * factor
    share = divide(parts, np.full(len(parts), parts.clip(min=0.0).sum()), fill=np.nan)
    drawn = one.draws * factor
    totals = np.broadcast_to(drawn.sum(axis=1, keepdims=True), drawn.shape)
    draws = divide(drawn, totals, fill=np.nan)
    some = ~np.isnan(draws).any(axis=1)
    ends = np.full((2, len(parts)), np.nan)
    if some.any():
        ends = np.quantile(draws[some], [(1 - level) / 2, (1 + level) / 2], axis=0)
    return pd.DataFrame(
        {
            "measure": one.measure,
            "component": one.names,
            "of": of,
            "share": share,
            "lower": ends[0],
            "upper": ends[1],
        }
    )[factor > 0]


def shares_figure(one: MeasureComponents, level: float) -> PlotData:
    """Shares of one measure, and what they are of."""
    sizes = [
        counted(one.table.size(factor), name)
        for factor, name in ((SYSTEM, "system"), (QUERY, "query"), (SUBJECT, "subject"))
        if factor in one.table.factors
    ]
    below = [name for name, value in zip(one.names, one.variance, strict=True) if value < 0]
    note = f"\nEstimates below 0: {', '.join(below)}" if below else ""
    return PlotData(
        share_rows(one, level),
        f"{one.measure}: shares of the variance ({', '.join(sizes)})\n"
        f"Lines: {level_text(level)} intervals{note}",
    )
