"""Atoms of discrete distributions: sorted and merged, and their running sums without rounding."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fuzzytruth._typing import Bools, Floats

#: two atoms that differ by less, relative to the largest, are one number computed in two ways
SAME = 1e-12

#: a number stands for an atom within this distance, relative for atoms beyond 1
NEAR = 1e-9

_ULPS = 4 * float(np.finfo(np.float64).eps)


def merge(values: Floats, weights: Floats, scale: float = 0.0) -> tuple[Floats, Floats]:
    """Sort the atoms and add up the weights of those that are the same.

    Parameters
    ----------
    values, weights : (atoms,) float
        Finite.
    scale : float
        Size of the numbers that the values come from, where that is larger than the largest of
        them (a difference of large numbers has their rounding error).

    Returns
    -------
    values, weights : (distinct,) float
        Ascending; of a group that agrees to 1e-12 of the scale, the smallest value.
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
    """Values, those that rounding carried past an end of their range put back on it."""
    low, high = ends
    under = (values < low) & (values >= low - NEAR)
    over = (values > high) & (values <= high + NEAR)
    return np.where(under, low, np.where(over, high, values))


def running_sum(weights: Floats) -> Floats:
    """Sums of the first 1, 2, ... weights (≥ 0), each correct to its last bit or nearly so.

    A plain running sum of ten times .1 passes .7999999999999999 where .8 is meant, so that the .8
    quantile would be one atom too high. What each addition rounds off is added up beside it
    (Ogita, Rump & Oishi 2005).
    """
    rounded = np.cumsum(weights)
    before = np.concatenate(([0.0], rounded[:-1]))
    added = rounded - before
    lost = (before - (rounded - added)) + (weights - added)
    out: Floats = np.maximum.accumulate(rounded + np.cumsum(lost))
    return out


def place(values: Floats, x: Floats) -> tuple[NDArray[np.intp], Bools]:
    """Index of the last of the ascending `values` up to each `x`, -1 where there is none.

    An `x` near a value counts as the nearest such value; the second answer says where that is so.
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


def first_reaching(levels: Floats, asked: Floats) -> NDArray[np.intp]:
    """Index of the first of the ascending `levels` that is `asked` or more.

    A level that misses `asked` by rounding (4 units in the last place) reaches it too, unless
    another one hits it.
    """
    exact = np.searchsorted(levels, asked)
    rounded = np.searchsorted(levels, asked - _ULPS * np.abs(asked))
    hit = levels[np.minimum(exact, len(levels) - 1)] == asked
    return np.where(hit, exact, np.minimum(rounded, len(levels) - 1))


def standard_error(drawn: Floats, share: Floats) -> float:
    """Standard error of the mean of independent draws whose `share` in it adds up to 1.

    For n equal shares s / √n with the usual n - 1. Infinite for a single draw.
    """
    freedom = 1 - float(share @ share)
    if freedom <= _ULPS:
        return float("inf")
    shifted = drawn - drawn[0]  # equal draws then have exactly 0
    centred = shifted - share @ shifted
    return float(np.sqrt(share**2 @ centred**2 / freedom))
