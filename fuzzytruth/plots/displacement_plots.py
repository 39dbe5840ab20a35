"""Displacement of systems by each subject, and of the items of one subject."""

from __future__ import annotations

from typing import Any

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth._typing import Axes
from fuzzytruth.core.validation import whole_number
from fuzzytruth.errors import counted
from fuzzytruth.plots import drawing, scheme
from fuzzytruth.plots.drawing import draw_marks, finish
from fuzzytruth.plots.frames import Title, check_columns, headed, known_rows, plot_data
from fuzzytruth.plots.scheme import MAIN, NOTE, OTHER, REFERENCE, looks

_OF_ITEMS = ("item", "set", "relevance", "first", "last", "rank", "weighted")
_MOST_ITEMS = 30


def displaced_items(
    data: Any, ax: Axes | None = None, *, n_items: int = _MOST_ITEMS, title: Title = True
) -> Axes:
    r"""Draw the places of a subject's items in its own list and in the system's.

    Parameters
    ----------
    data : Displacement or DataFrame
        See `Displacement.to_frame`. A frame has one row an item: columns item, set ("A": both list
        it, "B": only the subject), relevance, first and last (places over which it is tied), rank
        (in the system's list, or as assumed; missing where none is assumed), weighted
        (displacement × relevance). Items without a rank have no mark of the system.
    ax, title
        Where to draw, under which title; see `plots`.
    n_items : int
        The most items that are drawn, the first of the subject's list; the title says of how many.

    Returns
    -------
    matplotlib Axes
        The number right of each item is its part of w: the places it moved × its relevance.

    Raises
    ------
    DataError
        A column is missing, or there are no rows.
    OptionError
        `n_items` is below 1.

    Examples
    --------
    >>> import fuzzytruth as ft
    >>> ax = ft.displacement(["a", "b"], [1, 0.5], ["b", "a"]).plot()
    >>> [text.get_text() for text in ax.texts]
    ['places ×\nrelevance', '1', '0.5']
    """
    found = plot_data(data, "displaced_items")
    frame = check_columns(found.frame, _OF_ITEMS)
    rows = frame.head(whole_number("n_items", n_items, 1))
    ax = drawing.axes_or_new(ax, height=2.2 + 0.2 * len(rows))
    height = np.arange(len(rows))
    drawing.name_rows(ax, height.tolist(), rows["item"], share=0.35)
    ax.set_ylim(len(rows) - 0.5, -1.6)  # with room for the heading of the numbers
    _draw_items(ax, rows, height)
    parts = [f"{part:.3g}" for part in rows["weighted"]]
    drawing.name_right(ax, [-1, *height], ["places ×\nrelevance", *parts])
    ax.set(xlabel="place in the list (1: best)", ylabel="subject's items")
    cut = f"The first {len(rows)} of {len(frame):,} items" if len(rows) < len(frame) else ""
    finish(ax, found.heading(title, cut))
    return ax


def _draw_items(ax: Axes, rows: pd.DataFrame, height: Any) -> None:
    from matplotlib.ticker import MaxNLocator

    first, last = rows["first"].to_numpy(dtype=float), rows["last"].to_numpy(dtype=float)
    rank = rows["rank"].to_numpy(dtype=float, na_value=np.nan)
    place = np.clip(rank, first, last)
    label = "moved (the farther, the worse)"
    ax.hlines(height, place, rank, color=REFERENCE, linewidth=1.2, zorder=1, label=label)
    ax.hlines(height, first, last, color=scheme.FAINT, linewidth=5, zorder=0)
    where = np.where(np.isnan(rank), (first + last) / 2, place)
    tied = " (bar: tied places)" if (last > first).any() else ""
    draw_marks(ax, where, height, "o", MAIN, 8, "white", label=f"in the subject's list{tied}")
    both = (rows["set"] == "A").to_numpy()
    assumed = ~both & ~np.isnan(rank)
    draw_marks(ax, rank[both], height[both], "s", OTHER, 4.5, label="in the system's list")
    if assumed.any():
        label = "not in the system's list: as assumed"
        draw_marks(ax, rank[assumed], height[assumed], "s", OTHER, 4.5, "white", label=label)
    span = max(float(np.nanmax([*rank, *last])) - 1, 1.0)
    ax.set_xlim(max(1 - 0.05 * span, 0.1), 1 + 1.05 * span)
    ax.xaxis.set_major_locator(MaxNLocator("auto", integer=True, min_n_ticks=1))


_COLUMNS = ("subject", "optimist", "pessimist")
_MOST_ROWS = 40
_QUALITY = "quality"
_CASES = {
    "optimist": "filled: omitted items come next (optimist)",
    "pessimist": "open: omitted items are nowhere (pessimist)",
}


def displacement(
    data: pd.DataFrame,
    ax: Axes | None = None,
    *,
    label: str = "weighted displacement w (0: the same order)",
    n_subjects: int | None = None,
    title: Title = True,
) -> Axes:
    """Draw, for each subject, the displacement of each system from optimist to pessimist.

    A dumbbell's ends are what the displacement is if the items that the system omits come next,
    and if they are nowhere (or where they are displaced most). Normalised, each is divided by its
    own largest value, so that the optimist's may be the larger one. Many subjects are densities.

    Parameters
    ----------
    data : DataFrame
        One row a subject and system: columns subject, optimist, pessimist and, optionally, system
        and quality (a function of the displacement, 1 in the same order; a number at the right).
        Values of ``WD(unseen=optimist)``, ``WD(unseen=pessimist,N=...)`` and ``WDQ(...)`` from
        `evaluate`, for example. A row whose optimist or pessimist is NaN is not drawn, and counted.
    ax, title
        Where to draw, under which title; see `plots`.
    label : str
        Of the axis; by default that of places moved × relevance. Say if the values are normalised.
    n_subjects : int, optional
        The most subjects that are drawn, those with the widest dumbbells; the title says how many
        there are. By default all, who are densities, in a row a system, where they need more than
        40 rows.

    Returns
    -------
    matplotlib Axes
        Subjects are ordered by their mean optimist, the smallest on top.

    Raises
    ------
    DataError
        A column is missing, there are no rows, or none can be drawn.

    Examples
    --------
    >>> import pandas as pd
    >>> from fuzzytruth import plots
    >>> ax = plots.displacement(pd.DataFrame({
    ...     "subject": ["ann", "bob"], "optimist": [3.1, 0.4], "pessimist": [5.0, 0.9]}))
    >>> [tick.get_text() for tick in ax.get_yticklabels()]
    ['bob', 'ann']
    """
    frame = check_columns(data, _COLUMNS, "data")
    known = known_rows(frame, "optimist", "pessimist")
    known = known if "system" in known.columns else known.assign(system="")
    systems, n_all = list(dict.fromkeys(known["system"])), known["subject"].nunique()
    many = n_subjects is None and n_all * len(systems) > _MOST_ROWS
    limit = n_all if n_subjects is None else whole_number("n_subjects", n_subjects, 1)
    subjects = _subjects(known, limit)
    rows = systems if many else subjects
    each = 0.5 if many else 0.11 * (len(systems) + 0.6)
    ax = drawing.axes_or_new(ax, height=2.2 + each * len(rows))
    known = known[known["subject"].isin(subjects)]
    known = known.assign(height=_heights(known, rows, systems, many=many))
    handles = _draw_densities(ax, known) if many else _draw_dumbbells(ax, known, systems)
    drawing.name_rows(ax, list(range(len(rows))), rows)
    ax.set_ylim(len(rows) - 0.5, -1.2 if "quality" in known else -0.5)
    ax.set(xlabel=label, ylabel=f"density of {n_all:,} subjects" if many else "subject")
    ax.grid(axis="x", color=scheme.GRID, linewidth=0.6)
    ax.set_axisbelow(True)
    _write_qualities(ax, known)
    note = _note(len(subjects), n_all, len(frame) - len(frame.dropna(subset=list(_COLUMNS[1:]))))
    finish(ax, headed("", title, note), handles=handles)
    return ax


def _subjects(known: pd.DataFrame, limit: int) -> list[Any]:
    """The subjects that are drawn, in their order."""
    wide = (known["pessimist"] - known["optimist"]).groupby(known["subject"], sort=False).max()
    mean = known.groupby("subject", sort=False)["optimist"].mean()
    kept = wide.sort_values(ascending=False, kind="stable").index[:limit]
    return mean[mean.index.isin(kept)].sort_values(kind="stable").index.tolist()


def _heights(known: pd.DataFrame, rows: list[Any], systems: list[Any], *, many: bool) -> Any:
    """The row of each system, or that of each subject, in which systems are side by side."""
    place = known["system" if many else "subject"].map({row: at for at, row in enumerate(rows)})
    shift = known["system"].map({system: at for at, system in enumerate(systems)})
    shift = (shift - (len(systems) - 1) / 2) * 0.7 / len(systems)
    return place.astype(float) + (0.0 if many else shift)


def _draw_densities(ax: Axes, known: pd.DataFrame) -> list[Any]:
    """How optimists and pessimists lie over subjects, above and below a line for each system."""
    from matplotlib.patches import Patch

    cases = dict(zip(_CASES, (MAIN, OTHER), strict=True))
    long = known.melt("height", list(cases), var_name="case")
    split = {"hue": long["case"].to_numpy(), "palette": cases, "split": True, "legend": False}
    drawing.draw_densities(ax, long["value"], long["height"], None, 0.85, **split)
    sides = zip(("above", "below"), cases.values(), _CASES.values(), strict=True)
    return [Patch(color=c, label=f"{side}: {words.partition(': ')[2]}") for side, c, words in sides]


def _draw_dumbbells(ax: Axes, known: pd.DataFrame, systems: list[Any]) -> list[Any]:
    """A line for each subject and system, with a mark at both ends; seaborn has no dumbbells."""
    for system, look in zip(systems, looks(len(systems)), strict=True):
        rows = known[known["system"] == system]
        low, high = rows["optimist"].to_numpy(), rows["pessimist"].to_numpy()
        height = rows["height"].to_numpy()
        ax.hlines(height, low, high, color=look.colour, linewidth=1.6, zorder=2)
        mark = (look.marker, look.colour)  # the smaller ones above, so that both are seen
        label = drawing.entry(str(system)) if system else "_"
        draw_marks(ax, low, height, *mark, 4.5, zorder=3.55, label=label)
        draw_marks(ax, high, height, *mark, 7, "white", zorder=3.3)
    for fill, words in zip((NOTE, "white"), _CASES.values(), strict=True):
        draw_marks(ax, [], [], "o", NOTE, 5, fill, label=words)
    return list(ax.get_legend_handles_labels()[0])


def _write_qualities(ax: Axes, known: pd.DataFrame) -> None:
    """The quality, or the mean of those in a row, at the right, if there are any."""
    if "quality" in known.columns and known["quality"].notna().any():
        rows = known.groupby("height")["quality"].mean()
        drawing.name_right(ax, [-0.8, *rows.index], [_QUALITY, *map("{:.2f}".format, rows)])


def _note(shown: int, n_all: int, lost: int) -> str:
    notes = []
    if shown < n_all:
        notes.append(f"{shown} of {n_all:,} subjects, those with the widest ranges")
    if lost:
        notes.append(f"{counted(lost, 'row')} without a value not drawn")
    return "; ".join(notes)
