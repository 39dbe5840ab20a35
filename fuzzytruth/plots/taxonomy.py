"""The picture of a `Taxonomy`: a box for each category, with its name over its probability."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.data.taxonomy.rooted_graph import RootedGraph
from fuzzytruth.errors import OptionError, choice
from fuzzytruth.plots.axes import pyplot
from fuzzytruth.plots.tree_layout import holders, places, ways_through

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap

Grow = Literal["down", "right"]

_SIZE = 10.0  # points of the text
_LEADING = 1.2  # of a line, in sizes
_BASE = 0.95  # of which above the baseline
_NARROWEST = 24.0  # points of text in a box
_WIDEST = 22  # characters on a line of a name
_PAD = 5.0  # points between text and the edge of its box
_MARGIN = 8.0  # points around the picture
_WIDE = 14  # leaves beside each other, above which the tree grows to the right
_EMPTY = "#f4f4f4"  # boxes without a value
_LINE = "#777777"


@dataclass(frozen=True, slots=True)
class Style:
    """How to draw; see `Taxonomy.plot`."""

    grow: Grow | None
    number: str
    cmap: str
    limits: tuple[float, float]


@dataclass(frozen=True, slots=True, eq=False)
class Boxes:
    """Where the boxes go, in points.

    Parameters
    ----------
    texts : (nodes,) list
    middle : (nodes, 2)
    size : (nodes, 2)
        Width and height.
    bands : (levels, 2)
        Where each level starts and ends, along the way from the root.
    whole : (width, height)
    grow : {"down", "right"}
    """

    texts: list[str]
    middle: Floats
    size: Floats
    bands: Floats
    whole: tuple[float, float]
    grow: Grow

    @property
    def axes(self) -> tuple[int, int]:
        """Which coordinate runs across the levels, and which along the way from the root."""
        return (0, 1) if self.grow == "down" else (1, 0)


def draw(
    tax: RootedGraph,
    values: Mapping[str, float],
    labels: Mapping[str, Any],
    style: Style,
    ax: Axes | None,
) -> Axes:
    """Draw on `ax`, or in a new figure of the picture's own size, and return the axes.

    Raises
    ------
    MissingPackageError
        Matplotlib is not installed.
    OptionError
        There is no such colour map, or the limits are not in order.
    """
    plt = pyplot()
    import matplotlib as mpl

    choice("grow", style.grow, (None, "down", "right"))
    if style.cmap not in mpl.colormaps:
        raise OptionError(f"cmap={style.cmap!r}: Matplotlib has no colour map of this name")
    if not style.limits[0] < style.limits[1]:
        raise OptionError(f"limits={style.limits}: the first must be less than the second")
    boxes = arrange_boxes(tax, values, labels, style)
    if ax is None:
        figure = plt.figure(figsize=(boxes.whole[0] / 72, boxes.whole[1] / 72))
        ax = figure.add_axes((0, 0, 1, 1))
    _draw_lines(ax, tax, boxes)
    _draw_boxes(ax, tax, boxes, values, mpl.colormaps[style.cmap], style.limits)
    ax.set_xlim(0, boxes.whole[0])
    ax.set_ylim(boxes.whole[1], 0)
    ax.set_aspect("equal")
    ax.set_axis_off()
    return ax


def arrange_boxes(
    tax: RootedGraph, values: Mapping[str, float], labels: Mapping[str, Any], style: Style
) -> Boxes:
    """Measure the texts and place the boxes."""
    texts = []
    for name in tax.nodes:
        text = textwrap.fill(str(labels.get(name, name)), _WIDEST, break_long_words=False)
        text = text.replace("$", r"\$")  # or Matplotlib takes it for mathematics
        texts.append(f"{text}\n{values[name]:{style.number}}" if name in values else text)
    size = np.array([_measure(text) for text in texts]) + 2 * _PAD
    n_leaves = int((np.diff(tax.down.offsets) == 0).sum())
    grow = style.grow or ("down" if n_leaves <= _WIDE else "right")
    across, along = (0, 1) if grow == "down" else (1, 0)
    depth = np.zeros(int(tax.level[-1]) + 1)
    np.maximum.at(depth, tax.level, size[:, along])
    if grow == "right":  # boxes of one level are equally long, as in a table
        size[:, along] = depth[tax.level]
    room = 26.0 if grow == "down" else 40.0
    start = np.concatenate(([0.0], np.cumsum(depth + room)))
    middle = np.empty_like(size)
    middle[:, across] = places(holders(tax), size[:, across], 9.0 if grow == "down" else 5.0)
    middle[:, along] = (start[:-1] + depth / 2)[tax.level]
    middle += _MARGIN
    bands = np.stack((start[:-1], start[:-1] + depth), axis=1) + _MARGIN
    far = (middle + size / 2).max(axis=0) + _MARGIN
    return Boxes(texts, middle, size, bands, (float(far[0]), float(far[1])), grow)


def _measure(text: str) -> tuple[float, float]:
    """Width and height of a text, in points."""
    from matplotlib.textpath import TextPath

    lines = text.splitlines()
    wide = [TextPath((0, 0), line, size=_SIZE).get_extents().width for line in lines if line]
    return max([*wide, _NARROWEST]), _LEADING * _SIZE * len(lines)


def _draw_lines(ax: Axes, tax: RootedGraph, boxes: Boxes) -> None:
    """A line for each edge; dashed if the child is drawn below another parent."""
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    holder = holders(tax)
    for above, below in zip(*(ends.tolist() for ends in tax.edges()), strict=True):
        points, codes = _line(tax, boxes, above, below)
        ax.add_patch(
            PathPatch(
                Path(points, codes),
                fill=False,
                edgecolor=_LINE,
                linewidth=1.0,
                linestyle="solid" if holder[below] == above else (0, (4, 3)),
                zorder=1,
            )
        )


def _line(tax: RootedGraph, boxes: Boxes, above: int, below: int) -> tuple[Floats, list[int]]:
    """Points and codes of a path that crosses levels straight and bends between them."""
    from matplotlib.path import Path

    across, along = boxes.axes
    upper, lower = int(tax.level[above]), int(tax.level[below])
    through = ways_through(
        boxes.middle[:, across], boxes.size[:, across], tax.level, (above, below), _MARGIN / 2
    )
    lanes = [boxes.middle[above, across], *through, boxes.middle[below, across]]
    ends = boxes.bands[upper : lower + 1].copy()  # (levels crossed, start and end)
    ends[0, 0] = boxes.middle[above, along] + boxes.size[above, along] / 2
    ends[-1, 1] = boxes.middle[below, along] - boxes.size[below, along] / 2
    points = [(lanes[0], ends[0, 0]), (lanes[0], ends[0, 1])]
    codes = [Path.MOVETO, Path.LINETO]
    for j in range(1, len(lanes)):
        half = (ends[j - 1, 1] + ends[j, 0]) / 2
        points += [(lanes[j - 1], half), (lanes[j], half), (lanes[j], ends[j, 0])]
        points.append((lanes[j], ends[j, 1]))
        codes += [Path.CURVE4, Path.CURVE4, Path.CURVE4, Path.LINETO]
    return np.array(points)[:, [across, along]], [int(code) for code in codes]


def _draw_boxes(
    ax: Axes,
    tax: RootedGraph,
    boxes: Boxes,
    values: Mapping[str, float],
    cmap: Colormap,
    limits: tuple[float, float],
) -> None:
    from matplotlib.patches import FancyBboxPatch

    size = _SIZE * min(1.0, _room(ax, boxes.whole))
    for node, name in enumerate(tax.nodes):
        fill: Any = _EMPTY
        if name in values:
            fill = cmap((values[name] - limits[0]) / (limits[1] - limits[0]))
        width, height = boxes.size[node]
        x, y = boxes.middle[node]
        ax.add_patch(
            FancyBboxPatch(
                (x - width / 2, y - height / 2),
                width,
                height,
                boxstyle="round,pad=0,rounding_size=4",
                facecolor=fill,
                edgecolor=_LINE,
                linewidth=0.8,
                zorder=2,
            )
        )
        ink = _ink(fill)
        lines = boxes.texts[node].splitlines()
        for j, line in enumerate(lines):  # each on its own baseline, whatever letters hang below
            base = y + (j - len(lines) / 2) * _LEADING * _SIZE + _BASE * _SIZE
            ax.text(x, base, line, ha="center", va="baseline", size=size, color=ink, zorder=3)


def _room(ax: Axes, whole: tuple[float, float]) -> float:
    """Points on the page for each point of the picture."""
    figure = ax.get_figure(root=True)
    box = ax.get_window_extent()
    points = 72 / (figure.dpi if figure is not None else 72)
    return float(min(box.width * points / whole[0], box.height * points / whole[1]))


def _ink(fill: Any) -> str:
    """Black or white, whichever stands out against the fill."""
    from matplotlib.colors import to_rgb

    linear = [((c + 0.055) / 1.055) ** 2.4 if c > 0.04045 else c / 12.92 for c in to_rgb(fill)]
    luminance = float(np.dot((0.2126, 0.7152, 0.0722), linear))
    return "white" if luminance < 0.18 else "black"
