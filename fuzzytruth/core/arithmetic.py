"""Division where the denominator may be 0."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from fuzzytruth._typing import Array, Floats, Ints


@np.errstate(under="ignore")
def divide(numerator: Any, denominator: Any, *, fill: float = 0.0) -> Floats:
    """Quotient, with `fill` where the denominator is 0.

    Parameters
    ----------
    numerator, denominator : array_like
        Broadcast against each other.
    fill : float
        Value where the denominator is 0.
    """
    top, bottom = np.broadcast_arrays(
        np.asarray(numerator, dtype=np.float64), np.asarray(denominator, dtype=np.float64)
    )
    out = np.full(top.shape, fill, dtype=np.float64)
    np.divide(top, bottom, out=out, where=bottom != 0)
    return out


# Sums of reciprocals: closed forms of means over ranks.


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
    return inverse * (1 + inverse * (0.5 + inverse * series))


# One rule for rounding errors, in everything that ranks, counts or divides.
#
# Numbers computed from values are equal if they differ by less than 1e-12 of the largest value. The
# rule is for results: means and differences of means, not the single values they are made of.


#: share of the largest value below which a difference is a rounding error
ROUNDING = 1e-12


def without_rounding(results: Floats, scale: ArrayLike) -> Floats:
    """The results, 0 where they are rounding errors; NaN stays NaN.

    Parameters
    ----------
    results : (...) float
    scale : float, broadcast against them
        Largest of the values that the results were computed from.
    """
    return np.where(np.abs(results) <= ROUNDING * np.asarray(scale), 0.0, results)


def tie_groups(results: Floats, scale: ArrayLike) -> Ints:
    """Numbers of groups of equal results along the last axis, ascending from 0: (..., n).

    Neighbours that differ by rounding errors share a group; all NaN are in the last one.

    Examples
    --------
    >>> tie_groups(np.array([0.3 - 0.2, 0.5, 0.2 - 0.1]), 0.5).tolist()
    [0, 1, 0]
    """
    order = np.argsort(results, axis=-1, kind="stable")
    ordered = np.take_along_axis(results, order, axis=-1)
    least = ROUNDING * np.asarray(scale)[..., None]
    new = np.zeros(ordered.shape, dtype=np.int64)
    below, above = ordered[..., :-1], ordered[..., 1:]
    with np.errstate(invalid="ignore"):  # infinite values, whose gap is NaN, are equal as they are
        same = (above - below <= least) | (above == below)
    new[..., 1:] = ~(same | np.isnan(below))
    out = np.empty(ordered.shape, dtype=np.int64)
    np.put_along_axis(out, order, np.cumsum(new, axis=-1), axis=-1)
    return out
