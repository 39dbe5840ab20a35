"""Boxes and edges of a drawn tree, in points."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.hierarchy import topological_order
from fuzzytruth.errors import DataError
from fuzzytruth.plots.drawing.names import shown_names
from fuzzytruth.plots.drawing.tree_layout import centres, crossings, layout_parents

if TYPE_CHECKING:
    import pandas as pd

Grow = Literal["down", "right"]

FONT_SIZE = 10.0
LINE_HEIGHT = 1.2  # in font sizes
_MIN_WIDTH = 24.0  # of the text in a box
_WRAP = 22  # characters on a line of a name
_LONGEST_WORD = 2 * _WRAP  # that is not broken
_LONGEST = 4 * _WRAP
_PADDING = 5.0  # between text and the edge of its box
_MARGIN = 8.0  # around the picture
_MAX_LEAVES_DOWN = 14  # with more leaves, the tree grows to the right
_LEVEL_GAP = {"down": 26.0, "right": 40.0}
_SIBLING_GAP = {"down": 9.0, "right": 5.0}


@dataclass(frozen=True, slots=True, eq=False)
class Tree:
    """A rooted acyclic graph, nodes numbered level by level.

    Parameters
    ----------
    names : (nodes,) tuple of str
    parent, child : (edges,)
    level : (nodes,)
        Longest path from the root, in edges; ascending.
    """

    names: tuple[str, ...]
    parent: Ints
    child: Ints
    level: Ints

    @property
    def n_leaves(self) -> int:
        """Number of nodes without children."""
        return len(self.names) - len(np.unique(self.parent))


def tree_of(edges: pd.DataFrame) -> Tree:
    """Number the nodes of edges (parent, child); a missing parent marks the root.

    Raises
    ------
    DataError
        The edges have a cycle, or there is not exactly one root.
    """
    has_parent = edges["parent"].notna().to_numpy()
    pairs = list(zip(edges["parent"][has_parent], edges["child"][has_parent], strict=True))
    named = dict.fromkeys([*(name for pair in pairs for name in pair), *edges["child"]])
    code = {name: j for j, name in enumerate(named)}
    parent, child = (
        np.array([code[pair[end]] for pair in pairs], dtype=np.int64) for end in (0, 1)
    )
    order, level = topological_order(parent, child, len(code))
    n_roots = int((level == 0).sum())
    if len(order) < len(code) or n_roots != 1:
        problem = f"{n_roots} roots" if len(order) == len(code) else "a cycle"
        raise DataError(f"edges: they have {problem}; a tree has one root and no cycle")
    rank = np.empty(len(code), dtype=np.int64)
    rank[order] = np.arange(len(code))
    names = tuple(str(name) for name in code)
    return Tree(tuple(names[j] for j in order.tolist()), rank[parent], rank[child], level)


@dataclass(frozen=True, slots=True, eq=False)
class Boxes:
    """Positions of the boxes, in points.

    Parameters
    ----------
    texts : (nodes,) list
    centre : (nodes, 2)
    size : (nodes, 2)
        Width and height.
    bands : (levels, 2)
        Start and end of each level, in the direction of growth.
    extent : (width, height)
        Of the whole picture.
    grow : {"down", "right"}
    """

    texts: list[str]
    centre: Floats
    size: Floats
    bands: Floats
    extent: tuple[float, float]
    grow: Grow

    @property
    def axes(self) -> tuple[int, int]:
        """Index of the coordinate across the levels, and of that in the direction of growth."""
        return (0, 1) if self.grow == "down" else (1, 0)


def arrange_boxes(tree: Tree, texts: list[str], grow: Grow | None) -> Boxes:
    """Measure the texts and place the boxes."""
    size = np.array([_text_size(text) for text in texts]) + 2 * _PADDING
    grow = grow or ("down" if tree.n_leaves <= _MAX_LEAVES_DOWN else "right")
    across, along = (0, 1) if grow == "down" else (1, 0)
    depth = np.zeros(int(tree.level[-1]) + 1)
    np.maximum.at(depth, tree.level, size[:, along])
    if grow == "right":  # boxes of a level have one width, as in a table
        size[:, along] = depth[tree.level]
    start = np.concatenate(([0.0], np.cumsum(depth + _LEVEL_GAP[grow])))
    layout_parent = layout_parents(tree.parent, tree.child, tree.level)
    centre = np.empty_like(size)
    centre[:, across] = centres(layout_parent, size[:, across], _SIBLING_GAP[grow])
    centre[:, along] = (start[:-1] + depth / 2)[tree.level]
    centre += _MARGIN
    bands = np.stack((start[:-1], start[:-1] + depth), axis=1) + _MARGIN
    width, height = (centre + size / 2).max(axis=0) + _MARGIN
    return Boxes(texts, centre, size, bands, (float(width), float(height)), grow)


def texts_of(
    tree: Tree, values: Mapping[str, float], labels: Mapping[str, Any], number: str
) -> list[str]:
    """Wrapped name or label of each node, its value on a line of its own."""
    given = [" ".join(str(labels[n]).split()) if n in labels else n for n in tree.names]
    texts = []
    for name, whole in zip(tree.names, shown_names(given, _LONGEST), strict=True):
        is_long = max(map(len, whole.split()), default=0) > _LONGEST_WORD
        text = textwrap.fill(whole, _WRAP, break_long_words=is_long)
        text = text.replace("$", r"\$")  # else Matplotlib parses it as mathematics
        texts.append(f"{text}\n{values[name]:{number}}" if name in values else text)
    return texts


def _text_size(text: str) -> tuple[float, float]:
    """Width and height of a text, in points."""
    from matplotlib.textpath import TextPath

    lines = text.splitlines()
    widths = [TextPath((0, 0), line, size=FONT_SIZE).get_extents().width for line in lines if line]
    return max([*widths, _MIN_WIDTH]), LINE_HEIGHT * FONT_SIZE * len(lines)


def edge_path(tree: Tree, boxes: Boxes, upper: int, lower: int) -> tuple[Floats, list[int]]:
    """Path of an edge, straight across levels and curved between them.

    Returns
    -------
    points : (points, 2)
    codes : (points,) list of int
        Matplotlib's path codes.
    """
    from matplotlib.path import Path

    across, along = boxes.axes
    centre, size = boxes.centre, boxes.size
    between = crossings(centre[:, across], size[:, across], tree.level, (upper, lower), _MARGIN / 2)
    lanes = [centre[upper, across], *between, centre[lower, across]]
    bands = boxes.bands[tree.level[upper] : tree.level[lower] + 1].copy()  # (levels passed, 2)
    bands[0, 0] = centre[upper, along] + size[upper, along] / 2
    bands[-1, 1] = centre[lower, along] - size[lower, along] / 2
    points = [(lanes[0], bands[0, 0]), (lanes[0], bands[0, 1])]
    codes = [Path.MOVETO, Path.LINETO]
    for j in range(1, len(lanes)):
        halfway = (bands[j - 1, 1] + bands[j, 0]) / 2
        points += [(lanes[j - 1], halfway), (lanes[j], halfway), (lanes[j], bands[j, 0])]
        points.append((lanes[j], bands[j, 1]))
        codes += [Path.CURVE4, Path.CURVE4, Path.CURVE4, Path.LINETO]
    return np.array(points)[:, [across, along]], [int(code) for code in codes]
