"""Systems ordered by their means, with bars that join those without significant differences."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth._typing import Bools
from fuzzytruth.errors import OptionError
from fuzzytruth.plots.drawing.appearance import FAINT, MAIN, TICK_SIZE, axes_or_new
from fuzzytruth.plots.drawing.text import finish, inches_of, name_rows, row_points, shown_names
from fuzzytruth.plots.frames import check_columns, known_rows, plot_data, rows_of_measure

if TYPE_CHECKING:
    from matplotlib.axes import Axes


# Sets of nodes of which all are joined to each other.


def clique_cover(joined: Bools) -> list[tuple[int, ...]]:
    """Maximal cliques such that every edge is within one of them.

    A clique is a set of nodes that are all joined; it is maximal if no other node is joined to all
    of it. Each clique starts with the first edge that is in none so far, and takes the node that
    adds most such edges (the first of several) as long as there is one joined to all. A graph can
    have exponentially many maximal cliques, but has no more of these than edges. Where nodes can
    be ordered so that each is joined to a run of neighbours, these are all there are.

    Parameters
    ----------
    joined : (nodes, nodes) bool
        Symmetric; the diagonal plays no part.

    Returns
    -------
    list of tuple of int
        Ascending, each of two nodes or more.

    Examples
    --------
    >>> joined = np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]], dtype=bool)
    >>> clique_cover(joined)
    [(0, 1), (1, 2)]
    """
    joined = joined & ~np.eye(len(joined), dtype=bool)
    open_ = joined.copy()  # edges that are in no clique so far
    out = []
    while open_.any():
        members = [int(node) for node in np.unravel_index(int(open_.argmax()), open_.shape)]
        common = joined[members].all(axis=0)
        while common.any():
            gain = np.where(common, open_[members].sum(axis=0), -1)
            members.append(int(gain.argmax()))
            common &= joined[members[-1]]
        open_[np.ix_(members, members)] = False
        out.append(tuple(sorted(members)))
    return sorted(out)


_COLUMNS = ("measure", "system", "mean", "tier")
_PAIRS = ("system_a", "system_b", "significant")
_APART = 7.0  # points between bars, or fewer if they are many
_TIER = 16.0  # points, of the column of tiers


def tiers(
    data: Any,
    ax: Axes | None = None,
    *,
    measure: str | None = None,
    pairs: pd.DataFrame | None = None,
    title: str | None = None,
) -> Axes:
    """Draw means of systems, and bars that join systems without a significant difference.

    A critical-difference diagram whose bars come from the comparisons of all pairs instead of one
    critical difference. "Not significant" is not transitive: a system may be joined to two that
    differ from each other. Each bar is therefore a largest set of systems of which no two
    differ significantly, its members marked by dots (the bar is a thin line where it passes by
    others), and every pair without a significant difference is on one bar at least. To the left
    of the bars are the tiers, 1 being the best.

    Parameters
    ----------
    data : DataFrame or Comparison
        One row for each measure and system, the best first: columns measure, system, mean, tier;
        see `Comparison.tiers`. Systems are drawn in the order of their means, those without a mean
        (NaN) at the bottom.
    ax : matplotlib Axes, optional
        Axes to draw on, with space for tiers and bars at the right; by default those of a new
        figure, as high as its rows need.
    measure : str, optional
        The first by default.
    pairs : DataFrame, optional
        Which systems differ: columns system_a, system_b, significant, optionally measure; see
        `Comparison.to_frame`. A frame of tiers needs it, a `Comparison` has it. Pairs that are not
        in it are joined.
    title : str, optional
        By default that of the result.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    DataError
        A column is missing, there are no rows, or no mean.
    OptionError
        The frame does not have the measure, `pairs` is missing, or the comparison has no tiers.

    Examples
    --------
    >>> import matplotlib; matplotlib.use("Agg")
    >>> import pandas as pd
    >>> from fuzzytruth import plots
    >>> table = pd.DataFrame({
    ...     "measure": "AP", "system": ["a", "b", "c"], "mean": [0.5, 0.4, 0.2], "tier": [1, 1, 2]})
    >>> pairs = pd.DataFrame({
    ...     "system_a": ["a", "a", "b"], "system_b": ["b", "c", "c"],
    ...     "significant": [False, True, False]})
    >>> ax = plots.tiers(table, pairs=pairs)
    >>> [text.get_text() for text in ax.texts]
    ['tier', '1', '1', '2']
    """
    given = plot_data(data, "tiers", measure=measure)
    rows, name = rows_of_measure(check_columns(given.frame, _COLUMNS), measure)
    known_rows(rows, "mean", of=name)
    pairs = given.beside if pairs is None else pairs
    if pairs is None:
        raise OptionError("pairs: give the comparisons of these systems, as of Comparison.to_frame")
    rows = _best_first(rows)
    bars = clique_cover(~_differ(rows, check_columns(pairs, _PAIRS, "pairs"), name))
    ax = axes_or_new(ax, height=1.5 + len(rows) * (0.26 if len(rows) <= 20 else 0.135))
    _draw_means(ax, rows, name)
    _draw_tiers(ax, rows)
    _draw_bars(ax, bars, len(rows))
    finish(ax, given.heading(title), handles=_handles(bars))
    return ax


def _best_first(rows: pd.DataFrame) -> pd.DataFrame:
    """Ordered by mean, in the direction from the first row to the last; NaN at the end."""
    known = rows["mean"].dropna()
    return rows.sort_values(
        "mean", ascending=bool(known.iloc[0] < known.iloc[-1]), kind="stable", na_position="last"
    )


def _differ(rows: pd.DataFrame, pairs: pd.DataFrame, measure: str) -> Bools:
    """Which of the systems differ significantly: (systems, systems)."""
    if "measure" in pairs.columns:
        pairs = pairs[pairs["measure"] == measure]
    pairs = pairs[pairs["significant"].astype(bool)]
    systems = pd.Index(rows["system"])
    a, b = (systems.get_indexer(pairs[name]) for name in ("system_a", "system_b"))
    of_both = (a >= 0) & (b >= 0)
    out = np.zeros((len(systems), len(systems)), dtype=bool)
    out[a[of_both], b[of_both]] = out[b[of_both], a[of_both]] = True
    return out


def _draw_means(ax: Axes, rows: pd.DataFrame, measure: str) -> None:
    """A dot a system on a line from its name, the best on top."""
    means, places = rows["mean"].to_numpy(dtype=float), np.arange(len(rows))
    size = float(np.clip(0.5 * row_points(ax, len(rows)), 2, 5))
    ax.hlines(places, 0, 1, transform=ax.get_yaxis_transform(), colors=FAINT, linewidth=0.6)
    ax.plot(means, places, "o", color=MAIN, markersize=size)
    name_rows(ax, places.tolist(), lambda most: shown_names(rows["system"], most), share=0.35)
    ax.set_ylim(len(rows) - 0.4, -0.6)
    ax.set_xlabel(f"mean of {measure}")


def _draw_tiers(ax: Axes, rows: pd.DataFrame) -> None:
    """The number of each system's tier at the right of the axes."""
    size = min(TICK_SIZE, ax.get_yticklabels()[0].get_fontsize())
    style: dict[str, Any] = {
        "xycoords": ax.get_yaxis_transform(),
        "textcoords": "offset points",
        "fontsize": size,
        "ha": "center",
        "annotation_clip": False,
    }
    ax.annotate("tier", (1, len(rows) - 0.4), (_TIER / 2 + 3, -19), va="top", **style)
    for place, tier in enumerate(rows["tier"]):
        ax.annotate(str(tier), (1, place), (_TIER / 2 + 3, 0), va="center", **style)


def _draw_bars(ax: Axes, bars: list[tuple[int, ...]], n_rows: int) -> None:
    """Vertical lines at the right, those that do not overlap in one column."""
    from matplotlib.transforms import ScaledTranslation

    figure = ax.get_figure(root=True)
    assert figure is not None
    columns = _columns(bars)
    apart = min(_APART, 0.3 * 72 * inches_of(ax)[0] / max(len(set(columns)), 1))
    row = row_points(ax, n_rows)
    size = float(np.clip(0.3 * min(row, 2 * apart), 1, 4))
    for bar, column in zip(bars, columns, strict=True):
        right = (_TIER + 8 + column * apart) / 72
        shift = ScaledTranslation(right, 0, figure.dpi_scale_trans)
        style: dict[str, Any] = {
            "transform": ax.get_yaxis_transform() + shift,
            "color": "black",
            "clip_on": False,
            "solid_capstyle": "round",
        }
        for start, end in _runs(bar):
            ax.plot([1, 1], [start, end], linewidth=0.45 * size, **style)
        ax.plot([1, 1], [bar[0], bar[-1]], linewidth=0.4, **style)
        ax.plot([1] * len(bar), bar, linestyle="", marker="o", markersize=size, **style)


def _handles(bars: list[tuple[int, ...]]) -> list[Any]:
    """What the thin part of a bar is, if there is one."""
    from matplotlib.lines import Line2D

    if all(len(_runs(bar)) == 1 for bar in bars):
        return []
    label = "thin line: passes by other systems"
    return [Line2D([], [], color="black", linewidth=0.4, label=label)]


def _runs(bar: tuple[int, ...]) -> list[tuple[int, int]]:
    """First and last of each run of neighbours."""
    breaks = [0, *(j for j in range(1, len(bar)) if bar[j] > bar[j - 1] + 1), len(bar)]
    return [(bar[start], bar[end - 1]) for start, end in pairwise(breaks)]


def _columns(bars: list[tuple[int, ...]]) -> list[int]:
    """A column for each bar, the first in which it is clear of those before it."""
    ends: list[int] = []
    out = []
    for bar in bars:
        free = [column for column, end in enumerate(ends) if end < bar[0]]
        column = free[0] if free else len(ends)
        ends[column : column + 1] = [bar[-1]]
        out.append(column)
    return out
