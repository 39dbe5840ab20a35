"""The two schemes: people averaged first, into one uncertain truth, or last, after the scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth.plots import drawing
from fuzzytruth.plots.distribution_plot import bin_edges, spacing
from fuzzytruth.plots.drawing import axes_or_new, draw_marks
from fuzzytruth.plots.frames import check_columns, known_rows, plot_data, rows_of_measure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_COLUMNS = ("system", "subject", "value")
_HIGH = 1.7  # rows, of the largest bar
_BINS, _FEWEST = 25, 12  # bars of the width of the figure, at most and at least
_ALONE = 0.3  # range about a single value
_MOST_PEOPLE = 40  # beyond which rows are closer and have no names


def two_schemes(
    data: Any, ax: Axes | None = None, *, title: str | None = None, **options: Any
) -> Axes:
    """Draw each system's distribution over worlds, and below it the value by each person's truth.

    Above: the people are averaged first, so that precision has a distribution, with its mean.
    Below: they are averaged last; a mark for each system and person, joined by a line, and the
    means.

    Parameters
    ----------
    data : DataFrame or Santini
        One row for each system and person: columns system, subject and value, of which several
        are averaged and NaN is left out. A column measure: the first one's rows. A result also has
        the distributions, which a frame alone lacks.
    ax : matplotlib Axes, optional
        Axes to draw on; a new figure by default.
    title : str, optional
        By default the result's own.
    **options
        Of a result: `query` and `measure`; see `Santini.plot`.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    DataError
        A column is missing, or there is nothing to draw.

    Examples
    --------
    >>> import matplotlib; matplotlib.use("Agg")
    >>> import pandas as pd
    >>> from fuzzytruth import plots
    >>> from fuzzytruth.plots.frames import PlotData
    >>> own = pd.DataFrame({"system": ["a", "a"], "subject": ["ann", "bob"], "value": [0.2, 0.6]})
    >>> worlds = pd.DataFrame({"system": ["a"] * 2, "value": [0, 0.5], "probability": [0.3, 0.7]})
    >>> ax = plots.two_schemes(PlotData(own, beside=worlds))
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['averaged first', 'ann', 'bob', 'averaged last']
    """
    drawn = plot_data(data, "two_schemes", **options)
    people, atoms = drawn.frame, drawn.beside
    if atoms is None or len(people):
        people = rows_of_measure(check_columns(people, _COLUMNS), None)[0]
    subjects = list(dict.fromkeys(people["subject"]))
    people = known_rows(people, "value") if subjects else people
    systems = list(dict.fromkeys(people["system"] if atoms is None else atoms["system"]))
    styles = dict(zip(systems, drawing.looks(len(systems)), strict=True))
    n = min(len(subjects), _MOST_PEOPLE)
    rows = dict(zip(subjects, np.linspace(n, 1, len(subjects)).tolist(), strict=True))
    top = n + 1.5  # the height below the bars
    n_rows = top + _HIGH * (len(systems) if atoms is not None else 0)
    ax = axes_or_new(ax, height=1.4 + 0.2 * n_rows)
    names: dict[float, str] = {}
    if atoms is not None:
        _draw_atoms(ax, atoms, styles, top)
        names[top + _HIGH * (len(systems) - 1) / 2] = "averaged first"
    if subjects:
        _draw_people(ax, people.assign(row=people["subject"].map(rows)), styles)
        few = len(subjects) <= _MOST_PEOPLE
        names |= {row: who for who, row in rows.items()} if few else {n / 2: f"{len(rows)} people"}
        names[0.0] = "averaged last"
        ax.axhline(0.5, color="0.8", linewidth=0.8, zorder=0)
    for look, system in ((styles[each], each) for each in systems):
        label = drawing.entry(system)
        draw_marks(ax, [], [], look.marker, look.colour, 6.0, label=label)
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
        ax.axhline(base, color="0.8", linewidth=0.8, zorder=0)
        mean = float(np.average(of[system]["value"], weights=of[system]["probability"]))
        draw_marks(ax, [mean], [base], look.marker, look.colour, 6.0, "white", zorder=3)


def _draw_people(ax: Axes, people: pd.DataFrame, styles: dict[str, Any]) -> None:
    """A row for each person, then the means."""
    table = people.pivot_table("value", "row", "system", observed=True)
    table = table.reindex(columns=list(styles))
    best = [styles[str(system)].colour for system in table.idxmax(axis=1)]
    heights, low, high = table.index, table.min(axis=1), table.max(axis=1)
    ax.hlines(heights, low, high, colors=best, alpha=0.4, linewidth=2)
    for j, (system, look) in enumerate(styles.items()):
        size = 6.5 - 2.5 * j / len(styles)  # smaller, not to hide those below
        draw_marks(ax, table[system], heights, look.marker, look.colour, size)
        mean = table[system].mean()
        draw_marks(ax, [mean], [0.0], look.marker, look.colour, 6.0, "white", zorder=3)
