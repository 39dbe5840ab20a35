"""Sums of reciprocals: closed forms of means over ranks."""

from __future__ import annotations

import numpy as np

from fuzzytruth._typing import Array, Floats


def harmonic(depth: int) -> Floats:
    """Harmonic numbers H_0 = 0, H_1, ..., H_depth: (depth + 1,) float."""
    out = np.zeros(depth + 1)
    np.cumsum(1 / np.arange(1, depth + 1, dtype=np.float64), out=out[1:])
    return out


def digamma_sum(x: Array, n: Array) -> Floats:
    """Sum of ψ(x + j) over j = 0..n-1, for x ≥ 1 and n ≥ 0."""
    from scipy.special import psi

    out: Floats = (x + n - 1) * psi(x + n) - (x - 1) * psi(x) - n
    return out


def inverse_square_tail(x: Array) -> Floats:
    """Sum of 1 / (x + j)² over j = 0, 1, ... without end, for x > 0."""
    from scipy.special import zeta

    out: Floats = zeta(2.0, x)
    return out
