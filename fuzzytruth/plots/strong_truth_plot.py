"""What a single truth prints for each query, on the distribution that it hides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth.errors import counted
from fuzzytruth.plots.drawing.appearance import MAIN, axes_or_new, looks
from fuzzytruth.plots.drawing.names import percent, shown_names
from fuzzytruth.plots.drawing.text import finish, name_rows
from fuzzytruth.plots.frames import check_columns, plot_data

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_COLUMNS = ("query", "strong", "mean", "lower", "upper")
_MOST_NAMES = 60  # of queries that are named
_HEIGHT = 7.5  # inches, of a figure of more


def strong_truth(
    data: Any,
    ax: Axes | None = None,
    *,
    level: float = 0.95,
    title: str | None = None,
    xlabel: str = "",
    **options: Any,
) -> Axes:
    """Draw each query's value under a strong ground truth beside its distribution over worlds.

    Above 60 queries their names are left out, and marks become smaller.

    Parameters
    ----------
    data : DataFrame or SantiniReport
        One row for each query: columns query, strong (the value under one truth), mean, lower and
        upper (of the distribution); see `SantiniReport.distributions`. The first is drawn on top.
        Optional: measure, the label of the horizontal axis. NaN is not drawn.
    ax : matplotlib Axes, optional
        Axes to draw on; by default those of a new figure, as high as its named rows need.
    level : float
        Level of the central intervals, named in the legend. A result has its own.
    title : str, optional
        By default the result's own.
    xlabel : str
        What the values are.
    **options
        Of a result: `system`, `measure` and `queries`; see `SantiniReport.plot`.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    DataError
        A column is missing, or there are no rows.

    Examples
    --------
    >>> import matplotlib; matplotlib.use("Agg")
    >>> import pandas as pd
    >>> from fuzzytruth import plots
    >>> ax = plots.strong_truth(pd.DataFrame({
    ...     "query": ["q"], "strong": [0.8], "mean": [0.5], "lower": [0.2], "upper": [1.0]}))
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['central 95 % over worlds', 'mean over worlds', 'strong ground truth']
    """
    drawn = plot_data(data, "strong_truth", **options)
    frame = check_columns(drawn.frame, _COLUMNS)
    few = len(frame) <= _MOST_NAMES
    ax = axes_or_new(ax, height=1.5 + 0.19 * len(frame) if few else _HEIGHT)
    height = np.arange(len(frame))[::-1]
    thick, size = (5.0, 5.0) if few else (max(0.8, 240 / len(frame)), 3.0)
    label = f"central {percent(level)} over worlds"
    lower, upper = frame["lower"], frame["upper"]
    ax.hlines(height, lower, upper, color=MAIN, alpha=0.35, linewidth=thick, label=label)
    worlds, strong = looks(2)
    style: dict[str, Any] = {"linestyle": "", "color": worlds.colour, "marker": worlds.marker}
    ax.plot(frame["mean"], height, markersize=size, label="mean over worlds", **style)
    style = {"linestyle": "", "color": strong.colour, "marker": "x", "markeredgewidth": size / 3}
    ax.plot(frame["strong"], height, markersize=size + 1, label="strong ground truth", **style)
    if few:
        name_rows(ax, height.tolist(), lambda most: shown_names(frame["query"], most), share=0.3)
    else:
        ax.set_yticks([])
        ax.set_ylabel(counted(len(frame), "query"))
    ax.set_ylim(-0.8, len(frame) - 0.2)
    measure = str(frame["measure"].iloc[0]) if "measure" in frame.columns else ""
    ax.set_xlabel(xlabel or measure)
    finish(ax, drawn.heading(title), at_least=2)
    return ax
