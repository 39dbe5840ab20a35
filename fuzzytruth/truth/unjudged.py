"""Lists with unjudged items, without them, with ties in both orders, and whole lists of subjects.

How far a score could be off because items were never judged is the input of `Measure.bounds`.

The unjudged items are those that some run retrieved, or that the judgments list with a negative
grade, and that have no judgment. Each may have any grade of the scale, from 0 to the top one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from fuzzytruth._typing import Bools, Floats, Ints
from fuzzytruth.core.cells import Cells
from fuzzytruth.core.layouts import EndToEnd
from fuzzytruth.core.lists.measure_bounds import OpenLists
from fuzzytruth.core.lists.ranked_lists import RankedLists, tied_places
from fuzzytruth.core.order import tie_bounds
from fuzzytruth.core.segments import (
    offsets_of,
    padded,
    ragged,
    segment_cumsum,
    segment_of,
    segment_sum,
)
from fuzzytruth.truth.batch import Batch, Levels, ranks

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, slots=True, eq=False)
class UnjudgedItems:
    """One system's lists with the places of the unjudged items, padded to one length.

    There is a list for each cell (a query and a subject who judged it), so that in the methods of
    this class there is one world, and each cell counts as a query.

    Parameters
    ----------
    gain : (1, cells, ranks) float
        Grade at each rank; NaN where the item is not judged, or past the end of the list.
    unjudged : (1, cells, ranks) bool
        Where there is an item without judgment.
    outside : (1, cells) int
        Unjudged items that are not in the list.
    length : (cells,) int
    grades : (1, items) float
        Of all judged items; NaN where not judged.
    offsets : (cells + 1,) int
        Where each cell's items start.
    top_grade : float
        The largest grade that an item may have: that of the judgments, or 1 if all are 0.
    """

    gain: Floats
    unjudged: Bools
    outside: Ints
    length: Ints
    grades: Floats
    offsets: Ints
    top_grade: float

    def relevant(self, rel: float) -> Bools:
        """Where a judged relevant item stands: (1, cells, ranks)."""
        return self.gain >= rel

    def n_relevant(self, rel: float) -> Ints:
        """Number of judged relevant items, retrieved or not: (1, cells)."""
        return segment_sum(self.grades >= rel, self.offsets)

    def binary(self, rel: float, cutoff: int | None = None) -> OpenLists:
        """Relevant, non-relevant and unjudged items of the lists, cut at a rank."""
        inside = self.within(cutoff)
        relevant = self.n_relevant(rel)[0]
        return OpenLists(
            inside.relevant(rel)[0],
            inside.unjudged[0],
            relevant,
            self.n_relevant(0)[0] - relevant,
            inside.outside[0],
            inside.length,
        )

    def as_nonrelevant(self) -> UnjudgedItems:
        """The same with grade 0 for every unjudged item."""
        n_items = np.diff(self.offsets)
        n_zero = (self.n_open + self.outside)[0]
        width = int((n_items + n_zero).max(initial=0))
        filled = padded(self.grades, self.offsets, width=width)[0]  # (cells, width)
        kept = np.arange(width) < (n_items + n_zero)[:, None]
        return replace(
            self,
            gain=np.where(self.unjudged, 0.0, self.gain),
            unjudged=np.zeros_like(self.unjudged),
            outside=np.zeros_like(self.outside),
            grades=filled[kept][None],
            offsets=offsets_of(n_items + n_zero),
        )

    @property
    def n_open(self) -> Ints:
        """Number of unjudged items in the list: (1, cells)."""
        return np.asarray(self.unjudged.sum(axis=-1))

    def within(self, cutoff: int | None) -> UnjudgedItems:
        """The lists cut at a rank; unjudged items beyond it are outside."""
        if cutoff is None or cutoff >= self.gain.shape[-1]:
            return self
        beyond = self.unjudged[..., cutoff:].sum(axis=-1)
        return replace(
            self,
            gain=self.gain[..., :cutoff],
            unjudged=self.unjudged[..., :cutoff],
            outside=self.outside + beyond,
            length=np.minimum(self.length, cutoff),
        )


# Lists without the items that a subject, or nobody, judged.


def without_missing(batch: Batch) -> Batch:
    """Lists from which each world's missing items (gain NaN) are taken out.

    Lists then differ between worlds, so that each (world, query) becomes a query of its own, in a
    batch of a single world.
    """
    batch = batch.end_to_end()
    return _without(np.isnan(batch.gain), batch)


def judged_only(batch: Batch) -> Batch:
    """Lists of which only items judged in each world are left: with a grade of 0 or more.

    Where all hits are judged in all worlds, these share their lists as before. Else each (world,
    query) becomes a query of its own, in a batch of a single world.
    """
    return among_hits(batch) if all_judged(batch).all() else hits_judged(batch)


def all_judged(batch: Batch) -> Bools:
    """Whether all hits of a query are judged in a world: (worlds, queries)."""
    if batch.scale is not None and bool((batch.scale >= 0).all()):
        return np.ones((batch.n_worlds, batch.n_queries), dtype=bool)
    # NaN is no grade
    is_judged = batch.code >= 0 if batch.scale is None else batch.values_of(lambda g: g >= 0)
    out: Bools = batch.per_query(~is_judged.astype(bool)) == 0
    return out


def among_hits(batch: Batch) -> Batch:
    """Lists without the items that nobody judged."""
    among = batch.among_hits()
    return _with_ranks(among, batch, among.first)


def hits_judged(batch: Batch) -> Batch:
    """Lists of the items judged in each world; each (world, query) is a query of its own."""
    batch, among = batch.end_to_end(), batch.among_hits().end_to_end()
    missing = ~(among.gain >= 0)
    above, _ = _count_in_order(missing, among)
    return _with_ranks(_without(missing, among), batch, among.first - above)


def _with_ranks(lists: Batch, batch: Batch, rank: Ints) -> Batch:
    """Lists with the intents of a batch whose hits now have these ranks."""
    if batch.intents is None:
        return lists
    query = batch.per_hit(np.arange(batch.n_queries))
    return replace(lists, intents=batch.intents.reranked(query, batch.first, rank))


def _without(missing: Bools, batch: Batch) -> Batch:
    """Lists without the hits marked (worlds, hits)."""
    above, up_to = _count_in_order(missing, batch)
    judged = ~missing
    world, hit = np.nonzero(judged)
    query = segment_of(batch.offsets)[hit]
    n_worlds, n_queries = batch.n_worlds, batch.n_queries
    own = world * n_queries + query
    length = batch.length - segment_sum(missing, batch.offsets)
    levels = batch.levels
    return Batch(
        length.ravel(),
        EndToEnd(offsets_of(np.bincount(own, minlength=n_worlds * n_queries))),
        *ranks(batch.first[hit] - above[judged], batch.last[hit] - up_to[judged]),
        batch.gain[judged][None, :],
        Levels(
            offsets_of(np.tile(np.diff(levels.offsets), n_worlds)),
            np.tile(levels.grade, n_worlds),
            levels.count.reshape(1, -1),
        ),
        batch.top_grade,
    )


def _count_in_order(marked: Bools, batch: Batch) -> tuple[Ints, Ints]:
    """Marked hits on better ranks than each hit, and marked hits up to the end of its tie.

    Both (worlds, hits).
    """
    running = segment_cumsum(marked, batch.offsets)
    # tied hits share `first` within a query
    every = np.arange(len(batch.first))
    start, end = tie_bounds(segment_of(batch.offsets), batch.first, every)
    return running[:, start] - marked[:, start], running[:, end]


# Lists with tied items ordered by grade: best first, and best last.


@dataclass(frozen=True, slots=True, eq=False)
class TiedLists:
    """One system's lists by one truth, whose ties are resolved.

    Parameters
    ----------
    batch : Batch
        Of one world, its hits end to end.
    low, high : (hits,) int
        First and last rank of each hit's tie.
    """

    batch: Batch
    low: Ints
    high: Ints

    def changing(self) -> Ints:
        """Queries with a tie of items of different grades, or of judged and unjudged ones."""
        hit = np.flatnonzero(self.low != self.high)
        query = segment_of(self.batch.offsets)[hit]
        start = np.flatnonzero(_new(query, self.low[hit]))
        if not len(start):
            return start
        size = np.diff(start, append=len(hit))
        grade = _worst_if_unknown(self.batch.gain[0, hit])
        differ = np.minimum.reduceat(grade, start) < np.maximum.reduceat(grade, start)
        differ |= size <= (self.high - self.low)[hit[start]]
        return np.flatnonzero(np.bincount(query[start[differ]]))


def _new(query: Ints, low: Ints) -> Bools:
    """Which hits begin a tie, or are not tied."""
    new = np.ones(len(low), dtype=bool)
    new[1:] = (low[1:] != low[:-1]) | (query[1:] != query[:-1])
    return new


def _worst_if_unknown(gain: Floats) -> Floats:
    return np.where(np.isnan(gain), -np.inf, gain)


def _by_grade(tie: Ints, gain: Floats) -> Ints:
    """Hits by tie, then best first; grades as good as equal in any order."""
    least, most = np.nanmin(gain), np.nanmax(gain)
    grade = np.where(np.isnan(gain), least - 1, gain)
    return np.argsort(tie * (most - least + 2) - grade, kind="stable")  # quick: nearly sorted


def both_orders(lists: Sequence[TiedLists], queries: Sequence[Ints]) -> Batch:
    """Some queries of each of several systems, ties best first, and then once more, best last.

    Items that nobody judged come behind all others, or before them.
    """
    parts: list[tuple[Ints | Floats, ...]] = []
    for one, some in zip(lists, queries, strict=True):
        owner, hit = ragged(one.batch.offsets, some)
        hits = np.bincount(owner, minlength=len(some))
        gain, length = one.batch.gain[0, hit], one.batch.length[some]
        parts.append((one.low[hit], one.high[hit], gain, hits, length, some))
    low, high, gain, hits, length, some = map(np.concatenate, zip(*parts, strict=True))
    query = segment_of(offsets_of(hits))
    start = np.flatnonzero(_new(query, low))
    size = np.diff(start, append=len(low))
    tie = np.repeat(np.arange(len(size)), size)
    place = np.arange(len(low)) - start[tie]
    best_first = _by_grade(tie, gain)
    best_last = best_first[(2 * start + size - 1)[tie] - np.arange(len(low))]
    rank = np.concatenate((low + place, high - size[tie] + 1 + place))
    levels = lists[0].batch.levels
    owner, level = ragged(levels.offsets, np.tile(some, 2))
    of_query = offsets_of(np.bincount(owner, minlength=2 * len(some)))
    return replace(
        lists[0].batch,
        length=np.tile(length, 2),
        layout=EndToEnd(offsets_of(np.tile(hits, 2))),
        first=rank,
        last=rank,
        code=gain[np.concatenate((best_first, best_last))][None, :],
        judged=Levels(of_query, levels.grade[level], levels.count[:, level]),
        scale=None,
        largest_code=None,
        parts={},
        intents=None,
        resolved=None,
    )


# Whole ranked lists of subjects, to be compared with a system's.
#
# Measures that compare lists (`Measure.compare_lists`) get these instead of a batch. An item that a
# subject did not list is no missing judgment.


@dataclass(frozen=True, slots=True, eq=False)
class SubjectLists:
    """One list for each cell, a query and a subject.

    Parameters
    ----------
    cells : Cells
    queries : tuple of str
    subjects : tuple of str or None
    item_ids : Arrow array of strings, (pairs,)
        Item of each judged pair.
    offsets : (cells + 1,) int
        Where each list's rows start.
    entry : (rows,) int
        Pair of each item, in the subject's order: by position, and by relevance where positions
        are equal or not given.
    relevance : (rows,) float
    position : (rows,) float or None
    """

    cells: Cells
    queries: tuple[str, ...]
    subjects: tuple[str, ...] | None
    item_ids: pa.LargeStringArray
    offsets: Ints
    entry: Ints
    relevance: Floats
    position: Floats | None = None

    def name(self, cell: int) -> str:
        """Query and subject of a list, for messages."""
        query = f"query {self.queries[self.cells.query[cell]]!r}"
        if self.subjects is None or self.cells.subject is None:
            return query
        return f"{query}, subject {self.subjects[self.cells.subject[cell]]!r}"

    def item(self, row: int) -> str:
        """Item of a row, for messages."""
        return str(self.item_ids[int(self.entry[row])].as_py())

    def by_position(self) -> tuple[RankedLists, Ints]:
        """The lists as the subjects order them, by position or else by grade, whatever the grades.

        Equal positions are ties, or equal grades where there are no positions.
        """
        key = self.relevance if self.position is None else self.position
        first, last = tied_places(self.offsets, key)
        return RankedLists(self.offsets, self.relevance, first, last), self.entry


@dataclass(frozen=True, slots=True, eq=False)
class AlignedLists:
    """The lists of all cells, and where one system ranks their items.

    Parameters
    ----------
    lists : SubjectLists
    rank_of : (pairs,) int
        Rank of each judged pair's item in the system's list for its query; 0 where it is not
        retrieved.
    length : (lists,) int
        Length of the system's list.
    """

    lists: SubjectLists
    rank_of: Ints
    length: Ints

    def within(self, cutoff: int | None) -> AlignedLists:
        """The system's lists cut at a rank."""
        if cutoff is None:
            return self
        rank_of = np.where(self.rank_of > cutoff, 0, self.rank_of)
        return replace(self, rank_of=rank_of, length=np.minimum(self.length, cutoff))
