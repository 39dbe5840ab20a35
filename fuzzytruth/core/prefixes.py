"""Number of relevant items among the first 1, 2, ... ranks of many lists, items independent."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.core.columns import column_sums, take_columns
from fuzzytruth.core.poisson_binomial import one_more, pmf
from fuzzytruth.core.quadrature import factors, generating, in_rows, nodes_for


def packed_size(depth: int) -> int:
    """Length of the packed pmfs of the first 1, ..., `depth` ranks: 2 + 3 + ... + (depth + 1)."""
    return depth * (depth + 3) // 2


def packed_rank(rank: int) -> slice:
    """Slice of the packed pmfs that is the pmf of the first `rank` ranks."""
    start = packed_size(rank - 1)
    return slice(start, start + rank + 1)


@np.errstate(under="ignore")
def packed_prefix_pmfs(p: Floats) -> Floats:
    """Pmfs of the number of relevant items among the first 1, ..., depth ranks, end to end.

    Parameters
    ----------
    p : (lists, depth) float
        Probability that the item at each rank is relevant.

    Returns
    -------
    (packed_size(depth), lists) float
        Lists are the last axis, so that every step is contiguous in memory.
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
    """Expected recall E[X_n / R] at ranks n = 1, ..., depth: (lists, depth).

    The cumulative sum of E[X_i / R] over items, each by quadrature.

    Parameters
    ----------
    p : (lists, depth) float
    rest, count : (lists, items) float
        Probabilities of the items beyond these ranks, and how many items each stands for.
    """
    ranked, others = np.ascontiguousarray(p.T), np.ascontiguousarray(rest.T)
    number = None if count is None else np.ascontiguousarray(count.T)
    share = np.zeros(ranked.shape)
    for lists, u, weight, many in nodes_for([(ranked, None), (others, number)]):
        some = take_columns(ranked, lists)
        product = generating(others, u, lists, number, many=many)
        product *= weight * generating(some, u, many=many)
        for items, chance in in_rows(some, u):
            ratio = product * chance / factors(chance, u)  # (items, nodes, lists)
            share[items, lists] = column_sums(np.ascontiguousarray(ratio.swapaxes(0, 1)))
    out: Floats = np.cumsum(share, axis=0).T
    return out


def joint_pmfs(p: Floats, rest: Floats) -> Iterator[tuple[Floats, Floats]]:
    """For each rank of one list: pmf of the relevant items up to it, and of all others.

    Parameters
    ----------
    p : (depth,) float
    rest : (items,) float
        Probabilities of the items beyond these ranks.
    """
    below = [pmf(rest)]
    for chance in p[:0:-1]:  # from the last rank to the second
        below.append(one_more(below[-1], float(chance)))
    above = np.ones(1)
    for chance, others in zip(p, reversed(below), strict=True):
        above = one_more(above, float(chance))
        yield above, others
