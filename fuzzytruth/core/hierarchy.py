"""Rooted acyclic graphs as arrays: their order, their closure, and the cycles of those that fail.

Nodes are numbered from 0. Ragged answers are values laid end to end with offsets, as in `segments`.
Loops run over levels, never over nodes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fuzzytruth._typing import Ints
from fuzzytruth.core.segments import offsets_of


@dataclass(frozen=True, slots=True, eq=False)
class Links:
    """From each node to others.

    Parameters
    ----------
    offsets : (nodes + 1,)
    of : (links,)
        The nodes that each node leads to, one node after the other.
    """

    offsets: Ints
    of: Ints

    def __getitem__(self, node: int) -> Ints:
        return self.of[self.offsets[node] : self.offsets[node + 1]]

    def gather(self, nodes: Ints) -> tuple[Ints, Ints]:
        """All links of some nodes: place of each one's node among `nodes`, and its own in `of`."""
        lengths = self.offsets[nodes + 1] - self.offsets[nodes]
        starts = offsets_of(lengths)
        owner = np.repeat(np.arange(len(nodes)), lengths)
        return owner, np.arange(starts[-1]) + (self.offsets[nodes] - starts[:-1])[owner]


def links(source: Ints, target: Ints, n_nodes: int) -> tuple[Links, Ints]:
    """Links from the sources to the targets, each source's in the order given, and their rows."""
    rows = np.argsort(source, kind="stable")
    return Links(offsets_of(np.bincount(source, minlength=n_nodes)), target[rows]), rows


def arrange(parent: Ints, child: Ints, n_nodes: int) -> tuple[Ints, Ints]:
    """Order nodes so that all parents come before their children.

    Roots come first, then those whose parents are all roots, and so on: by length of the longest
    path from a root. Within a level, nodes go by their first parent in this order, and below
    one parent by the order of its edges.

    Parameters
    ----------
    parent, child : (edges,)

    Returns
    -------
    order : (placed,)
        Nodes in order; those on or below a cycle are left out.
    level : (placed,)
        Longest path from a root, in edges.
    """
    down, _ = links(parent, child, n_nodes)
    up, rows = links(child, parent, n_nodes)
    waits = np.diff(up.offsets)  # parents not yet placed
    code = np.full(n_nodes, -1, dtype=np.int64)
    here = np.flatnonzero(waits == 0)
    levels: list[Ints] = []
    placed = 0
    while len(here):
        code[here] = np.arange(placed, placed + len(here))
        placed += len(here)
        levels.append(here)
        _, below = down.gather(here)
        reached, times = np.unique(down.of[below], return_counts=True)
        waits[reached] -= times
        here = _by_first_parent(reached[waits[reached] == 0], up, rows, code)
    if not levels:
        return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
    return np.concatenate(levels), np.repeat(np.arange(len(levels)), [len(x) for x in levels])


def _by_first_parent(nodes: Ints, up: Links, rows: Ints, code: Ints) -> Ints:
    """Nodes by the code of their first parent, then by the row of the edge from it."""
    owner, place = up.gather(nodes)
    order = np.lexsort((rows[place], code[up.of[place]], owner))
    first = order[np.diff(owner[order], prepend=-1) > 0]  # (nodes,)
    return nodes[np.lexsort((rows[place[first]], code[up.of[place[first]]]))]


def a_cycle(parent: Ints, child: Ints, left: Ints, n_nodes: int) -> list[int]:
    """A cycle among the nodes that `arrange` left out, from parent to child, its start repeated."""
    is_left = np.zeros(n_nodes, dtype=bool)
    is_left[left] = True
    rows = np.flatnonzero(is_left[parent] & is_left[child])
    above = np.full(n_nodes, -1, dtype=np.int64)
    above[child[rows][::-1]] = parent[rows][::-1]  # the first edge given wins
    path: dict[int, None] = {}
    node = int(left[0])
    while node not in path:
        path[node] = None
        node = int(above[node])
    walked = list(path)
    return [node, *reversed(walked[walked.index(node) :])]


@dataclass(frozen=True, slots=True, eq=False)
class Closure(Links):
    """All ancestors (or all descendants) of each node, itself included, in ascending order.

    Parameters
    ----------
    distance : (links,)
        Edges on the shortest path down from the one to the other.
    """

    distance: Ints

    def turned(self) -> Closure:
        """All descendants of each node, in ascending order, with the same distances."""
        n_nodes = len(self.offsets) - 1
        node = np.repeat(np.arange(n_nodes), np.diff(self.offsets))
        order = np.argsort(self.of, kind="stable")
        counts = np.bincount(self.of, minlength=n_nodes)
        return Closure(offsets_of(counts), node[order], self.distance[order])


def close(up: Links, level: Ints) -> Closure:
    """All ancestors in an acyclic graph whose nodes are numbered level by level.

    Parameters
    ----------
    up : Links
        From each node to its parents.
    level : (nodes,)
        Ascending; every parent is on a lower level than its child.
    """
    n_nodes = len(level)
    ends = offsets_of(np.bincount(level))
    lengths = np.zeros(n_nodes, dtype=np.int64)
    offsets = np.zeros(n_nodes + 1, dtype=np.int64)
    # Room doubles as levels fill it, so that each is copied a few times at most.
    of, distance = np.empty(n_nodes, dtype=np.int64), np.empty(n_nodes, dtype=np.int64)
    for start, stop in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True):
        nodes = np.arange(start, stop)
        owner, place = up.gather(nodes)
        above = up.of[place]
        which, far = Links(offsets, of).gather(above)
        pair_node = np.concatenate((owner[which], np.arange(len(nodes))))
        pair_of = np.concatenate((of[far], nodes))
        pair_distance = np.concatenate((distance[far] + 1, np.zeros_like(nodes)))
        order = np.lexsort((pair_distance, pair_of, pair_node))
        pair_node, pair_of = pair_node[order], pair_of[order]
        new = np.ones(len(order), dtype=bool)  # the nearest of several ways up comes first
        new[1:] = (pair_node[1:] != pair_node[:-1]) | (pair_of[1:] != pair_of[:-1])
        lengths[start:stop] = np.bincount(pair_node[new], minlength=len(nodes))
        offsets[start + 1 : stop + 1] = offsets[start] + np.cumsum(lengths[start:stop])
        first, last = int(offsets[start]), int(offsets[stop])
        if last > len(of):
            of, distance = (np.resize(a, max(2 * len(a), last)) for a in (of, distance))
        of[first:last], distance[first:last] = pair_of[new], pair_distance[order][new]
    return Closure(offsets, of[: offsets[-1]].copy(), distance[: offsets[-1]].copy())
