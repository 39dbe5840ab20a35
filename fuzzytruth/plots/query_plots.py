"""Differences of two systems by query in order, strong truths beside worlds, and two schemes."""

from __future__ import annotations

from typing import Any

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth._typing import Axes
from fuzzytruth.errors import counted
from fuzzytruth.plots import drawing, frames, scheme
from fuzzytruth.plots.distribution_plot import bin_edges, spacing
from fuzzytruth.plots.drawing import axes_or_new, draw_marks, name_rows, shown_names
from fuzzytruth.plots.scheme import ALL, FAINT, NOTE, REFERENCE

_HEIGHT = 3.6  # inches
_LABELLED = 9.0  # points that a labelled bar needs
_LONGEST = 16  # characters of a query
_HIGHEST = 0.2  # of the figure's height, of upright names
_SEPARATE = 3.0  # points of a bar whose interval is drawn as a line of its own


def waterfall(data: Any, ax: Axes | None = None, *, title: frames.Title = True) -> Axes:
    """Draw the differences of two systems, one bar a query, the largest first.

    Parameters
    ----------
    data : QueryDifferences or DataFrame
        See `Scores.query_differences`. A frame has one row a query: columns query, difference and,
        optionally, lower and upper (its interval; NaN where there is none) and measure, which names
        the axis. Queries without a difference (NaN) are left out and counted in the title.
    ax, title
        Where to draw, under which title; see `plots`.

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
    >>> import pandas as pd
    >>> from fuzzytruth import plots
    >>> ax = plots.waterfall(pd.DataFrame({
    ...     "query": ["q1", "q2", "q3"], "difference": [0.1, -0.2, 0.4]}))
    >>> [label.get_text() for label in ax.get_xticklabels()], ax.get_title(loc="left")
    (['q3', 'q1', 'q2'], '3 queries: 2 above 0, 1 below')
    """
    found = frames.plot_data(data, "waterfall")
    frame = frames.check_columns(found.frame, ("query", "difference"))
    rows = frames.known_rows(frame, "difference")
    rows = rows.sort_values("difference", ascending=False, kind="stable")
    ax = axes_or_new(ax, height=_HEIGHT)
    _draw_differences(ax, rows, found.labels.get("interval", "interval of each query"))
    _name_queries(ax, rows)
    ax.axhline(0, color=ALL, linewidth=0.8)
    mean = float(rows["difference"].mean())
    label = f"mean: {mean:+.3g}".replace("-", "−")
    ax.axhline(mean, color=REFERENCE, linestyle="--", linewidth=1.2, label=label)
    if not ax.get_ylabel():
        of = f" of {frame['measure'].iloc[0]}" if "measure" in frame.columns else ""
        ax.set_ylabel(f"difference{of}")
    drawing.finish(ax, frames.headed(found.title or _counts(frame), title))
    return ax


def _draw_differences(ax: Axes, rows: pd.DataFrame, interval: str) -> None:
    values, place = rows["difference"].to_numpy(), np.arange(len(rows))
    thin = drawing.box_points(ax)[0] / len(rows) < _SEPARATE
    for some, colour in ((values >= 0, scheme.MAIN), (values < 0, scheme.OTHER)):
        ax.bar(place[some], values[some], 1.0 if thin else 0.8, color=colour, alpha=0.75)
    ax.set_xlim(-0.8, len(rows) - 0.2)
    if not {"lower", "upper"} <= set(rows.columns):
        return
    known = np.isfinite(rows["lower"]) & np.isfinite(rows["upper"])
    if not known.any():
        return
    low, high = rows.loc[known, ["lower", "upper"]].to_numpy().T
    style: dict[str, Any] = {"color": ALL, "label": interval}
    if thin:
        ax.fill_between(place[known], low, high, step="mid", alpha=0.25, linewidth=0, **style)
    else:
        ax.vlines(place[known], low, high, linewidth=1.1, **style)


def _name_queries(ax: Axes, rows: pd.DataFrame) -> None:
    """The names of the queries, or their number where there is no room for names."""
    n = len(rows)
    if n * _LABELLED <= drawing.box_points(ax)[0]:
        most = drawing.letters_in(72 * _HIGHEST * drawing.inches_of(ax)[1])
        names = shown_names(rows["query"], min(most, _LONGEST))
        widest = max(drawing.width_of(name, drawing.size_of()) for name in names)
        upright = n * (widest + 6) > drawing.box_points(ax)[0]
        drawing.name_ticks(ax, "x", range(n), names, rotation=90 if upright else 0)
        ax.set_xlabel("query")
    else:
        ax.set_xticks([])
        ax.set_xlabel("queries, sorted by their difference")


def _counts(frame: pd.DataFrame) -> str:
    """Numbers of queries above, at and below 0, and of those without a difference."""
    values = frame["difference"].to_numpy(dtype=float)
    sides = {"above 0": values > 0, "at 0": values == 0, "below": values < 0}
    sides["undefined and not drawn"] = np.isnan(values)
    always = ("above 0", "below")
    parts = [f"{x.sum():,} {side}" for side, x in sides.items() if side in always or x.any()]
    return f"{counted(len(values), 'query')}: {', '.join(parts)}"


_COLUMNS = ("query", "strong", "mean", "lower", "upper")
_MOST_NAMES = 60  # of queries that are named
_HEIGHT_OF_MANY = 7.5  # inches, of a figure of more


def strong_truth(
    data: Any,
    ax: Axes | None = None,
    *,
    level: float = 0.95,
    title: frames.Title = True,
    xlabel: str = "",
    **options: Any,
) -> Axes:
    """Draw each query's value under a strong ground truth beside its distribution over worlds.

    Above 60 queries their names are left out, marks become smaller, and the highest mean is on top.

    Parameters
    ----------
    data : DataFrame or Santini
        One row for each query: columns query, strong (the value under one truth), mean, lower and
        upper (of the distribution); see `Santini.distributions`. The first is drawn on top.
        Optional: measure, the label of the horizontal axis. NaN is not drawn.
    ax, title
        Where to draw, under which title; see `plots`.
    level : float
        Level of the central intervals, named in the legend. A result has its own.
    xlabel : str
        What the values are.
    **options
        Of a result: `system`, `measure` and `queries`; see `Santini`.

    Raises
    ------
    DataError
        A column is missing, or there are no rows.

    Examples
    --------
    >>> import pandas as pd
    >>> from fuzzytruth import plots
    >>> ax = plots.strong_truth(pd.DataFrame({
    ...     "query": ["q"], "strong": [0.8], "mean": [0.5], "lower": [0.2], "upper": [1.0]}))
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['central 95 % over worlds', 'mean over worlds', 'strong ground truth: most votes']
    """
    drawn = frames.plot_data(data, "strong_truth", **options)
    frame = frames.check_columns(drawn.frame, _COLUMNS)
    few = len(frame) <= _MOST_NAMES
    frame = frame if few else frame.sort_values("mean", ascending=False, kind="stable")
    ax = axes_or_new(ax, height=1.5 + 0.19 * len(frame) if few else _HEIGHT_OF_MANY)
    height = np.arange(len(frame))[::-1]
    thick, size = (5.0, 5.0) if few else (max(0.8, 240 / len(frame)), 3.0)
    label = f"central {drawing.percent(level)} over worlds"
    lower, upper = frame["lower"], frame["upper"]
    ax.hlines(height, lower, upper, color=scheme.MAIN, alpha=0.35, linewidth=thick, label=label)
    worlds, strong = scheme.looks(2)
    mark = (worlds.marker, worlds.colour, size)
    draw_marks(ax, frame["mean"], height, *mark, label="mean over worlds")
    style: dict[str, Any] = {
        "markeredgewidth": size / 3,
        "label": "strong ground truth: most votes",
    }
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


_OF_SCHEMES = ("system", "subject", "value")
_HIGH = 1.7  # rows, of the largest bar
_BINS, _FEWEST = 25, 12  # bars of the width of the figure, at most and at least
_ALONE = 0.3  # range about a single value


def two_schemes(
    data: Any, ax: Axes | None = None, *, title: frames.Title = True, **options: Any
) -> Axes:
    """Draw each system's distribution over worlds, and below it the value by each person's truth.

    Above: the people are averaged first, so that precision has a distribution, with its mean.
    Below: they are averaged last; a mark for each system and person, joined by a line, or of more
    than twenty people the density of each system, and the means.

    Parameters
    ----------
    data : DataFrame or Santini
        One row for each system and person: columns system, subject and value, of which several
        are averaged and NaN is left out. A column measure: the first one's rows. A result also has
        the distributions, which a frame alone lacks.
    ax, title
        Where to draw, under which title; see `plots`.
    **options
        Of a result: `query` and `measure`; see `Santini.plot`.

    Raises
    ------
    DataError
        A column is missing, or there is nothing to draw.

    Examples
    --------
    >>> import pandas as pd
    >>> from fuzzytruth import plots
    >>> from fuzzytruth.plots.frames import PlotData
    >>> own = pd.DataFrame({"system": ["a", "a"], "subject": ["ann", "bob"], "value": [0.2, 0.6]})
    >>> worlds = pd.DataFrame({"system": ["a"] * 2, "value": [0, 0.5], "probability": [0.3, 0.7]})
    >>> ax = plots.two_schemes(PlotData(own, beside=worlds))
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['averaged first', 'ann', 'bob', 'averaged last']
    """
    drawn = frames.plot_data(data, "two_schemes", **options)
    people, atoms = drawn.frame, drawn.beside
    if atoms is None or len(people):
        people = frames.rows_of_measure(frames.check_columns(people, _OF_SCHEMES), None)[0]
    subjects = list(dict.fromkeys(people["subject"]))
    people = frames.known_rows(people, "value") if subjects else people
    systems = list(dict.fromkeys(people["system"] if atoms is None else atoms["system"]))
    styles = dict(zip(systems, scheme.looks(len(systems)), strict=True))
    many = len(subjects) > scheme.MOST_DOTS
    listed = systems if many else subjects  # from top to bottom
    rows = {each: len(listed) - at for at, each in enumerate(listed)}
    top = len(rows) + 1.5  # the height below the bars
    n_rows = top + _HIGH * (len(systems) if atoms is not None else 0)
    ax = axes_or_new(ax, height=1.6 + 0.2 * n_rows)
    names: dict[float, str] = {}
    if atoms is not None:
        _draw_atoms(ax, atoms, styles, top)
        names[top + _HIGH * (len(systems) - 1) / 2] = "averaged first"
    if subjects:
        people = people.assign(row=people["system" if many else "subject"].map(rows))
        (_draw_many if many else _draw_people)(ax, people, styles)
        each = {(len(rows) + 1) / 2: f"each of {len(subjects):,} people"}
        names |= each if many else {float(row): who for who, row in rows.items()}
        names[0.0] = "averaged last"
        ax.axhline(0.5, color=FAINT, linewidth=0.8, zorder=0)
    for system, look in styles.items():
        label = drawing.entry(system)
        draw_marks(ax, [], [], look.marker, look.colour, 6.0, label=label)
        means = people.loc[people["system"] == system, ["value"]].mean().dropna()
        draw_marks(ax, means, [0.0] * len(means), look.marker, look.colour, 6.0, "white", zorder=3)
    draw_marks(ax, [], [], "o", NOTE, 6.0, "white", label="open: mean")
    drawing.name_rows(ax, list(names), names.values(), rows=n_rows)
    ax.set_ylim(-0.8, n_rows)
    ax.locator_params(axis="x", nbins=6)
    ax.set_xlabel(drawn.labels.get("value", "value"))
    ax.spines[["left", "top", "right"]].set_visible(False)
    drawing.finish(ax, drawn.heading(title))
    return ax


def _draw_atoms(ax: Axes, atoms: pd.DataFrame, styles: dict[str, Any], top: float) -> None:
    """A histogram of each system above the others, to one scale, and its mean."""
    values = np.unique(atoms["value"].to_numpy())
    step = spacing(values) if len(values) > 1 else _ALONE
    if step is None or (values[-1] - values[0]) / step > _BINS:
        width = (values[-1] - values[0]) / (_BINS - 1)  # bars at both ends stand at these values
        edges = values[0] + width * (np.arange(_BINS + 1) - 0.5)
    else:
        edges = bin_edges(values, step)
    of = {system: atoms[atoms["system"] == system] for system in styles}
    bars = {
        s: np.histogram(rows["value"], edges, weights=rows["probability"])[0]
        for s, rows in of.items()
    }
    largest = max(each.max() for each in bars.values())
    for j, (system, look) in enumerate(styles.items()):
        base = top + _HIGH * (len(styles) - 1 - j)
        heights = 0.8 * _HIGH * bars[system] / largest
        middle, widest = (edges[1:] + edges[:-1]) / 2, (edges[-1] - edges[0]) / _FEWEST
        width = 0.86 * np.minimum(np.diff(edges), widest)
        ax.bar(middle, heights, width, base, color=look.colour, alpha=0.75, linewidth=0)
        ax.axhline(base, color=FAINT, linewidth=0.8, zorder=0)
        mean = float(np.average(of[system]["value"], weights=of[system]["probability"]))
        draw_marks(ax, [mean], [base], look.marker, look.colour, 6.0, "white", zorder=3)


def _draw_people(ax: Axes, people: pd.DataFrame, styles: dict[str, Any]) -> None:
    """A row for each person, with a line in the colour of the highest."""
    table = people.pivot_table("value", "row", "system", observed=True)
    table = table.reindex(columns=list(styles))
    best = [styles[str(system)].colour for system in table.idxmax(axis=1)]
    heights, low, high = table.index, table.min(axis=1), table.max(axis=1)
    ax.hlines(heights, low, high, colors=best, alpha=0.4, linewidth=2)
    for j, (system, look) in enumerate(styles.items()):
        size = 6.5 - 2.5 * j / len(styles)  # smaller, not to hide those below
        draw_marks(ax, table[system], heights, look.marker, look.colour, size)


def _draw_many(ax: Axes, people: pd.DataFrame, styles: dict[str, Any]) -> None:
    """A density for each system, with its mean."""
    for system, look in styles.items():
        own = people[people["system"] == system]
        drawing.draw_densities(ax, own["value"], own["row"], look.colour, 0.9)
        mean = own[["value", "row"]].mean()
        draw_marks(ax, [mean["value"]], [mean["row"]], look.marker, look.colour, 6.0, "white")
