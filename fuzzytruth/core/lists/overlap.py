"""Rank-biased overlap of many pairs of lists at once, with ties on either side.

Webber, Moffat & Zobel 2010; for ties Corsi & Urbano 2024. At each depth d, an item contributes 1 or
0 to a list's first d places, and if its tie group extends across d, the group's share of places up
to d (variants "a" and "b") or 1 (variant "w"). At most one group of a list extends across d, so
four counts of common items give the overlap at d.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from fuzzytruth._typing import Array
from fuzzytruth.core.lists.ranked_lists import RankedLists
from fuzzytruth.core.segments import padded, sum_in_order

OverlapTies = Literal["a", "b", "w"]

_CELLS = 2_000_000  # pairs × depths in a block


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
        out: Array = (depth - self.group_first + 1) / (self.group_last - self.group_first + 1)
        return out

    def weight(self, ties: OverlapTies) -> Array:
        """Sum of contributions to the first d places, or of their squares for "b"."""
        depth = np.arange(1.0, self.group_first.shape[1] + 1)
        if ties == "w":
            return self.group_last.astype(np.float64)
        if ties == "a":
            return np.broadcast_to(depth, self.group_first.shape)
        before = self.group_first - 1
        out: Array = before + (depth - before) * self.share()
        return out


def blocks(longest: Array) -> list[slice]:
    """Blocks of pairs whose tables of `longest` depths are small."""
    step = max(1, _CELLS // max(1, int(longest.max(initial=1))))
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
    in_any, in_full, overlap = _common_items(shorter, longer, pair_of, (share_s, share), ties)
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
    inside = depth <= l[:, None]
    weight = np.where(inside, np.power(p, depth), 0.0)
    known = sum_in_order(weight * agreement)
    rising = sum_in_order(weight * unseen * at_s * typical / scale)
    gained = sum_in_order(weight * np.where(beyond_s, most, 0.0) / scale)
    common = np.diff(offsets)
    ends = _tails(common, s, l, at_s[:, 0], p)
    nonempty = (s > 0) & (l > 0)
    ext, low, high = (
        np.where(nonempty, (1 - p) / p * (known + more + end), 0.0)
        for more, end in zip((rising, 0.0, gained), ends, strict=True)
    )
    return ext, low, high


def _common_items(
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
