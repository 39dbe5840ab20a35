"""Discrete distributions, one or several: lines, histograms, cumulative probabilities."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth._typing import Axes, Floats
from fuzzytruth.core.atoms import cumulative_sum, first_reaching, merge
from fuzzytruth.core.validation import numbers, option_flag, probability
from fuzzytruth.errors import DataError, OptionError, choice
from fuzzytruth.plots import drawing
from fuzzytruth.plots.drawing import axes_or_new, entry, finish, inches_of
from fuzzytruth.plots.frames import Title, check_columns, headed, plot_data
from fuzzytruth.plots.scheme import REFERENCE, Look, looks

# Atoms of discrete distributions as they are drawn: without tails, in bins, with quantiles.


MAX_THICK = 60  # atoms drawn as thick lines, and bins of a histogram
MAX_THIN = 200  # evenly spaced atoms drawn as thin lines
_TAIL = 1e-6  # probability at either end that is not drawn
_MAX_STEPS = 1e6  # steps between the first and the last atom for them to count as evenly spaced


def without_tails(values: Floats, probabilities: Floats) -> tuple[Floats, Floats]:
    """The atoms and their probabilities, without tails too improbable to be seen."""
    below = cumulative_sum(probabilities)  # P(X ≤ x)
    above = np.append(cumulative_sum(probabilities[::-1])[-2::-1], 0.0)  # P(X > x)
    first = int(np.argmax(below > _TAIL))
    last = int(np.argmax(above <= _TAIL))
    kept = slice(first, max(first, last) + 1)
    return values[kept], probabilities[kept]


def central_interval(values: Floats, probabilities: Floats, level: float) -> tuple[float, float]:
    """The quantiles of ascending atoms that cut off (1 - level) / 2 on either side."""
    tail = round((1 - level) / 2, 15)
    reached = cumulative_sum(probabilities)
    lower, upper = values[first_reaching(reached, np.array([tail, 1 - tail]))].tolist()
    return lower, upper


def spacing(values: Floats) -> float | None:
    """The step of which all gaps between ascending atoms are multiples; None if there is none."""
    gaps = np.diff(values)
    step = float(gaps.min(initial=np.inf))
    if not len(gaps) or gaps.sum() > _MAX_STEPS * step:
        return None
    multiples = gaps / step
    even = np.abs(multiples - np.rint(multiples)).max() < 1e-6
    return step if even else None


def bin_edges(values: Floats, step: float | None) -> Floats:
    """Edges of about 60 bins.

    If the atoms are evenly spaced, each bin covers the same number of steps: bins with different
    numbers of atoms would give a jagged outline.
    """
    if step is None:
        return np.linspace(values[0], values[-1], MAX_THICK + 1)
    n_steps = round(float(values[-1] - values[0]) / step) + 1
    width = -(-n_steps // MAX_THICK)
    return np.asarray(values[0] + step * (np.arange(0, n_steps + width, width) - 0.5))


@dataclass(frozen=True, slots=True)
class Atoms:
    """A distribution: ascending values, and their probabilities."""

    name: str
    values: Floats
    probabilities: Floats

    def visible(self) -> Atoms:
        """The same without its tails."""
        return Atoms(self.name, *without_tails(self.values, self.probabilities))


Kind = Literal["pmf", "cdf"]

_DRAWN = "distribution"  # gid of what stands for one distribution
_INTERVAL = "interval of a distribution"
_MOST, _LEAST = 4.0, 1.5  # points between lines of several distributions at one value
_MOST_FILLED = 3  # histograms that hide one another too much if they are more
_ROW = 11.0  # points, for each interval above the distributions


def distribution(
    data: Any,
    ax: Axes | None = None,
    *,
    kind: Kind = "pmf",
    interval: float | None = None,
    zero: bool | None = None,
    title: Title = True,
    xlabel: str | None = None,
    **style: Any,
) -> Axes:
    """Draw one or several discrete distributions, such as those of a score over worlds.

    Probabilities are drawn as vertical lines if the atoms are few, else as histograms, which share
    their bins. Lines of several distributions stand side by side around their value. A later call
    on the same axes gets the next colour, marker and line. Tails of probability 1e-6 are left out.

    Parameters
    ----------
    data : DataFrame, result, or mapping of names to those
        One row for each atom: columns value (finite) and probability; with a column system (no
        missing names), one distribution for each. Results: `Distribution`.
    ax, title
        Where to draw, under which title; see `plots`.
    kind : {"pmf", "cdf"}
        Probabilities, or P(X ≤ x).
    interval : float, optional
        Also draw the central interval of this level, with a marker at the mean, above each.
    zero : bool, optional
        Draw a line at zero, as differences need. By default where a value is negative.
    xlabel : str, optional
        What the values are, such as "P@10 of query q1 over independent worlds". By default
        "value", unless the axes have a label.
    **style
        Passed to Matplotlib, such as `label` (of a single distribution), `color` and `alpha`.

    Returns
    -------
    matplotlib Axes
        Axis labels are set if they were empty. There is a legend where at least two distributions
        have names.

    Raises
    ------
    DataError
        A column is missing, there are no rows, a number is not finite, or a distribution's
        probabilities are all 0.
    OptionError
        An unknown kind, a level outside 0 to 1, or `label` for several distributions.

    Examples
    --------
    >>> import pandas as pd
    >>> from fuzzytruth import plots
    >>> ax = plots.distribution(pd.DataFrame({"value": [0, 1], "probability": [0.25, 0.75]}))
    >>> ax.get_xlabel(), ax.get_ylabel(), len(ax.collections)
    ('value', 'probability', 1)
    """
    choice("kind", kind, get_args(Kind))
    level = None if interval is None else probability("interval", interval)
    all_atoms, own_title = _atoms_of(data)
    if len(all_atoms) > 1 and "label" in style:
        raise OptionError("label: there are several distributions, which have names of their own")
    ax = axes_or_new(ax)
    before = sum(artist.get_gid() == _DRAWN for artist in ax.get_children())
    shown = list(zip(all_atoms, looks(before + len(all_atoms))[before:], strict=True))
    visible = [(atoms.visible(), look) for atoms, look in shown]
    if kind == "cdf":
        _draw_steps(ax, shown, style)
    else:
        _draw_probabilities(ax, visible, style, before)
    if level is not None:
        _draw_intervals(ax, shown, level, style)
    negative = any(float(atoms.values[0]) < 0 for atoms in all_atoms)
    if negative if zero is None else option_flag("zero", zero):
        ax.axvline(0, color=REFERENCE, linewidth=1, zorder=0)
    ax.autoscale_view()
    ax.set_xlabel(xlabel or ax.get_xlabel() or "value")
    finish(ax, headed(own_title, title), at_least=2)
    return ax


def _atoms_of(data: Any) -> tuple[list[Atoms], str]:
    """Each distribution, merged and without tails, and the title of all."""
    if isinstance(data, Mapping):
        if not data:
            raise DataError("plots.distribution: an empty mapping, so that nothing is drawn")
        return [one for name, value in data.items() for one in _of_frame(value, str(name))[0]], ""
    return _of_frame(data, "")


def _of_frame(data: Any, name: str) -> tuple[list[Atoms], str]:
    drawn = plot_data(data, "distribution")
    frame = check_columns(drawn.frame, ("value", "probability"))
    if "system" not in frame.columns:
        return [_atoms(name, frame)], drawn.title
    if name:
        raise DataError(f"{name}: a frame in a mapping has one distribution, no column 'system'")
    if frame["system"].isna().any():
        raise DataError(f"system: {int(frame['system'].isna().sum())} rows have no name")
    groups = frame.groupby("system", sort=False, observed=True)
    return [_atoms(str(system), rows) for system, rows in groups], drawn.title


def _atoms(name: str, frame: pd.DataFrame) -> Atoms:
    values, chances = merge(
        numbers("value", frame["value"].to_list(), finite=True),
        numbers("probability", frame["probability"].to_list(), finite=True),
    )
    if not chances.max() > 0:
        raise DataError(f"probability: none is above 0{f' of {name}' if name else ''}")
    return Atoms(name, values, chances)


def _label(atoms: Atoms, style: dict[str, Any]) -> dict[str, Any]:
    """Style with the distribution's name, unless it has none."""
    return {"label": entry(atoms.name), **style} if atoms.name else style


def _draw_probabilities(
    ax: Axes, shown: list[tuple[Atoms, Look]], style: dict[str, Any], before: int
) -> None:
    union, _ = merge(*np.concatenate([[a.values, a.probabilities] for a, _ in shown], axis=1))
    step = spacing(union)
    apart = _points_between(ax, union, len(shown))
    further = (before + 1) // 2 * (1 if before % 2 else -1)  # 0, 1, -1, 2, ...
    few = len(union) <= MAX_THICK or (step is not None and len(union) <= MAX_THIN)
    if few and (len(shown) == 1 or apart > _LEAST):
        for place, (atoms, look) in enumerate(shown):
            middle = (len(shown) - 1) / 2
            shift = apart * (place - middle) if len(shown) > 1 else _MOST * further
            thick = 0.75 * apart if len(union) <= MAX_THICK else 1.0
            size = (thick, shift, before + len(shown) > 1)
            _draw_lines(ax, atoms, look, _label(atoms, style), size)
        ylabel = "probability" + ("\n(side by side at each value)" if len(shown) > 1 else "")
    else:
        edges = bin_edges(union, step) if len(union) > 1 else union[0] + np.array([-0.5, 0.5])
        for atoms, look in shown:
            filled = {"alpha": 0.25 if len(shown) <= _MOST_FILLED else 0.0, **style}
            _draw_histogram(ax, atoms, edges, look, _label(atoms, filled))
        ylabel = f"probability\n(bins of {edges[1] - edges[0]:.2g})"
    ax.set_ylabel(ax.get_ylabel() or ylabel)


def _points_between(ax: Axes, values: Floats, n: int) -> float:
    """Points between the lines of `n` distributions at one value, at most 4, that fit the axes."""
    gaps = np.diff(values)
    slots = 1 + (values[-1] - values[0]) / gaps.min() if len(gaps) else 1.0
    return float(min(_MOST, 0.85 * 72 * 0.8 * inches_of(ax)[0] / (slots * n)))


def _draw_lines(
    ax: Axes, atoms: Atoms, look: Look, style: dict[str, Any], size: tuple[float, float, bool]
) -> None:
    """Vertical lines, and markers at their ends where distributions stand side by side."""
    width, shift, marked = size
    moved = drawing.moved(ax, ax.transData, right=shift)
    style = {"linewidth": width, "alpha": 0.8, "color": look.colour, **style}
    own = {
        "color": style["color"],
        "marker": look.marker if marked else "",
        "markersize": width + 2,
    }
    if "label" in style:  # the legend's
        ax.plot([], [], linewidth=style["linewidth"], label=style.pop("label"), **own)
    lines = ax.vlines(atoms.values, 0, atoms.probabilities, **style)
    lines.set_transform(moved)
    lines.set_gid(_DRAWN)
    lines.sticky_edges.y.append(0.0)  # no margin below 0, whatever is drawn later
    if marked:
        ax.plot(atoms.values, atoms.probabilities, linestyle="", transform=moved, **own)


def _draw_histogram(
    ax: Axes, atoms: Atoms, edges: Floats, look: Look, style: dict[str, Any]
) -> None:
    """A filled histogram with an outline, which is seen through others."""
    from matplotlib.colors import to_rgba

    colour, alpha = style.get("color", look.colour), style["alpha"]
    drawn = {"linewidth": 1.3, "linestyle": look.line, "histtype": "stepfilled", **style}
    drawn = {name: value for name, value in drawn.items() if name not in ("alpha", "color")}
    bins = edges.tolist()
    patches: Any = ax.hist(atoms.values, bins=bins, weights=atoms.probabilities, **drawn)[2]
    # not passed to `hist`: Matplotlib 3.10.0 takes the numbers of a colour for one colour a patch
    patches[0].set(facecolor=to_rgba(colour, alpha), edgecolor=to_rgba(colour), gid=_DRAWN)


def _draw_steps(ax: Axes, shown: list[tuple[Atoms, Look]], style: dict[str, Any]) -> None:
    """P(X ≤ x) as steps, all from the first value of any to the last."""
    first = min(float(atoms.visible().values[0]) for atoms, _ in shown)
    last = max(float(atoms.visible().values[-1]) for atoms, _ in shown)
    for atoms, look in shown:
        reached = np.minimum(cumulative_sum(atoms.probabilities), 1.0)
        inside = (atoms.values >= first) & (atoms.values <= last)
        before = reached[atoms.values < first].max(initial=0.0)
        x = np.concatenate(([first], atoms.values[inside], [last]))
        y = np.concatenate(([before], reached[inside], [reached[atoms.values <= last][-1]]))
        own = {"color": look.colour, "linestyle": look.line, "linewidth": 1.6}
        (line,) = ax.step(x, y, where="post", **(own | _label(atoms, style)))
        line.set_gid(_DRAWN)
        line.sticky_edges.y.append(0.0)
    ax.set_yticks([0, 0.25, 0.5, 0.75, 1])
    ax.set_ylabel(ax.get_ylabel() or "cumulative probability")


def _draw_intervals(
    ax: Axes, shown: list[tuple[Atoms, Look]], level: float, style: dict[str, Any]
) -> None:
    """Above the distributions, a line from end to end of each interval, a marker at the mean."""
    before = sum(artist.get_gid() == _INTERVAL for artist in ax.get_children())
    each = _ROW / (72 * 0.77 * inches_of(ax)[1])  # of the height of the axes
    room = min(each * (before + len(shown) + 1), 0.6)
    ax.set_ymargin(room / (1 - room))
    if not before:
        label = f"mean, central {drawing.percent(level)} interval"
        ax.plot([], [], "-", marker="o", markersize=4, color=REFERENCE, label=label)
    for row, (atoms, look) in enumerate(shown, before):
        lower, upper = central_interval(atoms.values, atoms.probabilities, level)
        mean = float(atoms.values @ atoms.probabilities / atoms.probabilities.sum())
        colour = style.get("color", look.colour)
        drawn: dict[str, Any] = {"color": colour, "transform": ax.get_xaxis_transform()}
        height = 1 - each * (row + 1)
        (line,) = ax.plot([lower, upper], [height] * 2, "-|", linewidth=1.5, **drawn)
        line.set_gid(_INTERVAL)
        ax.plot([mean], [height], look.marker, markersize=5, **drawn)
