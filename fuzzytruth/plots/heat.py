"""Heat maps of tables with named rows and columns, from a few cells to thousands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.plots.appearance import FAINT, TICK_SIZE
from fuzzytruth.plots.text import inches_of, letters_in, name_ticks, shown_names

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_LEAST_SIZE = 4.5  # points of labels; where they do not fit, some are left out
_MOST_LETTERS = 30
_MOST_INCHES = 8.0  # of the cells of a new figure
_CELL = 0.42  # inches, of few cells


def heat_size(n: int, margin: float) -> float:
    """Width or height in inches of a new figure of `n` cells and margins."""
    return margin + min(n * max(_CELL, 2.4 / n), _MOST_INCHES)


def cell_points(ax: Axes, n: int, axis: str) -> float:
    """About how wide ("x") or high ("y") one of `n` cells is, in points."""
    inches = inches_of(ax)["xy".index(axis)]
    return 72 * max(inches - _margin(inches), 0.4 * inches) / n


def _margin(inches: float) -> float:
    """For labels, title and colour bar."""
    return min(2.0, 0.4 * inches)


def heat(
    ax: Axes,
    values: Floats,
    rows: Sequence[str],
    columns: Sequence[str],
    *,
    cmap: str,
    limits: tuple[float, float],
    label: str,
) -> None:
    """Draw values (rows, columns) as coloured cells with a colour bar; NaN is grey."""
    import seaborn as sns

    ax.set_facecolor(FAINT)
    sns.heatmap(
        values,
        ax=ax,
        mask=np.isnan(values),
        cmap=cmap,
        vmin=limits[0],
        vmax=limits[1],
        xticklabels=False,
        yticklabels=False,
        cbar_kws={"fraction": 0.05, "pad": 0.02, "aspect": 30},
    )
    bar = ax.collections[0].colorbar
    assert bar is not None
    bar.set_label(label, fontsize=TICK_SIZE, parse_math=False)
    bar.ax.tick_params(labelsize=TICK_SIZE)
    _name(ax, "y", rows)
    _name(ax, "x", columns)


def _name(ax: Axes, axis: str, names: Sequence[str]) -> None:
    """Label cells; every second, third, ... only, where labels would overlap."""
    points = cell_points(ax, len(names), axis)
    size = float(np.clip(0.95 * points, _LEAST_SIZE, TICK_SIZE))
    step = int(np.ceil(size / points))
    most = letters_in(72 * inches_of(ax)[0] * 0.3, size)
    short = shown_names(names, min(most, _MOST_LETTERS))
    upright = axis == "y" or max(map(len, short)) * 0.6 * size < points
    style: dict[str, Any] = {"fontsize": size, "rotation": 0 if upright else 90}
    places = np.arange(0, len(names), step)
    name_ticks(ax, axis, (places + 0.5).tolist(), short[::step], **style)
    ax.tick_params(axis=axis, length=0, pad=2)


def ink_on(ax: Axes, value: float) -> str:
    """Black or white, whichever is seen on the colour of a value."""
    red, green, blue = ax.collections[0].to_rgba(value)[:3]
    return "black" if 0.299 * red + 0.587 * green + 0.114 * blue > 0.5 else "white"
