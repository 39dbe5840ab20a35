"""Relevant items among the first 1, 2, ... ranks of many lists at once, items independent."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.core.exact import n_nodes, quadrature
from fuzzytruth.core.poisson_binomial import pmf


def packed_size(depth: int) -> int:
    """Numbers in the pmfs of the first 1, ..., `depth` ranks: 2 + 3 + ... + (depth + 1)."""
    return depth * (depth + 3) // 2


def packed_rank(rank: int) -> slice:
    """Where the pmf of the first `rank` ranks lies among the packed ones."""
    start = packed_size(rank - 1)
    return slice(start, start + rank + 1)


def packed_prefix_pmfs(p: Floats) -> Floats:
    """Pmfs of the first 1, ..., depth ranks of each list, end to end: (lists, depth) → (lists, …).

    Lists are the last axis while computing, so that every step runs along memory.
    """
    lists, depth = p.shape
    out = np.empty((packed_size(depth), lists))
    p = np.ascontiguousarray(p.T)
    before = np.ones((1, lists))
    for rank in range(1, depth + 1):
        now = out[packed_rank(rank)]
        np.multiply(before, 1 - p[rank - 1], out=now[:-1])
        now[-1] = 0
        now[1:] += before * p[rank - 1]
        before = now
    return out


def expected_recalls(p: Floats, rest: Floats, count: Floats | None = None) -> Floats:
    """E[X_n / R] for the first n = 1, ..., depth ranks: (lists, depth).

    The sum over items of E[X_i / R], each a quadrature of its own; `rest` are the items that are
    not among the ranks, each standing for `count` items.
    """
    total = np.zeros(p.shape)
    for t, weight in quadrature(n_nodes(p, rest, count)):
        factor = 1 + p * (t - 1)
        other = 1 + rest * (t - 1)
        if count is not None:
            other **= count
        product = weight * factor.prod(axis=-1) * other.prod(axis=-1)
        total += product[:, None] * p / factor
    out: Floats = np.cumsum(total, axis=-1)
    return out


def joint_pmfs(p: Floats, rest: Floats) -> Iterator[tuple[Floats, Floats]]:
    """At each rank n of one list: the pmf of the hits so far, and that of all other relevant items.

    Parameters
    ----------
    p : (depth,) float
    rest : (items,) float
        Items that are not among the ranks.
    """
    below = [pmf(rest)]
    for chance in p[:0:-1]:  # from the end up to the second rank
        below.append(_with(below[-1], float(chance)))
    above = np.ones(1)
    for chance, others in zip(p, reversed(below), strict=True):
        above = _with(above, float(chance))
        yield above, others


def _with(law: Floats, chance: float) -> Floats:
    """The pmf with one more event."""
    out = np.zeros(len(law) + 1)
    out[:-1] = law * (1 - chance)
    out[1:] += law * chance
    return out
