"""Lists with tied items ordered by grade: best first, and best last."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from fuzzytruth._typing import Bools, Floats, Ints
from fuzzytruth.core.cells import Cells
from fuzzytruth.core.layouts import EndToEnd
from fuzzytruth.core.lists.ranked_lists import RankedLists, tied_places
from fuzzytruth.core.segments import offsets_of, ragged, segment_of
from fuzzytruth.truth.batch import Batch
from fuzzytruth.truth.levels import Levels

if TYPE_CHECKING:
    import pyarrow as pa


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
