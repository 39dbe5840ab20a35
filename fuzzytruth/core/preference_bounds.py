"""Bounds of binary preference (bpref) of lists with unjudged items.

With R relevant and N non-relevant items, bpref is the sum, over the relevant items in the list,
of 1 - min(non-relevant items above, P) / P with P = min(R, N), divided by R. After a completion
every item of the list is judged. With c unjudged items relevant, R, N and P are fixed, no term is
negative, and a better place of a relevant item takes it, or those between, no further down:
exchange holds.

Every c is tried, but for those that cannot be extreme. P is R as long as R ≤ N, and then N. Where
only the number of relevant items outside the list varies, the items above each hit are fixed, and
bpref falls with c where P is N: P falls, and R grows. Where P is R, each hit adds max(1/R -
above/R², 0), which

- falls from R = 2 · above on: the highest value has no larger R, if all in the list are relevant;
- is concave in 1/R from R = above on, so that between the largest `above` and the last c without a
  relevant item in the list, the lowest value is at an end.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fuzzytruth._typing import Array, Bools, Floats, Ints
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.core.open_lists import Ends, OpenLists, at, numbers_between, running_counts
from fuzzytruth.core.segments import offsets_of, padded


@dataclass(frozen=True, slots=True, eq=False)
class _Counts:
    """Ascending whole numbers of each cell, for sums of their minimum with a limit.

    Parameters
    ----------
    up_to : (cells, limits + 1) int
        How many are at most -1 (none), 0, 1, 2, ...
    sums : (cells, most + 1) int
        Sums of the first 0, 1, 2, ...
    """

    up_to: Ints
    sums: Ints

    def capped(self, start: Ints, stop: Ints, shift: Ints, limit: Ints) -> Ints:
        """Sum of min(number + shift, limit) over those from `start` up to `stop`: (cells, n)."""
        last = self.up_to.shape[-1] - 1
        below = at(self.up_to, np.minimum(np.maximum(limit - shift + 1, 0), last))
        free = np.minimum(np.maximum(below, start), stop)
        total: Ints = at(self.sums, free) - at(self.sums, start)
        return total + shift * (free - start) + (stop - free) * limit


def _counts_of(above: Ints, marked: Bools) -> _Counts:
    """The numbers `above` at the marked ranks, which ascend."""
    n_cells, n_ranks = marked.shape
    cell, rank = np.nonzero(marked)
    values = above[cell, rank]
    width = n_ranks + 2
    key = cell * width + values + 1
    up_to = np.bincount(key, minlength=n_cells * width).reshape(n_cells, width).cumsum(axis=-1)
    side_by_side = padded(values, offsets_of(np.bincount(cell, minlength=n_cells)))
    return _Counts(up_to, np.cumsum(np.pad(side_by_side, ((0, 0), (1, 0))), axis=-1))


def preference_bounds(lists: OpenLists) -> Ends:
    """Lowest and highest bpref over all completions: (cells,) both."""
    return lists.ends(_bounds)


def _bounds(lists: OpenLists) -> Ends:
    ranks = np.arange(lists.relevant.shape[-1])
    listed = ranks < lists.length[:, None]
    wrong = running_counts(listed & ~lists.relevant & ~lists.unjudged)[:, :-1]
    either = running_counts(listed & ~lists.relevant)[:, :-1]
    places = _Places(
        lists,
        _counts_of(wrong, lists.relevant),
        _counts_of(either, lists.relevant),
        _counts_of(wrong, lists.unjudged),
        _counts_of(either - wrong, lists.relevant),
    )
    most = lists.n_open + lists.outside
    deepest = np.asarray(wrong.max(axis=-1, initial=0))
    last = np.clip(2 * deepest - lists.n_relevant, lists.n_open, most)
    high = places.highest(numbers_between(np.zeros_like(most), last))
    to_deepest = np.clip(either.max(axis=-1, initial=0) - lists.n_relevant, 0, lists.outside)
    low = places.lowest(numbers_between(np.zeros_like(most), to_deepest))
    low_full = places.lowest(numbers_between(lists.outside, most))
    return np.minimum(low.min(axis=-1), low_full.min(axis=-1)), high.max(axis=-1)


@dataclass(frozen=True, slots=True, eq=False)
class _Places:
    """Numbers of items above the hits.

    Parameters
    ----------
    lists : OpenLists
    relevant : _Counts
        Judged non-relevant items above each judged relevant one.
    relevant_all : _Counts
        The same with the unjudged items.
    unjudged : _Counts
        Judged non-relevant items above each unjudged one.
    open_above : _Counts
        Unjudged items above each judged relevant one.
    """

    lists: OpenLists
    relevant: _Counts
    relevant_all: _Counts
    unjudged: _Counts
    open_above: _Counts

    def highest(self, added: Ints) -> Array:
        """Bpref with so many items relevant, the best placed ones: (cells, n)."""
        limit, hits = self._limit(added), self.lists.n_hits[:, None]
        top = np.minimum(added, self.lists.n_open[:, None])
        none = np.zeros_like(top)
        # Hits above the last new one have new relevant items above them, the others also the rest.
        turn = at(self.open_above.up_to, top + 1)
        wrong = self.unjudged.capped(none, top, none, limit)
        wrong += self.relevant.capped(none, turn, none, limit)
        wrong += self.relevant_all.capped(turn, hits, -top, limit)
        return self._value(added, hits + top, wrong, limit)

    def lowest(self, added: Ints) -> Array:
        """Bpref with so many items relevant, the worst placed ones: (cells, n)."""
        limit, hits = self._limit(added), self.lists.n_hits[:, None]
        n_open = self.lists.n_open[:, None]
        rest = n_open - np.maximum(added - self.lists.outside[:, None], 0)  # not relevant, on top
        none = np.zeros_like(rest)
        turn = at(self.open_above.up_to, rest + 1)
        wrong = self.relevant_all.capped(none, turn, none, limit)
        wrong += self.relevant.capped(turn, hits, rest, limit)
        wrong += self.unjudged.capped(rest, n_open, rest, limit)
        return self._value(added, hits + n_open - rest, wrong, limit)

    def _limit(self, added: Ints) -> Ints:
        lists = self.lists
        relevant = lists.n_relevant[:, None] + added
        items = lists.n_relevant + lists.n_nonrelevant + lists.n_open + lists.outside
        limit: Ints = np.minimum(relevant, items[:, None] - relevant)
        return limit

    def _value(self, added: Ints, hits: Ints, wrong: Ints, limit: Ints) -> Floats:
        return divide(hits - divide(wrong, limit), self.lists.n_relevant[:, None] + added)
