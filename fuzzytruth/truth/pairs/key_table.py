"""Look-up of 64-bit keys among a fixed set of keys."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fuzzytruth._typing import U64, Bools, Ints

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
