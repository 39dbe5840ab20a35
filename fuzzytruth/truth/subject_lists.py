"""Whole lists of subjects, to be compared with a system's: who listed what, and where.

Measures that compare lists (`Measure.compare_lists`) get these instead of a batch. What a subject
did not list is not there, and nothing has to stand for it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from fuzzytruth._typing import Array, Floats
from fuzzytruth.core.ranked_lists import RankedLists, tied_places
from fuzzytruth.core.segments import offsets_of, segment_of
from fuzzytruth.errors import DataError, OptionError
from fuzzytruth.truth.pool import Placement, Pool

ListTies = Literal["interval", "position"]
Order = Literal["error", "sort"]


@dataclass(frozen=True, slots=True, eq=False)
class SubjectLists:
    """The lists of all subjects for all queries; that of subject s for query q is s · queries + q.

    Parameters
    ----------
    pool : Pool
    offsets : (lists + 1,) int
        Where each list's rows start; a subject who listed nothing for a query has an empty list.
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
        """Gather the lists from the pool."""
        subject, entry = np.nonzero(pool.chance > 0)  # what was judged, whatever fills the rest
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
        """A list in words."""
        subject, query = divmod(number, len(self.pool.queries))
        who = f", subject {self.pool.subjects[subject]!r}" if self.pool.subjects else ""
        return f"query {self.pool.queries[query]!r}{who}"

    def check_relevances(self) -> None:
        """Raise `DataError` if a grade is outside [0, 1]: it is no relevance."""
        bad = np.flatnonzero((self.relevance < 0) | (self.relevance > 1))
        if len(bad):
            row = int(bad[0])
            item = self.pool.item[int(self.entry[row])].as_py()
            raise DataError(
                f"{self.name(int(segment_of(self.offsets)[row]))}, item {item!r}: relevance "
                f"{self.relevance[row]:g} is outside [0, 1] ({len(bad):,} such); divide the grades "
                "by the largest of the scale"
            )

    def by_position(self) -> tuple[RankedLists, Array]:
        """The lists as the subjects order them, by position or else by grade, whatever the grades.

        Equal positions are ties, or equal grades where there are no positions.
        """
        key = self.relevance if self.position is None else self.position
        first, last = tied_places(self.offsets, key)
        return RankedLists(self.offsets, self.relevance, first, last), self.entry

    def ranked(self, ties: ListTies | None, order: Order) -> tuple[RankedLists, Array]:
        """The lists with their places, and the pool entry of each row.

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
    """The lists of all subjects, and what one system does with their items.

    Parameters
    ----------
    lists : SubjectLists
    rank_of : (items,) int
        Rank of each pool item in the system's list for its query; 0 where it is not there.
    length : (lists,) int
        Length of the system's list.
    """

    lists: SubjectLists
    rank_of: Array
    length: Array

    @classmethod
    def of(cls, lists: SubjectLists, pool: Pool, placement: Placement) -> AlignedLists:
        """Look up where a system placed the items; ties must be resolved."""
        rank_of = np.zeros(len(pool.item), dtype=np.int64)
        rank_of[placement.entry] = placement.first
        return cls(lists, rank_of, np.tile(placement.length, len(pool.grade)))

    def within(self, cutoff: int | None) -> AlignedLists:
        """The system's lists cut at a rank."""
        if cutoff is None:
            return self
        rank_of = np.where(self.rank_of > cutoff, 0, self.rank_of)
        return replace(self, rank_of=rank_of, length=np.minimum(self.length, cutoff))
