"""What a measure is given of intents: which judged items are relevant to which, and their ranks.

An *entry* is a judged item and an intent for which it may be relevant. The grades of an item by
intent are drawn as a whole: a world gives each item one of its *options*, a set of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from fuzzytruth._typing import Array, Bools, Floats, Ints
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.core.greedy_cover import greedy_gains
from fuzzytruth.core.layouts import Diagonals, EndToEnd, Layout
from fuzzytruth.core.lazy import Memo
from fuzzytruth.core.segments import offsets_of, segment_of, segment_sum


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
        out: Bools = np.take(reached.ravel(), self.option[self.table.item] + start[:, None])
        return out

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
                self.relevant(rel),
                table.item,
                table.intent,
                table.offsets,
                keep=keep,
                depth=depth,
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
        inside: Bools = (relevant.T & np.atleast_2d(self.rank <= cutoff).T).T
        return inside


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
        cell = segment_of(self.worlds.table.intents)[self._intent_of_hits()]
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

    def _intent_of_hits(self) -> Ints:
        out: Ints = self.hits.layout.repeated(np.arange(self.worlds.table.n_intents))
        return out

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
        out: Bools = self.worlds.relevant(rel)[self.hits.entry].T
        return out

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
