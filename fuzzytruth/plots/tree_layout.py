"""Where the boxes of a drawn tree go: subtrees as close together as their outlines allow.

After Reingold and Tilford 1981, for boxes of different breadth. A node with several parents is
placed below one of those a level above it; the other edges are drawn across.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.data.taxonomy.rooted_graph import RootedGraph


@dataclass(frozen=True, slots=True)
class Outline:
    """How far a placed subtree reaches to both sides, level by level, from its own root at 0."""

    low: list[float]
    high: list[float]

    def moved(self, by: float) -> Outline:
        """The outline when its root stands at `by`."""
        return Outline([x + by for x in self.low], [x + by for x in self.high])

    def beside(self, other: Outline) -> Outline:
        """The outline of this subtree and of another on its far side."""
        deeper = len(self.low)
        return Outline(
            self.low + other.low[deeper:],
            other.high + self.high[len(other.high) :],
        )


def holders(tax: RootedGraph) -> Ints:
    """The parent below which each node is drawn: the first of those a level above; root: -1."""
    parent, child = tax.edges()
    near = np.flatnonzero(tax.level[parent] == tax.level[child] - 1)
    out = np.full(len(tax), -1, dtype=np.int64)
    out[child[near][::-1]] = parent[near][::-1]  # the first given wins
    return out


def places(holder: Ints, breadth: Floats, gap: float) -> Floats:
    """The middle of each box across the levels, the smallest edge at 0.

    Parameters
    ----------
    holder : (nodes,)
        Which node each is drawn below; smaller than the node itself.
    breadth : (nodes,)
        Of the boxes.
    gap : float
        Least room between neighbours.
    """
    below: list[list[int]] = [[] for _ in holder]
    for node, above in enumerate(holder.tolist()):
        if above >= 0:
            below[above].append(node)
    offset = np.zeros(len(holder))  # from the node's holder
    outlines: dict[int, Outline] = {}
    for node in range(len(holder) - 1, -1, -1):
        half = float(breadth[node]) / 2
        inner = _side_by_side(below[node], outlines, offset, gap)
        outlines[node] = Outline([-half, *inner.low], [half, *inner.high])
    out = np.zeros(len(holder))
    for node, above in enumerate(holder.tolist()):
        out[node] = offset[node] + (out[above] if above >= 0 else 0.0)
    out -= (out - breadth / 2).min()
    return out


def ways_through(
    middle: Floats, breadth: Floats, level: Ints, ends: tuple[int, int], margin: float
) -> list[float]:
    """Where a line from one node to another, levels apart, passes each level between them.

    Parameters
    ----------
    middle, breadth : (nodes,)
        Of the boxes, across the levels.
    level : (nodes,)
        Ascending.
    ends : (int, int)
        The upper node and the lower one.
    margin : float
        How far from a box a line passes, if there is room.

    Returns
    -------
    list of float
        For each level, the place between two boxes, or beside them all, that is nearest to the
        straight line.
    """
    upper, lower = ends
    between = np.arange(level[upper] + 1, level[lower])
    share = (between - level[upper]) / (level[lower] - level[upper])
    straight = middle[upper] + share * (middle[lower] - middle[upper])
    out = []
    for here, wanted in zip(between.tolist(), straight.tolist(), strict=True):
        nodes = np.flatnonzero(level == here)
        low, high = (np.sort(middle[nodes] + side * breadth[nodes] / 2) for side in (-1, 1))
        first, last = min(wanted, low[0] - margin), max(wanted, high[-1] + margin)
        room = np.minimum(margin, (low[1:] - high[:-1]) / 2)
        gaps = np.array([first, *np.clip(wanted, high[:-1] + room, low[1:] - room), last])
        out.append(float(gaps[np.abs(gaps - wanted).argmin()]))
    return out


def _side_by_side(
    nodes: list[int], outlines: dict[int, Outline], offset: Floats, gap: float
) -> Outline:
    """Put subtrees beside each other, their holder over the middle of the outer ones."""
    joint = Outline([], [])
    for node in nodes:
        outline = outlines.pop(node)
        pairs = zip(joint.high, outline.low, strict=False)
        offset[node] = max((high - low + gap for high, low in pairs), default=0.0)
        joint = joint.beside(outline.moved(offset[node]))
    if nodes:
        middle = (offset[nodes[0]] + offset[nodes[-1]]) / 2
        offset[nodes] -= middle
        joint = joint.moved(-middle)
    return joint
