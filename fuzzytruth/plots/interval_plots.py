"""Means and differences of systems with their intervals."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any, Literal

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth._typing import Axes, Floats
from fuzzytruth.core.validation import whole_number
from fuzzytruth.errors import OptionError, choice, counted, require, shown_all
from fuzzytruth.plots import drawing, frames, scheme
from fuzzytruth.plots.drawing import draw_marks, shown_names
from fuzzytruth.plots.scheme import BESIDE, MAIN, NOT_SHOWN, looks

_COLUMNS = ("measure", "system", "mean", "lower", "upper")
_OF_SUBJECTS = ("measure", "system", "subject", "mean")
ALONE = "by one subject's judgments alone"
_BELOW = 0.27  # of a row, from an interval to people's marks
_SPREAD = 0.5  # of a row, that several measures take


def means(
    data: Any,
    ax: Axes | None = None,
    *,
    measure: Iterable[str] | str | None = None,
    subjects: pd.DataFrame | None = None,
    higher_is_better: bool = True,
    title: frames.Title = True,
    **options: Any,
) -> Axes:
    """Draw the mean of each system with its interval, the best system on top.

    Systems are ordered by the first measure drawn. Several measures differ in colour and marker.

    Parameters
    ----------
    data : DataFrame, Scores or another result
        One row a measure and system: columns measure, system, mean, lower, upper; see
        `Scores.summary`. Means that are NaN are not drawn (their systems are at the bottom). An
        infinite end of an interval is an arrowhead at the edge. Columns lowest and highest are
        drawn as thin lines between brackets: what judging the unjudged items could give.
    ax, title
        Where to draw, under which title; see `plots`.
    measure : str or sequence of str, optional
        The first by default.
    subjects : DataFrame, optional
        Means by each subject's judgments alone: columns measure, system, subject, mean. Up to
        seven subjects have marks of their own, more are dots, and more than twenty a density. Runs
        of systems, with a column replicate, are dots or a density.
    higher_is_better : bool
        By the first measure drawn, for the order of systems; scores know it themselves.
    **options
        Of `Scores.plot`, for scores: over, by, level.

    Raises
    ------
    DataError
        A column is missing, there are no rows, or no mean is known.
    OptionError
        The frame does not have a measure, or subjects go with one measure only.

    Examples
    --------
    >>> import pandas as pd
    >>> from fuzzytruth import plots
    >>> ax = plots.means(pd.DataFrame({
    ...     "measure": "AP", "system": ["bm25", "tfidf"], "mean": [0.3, 0.4],
    ...     "lower": [0.2, 0.3], "upper": [0.4, 0.5]}))
    >>> [label.get_text() for label in ax.get_yticklabels()], ax.get_xlabel()
    (['tfidf', 'bm25'], 'mean of AP')
    """
    given = frames.plot_data(data, "means", measure=measure, **options)
    rows = frames.check_columns(given.frame, _COLUMNS)
    of_frame = given.frame is data
    chosen = _measures(rows, measure) if of_frame else list(dict.fromkeys(rows["measure"]))
    subjects = given.beside if subjects is None else subjects
    if subjects is not None and len(chosen) > 1:
        raise OptionError("measure: means by subject, or run, are drawn for one measure at a time")
    order = _order(rows, chosen[0], higher_is_better and given.labels.get("better") != "lower")
    ax = drawing.axes_or_new(ax, height=1.5 + len(order) * _pitch_of_means(len(order), len(chosen)))
    _label_systems(ax, order)
    of = f"mean of {chosen[0]}" if len(chosen) == 1 else "mean"
    ax.set_xlabel(given.labels.get("axis", of))
    handles = _draw_measures(ax, rows, order, chosen, given)
    if subjects is not None:
        if "replicate" in subjects:  # each a dot: runs of two systems have nothing in common
            subjects = subjects.rename(columns={"replicate": "subject"})
        checked = frames.check_columns(subjects, _OF_SUBJECTS, "subjects")
        known = checked[(checked["measure"] == chosen[0]) & checked["system"].isin(order)]
        people = known.rename(columns={"mean": "value"}).dropna(subset="value")
        place = {system: number for number, system in enumerate(order)}
        people = people.assign(height=people["system"].map(place).astype(float) + _BELOW)
        runs = given.labels.get("replicate")
        label = runs or given.labels.get("subject", ALONE)
        handles += _draw_people(ax, people, len(order), label, marked=runs is None)
    drawing.finish(ax, given.heading(title), handles=handles, at_least=2)
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
    frames.known_rows(of_measure, "mean", of=measure)
    ordered = of_measure.sort_values("mean", ascending=not higher_is_better, kind="stable")
    return list(dict.fromkeys([*ordered["system"], *rows["system"]]))


def _pitch_of_means(n_systems: int, n_measures: int) -> float:
    """Height of a system's row in inches."""
    if n_measures > 1:
        return 0.14 + 0.1 * n_measures if n_systems <= 20 else 0.2
    return 0.26 if n_systems <= 20 else 0.135


def _label_systems(ax: Axes, order: list[str]) -> None:
    """Names, faint lines from them, and limits."""
    places = np.arange(len(order))
    drawing.name_rows(ax, places.tolist(), order)
    ax.set_ylim(len(order) - 0.4, -0.6)
    style: dict[str, Any] = {"colors": scheme.FAINT, "linewidth": 0.5, "zorder": 0}
    ax.hlines(places, 0, 1, transform=ax.get_yaxis_transform(), **style)


def _draw_measures(
    ax: Axes, rows: pd.DataFrame, order: list[str], measures: list[str], given: frames.PlotData
) -> list[Any]:
    """Dots with intervals, one look a measure; handles of a legend."""
    shifts = np.linspace(-0.5, 0.5, len(measures)) * _SPREAD if len(measures) > 1 else [0.0]
    size = float(np.clip(0.5 * drawing.row_points(ax, len(order)) / len(measures), 2, 5))
    handles: list[Any] = []
    for measure, shift, look in zip(measures, shifts, looks(len(measures)), strict=True):
        table = rows[rows["measure"] == measure].set_index("system").reindex(order)
        middle = table["mean"].to_numpy(dtype=float)
        heights = np.arange(len(order)) + shift
        label = measure if len(measures) > 1 else given.labels.get("mean", "mean and interval")
        style = {"fmt": look.marker, "color": look.colour, "markersize": size}
        ends = table[["lower", "upper"]].to_numpy(dtype=float)
        handles.append(_draw_bars(ax, middle, heights, ends, label=drawing.entry(label), **style))
        _draw_open_ends(ax, middle, heights, ends, [look.colour] * len(order))
        bounds = _draw_bounds(ax, table, heights, look, size)
        handles += bounds if len(handles) == 1 else []  # alike for all measures: named once
    return handles


def _draw_bars(ax: Axes, middle: Floats, heights: Floats, ends: Floats, **style: Any) -> Any:
    """Marks with intervals, of which infinite ends are not drawn."""
    lengths = np.abs(ends.T - middle)  # (2, rows)
    known = np.where(np.isfinite(lengths), lengths, 0.0)
    return ax.errorbar(middle, heights, xerr=known, linewidth=1.4, zorder=3, **style)


def _draw_bounds(
    ax: Axes, table: pd.DataFrame, places: Floats, look: scheme.Look, size: float
) -> list[Any]:
    """Lines between brackets from the lowest to the highest mean, if these are known."""
    if not {"lowest", "highest"} <= {*table.columns}:
        return []
    lowest, highest = (table[end].to_numpy(dtype=float) for end in ("lowest", "highest"))
    dotted: dict[str, Any] = {"linewidth": 0.6, "linestyles": ":", "zorder": 2}
    ax.hlines(places, lowest, highest, color=look.colour, **dotted)
    label = "range if unjudged items were judged"
    ends = draw_marks(ax, lowest, places, 9, look.colour, size, zorder=2, label=label)
    draw_marks(ax, highest, places, 8, look.colour, size, zorder=2)
    return [ends]


def _draw_people(
    ax: Axes, people: pd.DataFrame, n_rows: int, label: str, *, marked: bool = True
) -> list[Any]:
    """What each of some people gives, columns value, height and subject; handles of a legend.

    Few have marks of their own, more are dots, and many densities.
    """
    from matplotlib.patches import Patch

    if not len(people):
        return []
    values, heights = (people[name].to_numpy(dtype=float) for name in ("value", "height"))
    size = float(np.clip(0.3 * drawing.row_points(ax, n_rows), 1.5, 4.5))
    names = list(dict.fromkeys(people["subject"])) if marked and "subject" in people else []
    if 0 < len(names) <= scheme.FEW_PEOPLE:
        out = []
        looked = zip(names, shown_names(names, 24), looks(len(names) + 1)[1:], strict=True)
        for name, shown, look in looked:
            own = (people["subject"] == name).to_numpy()
            mark = (look.marker, look.colour, size)
            style: dict[str, Any] = {"zorder": 1, "label": drawing.entry(shown)}
            out.append(draw_marks(ax, values[own], heights[own], *mark, **style))
        return out
    most = int(np.unique(heights, return_counts=True)[1].max())
    if most > scheme.MOST_DOTS:
        drawing.draw_densities(ax, values, heights, BESIDE, 0.42)
        return [Patch(color=BESIDE, label=f"{label} (density)")]
    # not seaborn's stripplot, which jitters by the global generator
    style = {"color": BESIDE, "linewidths": 0, "alpha": 0.7, "zorder": 1, "label": label}
    return [ax.scatter(values, heights, s=size**2, **style)]


Order = Literal["difference", "given"]
MOST_ROWS = 64
_TWO_LINES = 17.0  # points of a row that has room for two lines
_NARROW = 4.5  # inches of a figure of whose width names may have half
_PAIR = ["system_a", "system_b"]
_OF_PAIRS = ("measure", *_PAIR, "difference", "lower", "upper", "significant")
#: significant or not: name, colour and filling
_KINDS = ((True, "significant", MAIN, "full"), (False, "not significant", NOT_SHOWN, "none"))


def forest(
    data: Any,
    ax: Axes | None = None,
    *,
    measure: str | None = None,
    order: Order = "difference",
    turn: bool = True,
    n_rows: int = MOST_ROWS,
    subjects: pd.DataFrame | None = None,
    title: frames.Title = True,
) -> Axes:
    """Draw the differences of pairs of systems by one measure, each with its interval.

    Below each interval are the mean differences with each subject's judgments alone as the truth:
    up to seven subjects have marks of their own, more are dots, and more than twenty a density.
    Markers of significant differences are filled, others hollow. If
    all differences are to one and the same system, rows are labelled with the other.
    Where systems are compared with each other, two-sided and not with baselines, each pair is
    drawn in the order in which its difference is positive.

    Parameters
    ----------
    data : DataFrame or Comparison
        One row for each pair and measure: columns measure, system_a, system_b, difference, lower,
        upper, significant (bool); see `Comparison.to_frame`. Pairs without a difference (NaN) are
        left out, and the figure says how many. An infinite end of an interval is an arrowhead at
        the edge.
    ax, title
        Where to draw, under which title; see `plots`.
    measure : str, optional
        The first by default.
    order : {"difference", "given"}
        Whether the largest difference is on top, or the first row.
    turn : bool
        Whether pairs with negative differences are drawn as system_b − system_a, unless they are
        with baselines or one-sided, as a `Comparison` knows. Those of a frame are with baselines if
        there are several and no system is both a system_a and a system_b, and one-sided if no
        interval has two finite ends, and some have one.
    n_rows : int
        Of more rows than this, or than are legible on `ax`, those with the largest absolute
        differences are drawn, and the figure says of how many.
    subjects : DataFrame, optional
        Columns system_a, system_b and difference, optionally subject and measure. Those of a
        `Comparison` are its own by default.

    Raises
    ------
    DataError
        A column is missing, there are no rows, or no row has a difference.
    OptionError
        The frame does not have the measure, or an option has a wrong value.

    Examples
    --------
    >>> import pandas as pd
    >>> from fuzzytruth import plots
    >>> ax = plots.forest(pd.DataFrame({
    ...     "measure": ["AP"], "system_a": ["bm25"], "system_b": ["tfidf"],
    ...     "difference": [0.04], "lower": [0.01], "upper": [0.07], "significant": [True]}))
    >>> ax.get_xlabel(), ax.get_yticklabels()[0].get_text()
    ('difference of AP', 'bm25 − tfidf')
    """
    choice("order", order, ("difference", "given"))
    whole_number("n_rows", n_rows, 1)
    given = frames.plot_data(data, "forest", measure=measure)
    rows, name = frames.rows_of_measure(frames.check_columns(given.frame, _OF_PAIRS), measure)
    turned, most = turn and "order" not in given.labels, min(n_rows, drawing.most_rows(ax))
    rows, notes = _chosen(_turned(rows, turn=turned), name, order, most)
    pitch = 0.26 if len(rows) <= 24 else 0.19 if len(rows) <= 30 else 0.135  # inches a row
    ax = drawing.axes_or_new(ax, height=1.9 + len(rows) * pitch)
    dots = _dots_of(rows, given.beside if subjects is None else subjects, name)
    ax.axvline(0, color=scheme.REFERENCE, linewidth=1, zorder=0)
    people = _draw_people(ax, dots, len(rows), given.labels.get("subject", ALONE))
    handles = _draw_intervals(ax, rows, given.labels)
    _label(ax, rows, name)
    drawing.finish(ax, given.heading(title, notes), handles=[*handles, *people], note=notes)
    return ax


def _turned(rows: pd.DataFrame, *, turn: bool) -> pd.DataFrame:
    """Rows with the system of the larger value first, and which of them were turned."""
    rows = rows.reset_index(drop=True)
    against = len(rows) > 1 and not {*rows["system_a"]} & {*rows["system_b"]}
    negative = (rows["difference"] < 0) & (turn and not against and not _one_sided(rows))
    other = rows.rename(columns={"system_a": "system_b", "system_b": "system_a"})
    other = other.assign(difference=-rows["difference"], lower=-rows["upper"], upper=-rows["lower"])
    return rows.where(~negative, other[rows.columns]).assign(turned=negative)


def _one_sided(rows: pd.DataFrame) -> bool:
    """Whether no interval has two ends, and some have one."""
    n_ends = np.isfinite(rows[["lower", "upper"]].dropna().to_numpy(dtype=float)).sum(axis=1)
    return bool(n_ends.max(initial=0) == 1)


def _chosen(rows: pd.DataFrame, measure: str, order: Order, most: int) -> tuple[pd.DataFrame, str]:
    """The rows to draw, the first on top, and a note about those that are left out."""
    known = frames.known_rows(rows, "difference", of=measure)
    notes = []
    if len(known) > most:
        notes.append(f"the {most} largest of {counted(len(known), 'difference')}")
        largest = np.argsort(-known["difference"].abs().to_numpy(), kind="stable")[:most]
        known = known.iloc[np.sort(largest)]
    unknown = int(rows["difference"].isna().sum())
    if unknown:
        notes.append(f"without {counted(unknown, 'pair')} of systems that share no value")
    if order == "difference":
        known = known.sort_values("difference", ascending=False, kind="stable")
    return known, f"Drawn: {'; '.join(notes)}" if notes else ""


def _heights(rows: pd.DataFrame) -> Floats:
    """Vertical position of each row, the first on top."""
    return np.arange(len(rows), dtype=float)[::-1]


def _dots_of(rows: pd.DataFrame, subjects: pd.DataFrame | None, measure: str) -> pd.DataFrame:
    """Subjects' differences and the heights at which they are drawn."""
    turned = rows["turned"]
    heights = pd.DataFrame(
        {
            "system_a": rows["system_a"].where(~turned, rows["system_b"]),
            "system_b": rows["system_b"].where(~turned, rows["system_a"]),
            "height": _heights(rows) - _BELOW,
            "sign": np.where(turned, -1, 1),
        }
    )
    if subjects is None:
        return heights.assign(value=np.nan).iloc[:0]
    frames.check_columns(subjects, (*_PAIR, "difference"), "subjects")
    if "measure" in subjects.columns:
        subjects = subjects[subjects["measure"] == measure]
    dots = subjects.dropna(subset="difference").merge(heights, on=_PAIR)
    return dots.assign(value=dots["difference"] * dots["sign"])


def _draw_intervals(ax: Axes, rows: pd.DataFrame, words: dict[str, str]) -> list[Any]:
    """Differences with their intervals; handles of a legend."""
    handles: list[Any] = []
    heights = _heights(rows)
    ends = rows[["lower", "upper"]].to_numpy(dtype=float)
    size = min(5.0, max(0.4 * drawing.row_points(ax, len(rows)), 1.5))
    for significant, name, colour, fill in _KINDS:
        chosen = (rows["significant"] == significant).to_numpy()
        middle = rows["difference"].to_numpy(dtype=float)[chosen]
        style = {"fmt": "o", "color": colour, "fillstyle": fill, "markersize": size}
        if chosen.any():
            style["label"] = words.get(name, name)
            handles.append(_draw_bars(ax, middle, heights[chosen], ends[chosen], **style))
    colours = [MAIN if found else NOT_SHOWN for found in rows["significant"]]
    middle = rows["difference"].to_numpy(dtype=float)
    _draw_open_ends(ax, middle, heights, ends, colours)
    return handles


def _draw_open_ends(
    ax: Axes, middle: Floats, heights: Floats, ends: Floats, colours: list[str]
) -> None:
    """Lines to the edge, with an arrowhead, where an interval has no end."""
    for row, side in np.argwhere(np.isinf(ends)).tolist():
        place: dict[str, Any] = {"xytext": (middle[row], heights[row]), "textcoords": "data"}
        arrow = {"arrowstyle": "-|>", "color": colours[row], "linewidth": 1.4, "shrinkA": 0}
        to = (side, heights[row])
        place["xycoords"] = ax.get_yaxis_transform()
        ax.annotate("", to, arrowprops=arrow | {"shrinkB": 0}, zorder=2, **place)


def _label(ax: Axes, rows: pd.DataFrame, measure: str) -> None:
    """Names of rows and of the axis, and limits; rows without a second system are no pairs."""
    one = rows["system_b"].nunique() == 1 and len(rows) > 1
    high = drawing.row_points(ax, len(rows)) >= _TWO_LINES
    pairs = partial(drawing.pair_names, rows["system_a"], rows["system_b"], high=high)
    names = rows["system_a"] if one else pairs
    share = 0.5 if drawing.inches_of(ax)[0] < _NARROW else 0.4
    drawing.name_rows(ax, _heights(rows).tolist(), names, share=share)
    ax.set_ylim(-0.8, len(rows) - 0.4)
    label = f"difference of {measure}"
    if one and rows["system_b"].iloc[0]:
        most = drawing.letters_in(drawing.width_left(ax), drawing.size_of("label"))
        label += f" from {shown_names([rows['system_b'].iloc[0]], most)[0]}"
    ax.set_xlabel(label)
