"""Random and all signs, and the sums of numbers under them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fuzzytruth._typing import Floats
from fuzzytruth.core.exact_sums import on_grid

Bytes = NDArray[np.uint8]


def random_bytes(seed: np.random.SeedSequence, flips: int, n: int) -> Bytes:
    """Eight signs a byte, the lowest bit first: (⌈n / 8⌉, flips)."""
    rows = -(-n // 8)
    drawn = np.random.Generator(np.random.SFC64(seed)).bytes(rows * flips)
    return np.frombuffer(drawn, dtype=np.uint8).reshape(rows, flips)


def random_signs(seed: np.random.SeedSequence, flips: int, n: int) -> Floats:
    """Independent fair signs, ±1: (flips, n)."""
    bits = np.unpackbits(random_bytes(seed, flips, n), axis=0, count=n, bitorder="little")
    return np.where(np.ascontiguousarray(bits.T), 1.0, -1.0)


def all_signs(n: int) -> Floats:
    """All signs of n numbers with a first +; the others are their mirror images: (2ⁿ⁻¹, n)."""
    rows = np.arange(2 ** (n - 1))[:, None]
    return np.where(rows >> np.arange(n)[::-1] & 1, -1.0, 1.0)


def random_sums(values: Floats, seed: np.random.SeedSequence, flips: int) -> Floats:
    """Sums of (n,) `values` under the signs of `random_signs`: (flips,).

    A byte is an index into the 256 sums of eight numbers, looked up instead of added.
    """
    drawn = random_bytes(seed, flips, len(values))
    padded = np.zeros(len(drawn) * 8)
    padded[: len(values)] = on_grid(values, 0)
    table = np.zeros((len(drawn), 1))
    for place in padded.reshape(-1, 8).T[:, :, None]:  # eight steps, each doubling the table
        table = np.concatenate((table - place, table + place), axis=1)
    total = np.zeros(flips)
    for sums, which in zip(table, drawn, strict=True):
        total += sums.take(which)
    return total


def n_extreme(sums: Floats, observed: Floats, tie: Floats, *, mid_p: bool = False) -> Floats:
    """Number of flips whose |sum| reaches the observed one: (flips, ...) against (...).

    Parameters
    ----------
    sums : (flips, ...) float
    observed : (...) float
    tie : (...) float
        Sums that differ by no more are equal.
    mid_p : bool
        Whether equal sums count half.
    """
    size, least = np.abs(sums), np.abs(observed)
    reached: Floats = (size >= least - tie).sum(axis=0, dtype=np.float64)
    if mid_p:
        reached = (reached + (size > least + tie).sum(axis=0)) / 2
    return reached
