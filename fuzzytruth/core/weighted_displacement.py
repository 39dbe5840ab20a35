"""Weighted displacement of items between subjects' lists and a system's lists.

Santini's individual comparison. An item that the subject has at places a..b and the system at rank
r is displaced by the distance of r to a..b. Items that the system does not list (the set B) get a
rank beyond the system's list by one of several hypotheses.

References
----------
Santini, Benchmarking without ground truth, section 5.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from fuzzytruth._typing import Array
from fuzzytruth.core.ranked_lists import RankedLists
from fuzzytruth.core.segments import offsets_of, padded, segment_cumsum, segment_sum

Hypothesis = Literal["optimist", "pessimist", "pessimist-tail", "worst", "incremental"]

#: size of an unlimited collection, for hypotheses that need no size
UNLIMITED = 2**62

_CELLS = 20_000_000  # of the table of choices in a block


def distance(rank: Array, first: Array, last: Array) -> Array:
    """Distance of a rank to the interval of places first..last."""
    out: Array = np.maximum(np.maximum(first - rank, rank - last), 0)
    return out


def n_different(lists: RankedLists, rank: Array, length: Array) -> Array:
    """Number of different items in the system's and the subject's list: (lists,)."""
    out: Array = length + segment_sum(rank == 0, lists.offsets)
    return out


def displacements(
    lists: RankedLists, rank: Array, length: Array, unseen: Hypothesis, collection: Array
) -> Array:
    """Displacement of each item: (rows,) float.

    Parameters
    ----------
    rank : (rows,) int
        The item's rank in the system's list, 0 if it is missing.
    length : (lists,) int
        Length of the system's list.
    unseen : str
        Hypothesis about missing items; with "incremental" none may be missing.
    collection : (lists,) int
        Number of items in the collection; `UNLIMITED` is possible for "optimist" and "incremental".
    """
    full = assumed_ranks(lists, rank, length, unseen, collection)
    out = distance(full, lists.first, lists.last).astype(np.float64)
    if unseen == "pessimist":
        missing = rank == 0
        out[missing] = collection[lists.list_of[missing]]
    return out


def assumed_ranks(
    lists: RankedLists, rank: Array, length: Array, unseen: Hypothesis, collection: Array
) -> Array:
    """Ranks, with those that the hypothesis assumes for missing items: (rows,) int.

    "pessimist" assumes a displacement and no rank: its missing items keep 0.
    """
    missing = rank == 0
    if unseen in ("pessimist", "incremental") or not missing.any():
        return rank
    rows = np.flatnonzero(missing)
    list_of = lists.list_of[rows]
    order = segment_cumsum(missing, lists.offsets)[rows]  # from 1 within its list
    out = rank.copy()
    if unseen == "optimist":
        out[rows] = length[list_of] + order
    elif unseen == "pessimist-tail":
        out[rows] = collection[list_of] - segment_sum(missing, lists.offsets)[list_of] + order
    else:
        out[rows] = _worst_ranks(_with_rows(lists, rows), length, collection)
    return out


def _with_rows(lists: RankedLists, rows: Array) -> RankedLists:
    """The lists with only the given rows."""
    count = np.bincount(lists.list_of[rows], minlength=len(lists.offsets) - 1)
    return RankedLists(
        offsets_of(count), lists.relevance[rows], lists.first[rows], lists.last[rows]
    )


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
    beyond = missing.first > length[list_of] + 1
    split = np.flatnonzero(segment_sum(beyond, missing.offsets))
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
    flat: Array = rank[np.arange(width) < size[:, None]]
    return flat
