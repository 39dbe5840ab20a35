"""A measure against the cut-off, as a fan of nested intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth.errors import choice
from fuzzytruth.plots.drawing.appearance import MAIN, Look, axes_or_new, looks, name_shade
from fuzzytruth.plots.drawing.names import percent
from fuzzytruth.plots.drawing.text import finish
from fuzzytruth.plots.frames import check_columns, known_rows, plot_data

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Line = Literal["mean", "median"]
_COLUMNS = ("rank", "level", "lower", "upper")
_DARKEST = 0.5  # opacity of the narrowest of the nested intervals
_MARKERS = 10  # on a line


def by_rank(
    data: Any,
    ax: Axes | None = None,
    *,
    line: Line = "mean",
    title: str | None = None,
    **options: Any,
) -> Axes:
    """Draw a measure against the cut-off: a line, and nested intervals that are darker inside.

    Intervals reach half a rank to either side, since there is nothing between two ranks. Of several
    systems, each has a fan; more than three are hard to tell apart.

    Parameters
    ----------
    data : DataFrame or RankDistributions
        One row for each rank and level: columns rank, level (between 0 and 1), lower and upper,
        and mean or median. Optional: system (one fan each) and measure (label of the vertical
        axis). Rows with NaN are left out.
    ax : matplotlib Axes, optional
        Axes to draw on; a new figure by default.
    line : {"mean", "median"}
        What the line is.
    title : str, optional
        By default the result's own.
    **options
        Of a result: `measure`, `system`, `query`, `category` and `levels`; see
        `RankDistributions.fan`.

    Returns
    -------
    matplotlib Axes
        With a legend of lines and levels.

    Raises
    ------
    DataError
        A column is missing, or there are no rows without NaN.
    OptionError
        `line` is neither.

    Examples
    --------
    >>> import matplotlib; matplotlib.use("Agg")
    >>> import pandas as pd
    >>> from fuzzytruth import plots
    >>> ax = plots.by_rank(pd.DataFrame({
    ...     "rank": [1, 2], "level": 0.9, "mean": [1.0, 0.75], "lower": [1, 0.5], "upper": [1, 1]}))
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['central 90 %', 'mean']
    """
    from matplotlib.ticker import MaxNLocator

    choice("line", line, get_args(Line))
    drawn = plot_data(data, "by_rank", **options)
    needed = (*_COLUMNS, line)
    frame = known_rows(check_columns(drawn.frame, needed), *needed)
    ax = axes_or_new(ax)
    fans = _fans(frame)
    levels = sorted({float(level) for level in frame["level"]})
    _name_levels(ax, levels, MAIN if len(fans) == 1 else "0.35")
    for place, ((name, fan), look) in enumerate(zip(fans, looks(len(fans)), strict=True)):
        _draw_intervals(ax, fan, levels, look, outlined=len(fans) > 1)
        label = f"{line} of {name}" if name else line
        _draw_line(ax, fan, line, look, (label, place / len(fans)))
    ax.set(xlabel="rank", xlim=(frame["rank"].min() - 0.5, frame["rank"].max() + 0.5))
    ax.set_ylabel(str(frame["measure"].iloc[0]) if "measure" in frame.columns else "value")
    ax.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    finish(ax, drawn.heading(title), at_least=2)
    return ax


def _fans(frame: pd.DataFrame) -> list[tuple[str, pd.DataFrame]]:
    if "system" not in frame.columns:
        return [("", frame)]
    groups = frame.groupby("system", sort=False, observed=True)
    return [(str(name), rows) for name, rows in groups]


def _draw_intervals(
    ax: Axes, fan: pd.DataFrame, levels: list[float], look: Look, *, outlined: bool
) -> None:
    """Steps of each level, the widest first, so that what is inside several is darker."""
    from matplotlib.colors import to_rgba

    for level in reversed(levels):
        rows = fan[fan["level"] == level].sort_values("rank")
        if not len(rows):
            continue
        rank, lower, upper = (
            rows[name].to_numpy(dtype=float) for name in ("rank", "lower", "upper")
        )
        band = ax.fill_between(
            np.concatenate((rank - 0.5, rank[-1:] + 0.5)),
            np.concatenate((lower, lower[-1:])),
            np.concatenate((upper, upper[-1:])),
            step="post",
            facecolor=to_rgba(look.colour, _opacity(levels)),
            linewidth=0,
        )
        if outlined and level == levels[-1]:  # so that fans that overlap have ends
            band.set(edgecolor=look.colour, linewidth=0.6, linestyle=look.line)


def _opacity(levels: list[float]) -> float:
    return _DARKEST / len(levels)


def _name_levels(ax: Axes, levels: list[float], colour: str) -> None:
    """Entries of the legend, in the shades in which nested intervals appear."""
    for depth, level in enumerate(reversed(levels), start=1):
        opacity = 1 - (1 - _opacity(levels)) ** depth
        name_shade(ax, f"central {percent(level)}", colour, opacity)


def _draw_line(ax: Axes, fan: pd.DataFrame, line: str, look: Look, name: tuple[str, float]) -> None:
    label, start = name
    points = fan.drop_duplicates("rank").sort_values("rank")
    every = -(-len(points) // _MARKERS)
    ax.plot(
        points["rank"],
        points[line],
        color=look.colour,
        marker=look.marker,
        linestyle=look.line,
        markevery=(int(start * every), every),
        markersize=4,
        linewidth=1.4,
        label=label,
    )
