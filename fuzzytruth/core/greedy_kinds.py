"""Greedy orders of items that cover few intents, by the kinds of items that there then are.

Items of one query that cover the same intents are of one *kind*, and gain the same. With n intents
there are 2^n kinds, so that each rank compares kinds instead of items.
"""

from __future__ import annotations

import numpy as np

from fuzzytruth._typing import Array, Bools, Floats, Ints
from fuzzytruth.core.rounding import ROUNDING

MOST_INTENTS = 5  # of a query; with more, kinds are no fewer than items often are


def gains_by_kind(
    covers: Bools, row: Ints, number: Ints, at: Ints, *, keep: float, ranks: int
) -> Floats:
    """Gain of the item at each rank, as `greedy_gains`: (ranks, queries, worlds).

    Parameters
    ----------
    covers : (entries, worlds) bool
    row, number : (entries,) int
        Item of each entry, ascending from 0 without gaps, and intent, from 0 in each query.
    at : (queries,) int
        Where the items of each query start; each has some.
    keep : float
    ranks : int
    """
    n_worlds, n_queries, n_intents = covers.shape[1], len(at), int(number.max()) + 1
    order, left = _ordered(covers, row, number, at, n_intents)
    cell = np.arange(n_queries * n_worlds)
    place = np.cumsum(left, axis=0) - left
    item = order[cell, place]  # the next one of each kind: (kinds, cells)
    left[0] = 0  # they cover nothing
    gain, score = np.ones((n_intents, len(cell))), np.zeros(left.shape)
    out = np.zeros((ranks, len(cell)))
    for rank in range(ranks):
        for kind in range(1, len(score)):
            last = kind.bit_length() - 1
            np.add(score[kind ^ (1 << last)], gain[last], out=score[kind])
        available = np.where(left > 0, score, 0.0)
        best = available.max(axis=0)
        if not best.any():
            break
        out[rank] = best
        is_best = (available >= best * (1 - ROUNDING)) & (left > 0)
        taken = np.where(is_best, item, order.shape[-1]).argmin(axis=0)
        left[taken, cell] -= 1
        place[taken, cell] += 1
        item[taken, cell] = order[cell, place[taken, cell]]
        for intent in range(n_intents):
            gain[intent] *= np.where(taken >> intent & 1, keep, 1.0)
    return out.reshape(ranks, n_queries, n_worlds)


def _ordered(
    covers: Bools, row: Ints, number: Ints, at: Ints, n_intents: int
) -> tuple[Array, Ints]:
    """Items of each cell (a query and a world) by kind, and how many there are of each kind.

    (cells, most items + 1) and (kinds, cells); bit j of a kind says whether it covers intent j.
    """
    starts = np.flatnonzero(np.diff(row, prepend=-1))
    bit = np.left_shift(1, number).astype(np.uint8)
    kind = np.bitwise_or.reduceat(covers * bit[:, None], starts, axis=0)  # (items, worlds)
    size = np.diff(np.append(at, len(kind)))
    query = np.repeat(np.arange(len(at)), size)
    side_by_side = np.zeros((len(at), covers.shape[1], size.max()), dtype=np.uint8)
    side_by_side[query, :, np.arange(len(kind)) - at[query]] = kind
    of_cell = side_by_side.reshape(-1, size.max())
    order = np.argsort(of_cell, axis=-1, kind="stable").astype(np.int32)
    left = np.stack([(of_cell == each).sum(axis=-1) for each in range(1 << n_intents)])
    return np.pad(order, ((0, 0), (0, 1))), left
