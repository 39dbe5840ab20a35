"""64-bit hashes of all strings of a column at once, from its bytes in Arrow's layout.

Equal hashes suggest equal ids; callers compare the ids themselves.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from fuzzytruth._typing import U64, Floats, Ints

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


# Random bits that depend on a seed, an id and a counter alone.
#
# A generator without state: the bits of a place are a hash of its key and its counter, so that
# neither the order of the places nor what else is drawn plays a part. Along the counter it is
# SplitMix64 (Steele, Lea & Flood 2014, with Stafford's thirteenth finaliser), which passes
# BigCrush; keys are hashes of ids, mixed with the seed by the same finaliser.


#: four 32-bit numbers, as `fuzzytruth.core.randomness.entropy_of` gives them
Entropy = tuple[int, ...]

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_STEPS = (
    (np.uint64(30), np.uint64(0xBF58476D1CE4E5B9)),
    (np.uint64(27), np.uint64(0x94D049BB133111EB)),
)
_LAST = np.uint64(31)
_SLAB = 1 << 15  # 64-bit words drawn at a time: they and their copy stay in cache


def keys_of(entropy: Entropy, *hashes: U64) -> U64:
    """Keys of places, from the seed and the hashes of one or more ids (broadcast together)."""
    seed: U64 = np.array(entropy, dtype=np.uint32).view(np.uint64)
    key: U64 = _finished(seed[:1] + _GOLDEN)
    for column in hashes:
        key = _finished((key ^ column) + _GOLDEN)
    return _finished(key ^ seed[1:])


def counters(start: U64, n: int) -> U64:
    """Counters of `n` words of each stream, from its `start` on: (streams, n)."""
    out: U64 = np.add(start[:, None], np.arange(n, dtype=np.uint64), dtype=np.uint64)
    return out


def keyed_bits(keys: U64, counter: U64) -> Iterator[tuple[slice, NDArray[np.uint32]]]:
    """Uniform 32-bit numbers, two for each key and counter, some keys at a time.

    Parameters
    ----------
    keys : (rows,) uint64
    counter : (words,) uint64

    Yields
    ------
    rows : slice
    bits : (rows, 2 · words) uint32
        Overwritten at the next step.
    """
    step = counter * _GOLDEN + _GOLDEN
    n_rows = max(1, _SLAB // max(1, len(step)))
    word = np.empty((min(n_rows, len(keys)), len(step)), dtype=np.uint64)
    spare = np.empty_like(word)
    for start in range(0, len(keys), n_rows):
        rows = slice(start, min(start + n_rows, len(keys)))
        size = rows.stop - start
        out = word[:size]
        np.add(keys[rows, None], step, out=out)
        yield rows, _finish(out, spare[:size]).view(np.uint32)


def world_bits(
    keys: U64, streams: U64, worlds: slice
) -> Iterator[tuple[slice, NDArray[np.uint32]]]:
    """The numbers of some worlds of each outer world, some keys at a time.

    Parameters
    ----------
    keys : (rows,) uint64
    streams : (outer,) uint64
        Where the counters of each outer world start.
    worlds : slice
        From an even number on, since two worlds share a word.

    Yields
    ------
    rows : slice
    bits : (rows, outer, worlds) uint32
        Overwritten at the next step.
    """
    n = worlds.stop - worlds.start
    counter = counters(streams + np.uint64(worlds.start // 2), (n + 1) // 2).ravel()
    for rows, bits in keyed_bits(keys, counter):
        yield rows, bits.reshape(len(bits), len(streams), -1)[:, :, :n]


#: the largest threshold, in units of 2⁻³²
CERTAIN = 2**32 - 1


def thresholds(chance: Floats) -> NDArray[np.uint32]:
    """Chances in units of 2⁻³², below which a number must lie; `CERTAIN` at most."""
    return np.minimum(np.rint(chance * 2.0**32), CERTAIN).astype(np.uint32)


def _finish(word: U64, spare: U64) -> U64:
    """Mix the bits of each word, in place."""
    for shift, factor in _STEPS:
        np.right_shift(word, shift, out=spare)
        np.bitwise_xor(word, spare, out=word)
        np.multiply(word, factor, out=word)
    np.right_shift(word, _LAST, out=spare)
    return np.bitwise_xor(word, spare, out=word)


def _finished(word: U64) -> U64:
    return _finish(np.array(word, dtype=np.uint64), np.empty(word.shape, dtype=np.uint64))
