"""Subjects' ranked lists, many at once: what stands in them, at which places, with which ties.

Rows of all lists lie end to end, those of list j at ``offsets[j]:offsets[j + 1]``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fuzzytruth._typing import Array
from fuzzytruth.core.segments import segment_of


@dataclass(frozen=True, slots=True, eq=False)
class RankedLists:
    """Lists with the relevance of each item and the places it takes.

    Parameters
    ----------
    offsets : (lists + 1,) int
    relevance : (rows,) float
        Never rising within a list.
    first, last : (rows,) int
        Places (from 1) over which the item is tied; equal where it is not. Neither falls within a
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
        """Place of each row in its list as it stands, from 1: (rows,)."""
        return np.arange(1, len(self.relevance) + 1) - self.offsets[self.list_of]

    def between(self, lists: slice) -> RankedLists:
        """The lists of a slice."""
        offsets = self.offsets[lists.start : lists.stop + 1]
        rows = slice(int(offsets[0]), int(offsets[-1]))
        return RankedLists(
            offsets - offsets[0], self.relevance[rows], self.first[rows], self.last[rows]
        )

    def take(self, lists: Array) -> RankedLists:
        """Only these lists."""
        chosen = np.zeros(len(self.offsets) - 1, dtype=bool)
        chosen[lists] = True
        rows = np.repeat(chosen, self.size)
        offsets = np.concatenate(([0], np.cumsum(self.size[chosen])))
        return RankedLists(offsets, self.relevance[rows], self.first[rows], self.last[rows])


def tied_places(offsets: Array, *keys: Array) -> tuple[Array, Array]:
    """First and last place, from 1, of each row's run of rows of its list that are equal in `keys`.

    Equal rows must lie side by side.
    """
    segment = segment_of(offsets)
    n_rows = len(segment)
    new = np.ones(n_rows, dtype=bool)
    new[1:] = np.diff(segment) != 0
    for key in keys:
        new[1:] |= key[1:] != key[:-1]
    start = np.flatnonzero(new)
    size = np.diff(start, append=n_rows)
    first = start - offsets[segment[start]] + 1
    return np.repeat(first, size), np.repeat(first + size - 1, size)
