"""What a single truth prints for each query, on the distribution that it hides."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fuzzytruth.plots.axes import axes_or_new
from fuzzytruth.plots.frames import check_columns

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

_COLUMNS = ("query", "strong", "mean", "lower", "upper")


def strong_truth(
    frame: pd.DataFrame, ax: Axes | None = None, *, level: float = 0.95, title: str = ""
) -> Axes:
    """Draw each query's value under a strong ground truth beside its distribution over worlds.

    Parameters
    ----------
    frame : DataFrame
        One row for each query: columns query, strong (the value under one truth), mean, lower and
        upper (of the distribution); see `SantiniReport.distributions`. The first is drawn on top.
    ax : matplotlib Axes, optional
        Axes to draw on; by default those of a new figure, as high as its rows need.
    level : float
        Level of the central intervals, named in the legend.
    title : str

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
    ['95% of worlds', 'mean over worlds', 'strong ground truth']
    """
    check_columns(frame, _COLUMNS)
    ax = axes_or_new(ax, height=1.4 + 0.22 * len(frame))
    height = np.arange(len(frame))[::-1]
    label = f"{level:.0%} of worlds"
    lower, upper = frame["lower"], frame["upper"]
    ax.hlines(height, lower, upper, color="C0", alpha=0.35, linewidth=6, label=label)
    ax.plot(frame["mean"], height, "o", color="C0", ms=5, label="mean over worlds")
    ax.plot(frame["strong"], height, "x", color="C1", ms=7, mew=2, label="strong ground truth")
    ax.set_yticks(height, [str(query) for query in frame["query"]])
    ax.set_title(title)
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.08), frameon=False, ncols=3)
    return ax
