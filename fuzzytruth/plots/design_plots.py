"""Variance components of scores, and what a design of a collection would give."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth._typing import Axes
from fuzzytruth.errors import DataError, OptionError, choice, counted, shown_all
from fuzzytruth.plots import drawing, scheme
from fuzzytruth.plots.drawing import axes_or_new, finish, name_rows
from fuzzytruth.plots.frames import Title, check_columns, known_rows, plot_data, rows_of_measure
from fuzzytruth.plots.scheme import REFERENCE, looks

_OF_COMPONENTS = ("component", "of", "share", "lower", "upper")
_FILLS = ((scheme.MAIN, ""), (scheme.BESIDE, "////"), (scheme.COLOURS[2], "...."))


def variance_components(
    data: Any, ax: Axes | None = None, *, measure: str | None = None, title: Title = True
) -> Axes:
    """Draw the shares of variance components as bars with intervals.

    Parameters
    ----------
    data : VarianceComponents or DataFrame
        See `VarianceComponents.shares`. A frame has one row a component and variance that it is a
        share of: columns component, of, share, lower, upper (NaN where unknown). Negative shares
        are drawn left of 0, as they were estimated.
    ax, title
        Where to draw, under which title; see `plots`.
    measure : str, optional
        Which one, where there are several; the first by default.

    Returns
    -------
    matplotlib Axes
        With the share in per cent beside each bar.

    Raises
    ------
    DataError
        A column is missing, there are no rows, or all shares are NaN.
    OptionError
        The measure is not in the data.

    Examples
    --------
    >>> import pandas as pd
    >>> from fuzzytruth import plots
    >>> ax = plots.variance_components(pd.DataFrame({
    ...     "component": ["query", "residual"], "of": "a single score", "share": [0.7, 0.3],
    ...     "lower": [0.5, 0.2], "upper": [0.8, 0.5]}))
    >>> [text.get_text() for text in ax.texts]
    ['70 %', '30 %']
    """
    from matplotlib.lines import Line2D

    found = plot_data(data, "variance_components", measure=measure)
    frame, _ = rows_of_measure(check_columns(found.frame, _OF_COMPONENTS), measure)
    known_rows(frame, "share")
    components = list(dict.fromkeys(frame["component"]))
    kinds = list(dict.fromkeys(frame["of"]))
    ax = axes_or_new(ax, height=1.6 + 0.17 * len(components) * (len(kinds) + 0.4))
    n_bars = len(components) * len(kinds)
    places = list(range(len(components)))
    name_rows(ax, places, components, rows=n_bars)
    for k, kind in enumerate(kinds):
        rows = frame[frame["of"] == kind].set_index("component").reindex(components)
        _draw_bars(ax, rows, k, len(kinds), str(kind))
    ax.set_ylim(len(components) - 0.5, -0.5)
    ax.axvline(0, color=scheme.ALL, linewidth=0.8)
    ax.set_xlabel("share of the variance (%)")
    interval = Line2D([], [], color=scheme.ALL, linewidth=1.2, label="interval of the share")
    finish(ax, found.heading(title), handles=[*ax.get_legend_handles_labels()[0], interval])
    return ax


def _draw_bars(ax: Axes, rows: pd.DataFrame, k: int, n: int, label: str) -> None:
    colour, hatch = _FILLS[k % len(_FILLS)]
    thick = 0.8 / n
    place = np.arange(len(rows)) + (k - (n - 1) / 2) * thick
    share = 100 * rows["share"].to_numpy(dtype=float)
    ax.barh(
        place, share, 0.9 * thick, color=colour, alpha=0.75, hatch=hatch, edgecolor="white",
        label=label,
    )  # fmt: skip
    low, high = (100 * rows[end].to_numpy(dtype=float) for end in ("lower", "upper"))
    known = np.isfinite(low) & np.isfinite(high)
    ax.hlines(place[known], low[known], high[known], color=scheme.ALL, linewidth=1.2, zorder=3)
    drawn = ~np.isnan(share)
    numbers = [
        f"{value:.0f} %" if abs(value) >= 0.95 or value == 0 else f"{value:.1f} %"
        for value in share[drawn]
    ]
    texts = [number.replace("-", "−") for number in numbers]
    drawing.name_right(ax, place[drawn], texts, rows=n * len(rows))


_MOST_CURVES = 6
_ABOVE_TARGET = 4.0  # how far half-widths are drawn, in targets
_NAMES = {"half_width": "half-width of the interval"}


def planning(
    data: Any,
    ax: Axes | None = None,
    *,
    quantity: str = "half_width",
    subjects: Iterable[int] | None = None,
    target: float | None = None,
    best: tuple[int, int] | None = None,
    title: Title = True,
) -> Axes:
    """Draw half-width, power or coefficient against the number of queries.

    One curve for each number of subjects. The band is around the curve of the chosen design (the
    middle one without any): what the pilot's uncertainty about the variances makes of it.

    Parameters
    ----------
    data : Plan or DataFrame
        See `Plan.curve`. A frame has one row a design: columns queries, subjects, value and,
        optionally, lower and upper (ends of the band). Infinite values and NaN are not drawn;
        numbers of subjects without any other are named in the title.
    ax, title
        Where to draw, under which title; see `plots`.
    quantity : {"half_width", "power", "coefficient"}
        What the values are, which names the axis.
    subjects : sequence of int, optional
        Numbers of subjects that have a curve; by default up to six, spread over all, with that of
        the chosen design.
    target : float, optional
        A line is drawn at it.
    best : (int, int), optional
        Queries and subjects of the chosen design, which is marked; a `Plan` has its own.

    Returns
    -------
    matplotlib Axes
        With a logarithmic axis of queries. The chosen design is named by queries × subjects.

    Raises
    ------
    DataError
        A column is missing, or no value is finite.
    OptionError
        `quantity` is none of the three, or there are no such numbers of subjects.

    Examples
    --------
    >>> import pandas as pd
    >>> from fuzzytruth import plots
    >>> ax = plots.planning(pd.DataFrame({
    ...     "queries": [10, 40, 10, 40], "subjects": [2, 2, 5, 5], "value": [.3, .2, .2, .1]}),
    ...     target=0.15)
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['2 subjects', '5 subjects', 'target: 0.15']
    """
    choice("quantity", quantity, ("half_width", "power", "coefficient"))
    found = plot_data(data, "planning", quantity=quantity)
    frame = check_columns(found.frame, ("queries", "subjects", "value"))
    if "replicates" in frame.columns:
        first = frame if found.beside is None else found.beside
        frame = frame[frame["replicates"] == first["replicates"].iloc[0]]
    at = None
    if best is None and found.beside is not None:
        best = int(found.beside["queries"].iloc[0]), int(found.beside["subjects"].iloc[0])
        at = float(found.beside["value"].iloc[0])
    finite = frame[np.isfinite(frame["value"].astype(float))]
    if not len(finite):
        raise DataError(f"planning: no {quantity} is finite, so that nothing is drawn")
    chosen = _chosen(finite, subjects, best)
    ax = axes_or_new(ax)
    _draw_curves(ax, finite, chosen, best)
    if best is not None:
        _mark(ax, finite, best, at)
    _set_axes(ax, quantity)
    _draw_target(ax, finite[finite["subjects"].isin(chosen)], quantity, target)
    finish(ax, found.heading(title, _unknown(frame, finite)))
    return ax


def _chosen(
    finite: pd.DataFrame, subjects: Iterable[int] | None, best: tuple[int, int] | None
) -> list[int]:
    """Numbers of subjects that have a curve."""
    every = sorted(int(n) for n in finite["subjects"].unique())
    if subjects is not None:
        wanted = [int(n) for n in subjects]
        missing = [n for n in wanted if n not in every]
        if missing or not wanted:
            raise OptionError(f"subjects={wanted}: those with values are {shown_all(every)}")
        return wanted
    if len(every) <= _MOST_CURVES:
        return every
    places = np.linspace(0, len(every) - 1, _MOST_CURVES).round().astype(int)
    out = {every[place] for place in places}
    if best is not None and best[1] in every and best[1] not in out:
        out -= {min(out - {every[0], every[-1]}, key=lambda n: abs(n - best[1]))}
        out |= {best[1]}
    return sorted(out)


def _draw_curves(
    ax: Axes, finite: pd.DataFrame, chosen: list[int], best: tuple[int, int] | None
) -> None:
    for n, look in zip(chosen, looks(len(chosen)), strict=True):
        rows = finite[finite["subjects"] == n].sort_values("queries")
        style: dict[str, Any] = look.style | {"markersize": 3.5, "linewidth": 1.3}
        ax.plot(rows["queries"], rows["value"], **style, label=counted(n, "subject"))
    if not {"lower", "upper"} <= set(finite.columns):
        return
    banded = best[1] if best is not None and best[1] in chosen else chosen[len(chosen) // 2]
    rows = finite[(finite["subjects"] == banded)].sort_values("queries")
    known = rows[np.isfinite(rows["lower"]) & np.isfinite(rows["upper"])]
    if len(known):
        style = {"color": looks(len(chosen))[chosen.index(banded)].colour, "alpha": 0.18}
        style |= {"linewidth": 0, "label": f"pilot's uncertainty at {counted(banded, 'subject')}"}
        ax.fill_between(known["queries"], known["lower"], known["upper"], **style)


def _mark(ax: Axes, finite: pd.DataFrame, best: tuple[int, int], value: float | None) -> None:
    """A star at the chosen design, on its curve where its value is not given."""
    rows = finite[finite["subjects"] == best[1]].sort_values("queries")
    if value is None and not len(rows):
        raise OptionError(f"best={best}: there are no values for {counted(best[1], 'subject')}")
    if value is None:
        value = float(np.interp(np.log(best[0]), np.log(rows["queries"]), rows["value"]))
    ax.plot(
        [best[0]], [value], "*", color=scheme.ALL, markersize=11, zorder=5, linestyle="none",
        label=f"chosen: {counted(best[0], 'query')} × {counted(best[1], 'subject')}",
    )  # fmt: skip


def _draw_target(ax: Axes, finite: pd.DataFrame, quantity: str, target: float | None) -> None:
    if target is not None:
        ax.axhline(
            target, color=REFERENCE, linestyle="--", linewidth=1.2, label=f"target: {target:g}"
        )
    if quantity == "half_width":
        top = float(finite["value"].max())
        limit = top if target is None else max(_ABOVE_TARGET * target, float(finite["value"].min()))
        highest = 1.04 * (min(top, limit) or limit or 1.0)  # not 0, which is no room
        ax.set_ylim(0, highest)
        for line in ax.get_lines():
            if np.min(line.get_ydata()) > highest:
                line.set_label(f"{line.get_label()} (above)")
        shown = finite.loc[finite["value"] <= highest, "queries"]
        ax.set_xlim(0.85 * float(shown.min()), 1.15 * float(finite["queries"].max()))
    else:
        ax.set_ylim(0, 1.03)


def _set_axes(ax: Axes, quantity: str) -> None:
    from matplotlib.ticker import LogLocator, NullLocator, StrMethodFormatter

    ax.set_xscale("log")
    ax.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    ax.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    ax.xaxis.set_minor_locator(NullLocator())
    ax.set(xlabel="queries", ylabel=_NAMES.get(quantity, quantity))
    ax.grid(color=scheme.GRID, linewidth=0.6)
    ax.set_axisbelow(True)


def _unknown(frame: pd.DataFrame, finite: pd.DataFrame) -> str:
    """Numbers of subjects without a finite value."""
    lost = sorted({int(n) for n in frame["subjects"]} - {int(n) for n in finite["subjects"]})
    if not lost:
        return ""
    return f"unknown with {', '.join(map(str, lost))} subject{'s' if lost != [1] else ''}"
