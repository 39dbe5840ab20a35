"""Subjects' whole lists, and where a system ranks their items.

Input of measures that compare lists (`Measure.compare_lists`), instead of a batch. Items that a
subject did not list are not missing judgments.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from fuzzytruth._typing import Array, Floats
from fuzzytruth.core.ranked_lists import RankedLists, tied_places
from fuzzytruth.core.segments import offsets_of
from fuzzytruth.truth.pool import Placement, Pool


@dataclass(frozen=True, slots=True, eq=False)
class SubjectLists:
    """The lists of all subjects for all queries; that of subject s for query q is s · queries + q.

    Parameters
    ----------
    pool : Pool
    offsets : (lists + 1,) int
        Start of each list's rows; a subject who listed nothing for a query has an empty list.
    entry : (rows,) int
        Pool entry of each item, in the subject's order: by position, and by relevance where
        positions are equal or not given.
    relevance : (rows,) float in [0, 1]
    position : (rows,) float or None
    """

    pool: Pool
    offsets: Array
    entry: Array
    relevance: Floats
    position: Floats | None = None

    @classmethod
    def of(cls, pool: Pool) -> SubjectLists:
        """Lists of the subjects of a pool."""
        subject, entry = np.nonzero(pool.chance > 0)  # judgments that were given, not filled in
        relevance = pool.grade[subject, entry]
        own = subject * len(pool.queries) + pool.query_of[entry]
        n_lists = len(pool.grade) * len(pool.queries)
        position = None if pool.position is None else pool.position[subject, entry]
        keys = (-relevance, own) if position is None else (-relevance, position, own)
        order = np.lexsort(keys)
        return cls(
            pool,
            offsets_of(np.bincount(own, minlength=n_lists)),
            entry[order],
            relevance[order],
            None if position is None else position[order],
        )

    def name(self, number: int) -> str:
        """Query and subject of a list, for messages."""
        subject, query = divmod(number, len(self.pool.queries))
        who = f", subject {self.pool.subjects[subject]!r}" if self.pool.subjects else ""
        return f"query {self.pool.queries[query]!r}{who}"

    def item(self, row: int) -> str:
        """Item of a row."""
        return str(self.pool.item[int(self.entry[row])].as_py())

    def by_position(self) -> tuple[RankedLists, Array]:
        """Lists in the subjects' order, by position or else by grade, and each row's pool entry.

        Equal positions are ties, or equal grades where there are no positions.
        """
        key = self.relevance if self.position is None else self.position
        first, last = tied_places(self.offsets, key)
        return RankedLists(self.offsets, self.relevance, first, last), self.entry


@dataclass(frozen=True, slots=True, eq=False)
class AlignedLists:
    """Lists of all subjects, and the ranks that one system gives their items.

    Parameters
    ----------
    lists : SubjectLists
    rank_of : (items,) int
        Rank of each pool item in the system's list for its query; 0 where it is not retrieved.
    length : (lists,) int
        Length of the system's list.
    """

    lists: SubjectLists
    rank_of: Array
    length: Array

    @classmethod
    def of(cls, lists: SubjectLists, pool: Pool, placement: Placement) -> AlignedLists:
        """From a system's placement; ties must be resolved."""
        rank_of = np.zeros(len(pool.item), dtype=np.int64)
        rank_of[placement.entry] = placement.first
        return cls(lists, rank_of, np.tile(placement.length, len(pool.grade)))

    def within(self, cutoff: int | None) -> AlignedLists:
        """The system's lists cut at a rank."""
        if cutoff is None:
            return self
        rank_of = np.where(self.rank_of > cutoff, 0, self.rank_of)
        return replace(self, rank_of=rank_of, length=np.minimum(self.length, cutoff))
