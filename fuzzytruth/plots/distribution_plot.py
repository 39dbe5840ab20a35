"""Probabilities of a discrete distribution: vertical lines or a histogram."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.core.atoms import cumulative_sum, merge
from fuzzytruth.core.validation import numbers
from fuzzytruth.plots.axes import axes_or_new
from fuzzytruth.plots.frames import check_columns

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


_MAX_THICK = 60  # atoms drawn as thick lines, and bins of a histogram
_MAX_THIN = 200  # evenly spaced atoms drawn as thin lines
_TAIL = 1e-6  # probability at either end that is not drawn
_MAX_STEPS = 1e6  # steps between the first and the last atom for them to count as evenly spaced


def distribution(frame: pd.DataFrame, ax: Axes | None = None, **style: Any) -> Axes:
    """Draw a discrete distribution: as vertical lines if its atoms are few, else as a histogram.

    Tails of probability 1e-6 are left out.

    Parameters
    ----------
    frame : DataFrame
        One row for each atom: columns value (finite) and probability; see
        `Distribution.to_frame`.
    ax : matplotlib Axes, optional
        Axes to draw on; a new figure by default.
    **style
        Passed to Matplotlib, such as `label` (shown by ``ax.legend()``), `color` (by default the
        next of the axes' cycle) and `alpha`.

    Returns
    -------
    matplotlib Axes
        Axis labels are set if they were empty.

    Raises
    ------
    DataError
        A column is missing, there are no rows, or a number is not finite.

    Examples
    --------
    >>> import matplotlib; matplotlib.use("Agg")
    >>> import pandas as pd
    >>> from fuzzytruth import plots
    >>> ax = plots.distribution(pd.DataFrame({"value": [0, 1], "probability": [0.25, 0.75]}))
    >>> ax.get_xlabel(), ax.get_ylabel(), len(ax.collections)
    ('value', 'probability', 1)
    """
    check_columns(frame, ("value", "probability"))
    values, probabilities = merge(
        numbers("value", frame["value"].to_list(), finite=True),
        numbers("probability", frame["probability"].to_list(), finite=True),
    )
    ax = axes_or_new(ax)
    if "color" not in style:
        (line,) = ax.plot([], [])  # takes the next colour of the cycle
        style["color"] = line.get_color()
        line.remove()
    _draw(ax, *_without_tails(values, probabilities), style)
    ax.autoscale_view()
    ax.set_xlabel(ax.get_xlabel() or "value")
    ax.set_ylabel(ax.get_ylabel() or "probability")
    return ax


def _draw(ax: Axes, values: Floats, probabilities: Floats, style: dict[str, Any]) -> None:
    step = spacing(values)
    if len(values) <= _MAX_THICK or (step is not None and len(values) <= _MAX_THIN):
        width = 3 if len(values) <= _MAX_THICK else 1
        style = {"linewidth": width, "alpha": 0.8, **style}
        lines = ax.vlines(values, 0, probabilities, **style)
        lines.sticky_edges.y.append(0.0)  # no margin below 0, whatever is drawn later
    else:
        edges = bin_edges(values, step)
        style = {"histtype": "stepfilled", "alpha": 0.6, **style}
        ax.hist(values, bins=edges.tolist(), weights=probabilities, **style)


def _without_tails(values: Floats, probabilities: Floats) -> tuple[Floats, Floats]:
    """The atoms and their probabilities, without tails too improbable to be seen."""
    below = cumulative_sum(probabilities)  # P(X ≤ x)
    above = np.append(cumulative_sum(probabilities[::-1])[-2::-1], 0.0)  # P(X > x)
    first = int(np.argmax(below > _TAIL))
    last = int(np.argmax(above <= _TAIL))
    kept = slice(first, max(first, last) + 1)
    return values[kept], probabilities[kept]


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
        return np.linspace(values[0], values[-1], _MAX_THICK + 1)
    n_steps = round(float(values[-1] - values[0]) / step) + 1
    width = -(-n_steps // _MAX_THICK)
    return np.asarray(values[0] + step * (np.arange(0, n_steps + width, width) - 0.5))
