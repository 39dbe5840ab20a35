"""Means of systems with their intervals."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth._typing import Floats
from fuzzytruth.errors import OptionError, require, shown_all
from fuzzytruth.plots.drawing.appearance import BESIDE, FAINT, Look, axes_or_new, looks
from fuzzytruth.plots.drawing.names import entry, shown_names
from fuzzytruth.plots.drawing.text import (
    finish,
    name_rows,
    row_points,
)
from fuzzytruth.plots.frames import PlotData, check_columns, known_rows, plot_data

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_COLUMNS = ("measure", "system", "mean", "lower", "upper")
_OF_SUBJECTS = ("measure", "system", "subject", "mean")
_MOST_LOOKS = 6  # subjects with markers of their own, other than that of all
_SPREAD = 0.5  # of a row, that several measures take


def means(
    data: Any,
    ax: Axes | None = None,
    *,
    measure: Iterable[str] | str | None = None,
    subjects: pd.DataFrame | None = None,
    higher_is_better: bool = True,
    title: str | None = None,
    **options: Any,
) -> Axes:
    """Draw the mean of each system with its interval, the best system on top.

    Systems are ordered by the first measure drawn. Several measures differ in colour and marker.

    Parameters
    ----------
    data : DataFrame, Scores or another result
        One row a measure and system: columns measure, system, mean, lower, upper; see
        `Scores.summary`. Means that are NaN are not drawn (their systems are at the bottom), nor
        are infinite ends of intervals. Columns lowest and highest are drawn as thin lines between
        brackets: what judging the unjudged items could give.
    ax : matplotlib Axes, optional
        Axes to draw on; by default those of a new figure, as high as its rows need.
    measure : str or sequence of str, optional
        The first by default.
    subjects : DataFrame, optional
        Means by each subject's judgments alone: columns measure, system, subject, mean. Up to
        six subjects have markers of their own, more are dots.
    higher_is_better : bool
        By the first measure drawn, for the order of systems; scores know it themselves.
    title : str, optional
        By default that of the result.
    **options
        Of `Scores.plot`, for scores: over, by, level.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    DataError
        A column is missing, there are no rows, or no mean is known.
    OptionError
        The frame does not have a measure, or subjects go with one measure only.

    Examples
    --------
    >>> import matplotlib; matplotlib.use("Agg")
    >>> import pandas as pd
    >>> from fuzzytruth import plots
    >>> ax = plots.means(pd.DataFrame({
    ...     "measure": "AP", "system": ["bm25", "tfidf"], "mean": [0.3, 0.4],
    ...     "lower": [0.2, 0.3], "upper": [0.4, 0.5]}))
    >>> [label.get_text() for label in ax.get_yticklabels()], ax.get_xlabel()
    (['tfidf', 'bm25'], 'mean of AP')
    """
    given = plot_data(data, "means", measure=measure, **options)
    rows = check_columns(given.frame, _COLUMNS)
    of_frame = given.frame is data
    chosen = _measures(rows, measure) if of_frame else list(dict.fromkeys(rows["measure"]))
    subjects = given.beside if subjects is None else subjects
    if subjects is not None and len(chosen) > 1:
        raise OptionError("measure: means by subject are drawn for one measure at a time")
    order = _order(rows, chosen[0], higher_is_better and given.labels.get("better") != "lower")
    ax = axes_or_new(ax, height=1.5 + len(order) * _pitch(len(order), len(chosen)))
    _label(ax, order)
    of = f"mean of {chosen[0]}" if len(chosen) == 1 else "mean"
    ax.set_xlabel(given.labels.get("axis", of))
    handles = _draw_measures(ax, rows, order, chosen, given)
    if subjects is not None:
        checked = check_columns(subjects, _OF_SUBJECTS, "subjects")
        handles += _draw_subjects(ax, checked[checked["measure"] == chosen[0]], order, given)
    finish(ax, given.heading(title), handles=handles, at_least=2)
    return ax


def _measures(rows: pd.DataFrame, measure: Iterable[str] | str | None) -> list[str]:
    """The measures to draw, each once."""
    known = list(dict.fromkeys(rows["measure"]))
    if measure is None:
        return known[:1]
    require("measure", measure, isinstance(measure, Iterable), "must be a name, or several")
    named = list(dict.fromkeys([measure] if isinstance(measure, str) else measure))
    for name in named:
        if name not in known:
            raise OptionError(f"measure {name!r} is not in the frame; it has {shown_all(known)}")
    if not named:
        raise OptionError("measure: is empty; name at least one measure")
    return named


def _order(rows: pd.DataFrame, measure: str, higher_is_better: bool) -> list[str]:
    """The systems, the best first and those without a mean last."""
    of_measure = rows[rows["measure"] == measure]
    known_rows(of_measure, "mean", of=measure)
    ordered = of_measure.sort_values("mean", ascending=not higher_is_better, kind="stable")
    return list(dict.fromkeys([*ordered["system"], *rows["system"]]))


def _pitch(n_systems: int, n_measures: int) -> float:
    """Height of a system's row in inches."""
    if n_measures > 1:
        return 0.14 + 0.1 * n_measures if n_systems <= 20 else 0.2
    return 0.26 if n_systems <= 20 else 0.135


def _label(ax: Axes, order: list[str]) -> None:
    """Names, faint lines from them, and limits."""
    places = np.arange(len(order))
    name_rows(ax, places.tolist(), lambda most: shown_names(order, most))
    ax.set_ylim(len(order) - 0.4, -0.6)
    ax.hlines(
        places, 0, 1, transform=ax.get_yaxis_transform(), colors=FAINT, linewidth=0.5, zorder=0
    )


def _draw_measures(
    ax: Axes, rows: pd.DataFrame, order: list[str], measures: list[str], given: PlotData
) -> list[Any]:
    """Dots with intervals, one look a measure; handles of a legend."""
    shifts = np.linspace(-0.5, 0.5, len(measures)) * _SPREAD if len(measures) > 1 else [0.0]
    size = float(np.clip(0.5 * row_points(ax, len(order)) / len(measures), 2, 5))
    handles: list[Any] = []
    for measure, shift, look in zip(measures, shifts, looks(len(measures)), strict=True):
        table = rows[rows["measure"] == measure].set_index("system").reindex(order)
        middle = table["mean"].to_numpy(dtype=float)
        lengths = np.abs(table[["lower", "upper"]].to_numpy(dtype=float).T - middle)
        label = measure if len(measures) > 1 else given.labels.get("mean", "mean and interval")
        bars = ax.errorbar(
            middle,
            np.arange(len(order)) + shift,
            xerr=np.where(np.isfinite(lengths), lengths, 0.0),
            fmt=look.marker,
            color=look.colour,
            markersize=size,
            linewidth=1.4,
            label=entry(label),
            zorder=3,
        )
        handles.append(bars)
        bounds = _draw_bounds(ax, table, np.arange(len(order)) + shift, look, size)
        handles += bounds if len(handles) == 1 else []  # alike for all measures: named once
    return handles


def _draw_bounds(
    ax: Axes, table: pd.DataFrame, places: Floats, look: Look, size: float
) -> list[Any]:
    """Lines between brackets from the lowest to the highest mean, if these are known."""
    if not {"lowest", "highest"} <= {*table.columns}:
        return []
    lowest, highest = (table[end].to_numpy(dtype=float) for end in ("lowest", "highest"))
    style: dict[str, Any] = {"color": look.colour, "zorder": 2}
    ax.hlines(places, lowest, highest, linewidth=0.6, linestyles=":", **style)
    (ends,) = ax.plot(lowest, places, linestyle="", marker=9, markersize=size, **style)
    ax.plot(highest, places, linestyle="", marker=8, markersize=size, **style)
    ends.set_label("range if unjudged items were judged")
    return [ends]


def _draw_subjects(
    ax: Axes, subjects: pd.DataFrame, order: list[str], given: PlotData
) -> list[Any]:
    """Means by each subject below those of the systems; handles of a legend."""
    place = {system: number for number, system in enumerate(order)}
    known = subjects[subjects["system"].isin(order)].dropna(subset="mean")
    heights = known["system"].map(place).to_numpy(dtype=float) + 0.27
    names = list(dict.fromkeys(known["subject"]))
    size = float(np.clip(0.3 * row_points(ax, len(order)), 1.5, 4.5))
    means = known["mean"].to_numpy(dtype=float)
    if len(names) > _MOST_LOOKS:
        alpha = 0.7 if len(names) < 50 else 0.15
        label = given.labels.get("subject", "by one subject's judgments alone")
        style: dict[str, Any] = {"color": BESIDE, "linewidths": 0, "alpha": alpha, "label": label}
        return [ax.scatter(means, heights, s=size**2, **style)]
    out = []
    labels = zip(names, shown_names(names, 24), looks(len(names) + 1)[1:], strict=True)
    for name, label, look in labels:
        chosen = (known["subject"] == name).to_numpy()
        style = {"linestyle": "", "marker": look.marker, "markersize": size, "label": entry(label)}
        out += ax.plot(means[chosen], heights[chosen], color=look.colour, **style)
    return out
