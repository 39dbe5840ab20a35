"""The rank of each judged item in a system's lists.

All that a measure needs of a ranking is the length of each list and the ranks of the judged items
in it. Items that nobody judged are counted while ranking and then forgotten.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fuzzytruth._typing import Ints
from fuzzytruth.core.hashing import pair_keys
from fuzzytruth.core.order import by_query_and_rank, query_starts
from fuzzytruth.core.segments import offsets_of
from fuzzytruth.data.ranking import Ranking
from fuzzytruth.data.ranks import Ties, ranks_of
from fuzzytruth.data.runs import Runs
from fuzzytruth.truth.pairs.judged_pairs import JudgedPairs

_ROWS = 1 << 22  # rows of a run that are read at a time, about


@dataclass(frozen=True, slots=True, eq=False)
class Placement:
    """One system's lists, seen from the pool.

    Parameters
    ----------
    length : (queries,) int
        Number of retrieved items.
    offsets : (queries + 1,) int
        Where each query's retrieved judged items ("hits") start in the arrays below.
    entry : (hits,) int
        Pair of each hit, best first within a query.
    first, last : (hits,) int
        Ranks (from 1) over which the item is tied; equal where ties are resolved.
    """

    length: Ints
    offsets: Ints
    entry: Ints
    first: Ints
    last: Ints

    @property
    def tied(self) -> bool:
        """Whether some ranks are open."""
        return self.first is not self.last and bool((self.first != self.last).any())

    def top(self, depth: int) -> Placement:
        """Only the hits that may lie within the first `depth` ranks."""
        keep = np.flatnonzero(self.first <= depth)
        if len(keep) == len(self.first):
            return self
        first = self.first[keep]
        return Placement(
            self.length,
            np.searchsorted(keep, self.offsets),
            self.entry[keep],
            first,
            first if self.last is self.first else self.last[keep],
        )

    def of_queries(self, queries: slice, first_pair: int) -> Placement:
        """Some whole queries only, pairs counted from `first_pair`."""
        if first_pair == 0 and queries.stop == len(self.length):
            return self
        offsets = self.offsets[queries.start : queries.stop + 1]
        hits = slice(int(offsets[0]), int(offsets[-1]))
        first = self.first[hits]
        return Placement(
            self.length[queries],
            offsets - offsets[0],
            self.entry[hits] - first_pair,
            first,
            first if self.last is self.first else self.last[hits],
        )


def place_runs(pool: JudgedPairs, runs: Runs, ties: Ties) -> tuple[Placement, ...]:
    """Place the lists of each run."""
    return tuple(place(pool, blocks_of(ranking), ties) for ranking in runs.values())


def blocks_of(ranking: Ranking) -> Iterator[Ranking]:
    """Blocks of whole queries, so that a run need not be in memory at once."""
    return ranking.blocks(_ROWS)


def place(pool: JudgedPairs, rankings: Iterable[Ranking], ties: Ties) -> Placement:
    """Place a system's lists, which come in blocks of whole queries.

    A query of the pool that no block has gets an empty list.
    """
    n_queries = len(pool.queries)
    parts = [_place_block(pool, block, ties) for block in rankings]
    length = np.sum([part[0] for part in parts], axis=0)
    query, entry, first, last = (
        part[0] if len(part) == 1 else np.concatenate(part)
        for part in zip(*(part[1:] for part in parts), strict=True)
    )
    order = by_query_and_rank(query, first)
    offsets = offsets_of(np.bincount(query, minlength=n_queries))
    return Placement(length, offsets, entry[order], first[order], last[order])


def _place_block(
    pool: JudgedPairs, ranking: Ranking, ties: Ties
) -> tuple[Ints, NDArray[np.int32], Ints, Ints, Ints]:
    """Lengths of all lists; query, pair, first and last rank of each hit."""
    codes = _codes(pool, ranking)
    rows, entry = pool.find(ranking.item, ranking.item_hash, codes)
    first, last = ranks_of(ranking, codes, rows, ties)
    return _lengths(codes, len(pool.queries)), codes[rows], entry, first, last


def _codes(pool: JudgedPairs, ranking: Ranking) -> NDArray[np.int32]:
    """The pool's number of each row's query."""
    code_of = pool.codes(ranking.queries)
    if np.array_equal(code_of, np.arange(len(code_of))):
        return ranking.query
    return code_of[ranking.query]


def _lengths(codes: NDArray[np.int32], n_queries: int) -> Ints:
    """Number of rows of each query; those with code `n_queries` belong to none."""
    starts = query_starts(codes)
    size = np.diff(starts, append=len(codes))
    length = np.bincount(codes[starts], weights=size, minlength=n_queries + 1)
    return length[:n_queries].astype(np.int64)


def example_items(pool: JudgedPairs, rankings: Iterable[Ranking]) -> tuple[str, str] | None:
    """An item that a system retrieved for some query of the pool, and one judged for that query."""
    for block in rankings:
        codes = _codes(pool, block)
        rows = np.flatnonzero(codes < len(pool.queries))
        if len(rows):
            row = int(rows[0])
            judged = int(pool.offsets[codes[row]])
            return block.item[row].as_py(), pool.item[judged].as_py()
    return None


def retrieved_elsewhere(pool: JudgedPairs, runs: Iterable[Iterable[Ranking]]) -> Ints:
    """How many different items outside the pool any run retrieved for each query: (queries,)."""
    n_queries = len(pool.queries)
    keys, queries = [], []
    for blocks in runs:
        for ranking in blocks:
            codes = _codes(pool, ranking)
            known = np.zeros(len(codes), dtype=bool)
            known[pool.find(ranking.item, ranking.item_hash, codes)[0]] = True
            rows = np.flatnonzero(~known & (codes < n_queries))
            keys.append(pair_keys(ranking.item_hash[rows], codes[rows]))
            queries.append(codes[rows])
    _, first = np.unique(np.concatenate(keys), return_index=True)
    return np.bincount(np.concatenate(queries)[first], minlength=n_queries)
