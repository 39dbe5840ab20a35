"""Whole ranked lists of subjects, to be compared with a system's.

Measures that compare lists (`Measure.compare_lists`) get these instead of a batch. An item that a
subject did not list is no missing judgment.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.cells import Cells
from fuzzytruth.core.ranked_lists import RankedLists, tied_places

if TYPE_CHECKING:
    import pyarrow as pa


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
