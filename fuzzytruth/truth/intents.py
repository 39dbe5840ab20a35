"""What a measure is given of intents: which judged items are relevant to which, and their ranks.

An *entry* is a judged item and an intent for which it may be relevant. The grades of an item by
intent are drawn as a whole: a world gives each item one of its *options*, a set of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np

from fuzzytruth._typing import Array, Bools, Floats, Ints
from fuzzytruth.core.arithmetic import ROUNDING, divide, offsets_of, segment_of, segment_sum
from fuzzytruth.core.layouts import Diagonals, EndToEnd, Layout
from fuzzytruth.core.lazy import Memo

# The best order of items that cover intents, found greedily, in many worlds at once.


# Greedy orders of items that cover few intents, by the kinds of items that there then are.
#
# Items of one query that cover the same intents are of one *kind*, and gain the same. With n
# intents there are 2^n kinds, so that each rank compares kinds instead of items.


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


_PLACES = 1 << 18  # entries and worlds at a time, so that they stay in cache
_WORLDS = 256  # at a time


def greedy_gains(
    covers: Bools, item: Ints, intent: Ints, offsets: Ints, *, keep: float, depth: int | None
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
    keep : float
        In [0, 1].
    depth : int or None
        Number of ranks; None: as many as have a gain.

    Returns
    -------
    (ranks, worlds, queries) float
        At most `depth` ranks; those after them gain nothing.
    """
    n_worlds = covers.shape[1]
    some = np.flatnonzero(covers.any(axis=1))
    covering, row = np.unique(item[some], return_inverse=True)
    at = np.searchsorted(covering, offsets)  # where each query's covering items start
    queries = np.flatnonzero(np.diff(at))
    ranks = int(np.diff(at).max(initial=0))
    ranks = ranks if depth is None else min(depth, ranks)
    out = np.zeros((ranks, n_worlds, len(offsets) - 1))
    entries_at = np.searchsorted(row.reshape(-1), at)
    width = max(1, min(n_worlds, _WORLDS))
    for first, last in _parts(entries_at[queries + 1], _PLACES // width):
        of_part = queries[first:last]
        rows = slice(entries_at[of_part[0]], entries_at[of_part[-1] + 1])
        own, starts = row.reshape(-1)[rows], entries_at[of_part] - entries_at[of_part[0]]
        number = _within_query(intent[some[rows]], starts)
        few = number.max() < MOST_INTENTS
        taken = None if few else _Items.of(own, intent[some[rows]], at[of_part])
        for start in range(0, n_worlds, width):
            part = slice(start, start + width)
            covered = covers[some[rows], part]
            if taken is None:
                gains = gains_by_kind(
                    covered, own - own[0], number, at[of_part] - own[0], keep=keep, ranks=ranks
                )
            else:
                gains = taken.gains(covered, keep, ranks)
            out[:, part][..., of_part] = gains.transpose(0, 2, 1)
    return out


def _within_query(intent: Ints, starts: Ints) -> Ints:
    """Intents, numbered from the first of each query, whose entries start at `starts`."""
    size = np.diff(np.append(starts, len(intent)))
    return np.asarray(intent - np.repeat(np.minimum.reduceat(intent, starts), size))


def _parts(ends: Ints, size: int) -> list[tuple[int, int]]:
    """Runs of segments that end at `ends`, of about `size` values each."""
    group = (ends - 1) // max(size, 1)
    starts = np.flatnonzero(np.diff(group, prepend=-1))
    return list(pairwise([*starts.tolist(), len(ends)]))


@dataclass(frozen=True, slots=True, eq=False)
class _Items:
    """The covering items of some queries, all of which have some.

    Parameters
    ----------
    row, intent : (entries,) int
        Item and intent of each entry, both counted from 0.
    layout : Diagonals
        Entries of each item.
    at : (queries,) int
        Where the items of each query start.
    query_of : (items,) int
    n_intents : int
    """

    row: Ints
    intent: Ints
    layout: Diagonals
    at: Ints
    query_of: Ints
    n_intents: int

    @classmethod
    def of(cls, row: Ints, intent: Ints, at: Ints) -> _Items:
        known, intent = np.unique(intent, return_inverse=True)
        row, at = row - row[0], at - at[0]
        offsets = np.append(np.flatnonzero(np.diff(row, prepend=-1)), len(row))
        query_of = np.repeat(np.arange(len(at)), np.diff(np.append(at, len(offsets) - 1)))
        return cls(row, intent.reshape(-1), Diagonals.of(offsets), at, query_of, len(known))

    def gains(self, covers: Bools, keep: float, ranks: int) -> Floats:
        """Gain of the item at each rank, in some worlds: (ranks, queries, worlds).

        Items are taken one by one, in all queries and worlds side by side.
        """
        gain = np.ones((self.n_intents, covers.shape[1]))  # of the next item that covers each
        left = covers[self.layout.source]  # covered by items that are not yet taken
        room = np.empty(left.shape)
        out = np.zeros((ranks, len(self.at), covers.shape[1]))
        for rank in range(ranks):
            np.take(gain, self.intent[self.layout.source], axis=0, out=room, mode="clip")
            np.multiply(room, left, out=room)
            score = self.layout.sum(room.T).T  # (items, worlds)
            out[rank] = best = np.maximum.reduceat(score, self.at, axis=0)
            number = np.arange(len(score), dtype=np.int32)[:, None]
            is_best = score >= (best * (1 - ROUNDING))[self.query_of]
            number = np.where(is_best, number, len(score) - 1)
            self._take(np.minimum.reduceat(number, self.at, axis=0), gain, left, keep)
            if not best.any():
                break
        return out

    def _take(self, item: Ints, gain: Floats, left: Bools, keep: float) -> None:
        """Take an item of each query and world: (queries, worlds)."""
        offsets = self.layout.offsets
        size = offsets[item + 1] - offsets[item]
        for number in range(int(size.max())):
            query, world = np.nonzero(size > number)
            entry = self.layout.place[offsets[item[query, world]] + number]
            covered = left[entry, world]
            intent = self.intent[self.layout.source[entry[covered]]]
            gain[intent, world[covered]] *= keep
            left[entry, world] = False


@dataclass(frozen=True, slots=True, eq=False)
class IntentTable:
    """The entries of some queries, the same in all worlds and for all systems.

    Parameters
    ----------
    offsets : (queries + 1,) int
        Where the items of each query start; those of a query by descending id.
    intents : (queries + 1,) int
        Where the intents of each query start.
    item, intent : (entries,) int
        Sorted by item, then intent.
    grade : (entries, options) float
        Grade of the entry in each option of its item; NaN where the option has none for it.
    """

    offsets: Ints
    intents: Ints
    item: Ints
    intent: Ints
    grade: Floats

    @property
    def n_intents(self) -> int:
        """Number of intents of all queries."""
        return int(self.intents[-1])


@dataclass(frozen=True, slots=True, eq=False)
class IntentWorlds:
    """The truth about intents in some worlds, the same for all systems.

    Parameters
    ----------
    table : IntentTable
    option : (items, worlds) int or None
        Option of each item in each world; None: a single world, in which items have the first.
    """

    table: IntentTable
    option: Array | None = None
    _known: Memo = field(default_factory=Memo, init=False, repr=False)

    def relevant(self, rel: float) -> Bools:
        """Which entries have a grade of `rel` or more: (entries, worlds)."""
        return self._known.once(("relevant", rel), lambda: self._relevant(rel))

    def _relevant(self, rel: float) -> Bools:
        reached: Bools = self.table.grade >= rel  # false where there is no grade
        if self.option is None:
            return reached[:, :1]
        start = np.arange(len(reached)) * reached.shape[1]
        return np.asarray(np.take(reached.ravel(), self.option[self.table.item] + start[:, None]))

    def n_relevant(self, rel: float) -> Ints:
        """Number of relevant items of each intent: (worlds, intents)."""
        return self._known.once(("number", rel), lambda: self._n_relevant(rel))

    def _n_relevant(self, rel: float) -> Ints:
        order = np.argsort(self.table.intent, kind="stable")
        size = np.bincount(self.table.intent, minlength=self.table.n_intents)
        return segment_sum(self.relevant(rel)[order].T, offsets_of(size))

    def n_intents(self, rel: float) -> Ints:
        """Number of intents with a relevant item: (worlds, queries)."""
        return segment_sum(self.n_relevant(rel) > 0, self.table.intents)

    def ideal_gains(self, rel: float, keep: float, depth: int | None) -> Floats:
        """Gain at each rank of the greedy order of all items; see `greedy_gains`."""
        table = self.table
        return self._known.once(
            ("ideal", rel, keep, depth),
            lambda: greedy_gains(
                self.relevant(rel), table.item, table.intent, table.offsets, keep=keep, depth=depth
            ),
        )


@dataclass(frozen=True, slots=True, eq=False)
class IntentHits:
    """The retrieved entries of one run, by intent, the best rank first.

    Parameters
    ----------
    layout : Layout
        Segments are intents.
    entry : (hits,) int
    rank : (hits,) int, or (worlds, hits) int where lists differ between worlds
    """

    layout: Layout
    entry: Ints
    rank: Ints

    @classmethod
    def of(cls, table: IntentTable, rank: Ints, *, many: bool) -> IntentHits:
        """Those of items with the given ranks, 0 where not retrieved; `many` worlds or one."""
        rank_of = rank[table.item]
        entry = np.flatnonzero(rank_of > 0)
        entry = entry[np.lexsort((rank_of[entry], table.intent[entry]))]
        size = np.bincount(table.intent[entry], minlength=table.n_intents)
        if not many:
            return cls(EndToEnd(offsets_of(size)), entry, rank_of[entry])
        layout = Diagonals.of(offsets_of(size))
        entry = entry[layout.source]
        return cls(layout, entry, rank_of[entry])

    def weighted(self, values: Array, weight: Array) -> Array:
        """Sum of values (worlds, hits) times weights, shaped as `rank`: (worlds, intents)."""
        if weight.ndim == 1:
            return self.layout.weighted(values, weight)
        return self.layout.sum(values * weight)

    def sum_of_precisions(self, relevant: Bools) -> Array:
        """Sum of the precision at the ranks of the relevant hits: (worlds, intents)."""
        if self.rank.ndim == 1:
            return self.layout.sum_of_ratios(relevant, self.rank.astype(np.float64))
        return self.layout.sum(self.layout.running(relevant) * relevant / self.rank)

    def within(self, relevant: Bools, cutoff: int) -> Bools:
        """Those of the relevant hits that are among the first `cutoff`: (worlds, hits)."""
        return (relevant.T & np.atleast_2d(self.rank <= cutoff).T).T


@dataclass(frozen=True, slots=True, eq=False)
class Intents:
    """One system's lists, and the truth about intents.

    An item that was not judged for an intent is not relevant to it. Values of measures are
    (worlds, queries), as those of the batch to which this belongs.

    Parameters
    ----------
    worlds : IntentWorlds
    hits : IntentHits
    shape : (worlds, queries)
        Of the batch.
    place : (queries,) int or None
        Where the value of each query of `worlds` lies among those of the batch, flattened; None:
        they are the same.
    """

    worlds: IntentWorlds
    hits: IntentHits
    shape: tuple[int, int]
    place: Ints | None = None

    def reranked(self, query: Ints, first: Ints, rank: Ints) -> Intents:
        """The same for lists in which the hits of the batch have other ranks.

        Parameters
        ----------
        query, first : (hits,) int
            Query and former rank of each hit of the batch, in any order.
        rank : (hits,) int or (worlds, hits) int
            New ranks; of worlds, where lists differ between these: each world and query then is a
            query of its own.
        """
        width = int(max(first.max(initial=0), self.longest())) + 1
        table = self.worlds.table
        cell = segment_of(table.intents)[self.hits.layout.repeated(np.arange(table.n_intents))]
        own = cell if self.place is None else self.place[cell]
        world, own_query = np.divmod(own, self.shape[1])
        key = query * width + first
        order = np.argsort(key)
        hit = order[np.searchsorted(key, own_query * width + self.hits.rank, sorter=order)]
        if rank.ndim == 1:
            return replace(self, hits=replace(self.hits, rank=rank[hit]))
        new = rank[:, hit] if self.place is None else rank[world, hit]
        shape = 1, self.shape[0] * self.shape[1]
        return replace(self, hits=replace(self.hits, rank=new), shape=shape)

    def n_intents(self, rel: float) -> Array:
        """Number of intents with a relevant item: (worlds, queries)."""
        return self._placed(self.worlds.n_intents(rel))

    def gain(self, rel: float, keep: float, discount: Floats) -> Array:
        """Discounted gain of the list, each intent losing value as it is covered.

        Parameters
        ----------
        rel : float
        keep : float
            Factor of the gain of an intent for each better item that is relevant to it.
        discount : (ranks + 1,) float
            Of no rank, and of the first 1, 2, ... ranks; none of the later ones.
        """
        relevant = self._hits(rel)
        seen = self.hits.layout.running(relevant)
        gain = np.power(keep, np.maximum(np.arange(int(seen.max(initial=0)) + 1) - 1, 0))
        value = gain[seen] * relevant
        weight = np.append(discount, 0.0)[np.minimum(self.hits.rank, len(discount))]
        return self._by_query(self.hits.weighted(value, weight))

    def ideal_gain(self, rel: float, keep: float, discount: Floats) -> Array:
        """The same of the greedy order of all judged items."""
        gains = self.worlds.ideal_gains(rel, keep, len(discount) - 1)
        total = np.zeros(gains.shape[1:])
        for gain, weight in zip(gains, discount[1:], strict=False):
            total += gain * weight
        return self._placed(total)

    def n_hits(self, rel: float, cutoff: int | None) -> Array:
        """Number of retrieved pairs of an item and an intent to which it is relevant."""
        return self._by_query(self._hits_by_intent(rel, cutoff))

    def n_covered(self, rel: float, cutoff: int | None) -> Array:
        """Number of intents to which a retrieved item is relevant."""
        return self._by_query(self._hits_by_intent(rel, cutoff) > 0)

    def mean_average_precision(self, rel: float) -> Array:
        """Mean, over intents with a relevant item, of the average precision."""
        total = self.hits.sum_of_precisions(self._hits(rel))
        by_intent = divide(total, self.worlds.n_relevant(rel))
        return divide(self._by_query(by_intent), self.n_intents(rel))

    def longest(self) -> int:
        """The last rank with an entry."""
        return int(self.hits.rank.max(initial=0))

    def most(self) -> int:
        """Largest number of judged items of a query."""
        return int(np.diff(self.worlds.table.offsets).max(initial=0))

    def _hits(self, rel: float) -> Bools:
        """Which retrieved entries are relevant: (worlds, hits)."""
        return self.worlds.relevant(rel)[self.hits.entry].T

    def _hits_by_intent(self, rel: float, cutoff: int | None) -> Array:
        relevant = self._hits(rel)
        if cutoff is not None:
            relevant = self.hits.within(relevant, cutoff)
        return self.hits.layout.sum(relevant)

    def _by_query(self, values: Array) -> Array:
        """Sum over the intents of each query."""
        return self._placed(segment_sum(values, self.worlds.table.intents))

    def _placed(self, values: Array) -> Array:
        """Values of the queries of `worlds` where those of the batch lie."""
        if self.place is None:
            return values.reshape(self.shape)
        out = np.zeros(self.shape, dtype=values.dtype)
        out.reshape(-1)[self.place] = values[0]
        return out
