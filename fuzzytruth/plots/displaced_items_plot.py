"""Where a system ranks the items of one subject's list."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth.core.validation import whole_number
from fuzzytruth.plots.drawing.appearance import COLOURS, FAINT, MAIN, TICK_SIZE, axes_or_new
from fuzzytruth.plots.drawing.names import shown_names
from fuzzytruth.plots.drawing.text import finish, name_rows
from fuzzytruth.plots.frames import check_columns, plot_data

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_COLUMNS = ("item", "set", "relevance", "first", "last", "rank", "weighted")
_MOST = 30


def displaced_items(
    data: Any, ax: Axes | None = None, *, n_items: int = _MOST, title: str | None = None
) -> Axes:
    """Draw the places of a subject's items in its own list and in the system's.

    Parameters
    ----------
    data : Displacement or DataFrame
        See `Displacement.to_frame`. A frame has one row an item: columns item, set ("A": both list
        it, "B": only the subject), relevance, first and last (places over which it is tied), rank
        (in the system's list, or as assumed; missing where none is assumed), weighted
        (displacement × relevance). Items without a rank have no mark of the system.
    ax : matplotlib Axes, optional
        Axes to draw on; by default those of a new figure, as high as its rows need.
    n_items : int
        The most items that are drawn, the first of the subject's list; the title says of how many.
    title : str, optional
        By default that of the result.

    Returns
    -------
    matplotlib Axes
        The number right of each item is its part of w.

    Raises
    ------
    DataError
        A column is missing, or there are no rows.
    OptionError
        `n_items` is below 1.

    Examples
    --------
    >>> import matplotlib; matplotlib.use("Agg")
    >>> import fuzzytruth as ft
    >>> ax = ft.displacement(["a", "b"], [1, 0.5], ["b", "a"]).plot()
    >>> [text.get_text() for text in ax.texts]
    ['1', '0.5']
    """
    found = plot_data(data, "displaced_items")
    frame = check_columns(found.frame, _COLUMNS)
    rows = frame.head(whole_number("n_items", n_items, 1))
    ax = axes_or_new(ax, height=1.7 + 0.2 * len(rows))
    height = np.arange(len(rows))
    name_rows(ax, height.tolist(), lambda most: shown_names(rows["item"], most))
    ax.set_ylim(len(rows) - 0.5, -0.5)
    _draw(ax, rows, height)
    ax.set_xlabel("rank")
    cut = f"the first {len(rows)} of {len(frame):,} items" if len(rows) < len(frame) else ""
    finish(ax, found.heading(title, cut))
    return ax


def _draw(ax: Axes, rows: pd.DataFrame, height: Any) -> None:
    from matplotlib.ticker import MaxNLocator

    first, last = rows["first"].to_numpy(dtype=float), rows["last"].to_numpy(dtype=float)
    rank = rows["rank"].to_numpy(dtype=float, na_value=np.nan)
    place = np.clip(rank, first, last)
    ax.hlines(height, place, rank, color="0.5", linewidth=1.2, zorder=1)
    ax.hlines(height, first, last, color=FAINT, linewidth=5, zorder=0)
    where = np.where(np.isnan(rank), (first + last) / 2, place)
    _marks(ax, where, height, "o", MAIN, "white", "subject's list (bar: tied places)", 8)
    both = (rows["set"] == "A").to_numpy()
    _marks(ax, rank[both], height[both], "s", COLOURS[1], COLOURS[1], "system's list")
    assumed = ~both & ~np.isnan(rank)
    if assumed.any():
        _marks(ax, rank[assumed], height[assumed], "s", COLOURS[1], "white", "assumed rank")
    furthest = np.fmax(np.where(np.isnan(rank), last, rank), last)
    for at, end, value in zip(height, furthest, rows["weighted"], strict=True):
        ax.annotate(
            f"{value:.3g}", (end, at), (6, 0), textcoords="offset points", va="center",
            fontsize=TICK_SIZE - 1,
        )  # fmt: skip
    span = max(float(furthest.max()) - 1, 1.0)
    ax.set_xlim(1 - 0.05 * span, 1 + 1.12 * span)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))


def _marks(
    ax: Axes, x: Any, y: Any, marker: str, colour: str, fill: str, label: str, size: float = 4.5
) -> None:
    ax.plot(
        x, y, linestyle="none", marker=marker, color=colour, markerfacecolor=fill, markersize=size,
        label=label,
    )  # fmt: skip
