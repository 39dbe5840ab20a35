"""Sums of reciprocals: what a mean over ranks becomes once the loop over ranks is solved."""

from __future__ import annotations

import numpy as np

from fuzzytruth._typing import Array, Floats

_SHIFT = 8  # the asymptotic series is exact to rounding from 9 on


def harmonic(depth: int) -> Floats:
    """Harmonic numbers H_0 = 0, H_1, ..., H_depth: (depth + 1,) float."""
    out = np.zeros(depth + 1)
    np.cumsum(1 / np.arange(1, depth + 1, dtype=np.float64), out=out[1:])
    return out


def digamma(x: Array) -> Floats:
    """ψ(x) for x ≥ 1; a sum of 1/(x + j) over j = 0..n-1 is ψ(x + n) - ψ(x).

    References
    ----------
    Abramowitz & Stegun 6.3.6 (recurrence), 6.3.18 (asymptotic series).
    """
    x = np.asarray(x, dtype=np.float64)
    below = np.zeros_like(x)
    for j in range(_SHIFT):
        below += 1 / (x + j)
    z = x + _SHIFT
    inverse = 1 / (z * z)
    series = np.zeros_like(z)
    for term in (-691 / 32760, 1 / 132, -1 / 240, 1 / 252, -1 / 120, 1 / 12):
        series = (series + term) * inverse
    out: Floats = np.log(z) - 0.5 / z - series - below
    return out


def digamma_sum(x: Array, n: Array) -> Floats:
    """Sum of ψ(x + j) over j = 0..n-1, for x ≥ 1 and n ≥ 0."""
    out: Floats = (x + n - 1) * digamma(x + n) - (x - 1) * digamma(x) - n
    return out
