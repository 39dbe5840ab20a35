"""A tree, or rooted acyclic graph, of boxes: names above values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth.core.validation import ascending_pair, option_mapping
from fuzzytruth.errors import DataError, OptionError, choice, shown
from fuzzytruth.plots.drawing.appearance import EDGE, EMPTY, SEQUENTIAL, TITLE_SIZE, check_axes
from fuzzytruth.plots.drawing.names import drawable
from fuzzytruth.plots.drawing.text import box_points, cut_to, give_way
from fuzzytruth.plots.drawing.tree_layout import (
    FONT_SIZE,
    LINE_HEIGHT,
    Boxes,
    Grow,
    Tree,
    arrange_boxes,
    edge_path,
    layout_parents,
    texts_of,
    tree_of,
)
from fuzzytruth.plots.frames import check_columns, plot_data

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap

_BASELINE = 0.95  # of a line of text, from its top, in font sizes
_TITLE_HEIGHT = 22.0  # points above the picture
_WIDEST_TITLE = 720.0  # points, where the picture is narrower
_BESIDE = 0.015  # of the picture, left of its title


@dataclass(frozen=True, slots=True, eq=False)
class Fill:
    """Colour of boxes by value."""

    values: Mapping[str, float]
    cmap: Colormap
    limits: tuple[float, float]

    def __call__(self, name: str) -> Any:
        """Colour of a node."""
        if name not in self.values:
            return EMPTY
        low, high = self.limits
        return self.cmap((self.values[name] - low) / (high - low))


def tree(
    data: Any,
    ax: Axes | None = None,
    *,
    values: Mapping[str, float] | None = None,
    labels: Mapping[str, Any] | None = None,
    number: str = ".2g",
    grow: Grow | None = None,
    cmap: str = SEQUENTIAL,
    limits: tuple[float, float] = (0.0, 1.0),
    title: str | None = None,
    **options: Any,
) -> Axes:
    """Draw a tree: a box for each node, with its name above its value.

    Parameters
    ----------
    data : DataFrame, Taxonomy or Membership
        One row for each edge: columns parent and child; see `Taxonomy.to_frame`. A missing parent
        marks the root, which a tree of one node needs. Nodes may have several parents: edges to
        all but one are dashed. A `Membership` has values of its own.
    ax : matplotlib Axes, optional
        Axes to draw on; the text shrinks to fit. None: a new figure of the picture's size.
    values : mapping, optional
        Number of each node, written below its name and shown by colour; nodes without one stay
        grey.
    labels : mapping, optional
        Text to write instead of names.
    number : str
        Format of the values, as in ``format(value, number)``.
    grow : {"down", "right"}, optional
        Whether children are drawn below their parents or to the right of them. None: below, unless
        there are more than 14 leaves.
    cmap : str
        A Matplotlib colour map.
    limits : (float, float)
        The values at the two ends of the colour map.
    title : str, optional
        By default the result's own.
    **options
        Of a result: `item` of a `Membership`.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    DataError
        A column is missing, there are no rows, not exactly one root, a cycle, or `values` is no
        mapping.
    OptionError
        There is no such colour map, or the limits are not ascending.

    References
    ----------
    Reingold & Tilford (1981), Tidier drawings of trees, IEEE Transactions on Software Engineering.

    Examples
    --------
    >>> import matplotlib; matplotlib.use("Agg")
    >>> import pandas as pd
    >>> from fuzzytruth import plots
    >>> edges = pd.DataFrame({"parent": ["all", "all"], "child": ["people", "scenery"]})
    >>> ax = plots.tree(edges, values={"people": 0.6})
    >>> [text.get_text() for text in ax.texts]
    ['all', 'people', '0.6', 'scenery']
    """
    import matplotlib as mpl
    import matplotlib.pyplot as plt

    choice("grow", grow, (None, "down", "right"))
    if cmap not in mpl.colormaps:
        raise OptionError(f"cmap={cmap!r}: Matplotlib has no colour map of this name")
    check_axes(ax)
    limits = ascending_pair("limits", limits)
    drawn = plot_data(data, "tree", **options)
    known = values_of(values, drawn.beside)
    title = drawn.heading(title)
    graph = tree_of(check_columns(drawn.frame, ("parent", "child"), "edges"))
    boxes = arrange_boxes(
        graph, texts_of(graph, known, option_mapping("labels", labels), number), grow
    )
    width, height = boxes.extent
    top = _TITLE_HEIGHT if title else 0.0
    room = max(width, _WIDEST_TITLE) if ax is None else box_points(ax)[0]
    title = cut_to(drawable([title])[0], (1 - 2 * _BESIDE) * room, TITLE_SIZE)
    aside = max(0.0, len(title) * 0.6 * TITLE_SIZE - width)  # right of a narrow tree
    if ax is None:
        size = ((width + aside) / 72, (height + top) / 72)
        ax = plt.figure(figsize=size).add_axes((0, 0, 1, 1))
    _draw_edges(ax, graph, boxes)
    _draw_boxes(ax, graph, boxes, Fill(known, mpl.colormaps[cmap], limits))
    ax.set(xlim=(0, width + aside), ylim=(height, -top), aspect="equal")
    ax.set_axis_off()
    if title:
        own: dict[str, Any] = {"fontsize": TITLE_SIZE, "pad": -TITLE_SIZE - 5, "parse_math": False}
        give_way(ax, ax.set_title(title, loc="left", x=_BESIDE, y=1, **own))
    return ax


def values_of(values: Any, beside: pd.DataFrame | None) -> dict[str, float]:
    """The given values, or else those of a result, a frame with columns category and value.

    Nodes whose value is NaN have none.

    Raises
    ------
    DataError
        `values` is no mapping.
    """
    if values is None:
        pairs = [] if beside is None else zip(beside["category"], beside["value"], strict=True)
    elif isinstance(values, Mapping):
        pairs = values.items()
    else:
        raise DataError(f"values={shown(values)}: must be a mapping of names to numbers")
    return {str(name): float(value) for name, value in pairs if value == value}


def _draw_edges(ax: Axes, graph: Tree, boxes: Boxes) -> None:
    """Draw a line for each edge; dashed if the child is drawn below another parent."""
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    layout_parent = layout_parents(graph.parent, graph.child, graph.level)
    for parent, child in zip(graph.parent.tolist(), graph.child.tolist(), strict=True):
        ax.add_patch(
            PathPatch(
                Path(*edge_path(graph, boxes, parent, child)),
                fill=False,
                edgecolor=EDGE,
                linewidth=1.0,
                linestyle="solid" if layout_parent[child] == parent else (0, (4, 3)),
                zorder=1,
            )
        )


def _draw_boxes(ax: Axes, graph: Tree, boxes: Boxes, fill: Fill) -> None:
    from matplotlib.patches import FancyBboxPatch

    font_size = FONT_SIZE * min(1.0, _scale(ax, boxes.extent))
    for node, name in enumerate(graph.names):
        colour = fill(name)
        (x, y), (width, height) = boxes.centre[node], boxes.size[node]
        ax.add_patch(
            FancyBboxPatch(
                (x - width / 2, y - height / 2),
                width,
                height,
                boxstyle="round,pad=0,rounding_size=4",
                facecolor=colour,
                edgecolor=EDGE,
                linewidth=0.8,
                zorder=2,
            )
        )
        style: dict[str, Any] = {"size": font_size, "color": _text_colour(colour), "zorder": 3}
        lines = boxes.texts[node].splitlines()
        for j, line in enumerate(lines):  # baselines do not depend on descenders
            top = y + (j - len(lines) / 2) * LINE_HEIGHT * FONT_SIZE
            base = top + _BASELINE * FONT_SIZE
            ax.text(x, base, line, ha="center", va="baseline", **style)


def _scale(ax: Axes, extent: tuple[float, float]) -> float:
    """Points on the page for each point of the picture."""
    figure = ax.get_figure(root=True)
    box = ax.get_window_extent()
    points = 72 / (figure.dpi if figure is not None else 72)
    return float(min(box.width * points / extent[0], box.height * points / extent[1]))


def _text_colour(fill: Any) -> str:
    """Black or white, whichever contrasts more with the fill (WCAG 2 relative luminance)."""
    from matplotlib.colors import to_rgb

    linear = [((c + 0.055) / 1.055) ** 2.4 if c > 0.04045 else c / 12.92 for c in to_rgb(fill)]
    luminance = float(np.dot((0.2126, 0.7152, 0.0722), linear))
    return "white" if luminance < 0.18 else "black"
