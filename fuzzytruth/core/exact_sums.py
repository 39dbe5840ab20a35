"""Numbers whose weighted sums are exact, so that the order of addition does not matter.

A matrix product adds in an order that depends on the machine, the number of threads and the size
of the block. Numbers on a common binary grid, coarse enough for the largest sum to be exact, have
the same sum in every order. Rounding to it costs a relative error of n · 2⁻⁵² of the largest.
"""

from __future__ import annotations

import numpy as np

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.rounding import ROUNDING
from fuzzytruth.core.segments import segment_max

_MANTISSA = 52


def on_grid(values: Floats, axis: int | None, n_terms: int | None = None) -> Floats:
    """Round so that sums along `axis` with whole weights of total size n are exact.

    Parameters
    ----------
    values : (..., n, ...) float, finite
    axis : int or None
        Axis of the sums; each line along it has its own grid. None: one grid.
    n_terms : int, optional
        Largest possible sum of absolute weights; by default how many numbers share a grid.
    """
    n = n_terms or (values.size if axis is None else values.shape[axis])
    return _rounded(values, np.abs(values).max(axis=axis, keepdims=True, initial=0.0), n)


def on_segment_grids(values: Floats, offsets: Ints, n_terms: int) -> Floats:
    """As `on_grid`, for sums over segments (..., offsets[j]:offsets[j + 1]), each with a grid."""
    largest = np.repeat(segment_max(np.abs(values), offsets), np.diff(offsets), axis=-1)
    return _rounded(values, largest, n_terms)


def tied_share(n_terms: int) -> float:
    """Share of the largest number within which two means of n numbers on a grid are equal.

    It is `ROUNDING`, or above 2,251 terms what rounding both to the grid may add up to.
    """
    return float(max(ROUNDING, n_terms * 2.0 ** (1 - _MANTISSA)))


def _rounded(values: Floats, largest: Floats, n_terms: int) -> Floats:
    _, exponent = np.frexp(largest * max(n_terms, 1))
    out: Floats = np.ldexp(np.rint(np.ldexp(values, _MANTISSA - exponent)), exponent - _MANTISSA)
    return out
