"""One mark a query: differences of two systems in order, and strong truths beside worlds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth.errors import counted
from fuzzytruth.plots import drawing
from fuzzytruth.plots.drawing import REFERENCE, axes_or_new, draw_marks, name_rows, shown_names
from fuzzytruth.plots.frames import check_columns, known_rows, plot_data

if TYPE_CHECKING:
    from matplotlib.axes import Axes


_HEIGHT = 3.6  # inches
_LABELLED = 9.0  # points that a labelled bar needs
_LONGEST = 16  # characters of a query
_HIGHEST = 0.25  # of the figure's height, of upright names
_SEPARATE = 3.0  # points of a bar whose interval is drawn as a line of its own


def waterfall(data: Any, ax: Axes | None = None, *, title: str | None = None) -> Axes:
    """Draw the differences of two systems, one bar a query, the largest first.

    Parameters
    ----------
    data : QueryDifferences or DataFrame
        See `Scores.query_differences`. A frame has one row a query: columns query, difference and,
        optionally, lower and upper (its interval; NaN where there is none) and measure, which names
        the axis. Queries without a
        difference (NaN) are left out and counted in the title.
    ax : matplotlib Axes, optional
        Axes to draw on; a new figure by default.
    title : str, optional
        By default that of the result, or the numbers of queries above, at and below 0.

    Returns
    -------
    matplotlib Axes
        With a dashed line at the mean. Queries are named where there is room for all names.

    Raises
    ------
    DataError
        A column is missing, or no query has a difference.

    Examples
    --------
    >>> import matplotlib; matplotlib.use("Agg")
    >>> import pandas as pd
    >>> from fuzzytruth import plots
    >>> ax = plots.waterfall(pd.DataFrame({
    ...     "query": ["q1", "q2", "q3"], "difference": [0.1, -0.2, 0.4]}))
    >>> [label.get_text() for label in ax.get_xticklabels()], ax.get_title(loc="left")
    (['q3', 'q1', 'q2'], '3 queries: 2 above 0, 1 below')
    """
    found = plot_data(data, "waterfall")
    frame = check_columns(found.frame, ("query", "difference"))
    rows = known_rows(frame, "difference")
    rows = rows.sort_values("difference", ascending=False, kind="stable")
    ax = axes_or_new(ax, height=_HEIGHT)
    _draw_differences(ax, rows)
    _name_queries(ax, rows)
    ax.axhline(0, color="black", linewidth=0.8)
    mean = float(rows["difference"].mean())
    label = f"mean: {mean:+.3g}".replace("-", "−")
    ax.axhline(mean, color=REFERENCE, linestyle="--", linewidth=1.2, label=label)
    if not ax.get_ylabel():
        of = f" of {frame['measure'].iloc[0]}" if "measure" in frame.columns else ""
        ax.set_ylabel(f"difference{of}")
    drawing.finish(ax, title if title is not None else found.title or _counts(frame))
    return ax


def _draw_differences(ax: Axes, rows: pd.DataFrame) -> None:
    values, place = rows["difference"].to_numpy(), np.arange(len(rows))
    thin = drawing.box_points(ax)[0] / len(rows) < _SEPARATE
    for some, colour in ((values >= 0, drawing.MAIN), (values < 0, drawing.COLOURS[1])):
        ax.bar(place[some], values[some], 1.0 if thin else 0.8, color=colour, alpha=0.75)
    ax.set_xlim(-0.8, len(rows) - 0.2)
    if not {"lower", "upper"} <= set(rows.columns):
        return
    known = np.isfinite(rows["lower"]) & np.isfinite(rows["upper"])
    if not known.any():
        return
    ends = rows.loc[known, ["lower", "upper"]].to_numpy()
    style: dict[str, Any] = {"linewidth": 0.5, "alpha": 0.4} if thin else {"linewidth": 1.1}
    ax.vlines(place[known], ends[:, 0], ends[:, 1], color="black", label="interval", **style)


def _name_queries(ax: Axes, rows: pd.DataFrame) -> None:
    """The names of the queries, or their number where there is no room for names."""
    n = len(rows)
    if n * _LABELLED <= drawing.box_points(ax)[0]:
        most = drawing.letters_in(72 * _HIGHEST * drawing.inches_of(ax)[1])
        names = shown_names(rows["query"], min(most, _LONGEST))
        widest = max(drawing.width_of(name, drawing.TICK_SIZE) for name in names)
        upright = n * (widest + 6) > drawing.box_points(ax)[0]
        drawing.name_ticks(ax, "x", range(n), names, rotation=90 if upright else 0)
        ax.set_xlabel("")
    else:
        ax.set_xticks([])
        ax.set_xlabel("queries, sorted by their difference")


def _counts(frame: pd.DataFrame) -> str:
    """Numbers of queries above, at and below 0, and of those without a difference."""
    values = frame["difference"].to_numpy(dtype=float)
    parts = [f"{int((values > 0).sum()):,} above 0"]
    if (values == 0).any():
        parts.append(f"{int((values == 0).sum()):,} at 0")
    parts.append(f"{int((values < 0).sum()):,} below")
    undefined = int(np.isnan(values).sum())
    if undefined:
        parts.append(f"{undefined:,} undefined and not drawn")
    return f"{counted(len(values), 'query')}: {', '.join(parts)}"


_COLUMNS = ("query", "strong", "mean", "lower", "upper")
_MOST_NAMES = 60  # of queries that are named
_HEIGHT_OF_MANY = 7.5  # inches, of a figure of more


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
    data : DataFrame or Santini
        One row for each query: columns query, strong (the value under one truth), mean, lower and
        upper (of the distribution); see `Santini.distributions`. The first is drawn on top.
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
        Of a result: `system`, `measure` and `queries`; see `Santini`.

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
    ax = axes_or_new(ax, height=1.5 + 0.19 * len(frame) if few else _HEIGHT_OF_MANY)
    height = np.arange(len(frame))[::-1]
    thick, size = (5.0, 5.0) if few else (max(0.8, 240 / len(frame)), 3.0)
    label = f"central {drawing.percent(level)} over worlds"
    lower, upper = frame["lower"], frame["upper"]
    ax.hlines(height, lower, upper, color=drawing.MAIN, alpha=0.35, linewidth=thick, label=label)
    worlds, strong = drawing.looks(2)
    mark = (worlds.marker, worlds.colour, size)
    draw_marks(ax, frame["mean"], height, *mark, label="mean over worlds")
    style: dict[str, Any] = {"markeredgewidth": size / 3, "label": "strong ground truth"}
    draw_marks(ax, frame["strong"], height, "x", strong.colour, size + 1, **style)
    if few:
        name_rows(ax, height.tolist(), frame["query"], share=0.3)
    else:
        ax.set_yticks([])
        ax.set_ylabel(counted(len(frame), "query"))
    ax.set_ylim(-0.8, len(frame) - 0.2)
    measure = str(frame["measure"].iloc[0]) if "measure" in frame.columns else ""
    ax.set_xlabel(xlabel or measure)
    drawing.finish(ax, drawn.heading(title), at_least=2)
    return ax
