"""Heat maps of tables with named rows and columns, from a few cells to thousands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.plots.drawing.appearance import FAINT, TICK_SIZE
from fuzzytruth.plots.drawing.names import letters_in, shown_names
from fuzzytruth.plots.drawing.text import fitted, inches_of, name_ticks

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_LEAST_SIZE = 4.5  # points of labels; where they do not fit, some are left out
_MOST_LETTERS = 30
_LEAST_LETTERS = 8  # of names that are not turned by 90 degrees
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
    return min(2.0, 0.5 * inches)


def heat(
    ax: Axes,
    values: Floats,
    rows: Sequence[str],
    columns: Sequence[str] | None,
    *,
    cmap: str,
    limits: tuple[float, float],
    label: str,
    gamma: float = 1.0,
) -> None:
    """Draw values (rows, columns) as coloured cells with a colour bar; NaN is grey.

    Without names of columns, only rows have labels.

    With a `gamma` below 1, small values differ more in colour.
    """
    import seaborn as sns
    from matplotlib.colors import PowerNorm

    ax.set_facecolor(FAINT)
    sns.heatmap(
        values,
        ax=ax,
        mask=np.isnan(values),
        cmap=cmap,
        norm=PowerNorm(gamma, *limits),
        xticklabels=False,
        yticklabels=False,
        cbar_kws={"fraction": 0.05, "pad": 0.02, "aspect": 30},
    )
    bar = ax.collections[0].colorbar
    assert bar is not None
    height = cell_points(ax, len(rows), "y") * len(rows)
    text = fitted(label, height, height, TICK_SIZE)
    bar.set_label(text, fontsize=TICK_SIZE, parse_math=False)
    bar.ax.tick_params(labelsize=TICK_SIZE)
    _name(ax, "y", rows)
    if columns is not None:
        _name(ax, "x", columns)


def _name(ax: Axes, axis: Literal["x", "y"], names: Sequence[str]) -> None:
    """Label cells; every second, third, ... only, where labels would overlap."""
    points = cell_points(ax, len(names), axis)
    size = float(np.clip(0.95 * points, _LEAST_SIZE, TICK_SIZE))
    width, height = inches_of(ax)
    most, style = letters_in(72 * width * 0.3, size), {"fontsize": size, "rotation": 0.0}
    longest = max(map(len, names))
    if axis == "x":
        most = letters_in(0.8 * points, size)
        if most < min(_LEAST_LETTERS, longest):
            most, style["rotation"] = letters_in(72 * height * 0.25, size), 90.0
    step = 1 if axis == "x" and not style["rotation"] else int(np.ceil(size / points))
    short = shown_names(names, min(most, _MOST_LETTERS))
    places = np.arange(0, len(names), step)
    name_ticks(ax, axis, (places + 0.5).tolist(), short[::step], **style)
    ax.tick_params(axis=axis, length=0, pad=2)


def ink_on(ax: Axes, value: float) -> str:
    """Black or white, whichever is seen on the colour of a value."""
    red, green, blue = ax.collections[0].to_rgba(np.array([value]))[0, :3]
    return "black" if 0.299 * red + 0.587 * green + 0.114 * blue > 0.5 else "white"
