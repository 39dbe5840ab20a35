"""Exact expectations of recall and average precision over independent items, by quadrature.

Kernels take lists side by side, (items, lists); padding has probability 0. See
`fuzzytruth.core.quadrature` for the method and its error.
"""

from __future__ import annotations

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.core.columns import column_sums
from fuzzytruth.core.quadrature import factors, generating, in_rows, nodes_for


def expected_recall(inside: Floats, rest: Floats, count: Floats | None = None) -> Floats:
    """E[X / R], X the number of relevant items inside, 0/0 being 0: (lists,).

    Parameters
    ----------
    inside, rest : (items, lists)
        Probabilities of the items inside the cut-off, and of all others.
    count : (items, lists), optional
        Number of items that each of `rest` stands for.
    """
    out = np.zeros(inside.shape[1])
    for lists, u, weight in nodes_for([(inside, None), (rest, count)]):
        product = generating(rest[:, lists], u, None if count is None else count[:, lists])
        total = np.zeros_like(u)
        for _, p in in_rows(inside[:, lists]):
            factor = factors(p, u)
            product *= np.multiply.reduce(factor, axis=0)
            np.divide(p, factor, out=factor)
            total += column_sums(factor)
        out[lists] = column_sums(weight * product * total)
    return out


def expected_average_precision(
    inside: Floats, rank: Floats, rest: Floats, count: Floats | None = None
) -> Floats:
    """E[AP], 0 without relevant items: (lists,).

    Parameters
    ----------
    inside, rank : (items, lists)
        Probabilities of the items inside the cut-off and their ranks, ascending, infinite in the
        padding.
    rest, count
        As in `expected_recall`.
    """
    out, inverse = np.zeros(inside.shape[1]), 1 / rank
    for lists, u, weight in nodes_for([(inside, None), (rest, count)]):
        product = generating(rest[:, lists], u, None if count is None else count[:, lists])
        total, above, share = np.zeros_like(u), np.ones_like(u), inverse[:, lists]
        for some, p in in_rows(inside[:, lists]):
            factor = factors(p, u)
            product *= np.multiply.reduce(factor, axis=0)
            np.divide(p, factor, out=factor)  # (items, nodes, lists)
            expected = factor * (1 - u)
            for i, each in enumerate(expected):
                factor[i] *= above  # 1 + the relevant items above
                above += each
            factor *= share[some, None]
            total += column_sums(factor)
        out[lists] = column_sums(weight * product * total)
    return out
