"""How near two nodes of a rooted acyclic graph are, judged by an ancestor that both have.

Where there are several common ancestors, the one that makes the two nodes nearest counts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.hierarchy import Closure


@dataclass(frozen=True, slots=True, eq=False)
class Meeting:
    """Two nodes and an ancestor of both: numbers, or arrays that broadcast.

    Parameters
    ----------
    far : edges from one node up to the ancestor and down to the other
    depth : edges from the root to the ancestor
    info : information content of the ancestor
    info_a, info_b : that of the two nodes
    """

    far: Any
    depth: Any
    info: Any
    info_a: Any
    info_b: Any


def path(m: Meeting) -> Floats:
    """1 / (1 + edges between the nodes)."""
    out: Floats = 1 / (1 + m.far)
    return out


def wu_palmer(m: Meeting) -> Floats:
    """Nodes down to the ancestor, twice, over nodes down to the one and to the other."""
    above = 2 * (m.depth + 1)
    out: Floats = above / (m.far + above)
    return out


def resnik(m: Meeting) -> Floats:
    """Information content of the ancestor."""
    out: Floats = m.info + np.zeros(np.shape(m.far))
    return out


def lin(m: Meeting) -> Floats:
    """Information shared over information held; 1 where there is none."""
    held = m.info_a + m.info_b
    out: Floats = np.divide(2 * m.info, held, out=np.ones(np.shape(held)), where=held > 0)
    return out


def jiang_conrath(m: Meeting) -> Floats:
    """1 / (1 + information that only one of the nodes holds)."""
    out: Floats = 1 / (1 + ((m.info_a - m.info) + (m.info_b - m.info)))
    return out


#: name of a similarity -> it, larger the nearer
KINDS: dict[str, Callable[[Meeting], Floats]] = {
    "path": path,
    "wu-palmer": wu_palmer,
    "resnik": resnik,
    "lin": lin,
    "jiang-conrath": jiang_conrath,
}


def intrinsic_information(below: Closure) -> Floats:
    """Information content by how few nodes lie below: 1 for leaves, 0 for the root."""
    size = np.diff(below.offsets)
    if len(size) == 1:
        return np.zeros(1)
    out: Floats = 1 - np.log(size) / np.log(len(size))
    return out


def all_similarities(kind: str, below: Closure, level: Ints, info: Floats) -> Floats:
    """Similarity of every two nodes, (nodes, nodes)."""
    compare = KINDS[kind]
    out = np.zeros((len(level), len(level)))
    for node in range(len(level)):  # as common ancestor
        start, stop = below.offsets[node], below.offsets[node + 1]
        under, far = below.of[start:stop], below.distance[start:stop]
        square = np.ix_(under, under)
        near = compare(
            Meeting(
                far[:, None] + far[None, :],
                level[node],
                info[node],
                info[under][:, None],
                info[under][None, :],
            )
        )
        out[square] = np.maximum(out[square], near)
    return out


def all_distances(below: Closure) -> Ints:
    """Edges between every two nodes by way of a common ancestor, (nodes, nodes)."""
    n_nodes = len(below.offsets) - 1
    out = np.full((n_nodes, n_nodes), np.iinfo(np.int64).max)
    for node in range(n_nodes):
        start, stop = below.offsets[node], below.offsets[node + 1]
        under, far = below.of[start:stop], below.distance[start:stop]
        square = np.ix_(under, under)
        out[square] = np.minimum(out[square], far[:, None] + far[None, :])
    return out
