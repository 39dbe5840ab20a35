"""Weighted displacement of items between subjects' lists and a system's lists.

Santini's individual comparison. An item that the subject has at places a..b and the system at rank
r is displaced by the distance of r to a..b. Items that the system does not list (the set B) get a
rank beyond the system's list by one of several hypotheses.

References
----------
Santini, Benchmarking without ground truth, section 5.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from fuzzytruth._typing import Array
from fuzzytruth.core.arithmetic import padded, segment_cumsum, segment_sum
from fuzzytruth.core.lists.ranked_lists import RankedLists

Hypothesis = Literal["optimist", "pessimist", "pessimist-tail", "worst", "incremental"]

#: size of an unlimited collection, for hypotheses that need no size
UNLIMITED = 2**62

_CELLS = 20_000_000  # of the table of choices in a block


def distance(rank: Array, first: Array, last: Array) -> Array:
    """Distance of a rank to the interval of places first..last."""
    return np.asarray(np.maximum(np.maximum(first - rank, rank - last), 0))


@dataclass(frozen=True, slots=True, eq=False)
class DisplacedLists:
    """Subjects' lists and the ranks that a system gave their items.

    Parameters
    ----------
    ranked : RankedLists
    rank : (rows,) int
        The item's rank in the system's list, 0 if it is missing.
    length : (lists,) int
        Length of the system's list.
    unseen : str
        Hypothesis about missing items; with "incremental" none may be missing.
    collection : (lists,) int
        Number of items in the collection; `UNLIMITED` is possible for "optimist" and "incremental".
    """

    ranked: RankedLists
    rank: Array
    length: Array
    unseen: Hypothesis
    collection: Array

    def displacements(self) -> Array:
        """How far each item is displaced: (rows,) float."""
        lists = self.ranked
        out = distance(self.assumed_ranks(), lists.first, lists.last).astype(np.float64)
        if self.unseen == "pessimist":
            missing = self.rank == 0
            out[missing] = self.collection[lists.list_of[missing]]
        return out

    def assumed_ranks(self) -> Array:
        """Ranks, with those that the hypothesis assumes for missing items: (rows,) int.

        "pessimist" assumes a displacement and no rank: its missing items keep 0.
        """
        missing, lists = self.rank == 0, self.ranked
        if self.unseen in ("pessimist", "incremental") or not missing.any():
            return self.rank
        rows = np.flatnonzero(missing)
        list_of = lists.list_of[rows]
        order = segment_cumsum(missing, lists.offsets)[rows]  # from 1 within its list
        out = self.rank.copy()
        if self.unseen == "optimist":
            out[rows] = self.length[list_of] + order
        elif self.unseen == "pessimist-tail":
            missed = segment_sum(missing, lists.offsets)
            out[rows] = (self.collection - missed)[list_of] + order
        else:
            out[rows] = _worst_ranks(lists.rows(missing), self.length, self.collection)
        return out

    def largest(self) -> Array:
        """Largest weighted displacement of any answer of this length: (lists,) float."""
        return largest_displacement(self.ranked, self.length, self.unseen, self.collection)


def _worst_ranks(missing: RankedLists, length: Array, collection: Array) -> Array:
    """Ranks beyond the list that displace the missing items most: (rows,) int.

    An assignment problem, solved by dynamic programming. An item far down the subject's list may be
    displaced most at the top of the free ranks, all others at their end. Within both groups the
    more relevant item gets the more extreme rank, so only the groups have to be chosen: going down
    the list, the state is the number of items put at the top so far. If no item has its place
    beyond the first free rank, all go to the end.
    """
    list_of = missing.list_of
    rank = collection[list_of] + 1 - missing.place
    split = np.flatnonzero(segment_sum(missing.first > length[list_of] + 1, missing.offsets))
    width = int(missing.size[split].max(initial=0))
    block = max(1, _CELLS // max(1, width * (width + 1)))
    for start in range(0, len(split), block):
        in_block = split[start : start + block]
        part = missing.take(in_block)
        chosen = np.zeros(len(missing.offsets) - 1, dtype=bool)
        chosen[in_block] = True
        rank[chosen[list_of]] = _split_ranks(part, length[in_block], collection[in_block])
    return rank


def _split_ranks(lists: RankedLists, length: Array, collection: Array) -> Array:
    """As `_worst_ranks`, for lists with items that may go to the top of the free ranks."""
    size = lists.size
    relevance, first, last = (
        padded(v, lists.offsets) for v in (lists.relevance, lists.first, lists.last)
    )
    n_lists, width = relevance.shape
    top = np.arange(width + 1)  # items at the top of the free ranks so far
    value = np.full((n_lists, width + 1), -np.inf)
    value[:, 0] = 0.0
    to_top = np.zeros((width, n_lists, width + 1), dtype=bool)
    for j in range(width):
        weight, a, b = (x[:, j, None] for x in (relevance, first, last))
        low = value + weight * (a - (length[:, None] + top + 1))
        high = value + weight * np.maximum(0, collection[:, None] - (j - top) - b)
        low = np.concatenate((np.full((n_lists, 1), -np.inf), low[:, :-1]), axis=1)
        to_top[j] = low > high
        value = np.where((j < size)[:, None], np.maximum(low, high), value)
    at = np.argmax(value, axis=1)
    rank = np.zeros((n_lists, width), dtype=np.int64)
    for j in range(width - 1, -1, -1):
        exists = j < size
        low = to_top[j, np.arange(n_lists), at]
        rank[:, j] = np.where(low, length + at, collection - (j - at))
        at = np.where(exists & low, at - 1, at)
    return rank[np.arange(width) < size[:, None]]


# Largest weighted displacement of any answer of a given length.
#
# The maximum is over all answers of n items from a collection of N: any of the subject's items may
# be listed, at any ranks, and the hypothesis holds for the others. In the usual case (the answer is
# not shorter than the subject's list, the collection much larger) it is worst to list none of them,
# and the value has a closed form. Otherwise dynamic programming computes it: each item, in the
# subject's order, is put at the top of the answer, at its end, or left out. Within each of the
# three groups the more relevant item gets the more extreme rank, so the state consists of two
# counts.
#
# Items of relevance 0 add nothing, wherever they are, and come last in the subject's order: they
# take places as items do that the subject does not list, and are left out of the search. In judged
# pools they are most of the items.


_CELLS_OF_LARGEST = 4_000_000  # of the table of states in a block


def largest_displacement(
    lists: RankedLists, length: Array, unseen: Hypothesis, collection: Array
) -> Array:
    """Largest displacement over all answers of `length` items: (lists,) float.

    Parameters
    ----------
    length : (lists,) int
    unseen : str
    collection : (lists,) int
        Number of items in the collection; `UNLIMITED` is possible for "optimist".
    """
    if unseen in ("worst", "incremental"):  # any order of the whole collection is possible
        nothing = np.zeros(len(lists.relevance), dtype=np.int64)
        displaced = DisplacedLists(lists, nothing, np.zeros_like(length), "worst", collection)
        return segment_sum(lists.relevance * displaced.displacements(), lists.offsets)
    n_judged, lists = lists.size, lists.rows(lists.relevance > 0)
    left_out, closed = _nothing_listed(lists, n_judged, length, unseen, collection)
    out: Array = segment_sum(lists.relevance * left_out, lists.offsets)
    for chosen in _blocks(np.flatnonzero(~closed), lists.size):
        out[chosen] = _searched(
            lists.take(chosen), n_judged[chosen], length[chosen], unseen, collection[chosen]
        )
    return out


def _blocks(chosen: Array, size: Array) -> Iterator[Array]:
    """Some lists in blocks of similar sizes, whose tables of states have a bounded number of cells.

    The numbers of a block are sorted.
    """
    by_size = chosen[np.argsort(-size[chosen], kind="stable")]
    start = 0
    while start < len(by_size):
        block = max(1, _CELLS_OF_LARGEST // int(size[by_size[start]] + 1) ** 2)
        yield np.sort(by_size[start : start + block])
        start += block


def _nothing_listed(
    lists: RankedLists, n_judged: Array, length: Array, unseen: Hypothesis, collection: Array
) -> tuple[Array, Array]:
    """Displacements if no item is listed, (rows,), and whether that is the maximum, (lists,).

    `n_judged` is the length of the subject's lists with the items of relevance 0: (lists,).
    """
    list_of, size = lists.list_of, lists.size
    fits = size <= collection - length
    if unseen == "pessimist":
        return collection[list_of].astype(np.float64), fits
    if unseen == "optimist":
        rank = length[list_of] + lists.place
        return distance(rank, lists.first, lists.last), fits & (size <= length + 1)
    beyond = n_judged - length  # items that no answer lists
    rank = (collection - np.maximum(size, beyond))[list_of] + lists.place
    away = distance(rank, lists.first, lists.last)
    # Listing an item costs it at least this much, and lets those before it go one rank back, unless
    # an item of relevance 0 takes its place at the end.
    listed = np.maximum(lists.first - 1, length[list_of] - lists.last)
    weight = lists.relevance
    before = segment_cumsum(weight, lists.offsets) - weight
    before *= (size > beyond)[list_of]
    worse = segment_sum(weight * (away - listed) < before, lists.offsets)
    return away, fits & (worse == 0)


def _searched(
    lists: RankedLists, n_judged: Array, length: Array, unseen: Hypothesis, collection: Array
) -> Array:
    """As `largest_displacement`, by a search over the items listed and their ranks."""
    most = np.minimum(lists.size, collection - length)  # items that can be left out
    if unseen != "pessimist-tail":
        return _Search.of(lists, length, unseen, collection).best(most)
    # The ranks of items left out depend on their number, with those of relevance 0 of which the
    # answer lists as many as it can. Up to `beyond` it is the same; then try each number, the
    # largest first, for lists that may gain from it.
    beyond = np.maximum(0, n_judged - length)
    fixed = np.minimum(most, beyond)
    out = _Search.of(lists, length, unseen, collection - beyond).best(fixed)
    limit = _limits(lists, length, collection)
    for left_out in range(int(most.max()), int(fixed.min()), -1):
        may_gain = (left_out <= most) & (limit[:, left_out] > out)
        chosen = np.flatnonzero((left_out > fixed) & may_gain)
        if len(chosen):
            search = _Search.of(
                lists.take(chosen), length[chosen], unseen, collection[chosen] - left_out
            )
            best = search.best(np.full(len(chosen), left_out), exactly=left_out)
            out[chosen] = np.maximum(out[chosen], best)
    return out


def _limits(lists: RankedLists, length: Array, collection: Array) -> Array:
    """Upper bound by the number of items left out: (lists, width + 1)."""
    list_of = lists.list_of
    listed = np.maximum(lists.first - 1, np.maximum(0, length[list_of] - lists.last))
    gain = lists.relevance * (np.maximum(0, collection[list_of] - lists.last) - listed)
    best_first = -np.sort(-padded(gain, lists.offsets), axis=1)
    base = segment_sum(lists.relevance * listed, lists.offsets)[:, None]
    return np.concatenate((base, base + np.cumsum(best_first, axis=1)), axis=1)


@dataclass(frozen=True, slots=True, eq=False)
class _Search:
    """Dynamic program over the numbers of items left out and put at the top.

    Parameters
    ----------
    relevance, first, last : (lists, width)
    size, length : (lists,)
    start : (lists,)
        Rank before that of the first item left out; for "pessimist", the displacement of each.
    unseen : str
    """

    relevance: Array
    first: Array
    last: Array
    size: Array
    length: Array
    start: Array
    unseen: Hypothesis

    @classmethod
    def of(
        cls, lists: RankedLists, length: Array, unseen: Hypothesis, collection: Array
    ) -> _Search:
        columns = (lists.relevance, lists.first, lists.last)
        relevance, first, last = (padded(values, lists.offsets) for values in columns)
        start = length if unseen == "optimist" else collection
        return cls(relevance, first, last, lists.size, length, start, unseen)

    def best(self, most: Array, *, exactly: int | None = None) -> Array:
        """Largest displacement with at most `most` items left out, or with `exactly` so many."""
        n_lists, width = self.relevance.shape
        n_out, n_top = min(width, int(most.max(initial=0))) + 1, self._most_at_top() + 1
        value = np.full((n_lists, n_out, n_top), -np.inf)
        value[:, 0, 0] = 0.0
        for j in range(width):
            rows = np.flatnonzero(j < self.size)
            reached = (slice(None, j + 2), slice(None, j + 2))  # no state has larger counts
            if len(rows) == n_lists:
                value[:, *reached] = self._next(j, value[:, *reached], rows)
            else:
                value[rows, *reached] = self._next(j, value[rows, *reached], rows)
        out_of = np.arange(n_out)[None, :, None]
        allowed = out_of <= most[:, None, None]
        if exactly is not None:
            allowed = allowed & (out_of == exactly)
        return np.asarray(np.where(allowed, value, -np.inf).max(axis=(1, 2)))

    def _most_at_top(self) -> int:
        """Number of items that may be displaced more at the top of the answer than at its end."""
        length, size = self.length[:, None], self.size[:, None]
        gains = self.first - 1 > length - size + 1 - self.last
        gains &= np.arange(self.first.shape[1]) < size
        return int(np.minimum(gains.sum(axis=1), self.length).max(initial=0))

    def _next(self, j: int, value: Array, rows: Array) -> Array:
        """Values after item j of some lists, from those before it: (rows, left out, at the top)."""
        out_of, top = (np.arange(n) for n in value.shape[1:])
        out_of = out_of[:, None]
        weight, a, b = (x[rows, j, None, None] for x in (self.relevance, self.first, self.last))
        length, start = (x[rows, None, None] for x in (self.length, self.start))
        bottom = j - out_of - top  # items at the end of the answer
        listed = np.where((j - out_of < length) & (bottom >= 0), value, -np.inf)
        after: Array = listed + weight * np.maximum(0, length - bottom - b)
        low = listed[:, :, :-1] + weight * (a - top[:-1] - 1)
        np.maximum(after[:, :, 1:], low, out=after[:, :, 1:])
        away = start if self.unseen == "pessimist" else np.maximum(0, start + out_of + 1 - b)
        left = value[:, :-1] + (weight * away)[:, : value.shape[1] - 1]
        np.maximum(after[:, 1:], left, out=after[:, 1:])
        return after
