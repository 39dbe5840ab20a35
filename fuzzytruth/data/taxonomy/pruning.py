"""Removal of nodes from a rooted acyclic graph."""

from __future__ import annotations

import numpy as np

from fuzzytruth._typing import Bools, Ints
from fuzzytruth.data.taxonomy.rooted_graph import RootedGraph


def reattached_edges(graph: RootedGraph, removed: Bools) -> tuple[Ints, Ints]:
    """Edges among the nodes kept, children of removed ones attached to the parents of these.

    Returns
    -------
    parent, child : (edges,)
        Sorted by child, each edge once.
    """
    parent, child = graph.edges()
    inside = ~removed[child]
    parent, child = parent[inside], child[inside]
    while removed[parent].any():  # one level up at a time
        gone = removed[parent]
        owner, position = graph.up.gather(parent[gone])
        parent = np.concatenate((parent[~gone], graph.up.targets[position]))
        child = np.concatenate((child[~gone], child[gone][owner]))
        child, parent = np.divmod(np.unique(child * len(graph) + parent), len(graph))
    return parent, child


def unreachable_without(graph: RootedGraph, removed: Bools) -> Bools:
    """Removed nodes, and nodes all of whose paths to the root lead through one, (nodes,)."""
    out = removed.copy()
    parent, child = graph.edges()
    starts = np.searchsorted(graph.level, np.arange(int(graph.level[-1]) + 2))
    edge_starts = np.searchsorted(child, starts)
    for first, last in zip(edge_starts[1:-1].tolist(), edge_starts[2:].tolist(), strict=True):
        reachable = np.zeros(len(graph), dtype=bool)
        reachable[child[first:last][~out[parent[first:last]]]] = True
        on_level = np.unique(child[first:last])
        out[on_level] |= ~reachable[on_level]
    return out
