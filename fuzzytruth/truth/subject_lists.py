"""Whole ranked lists of subjects, to be compared with a system's.

Measures that compare lists (`Measure.compare_lists`) get these instead of a batch. An item that a
subject did not list is no missing judgment.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.cells import Cells
from fuzzytruth.core.ranked_lists import RankedLists, tied_places
from fuzzytruth.core.segments import segment_of
from fuzzytruth.errors import DataError, OptionError

if TYPE_CHECKING:
    import pyarrow as pa

ListTies = Literal["interval", "position"]
Order = Literal["error", "sort"]


@dataclass(frozen=True, slots=True, eq=False)
class SubjectLists:
    """One list for each cell, a query and a subject.

    Parameters
    ----------
    cells : Cells
    queries : tuple of str
    subjects : tuple of str or None
    item : Arrow array of strings, (pairs,)
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
    item: pa.LargeStringArray
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

    def check_relevances(self) -> None:
        """Raise `DataError` if a grade is no relevance, for it lies outside [0, 1]."""
        bad = np.flatnonzero((self.relevance < 0) | (self.relevance > 1))
        if len(bad):
            row = int(bad[0])
            item = self.item[int(self.entry[row])].as_py()
            raise DataError(
                f"{self.name(int(segment_of(self.offsets)[row]))}, item {item!r}: relevance "
                f"{self.relevance[row]:g} is outside [0, 1] ({len(bad):,} such); divide the grades "
                "by the largest of the scale"
            )

    def by_position(self) -> tuple[RankedLists, Ints]:
        """The lists as the subjects order them, by position or else by grade, whatever the grades.

        Equal positions are ties, or equal grades where there are no positions.
        """
        key = self.relevance if self.position is None else self.position
        first, last = tied_places(self.offsets, key)
        return RankedLists(self.offsets, self.relevance, first, last), self.entry

    def ranked(self, ties: ListTies | None, order: Order) -> tuple[RankedLists, Ints]:
        """The lists with their places, and the pair of each row.

        Parameters
        ----------
        ties : {"interval", "position"} or None
            Which items are tied: equal relevance, or equal relevance at an equal position. None:
            "position" where positions are given.
        order : {"error", "sort"}
            What to do where positions and relevances disagree: stop, or sort by relevance.

        Raises
        ------
        DataError
            Relevances rise along a list, and `order` is "error".
        """
        lists = self._falling(order)
        if ties is None:
            ties = "interval" if lists.position is None else "position"
        keys = [lists.relevance]
        if ties == "position":
            if lists.position is None:
                raise OptionError(
                    "ties=position: these lists have no positions; give a column `position`, or "
                    "use ties=interval"
                )
            keys.append(lists.position)
        first, last = tied_places(lists.offsets, *keys)
        return RankedLists(lists.offsets, lists.relevance, first, last), lists.entry

    def _falling(self, order: Order) -> SubjectLists:
        """The lists in an order in which relevances do not rise."""
        if self.position is None:
            return self
        own = segment_of(self.offsets)
        rises = np.flatnonzero((self.relevance[1:] > self.relevance[:-1]) & (own[1:] == own[:-1]))
        if not len(rises):
            return self
        if order == "sort":
            by = np.lexsort((self.position, -self.relevance, own))
            return replace(
                self,
                entry=self.entry[by],
                relevance=self.relevance[by],
                position=self.position[by],
            )
        row = int(rises[0])
        raise DataError(
            f"{self.name(int(own[row]))}: relevance rises from {self.relevance[row]:g} at position "
            f"{self.position[row]:g} to {self.relevance[row + 1]:g} at position "
            f"{self.position[row + 1]:g} ({len(rises):,} such places); correct the positions, or "
            "sort by relevance with order=sort"
        )


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
