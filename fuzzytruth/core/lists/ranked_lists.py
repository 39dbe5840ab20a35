"""Many ranked lists with ties, and their items' relevances.

Rows of all lists are concatenated, those of list j at ``offsets[j]:offsets[j + 1]``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from fuzzytruth._typing import Array, Bools, Floats, Ints
from fuzzytruth.core.segments import segment_of, segment_sum


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
    n_rows = len(segment)
    new = np.ones(n_rows, dtype=bool)
    new[1:] = np.diff(segment) != 0
    for key in keys:
        new[1:] |= key[1:] != key[:-1]
    start = np.flatnonzero(new)
    size = np.diff(start, append=n_rows)
    first = start - offsets[segment[start]] + 1
    return np.repeat(first, size), np.repeat(first + size - 1, size)


# Lists of relevant, non-relevant and unjudged items, for bounds of binary measures.
#
# How the proofs of the modules that use them go. A way to judge the unjudged items is a
# *completion*. Fix the number c of unjudged items that become relevant, so that the number of
# relevant items, and with it every norm, is fixed. An *exchange* makes one unjudged item relevant
# instead of another; if no exchange for a better place can lower a measure, then among the
# completions with c
#
# - the highest value has the best placed items relevant, those outside the list last;
# - the lowest value has the worst placed items relevant, those outside the list first.
#
# It remains to find the best c.


#: lowest and highest values: (cells,) both
Ends = tuple[Floats, Floats]

_BLOCK = 2**13  # numbers in an intermediate array, which then stays in the cache


@dataclass(frozen=True, slots=True, eq=False)
class OpenLists:
    """Some lists with the places of relevant and of unjudged items.

    Parameters
    ----------
    relevant, unjudged : (cells, ranks) bool
        Whether the item at each rank is judged relevant, or unjudged; False past a list's end.
    n_relevant : (cells,) int
        Judged relevant items, in the list or not.
    n_nonrelevant : (cells,) int
        Judged items that are not relevant.
    outside : (cells,) int
        Unjudged items that are not in the list.
    length : (cells,) int
        Items in each list.
    """

    relevant: Bools
    unjudged: Bools
    n_relevant: Ints
    n_nonrelevant: Ints
    outside: Ints
    length: Ints

    @property
    def n_open(self) -> Ints:
        """Unjudged items in each list: (cells,)."""
        return np.asarray(self.unjudged.sum(axis=-1))

    @property
    def n_hits(self) -> Ints:
        """Judged relevant items in each list: (cells,)."""
        return np.asarray(self.relevant.sum(axis=-1))

    def taken(self, cells: slice | Ints) -> OpenLists:
        """Some of the lists."""
        return OpenLists(
            self.relevant[cells],
            self.unjudged[cells],
            self.n_relevant[cells],
            self.n_nonrelevant[cells],
            self.outside[cells],
            self.length[cells],
        )

    def ends(self, kernel: Callable[[OpenLists], Ends]) -> Ends:
        """Lowest and highest values by a kernel that takes many lists: (cells,) both."""
        n_cells, n_ranks = self.relevant.shape
        low, high = np.zeros(n_cells), np.zeros(n_cells)
        for cells in cell_blocks(n_cells, n_ranks):
            low[cells], high[cells] = kernel(self.taken(cells))
        return low, high


def cell_blocks(n_cells: int, width: int) -> list[slice]:
    """Slices of cells with arrays of `width` numbers for each, that fit into the cache."""
    step = max(1, _BLOCK // max(1, width))
    return [slice(start, start + step) for start in range(0, n_cells, step)]


def running_counts(marked: Bools) -> Ints:
    """Number of marked items among the first 0, 1, 2, ... ranks: (cells, ranks + 1)."""
    out = np.zeros((marked.shape[0], marked.shape[1] + 1), dtype=np.int64)
    np.cumsum(marked, axis=-1, out=out[:, 1:])
    return out


def at(table: Array, index: Array) -> Array:
    """Entries of each cell's row: (cells, entries) and (cells, n) → (cells, n)."""
    row = np.arange(0, table.size, table.shape[-1])[:, None]
    return np.take(table, index + row)


def numbers_between(first: Ints, last: Ints) -> Ints:
    """The numbers from `first` to `last`, which is repeated: (cells, n)."""
    width = int((last - first).max(initial=0)) + 1
    numbers: Ints = np.minimum(first[:, None] + np.arange(width), last[:, None])
    return numbers
