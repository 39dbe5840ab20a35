"""Many ranked lists with ties, and their items' relevances.

Rows of all lists are concatenated, those of list j at ``offsets[j]:offsets[j + 1]``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from fuzzytruth._typing import Array, Bools
from fuzzytruth.core.arithmetic import begins, divide, padded, segment_of, segment_sum, sum_in_order


@dataclass(frozen=True, slots=True, eq=False)
class RankedLists:
    """Ranked lists: relevance and places of each item.

    Parameters
    ----------
    offsets : (lists + 1,) int
    relevance : (rows,) float
        Non-increasing within a list.
    first, last : (rows,) int
        Places (from 1) over which the item is tied; equal where it is not. Non-decreasing within a
        list.
    """

    offsets: Array
    relevance: Array
    first: Array
    last: Array

    @property
    def size(self) -> Array:
        """Length of each list: (lists,)."""
        return np.diff(self.offsets)

    @property
    def list_of(self) -> Array:
        """The list of each row: (rows,)."""
        return segment_of(self.offsets)

    @property
    def place(self) -> Array:
        """Number of each row within its list, from 1: (rows,)."""
        return np.arange(1, len(self.relevance) + 1) - self.offsets[self.list_of]

    def between(self, lists: slice) -> RankedLists:
        """The lists of a slice, without copying."""
        offsets = self.offsets[lists.start : lists.stop + 1]
        rows = slice(int(offsets[0]), int(offsets[-1]))
        return RankedLists(
            offsets - offsets[0], self.relevance[rows], self.first[rows], self.last[rows]
        )

    def take(self, lists: Array) -> RankedLists:
        """The lists with these numbers."""
        chosen = np.zeros(len(self.offsets) - 1, dtype=bool)
        chosen[lists] = True
        return self._rows(np.repeat(chosen, self.size), self.size[chosen])

    def rows(self, kept: Bools) -> RankedLists:
        """The lists with some of their items."""
        return self._rows(kept, segment_sum(kept, self.offsets))

    def _rows(self, rows: Array, size: Array) -> RankedLists:
        """Some rows, of lists that then have these sizes."""
        offsets = np.concatenate(([0], np.cumsum(size)))
        return RankedLists(offsets, self.relevance[rows], self.first[rows], self.last[rows])


def tied_places(offsets: Array, *keys: Array) -> tuple[Array, Array]:
    """First and last place, from 1, over which each row is tied: (rows,) int both.

    Parameters
    ----------
    offsets : (lists + 1,) int
    *keys : (rows,)
        Neighbouring rows of a list are tied if they are equal in all keys.
    """
    segment = segment_of(offsets)
    start = np.flatnonzero(begins(segment, *keys))
    size = np.diff(start, append=len(segment))
    first = start - offsets[segment[start]] + 1
    return np.repeat(first, size), np.repeat(first + size - 1, size)


# Rank-biased overlap with ties on either side: Webber, Moffat & Zobel 2010; for ties Corsi & Urbano
# 2024.
#
# At each depth d, an item contributes 1 or 0 to a list's first d places, and if its tie group
# extends across d, the group's share of places up to d (variants "a" and "b") or 1 (variant "w").
# At most one group of a list extends across d, so four counts of common items give the overlap at
# d.


# Similarity of many pairs of ranked lists at once: overlap, Kendall's distance, the footrule.

OverlapTies = Literal["a", "b", "w"]

_DEPTHS = 2_000_000  # pairs × depths in a block


@dataclass(frozen=True, slots=True, eq=False)
class OverlapSide:
    """One of the two lists of each pair.

    Parameters
    ----------
    size : (pairs,) int
    first, last : (items,) int
        Places over which the common items of the pairs are tied in this list.
    group_first, group_last : (pairs, depths) int
        The tie group of each place; the place itself beyond the list's end.
    """

    size: Array
    first: Array
    last: Array
    group_first: Array
    group_last: Array

    @classmethod
    def of(cls, lists: RankedLists, common: Array, depths: int) -> OverlapSide:
        """From whole lists and the rows of their common items."""
        tables = []
        for place in (lists.first, lists.last):
            table = padded(place, lists.offsets, width=max(depths, int(lists.size.max(initial=0))))
            tables.append(np.where(table == 0, np.arange(1, table.shape[1] + 1), table)[:, :depths])
        return cls(lists.size, lists.first[common], lists.last[common], *tables)

    @classmethod
    def untied(cls, size: Array, rank: Array, depths: int) -> OverlapSide:
        """Lists without ties, given by the ranks of the common items."""
        place = np.broadcast_to(np.arange(1, depths + 1), (len(size), depths))
        return cls(size, rank, rank, place, place)

    def choose(self, other: OverlapSide, take_this: Array, pair_of: Array) -> OverlapSide:
        """For each pair this list where `take_this`, else the other.

        `pair_of` is the pair of each common item.
        """
        return OverlapSide(
            np.where(take_this, self.size, other.size),
            np.where(take_this[pair_of], self.first, other.first),
            np.where(take_this[pair_of], self.last, other.last),
            np.where(take_this[:, None], self.group_first, other.group_first),
            np.where(take_this[:, None], self.group_last, other.group_last),
        )

    def share(self) -> Array:
        """Share of the tie group at each depth that is within it: (pairs, depths)."""
        depth = np.arange(1, self.group_first.shape[1] + 1)
        return np.asarray((depth - self.group_first + 1) / (self.group_last - self.group_first + 1))

    def weight(self, ties: OverlapTies) -> Array:
        """Sum of contributions to the first d places, or of their squares for "b"."""
        depth = np.arange(1.0, self.group_first.shape[1] + 1)
        if ties == "w":
            return self.group_last.astype(np.float64)
        if ties == "a":
            return np.broadcast_to(depth, self.group_first.shape)
        before = self.group_first - 1
        return np.asarray(before + (depth - before) * self.share())


def blocks(longest: Array) -> list[slice]:
    """Blocks of pairs whose tables of `longest` depths are small."""
    step = max(1, _DEPTHS // max(1, int(longest.max(initial=1))))
    return [slice(at, at + step) for at in range(0, len(longest), step)]


def rank_biased_overlap(
    one: OverlapSide, two: OverlapSide, offsets: Array, p: float, ties: OverlapTies
) -> tuple[Array, Array, Array]:
    """Extrapolated overlap, and the lowest and highest of any longer lists: (pairs,) each.

    Parameters
    ----------
    one, two : OverlapSide
    offsets : (pairs + 1,) int
        Start of each pair's common items.
    p : float in (0, 1)
    ties : {"a", "b", "w"}

    Notes
    -----
    An empty list has overlap 0 with any.
    """
    pair_of = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    shorter = one.choose(two, one.size <= two.size, pair_of)
    longer = two.choose(one, one.size <= two.size, pair_of)
    s, l = shorter.size, longer.size  # noqa: E741 - the papers' names
    depth = np.arange(1, shorter.group_first.shape[1] + 1)
    beyond_s = depth > s[:, None]
    share = longer.share()
    share_s = np.where(beyond_s, 1.0, shorter.share())
    in_any, in_full, overlap = _common_up_to(shorter, longer, pair_of, (share_s, share), ties)
    scale = _scale(shorter.weight(ties), longer.weight(ties), ties)
    agreement = overlap / scale
    at_s = np.take_along_axis(agreement, np.maximum(s - 1, 0)[:, None], axis=1)  # (pairs, 1)
    unseen = np.maximum(depth - s[:, None], 0)
    only_l = longer.group_last - in_any  # items of the longer list so far that are not common
    whole = np.where(longer.group_last == depth, depth, longer.group_first - 1) - in_full
    if ties == "w":
        typical, most = np.ones_like(overlap), unseen.astype(np.float64)
    else:
        typical = np.where(only_l > 0, (depth - overlap) / np.maximum(only_l, 1), 1.0)
        most = np.minimum(unseen, whole) + share * np.maximum(unseen - whole, 0)
    weight = np.where(depth <= l[:, None], np.power(p, depth), 0.0)
    known = sum_in_order(weight * agreement)
    rising = sum_in_order(weight * unseen * at_s * typical / scale)
    gained = sum_in_order(weight * np.where(beyond_s, most, 0.0) / scale)
    ends = _tails(np.diff(offsets), s, l, at_s[:, 0], p)
    nonempty = (s > 0) & (l > 0)
    ext, low, high = (
        np.where(nonempty, (1 - p) / p * (known + more + end), 0.0)
        for more, end in zip((rising, 0.0, gained), ends, strict=True)
    )
    return ext, low, high


def _common_up_to(
    shorter: OverlapSide,
    longer: OverlapSide,
    pair_of: Array,
    shares: tuple[Array, Array],
    ties: OverlapTies,
) -> tuple[Array, Array, Array]:
    """Numbers of common items at each depth: (pairs, depths) each.

    Those with any of their places within the depth in both lists, those with all of them, and the
    sum of all contributions.
    """
    n_pairs, depths = shorter.group_first.shape

    def up_to(place: Array) -> Array:
        """Number of common items whose place is up to each depth."""
        keys = pair_of * (depths + 1) + np.minimum(place, depths + 1) - 1
        count = np.bincount(keys, minlength=n_pairs * (depths + 1))
        return np.cumsum(count.reshape(n_pairs, depths + 1)[:, :-1], axis=1)

    in_any = up_to(np.maximum(shorter.first, longer.first))
    in_full = up_to(np.maximum(shorter.last, longer.last))
    if ties == "w":
        return in_any, in_full, in_any.astype(np.float64)
    full_in_s = up_to(np.maximum(shorter.last, longer.first)) - in_full
    full_in_l = up_to(np.maximum(shorter.first, longer.last)) - in_full
    in_part = in_any - in_full - full_in_s - full_in_l
    share_s, share = shares
    overlap = in_full + share * full_in_s + share_s * full_in_l + share * share_s * in_part
    return in_any, in_full, overlap


def _scale(short: Array, long: Array, ties: OverlapTies) -> Array:
    """Denominator of the agreement at each depth."""
    return np.sqrt(short * long) if ties == "b" else (short + long) / 2


def _tails(
    common: Array,
    s: Array,
    l: Array,  # noqa: E741
    at_s: Array,
    p: float,
) -> tuple[Array, Array, Array]:
    """Sums beyond both lists: extrapolated, with no more common items, with all items common."""
    full = l + s - common  # depth from which on all items may be common
    depth = np.arange(1, int(full.max(initial=1)) + 1)
    sums = np.concatenate(([0.0], np.cumsum(np.power(p, depth) / depth)))
    after_l, after_full = np.power(p, l + 1.0) / (1 - p), np.power(p, full + 1.0) / (1 - p)
    extended = (common + (l - s) * at_s) / np.maximum(l, 1) * after_l
    least = common * np.maximum(-np.log1p(-p) - sums[l], 0.0)
    most = 2 * (after_l - after_full) - full * (sums[full] - sums[l]) + after_full
    return extended, least, most


# Kendall's distance and the footrule of partial rankings.
#
# A list ranks all items of the two lists: those that it lacks are tied behind those that it has.
#
# References
# ----------
# Fagin, Kumar & Sivakumar 2003, Comparing top k lists; Fagin, Kumar, Mahdian, Sivakumar & Vee 2006,
# Comparing partial rankings.


Norm = Literal["union", "disjoint"]
MissingPlace = Literal["tied", "next"]

_ITEM_PAIRS = 4_000_000  # pairs of items in a block


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
    step = max(1, _ITEM_PAIRS // max(1, width * width))
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
    return np.asarray(lower + upper)


def _pairs(n: Array) -> Array:
    return np.asarray(n * (n - 1) / 2)
