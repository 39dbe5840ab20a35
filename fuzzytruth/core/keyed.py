"""Random bits that depend on a seed, an id and a counter alone.

A generator without state: the bits of a place are a hash of its key and its counter, so that
neither the order of the places nor what else is drawn plays a part. Along the counter it is
SplitMix64 (Steele, Lea & Flood 2014, with Stafford's thirteenth finaliser), which passes BigCrush;
keys are hashes of ids, mixed with the seed by the same finaliser.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from fuzzytruth._typing import U64, Floats

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
