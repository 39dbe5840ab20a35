"""Random and all signs, and the sums of numbers under them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.exact_sums import on_grid
from fuzzytruth.core.samples import Samples

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


# Studentised maxima under sign flips of centred differences.
#
# Differences are centred at their mean, one common sign a query is flipped for all contrasts, and
# each contrast is studentised again. The result varies as the errors do, whatever the true means.


_ROUNDING = 1e-12


@np.errstate(under="ignore")
def units(moments: Samples) -> Floats:
    """Centred differences over √(n Σ c²), whose sums under signs lie in [-1, 1].

    (..., queries, contrasts); 0 where a difference is missing, and where all agree.
    """
    scale = np.sqrt(moments.n * (moments.centred**2).sum(axis=-2))[..., None, :]
    out = np.zeros(moments.centred.shape)
    np.divide(moments.centred, scale, out=out, where=scale > 0)
    return on_grid(out, -2)


def maxima(unit: Floats, n: Ints, signs: Floats, columns: int) -> Floats:
    """Largest |t| over contrasts under each row of signs: (..., flips).

    Parameters
    ----------
    unit : (..., queries, contrasts) float
        As `units` returns them.
    n : (..., contrasts) int
        Differences that each contrast has.
    signs : (flips, queries) float
    columns : int
        Contrasts at a time; changes the memory and not the result.
    """
    largest = np.zeros((*unit.shape[:-2], len(signs)))
    same = bool((n == n.flat[0]).all()) if n.size else True
    for start in range(0, unit.shape[-1], columns):
        part = slice(start, start + columns)
        share = signs @ unit[..., part]  # (..., flips, contrasts)
        if same:
            top = np.maximum(share.max(axis=-1), -share.min(axis=-1))
        else:
            top = _student(np.abs(share), n[..., None, part]).max(axis=-1)
        np.maximum(largest, top, out=largest)
    return _student(largest, n.ravel()[:1]) if same and n.size else largest


def _student(share: Floats, n: Ints) -> Floats:
    """From r = Σ s c / √(n Σ c²) to t = r √(n - 1) / √(1 - r²)."""
    rest = 1 - np.minimum(share, 1.0) ** 2
    t = np.full(share.shape, np.inf)
    wide = np.broadcast_to(np.sqrt(np.maximum(n - 1.0, 0.0)), share.shape)
    np.divide(share * wide, np.sqrt(rest), out=t, where=rest > _ROUNDING)
    return t
