"""Shares of resamples in which systems have each rank."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth._typing import Floats
from fuzzytruth.plots.drawing.appearance import SEQUENTIAL, TICK_SIZE, axes_or_new
from fuzzytruth.plots.drawing.heat import cell_points, heat, heat_size, ink_on
from fuzzytruth.plots.drawing.text import finish
from fuzzytruth.plots.frames import check_columns, known_rows, plot_data, rows_of_measure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_COLUMNS = ("measure", "system", "rank", "share")
_SETS = ("system", "rank_lower", "rank_upper")
_LEAST_CELL = 19.0  # points, of cells with numbers


def rank_probabilities(
    data: Any,
    ax: Axes | None = None,
    *,
    measure: str | None = None,
    systems: pd.DataFrame | None = None,
    title: str | None = None,
) -> Axes:
    """Draw how often each system has each rank, and outline the confidence sets of its rank.

    Colours differ more between small shares than between large ones. Numbers are per cent, in
    cells that are large enough for them; shares below 0.5 % have none.

    Parameters
    ----------
    data : DataFrame or RankStability
        One row a measure, system and rank (from 1, the best): columns measure, system, rank,
        share (of resamples or worlds). See `RankStability.shares`.
    ax : matplotlib Axes, optional
        Axes to draw on; by default those of a new figure of at most 10 inches. They are narrowed
        by a colour bar.
    measure : str, optional
        The first by default.
    systems : DataFrame, optional
        The sets: columns system, rank_lower, rank_upper, optionally measure and rank, by which
        systems are then ordered; see `RankStability.systems`, which a `RankStability` has by
        default. Without it, there are no outlines, and systems are ordered by their mean rank.
    title : str, optional
        By default that of the result.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    DataError
        A column is missing, there are no rows, or no share is known.
    OptionError
        The frame does not have the measure.

    Examples
    --------
    >>> import matplotlib; matplotlib.use("Agg")
    >>> import pandas as pd
    >>> from fuzzytruth import plots
    >>> ax = plots.rank_probabilities(pd.DataFrame({
    ...     "measure": "AP", "system": ["a", "a", "b", "b"], "rank": [1, 2, 1, 2],
    ...     "share": [0.2, 0.8, 0.8, 0.2]}))
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['b', 'a']
    >>> [text.get_text() for text in ax.texts]
    ['80', '20', '20', '80']
    """
    given = plot_data(data, "rank_probabilities", measure=measure)
    rows, name = rows_of_measure(check_columns(given.frame, _COLUMNS), measure)
    known_rows(rows, "share", of=name)
    table = rows.pivot(index="system", columns="rank", values="share").sort_index(axis=1)
    sets = _sets_of(given.beside if systems is None else systems, name)
    table = table.loc[_ordered(table, sets)]
    height, width = table.shape
    ax = axes_or_new(ax, width=heat_size(width, 2.2), height=heat_size(height, 1.6))
    heat(
        ax,
        table.to_numpy(dtype=float),
        table.index.tolist(),
        [f"{rank:g}" for rank in table.columns],
        cmap=SEQUENTIAL,
        limits=(0.0, 1.0),
        label=given.labels.get("share", "share of resamples"),
        gamma=0.5,
    )
    written = _write_shares(ax, table.to_numpy(dtype=float))
    if sets is not None:
        _outline(ax, table, sets)
    ax.set_xlabel(f"rank by {name}" + ("; shares in %" if written else ""))
    finish(ax, given.heading(title))
    return ax


def _sets_of(systems: pd.DataFrame | None, measure: str) -> pd.DataFrame | None:
    """Confidence sets of one measure by system."""
    if systems is None:
        return None
    check_columns(systems, _SETS, "systems")
    if "measure" in systems.columns:
        systems = systems[systems["measure"] == measure]
    return systems.set_index("system")


def _ordered(table: pd.DataFrame, sets: pd.DataFrame | None) -> list[str]:
    """The systems, the best first."""
    ranks = table.columns.to_numpy(dtype=float)
    mean = (table * ranks).sum(axis=1) / table.sum(axis=1)
    if sets is None or "rank" not in sets.columns:
        return mean.sort_values(kind="stable").index.tolist()
    known = sets["rank"].reindex(table.index)
    return table.index[np.lexsort((mean.to_numpy(), known.to_numpy()))].tolist()


def _write_shares(ax: Axes, shares: Floats) -> bool:
    """Per cent, if cells are large enough."""
    points = min(cell_points(ax, n, axis) for n, axis in zip(shares.shape[::-1], "xy", strict=True))
    if points < _LEAST_CELL:
        return False
    for row, column in zip(*np.nonzero(shares >= 0.005), strict=True):
        share = float(shares[row, column])
        style: dict[str, Any] = {"color": ink_on(ax, share), "fontsize": TICK_SIZE - 1}
        ax.text(column + 0.5, row + 0.5, f"{100 * share:.0f}", ha="center", va="center", **style)
    return True


def _outline(ax: Axes, table: pd.DataFrame, sets: pd.DataFrame) -> None:
    """A box around the ranks of each set."""
    from matplotlib.patches import Rectangle

    first = float(table.columns[0])
    points = cell_points(ax, len(table), "y")
    for place, system in enumerate(table.index):
        if system not in sets.index:
            continue
        lower, upper = (float(sets.loc[system, end]) for end in ("rank_lower", "rank_upper"))
        if np.isnan(lower) or np.isnan(upper):
            continue
        style: dict[str, Any] = {
            "fill": False,
            "linewidth": float(np.clip(0.07 * points, 0.3, 1.2)),
        }
        box = Rectangle((lower - first, place + 0.04), upper - lower + 1, 0.92, **style)
        ax.add_patch(box).set_clip_on(False)
