"""The picture of a `Distribution`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fuzzytruth.plotting import axes_or_new

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from fuzzytruth.distribution import Distribution

_FEW = 60  # atoms that can be told apart in a picture


def draw(distribution: Distribution, ax: Axes | None = None) -> Axes:
    """Draw the probabilities on `ax`, or in a new figure, and return the axes.

    Raises
    ------
    MissingPackageError
        Matplotlib is not installed.
    """
    ax = axes_or_new(ax)
    if len(distribution.values) <= _FEW:
        ax.vlines(distribution.values, 0, distribution.probabilities, linewidth=3)
        ax.set_ylim(bottom=0)
    else:
        ax.hist(distribution.values, bins=_FEW, weights=distribution.probabilities)
    ax.set_xlabel("value")
    ax.set_ylabel("probability")
    return ax
