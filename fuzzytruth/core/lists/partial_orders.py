"""Kendall's distance and the footrule of partial rankings, many pairs of lists at once.

A list ranks all items of the two lists: those that it lacks are tied behind those that it has.

References
----------
Fagin, Kumar & Sivakumar 2003, Comparing top k lists; Fagin, Kumar, Mahdian, Sivakumar & Vee 2006,
Comparing partial rankings.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from fuzzytruth._typing import Array
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.core.lists.ranked_lists import RankedLists, tied_places
from fuzzytruth.core.segments import padded, segment_sum

Norm = Literal["union", "disjoint"]
MissingPlace = Literal["tied", "next"]

_CELLS = 4_000_000  # pairs of items in a block


@dataclass(frozen=True, slots=True, eq=False)
class OtherLists:
    """The second list of each pair, by the items of the first.

    Parameters
    ----------
    first, last : (rows,) int
        Places over which each item of the first list is tied in the second; 0 if it lacks the item.
    length : (pairs,) int
        Length of the second list.
    whole : RankedLists or None
        All its items; None: it has no ties.
    """

    first: Array
    last: Array
    length: Array
    whole: RankedLists | None = None

    def tied_pairs(self) -> Array:
        """Number of tied pairs of items: (pairs,)."""
        return np.zeros(len(self.length)) if self.whole is None else tied_pairs(self.whole)

    def distance_to(self, place: Array) -> Array:
        """Sum over its items of the distance of their mean place to a place: (pairs,) both."""
        if self.whole is None:
            return distance_to_all(self.length, place)
        mean = (self.whole.first + self.whole.last) / 2
        return segment_sum(np.abs(mean - place[self.whole.list_of]), self.whole.offsets)


def kendall_distances(
    lists: RankedLists, other: OtherLists, penalty: float, norm: Norm | None = None
) -> Array:
    """Kendall's distance K^(p): (pairs,).

    Parameters
    ----------
    penalty : float in [0, 1]
        Weight of a pair that is tied in one of the two rankings only.
    norm : {"union", "disjoint"}, optional
        Divide by the number of pairs of all items, or by the distance of two such lists without a
        common item; 0/0 is 0.
    """
    length, size = other.length, lists.size
    listed = other.first > 0
    place = np.where(listed, other.first, length[lists.list_of] + 1)
    one, two = (padded(values, lists.offsets) for values in (lists.first, place))
    opposite, tied_once = disagreements(one, two, size)
    # Items that only the other list has are tied in the first, behind all of its items. With a
    # missing item, such an item is in the opposite order; with a common one, if it is ahead of it.
    common, ahead, beside, tied = _common_items(lists, other, listed, place)
    only_other = length - common
    tied_only_other = other.tied_pairs() - tied  # pairs of items that only the other list has
    opposite = opposite + only_other * (size - common) + ahead
    tied_once = tied_once + beside + _pairs(only_other) - tied_only_other
    distance: Array = opposite + penalty * tied_once
    if norm is None:
        return distance
    if norm == "union":
        return divide(distance, _pairs(length + size - common))
    untied = _pairs(size) - tied_pairs(lists) + _pairs(length) - other.tied_pairs()
    return divide(distance, size * length + penalty * untied)


def footrules(
    lists: RankedLists, other: OtherLists, missing: MissingPlace, norm: Norm | None = None
) -> Array:
    """Spearman's footrule, tied items having their mean place: (pairs,).

    Parameters
    ----------
    missing : {"tied", "next"}
        Place of an item that a list lacks: tied with all others that it lacks, or length + 1.
    norm : {"union", "disjoint"}, optional
        Divide by ⌊n²/2⌋, n the number of all items, or by the footrule of two such lists without a
        common item; 0/0 is 0.
    """

    def behind(size: Array, n: Array) -> Array:
        """Place of the items that a list lacks, of n items in all."""
        return size + 1.0 if missing == "next" else (size + 1 + n) / 2

    length, size, list_of = other.length, lists.size, lists.list_of
    listed = other.first > 0
    n = length + size - segment_sum(listed, lists.offsets)
    mean, other_mean = (lists.first + lists.last) / 2, (other.first + other.last) / 2
    behind_lists = behind(size, n)
    away = np.abs(np.where(listed, other_mean, behind(length, n)[list_of]) - mean)
    # The other list's items contribute as if none were common; subtract the common ones.
    away -= np.where(listed, np.abs(other_mean - behind_lists[list_of]), 0)
    value = segment_sum(away, lists.offsets) + other.distance_to(behind_lists)
    if norm is None:
        return value
    if norm == "union":
        return divide(value, n * n // 2)
    together = length + size
    most = other.distance_to(behind(size, together))
    most += segment_sum(np.abs(behind(length, together)[list_of] - mean), lists.offsets)
    return divide(value, most)


def disagreements(one: Array, two: Array, size: Array) -> tuple[Array, Array]:
    """Pairs of items in opposite orders, and pairs tied in one ranking only: (lists,) both.

    Parameters
    ----------
    one, two : (lists, items)
        Places in two rankings; equal ones are ties.
    size : (lists,)
        Number of items; the others are padding.
    """
    n_lists, width = one.shape
    opposite, tied_once = np.zeros((2, n_lists), dtype=np.int64)
    step = max(1, _CELLS // max(1, width * width))
    later = np.triu(np.ones((width, width), dtype=bool), 1)
    for start in range(0, n_lists, step):
        rows = slice(start, start + step)
        a, b = (np.sign(x[rows, :, None] - x[rows, None, :]).astype(np.int8) for x in (one, two))
        exists = np.arange(width) < size[rows, None]
        pairs = later & exists[:, :, None] & exists[:, None, :]
        opposite[rows] = ((a * b < 0) & pairs).sum(axis=(1, 2))
        tied_once[rows] = (((a == 0) != (b == 0)) & pairs).sum(axis=(1, 2))
    return opposite, tied_once


def _common_items(
    lists: RankedLists, other: OtherLists, listed: Array, place: Array
) -> tuple[Array, Array, Array, Array]:
    """Counts of common items and their pairs in the other list: (pairs,) each.

    Common items; pairs of one of them and an item that the first list lacks, which is ahead of it,
    or tied with it; tied pairs of which one item or both are common.
    """
    order = np.lexsort((place, lists.list_of))  # common items first, in the other list's order
    listed, first = listed[order], place[order]
    if other.whole is None:
        before = lists.place
        counts = np.stack((listed, np.where(listed, first - before, 0)))
        common, ahead = segment_sum(counts, lists.offsets)
        return common, ahead, np.zeros(len(common)), np.zeros(len(common))
    before, last = tied_places(lists.offsets, first)  # among the common items
    tied = last - before + 1
    beside = other.last[order] - first + 1 - tied
    counts = np.stack((np.ones(len(first)), first - before, beside, beside + (tied - 1) / 2))
    common, ahead, beside, tied = segment_sum(counts * listed, lists.offsets)
    return common, ahead, beside, tied


def tied_pairs(lists: RankedLists) -> Array:
    """Number of tied pairs of items of each list: (lists,)."""
    return segment_sum(lists.last - lists.first, lists.offsets) / 2


def distance_to_all(length: Array, x: Array) -> Array:
    """Sum over j = 1..length of |j - x|, for any x: (...)."""
    below = np.clip(np.floor(x), 0, length)
    lower = below * x - below * (below + 1) / 2
    upper = (length - below) * (length + below + 1) / 2 - (length - below) * x
    out: Array = lower + upper
    return out


def _pairs(n: Array) -> Array:
    out: Array = n * (n - 1) / 2
    return out
