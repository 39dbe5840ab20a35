"""Rooted acyclic graphs as arrays: topological order, transitive closure and cycles.

Nodes are numbered from 0. Ragged results are stored end to end with offsets, as in `segments`.
Loops run over levels, never over nodes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fuzzytruth._typing import Ints
from fuzzytruth.core.arithmetic import begins, offsets_of, ragged


@dataclass(frozen=True, slots=True, eq=False)
class Adjacency:
    """Edges from each node to others, in compressed rows.

    Parameters
    ----------
    offsets : (nodes + 1,)
    targets : (edges,)
        The nodes that each node points to, one node after the other.
    """

    offsets: Ints
    targets: Ints

    def __getitem__(self, node: int) -> Ints:
        return self.targets[self.offsets[node] : self.offsets[node + 1]]

    def gather(self, nodes: Ints) -> tuple[Ints, Ints]:
        """All edges of the given nodes.

        Returns
        -------
        owner : (gathered,)
            Index into `nodes` of the node that each edge starts from.
        position : (gathered,)
            Index of the edge in `targets`.
        """
        return ragged(self.offsets, nodes)


def adjacency(source: Ints, target: Ints, n_nodes: int) -> tuple[Adjacency, Ints]:
    """Group edges by source, keeping the order given within each.

    Returns
    -------
    adjacency : Adjacency
    rows : (edges,)
        Index of each of its edges in the input.
    """
    rows = np.argsort(source, kind="stable")
    return Adjacency(offsets_of(np.bincount(source, minlength=n_nodes)), target[rows]), rows


def topological_order(parent: Ints, child: Ints, n_nodes: int) -> tuple[Ints, Ints]:
    """Order nodes level by level, so that parents precede their children.

    The level of a node is the length of its longest path from a root. Within a level, nodes are
    sorted by their first parent in this order, and those with the same first parent by the order of
    its edges.

    Parameters
    ----------
    parent, child : (edges,)

    Returns
    -------
    order : (sorted,)
        Nodes in order; those on or below a cycle are left out.
    level : (sorted,)
        Longest path from a root, in edges.
    """
    down, _ = adjacency(parent, child, n_nodes)
    up, rows = adjacency(child, parent, n_nodes)
    n_pending = np.diff(up.offsets)  # (nodes,) parents not yet sorted
    code = np.full(n_nodes, -1, dtype=np.int64)
    frontier = np.flatnonzero(n_pending == 0)
    levels: list[Ints] = []
    n_sorted = 0
    while len(frontier):
        code[frontier] = np.arange(n_sorted, n_sorted + len(frontier))
        n_sorted += len(frontier)
        levels.append(frontier)
        _, below = down.gather(frontier)
        reached, times = np.unique(down.targets[below], return_counts=True)
        n_pending[reached] -= times
        frontier = _by_first_parent(reached[n_pending[reached] == 0], up, rows, code)
    if not levels:
        return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
    return np.concatenate(levels), np.repeat(np.arange(len(levels)), [len(x) for x in levels])


def _by_first_parent(nodes: Ints, up: Adjacency, rows: Ints, code: Ints) -> Ints:
    """Sort nodes by the code of their first parent, then by the row of the edge from it."""
    owner, position = up.gather(nodes)
    parent_code = code[up.targets[position]]
    order = np.lexsort((rows[position], parent_code, owner))
    first = order[np.diff(owner[order], prepend=-1) > 0]  # (nodes,)
    return nodes[np.lexsort((rows[position[first]], parent_code[first]))]


def find_cycle(parent: Ints, child: Ints, unsorted: Ints, n_nodes: int) -> list[int]:
    """A cycle among the nodes that `topological_order` left out.

    Returns
    -------
    list of int
        From parent to child; the last node is the first one again.
    """
    is_unsorted = np.zeros(n_nodes, dtype=bool)
    is_unsorted[unsorted] = True
    rows = np.flatnonzero(is_unsorted[parent] & is_unsorted[child])
    a_parent = np.full(n_nodes, -1, dtype=np.int64)
    a_parent[child[rows][::-1]] = parent[rows][::-1]  # the first edge given wins
    visited: dict[int, None] = {}
    node = int(unsorted[0])
    while node not in visited:
        visited[node] = None
        node = int(a_parent[node])
    path = list(visited)
    return [node, *reversed(path[path.index(node) :])]


@dataclass(frozen=True, slots=True, eq=False)
class Closure(Adjacency):
    """All ancestors (or all descendants) of each node, itself included, in ascending order.

    Parameters
    ----------
    distance : (edges,)
        Edges on the shortest path between the two nodes.
    """

    distance: Ints

    def transposed(self) -> Closure:
        """Descendants of each node from ancestors of each, or vice versa."""
        n_nodes = len(self.offsets) - 1
        node = np.repeat(np.arange(n_nodes), np.diff(self.offsets))
        order = np.argsort(self.targets, kind="stable")
        counts = np.bincount(self.targets, minlength=n_nodes)
        return Closure(offsets_of(counts), node[order], self.distance[order])


def transitive_closure(up: Adjacency, level: Ints) -> Closure:
    """All ancestors in an acyclic graph whose nodes are numbered level by level.

    Parameters
    ----------
    up : Adjacency
        From each node to its parents.
    level : (nodes,)
        Ascending; every parent is on a lower level than its child.
    """
    n_nodes = len(level)
    ends = offsets_of(np.bincount(level))
    lengths = np.zeros(n_nodes, dtype=np.int64)
    offsets = np.zeros(n_nodes + 1, dtype=np.int64)
    # Capacity doubles as levels fill it, so that each is copied a few times at most.
    targets, distance = np.empty(n_nodes, dtype=np.int64), np.empty(n_nodes, dtype=np.int64)
    for start, stop in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True):
        nodes = np.arange(start, stop)
        owner, position = up.gather(nodes)
        which, far = Adjacency(offsets, targets).gather(up.targets[position])
        pair_node = np.concatenate((owner[which], np.arange(len(nodes))))
        pair_target = np.concatenate((targets[far], nodes))
        pair_distance = np.concatenate((distance[far] + 1, np.zeros_like(nodes)))
        order = np.lexsort((pair_distance, pair_target, pair_node))
        pair_node, pair_target = pair_node[order], pair_target[order]
        new = begins(pair_node, pair_target)  # the shortest of several paths comes first
        lengths[start:stop] = np.bincount(pair_node[new], minlength=len(nodes))
        offsets[start + 1 : stop + 1] = offsets[start] + np.cumsum(lengths[start:stop])
        first, last = int(offsets[start]), int(offsets[stop])
        if last > len(targets):
            capacity = max(2 * len(targets), last)
            targets, distance = (np.resize(array, capacity) for array in (targets, distance))
        targets[first:last], distance[first:last] = pair_target[new], pair_distance[order][new]
    return Closure(offsets, targets[: offsets[-1]].copy(), distance[: offsets[-1]].copy())
