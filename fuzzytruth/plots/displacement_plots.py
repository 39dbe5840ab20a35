"""Displacement of systems by each subject, and of the items of one subject."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth.core.validation import whole_number
from fuzzytruth.errors import counted
from fuzzytruth.plots import drawing, scheme
from fuzzytruth.plots.drawing import draw_marks, finish
from fuzzytruth.plots.frames import Title, check_columns, known_rows, plot_data
from fuzzytruth.plots.scheme import ALL, MAIN, OTHER, REFERENCE, looks

if TYPE_CHECKING:
    from matplotlib.axes import Axes


_OF_ITEMS = ("item", "set", "relevance", "first", "last", "rank", "weighted")
_MOST_ITEMS = 30


def displaced_items(
    data: Any, ax: Axes | None = None, *, n_items: int = _MOST_ITEMS, title: Title = True
) -> Axes:
    """Draw the places of a subject's items in its own list and in the system's.

    Parameters
    ----------
    data : Displacement or DataFrame
        See `Displacement.to_frame`. A frame has one row an item: columns item, set ("A": both list
        it, "B": only the subject), relevance, first and last (places over which it is tied), rank
        (in the system's list, or as assumed; missing where none is assumed), weighted
        (displacement × relevance). Items without a rank have no mark of the system.
    ax : matplotlib Axes, optional
        Axes to draw on; by default those of a new figure, as high as its rows need.
    n_items : int
        The most items that are drawn, the first of the subject's list; the title says of how many.
    title : str or bool
        By default that of the result; False: none.

    Returns
    -------
    matplotlib Axes
        The number right of each item is its part of w.

    Raises
    ------
    DataError
        A column is missing, or there are no rows.
    OptionError
        `n_items` is below 1.

    Examples
    --------
    >>> import matplotlib; matplotlib.use("Agg")
    >>> import fuzzytruth as ft
    >>> ax = ft.displacement(["a", "b"], [1, 0.5], ["b", "a"]).plot()
    >>> [text.get_text() for text in ax.texts]
    ['1', '0.5']
    """
    found = plot_data(data, "displaced_items")
    frame = check_columns(found.frame, _OF_ITEMS)
    rows = frame.head(whole_number("n_items", n_items, 1))
    ax = drawing.axes_or_new(ax, height=1.7 + 0.2 * len(rows))
    height = np.arange(len(rows))
    drawing.name_rows(ax, height.tolist(), rows["item"])
    ax.set_ylim(len(rows) - 0.5, -0.5)
    _draw_items(ax, rows, height)
    ax.set_xlabel("rank")
    cut = f"the first {len(rows)} of {len(frame):,} items" if len(rows) < len(frame) else ""
    finish(ax, found.heading(title, cut))
    return ax


def _draw_items(ax: Axes, rows: pd.DataFrame, height: Any) -> None:
    from matplotlib.ticker import MaxNLocator

    first, last = rows["first"].to_numpy(dtype=float), rows["last"].to_numpy(dtype=float)
    rank = rows["rank"].to_numpy(dtype=float, na_value=np.nan)
    place = np.clip(rank, first, last)
    ax.hlines(height, place, rank, color=REFERENCE, linewidth=1.2, zorder=1)
    ax.hlines(height, first, last, color=scheme.FAINT, linewidth=5, zorder=0)
    where = np.where(np.isnan(rank), (first + last) / 2, place)
    draw_marks(ax, where, height, "o", MAIN, 8, "white", label="subject's list (bar: tied places)")
    both = (rows["set"] == "A").to_numpy()
    assumed = ~both & ~np.isnan(rank)
    draw_marks(ax, rank[both], height[both], "s", OTHER, 4.5, label="system's list")
    if assumed.any():
        at = rank[assumed], height[assumed]
        draw_marks(ax, *at, "s", OTHER, 4.5, "white", label="assumed rank")
    furthest = np.fmax(np.where(np.isnan(rank), last, rank), last)
    for at, end, value in zip(height, furthest, rows["weighted"], strict=True):
        ax.annotate(
            f"{value:.3g}", (end, at), (6, 0), textcoords="offset points", va="center",
            fontsize=drawing.TICK_SIZE - 1,
        )  # fmt: skip
    span = max(float(furthest.max()) - 1, 1.0)
    ax.set_xlim(1 - 0.05 * span, 1 + 1.12 * span)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))


_COLUMNS = ("subject", "optimist", "pessimist")
_MOST_ROWS = 40
_HIGHEST_OF_SHARES = 1.1  # end of an axis of shares, with its margin
_QUALITY = "g of w"


def displacement(
    data: pd.DataFrame,
    ax: Axes | None = None,
    *,
    label: str = "weighted displacement w",
    n_subjects: int | None = None,
    title: Title = True,
) -> Axes:
    """Draw, for each subject, the displacement of each system from optimist to pessimist.

    A dumbbell's ends are what the displacement is if the items that the system does not list come
    next, and if they are nowhere (or where they are displaced most). Normalised, each is divided by
    its own largest value, so that the optimist's may be the larger one.

    Parameters
    ----------
    data : DataFrame
        One row a subject and system: columns subject, optimist, pessimist and, optionally, system
        and quality (a function g of the displacement, from 0 to 1, on an axis of its own above).
        Values of ``WD(unseen=optimist)``, ``WD(unseen=pessimist,N=...)`` and ``WDQ(...)`` from
        `evaluate`, for example. A row whose optimist or pessimist is NaN is not drawn, and counted.
    ax : matplotlib Axes, optional
        Axes to draw on; by default those of a new figure, as high as its rows need.
    label : str
        Of the axis; say if the values are normalised.
    n_subjects : int, optional
        The most subjects that are drawn, those with the widest dumbbells; the title says how many
        there are. By default as many as make 40 rows.
    title : str or bool

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
    >>> import matplotlib; matplotlib.use("Agg")
    >>> import pandas as pd
    >>> from fuzzytruth import plots
    >>> ax = plots.displacement(pd.DataFrame({
    ...     "subject": ["ann", "bob"], "optimist": [3.1, 0.4], "pessimist": [5.0, 0.9]}))
    >>> [tick.get_text() for tick in ax.get_yticklabels()]
    ['bob', 'ann']
    """
    frame = check_columns(data, _COLUMNS, "data")
    known = known_rows(frame, "optimist", "pessimist")
    systems = list(dict.fromkeys(known["system"])) if "system" in known.columns else [None]
    limit = max(1, _MOST_ROWS // len(systems))
    limit = limit if n_subjects is None else whole_number("n_subjects", n_subjects, 1)
    subjects, n_all = _subjects(known, limit)
    ax = drawing.axes_or_new(ax, height=1.7 + 0.11 * len(subjects) * (len(systems) + 0.6))
    drawing.name_rows(ax, list(range(len(subjects))), subjects)
    ax.set_ylim(len(subjects) - 0.5, -0.5)
    _draw_systems(ax, known, subjects, systems)
    ax.set_xlabel(label)
    ax.grid(axis="x", color=scheme.GRID, linewidth=0.6)
    ax.set_axisbelow(True)
    notes = [title, _note(len(subjects), n_all, len(frame) - len(known))]
    above = _draw_qualities(ax, known, subjects, systems)
    handles = [*ax.get_legend_handles_labels()[0], *above]
    finish(ax, "\n".join(filter(None, notes)), handles=handles)
    return ax


def _subjects(known: pd.DataFrame, limit: int) -> tuple[list[Any], int]:
    """The subjects that are drawn, in their order, and how many there are."""
    wide = (known["pessimist"] - known["optimist"]).groupby(known["subject"], sort=False).max()
    mean = known.groupby("subject", sort=False)["optimist"].mean()
    kept = wide.sort_values(ascending=False, kind="stable").index[:limit]
    return mean[mean.index.isin(kept)].sort_values(kind="stable").index.tolist(), len(mean)


def _draw_systems(ax: Axes, known: pd.DataFrame, subjects: list[Any], systems: list[Any]) -> None:
    for k, (system, look) in enumerate(zip(systems, looks(len(systems)), strict=True)):
        rows, height = _rows_of(known, subjects, systems, k)
        low, high = rows["optimist"].to_numpy(), rows["pessimist"].to_numpy()
        of = "" if system is None else f": {system}"
        ax.hlines(height, low, high, color=look.colour, linewidth=1.6, zorder=2)
        mark = (look.marker, look.colour)  # the smaller ones above, so that both are seen
        draw_marks(ax, low, height, *mark, 4.5, zorder=3.55, label=f"optimist{of}")
        draw_marks(ax, high, height, *mark, 7, "white", zorder=3.3, label=f"pessimist{of}")


def _rows_of(
    known: pd.DataFrame, subjects: list[Any], systems: list[Any], k: int
) -> tuple[pd.DataFrame, Any]:
    """Rows of one system, and their heights."""
    rows = known if systems[k] is None else known[known["system"] == systems[k]]
    rows = rows[rows["subject"].isin(subjects)]
    place = {subject: at for at, subject in enumerate(subjects)}
    step = 0.7 / len(systems)
    shift = (k - (len(systems) - 1) / 2) * step
    return rows, rows["subject"].map(place).to_numpy(dtype=float) + shift


def _draw_qualities(
    ax: Axes, known: pd.DataFrame, subjects: list[Any], systems: list[Any]
) -> list[Any]:
    """Marks of the quality on an axis of their own above, if there are any."""
    if "quality" not in known.columns or known["quality"].isna().all():
        return []
    top = ax.twiny()
    low, high = ax.get_xlim()
    shares = low <= 0 and 1 <= high <= _HIGHEST_OF_SHARES  # then both axes have one scale
    top.set_xlim((low, high) if shares else (-0.02, 1.02))
    top.set_xlabel(_QUALITY, fontsize=drawing.LABEL_SIZE)
    top.tick_params(labelsize=drawing.TICK_SIZE)
    for k in range(len(systems)):
        rows, height = _rows_of(known, subjects, systems, k)
        label = f"{_QUALITY} (upper axis)" if k == 0 else f"_{k}"
        draw_marks(top, rows["quality"], height, "|", ALL, 8, markeredgewidth=1.6, label=label)
    return list(top.get_legend_handles_labels()[0])


def _note(shown: int, n_all: int, lost: int) -> str:
    notes = []
    if shown < n_all:
        notes.append(f"{shown} of {n_all:,} subjects, those with the widest ranges")
    if lost:
        notes.append(f"{counted(lost, 'row')} without a value not drawn")
    return "; ".join(notes)
