"""Layout of a tree of boxes: subtrees as close together as their outlines allow.

After Reingold and Tilford (1981), for boxes of different breadth. A node with several parents is
placed below one of those a level above it; the other edges are drawn across.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fuzzytruth._typing import Floats, Ints


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
