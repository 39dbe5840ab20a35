"""Exact expectations of recall and average precision over independent items, by quadrature.

Kernels take lists side by side, (items, lists); padding has probability 0. See
`fuzzytruth.core.quadrature` for the method and its error.
"""

from __future__ import annotations

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.core.columns import column_sums, take_columns
from fuzzytruth.core.quadrature import factors, generating, in_rows, nodes_for, rows_of


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
    for lists, u, weight, many in nodes_for([(inside, None), (rest, count)]):
        product = generating(rest, u, lists, count, many=many)
        if many:
            product *= generating(inside, u, lists, many=True)
        total = np.zeros_like(u)
        for _, p in in_rows(take_columns(inside, lists), u):
            factor = factors(p, u)
            if not many:
                product *= np.multiply.reduce(factor, axis=0)
            np.divide(p, factor, out=factor)
            total += column_sums(factor)
        out[lists] = column_sums(weight * product * total)
    return out


def expected_average_precision(
    inside: Floats, weight: Floats, rest: Floats, count: Floats | None = None
) -> Floats:
    """E[AP], 0 without relevant items: (lists,).

    Parameters
    ----------
    inside, weight : (items, lists)
        Probabilities of the items inside the cut-off, by rank, and 1 / their ranks.
    rest, count
        As in `expected_recall`.
    """
    out = np.zeros(inside.shape[1])
    for lists, u, measure, many in nodes_for([(inside, None), (rest, count)]):
        product = generating(rest, u, lists, count, many=many)
        if many:
            product *= generating(inside, u, lists, many=True)
        total, share, t = np.zeros_like(u), take_columns(weight, lists), 1 - u
        above = np.ones((rows_of(u) + 1, *u.shape))  # 1 + the relevant items above each
        for some, p in in_rows(take_columns(inside, lists), u):
            factor = factors(p, u)
            if not many:
                product *= np.multiply.reduce(factor, axis=0)
            np.divide(p, factor, out=factor)  # (items, nodes, lists)
            expected = factor * t
            for i, each in enumerate(expected):
                np.add(above[i], each, out=above[i + 1])
            factor *= above[: len(factor)]
            factor *= share[some, None]
            total += column_sums(factor)
            above[0] = above[len(factor)]
        out[lists] = column_sums(measure * product * total)
    return out
