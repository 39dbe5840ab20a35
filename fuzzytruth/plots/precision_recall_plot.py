"""The precision–recall cloud of a query: points, mean curves and bands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth.core.validation import between_zero_and_one
from fuzzytruth.errors import DataError, counted
from fuzzytruth.plots.drawing.appearance import (
    FAINT,
    MAIN,
    PAGE_WIDTH,
    Look,
    axes_or_new,
    looks,
    name_shade,
)
from fuzzytruth.plots.drawing.names import percent
from fuzzytruth.plots.drawing.text import finish
from fuzzytruth.plots.frames import check_columns, plot_data

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_COLUMNS = ("recall", "precision", "precision_lower", "precision_upper")
_MIN_PROBABILITY = 1e-4  # of a point that is drawn
_MOST_CATEGORIES = 4  # that have bands
_BACKWARDS = 1e-9  # by which recall may fall from rank to rank, as rounding
_GREY = "0.35"  # of points, and of what explains the bands


def precision_recall(
    data: Any,
    ax: Axes | None = None,
    *,
    curves: pd.DataFrame | None = None,
    level: float = 0.95,
    title: str | None = None,
    **options: Any,
) -> Axes:
    """Draw the possible points of a precision–recall curve, mean curves, and bands of precision.

    The mean curve goes from rank to rank through (expected recall, expected precision). In every
    world recall can only rise with the rank, hence its expectation, too: the curve never runs
    backwards. A band is vertical: at each rank, around the mean recall, the central interval of
    precision.

    Parameters
    ----------
    data : DataFrame or Cloud
        One row for each possible point: columns recall, precision, probability. Points of
        probability 1e-4 or less are left out; more probable ones are larger and darker.
    ax : matplotlib Axes, optional
        Axes to draw on; a new figure by default.
    curves : DataFrame, optional
        One row for each rank, in their order: columns recall and precision (expected),
        precision_lower and precision_upper. Optional: category and share (its probability); each
        category has a curve and a band of its own, the 4 of the largest share in colour, and rows
        of category "" are the curve over all, which then has no band. A result has its own.
    level : float
        Level of the bands, named in the legend.
    title : str, optional
        By default the result's own.
    **options
        Of a result: `by_category`; see `Cloud.plot`.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    DataError
        A column is missing, a frame has no rows, or recall falls from one rank to the next.
    OptionError
        A level outside 0 to 1.

    Examples
    --------
    >>> import matplotlib; matplotlib.use("Agg")
    >>> import pandas as pd
    >>> from fuzzytruth import plots
    >>> ax = plots.precision_recall(
    ...     pd.DataFrame({"recall": [0, 1], "precision": [0, 1], "probability": [0.2, 0.8]}),
    ...     curves=pd.DataFrame({"recall": [0.8], "precision": [0.8],
    ...                          "precision_lower": [0], "precision_upper": [1]}))
    >>> [text.get_text() for text in ax.get_legend().get_texts()][1:]
    ['mean', 'central 95 % of precision at a rank']
    """
    level = between_zero_and_one("level", level)
    given = {} if curves is not None else {"level": level}
    drawn = plot_data(data, "precision_recall", **given, **options)
    points = check_columns(drawn.frame, ("recall", "precision", "probability"), "points")
    parts = _by_category(drawn.beside if curves is None else curves)
    ax = axes_or_new(ax, height=0.72 * PAGE_WIDTH)
    _draw_points(ax, points)
    if parts:
        _draw_curves(ax, parts, level)
    ax.set(xlabel="recall", ylabel="precision", xlim=(-0.02, 1.02), ylim=(-0.02, 1.05))
    finish(ax, drawn.heading(title), at_least=2)
    return ax


def _by_category(curves: pd.DataFrame | None) -> dict[str, pd.DataFrame]:
    """The rows of each category; of all together under ""."""
    if curves is None:
        return {}
    frame = check_columns(curves, _COLUMNS, "curves")
    parts = {"": frame}
    if "category" in frame.columns:
        check_columns(frame, ("share",), "curves")
        names = frame["category"].astype(str)
        parts = {str(name): rows for name, rows in frame.groupby(names, sort=False)}
    for name, rows in parts.items():
        recall = rows["recall"].to_numpy(dtype=float)
        back = np.flatnonzero(np.diff(recall) < -_BACKWARDS)
        if len(back):
            at = int(back[0])
            raise DataError(
                f"curves: recall{f' of {name}' if name else ''} falls from {recall[at]:.4g} to "
                f"{recall[at + 1]:.4g} in row {at + 1}; give the rows in the order of the ranks"
            )
    return parts


def _draw_curves(ax: Axes, parts: dict[str, pd.DataFrame], level: float) -> None:
    apart = sorted(
        (name for name in parts if name), key=lambda name: -float(parts[name]["share"].iloc[0])
    )
    others = apart[_MOST_CATEGORIES:]
    if others:
        share = sum(float(parts[name]["share"].iloc[0]) for name in others)
        label = f"{counted(len(others), 'other category')} ({share:.2g} together)"
        for name in others:
            _draw_line(ax, parts[name], Look(FAINT, "", "-"), label)
            label = "_nolegend_"
    for name, look in zip(apart[:_MOST_CATEGORIES], looks(_MOST_CATEGORIES), strict=False):
        share = float(parts[name]["share"].iloc[0])
        _draw_band(ax, parts[name], look)
        _draw_line(ax, parts[name], look, f"mean given {name} ({share:.2g})")
    if "" in parts:
        if not apart:
            _draw_band(ax, parts[""], Look(MAIN, "", "-"))
        label = "mean over all categories" if apart else "mean"
        _draw_line(ax, parts[""], Look("black", "o", "-"), label)
    name_shade(ax, f"central {percent(level)} of precision at a rank", _GREY, 0.3)


def _draw_band(ax: Axes, rows: pd.DataFrame, look: Look) -> None:
    recall, lower, upper = (
        rows[name].to_numpy(dtype=float)
        for name in ("recall", "precision_lower", "precision_upper")
    )
    ax.fill_between(recall, lower, upper, color=look.colour, alpha=0.22, linewidth=0)


def _draw_line(ax: Axes, rows: pd.DataFrame, look: Look, label: str) -> None:
    every = max(1, len(rows) // 8)
    style: dict[str, Any] = {"color": look.colour, "marker": look.marker, "linestyle": look.line}
    ax.plot(rows["recall"], rows["precision"], markersize=4, markevery=every, label=label, **style)


def _draw_points(ax: Axes, points: pd.DataFrame) -> None:
    from matplotlib.colors import to_rgba

    probability = points["probability"].to_numpy(dtype=float)
    visible = probability > _MIN_PROBABILITY
    shade = np.sqrt(probability[visible] / probability.max())
    ax.scatter(
        points["recall"].to_numpy()[visible],
        points["precision"].to_numpy()[visible],
        s=8 + 60 * shade,
        c=[to_rgba(_GREY, alpha) for alpha in 0.08 + 0.6 * shade],
        linewidths=0,
        label="possible (recall, precision)",
    )
