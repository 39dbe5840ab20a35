"""Curves of several systems along the ranking, with bands."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth.core.validation import option_flag, places_of
from fuzzytruth.errors import counted
from fuzzytruth.plots.drawing.appearance import FAINT, Look, axes_or_new, looks, name_shade
from fuzzytruth.plots.drawing.names import entry
from fuzzytruth.plots.drawing.text import finish
from fuzzytruth.plots.frames import check_columns, known_rows, plot_data

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST_LOOKS = 8  # systems that are drawn apart without being asked for
_BEST = 5  # of more systems, those highlighted
_MOST_BANDS = 4  # systems whose bands can be told apart
_MARKERS = 8  # on a curve
_GREY = "0.35"  # of what explains the bands


def curves(
    data: Any,
    ax: Axes | None = None,
    *,
    highlight: Iterable[str] | str | None = None,
    bands: bool | None = None,
    title: str | None = None,
    **options: Any,
) -> Axes:
    """Draw a curve for each system: against rank, or against recall.

    Parameters
    ----------
    data : DataFrame or Curves
        One row for each system and point, in the order of the points: columns system; recall or,
        failing that, rank; precision or, failing that, value. Optional: lower and upper (ends of
        the band, NaN where there is none), band (what they are, for the legend), measure (label of
        the vertical axis). Points whose value is NaN are left out.
    ax : matplotlib Axes, optional
        Axes to draw on; a new figure by default.
    highlight : str or sequence of str, optional
        Systems to draw in colour; the others are faint and share one entry of the legend. By
        default all; of more than 8 systems, the 5 whose curves are highest on average.
    bands : bool, optional
        Whether to draw bands. By default where at most 4 systems are drawn in colour.
    title : str, optional
        By default the result's own.
    **options
        Of a result: `over` and `level`; see `Curves.bands`.

    Returns
    -------
    matplotlib Axes
        With a legend where there are several systems, or bands.

    Raises
    ------
    DataError
        A column is missing, there are no rows, or no value is known.
    OptionError
        A system to highlight is not in the data.

    Examples
    --------
    >>> import matplotlib; matplotlib.use("Agg")
    >>> import pandas as pd
    >>> from fuzzytruth import plots
    >>> ax = plots.curves(pd.DataFrame({
    ...     "system": ["x", "x", "y", "y"], "rank": [1, 2, 1, 2], "value": [1, 0.6, 0.5, 0.7]}))
    >>> ax.get_xlabel(), [text.get_text() for text in ax.get_legend().get_texts()]
    ('rank', ['x', 'y'])
    """
    from matplotlib.ticker import MaxNLocator

    drawn = plot_data(data, "curves", **options)
    frame = check_columns(drawn.frame, ("system",))
    x = "recall" if "recall" in frame.columns else "rank"
    y = "precision" if "precision" in frame.columns else "value"
    frame = known_rows(check_columns(frame, (x, y)), x, y)
    systems = tuple(dict.fromkeys(frame["system"].astype(str)))
    chosen = _chosen(frame, y, systems, highlight)
    banded = len(chosen) <= _MOST_BANDS if bands is None else option_flag("bands", bands)
    ax = axes_or_new(ax)
    parts = dict(list(frame.groupby(frame["system"].astype(str), sort=False)))
    for place, (name, look) in enumerate(zip(chosen, looks(len(chosen)), strict=True)):
        if banded and {"lower", "upper"} <= {*frame.columns}:
            _draw_band(ax, parts[name], x, look)
        _draw_curve(ax, parts[name], (x, y), look, (name, place / len(chosen)))
    _draw_others(ax, [parts[name] for name in systems if name not in chosen], x, y)
    if banded and "band" in frame.columns:
        name_shade(ax, str(frame["band"].iloc[0]), _GREY, 0.25)
    if x == "rank":
        ax.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    ax.set_xlabel(x)
    ylabel = str(frame["measure"].iloc[0]) if "measure" in frame.columns else y
    ax.set_ylabel(ylabel)
    finish(ax, drawn.heading(title), at_least=2)
    return ax


def _chosen(
    frame: pd.DataFrame, y: str, systems: tuple[str, ...], highlight: Iterable[str] | str | None
) -> list[str]:
    """Systems to draw in colour."""
    if highlight is not None:
        return [systems[place] for place in places_of(systems, highlight, "highlight: system")]
    if len(systems) <= _MOST_LOOKS:
        return list(systems)
    height = frame[y].groupby(frame["system"].astype(str), sort=False).mean()
    return [str(name) for name in height.nlargest(_BEST).index]


def _draw_others(ax: Axes, parts: list[pd.DataFrame], x: str, y: str) -> None:
    """Faint curves, with one entry in the legend."""
    for j, part in enumerate(parts):
        label = counted(len(parts), "other system") if j == 0 else "_nolegend_"
        ax.plot(part[x], part[y], color=FAINT, linewidth=0.8, zorder=1, label=label)


def _draw_band(ax: Axes, part: pd.DataFrame, x: str, look: Look) -> None:
    lower, upper = (part[end].to_numpy(dtype=float) for end in ("lower", "upper"))
    style: dict[str, Any] = {"color": look.colour, "linewidth": 0, "zorder": 1.5}
    ax.fill_between(part[x].to_numpy(dtype=float), lower, upper, alpha=0.15, **style)


def _draw_curve(
    ax: Axes, part: pd.DataFrame, axes: tuple[str, str], look: Look, name: tuple[str, float]
) -> None:
    """A line with a few markers, which begin at another place on each curve."""
    label, start = name
    every = max(1, int(np.ceil(len(part) / _MARKERS)))
    first = min(int(start * every), len(part) - 1)
    ax.plot(
        part[axes[0]],
        part[axes[1]],
        color=look.colour,
        marker=look.marker,
        linestyle=look.line,
        markersize=4,
        markevery=(first, every),
        linewidth=1.4,
        label=entry(label),
    )
