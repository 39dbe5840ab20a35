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


#: B_2, ..., B_10 of Bernoulli, of the Euler–Maclaurin series below
_BERNOULLI = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66)
_STEPS = 16  # from here on, the series is exact to the last digits


def inverse_square_tail(x: Array) -> Floats:
    """Sum of 1 / (x + j)² over j = 0, 1, ... without end, for x > 0."""
    out = _series(x)
    small = x < _STEPS
    x = x[small]
    tail = _series(x + _STEPS)
    for step in reversed(range(_STEPS)):
        tail += 1 / np.square(x + step)
    out[small] = tail
    return out


def _series(x: Array) -> Floats:
    """Euler–Maclaurin series of the same, for large x."""
    inverse = 1 / x
    square = np.square(inverse)
    series = np.full_like(square, _BERNOULLI[-1])
    for number in _BERNOULLI[-2::-1]:
        series *= square
        series += number
    out: Floats = inverse * (1 + inverse * (0.5 + inverse * series))
    return out
