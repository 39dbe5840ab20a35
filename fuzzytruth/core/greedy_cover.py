"""The best order of items that cover intents, found greedily, in many worlds at once."""

from __future__ import annotations

import numpy as np

from fuzzytruth._typing import Array, Bools, Floats, Ints
from fuzzytruth.core.rounding import ROUNDING

_PLACES = 1 << 22  # entries and worlds in memory at once


def greedy_gains(
    covers: Bools,
    item: Ints,
    intent: Ints,
    offsets: Ints,
    *,
    n_intents: int,
    keep: float,
    depth: int | None,
) -> Floats:
    """Gain of the item at each rank, each rank taking the item that gains most there.

    An item gains, for each intent that it covers, `keep` to the power of the number of items above
    it that cover the intent. The greedy order need not be the best one, which is NP-hard to find.
    Of items that gain the same, up to rounding, the first is taken.

    Parameters
    ----------
    covers : (entries, worlds) bool
        Whether the item of an entry covers its intent.
    item, intent : (entries,) int
        Ascending by item; each combination once.
    offsets : (queries + 1,) int
        Where the items of each query start.
    n_intents : int
    keep : float
        In [0, 1].
    depth : int or None
        Number of ranks; None: as many as have a gain.

    Returns
    -------
    (ranks, worlds, queries) float
        At most `depth` ranks; those after them gain nothing.
    """
    some = np.flatnonzero(covers.any(axis=1))
    items, row = np.unique(item[some], return_inverse=True)
    at = np.searchsorted(items, offsets)  # where each query's covering items start
    n_queries, n_worlds = len(offsets) - 1, covers.shape[1]
    most = int(np.diff(at).max(initial=0))
    ranks = most if depth is None else min(depth, most)
    out = np.zeros((ranks, n_worlds, n_queries))
    width = max(1, _PLACES // max(1, len(some)))
    for start in range(0, n_worlds, width):
        part = slice(start, start + width)
        left = covers[some, part]
        gain = np.ones((n_intents, left.shape[1]))
        order = _Order(left, row.reshape(-1), intent[some], at, gain, keep)
        for rank in range(ranks):
            out[rank, part][:, order.queries] = order.take_best().T
    return out


class _Order:
    """Items taken one by one, in all queries and worlds side by side.

    Parameters
    ----------
    left : (entries, worlds) bool
        Intents covered by items that are not yet taken.
    row, intent : (entries,) int
    at : (queries + 1,) int
        Where the items of each query start.
    gain : (intents, worlds) float
        Of the next item that covers each.
    keep : float
    """

    def __init__(
        self, left: Bools, row: Ints, intent: Ints, at: Ints, gain: Floats, keep: float
    ) -> None:
        self._left, self._row, self._intent, self._gain, self._keep = left, row, intent, gain, keep
        self.queries = np.flatnonzero(np.diff(at))
        self._at = at[self.queries]
        self._query_of = np.repeat(np.arange(len(self.queries)), np.diff(at)[self.queries])
        self._entries_at = np.flatnonzero(np.diff(row, prepend=-1))
        self._number = np.arange(len(self._query_of))[:, None]

    def take_best(self) -> Array:
        """Take the best item of each query: its gain, (queries, worlds)."""
        if not len(self.queries):
            return np.zeros((0, self._left.shape[1]))
        each = np.where(self._left, self._gain[self._intent], 0.0)
        score = np.add.reduceat(each, self._entries_at, axis=0)  # (items, worlds)
        best: Array = np.maximum.reduceat(score, self._at, axis=0)
        is_best = score >= best[self._query_of] * (1 - ROUNDING)
        number = np.where(is_best, self._number, len(score))
        first = np.minimum.reduceat(number, self._at, axis=0)  # (queries, worlds)
        taken = first[self._query_of] == self._number
        entry, world = np.nonzero(self._left & taken[self._row])
        self._gain[self._intent[entry], world] *= self._keep
        self._left[entry, world] = False
        return best
