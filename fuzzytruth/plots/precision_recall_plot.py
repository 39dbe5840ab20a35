"""The precision–recall cloud of a query: points, mean curve and band."""

from __future__ import annotations

from itertools import cycle
from typing import TYPE_CHECKING

import numpy as np

from fuzzytruth.plots.axes import axes_or_new
from fuzzytruth.plots.frames import check_columns

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

#: colours that differ for colour-blind readers, too (Okabe & Ito), and styles of lines
_STYLES = (
    ("#D55E00", "--"),
    ("#0072B2", "-."),
    ("#009E73", ":"),
    ("#CC79A7", (0, (5, 1))),
    ("#E69F00", (0, (3, 1, 1, 1, 1, 1))),
)
_MIN_PROBABILITY = 1e-4  # of a point that is drawn


def precision_recall(
    points: pd.DataFrame,
    ax: Axes | None = None,
    *,
    mean: pd.DataFrame,
    bands: pd.DataFrame,
    level: float = 0.95,
    title: str = "",
) -> Axes:
    """Draw the possible points of a precision–recall curve, their mean and bands of precision.

    Parameters
    ----------
    points : DataFrame
        One row for each possible point: columns recall, precision, probability. Points of
        probability 1e-4 or less are left out; more probable ones are larger and darker.
    ax : matplotlib Axes, optional
        Axes to draw on; a new figure by default.
    mean : DataFrame
        One row for each rank: columns recall and precision, the expected values.
    bands : DataFrame
        One row for each rank, as in `mean`: columns precision_lower and precision_upper. With a
        column category, one row for each category and rank, and also the columns recall and
        precision, of the category's own mean curve, and share, its probability: each category has
        a band and a curve of its own.
    level : float
        Level of the bands, named in the legend.
    title : str

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    DataError
        A column is missing, or a frame has no rows.

    Examples
    --------
    >>> import matplotlib; matplotlib.use("Agg")
    >>> import pandas as pd
    >>> from fuzzytruth import plots
    >>> ax = plots.precision_recall(
    ...     pd.DataFrame({"recall": [0, 1], "precision": [0, 1], "probability": [0.2, 0.8]}),
    ...     mean=pd.DataFrame({"recall": [0.8], "precision": [0.8]}),
    ...     bands=pd.DataFrame({"precision_lower": [0], "precision_upper": [1]}))
    >>> [text.get_text() for text in ax.get_legend().get_texts()][1:]
    ['95% of precision at a rank', 'mean curve']
    """
    check_columns(points, ("recall", "precision", "probability"), "points")
    check_columns(mean, ("recall", "precision"), "mean")
    check_columns(bands, ("precision_lower", "precision_upper"), "bands")
    apart = "category" in bands.columns
    if apart:
        check_columns(bands, ("category", "share", "recall", "precision"), "bands")
    ax = axes_or_new(ax)
    _draw_points(ax, points)
    if apart:
        _draw_categories(ax, bands, level)
    else:
        _draw_band(ax, mean["recall"], bands, "0.5", f"{level:.0%} of precision at a rank")
    colour = "black" if apart else "C1"
    ax.plot(mean["recall"], mean["precision"], "o-", color=colour, ms=3, label="mean curve")
    ax.set(xlabel="recall", ylabel="precision", xlim=(-0.02, 1.02), ylim=(-0.02, 1.05))
    ax.set_title(title)
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.14), frameon=False, fontsize="small")
    return ax


def _draw_categories(ax: Axes, bands: pd.DataFrame, level: float) -> None:
    """A band and a mean curve for each category."""
    groups = bands.groupby("category", sort=False)
    for (category, frame), (colour, style) in zip(groups, cycle(_STYLES), strict=False):
        share = frame["share"].iloc[0]
        label = f"given {category} ({share:.2g}): {level:.0%} of precision at a rank, and its mean"
        _draw_band(ax, frame["recall"], frame, colour, label)
        ax.plot(frame["recall"], frame["precision"], color=colour, linestyle=style)


def _draw_band(
    ax: Axes, recall: pd.Series[float], ends: pd.DataFrame, colour: str, label: str
) -> None:
    lower, upper = ends["precision_lower"], ends["precision_upper"]
    ax.fill_between(recall, lower, upper, color=colour, alpha=0.2, linewidth=0, label=label)


def _draw_points(ax: Axes, points: pd.DataFrame) -> None:
    probability = points["probability"].to_numpy()
    visible = probability > _MIN_PROBABILITY
    shade = np.sqrt(probability[visible] / probability.max())
    ax.scatter(
        points["recall"].to_numpy()[visible],
        points["precision"].to_numpy()[visible],
        s=8 + 60 * shade,
        c=[(0.12, 0.35, 0.6, alpha) for alpha in 0.08 + 0.6 * shade],
        linewidths=0,
        label="possible (recall, precision)",
    )
