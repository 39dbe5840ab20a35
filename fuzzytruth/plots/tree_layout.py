"""Layout of a tree of boxes: subtrees as close together as their outlines allow.

After Reingold and Tilford (1981), for boxes of different breadth. A node with several parents is
placed below one of those a level above it; the other edges are drawn across.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.hierarchy import topological_order
from fuzzytruth.errors import DataError
from fuzzytruth.plots.drawing import shown_names


@dataclass(frozen=True, slots=True)
class Outline:
    """Extent of a placed subtree to both sides, level by level, its root at 0."""

    low: list[float]
    high: list[float]

    def shifted(self, by: float) -> Outline:
        """The outline with its root at `by`."""
        return Outline([x + by for x in self.low], [x + by for x in self.high])

    def joined(self, right: Outline) -> Outline:
        """The outline of this subtree and of another to the right of it."""
        depth, right_depth = len(self.low), len(right.high)
        return Outline(self.low + right.low[depth:], right.high + self.high[right_depth:])


def layout_parents(parent: Ints, child: Ints, level: Ints) -> Ints:
    """The parent below which each node is drawn: its first one level above; root: -1.

    Parameters
    ----------
    parent, child : (edges,)
    level : (nodes,)
        Length of the longest path from the root.

    Returns
    -------
    (nodes,) int64
    """
    adjacent = np.flatnonzero(level[parent] == level[child] - 1)
    out = np.full(len(level), -1, dtype=np.int64)
    out[child[adjacent][::-1]] = parent[adjacent][::-1]  # the first parent listed wins
    return out


def centres(layout_parent: Ints, breadth: Floats, gap: float) -> Floats:
    """Centre of each box across the levels; the leftmost edge is at 0.

    Parameters
    ----------
    layout_parent : (nodes,)
        The node below which each is drawn; smaller than the node itself.
    breadth : (nodes,)
        Size of the boxes across the levels.
    gap : float
        Minimum distance between neighbours.
    """
    children: list[list[int]] = [[] for _ in layout_parent]
    for node, parent in enumerate(layout_parent.tolist()):
        if parent >= 0:
            children[parent].append(node)
    offset = np.zeros(len(layout_parent))  # from the layout parent
    outlines: dict[int, Outline] = {}
    for node in range(len(layout_parent) - 1, -1, -1):
        half = float(breadth[node]) / 2
        below = _place_side_by_side(children[node], outlines, offset, gap)
        outlines[node] = Outline([-half, *below.low], [half, *below.high])
    out = np.zeros(len(layout_parent))
    for node, parent in enumerate(layout_parent.tolist()):
        out[node] = offset[node] + (out[parent] if parent >= 0 else 0.0)
    out -= (out - breadth / 2).min()
    return out


def crossings(
    centre: Floats, breadth: Floats, level: Ints, ends: tuple[int, int], margin: float
) -> list[float]:
    """Where an edge between nodes several levels apart crosses the levels between them.

    Parameters
    ----------
    centre, breadth : (nodes,)
        Of the boxes, across the levels.
    level : (nodes,)
        Ascending.
    ends : (int, int)
        The upper node and the lower one.
    margin : float
        Distance kept from boxes, if there is space.

    Returns
    -------
    list of float
        For each level, the gap between two boxes, or beside them all, that is nearest to the
        straight line.
    """
    upper, lower = ends
    crossed = np.arange(level[upper] + 1, level[lower])
    share = (crossed - level[upper]) / (level[lower] - level[upper])
    straight = centre[upper] + share * (centre[lower] - centre[upper])
    out = []
    for one_level, target in zip(crossed.tolist(), straight.tolist(), strict=True):
        nodes = np.flatnonzero(level == one_level)
        low, high = (np.sort(centre[nodes] + side * breadth[nodes] / 2) for side in (-1, 1))
        first, last = min(target, low[0] - margin), max(target, high[-1] + margin)
        space = np.minimum(margin, (low[1:] - high[:-1]) / 2)
        gaps = np.array([first, *np.clip(target, high[:-1] + space, low[1:] - space), last])
        out.append(float(gaps[np.abs(gaps - target).argmin()]))
    return out


def _place_side_by_side(
    nodes: list[int], outlines: dict[int, Outline], offset: Floats, gap: float
) -> Outline:
    """Place subtrees beside each other, their parent centred over the outermost two."""
    joint = Outline([], [])
    for node in nodes:
        outline = outlines.pop(node)
        pairs = zip(joint.high, outline.low, strict=False)
        offset[node] = max((high - low + gap for high, low in pairs), default=0.0)
        joint = joint.joined(outline.shifted(offset[node]))
    if nodes:
        centre = (offset[nodes[0]] + offset[nodes[-1]]) / 2
        offset[nodes] -= centre
        joint = joint.shifted(-centre)
    return joint


# Boxes and edges of a drawn tree, in points.


Grow = Literal["down", "right"]

FONT_SIZE = 10.0
LINE_HEIGHT = 1.2  # in font sizes
_MIN_WIDTH = 24.0  # of the text in a box
_WRAP = 22  # characters on a line of a name
_LONGEST_WORD = 2 * _WRAP  # that is not broken
_LONGEST = 4 * _WRAP
_PADDING = 5.0  # between text and the edge of its box
_MARGIN = 8.0  # around the picture
_MOST_APART = 60.0  # between levels, in addition
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


def fitted_boxes(
    tree: Tree, texts: Sequence[list[str]], grow: Grow | None, room: tuple[float, float]
) -> tuple[Boxes, float]:
    """The boxes whose letters are largest in so many points, and by what they are smaller.

    Where the first texts do not fit, boxes are tight, of any of the texts, and grow to either side;
    their levels take what is left of the room.
    """

    def scale(boxes: Boxes) -> float:
        return float(min(1.0, *np.divide(room, boxes.extent)))

    boxes = arrange_boxes(tree, texts[0], grow)
    ways: tuple[Grow, ...] = ("down", "right") if grow is None else (grow,)
    if scale(boxes) < 1:
        tight = [arrange_boxes(tree, some, way, 1 / 3) for some in texts for way in ways]
        boxes = max(tight, key=scale)
        along = boxes.axes[1]
        apart = (room[along] / scale(boxes) - boxes.extent[along]) / max(int(tree.level[-1]), 1)
        apart = min(max(apart, 0.0), _MOST_APART)
        boxes = arrange_boxes(tree, boxes.texts, boxes.grow, 1 / 3, apart)
    return boxes, scale(boxes)


def arrange_boxes(
    tree: Tree, texts: list[str], grow: Grow | None, loose: float = 1.0, apart: float = 0.0
) -> Boxes:
    """Measure the texts and place the boxes, less loosely or with levels farther apart."""
    size = np.array([_text_size(text) for text in texts]) + 2 * _PADDING * loose
    grow = grow or ("down" if tree.n_leaves <= _MAX_LEAVES_DOWN else "right")
    across, along = (0, 1) if grow == "down" else (1, 0)
    depth = np.zeros(int(tree.level[-1]) + 1)
    np.maximum.at(depth, tree.level, size[:, along])
    if grow == "right":  # boxes of a level have one width, as in a table
        size[:, along] = depth[tree.level]
    start = np.concatenate(([0.0], np.cumsum(depth + _LEVEL_GAP[grow] * loose + apart)))
    layout_parent = layout_parents(tree.parent, tree.child, tree.level)
    centre = np.empty_like(size)
    centre[:, across] = centres(layout_parent, size[:, across], _SIBLING_GAP[grow] * loose)
    centre[:, along] = (start[:-1] + depth / 2)[tree.level]
    centre += _MARGIN
    bands = np.stack((start[:-1], start[:-1] + depth), axis=1) + _MARGIN
    width, height = (centre + size / 2).max(axis=0) + _MARGIN
    return Boxes(texts, centre, size, bands, (float(width), float(height)), grow)


def texts_of(
    tree: Tree, values: Mapping[str, float], labels: Mapping[str, Any], number: str, between: str
) -> list[str]:
    """Wrapped name or label of each node, with what is between it and its value."""
    given = [" ".join(str(labels[n]).split()) if n in labels else n for n in tree.names]
    texts = []
    for name, whole in zip(tree.names, shown_names(given, _LONGEST), strict=True):
        is_long = max(map(len, whole.split()), default=0) > _LONGEST_WORD
        text = textwrap.fill(whole, _WRAP, break_long_words=is_long)
        text = text.replace("$", r"\$")  # else Matplotlib parses it as mathematics
        texts.append(f"{text}{between}{values[name]:{number}}" if name in values else text)
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
