"""Rules of weighted displacement: options, checks of lists, and the values that follow.

`WD` and `WDQ` apply them to the lists of all subjects at once, `fuzzytruth.displacement` to one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from fuzzytruth._typing import Array, Floats, Ints
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.core.largest_displacement import largest_displacement
from fuzzytruth.core.ranked_lists import RankedLists, tied_places
from fuzzytruth.core.segments import segment_of
from fuzzytruth.core.validation import MOST
from fuzzytruth.core.weighted_displacement import (
    UNLIMITED,
    Hypothesis,
    assumed_ranks,
    displacements,
    n_different,
)
from fuzzytruth.errors import DataError, OptionError, choice, counted, require, shown

ListTies = Literal["interval", "position"]
Order = Literal["error", "sort"]

#: hypotheses that need the size of the collection
NEED_N = ("pessimist", "pessimist-tail", "worst")


@dataclass(frozen=True, slots=True, eq=False)
class GivenLists:
    """Subjects' lists as given, end to end.

    Parameters
    ----------
    offsets : (lists + 1,) int
    relevance : (rows,) float
        In the order of `position`, then descending.
    position : (rows,) float or None
        Ascending within each list; None: lists are ordered by relevance.
    name : callable
        A list's name in error messages, by its number.
    item : callable
        A row's item in error messages, by its number.
    """

    offsets: Ints
    relevance: Floats
    position: Floats | None
    name: Callable[[int], str]
    item: Callable[[int], object]


@dataclass(frozen=True, slots=True, eq=False)
class ArrangedLists:
    """Subjects' lists in an order of non-increasing relevance.

    Parameters
    ----------
    given : GivenLists
    ranked : RankedLists
    rows : (rows,) int, or slice
        Index that orders the given rows; the whole slice where their order stays.
    """

    given: GivenLists
    ranked: RankedLists
    rows: Ints | slice


@dataclass(frozen=True, slots=True, eq=False)
class DisplacedLists:
    """Subjects' lists and the ranks that a system gave their items.

    Parameters
    ----------
    ranked : RankedLists
    rank : (rows,) int
        0 where the system does not list the item.
    length : (lists,) int
        Length of the system's list.
    unseen : str
        Hypothesis about the items that the system does not list.
    collection : (lists,) int
        Size of the collection.
    """

    ranked: RankedLists
    rank: Ints
    length: Ints
    unseen: Hypothesis
    collection: Ints

    def displacements(self) -> Array:
        """How far each item is displaced: (rows,) float."""
        return displacements(self.ranked, self.rank, self.length, self.unseen, self.collection)

    def assumed_ranks(self) -> Array:
        """Ranks with those that the hypothesis gives to missing items: (rows,) int."""
        return assumed_ranks(self.ranked, self.rank, self.length, self.unseen, self.collection)

    def largest(self) -> Array:
        """Largest weighted displacement of any answer of this length: (lists,) float."""
        return largest_displacement(self.ranked, self.length, self.unseen, self.collection)

    def normalised(self, weighted: Array) -> Array:
        """Weighted displacement over the largest one; 0/0 is 0: (lists,) float."""
        return divide(weighted, self.largest())


@dataclass(frozen=True, slots=True, kw_only=True)
class DisplacementRules:
    """Options of weighted displacement; see `fuzzytruth.displacement` for their meaning.

    Raises
    ------
    OptionError
        An option has a value that it does not take.
    """

    unseen: Hypothesis = "optimist"
    N: int | None = None
    ties: ListTies | None = None
    order: Order = "error"
    normalised: bool = False

    def __post_init__(self) -> None:
        choice("unseen", self.unseen, get_args(Hypothesis))
        choice("ties", self.ties, (None, *get_args(ListTies)))
        choice("order", self.order, get_args(Order))
        choice("normalised", self.normalised, (True, False))
        if self.N is not None:
            whole = isinstance(self.N, (int, np.integer)) and not isinstance(self.N, bool)
            rule = "the size of the collection must be a whole number from 1"
            require("N", self.N, whole and 1 <= self.N <= MOST, rule)

    def require_size(self) -> None:
        """Raise `OptionError` if the hypothesis needs N and it is missing."""
        if self.unseen in NEED_N and self.N is None:
            raise OptionError(f"unseen={self.unseen!r}: needs N, the size of the collection")

    def arrange(self, given: GivenLists) -> ArrangedLists:
        """Order lists by relevance, and find their ties.

        Raises
        ------
        DataError
            A relevance is outside [0, 1], or relevances rise along a list and `order` is "error".
        OptionError
            ``ties="position"`` and there are no positions.
        """
        _check_relevances(given)
        rows = self._falling(given, given.position)
        keys = [given.relevance[rows]]
        ties = self.ties or ("interval" if given.position is None else "position")
        if ties == "position":
            if given.position is None:
                raise OptionError(
                    "ties='position': these lists have no positions; add a column `position`, or "
                    "use ties='interval'"
                )
            keys.append(given.position[rows])
        first, last = tied_places(given.offsets, *keys)
        return ArrangedLists(given, RankedLists(given.offsets, keys[0], first, last), rows)

    def _falling(self, given: GivenLists, position: Floats | None) -> Ints | slice:
        """Rows in an order of non-increasing relevance."""
        if position is None:
            return slice(None)
        relevance, own = given.relevance, segment_of(given.offsets)
        rises = np.flatnonzero((relevance[1:] > relevance[:-1]) & (own[1:] == own[:-1]))
        if not len(rises):
            return slice(None)
        if self.order == "sort":
            return np.lexsort((position, -relevance, own))
        row = int(rises[0])
        raise DataError(
            f"{given.name(int(own[row]))}: relevance rises from {relevance[row]:g} of item "
            f"{shown(given.item(row))} to {relevance[row + 1]:g} of the next, "
            f"{shown(given.item(row + 1))} ({len(rises):,} such places); correct the order, or "
            "sort by relevance with order='sort'"
        )

    def displace(self, arranged: ArrangedLists, rank: Ints, length: Ints) -> DisplacedLists:
        """Put the ranks that a system gave the items beside the subjects' lists.

        Parameters
        ----------
        rank : (rows,) int
            Of the arranged rows; 0 where the system does not list the item.
        length : (lists,) int

        Raises
        ------
        DataError
            N is smaller than the number of different items in both lists, or a full ranking
            ("incremental") lacks items.
        """
        collection = self._collection(arranged, rank, length)
        return DisplacedLists(arranged.ranked, rank, length, self.unseen, collection)

    def _collection(self, arranged: ArrangedLists, rank: Ints, length: Ints) -> Ints:
        """Size of the collection for each list."""
        size, given = arranged.ranked.size, arranged.given
        least = np.where(size > 0, n_different(arranged.ranked, rank, length), 0)
        if self.unseen == "incremental":
            lacking = np.flatnonzero(least > length)
            if len(lacking):
                j = int(lacking[0])
                missing = np.flatnonzero(rank[given.offsets[j] : given.offsets[j + 1]] == 0)
                row = np.arange(len(rank))[arranged.rows][given.offsets[j] + missing[0]]
                such = f", such as {shown(given.item(int(row)))}"
                raise DataError(
                    f"{given.name(j)}: the system returns {counted(int(length[j]), 'item')}, "
                    f"without {len(missing):,} of the subject's items{such}{_such_lists(lacking)}; "
                    "unseen='incremental' needs the system's full ranking"
                )
        if self.N is None:
            return length if self.unseen == "incremental" else np.full(len(least), UNLIMITED)
        small = np.flatnonzero(least > self.N)
        if len(small):
            j = int(small[0])
            raise DataError(
                f"{given.name(j)}: N={self.N}: the system lists "
                f"{counted(int(length[j]), 'item')} and the subject "
                f"{counted(int(least[j] - length[j]), 'other')}{_such_lists(small)}; "
                f"N, the size of the collection, must be {int(least.max()):,} or more"
            )
        return np.where(size > 0, self.N, np.maximum(self.N, length))


def _check_relevances(given: GivenLists) -> None:
    bad = np.flatnonzero((given.relevance < 0) | (given.relevance > 1))
    if len(bad):
        row = int(bad[0])
        raise DataError(
            f"{given.name(int(segment_of(given.offsets)[row]))}, item {shown(given.item(row))}: "
            f"relevance {given.relevance[row]:g} is outside [0, 1] ({len(bad):,} such); divide the "
            "grades by the largest of the scale"
        )


def _such_lists(lists: Ints) -> str:
    return f" ({len(lists):,} such lists)" if len(lists) > 1 else ""
