"""Curves: along the ranking, of precision and recall, and of predicted votes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, get_args

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth._typing import Axes
from fuzzytruth.core.validation import between_zero_and_one, option_flag, places_of
from fuzzytruth.errors import DataError, choice, counted
from fuzzytruth.plots import drawing, scheme
from fuzzytruth.plots.drawing import axes_or_new, entry, finish
from fuzzytruth.plots.frames import Title, check_columns, known_rows, plot_data
from fuzzytruth.plots.scheme import ALL, FAINT, MAIN, NOTE, Look, looks

Line = Literal["mean", "median"]
_OF_RANKS = ("rank", "level", "lower", "upper")
_DARKEST = 0.5  # opacity of the narrowest of the nested intervals
_MARKERS_BY_RANK = 10  # on a line
_MOST_FANS = 3  # whose intervals can be told apart


def by_rank(
    data: Any, ax: Axes | None = None, *, line: Line = "mean", title: Title = True, **options: Any
) -> Axes:
    """Draw a measure against the cut-off: a line, and nested intervals that are darker inside.

    Intervals reach half a rank to either side, since there is nothing between two ranks. Of two or
    three systems only the widest intervals are drawn, and of more only lines, as others hide them.

    Parameters
    ----------
    data : DataFrame or RankDistributions
        One row for each rank and level: columns rank, level (between 0 and 1), lower and upper,
        and mean or median. Optional: system (one fan each) and measure (label of the vertical
        axis). Rows with NaN are left out.
    ax, title
        Where to draw, under which title; see `plots`.
    line : {"mean", "median"}
        What the line is.
    **options
        Of a result: `measure`, `system`, `query`, `category` and `levels`; see
        `RankDistributions.fan`.

    Returns
    -------
    matplotlib Axes
        With a legend of lines and levels.

    Raises
    ------
    DataError
        A column is missing, or there are no rows without NaN.
    OptionError
        `line` is neither.

    Examples
    --------
    >>> import pandas as pd
    >>> from fuzzytruth import plots
    >>> ax = plots.by_rank(pd.DataFrame({
    ...     "rank": [1, 2], "level": 0.9, "mean": [1.0, 0.75], "lower": [1, 0.5], "upper": [1, 1]}))
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['central 90 %', 'mean']
    """
    from matplotlib.ticker import MaxNLocator

    choice("line", line, get_args(Line))
    drawn = plot_data(data, "by_rank", **options)
    needed = (*_OF_RANKS, line)
    frame = known_rows(check_columns(drawn.frame, needed), *needed)
    ax = axes_or_new(ax)
    fans = _fans(frame)
    levels = sorted({float(level) for level in frame["level"]})
    levels = levels if len(fans) == 1 else levels[-1:] if len(fans) <= _MOST_FANS else []
    _name_levels(ax, levels, MAIN if len(fans) == 1 else NOTE)
    for place, ((name, fan), look) in enumerate(zip(fans, looks(len(fans)), strict=True)):
        _draw_intervals(ax, fan, levels, look, outlined=len(fans) > 1)
        label = f"{line} of {name}" if name else line
        points = fan.drop_duplicates("rank").sort_values("rank")
        start = place / len(fans)
        _draw_line(ax, points["rank"], points[line], look, label, start, _MARKERS_BY_RANK)
    ax.set(xlabel="rank", xlim=(frame["rank"].min() - 0.5, frame["rank"].max() + 0.5))
    ax.set_ylabel(str(frame["measure"].iloc[0]) if "measure" in frame.columns else "value")
    ax.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    note = "" if levels else f"Without intervals, of which there are {len(fans)} at each rank"
    finish(ax, drawn.heading(title, note), at_least=2)
    return ax


def _fans(frame: pd.DataFrame) -> list[tuple[str, pd.DataFrame]]:
    if "system" not in frame.columns:
        return [("", frame)]
    groups = frame.groupby("system", sort=False, observed=True)
    return [(str(name), rows) for name, rows in groups]


def _draw_intervals(
    ax: Axes, fan: pd.DataFrame, levels: list[float], look: Look, *, outlined: bool
) -> None:
    """Steps of each level, the widest first, so that what is inside several is darker."""
    from matplotlib.colors import to_rgba

    for level in reversed(levels):
        rows = fan[fan["level"] == level].sort_values("rank")
        if not len(rows):
            continue
        rank, lower, upper = (
            rows[name].to_numpy(dtype=float) for name in ("rank", "lower", "upper")
        )
        edges = np.append(rank - 0.5, rank[-1] + 0.5)
        low, high = np.append(lower, lower[-1]), np.append(upper, upper[-1])
        colour = to_rgba(look.colour, _opacity(levels))
        band = ax.fill_between(edges, low, high, step="post", facecolor=colour, linewidth=0)
        if outlined and level == levels[-1]:  # so that fans that overlap have ends
            band.set(edgecolor=look.colour, linewidth=0.6, linestyle=look.line)


def _opacity(levels: list[float]) -> float:
    return _DARKEST / max(len(levels), 3)


def _name_levels(ax: Axes, levels: list[float], colour: str) -> None:
    """Entries of the legend, in the shades in which nested intervals appear."""
    for depth, level in enumerate(reversed(levels), start=1):
        opacity = 1 - (1 - _opacity(levels)) ** depth
        drawing.name_shade(ax, f"central {drawing.percent(level)}", colour, opacity)


def _draw_line(
    ax: Axes,
    x: Any,
    y: Any,
    look: Look,
    label: str,
    start: float,
    n_marked: int,
    *,
    thin: bool = False,
) -> None:
    """A line with a few markers, which begin at another place on each, and may be hollow."""
    every = max(-(-len(x) // n_marked), 1)
    style: dict[str, Any] = look.style | {"markevery": (int(start * every), every)}
    style |= {"markerfacecolor": "white", "markeredgewidth": 0.7} if thin else {}
    ax.plot(x, y, **style, markersize=4, linewidth=0.7 if thin else 1.4, label=label)


_MOST_LOOKS = 8  # systems that are drawn apart without being asked for
_BEST = 5  # of more systems, those highlighted
_MOST_BANDS = 4  # systems whose bands can be told apart
_MARKERS = 8  # on a curve


def curves(
    data: Any,
    ax: Axes | None = None,
    *,
    highlight: Iterable[str] | str | None = None,
    bands: bool | None = None,
    title: Title = True,
    **options: Any,
) -> Axes:
    """Draw a curve for each system: against rank, or against recall.

    Parameters
    ----------
    data : DataFrame or Curves
        One row for each system and point, in the order of the points: columns system; recall or,
        failing that, rank; precision or, failing that, value. Optional: lower and upper (ends of
        the band, NaN where there is none), band (what they are, for the legend), measure (label of
        the vertical axis), n (queries behind a point: where they are fewer, the curve is thin).
        Points whose value is NaN are left out.
    ax, title
        Where to draw, under which title; see `plots`.
    highlight : str or sequence of str, optional
        Systems to draw in colour; the others are faint and share one entry of the legend. By
        default all; of more than 8 systems, the 5 whose curves are highest on average.
    bands : bool, optional
        Whether to draw bands. By default where at most 4 systems are drawn in colour.
    **options
        Of a result: `over` and `level`; see `Curves.bands`.

    Returns
    -------
    matplotlib Axes
        With a legend where there are several systems, or bands.

    Raises
    ------
    DataError
        A column is missing, there are no rows, or no value is known.
    OptionError
        A system to highlight is not in the data.

    Examples
    --------
    >>> import pandas as pd
    >>> from fuzzytruth import plots
    >>> ax = plots.curves(pd.DataFrame({
    ...     "system": ["x", "x", "y", "y"], "rank": [1, 2, 1, 2], "value": [1, 0.6, 0.5, 0.7]}))
    >>> ax.get_xlabel(), [text.get_text() for text in ax.get_legend().get_texts()]
    ('rank', ['x', 'y'])
    """
    from matplotlib.ticker import MaxNLocator

    drawn = plot_data(data, "curves", **options)
    frame = check_columns(drawn.frame, ("system",))
    x = "recall" if "recall" in frame.columns else "rank"
    y = "precision" if "precision" in frame.columns else "value"
    frame = known_rows(check_columns(frame, (x, y)), x, y)
    systems = tuple(dict.fromkeys(frame["system"].astype(str)))
    chosen = _chosen(frame, y, systems, highlight)
    banded = len(chosen) <= _MOST_BANDS if bands is None else option_flag("bands", bands)
    ax = axes_or_new(ax)
    parts = dict(list(frame.groupby(frame["system"].astype(str), sort=False)))
    for place, (name, look) in enumerate(zip(chosen, looks(len(chosen)), strict=True)):
        if banded and {"lower", "upper"} <= {*frame.columns}:
            _draw_band(ax, parts[name], (x, "lower", "upper"), look, alpha=0.15, zorder=1.5)
        start = place / len(chosen)
        part = parts[name]
        if "n" in part:  # on all queries first, and on as the thin line of fewer
            _draw_line(ax, part[x], part[y], look, "_", start, _MARKERS, thin=True)
            part = part[part["n"].eq(frame["n"].max()).cummin()]
        _draw_line(ax, part[x], part[y], look, entry(name), start, _MARKERS)
    if "n" in frame and (frame["n"] < frame["n"].max()).any():
        most = int(frame["n"].max())
        label = _fewer([parts[name].iloc[-1] for name in chosen], x, most, drawn.labels)
        _draw_line(ax, [], [], Look(NOTE, "o", "-"), label, 0.0, 1, thin=True)
    _draw_others(ax, [parts[name] for name in systems if name not in chosen], x, y)
    if banded and "band" in frame.columns:
        drawing.name_shade(ax, str(frame["band"].iloc[0]), NOTE, 0.25)
    if x == "rank":
        ax.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
        ax.set_xlim(float(frame[x].min()) - 0.5, float(frame[x].max()) + 0.5)
    ax.set_xlabel(x)
    ylabel = str(frame["measure"].iloc[0]) if "measure" in frame.columns else y
    ax.set_ylabel(ylabel)
    finish(ax, drawn.heading(title), at_least=2)
    return ax


def _chosen(
    frame: pd.DataFrame, y: str, systems: tuple[str, ...], highlight: Iterable[str] | str | None
) -> list[str]:
    """Systems to draw in colour."""
    if highlight is not None:
        return [systems[place] for place in places_of(systems, highlight, "highlight: system")]
    if len(systems) <= _MOST_LOOKS:
        return list(systems)
    height = frame[y].groupby(frame["system"].astype(str), sort=False).mean()
    return [str(name) for name in height.nlargest(_BEST).index]


def _fewer(ends: list[pd.Series[Any]], x: str, most: int, labels: dict[str, str]) -> str:
    """What thin lines are: means over fewer queries, at the ends of lines fewest."""
    places = sorted({float(end[x]) for end in ends})
    at = f"at {x} {places[0]:g}" if len(places) == 1 else "at their ends"
    n = " to ".join(f"{n:,}" for n in sorted({f([int(e["n"]) for e in ends]) for f in (min, max)}))
    return f"thin: fewer {labels.get('n', 'queries')} reach this {x} ({at}: {n} of {most:,})"


def _draw_others(ax: Axes, parts: list[pd.DataFrame], x: str, y: str) -> None:
    """Faint curves, with one entry in the legend."""
    for j, part in enumerate(parts):
        label = counted(len(parts), "other system") if j == 0 else "_nolegend_"
        style: dict[str, Any] = {"color": FAINT, "zorder": 1, "label": label}
        ax.plot(part[x], part[y], **style, linewidth=0.8 if len(parts) <= _MOST_LOOKS else 0.4)


def _draw_band(
    ax: Axes, part: pd.DataFrame, names: tuple[str, str, str], look: Look, **style: Any
) -> None:
    """The area between two columns, against the first of three."""
    x, lower, upper = (part[name].to_numpy(dtype=float) for name in names)
    ax.fill_between(x, lower, upper, color=look.colour, linewidth=0, **style)


_BAND = ("recall", "precision_lower", "precision_upper")
_MIN_PROBABILITY = 1e-4  # of a point that is drawn
_MOST_CATEGORIES = 4  # that have bands
_BACKWARDS = 1e-9  # by which recall may fall from rank to rank, as rounding


def precision_recall(
    data: Any,
    ax: Axes | None = None,
    *,
    curves: pd.DataFrame | None = None,
    level: float = 0.95,
    title: Title = True,
    **options: Any,
) -> Axes:
    """Draw the possible points of a precision–recall curve, mean curves, and bands of precision.

    The mean curve goes from rank to rank through (expected recall, expected precision). In every
    world recall can only rise with the rank, hence its expectation, too: the curve never runs
    backwards. A band is vertical: at each rank, around the mean recall, the central interval of
    precision.

    Parameters
    ----------
    data : DataFrame or Cloud
        One row for each possible point: columns recall, precision, probability. Points of
        probability 1e-4 or less are left out; more probable ones are larger and darker.
    ax, title
        Where to draw, under which title; see `plots`.
    curves : DataFrame, optional
        One row for each rank, in their order: columns recall and precision (expected),
        precision_lower and precision_upper. Optional: category and share (its probability); each
        category has a curve and a band of its own, the 4 of the largest share in colour, and rows
        of category "" are the curve over all, which then has no band. A result has its own.
    level : float
        Level of the bands, named in the legend.
    **options
        Of a result: `by_category`; see `Cloud.plot`.

    Raises
    ------
    DataError
        A column is missing, a frame has no rows, or recall falls from one rank to the next.
    OptionError
        A level outside 0 to 1.

    Examples
    --------
    >>> import pandas as pd
    >>> from fuzzytruth import plots
    >>> ax = plots.precision_recall(
    ...     pd.DataFrame({"recall": [0, 1], "precision": [0, 1], "probability": [0.2, 0.8]}),
    ...     curves=pd.DataFrame({"recall": [0.8], "precision": [0.8],
    ...                          "precision_lower": [0], "precision_upper": [1]}))
    >>> [text.get_text() for text in ax.get_legend().get_texts()][1:]
    ['mean', 'central 95 % of precision at a rank']
    """
    level = between_zero_and_one("level", level)
    given = {} if curves is not None else {"level": level}
    drawn = plot_data(data, "precision_recall", **given, **options)
    points = check_columns(drawn.frame, ("recall", "precision", "probability"), "points")
    parts = _by_category(drawn.beside if curves is None else curves)
    ax = axes_or_new(ax, height=0.72 * drawing.PAGE_WIDTH)
    _draw_points(ax, points)
    if parts:
        _draw_categories(ax, parts, level)
    ax.set(xlabel="recall", ylabel="precision", xlim=(-0.02, 1.02), ylim=(-0.02, 1.05))
    finish(ax, drawn.heading(title), at_least=2)
    return ax


def _by_category(curves: pd.DataFrame | None) -> dict[str, pd.DataFrame]:
    """The rows of each category; of all together under ""."""
    if curves is None:
        return {}
    frame = check_columns(curves, ("precision", *_BAND), "curves")
    parts = {"": frame}
    if "category" in frame.columns:
        check_columns(frame, ("share",), "curves")
        names = frame["category"].astype(str)
        parts = {str(name): rows for name, rows in frame.groupby(names, sort=False)}
    for name, rows in parts.items():
        recall = rows["recall"].to_numpy(dtype=float)
        back = np.flatnonzero(np.diff(recall) < -_BACKWARDS)
        if len(back):
            at = int(back[0])
            raise DataError(
                f"curves: recall{f' of {name}' if name else ''} falls from {recall[at]:.4g} to "
                f"{recall[at + 1]:.4g} in row {at + 1}; give the rows in the order of the ranks"
            )
    return parts


def _draw_categories(ax: Axes, parts: dict[str, pd.DataFrame], level: float) -> None:
    apart = sorted(
        (name for name in parts if name), key=lambda name: -float(parts[name]["share"].iloc[0])
    )
    others = apart[_MOST_CATEGORIES:]
    if others:
        share = sum(float(parts[name]["share"].iloc[0]) for name in others)
        label = f"{counted(len(others), 'other category')}, probability {share:.2g}"
        for name in others:
            _draw_mean_curve(ax, parts[name], Look(FAINT, "", "-"), label)
            label = "_nolegend_"
    for name, look in zip(apart[:_MOST_CATEGORIES], looks(_MOST_CATEGORIES), strict=False):
        share = float(parts[name]["share"].iloc[0])
        _draw_band(ax, parts[name], _BAND, look, alpha=0.12 if len(apart) > 1 else 0.22)
        _draw_mean_curve(ax, parts[name], look, f"mean if {name}, probability {share:.2g}")
    if "" in parts:
        if not apart:
            _draw_band(ax, parts[""], _BAND, Look(MAIN, "", "-"), alpha=0.22)
        label = "mean over all categories" if apart else "mean"
        _draw_mean_curve(ax, parts[""], Look(ALL, "o", "-"), label)
    drawing.name_shade(ax, f"central {drawing.percent(level)} of precision at a rank", NOTE, 0.3)


def _draw_mean_curve(ax: Axes, rows: pd.DataFrame, look: Look, label: str) -> None:
    every = max(1, len(rows) // 8)
    style = {"markersize": 4, "markevery": every, "label": label, **look.style}
    ax.plot(rows["recall"], rows["precision"], **style)


def _draw_points(ax: Axes, points: pd.DataFrame) -> None:
    from matplotlib.colors import to_rgba

    probability = points["probability"].to_numpy(dtype=float)
    visible = probability > _MIN_PROBABILITY
    shade = np.sqrt(probability[visible] / probability.max())
    recall, precision = (points[name].to_numpy()[visible] for name in ("recall", "precision"))
    colours = [to_rgba(NOTE, alpha) for alpha in 0.08 + 0.6 * shade]
    ax.scatter(recall, precision, s=8 + 60 * shade, c=colours, linewidths=0)
    label = "possible recall and precision (larger: more probable)"
    drawing.draw_marks(ax, [], [], "o", "0.55", 6.0, label=label)


_OF_BINS = ("predicted", "observed", "lower", "upper", "n_votes")


def reliability_curve(data: Any, ax: Axes | None = None, *, title: Title = True) -> Axes:
    """Draw the share of held-out votes that a model predicted, against the probability it gave.

    Each point is a bin of votes, with its Wilson interval and, at the bottom, its number of votes.
    Where points lie below the diagonal the model promises more than it holds, of votes: a vote is
    not the truth.

    Parameters
    ----------
    data : DataFrame or Reliability
        One row for each bin: columns predicted (mean probability), observed (share of votes), lower
        and upper (the ends of its interval), n_votes. Rows without votes (NaN) are left out.
    ax, title
        Where to draw, under which title; see `plots`.

    Raises
    ------
    DataError
        A column is missing, or there are no votes; or no votes were held out.

    Examples
    --------
    >>> import pandas as pd
    >>> from fuzzytruth import plots
    >>> ax = plots.reliability_curve(pd.DataFrame({
    ...     "predicted": [0.6, 0.9], "observed": [0.5, 0.95], "lower": [0.4, 0.9],
    ...     "upper": [0.6, 0.98], "n_votes": [80, 2000]}))
    >>> [text.get_text() for text in ax.texts]
    ['80', '2,000']
    """
    drawn = plot_data(data, "reliability_curve")
    frame = known_rows(check_columns(drawn.frame, _OF_BINS), "predicted", "observed")
    predicted, observed, lower, upper, n_votes = (frame[name] for name in _OF_BINS)
    ax = axes_or_new(ax, height=0.72 * drawing.PAGE_WIDTH)
    ax.plot([0, 1], [0, 1], color=scheme.REFERENCE, linestyle="--", label="as predicted")
    ax.vlines(predicted, lower, upper, color=MAIN, linewidth=1.4)
    label = "share of votes, 95 % interval; below 0: number of votes"
    ax.plot(predicted, observed, "o-", color=MAIN, markersize=5, linewidth=0.8, label=label)
    ax.axhline(0, color=FAINT, linewidth=0.8)
    style: dict[str, Any] = {"fontsize": drawing.size_of() - 1, "color": NOTE, "va": "top"}
    style |= {"textcoords": "offset points", "rotation": 90, "ha": "center"}
    for where, n in zip(predicted, n_votes, strict=True):
        ax.annotate(f"{n:,.0f}", (where, 0), (0, -6), **style)
    height = 72 * drawing.inches_of(ax)[1] - 100  # beside a title and a legend
    share = min((drawing.width_of(f"{n_votes.max():,.0f}", drawing.size_of()) + 9) / height, 0.5)
    ax.set(xlim=(min(predicted.min(), 0.5) - 0.05, 1.03), ylim=(-share / (1 - share), 1.03))
    ax.set(xlabel="predicted probability", ylabel="observed share of votes")
    ax.set_yticks(np.linspace(0, 1, 6))
    finish(ax, drawn.heading(title))
    return ax
