"""Judged pairs of a query and an item, without their votes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fuzzytruth._typing import U64, Bools, Ints
from fuzzytruth.core.checksums import pair_keys
from fuzzytruth.core.segments import offsets_of, segment_of
from fuzzytruth.io.columns import as_numpy, find_items, hashes_apart, string_array, take
from fuzzytruth.truth.protocol import cut

if TYPE_CHECKING:
    import pyarrow as pa


# Look-up of 64-bit keys among a fixed set of keys.


_STEPS = 8  # keys with the same leading bits that are looked at one by one


@dataclass(frozen=True, slots=True, eq=False)
class KeyTable:
    """Sorted 64-bit keys, found through their leading bits.

    Measured against pyarrow's dictionary encoding and `numpy.searchsorted`; the figures are in
    docs/development/dependencies.md.

    Parameters
    ----------
    key : (keys + 1,) uint64
        Ascending and distinct, with a sentinel at the end.
    entry : (keys,) int
        What each key belongs to; -1 where several entries share it.
    shared : (some,) int
        Entries that share their key with another.
    start : (2 ** bits,) int
        First key with given leading bits.
    present : (2 ** bits,) bool
        Whether any key has given leading bits.
    shift : uint64
        How far keys are shifted to leave the leading bits.
    """

    key: U64
    entry: Ints
    shared: Ints
    start: NDArray[np.int32]
    present: Bools
    shift: np.uint64

    @classmethod
    def of(cls, key: U64) -> KeyTable:
        """Index keys by enough leading bits that nearly all of them differ there."""
        bits = min(max(16, len(key).bit_length() + 2), 24)
        shift = np.uint64(64 - bits)
        entry = np.argsort(key)
        key, shared = key[entry], np.empty(0, dtype=np.int64)
        equals_next = key[1:] == key[:-1]
        if equals_next.any():
            first = np.append(True, ~equals_next)
            is_shared = ~(first & np.append(~equals_next, True))
            shared = entry[is_shared]
            key, entry = key[first], np.where(is_shared, -1, entry)[first]
        count = np.bincount((key >> shift).view(np.int64), minlength=1 << bits)
        start = np.cumsum(count) - count
        # A key above all others ends every search.
        key = np.append(key, np.uint64(0xFFFFFFFFFFFFFFFF))
        return cls(key, entry, shared, start.astype(np.int32), count > 0, shift)

    def find(self, wanted: U64) -> tuple[Ints, Ints]:
        """Places in `wanted` of the keys that the table has, and the entry of each."""
        leading = (wanted >> self.shift).view(np.int64)
        rows = np.flatnonzero(self.present[leading])
        wanted, place = wanted[rows], self.start[leading[rows]].astype(np.int64)
        behind = np.flatnonzero(self.key[place] < wanted)
        for _ in range(_STEPS if len(behind) else 0):
            place[behind] += 1
            behind = behind[self.key[place[behind]] < wanted[behind]]
        if len(behind):  # more keys share their leading bits than would by chance
            place[behind] = np.searchsorted(self.key, wanted[behind])
        # a key may equal the sentinel
        hit = np.flatnonzero((self.key[place] == wanted) & (place < len(self.entry)))
        return rows[hit], self.entry[place[hit]]


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
