"""The picture of a `Distribution`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.plots.axes import axes_or_new

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from fuzzytruth.data.distribution.distribution import Distribution


_WIDE = 60  # atoms that can be told apart as thick lines, and bins of a histogram
_THIN = 200  # atoms that can be told apart as thin lines
_TAIL = 1e-6  # probability at either end that is not drawn
_LONGEST = 1e6  # steps between the first and the last atom, at most, to be evenly spaced


def draw(distribution: Distribution, ax: Axes | None = None, **style: Any) -> Axes:
    """Draw the probabilities on `ax`, or in a new figure, and return the axes.

    Raises
    ------
    MissingPackageError
        Matplotlib is not installed.
    """
    ax = axes_or_new(ax)
    if "color" not in style:
        (line,) = ax.plot([], [])  # takes the next colour of the cycle
        style["color"] = line.get_color()
        line.remove()
    values, chances = _with_mass(distribution)
    step = spacing(values)
    if len(values) <= _WIDE or (step is not None and len(values) <= _THIN):
        thick = 3 if len(values) <= _WIDE else 1
        lines = ax.vlines(values, 0, chances, **{"linewidth": thick, "alpha": 0.8, **style})
        lines.sticky_edges.y.append(0.0)  # no margin below; what is drawn later still fits in
    else:
        edges = bins(values, step)
        style = {"histtype": "stepfilled", "alpha": 0.6, **style}
        ax.hist(values, bins=edges.tolist(), weights=chances, **style)
    ax.autoscale_view()
    ax.set_xlabel(ax.get_xlabel() or "value")
    ax.set_ylabel(ax.get_ylabel() or "probability")
    return ax


def _with_mass(distribution: Distribution) -> tuple[Floats, Floats]:
    """The atoms and their probabilities, without tails too improbable to be seen."""
    values = distribution.values
    below, above = distribution.cdf(values), distribution.sf(values)
    first = int(np.argmax(below > _TAIL))
    last = int(np.argmax(above <= _TAIL))
    kept = slice(first, max(first, last) + 1)
    return values[kept], distribution.probabilities[kept]


def spacing(values: Floats) -> float | None:
    """The step of which all gaps between ascending atoms are multiples; None if there is none."""
    gaps = np.diff(values)
    step = float(gaps.min(initial=np.inf))
    if not len(gaps) or gaps.sum() > _LONGEST * step:
        return None
    multiples = gaps / step
    even = np.abs(multiples - np.rint(multiples)).max() < 1e-6
    return step if even else None


def bins(values: Floats, step: float | None) -> Floats:
    """Edges of about 60 bins, each as wide as the same number of steps and thus of atoms."""
    if step is None:
        return np.linspace(values[0], values[-1], _WIDE + 1)
    n_steps = round(float(values[-1] - values[0]) / step) + 1
    width = -(-n_steps // _WIDE)
    return np.asarray(values[0] + step * (np.arange(0, n_steps + width, width) - 0.5))
