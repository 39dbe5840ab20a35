"""64-bit hashes of all strings of a column at once, from its bytes in Arrow's layout.

Equal hashes suggest equal ids; callers compare the ids themselves.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fuzzytruth._typing import U64, Ints

_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)  # 2^64 / golden ratio: Fibonacci hashing
_MIXER = np.uint64(0xD6E8FEB86659FD93)
_SHIFT = np.uint64(32)


def hash_strings(data: NDArray[np.uint8], offsets: Ints) -> U64:
    """Hash each string ``data[offsets[j]:offsets[j + 1]]``.

    Parameters
    ----------
    data : (bytes,) uint8
        All strings end to end.
    offsets : (strings + 1,) int
        Byte of `data` at which each string starts.

    Returns
    -------
    (strings,) uint64
    """
    out = np.empty(len(offsets) - 1, dtype=np.uint64)
    for row in range(0, len(out), _BLOCK):
        block = offsets[row : row + _BLOCK + 1]
        out[row : row + _BLOCK] = _hash_block(data, block)
    return out


_BLOCK = 1 << 14  # strings hashed at a time, so that intermediate arrays stay in cache


def _hash_block(data: NDArray[np.uint8], offsets: Ints) -> U64:
    """Hash a block of strings, eight bytes of each at a time."""
    start = offsets[:-1].astype(np.int64)
    left = np.diff(offsets).astype(np.int64)  # bytes not yet hashed
    first = int(offsets[0]) & ~7
    words = _as_words(data[first : int(offsets[-1])])
    start -= first
    out = mix(left.astype(np.uint64) + _MULTIPLIER)
    if int(left.max()) <= 8:
        return mix(out ^ _word_at(words, start, left))
    active = np.arange(len(start))
    while len(active):
        out[active] = mix(out[active] ^ _word_at(words, start, left))
        more = left > 8
        active, start, left = active[more], start[more] + 8, left[more] - 8
    return out


def mix(values: U64) -> U64:
    """Mix the bits of each value; a bijection of 64-bit numbers."""
    values = values ^ (values >> _SHIFT)
    values *= _MIXER
    values ^= values >> _SHIFT
    values *= _MULTIPLIER
    values ^= values >> _SHIFT
    return values


def pair_keys(hashes: U64, codes: NDArray[np.integer]) -> U64:
    """64-bit keys of pairs of a code and a string, from the hashes of the strings."""
    keys = codes.astype(np.uint64)
    keys *= _MULTIPLIER
    keys ^= hashes
    return keys


def duplicate_key_rows(keys: U64) -> Ints:
    """Rows whose key occurs more than once, equal keys together and each in order of rows."""
    ordered = np.sort(keys)
    if not (ordered[1:] == ordered[:-1]).any():
        return np.empty(0, dtype=np.int64)
    order = np.argsort(keys, kind="stable")
    equals_next = keys[order][1:] == keys[order][:-1]
    repeated = np.zeros(len(keys), dtype=bool)
    repeated[1:] = equals_next
    repeated[:-1] |= equals_next
    return order[repeated]


def _as_words(data: NDArray[np.uint8]) -> U64:
    """The bytes as 64-bit words, padded so that two words beyond the last can be read."""
    padded = np.zeros((len(data) + 7) // 8 * 8 + 16, dtype=np.uint8)
    padded[: len(data)] = data
    return padded.view(np.uint64)


def _word_at(words: U64, start: Ints, left: Ints) -> U64:
    """The next eight bytes from `start`; those beyond the `left` ones are zero."""
    index = start >> 3
    shift = ((start & 7) << 3).astype(np.uint64)
    out: U64 = words[index] >> shift
    # A shift by 64 is undefined, so the upper word is shifted in two steps.
    out |= (words[index + 1] << (np.uint64(63) - shift)) << np.uint64(1)
    unused = (np.maximum(8 - left, 0) << 3).astype(np.uint64)
    keep = np.where(left > 0, np.uint64(0xFFFFFFFFFFFFFFFF) >> np.minimum(unused, 63), 0)
    out &= keep.astype(np.uint64)
    return out
