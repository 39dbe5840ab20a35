"""Shares of variance components."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth.plots.drawing.appearance import COLOURS, TICK_SIZE, axes_or_new
from fuzzytruth.plots.drawing.names import shown_names
from fuzzytruth.plots.drawing.text import finish, name_rows
from fuzzytruth.plots.frames import check_columns, known_rows, plot_data, rows_of_measure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_COLUMNS = ("component", "of", "share", "lower", "upper")
_FILLS = ((COLOURS[0], ""), (COLOURS[3], "////"), (COLOURS[2], "...."))


def variance_components(
    data: Any, ax: Axes | None = None, *, measure: str | None = None, title: str | None = None
) -> Axes:
    """Draw the shares of variance components as bars with intervals.

    Parameters
    ----------
    data : VarianceComponents or DataFrame
        See `VarianceComponents.shares`. A frame has one row a component and variance that it is a
        share of: columns component, of, share, lower, upper (NaN where unknown). Negative shares
        are drawn left of 0, as they were estimated.
    ax : matplotlib Axes, optional
        Axes to draw on; by default those of a new figure, as high as its rows need.
    measure : str, optional
        Which one, where there are several; the first by default.
    title : str, optional
        By default that of the result.

    Returns
    -------
    matplotlib Axes
        With the share in per cent beside each bar.

    Raises
    ------
    DataError
        A column is missing, there are no rows, or all shares are NaN.
    OptionError
        The measure is not in the data.

    Examples
    --------
    >>> import matplotlib; matplotlib.use("Agg")
    >>> import pandas as pd
    >>> from fuzzytruth import plots
    >>> ax = plots.variance_components(pd.DataFrame({
    ...     "component": ["query", "residual"], "of": "a single score", "share": [0.7, 0.3],
    ...     "lower": [0.5, 0.2], "upper": [0.8, 0.5]}))
    >>> [text.get_text() for text in ax.texts]
    ['70 %', '30 %']
    """
    found = plot_data(data, "variance_components", measure=measure)
    frame, _ = rows_of_measure(check_columns(found.frame, _COLUMNS), measure)
    known_rows(frame, "share")
    components = list(dict.fromkeys(frame["component"]))
    kinds = list(dict.fromkeys(frame["of"]))
    ax = axes_or_new(ax, height=1.6 + 0.17 * len(components) * (len(kinds) + 0.4))
    n_bars = len(components) * len(kinds)
    places = list(range(len(components)))
    name_rows(ax, places, lambda most: shown_names(components, most), rows=n_bars)
    for k, kind in enumerate(kinds):
        rows = frame[frame["of"] == kind].set_index("component").reindex(components)
        _draw_bars(ax, rows, k, len(kinds), str(kind))
    ax.set_ylim(len(components) - 0.5, -0.5)
    ax.axvline(0, color="black", linewidth=0.8)
    ax.set_xlabel("share of the variance (%)")
    _set_limits(ax, frame)
    finish(ax, found.heading(title), handles=_handles(ax))
    return ax


def _draw_bars(ax: Axes, rows: pd.DataFrame, k: int, n: int, label: str) -> None:
    colour, hatch = _FILLS[k % len(_FILLS)]
    thick = 0.8 / n
    place = np.arange(len(rows)) + (k - (n - 1) / 2) * thick
    share = 100 * rows["share"].to_numpy(dtype=float)
    ax.barh(
        place, share, 0.9 * thick, color=colour, alpha=0.75, hatch=hatch, edgecolor="white",
        label=label,
    )  # fmt: skip
    low, high = (100 * rows[end].to_numpy(dtype=float) for end in ("lower", "upper"))
    known = np.isfinite(low) & np.isfinite(high)
    ax.hlines(place[known], low[known], high[known], color="black", linewidth=1.2, zorder=3)
    for at, value in zip(place, share, strict=True):
        if not np.isnan(value):
            text = f"{value:.0f} %" if abs(value) >= 0.95 or value == 0 else f"{value:.1f} %"
            ax.annotate(  # in a column, lest it be read as the end of the interval
                text.replace("-", "−"), (1, at), (-3, 0), xycoords=("axes fraction", "data"),
                textcoords="offset points", ha="right", va="center", fontsize=TICK_SIZE - 1,
            )  # fmt: skip


def _set_limits(ax: Axes, frame: pd.DataFrame) -> None:
    """Room for all intervals, and for the numbers right of them."""
    ends = 100 * frame[["share", "lower", "upper"]].to_numpy(dtype=float)
    low, high = min(0.0, float(np.nanmin(ends))), float(np.nanmax(ends))
    span = max(high - low, 1.0)
    ax.set_xlim(low - (0.03 * span if low < 0 else 0.0), high + 0.16 * span)


def _handles(ax: Axes) -> list[Any]:
    from matplotlib.lines import Line2D

    interval = Line2D([], [], color="black", linewidth=1.2, label="interval")
    return [*ax.get_legend_handles_labels()[0], interval]
