"""Judged pairs of a query and an item, without their votes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fuzzytruth._typing import U64, Bools, Ints
from fuzzytruth.core.hashing import pair_keys
from fuzzytruth.core.segments import offsets_of, segment_of
from fuzzytruth.io.arrow import as_numpy, take
from fuzzytruth.io.ids import find_items, hashes_apart, string_array
from fuzzytruth.truth.blocks import cut
from fuzzytruth.truth.pairs.key_table import KeyTable

if TYPE_CHECKING:
    import pyarrow as pa

_ROWS = 1 << 16  # rows looked up at a time: their keys stay in cache
_PAIRS = 4096  # judged pairs in a block of drawn worlds, about


@dataclass(frozen=True, eq=False)
class JudgedPairs:
    """The judged items of each query.

    Parameters
    ----------
    queries : tuple of str
    offsets : (queries + 1,) int
        Where each query's pairs start in `item`.
    item : Arrow array of strings, (pairs,)
    table : KeyTable
        Keys of the pairs, by hashes of their ids.
    """

    queries: tuple[str, ...]
    offsets: Ints
    item: pa.LargeStringArray
    table: KeyTable

    @classmethod
    def of(
        cls,
        queries: tuple[str, ...],
        query_of: NDArray[np.integer],
        item: pa.LargeStringArray,
        item_hash: U64,
    ) -> JudgedPairs:
        """Pairs in ascending order of their queries, with the hashes of the items' ids."""
        offsets = offsets_of(np.bincount(query_of, minlength=len(queries)))
        return cls(queries, offsets, item, KeyTable.of(pair_keys(item_hash, query_of)))

    @cached_property
    def code_of(self) -> dict[str, int]:
        """The number of each query."""
        return {query: j for j, query in enumerate(self.queries)}

    @cached_property
    def query_of(self) -> Ints:
        """The query of each pair: (pairs,)."""
        return segment_of(self.offsets)

    @cached_property
    def query_hash(self) -> U64:
        """Hashes of the ids of the queries, by which their worlds are drawn: (queries,)."""
        return hashes_apart(string_array(self.queries))

    @cached_property
    def item_hash(self) -> U64:
        """Hashes of the ids of the items, by which their worlds are drawn: (pairs,)."""
        return hashes_apart(self.item, self.table.shared)

    @cached_property
    def blocks(self) -> list[slice]:
        """Slices of whole queries with about equally many pairs."""
        return cut(self.offsets, _PAIRS)

    def codes(self, queries: tuple[str, ...]) -> NDArray[np.int32]:
        """The number of each query in this pool; the number of queries for one it lacks."""
        if queries == self.queries:
            return np.arange(len(queries), dtype=np.int32)
        lacking = len(self.queries)
        return np.array([self.code_of.get(query, lacking) for query in queries], dtype=np.int32)

    def find(
        self, item: pa.LargeStringArray, item_hash: U64, codes: NDArray[np.int32]
    ) -> tuple[Ints, Ints]:
        """Rows whose (query, item) is in the pool, and the pair of each."""
        parts = []
        for start in range(0, max(len(codes), 1), _ROWS):
            rows = slice(start, start + _ROWS)
            row, pair = self.table.find(pair_keys(item_hash[rows], codes[rows]))
            parts.append((row + start, pair))
        row, pair = (np.concatenate(part) for part in zip(*parts, strict=True))
        if len(self.table.shared):
            of_several = np.flatnonzero(pair < 0)
            pair[of_several] = self._among_shared(
                take(item, row[of_several]), codes[row[of_several]]
            )
            row, pair = row[pair >= 0], pair[pair >= 0]
        # Equal hashes are a proposal; the ids decide.
        same = _equal(item, row, self.item, pair)
        return row[same], pair[same]

    def _among_shared(self, item: pa.LargeStringArray, codes: NDArray[np.int32]) -> Ints:
        """The pair of each query and item among those that share their key, -1 where it is none."""
        shared = self.table.shared
        names = take(self.item, shared).unique()
        place = find_items(item, names)
        known = self.query_of[shared] * len(names) + find_items(take(self.item, shared), names)
        order = np.argsort(known)
        wanted = np.where(place >= 0, codes.astype(np.int64) * len(names) + place, -1)
        at = np.minimum(np.searchsorted(known, wanted, sorter=order), len(known) - 1)
        pair = shared[order[at]]
        return np.where(known[order[at]] == wanted, pair, -1)

    def of_queries(self, queries: slice) -> tuple[slice, Ints]:
        """The pairs of some whole queries, and where each query's start among them."""
        offsets = self.offsets[queries.start : queries.stop + 1]
        return slice(int(offsets[0]), int(offsets[-1])), offsets - offsets[0]


def _equal(a: Any, rows_a: Ints, b: Any, rows_b: Ints) -> Bools:
    import pyarrow.compute as pc

    equal: Any = pc.equal(take(a, rows_a), take(b, rows_b))
    return as_numpy(equal.cast("uint8"), np.bool_)
