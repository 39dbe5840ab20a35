"""Checksums of tables: sums of 64-bit keys of the rows, whatever their order.

They tell tables apart that differ by accident; nobody is kept from making two that agree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from fuzzytruth._typing import U64, Array, Floats, Ints

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
        out[row : row + _BLOCK] = _hash_block(data, offsets[row : row + _BLOCK + 1])
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
    # Halves of keys are sorted in half the time. Those whose first bits are those of a half that
    # occurs more than once are compared whole.
    half = np.ascontiguousarray(keys).view(np.uint32)[::2]
    ordered = np.sort(half)
    shared = np.zeros(1 << 16, dtype=bool)
    shared[ordered[1:][ordered[1:] == ordered[:-1]] >> 16] = True
    rows = np.flatnonzero(shared[half >> 16]) if shared.any() else np.empty(0, dtype=np.int64)
    order: Ints = rows[np.argsort(keys[rows], kind="stable")]
    equals_next = keys[order[1:]] == keys[order[:-1]]
    repeated = np.zeros(len(order), dtype=bool)
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

_STEPS = (
    (np.uint64(30), np.uint64(0xBF58476D1CE4E5B9)),
    (np.uint64(27), np.uint64(0x94D049BB133111EB)),
)
_LAST = np.uint64(31)
_SLAB = 1 << 15  # 64-bit words drawn at a time: they and their copy stay in cache


def keys_of(entropy: Entropy, *hashes: U64) -> U64:
    """Keys of places, from the seed and the hashes of one or more ids (broadcast together)."""
    seed: U64 = np.array(entropy, dtype=np.uint32).view(np.uint64)
    key: U64 = _finished(seed[:1] + _MULTIPLIER)
    for column in hashes:
        key = _finished((key ^ column) + _MULTIPLIER)
    return _finished(key ^ seed[1:])


def counters(start: U64, n: int) -> U64:
    """Counters of `n` words of each stream, from its `start` on: (streams, n)."""
    return np.add(start[:, None], np.arange(n, dtype=np.uint64), dtype=np.uint64)


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
    step = counter * _MULTIPLIER + _MULTIPLIER
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


_MASK = (1 << 64) - 1
_START = np.uint64(0x243F6A8885A308D3)  # first digits of π, a pattern without runs of zeros
_ROWS = 1 << 16  # rows at a time, so that they stay in cache


def row_keys(*columns: U64) -> U64:
    """One key for each row of some columns of hashes or bits: (rows,)."""
    keys = np.full(len(columns[0]), _START)
    for place, column in enumerate(columns, start=1):
        keys += column * np.uint64(pow(int(_MULTIPLIER), place, 1 << 64))
    return mix(keys)


def bits_of(values: Floats) -> U64:
    """Numbers as bits; 0 and -0 are the same."""
    return (np.asarray(values, dtype=np.float64) + 0.0).view(np.uint64)


def checksum(keys: Callable[[slice], U64], n_rows: int, about: Iterable[object]) -> str:
    """Checksum of a table, whatever the order of its rows.

    Parameters
    ----------
    keys : callable
        From a slice of the rows to their keys.
    n_rows : int
    about : iterable
        What is true of the table as a whole; as texts.
    """
    return digest(sum_of_keys(keys, n_rows), n_rows, *about)


def sum_of_keys(keys: Callable[[slice], U64], n_rows: int) -> int:
    """Sum of the keys of all rows, modulo 2^64, a block of rows at a time."""
    starts = range(0, n_rows, _ROWS)
    return joined(total(keys(slice(start, min(start + _ROWS, n_rows)))) for start in starts)


def digest(*values: object) -> str:
    """Checksum of some values, as texts: 16 hexadecimal digits."""
    from hashlib import blake2b  # loads OpenSSL

    return blake2b("\x1f".join(map(str, values)).encode(), digest_size=8).hexdigest()


def content(*parts: bytes | Array | None) -> str:
    """Checksum of bytes and of arrays with their shapes, in this order: 32 hexadecimal digits.

    Every NaN counts as the same, and an absent part as one of its own.
    """
    from hashlib import blake2b

    out = blake2b(digest_size=16)
    for part in parts:
        if part is None or isinstance(part, bytes):
            out.update(b"none" if part is None else b"%d " % len(part))
            out.update(part or b"")
            continue
        out.update(f"{part.dtype.str}{part.shape}".encode())
        alike = np.where(np.isnan(part), np.nan, part) if part.dtype.kind == "f" else part
        out.update(np.ascontiguousarray(alike).data)
    return out.hexdigest()


def joined(totals: Iterable[int]) -> int:
    """The sum of the keys of all rows, from those of parts: modulo 2^64."""
    return sum(totals) & _MASK


def total(keys: U64) -> int:
    """Sum of keys, whatever their order."""
    return int(np.add.reduce(keys))


def set_keys(keys: U64, offsets: Ints) -> U64:
    """Key of each set of rows ``offsets[j]:offsets[j + 1]``, whatever their order."""
    sums = np.concatenate((np.zeros(1, np.uint64), np.cumsum(keys, dtype=np.uint64)))
    return mix(sums[offsets[1:]] - sums[offsets[:-1]])


def list_keys(query: Array, n_queries: int, item_hash: U64, score: Floats) -> U64:
    """Key of each query's list of items with scores, whatever the order of its rows: (queries,).

    Sums of products of an item's hash and its folded score, 1.5 ns a row grouped by query.
    """
    out = np.zeros(n_queries, dtype=np.uint64)
    bits = np.ascontiguousarray(score, dtype=np.float64).view(np.uint64)
    for start in range(0, len(query), _ROWS):
        rows = slice(start, start + _ROWS)
        keys = bits[rows] >> _SHIFT  # low bits of round numbers are zeros, which a product loses
        keys ^= bits[rows]
        keys ^= _START
        keys *= item_hash[rows]
        codes = query[rows]
        first = np.flatnonzero(codes[1:] != codes[:-1]) + 1
        first = np.concatenate((np.zeros(1, first.dtype), first))
        np.add.at(out, codes[first], np.add.reduceat(keys, first))
    return mix(out)
