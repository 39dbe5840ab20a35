"""Trees: boxes with names above values, and indented rows with bars."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth._typing import Axes, Bools, Ints
from fuzzytruth.core.validation import ascending_pair, option_mapping, option_number, whole_number
from fuzzytruth.errors import DataError, choice, counted, require, shown
from fuzzytruth.plots import drawing, scheme, tree_layout
from fuzzytruth.plots.drawing import shown_names, size_of, width_of
from fuzzytruth.plots.frames import Title, check_columns, plot_data
from fuzzytruth.plots.tree_layout import Boxes, Grow, Tree, layout_parents, tree_of

_ROUND = "round,pad=0,rounding_size=4"
_BASELINE = 0.95  # of a line of text, from its top, in font sizes
_TITLE_LINE, _ABOVE = 1.28, 10.0  # font sizes of each line above the picture, points around them
_HIGHEST = 0.3  # of given axes, of the title
_NARROWEST = 230.0  # points of a title above a narrower picture
_BESIDE = 0.015  # of the picture, left of its title


def tree(
    data: Any,
    ax: Axes | None = None,
    *,
    values: Mapping[str, float] | None = None,
    labels: Mapping[str, Any] | None = None,
    number: str = ".2g",
    grow: Grow | None = None,
    cmap: str = scheme.SEQUENTIAL,
    limits: tuple[float, float] = (0.0, 1.0),
    title: Title = True,
    **options: Any,
) -> Axes:
    """Draw a tree: a box for each node, with its name above its value.

    Parameters
    ----------
    data : DataFrame, Taxonomy, Membership or Communities
        One row for each edge: columns parent and child; see `Taxonomy.to_frame`. A missing parent
        marks the root, which a tree of one node needs. Nodes may have several parents: edges to
        all but one are dashed. A `Membership` has values of its own.
    ax, title
        Where to draw; the text shrinks to fit. See `plots`.
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
    **options
        Of a result: `item` of a `Membership`.

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
    require("cmap", cmap, cmap in mpl.colormaps, "Matplotlib has no colour map of this name")
    drawing.check_axes(ax)
    limits = ascending_pair("limits", limits)
    drawn = plot_data(data, "tree", **options)
    known = values_of(values, drawn.beside)
    heading = drawn.heading(title)
    graph = tree_of(check_columns(drawn.frame, ("parent", "child"), "edges"))
    words = option_mapping("labels", labels)
    texts = [tree_layout.texts_of(graph, known, words, number, between) for between in ("\n", " ")]
    room = (np.inf, np.inf) if ax is None else drawing.room_points(ax)
    boxes, scale = tree_layout.fitted_boxes(graph, texts, grow, room)
    length = max(boxes.extent[0], _NARROWEST) if ax is None else room[0]
    highest = min(0.3 * boxes.extent[1] + 80, _HIGHEST * room[1])
    heading, size = drawing.shortened(heading, (1 - 4 * _BESIDE) * length, (highest, highest))
    lines = heading.split("\n") if heading else []
    top = _TITLE_LINE * size * len(lines) + _ABOVE if lines else 0.0
    boxes, scale = tree_layout.fitted_boxes(graph, texts, grow, (room[0], room[1] - top))
    width, height = boxes.extent
    widest = max((drawing.width_of(line, size) for line in lines), default=0.0)
    aside = max(0.0, widest / (1 - 4 * _BESIDE) - width) if ax is None else 0.0  # of a narrow tree
    if ax is None:
        inches = ((width + aside) / 72, (height + top) / 72)
        ax = plt.figure(figsize=inches).add_axes((0, 0, 1, 1))
    _draw_edges(ax, graph, boxes)
    low, high = limits
    shares = {name: (value - low) / (high - low) for name, value in known.items()}
    colours = {x: mpl.colormaps[cmap](share) for x, share in shares.items()}
    _draw_boxes(ax, graph, boxes, colours, tree_layout.FONT_SIZE * scale)
    ax.set(xlim=(0, width + aside), ylim=(height, -top / scale), aspect="equal", anchor="W")
    ax.set_axis_off()
    if lines:
        own: dict[str, Any] = {"fontsize": size, "parse_math": False, "va": "top", "pad": -5}
        drawing.give_way(ax, ax.set_title(heading, loc="left", x=_BESIDE, y=1, **own))
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
        path = Path(*tree_layout.edge_path(graph, boxes, parent, child))
        dashes = "solid" if layout_parent[child] == parent else (0, (4, 3))
        style: dict[str, Any] = {"edgecolor": scheme.EDGE, "linewidth": 1.0, "linestyle": dashes}
        ax.add_patch(PathPatch(path, fill=False, zorder=1, **style))


def _draw_boxes(
    ax: Axes, graph: Tree, boxes: Boxes, colours: Mapping[str, Any], font_size: float
) -> None:
    from matplotlib.patches import FancyBboxPatch

    for node, name in enumerate(graph.names):
        colour = colours.get(name, scheme.EMPTY)
        (x, y), (width, height) = boxes.centre[node], boxes.size[node]
        corner = (x - width / 2, y - height / 2)
        own: dict[str, Any] = {"facecolor": colour, "edgecolor": scheme.EDGE, "linewidth": 0.8}
        ax.add_patch(FancyBboxPatch(corner, width, height, boxstyle=_ROUND, zorder=2, **own))
        style: dict[str, Any] = {"size": font_size, "color": scheme.ink(colour), "zorder": 3}
        lines = boxes.texts[node].splitlines()
        for j, line in enumerate(lines):  # baselines do not depend on descenders
            top = y + (j - len(lines) / 2) * tree_layout.LINE_HEIGHT * tree_layout.FONT_SIZE
            base = top + _BASELINE * tree_layout.FONT_SIZE
            ax.text(x, base, line, ha="center", va="baseline", **style)


# Rows of a tree that is drawn as an indented list.


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Nodes from top to bottom.

    Parameters
    ----------
    names : tuple of str
    depth : tuple of int
        Of each row, from the root.
    repeated : tuple of bool
        Whether a node has further parents, below which it is not listed again.
    n_below : int
        Nodes without a row for their value.
    n_cut : int
        Nodes without a row because there are too many.
    """

    names: tuple[str, ...]
    depth: tuple[int, ...]
    repeated: tuple[bool, ...]
    n_below: int
    n_cut: int


def rows_of(
    tree: Tree, values: Mapping[str, float], minimum: float | None, most: int | None
) -> Rows:
    """List the nodes, each once, below its first parent.

    Parameters
    ----------
    tree : Tree
    values : mapping
    minimum : float, optional
        Nodes with a smaller value, or none, are hidden, unless a node below them is not.
    most : int, optional
        The most rows; those with the largest values are kept, and the nodes above them.
    """
    parent = layout_parents(tree.parent, tree.child, tree.level)
    value = np.array([values.get(name, -np.inf) for name in tree.names], dtype=float)
    wanted = np.ones(len(value), dtype=bool) if minimum is None else value >= minimum
    kept = _largest(parent, np.where(wanted, value, -np.inf), wanted, most or len(value))
    order = [node for node in _preorder(parent) if kept[node]]
    n_parents = np.bincount(tree.child, minlength=len(value))
    return Rows(
        tuple(tree.names[node] for node in order),
        tuple(int(tree.level[node]) for node in order),
        tuple(bool(n_parents[node] > 1) for node in order),
        int((~wanted & ~kept).sum()),
        int((wanted & ~kept).sum()),
    )


def _largest(parent: Ints, value: Ints, wanted: Bools, most: int) -> Bools:
    """Which nodes to keep: the root, and wanted ones with all above them while there is room."""
    kept = np.zeros(len(parent), dtype=bool)
    kept[0] = True  # nodes are numbered level by level, the root first
    room = most - 1
    for node in np.argsort(-value, kind="stable").tolist():
        missing = []
        above = node
        while not kept[above]:
            missing.append(above)
            above = int(parent[above])
        if wanted[node] and len(missing) <= room:
            kept[missing] = True
            room -= len(missing)
    return kept


def _preorder(parent: Ints) -> list[int]:
    """Each node after the one above it, its children in their order."""
    children: list[list[int]] = [[] for _ in parent]
    for node, above in enumerate(parent.tolist()):
        if above >= 0:
            children[above].append(node)
    out, stack = [], [0]
    while stack:
        node = stack.pop()
        out.append(node)
        stack.extend(reversed(children[node]))
    return out


MOST_ROWS = 60
_ROW = 0.17  # inches
_LONG = 0.8  # of the axis, of bars whose number is inside them
_INDENT = "\u2003"  # an em space
_MARK = " †"  # of nodes with further parents


def tree_bars(
    data: Any,
    ax: Axes | None = None,
    *,
    values: Mapping[str, float] | None = None,
    labels: Mapping[str, Any] | None = None,
    number: str = ".2g",
    limits: tuple[float, float] = (0.0, 1.0),
    minimum: float | None = None,
    most: int = MOST_ROWS,
    title: Title = True,
    xlabel: str = "value",
    **options: Any,
) -> Axes:
    """Draw a tree as a list: a row for each node, indented by depth, with a bar for its value.

    A node with several parents is listed once, below the first that is one level above it, and
    marked with †. Of a larger tree those rows are drawn that have the largest values, and the nodes
    above them; the figure says how many are not shown.

    Parameters
    ----------
    data : DataFrame or result
        One row for each edge: columns parent and child, as for `plots.tree`.
    ax, title
        Where to draw, under which title; see `plots`.
    values : mapping, optional
        Number of each node, such as its probability; nodes without one (or NaN) have no bar, those
        of value 0 the text "0". By default the result's own.
    labels : mapping, optional
        Text to write instead of names.
    number : str
        Format of the values, as in ``format(value, number)``.
    limits : (float, float)
        The ends of the horizontal axis.
    minimum : float, optional
        Leave out nodes with a smaller value, or none, unless a node below them is shown. By
        default all are shown; of more than `most`, those with values above 0 if there are any.
    most : int
        The most rows.
    xlabel : str
        What the values are.
    **options
        Of a result: `item` of a `Membership`.

    Raises
    ------
    DataError
        A column is missing, there are no rows, not exactly one root, a cycle, or `values` is no
        mapping.
    OptionError
        `most` is no whole number from 1, `minimum` no number, or the limits are not ascending.

    Examples
    --------
    >>> import pandas as pd
    >>> from fuzzytruth import plots
    >>> edges = pd.DataFrame({"parent": ["all", "all"], "child": ["people", "scenery"]})
    >>> ax = plots.tree_bars(edges, values={"all": 1, "people": 0.6}, xlabel="probability")
    >>> [label.get_text().strip() for label in ax.get_yticklabels()]
    ['all', 'people', 'scenery']
    >>> [float(bar.get_width()) for bar in ax.patches]
    [1.0, 0.6]
    """
    most = whole_number("most", most, 1)
    least = None if minimum is None else option_number("minimum", minimum)
    limits = ascending_pair("limits", limits)
    drawn = plot_data(data, "tree_bars", **options)
    known = values_of(values, drawn.beside)
    graph = tree_of(check_columns(drawn.frame, ("parent", "child"), "edges"))
    most = min(most, drawing.most_rows(ax))
    large = len(graph.names) > most
    if least is None and large and any(x > 0 for x in known.values()):
        least = float(np.nextafter(0, 1))
    rows = rows_of(graph, known, least, most)
    ax = drawing.axes_or_new(ax, height=1.0 + _ROW * len(rows.names))
    _draw_bars(ax, rows, known, number, limits)
    _name_rows(ax, rows, option_mapping("labels", labels))
    ax.set(xlim=limits, ylim=(len(rows.names) - 0.4, -0.6))
    notes = _notes(rows, least)
    if known:
        notes = [xlabel, *notes]
    else:
        ax.set_xticks([])
    ax.set_xlabel("\n".join(notes))
    drawing.finish(ax, drawn.heading(title))
    return ax


def _draw_bars(
    ax: Axes, rows: Rows, values: Mapping[str, float], number: str, limits: tuple[float, float]
) -> None:
    start, end = limits
    size = min(0.95 * drawing.row_points(ax, len(rows.names)), size_of() - 1)
    for place, name in enumerate(rows.names):
        ax.axhline(place, color=scheme.FAINT, linewidth=0.4, zorder=0)
        if name not in values:
            continue
        value = values[name]
        ax.barh(place, value - start, 0.7, left=start, color=scheme.MAIN)
        style: dict[str, Any] = {"textcoords": "offset points", "va": "center"}
        style |= {"fontsize": size, "annotation_clip": False, "zorder": 2}
        if value - start > _LONG * (end - start):  # inside the bar, not over the frame
            style |= {"xytext": (-2, 0), "ha": "right", "color": "white"}
        else:
            ground = {"facecolor": "white", "linewidth": 0, "pad": 0.6}
            style |= {"xytext": (2, 0), "bbox": ground}
        ax.annotate(format(value, number), (value, place), **style)


def _name_rows(ax: Axes, rows: Rows, labels: Mapping[str, Any]) -> None:
    """Names at the left edge, each indented."""
    size = min(0.95 * drawing.row_points(ax, len(rows.names)), size_of())
    longest = drawing.letters_in(0.45 * 72 * drawing.inches_of(ax)[0], size) - 2 * max(rows.depth)
    names = shown_names([labels.get(name, name) for name in rows.names], max(longest, 12))
    texts = [
        f"{_INDENT * depth}{name}{_MARK if again else ''}"
        for name, depth, again in zip(names, rows.depth, rows.repeated, strict=True)
    ]
    drawing.name_ticks(ax, "y", range(len(texts)), texts, fontsize=size, ha="left")
    widest = max(width_of(name, size) for name in texts)
    ax.tick_params(axis="y", length=0, pad=1.03 * widest + 4)


def _notes(rows: Rows, least: float | None) -> list[str]:
    """What is not seen."""
    notes = []
    if rows.n_below:
        smaller = "value 0 or none" if least is None or least < 1e-300 else f"less than {least:g}"
        notes.append(f"not shown: {counted(rows.n_below, 'category')} with {smaller}")
    if rows.n_cut:
        notes.append(f"not shown: {counted(rows.n_cut, 'category')} for lack of room")
    if any(rows.repeated):
        notes.append("† has further parents, below which it is not listed again")
    return notes
