"""Sets of nodes of which all are joined to each other."""

from __future__ import annotations

import numpy as np

from fuzzytruth._typing import Bools


def clique_cover(joined: Bools) -> list[tuple[int, ...]]:
    """Maximal cliques such that every edge is within one of them.

    A clique is a set of nodes that are all joined; it is maximal if no other node is joined to all
    of it. Each clique starts with the first edge that is in none so far, and takes the node that
    adds most such edges (the first of several) as long as there is one joined to all. A graph can
    have exponentially many maximal cliques, but has no more of these than edges. Where nodes can
    be ordered so that each is joined to a run of neighbours, these are all there are.

    Parameters
    ----------
    joined : (nodes, nodes) bool
        Symmetric; the diagonal plays no part.

    Returns
    -------
    list of tuple of int
        Ascending, each of two nodes or more.

    Examples
    --------
    >>> joined = np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]], dtype=bool)
    >>> clique_cover(joined)
    [(0, 1), (1, 2)]
    """
    joined = joined & ~np.eye(len(joined), dtype=bool)
    open_ = joined.copy()  # edges that are in no clique so far
    out = []
    while open_.any():
        members = [int(node) for node in np.unravel_index(int(open_.argmax()), open_.shape)]
        common = joined[members].all(axis=0)
        while common.any():
            gain = np.where(common, open_[members].sum(axis=0), -1)
            members.append(int(gain.argmax()))
            common &= joined[members[-1]]
        open_[np.ix_(members, members)] = False
        out.append(tuple(sorted(members)))
    return sorted(out)
