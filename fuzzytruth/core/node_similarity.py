"""Similarity of two nodes of a rooted acyclic graph, by their common ancestors.

Where nodes have several common ancestors, the one that makes them most similar counts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.core.hierarchy import Closure


@dataclass(frozen=True, slots=True, eq=False)
class CommonAncestor:
    """A common ancestor of nodes a and b: numbers, or arrays that broadcast.

    Parameters
    ----------
    distance : edges from a up to the ancestor and down to b
    depth : edges from the root to the ancestor
    info : information content of the ancestor
    info_a, info_b : information content of a and of b
    """

    distance: Any
    depth: Any
    info: Any
    info_a: Any
    info_b: Any


def path(ancestor: CommonAncestor) -> Floats:
    """1 / (1 + edges between the nodes); Rada et al. 1989."""
    out: Floats = 1 / (1 + ancestor.distance)
    return out


def wu_palmer(ancestor: CommonAncestor) -> Floats:
    """Twice the nodes down to the ancestor, over the nodes down to a plus those down to b."""
    shared = 2 * (ancestor.depth + 1)
    out: Floats = shared / (ancestor.distance + shared)
    return out


def resnik(ancestor: CommonAncestor) -> Floats:
    """Information content of the ancestor."""
    out: Floats = ancestor.info + np.zeros(np.shape(ancestor.distance))
    return out


def lin(ancestor: CommonAncestor) -> Floats:
    """Information shared over the mean information of the two nodes; 1 where both have none."""
    return divide(2 * ancestor.info, ancestor.info_a + ancestor.info_b, fill=1.0)


def jiang_conrath(ancestor: CommonAncestor) -> Floats:
    """1 / (1 + information that only one of the nodes has)."""
    only_one = (ancestor.info_a - ancestor.info) + (ancestor.info_b - ancestor.info)
    out: Floats = 1 / (1 + only_one)
    return out


#: name -> similarity function
KINDS: dict[str, Callable[[CommonAncestor], Floats]] = {
    "path": path,
    "wu-palmer": wu_palmer,
    "resnik": resnik,
    "lin": lin,
    "jiang-conrath": jiang_conrath,
}


def intrinsic_information(below: Closure) -> Floats:
    """Information content from the number of descendants: 1 for leaves, 0 for the root, (nodes,).

    References
    ----------
    Seco, Veale & Hayes (2004), An intrinsic information content metric for semantic similarity in
    WordNet, ECAI.
    """
    size = np.diff(below.offsets)
    if len(size) == 1:
        return np.zeros(1)
    out: Floats = 1 - np.log(size) / np.log(len(size))
    return out


def all_similarities(kind: str, below: Closure, level: Ints, info: Floats) -> Floats:
    """Similarity of every two nodes, (nodes, nodes).

    Parameters
    ----------
    kind : str
        One of `KINDS`.
    below : Closure
        Descendants of each node.
    level, info : (nodes,)
        Depth by the longest path, and information content.
    """
    similarity = KINDS[kind]
    out = np.zeros((len(level), len(level)))
    for node in range(len(level)):  # as common ancestor
        start, stop = below.offsets[node], below.offsets[node + 1]
        under, distance = below.targets[start:stop], below.distance[start:stop]
        square = np.ix_(under, under)
        by_this_ancestor = similarity(
            CommonAncestor(
                distance[:, None] + distance[None, :],
                level[node],
                info[node],
                info[under][:, None],
                info[under][None, :],
            )
        )
        out[square] = np.maximum(out[square], by_this_ancestor)
    return out


def all_distances(below: Closure) -> Ints:
    """Edges between every two nodes through a common ancestor, (nodes, nodes)."""
    n_nodes = len(below.offsets) - 1
    out = np.full((n_nodes, n_nodes), np.iinfo(np.int64).max)
    for node in range(n_nodes):  # as common ancestor
        start, stop = below.offsets[node], below.offsets[node + 1]
        under, distance = below.targets[start:stop], below.distance[start:stop]
        square = np.ix_(under, under)
        out[square] = np.minimum(out[square], distance[:, None] + distance[None, :])
    return out
