"""Leaving nodes out of a rooted acyclic graph, and what becomes of those below them."""

from __future__ import annotations

import numpy as np

from fuzzytruth._typing import Bools, Ints
from fuzzytruth.data.taxonomy.rooted_graph import RootedGraph


def attached_to_kept(tax: RootedGraph, removed: Bools) -> tuple[Ints, Ints]:
    """Edges among kept nodes, where the children of removed ones go to the parents of these.

    Returns
    -------
    parent, child : (edges,)
        Sorted by child, each edge once.
    """
    parent, child = tax.edges()
    inside = ~removed[child]
    parent, child = parent[inside], child[inside]
    while removed[parent].any():  # one level up at a time
        gone = removed[parent]
        owner, place = tax.up.gather(parent[gone])
        parent = np.concatenate((parent[~gone], tax.up.of[place]))
        child = np.concatenate((child[~gone], child[gone][owner]))
        child, parent = np.divmod(np.unique(child * len(tax) + parent), len(tax))
    return parent, child


def with_what_hangs_on(tax: RootedGraph, removed: Bools) -> Bools:
    """The removed nodes and all whose every way to the root leads through one of them."""
    out = removed.copy()
    parent, child = tax.edges()
    starts = np.searchsorted(tax.level, np.arange(int(tax.level[-1]) + 2))
    edge_starts = np.searchsorted(child, starts)
    for first, last in zip(edge_starts[1:-1].tolist(), edge_starts[2:].tolist(), strict=True):
        held = np.zeros(len(tax), dtype=bool)
        held[child[first:last][~out[parent[first:last]]]] = True
        here = np.unique(child[first:last])
        out[here] |= ~held[here]
    return out
