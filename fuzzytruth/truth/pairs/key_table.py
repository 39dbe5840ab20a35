"""Look-up of 64-bit keys among a fixed set of keys."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fuzzytruth._typing import U64, Bools, Ints


@dataclass(frozen=True, slots=True, eq=False)
class KeyTable:
    """Sorted 64-bit keys, found through their leading bits.

    Measured against pyarrow's dictionary encoding and `numpy.searchsorted`; the figures are in
    docs/development/dependencies.md.

    Parameters
    ----------
    key : (keys + 2,) uint64
        Ascending, with two sentinels at the end.
    entry : (keys + 2,) int
        What each key belongs to.
    start : (2 ** bits,) int
        First key with given leading bits.
    present : (2 ** bits,) bool
        Whether any key has given leading bits.
    shift : uint64
        How far keys are shifted to leave the leading bits.
    """

    key: U64
    entry: Ints
    start: NDArray[np.int32]
    present: Bools
    shift: np.uint64

    @classmethod
    def of(cls, key: U64) -> KeyTable:
        """Index keys by enough leading bits that nearly all of them differ there."""
        bits = min(max(16, len(key).bit_length() + 2), 24)
        shift = np.uint64(64 - bits)
        order = np.argsort(key)
        key = key[order]
        count = np.bincount((key >> shift).view(np.int64), minlength=1 << bits)
        start = np.cumsum(count) - count
        # A key above all others ends every search, and one that differs from it every run of
        # equal keys.
        key = np.append(key, np.array([0xFFFFFFFFFFFFFFFF, 0], dtype=np.uint64))
        return cls(key, np.append(order, [0, 0]), start.astype(np.int32), count > 0, shift)

    def find(self, wanted: U64) -> tuple[Ints, Ints]:
        """Places in `wanted` of the keys that the table has, and the entry of each.

        A key that several entries share gives each of them.
        """
        leading = (wanted >> self.shift).view(np.int64)
        rows = np.flatnonzero(self.present[leading])
        wanted, place = wanted[rows], self.start[leading[rows]].astype(np.int64)
        behind = np.flatnonzero(self.key[place] < wanted)
        while len(behind):  # as often as keys share their leading bits: a few times
            place[behind] += 1
            behind = behind[self.key[place[behind]] < wanted[behind]]
        n_keys = len(self.key) - 2  # a key may equal the first sentinel
        hit = np.flatnonzero((self.key[place] == wanted) & (place < n_keys))
        hits, entries = [hit], [self.entry[place[hit]]]
        while len(hit):  # once, unless two ids share a hash
            place[hit] += 1
            hit = hit[(self.key[place[hit]] == wanted[hit]) & (place[hit] < n_keys)]
            hits.append(hit)
            entries.append(self.entry[place[hit]])
        all_hits = np.concatenate(hits)
        order = np.argsort(all_hits, kind="stable")
        return rows[all_hits[order]], np.concatenate(entries)[order]
