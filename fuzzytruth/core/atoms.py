"""Atoms of discrete distributions: sorting, merging, and accurate cumulative sums."""

from __future__ import annotations

import numpy as np

from fuzzytruth._typing import Bools, Floats, Ints

#: atoms closer than this, relative to the largest, are one number up to rounding
SAME = 1e-12

#: a number within this distance of an atom matches it (relative distance for atoms beyond 1)
NEAR = 1e-9

_ULPS = 4 * float(np.finfo(np.float64).eps)


def merge(values: Floats, weights: Floats, scale: float = 0.0) -> tuple[Floats, Floats]:
    """Sort atoms and add up the weights of those that coincide.

    Parameters
    ----------
    values, weights : (atoms,) float
        Finite.
    scale : float
        Magnitude of the numbers that the values were computed from, if larger than theirs (a
        difference of large numbers has the rounding error of these).

    Returns
    -------
    values, weights : (distinct,) float
        Ascending; atoms that agree to 1e-12 of the scale become the smallest of them.
    """
    if not len(values):
        return values.copy(), weights.copy()
    order = np.argsort(values, kind="stable")
    values = values[order]
    tolerance = SAME * max(scale, abs(float(values[0])), abs(float(values[-1])))
    new = np.ones(len(values), dtype=bool)
    new[1:] = np.diff(values) > tolerance
    starts = np.flatnonzero(new)
    return values[starts], np.add.reduceat(weights[order], starts)


def snapped(values: Floats, ends: tuple[float, float]) -> Floats:
    """Values, clipped to their range where rounding carried them past an end of it."""
    low, high = ends
    under = (values < low) & (values >= low - NEAR)
    over = (values > high) & (values <= high + NEAR)
    return np.where(under, low, np.where(over, high, values))


def cumulative_sum(weights: Floats) -> Floats:
    """Cumulative sum of weights ≥ 0, accurate to about the last bit.

    A plain cumulative sum of ten times .1 gives .7999999999999999 instead of .8, so that the .8
    quantile would be one atom too high. The rounding errors are therefore summed as well.

    References
    ----------
    Ogita, Rump & Oishi (2005), Accurate sum and dot product, SIAM J. Sci. Comput. 26.
    """
    rounded = np.cumsum(weights)
    before = np.concatenate(([0.0], rounded[:-1]))
    added = rounded - before
    lost = (before - (rounded - added)) + (weights - added)
    return np.maximum.accumulate(rounded + np.cumsum(lost))


def locate(values: Floats, x: Floats) -> tuple[Ints, Bools]:
    """Find each `x` among ascending values.

    Returns
    -------
    index : (x,) int
        The last value that does not exceed `x`, -1 if all do. An `x` within `NEAR` of a value
        counts as that value, the nearest if there are several.
    matched : (x,) bool
        Whether `x` is within `NEAR` of a value.
    """
    last = len(values) - 1
    low = np.searchsorted(values, x, side="right") - 1
    at_low, at_high = values[low], values[np.minimum(low + 1, last)]
    under = np.where(low >= 0, x - at_low, np.inf)
    over = np.where(low < last, at_high - x, np.inf)
    near_low = under <= NEAR * np.maximum(1, np.abs(at_low))
    near_high = over <= NEAR * np.maximum(1, np.abs(at_high))
    up = near_high & (over < under)
    return low + up, near_low | near_high


@np.errstate(under="ignore")
def first_reaching(levels: Floats, target: Floats) -> Ints:
    """Index of the first of the ascending `levels` that is at least `target`.

    A level that falls short by rounding (4 units in the last place) counts too, unless another one
    equals the target.
    """
    exact = np.searchsorted(levels, target)
    rounded = np.searchsorted(levels, target - _ULPS * np.abs(target))
    equal = levels[np.minimum(exact, len(levels) - 1)] == target
    return np.where(equal, exact, np.minimum(rounded, len(levels) - 1))


def standard_error(draws: Floats, weights: Floats) -> float:
    """Standard error of the weighted mean of independent draws.

    Parameters
    ----------
    draws, weights : (draws,) float
        The weights sum to 1.

    Returns
    -------
    float
        For n equal weights s / √n, s with n - 1 degrees of freedom; infinite for a single draw.
    """
    freedom = 1 - float(weights @ weights)
    if freedom <= _ULPS:
        return float("inf")
    shifted = draws - draws[0]  # so that equal draws give exactly 0
    centred = shifted - weights @ shifted
    return float(np.sqrt(weights**2 @ centred**2 / freedom))
