"""Many ranked lists with ties, and their items' relevances.

Rows of all lists are concatenated, those of list j at ``offsets[j]:offsets[j + 1]``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fuzzytruth._typing import Array, Bools
from fuzzytruth.core.arithmetic import begins, segment_of, segment_sum


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
