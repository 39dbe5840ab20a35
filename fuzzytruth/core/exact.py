"""Exact expectations over independent items, by quadrature and by leave-one-out pmfs.

All kernels take lists padded to one length, (..., queries, items), padding having probability 0;
leading axes are resamples.

An expectation of 1/R, R the number of relevant items, is an integral of their probability
generating function: 1/R = ∫₀¹ t^(R - 1) dt. The integrand is a polynomial in t, for which
Gauss–Legendre quadrature is exact with half as many nodes as its degree, and accurate with far
fewer.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from fuzzytruth._typing import Floats


@lru_cache(maxsize=64)
def quadrature(n: int) -> tuple[tuple[float, float], ...]:
    """Nodes and weights of Gauss–Legendre quadrature on [0, 1]."""
    node, weight = np.polynomial.legendre.leggauss(n)
    return tuple(zip(((node + 1) / 2).tolist(), (weight / 2).tolist(), strict=True))


def n_nodes(listed: Floats, rest: Floats, count: Floats | None = None) -> int:
    """Number of nodes: 3·√R + 4 for an error of 1e-12, or fewer if that is exact.

    R is the largest number of relevant items, except with a probability below 1e-9. (The integrand
    falls off within 1/R of t = 1, where nodes are 1/n² apart.)
    """
    each = np.ones(rest.shape[-1]) if count is None else count
    mean = listed.sum(axis=-1) + (each * rest).sum(axis=-1)
    variance = (listed * (1 - listed)).sum(axis=-1) + (each * rest * (1 - rest)).sum(axis=-1)
    largest = float(np.max(mean + 6 * np.sqrt(variance), initial=0.0))
    exact = int(listed.shape[-1] + np.max(each.sum(axis=-1))) // 2 + 1
    return max(1, min(exact, int(3 * largest**0.5) + 4))


def _generating(
    listed: Floats, rest: Floats, count: Floats | None
) -> Iterator[tuple[float, Floats, Floats]]:
    """At each node t: t, its weight times Π g over all items, and p/g of the listed ones.

    g = 1 - p + p·t is the generating function of one item. The arrays are overwritten at the next
    node.
    """
    factor, other = np.empty_like(listed), np.empty_like(rest)
    for t, weight in quadrature(n_nodes(listed, rest, count)):
        np.multiply(listed, t - 1, out=factor)
        factor += 1
        np.multiply(rest, t - 1, out=other)
        other += 1
        if count is not None:
            np.power(other, count, out=other)
        product = weight * factor.prod(axis=-1) * other.prod(axis=-1)
        np.divide(listed, factor, out=factor)
        yield t, product, factor


def expected_recall(inside: Floats, rest: Floats, count: Floats | None = None) -> Floats:
    """E[X / R], X the number of relevant items inside, 0/0 being 0: (..., queries).

    Parameters
    ----------
    inside, rest : (..., queries, items)
        Probabilities of the items inside the cut-off, and of all others.
    count : (..., items), optional
        Number of items that each of `rest` stands for.
    """
    total: Floats = np.zeros(rest.shape[:-1])
    for _, product, ratio in _generating(inside, rest, count):
        total += product * ratio.sum(axis=-1)
    return total


def expected_average_precision(
    inside: Floats, rank: Floats, rest: Floats, count: Floats | None = None
) -> Floats:
    """E[AP], 0 without relevant items: (..., queries).

    Parameters
    ----------
    inside, rank : (..., queries, items)
        Probabilities of the items inside the cut-off and their ranks, ascending, infinite in the
        padding.
    rest, count
        As in `expected_recall`.
    """
    total: Floats = np.zeros(rest.shape[:-1])
    share, up_to = np.empty_like(inside), np.empty_like(inside)
    for t, product, ratio in _generating(inside, rest, count):
        np.divide(ratio, rank, out=share)
        np.cumsum(ratio, axis=-1, out=up_to)
        up_to -= ratio
        up_to *= t
        up_to += 1
        total += product * np.einsum("...i,...i->...", share, up_to)
    return total


def leave_one_out(p: Floats, whole: Floats) -> Floats:
    """Pmf of the number of events, each one left out in turn: (..., items, counts).

    Parameters
    ----------
    p : (..., items) float
        Probability of the event that is left out.
    whole : (..., counts + 1) float
        Pmf of the number of all events.

    Notes
    -----
    Leaving an event out undoes one convolution. Upwards from 0, errors are multiplied by
    p / (1 - p) at each step, downwards by the inverse; the direction in which they shrink is taken.
    """
    n = whole.shape[-1] - 1
    up = p <= 0.5
    out = np.zeros((*p.shape, n))
    low, high = np.where(up, p, 0.0), np.where(up, 1.0, p)
    last = np.zeros_like(p)
    for count in range(n):
        last = (whole[..., None, count] - low * last) / (1 - low)
        out[..., count] = last
    last = np.zeros_like(p)
    for count in range(n, 0, -1):
        last = (whole[..., None, count] - (1 - high) * last) / high
        out[..., count - 1] = np.where(up, out[..., count - 1], last)
    return np.maximum(out, 0.0)
