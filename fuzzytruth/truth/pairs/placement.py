"""The rank of each judged item in a system's lists, for all kinds of truth.

All that a measure needs of a ranking is the length of each list and the ranks of the judged items
in it. Items that nobody judged are counted while ranking and then forgotten.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import NDArray

from fuzzytruth._lazy import pa
from fuzzytruth._typing import U64, Ints
from fuzzytruth.core.arithmetic import offsets_of
from fuzzytruth.core.checksums import pair_keys
from fuzzytruth.core.order import by_query_and_rank, query_starts
from fuzzytruth.data.ranking import RankedLists, Ranking, TieRanks, Ties, of_rows, ranks_of
from fuzzytruth.truth.protocol import AlignedTruth, Facts

if TYPE_CHECKING:
    from fuzzytruth.truth.pairs.pool import JudgedPairs


@dataclass(frozen=True, slots=True, eq=False)
class Placement:
    """One system's lists, seen from the truth.

    Parameters
    ----------
    length : (queries,) int
        Number of retrieved items; a query by example itself is left out.
    offsets : (queries + 1,) int
        Where each query's retrieved judged items ("hits") start in the arrays below.
    entry : (hits,) int
        Pair of each hit, or item of the collection, best first within a query.
    first, last : (hits,) int
        Ranks (from 1) over which the item is tied; equal where ties are resolved.
    ties : pair of (hits,) int, or None
        The first and last rank of each hit's tie, where ties are resolved; None: nothing is tied.
    unknown : (unknown rows,) str or None
        Retrieved items that are not in the collection; they are not relevant.
    """

    length: Ints
    offsets: Ints
    entry: Ints
    first: Ints
    last: Ints
    ties: TieRanks | None = None
    unknown: pa.LargeStringArray | None = None

    @property
    def tied(self) -> bool:
        """Whether some ranks are open."""
        return self.first is not self.last and bool((self.first != self.last).any())

    @property
    def last_of_ties(self) -> Ints | None:
        """Last rank of each hit; None where no rank is open."""
        return self.last if self.tied else None

    def top(self, depth: int | None) -> Placement:
        """Only the hits that may lie within the first `depth` ranks."""
        if depth is None:
            return self
        keep = np.flatnonzero((self.first if self.ties is None else self.ties[0]) <= depth)
        if len(keep) == len(self.first):
            return self
        return self._of_hits(self.length, np.searchsorted(keep, self.offsets), keep)

    def of_queries(self, queries: slice, first_pair: int = 0) -> Placement:
        """Some whole queries only, pairs counted from `first_pair`."""
        if queries == slice(0, len(self.length)):
            return self
        offsets = self.offsets[queries.start : queries.stop + 1]
        hits = slice(int(offsets[0]), int(offsets[-1]))
        some = self._of_hits(self.length[queries], offsets - offsets[0], hits)
        return replace(some, entry=some.entry - first_pair) if first_pair else some

    def _of_hits(self, length: Ints, offsets: Ints, hits: Ints | slice) -> Placement:
        first = self.first[hits]
        last = first if self.last is self.first else self.last[hits]
        ties = of_rows(self.ties, hits)
        return Placement(length, offsets, self.entry[hits], first, last, ties, self.unknown)


@dataclass(frozen=True, slots=True, eq=False)
class PlacedTruth(AlignedTruth):
    """A truth with the lists of each run as a `Placement`.

    Parameters
    ----------
    facts : Facts
    placements : tuple of Placement
        One for each run.
    """

    facts: Facts
    placements: tuple[Placement, ...]

    def top(self, depth: int) -> Self:
        """The same with lists of which only the items within `depth` are known."""
        return replace(self, placements=tuple(p.top(depth) for p in self.placements))

    def placed(self, block: slice, first_pair: int = 0) -> tuple[Placement, ...]:
        """The lists of some whole queries, pairs counted from `first_pair`."""
        return tuple(p.of_queries(block, first_pair) for p in self.placements)


def place_runs(pool: JudgedPairs, runs: RankedLists, ties: Ties) -> tuple[Placement, ...]:
    """Place the lists of each run; a query of the pool that a run lacks gets an empty list."""
    placed = runs.each_block(partial(_place_block, pool, ties))
    return tuple(_joined(pool, parts, ties) for parts in placed.values())


@dataclass(frozen=True, slots=True, eq=False)
class _PlacedBlock:
    """Lists of some queries, seen from the pool.

    Parameters
    ----------
    answered, length : (answered queries,) int
        Number of each query of the pool, and of its rows.
    query, entry, first, last : (hits,) int
    ties : pair of (hits,) int, or None
    """

    answered: NDArray[np.int32]
    length: Ints
    query: NDArray[np.int32]
    entry: Ints
    first: Ints
    last: Ints
    ties: TieRanks | None


def _place_block(pool: JudgedPairs, ties: Ties, ranking: Ranking) -> _PlacedBlock:
    """Place the lists of a block."""
    codes = _codes(pool, ranking)
    rows, entry = pool.find(ranking.item, ranking.item_hash, codes)
    first, last, tie = ranks_of(ranking, codes, rows, ties)
    starts = query_starts(codes)
    size = np.diff(starts, append=len(codes))
    known = codes[starts] < len(pool.queries)
    return _PlacedBlock(codes[starts[known]], size[known], codes[rows], entry, first, last, tie)


def _joined(pool: JudgedPairs, parts: Sequence[_PlacedBlock], ties: Ties) -> Placement:
    """The lists of all blocks, of which an empty ranking has none."""
    n_queries = len(pool.queries)
    if not parts:
        return no_lists(n_queries)
    answered, size, query, entry, first, last = (
        np.concatenate([getattr(part, name) for part in parts])
        for name in ("answered", "length", "query", "entry", "first", "last")
    )
    length = np.bincount(answered, weights=size, minlength=n_queries).astype(np.int64)
    if ties == "expected":  # tied items have no order of their own: one that rows do not change
        order = np.lexsort((pool.item_hash[entry], first, query))
    else:
        order = by_query_and_rank(query, first)
    offsets = offsets_of(np.bincount(query, minlength=n_queries))
    tie_ranks = of_rows(_joined_ties(parts), order)
    return Placement(length, offsets, entry[order], first[order], last[order], tie_ranks)


def _joined_ties(parts: Sequence[_PlacedBlock]) -> TieRanks | None:
    if all(part.ties is None for part in parts):
        return None
    low, high = zip(*(part.ties or (part.first, part.last) for part in parts), strict=True)
    return np.concatenate(low), np.concatenate(high)


def no_lists(n_queries: int) -> Placement:
    """Empty lists."""
    no_hits = np.zeros(0, dtype=np.int64)
    lengths = np.zeros(n_queries, dtype=np.int64)
    return Placement(lengths, offsets_of(lengths), no_hits, no_hits, no_hits)


def _codes(pool: JudgedPairs, ranking: Ranking) -> NDArray[np.int32]:
    """The pool's number of each row's query."""
    code_of = pool.codes(ranking.queries)
    if np.array_equal(code_of, np.arange(len(code_of))):
        return ranking.query
    return code_of[ranking.query]


def example_items(pool: JudgedPairs, ranking: Ranking) -> tuple[str, str] | None:
    """An item that a system retrieved for some query of the pool, and one judged for that query."""
    codes = _codes(pool, ranking)
    rows = np.flatnonzero(codes < len(pool.queries))
    if not len(rows):
        return None
    row = int(rows[0])
    judged = int(pool.offsets[codes[row]])
    return ranking.item[row].as_py(), pool.item[judged].as_py()


def retrieved_elsewhere(pool: JudgedPairs, runs: RankedLists) -> Ints:
    """How many different items outside the pool any run retrieved for each query: (queries,)."""
    parts = [*chain.from_iterable(runs.each_block(partial(_elsewhere, pool)).values())]
    if not parts:
        return np.zeros(len(pool.queries), dtype=np.int64)
    keys, queries = (np.concatenate(part) for part in zip(*parts, strict=True))
    _, first = np.unique(keys, return_index=True)
    return np.bincount(queries[first], minlength=len(pool.queries))


def _elsewhere(pool: JudgedPairs, ranking: Ranking) -> tuple[U64, NDArray[np.int32]]:
    """Key and query of each item of a block that is outside the pool."""
    codes = _codes(pool, ranking)
    known = np.zeros(len(codes), dtype=bool)
    known[pool.find(ranking.item, ranking.item_hash, codes)[0]] = True
    rows = np.flatnonzero(~known & (codes < len(pool.queries)))
    return pair_keys(ranking.item_hash[rows], codes[rows]), codes[rows]
