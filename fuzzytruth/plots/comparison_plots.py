"""Systems with their tiers, and each subject's difference for each pair of systems."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth._typing import Axes, Bools, Floats
from fuzzytruth.core.validation import whole_number
from fuzzytruth.errors import OptionError, counted
from fuzzytruth.plots import drawing, frames, scheme
from fuzzytruth.plots.drawing import axes_or_new, draw_marks, inches_of, row_points
from fuzzytruth.plots.scheme import ALL, BESIDE, FAINT, MAIN, NOTE, OTHER

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


_OF_TIERS = ("measure", "system", "mean", "tier")
_OF_PAIRS = ("system_a", "system_b", "significant")
_APART = 7.0  # points between bars, or fewer if they are many
_TIER = 16.0  # points, of the column of tiers


def tiers(
    data: Any,
    ax: Axes | None = None,
    *,
    measure: str | None = None,
    pairs: pd.DataFrame | None = None,
    title: frames.Title = True,
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
    ax, title
        Where to draw, with space for tiers and bars at the right; see `plots`.
    measure : str, optional
        The first by default.
    pairs : DataFrame, optional
        Which systems differ: columns system_a, system_b, significant, optionally measure; see
        `Comparison.to_frame`. A frame of tiers needs it, a `Comparison` has it. Pairs that are not
        in it are joined.

    Raises
    ------
    DataError
        A column is missing, there are no rows, or no mean.
    OptionError
        The frame does not have the measure, `pairs` is missing, or the comparison has no tiers.

    Examples
    --------
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
    given = frames.plot_data(data, "tiers", measure=measure)
    rows, name = frames.rows_of_measure(frames.check_columns(given.frame, _OF_TIERS), measure)
    frames.known_rows(rows, "mean", of=name)
    pairs = given.beside if pairs is None else pairs
    if pairs is None:
        raise OptionError("pairs: give the comparisons of these systems, as of Comparison.to_frame")
    rows = _best_first(rows)
    bars = clique_cover(~_differ(rows, frames.check_columns(pairs, _OF_PAIRS, "pairs"), name))
    ax = axes_or_new(ax, height=1.8 + len(rows) * (0.26 if len(rows) <= 20 else 0.135))
    _draw_means(ax, rows, name)
    drawing.name_right(ax, [-0.9, *range(len(rows))], ["tier", *rows["tier"]], more=1)
    _draw_bars(ax, bars, len(rows))
    drawing.finish(ax, given.heading(title), handles=_handles(bars))
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
    drawing.name_rows(ax, places.tolist(), rows["system"], share=0.32)
    ax.set_ylim(len(rows) - 0.4, -1.4)  # with a row for the heading of tiers
    ax.margins(x=0.07)
    ax.set_xlabel(f"mean of {measure}")


def _draw_bars(ax: Axes, bars: list[tuple[int, ...]], n_rows: int) -> None:
    """Vertical lines at the right, those that do not overlap in one column."""
    columns = _columns(bars)
    apart = min(_APART, 0.22 * 72 * inches_of(ax)[0] / max(len(set(columns)), 1))
    row = row_points(ax, n_rows)
    size = float(np.clip(0.3 * min(row, 2 * apart), 1, 4))
    for bar, column in zip(bars, columns, strict=True):
        right = _TIER + 8 + column * apart
        style: dict[str, Any] = {
            "transform": drawing.moved(ax, ax.get_yaxis_transform(), right=right),
            "color": ALL,
            "clip_on": False,
            "solid_capstyle": "round",
        }
        for start, end in _runs(bar):
            ax.plot([1, 1], [start, end], linewidth=0.45 * size, **style)
        ax.plot([1, 1], [bar[0], bar[-1]], linewidth=0.4, **style)
        ax.plot([1] * len(bar), bar, linestyle="", marker="o", markersize=size, **style)


def _handles(bars: list[tuple[int, ...]]) -> list[Any]:
    """What bars are, and their thin parts, if there are any."""
    from matplotlib.lines import Line2D

    style: dict[str, Any] = {"color": ALL, "linewidth": 1.8, "marker": "o", "markersize": 4}
    bar = Line2D([], [], **style, label="joined: not shown to differ")
    thin = Line2D([], [], color=ALL, linewidth=0.4, label="thin: passes by others")
    return [bar, thin][: (len(bars) > 0) + any(len(_runs(one)) > 1 for one in bars)]


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


_SPACE = 0.6  # rows between pairs
_POOLED, _MIDDLE, _HEIGHT = -0.32, 0.1, 0.6  # of a strip, whose height is 1
_SHARE = 0.38  # of the width, for names that may be bold
_STRETCH = 1.0  # how far intervals may reach beyond the differences, in units of their range


@dataclass(frozen=True, slots=True)
class Kind:
    """How differences of one verdict are drawn."""

    label: str
    sign: int
    marker: str
    colour: str
    fill: str

    def holds(self, rows: pd.DataFrame) -> Bools:
        """Which rows have this verdict."""
        significant = rows["significant"].to_numpy(dtype=bool)
        sign = np.sign(rows["difference"].to_numpy())
        if not self.sign:
            return np.asarray(~significant & ~np.isnan(sign))
        among_all = rows[AMONG_ALL].to_numpy(dtype=bool) if AMONG_ALL in rows else significant
        filled = self.fill == self.colour
        return np.asarray(significant & (sign == self.sign) & (among_all == filled))


#: column: whether a difference is also significant if adjusted for the number of subjects
AMONG_ALL = "significant_among_all"
_ARROWS = {1: "▶", -1: "◀"}
_SIDES = (("above", 1, ">", MAIN), ("below", -1, "<", OTHER))


def kinds_of(words: Mapping[str, str]) -> tuple[Kind, ...]:
    """What differences are: above or below 0, in the words of a result, or not significant."""
    kinds = []
    for side, sign, marker, colour in _SIDES:
        label = words.get(side, f"significantly {side} 0")
        kinds.append(Kind(label, sign, marker, colour, colour))
        kinds.append(Kind(f"{label}, unadjusted", sign, marker, colour, "white"))
    return (*kinds, Kind("not significant", 0, "o", NOTE, "white"))


_TOGETHER = "all together (filled: significant)"


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Pairs from top to bottom.

    Parameters
    ----------
    pairs : tuple of (str, str)
    frames : tuple of DataFrame
        Subjects of each pair.
    pooled : DataFrame or None
        All subjects together, one row a pair.
    apart : bool
        Whether each subject has a row.
    note : str
        What is not drawn.
    kinds : tuple of Kind
        How differences are drawn.
    """

    pairs: tuple[tuple[str, str], ...]
    frames: tuple[pd.DataFrame, ...]
    pooled: pd.DataFrame | None
    apart: bool
    note: str
    kinds: tuple[Kind, ...]

    @property
    def n(self) -> int:
        """Number of pairs."""
        return len(self.pairs)

    @property
    def n_rows(self) -> int:
        """Rows of pairs and subjects."""
        return sum(len(frame) + 1 for frame in self.frames)

    @property
    def baseline(self) -> str | None:
        """The system that all others are compared with; None if there are several."""
        second = {pair[1] for pair in self.pairs}
        return second.pop() if len(second) == 1 else None

    def labels(self, longest: int) -> list[str]:
        """Labels of the rows from top to bottom, of ids of at most so many characters."""
        first, second = zip(*self.pairs, strict=True)
        names = (
            drawing.pair_names(first, second, longest, high=not self.apart)
            if self.baseline is None
            else drawing.shown_names(first, longest)
        )
        if not self.apart:
            return names
        each = zip(names, self.frames, strict=True)
        return [
            x
            for name, frame in each
            for x in (name, *drawing.shown_names(frame["subject"], longest))
        ]


def draw_rows(ax: Axes, rows: Rows) -> None:
    """A row for each pair, and one for each of its subjects below it."""
    sizes = np.array([len(frame) for frame in rows.frames])
    tops = np.concatenate(([0.0], np.cumsum(sizes + 1 + _SPACE)[:-1]))
    heights = [top + np.arange(size + 1) for top, size in zip(tops, sizes, strict=True)]
    everything = pd.concat(rows.frames)
    _set_limits(ax, rows)
    _draw_pooled(ax, rows, tops)
    height = np.concatenate([each[1:] for each in heights])
    for kind in rows.kinds:
        some = kind.holds(everything)
        _draw_intervals(ax, everything[some], height[some], kind.colour, 1.2)
        _draw_dots(ax, everything["difference"].to_numpy()[some], height[some], kind, 5)
    _set_rows(ax, np.concatenate(heights), rows, 0.9)
    for place in (0, *np.cumsum(sizes + 1)[:-1].tolist()):
        ax.get_yticklabels()[place].set_fontweight("bold")


def draw_strips(ax: Axes, rows: Rows) -> None:
    """A density of subjects for each pair, below the interval of all together, and numbers."""
    _set_limits(ax, rows)
    places = np.arange(rows.n, dtype=float)
    _set_rows(ax, places, rows, 0.6)
    _draw_pooled(ax, rows, places + _POOLED)
    at = np.repeat(places + _MIDDLE, [len(frame) for frame in rows.frames])
    everything = pd.concat(rows.frames)
    drawing.draw_densities(ax, everything["difference"], at, BESIDE, _HEIGHT)
    drawing.name_shade(ax, "density of subjects, each alone", BESIDE, 1.0)
    counted = rows.kinds[:3:2] if everything["significant"].any() else ()
    for kind in counted:
        mark = (kind.marker, kind.colour, 5)
        draw_marks(ax, [], [], *mark, label=f"{kind.label}: number of subjects, right")
    texts = [
        "  ".join(f"{_ARROWS[kind.sign]} {int(kind.holds(frame).sum()):,}" for kind in counted)
        for frame in rows.frames
    ]
    drawing.name_right(ax, places.tolist(), texts)
    for place in places[1:]:
        ax.axhline(place - 0.5, color=FAINT, linewidth=0.6, zorder=0)


def _draw_pooled(ax: Axes, rows: Rows, height: Floats) -> None:
    if rows.pooled is None:
        return
    known = rows.pooled["difference"].notna().to_numpy()
    table, height = rows.pooled[known], height[known]
    _draw_intervals(ax, table, height, ALL, 2.2)
    significant = table["significant"].to_numpy(dtype=bool)
    for filled, some in ((True, significant), (False, ~significant)):
        where = table["difference"].to_numpy()[some], height[some]
        label = _TOGETHER if filled else "_not significant"
        fill = ALL if filled else "white"
        draw_marks(ax, *where, "D", ALL, 5, fill, zorder=4, label=label)


def _draw_intervals(
    ax: Axes, table: pd.DataFrame, height: Floats, colour: str, width: float
) -> None:
    ends = table[["lower", "upper"]].to_numpy(dtype=float)
    ends = np.where(np.isnan(ends), table[["difference"]].to_numpy(dtype=float), ends)
    ends = np.where(np.isinf(ends), np.where(ends < 0, *ax.get_xlim()), ends)
    ax.hlines(height, ends[:, 0], ends[:, 1], color=colour, linewidth=width, zorder=2)


def _draw_dots(ax: Axes, values: Floats, height: Floats, kind: Kind, size: float) -> None:
    if len(values):
        style: dict[str, Any] = {"markeredgewidth": 0.8, "zorder": 3, "label": kind.label}
        mark = (kind.marker, kind.colour, size, kind.fill)
        draw_marks(ax, values, height, *mark, **style)


def _set_limits(ax: Axes, rows: Rows) -> tuple[float, float]:
    """Limits that show all differences, and not all of very long intervals."""
    tables = [*rows.frames, *([] if rows.pooled is None else [rows.pooled])]
    values = np.concatenate([[0.0], *(table["difference"].dropna().to_numpy() for table in tables)])
    shown = tables if rows.apart else tables[len(rows.frames) :]
    low, high = float(values.min()), float(values.max())
    room = (high - low) or 1.0
    ends = [table[["lower", "upper"]].to_numpy(dtype=float).ravel() for table in shown]
    finite = np.concatenate([[low, high], *ends])
    finite = finite[np.isfinite(finite)]
    low = max(low - _STRETCH * room, float(finite.min()))
    high = min(high + _STRETCH * room, float(finite.max()))
    margin = 0.04 * ((high - low) or 1.0)
    ax.set_xlim(low - margin, high + margin)
    return low - margin, high + margin


def _set_rows(ax: Axes, places: Floats, rows: Rows, margin: float) -> None:
    first, last = float(places[0]) - margin, float(places[-1]) + margin
    drawing.name_rows(ax, places.tolist(), rows.labels, rows=last - first, share=_SHARE)
    ax.set_ylim(last, first)


_COLUMNS = ("system_a", "system_b", "difference", "lower", "upper", "significant")
_PAIR = ["system_a", "system_b"]
_FEW = 8  # subjects that have a row of their own
_MOST_ROWS = 40  # of a new figure with a row a subject
_MOST_STRIPS = 20
_STRIP, _ROW = 0.4, 0.17  # inches
_AROUND = 1.7
_LONGEST = 28  # letters of the other system


def subject_strip(
    data: Any,
    ax: Axes | None = None,
    *,
    pooled: pd.DataFrame | None = None,
    measure: str | None = None,
    n_pairs: int | None = None,
    title: frames.Title = True,
) -> Axes:
    """Draw each subject's difference for each pair of systems, beside that of all together.

    Up to 8 subjects have a row each, with an interval; more are a density for each pair, with the
    numbers of those who find a significant difference at the right. Pairs are ordered by the
    difference of all subjects together (by the median without `pooled`), and named by the first
    system where the second is the same for all.

    Parameters
    ----------
    data : SubjectComparisons or DataFrame
        See `Comparison.by_subject`. A frame has one row a subject and pair: columns subject,
        system_a, system_b, difference, lower, upper, significant (bool), optionally
        significant_among_all (bool, the same adjusted for the number of subjects). Undefined
        differences (NaN) are not drawn, and counted; infinite intervals, and those that are much
        longer than the differences spread, end at the edge of the axes.
    ax, title
        Where to draw, under which title; see `plots`.
    pooled : DataFrame, optional
        The same of all subjects together, one row a pair without a column subject; a result has
        its own.
    measure : str, optional
        Which one, where there are several (a column measure); the first by default.
    n_pairs : int, optional
        The most pairs that are drawn, those with the largest differences; the title says how many
        there are. By default 20, or some 40 rows of single subjects; fewer where no more are
        legible on `ax`.

    Returns
    -------
    matplotlib Axes
        Triangles point to the side on which the subject alone finds a significant difference, in a
        colour for each side, circles are not significant. Triangles are hollow where the difference
        is not significant among all subjects, if that is known.

    Raises
    ------
    DataError
        A column is missing, there are no rows, or no difference is defined.
    OptionError
        The measure is not in the data, or `n_pairs` is below 1.

    Examples
    --------
    >>> import pandas as pd
    >>> from fuzzytruth import plots
    >>> ax = plots.subject_strip(pd.DataFrame({
    ...     "subject": ["ann", "bob"], "system_a": "bm25", "system_b": "tfidf",
    ...     "difference": [0.04, -0.01], "lower": [0.01, -0.04], "upper": [0.07, 0.02],
    ...     "significant": [True, False]}))
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['bm25', 'ann', 'bob']
    """
    found = frames.plot_data(data, "subject_strip", measure=measure)
    frame, beside = _frames(found, pooled, measure)
    defined = frames.known_rows(frame, "difference")
    rows = _chosen_rows(frame, defined, beside, n_pairs, kinds_of(found.labels), ax)
    ax = axes_or_new(ax, height=_AROUND + (_ROW * rows.n_rows if rows.apart else _STRIP * rows.n))
    (draw_rows if rows.apart else draw_strips)(ax, rows)
    ax.axvline(0, color=scheme.REFERENCE, linewidth=1, zorder=0)
    of = f" of {frame['measure'].iloc[0]}" if "measure" in frame.columns else ""
    other = f" from {drawing.shown_names([rows.baseline], _LONGEST)[0]}" if rows.baseline else ""
    ax.set_xlabel(f"difference{of}{other}")
    n_all = defined.groupby(_PAIR).ngroups
    cut = f"{rows.n} of {n_all:,} pairs" if rows.n < n_all else ""
    drawing.finish(ax, found.heading(title, rows.note), note=cut)
    return ax


def _frames(
    found: frames.PlotData, pooled: pd.DataFrame | None, measure: str | None
) -> tuple[pd.DataFrame, pd.DataFrame | None]:
    """Rows of one measure, and those of all subjects together."""
    frame, name = frames.rows_of_measure(
        frames.check_columns(found.frame, ("subject", *_COLUMNS)), measure
    )
    beside = found.beside if pooled is None else pooled
    if beside is not None:
        beside, _ = frames.rows_of_measure(
            frames.check_columns(beside, _COLUMNS, "pooled"), name or None
        )
    return frame, beside


def _chosen_rows(
    frame: pd.DataFrame,
    defined: pd.DataFrame,
    beside: pd.DataFrame | None,
    n_pairs: int | None,
    kinds: tuple[Kind, ...],
    ax: Axes | None,
) -> Rows:
    """The pairs that are drawn, in their order."""
    together = defined.groupby(_PAIR, sort=False)["difference"].median()
    if beside is not None:
        known = beside[beside["difference"].notna()].set_index(_PAIR)["difference"]
        together = known.reindex(together.index).fillna(together)
    n_subjects = frame["subject"].nunique()
    apart = n_subjects <= _FEW
    most = max(1, _MOST_ROWS // (n_subjects + 1)) if apart else _MOST_STRIPS
    limit = most if n_pairs is None else whole_number("n_pairs", n_pairs, 1)
    room = drawing.most_rows(ax) / (n_subjects + 1 + _SPACE) if apart else drawing.most_rows(ax, 2)
    limit = max(1, min(limit, int(room)))
    kept = together.iloc[np.sort(np.argsort(-together.abs().to_numpy(), kind="stable")[:limit])]
    pairs = kept.sort_values(ascending=False, kind="stable").index
    by_pair = dict(list((frame if apart else defined).groupby(_PAIR, sort=False)))
    notes = []
    if AMONG_ALL in frame and frame["significant"].any():
        of = counted(n_subjects, "subject")
        alone = f"Triangles: significant by a subject alone; filled: also adjusted for {of}"
        notes.append(alone if apart else f"Numbers of subjects are adjusted for {of}")
    if len(kept) < len(together):
        notes.append(f"{len(kept)} of {len(together):,} pairs, those with the largest differences")
    left_out = len(frame) - len(defined)
    if left_out:
        notes.append(f"{counted(left_out, 'difference')} of {len(frame):,} undefined")
    return Rows(
        tuple(pairs),
        tuple(by_pair[pair] for pair in pairs),
        None if beside is None else beside.set_index(_PAIR).reindex(pairs),
        apart,
        "; ".join(notes),
        kinds,
    )
