"""Axes to draw on, and figures as files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fuzzytruth.errors import OptionError, shown
from fuzzytruth.plots.drawing.appearance import TICK_SIZE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLUMN_WIDTH = 3.4  # inches, of a column of a two-column paper
PAGE_WIDTH = 6.4  # inches, of a new figure that is not stated otherwise


def check_axes(ax: object) -> None:
    """Raise OptionError unless these are axes, or None for new ones."""
    from matplotlib.axes import Axes

    if ax is not None and not isinstance(ax, Axes):
        raise OptionError(
            f"ax={shown(ax)}: give one Axes of Matplotlib; options go by name, such as measure='AP'"
        )


def axes_or_new(
    ax: Axes | None, *, width: float = PAGE_WIDTH, height: float = PAGE_WIDTH * 0.62
) -> Axes:
    """The given axes, or those of a new figure of that size in inches, with small numbers at ticks.

    A new figure has a constrained layout, so that labels of any length are inside it.

    Raises
    ------
    OptionError
        `ax` is something else.
    """
    check_axes(ax)
    if ax is None:
        import matplotlib.pyplot as plt

        ax = plt.subplots(figsize=(width, height), layout="constrained")[1]
    ax.tick_params(labelsize=TICK_SIZE)
    return ax
