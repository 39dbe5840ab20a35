"""Numbers whose weighted sums are exact, so that no order of addition shows in the result.

A matrix product adds in an order that depends on the machine, the number of threads and the size
of the block. Numbers on a common binary grid, coarse enough for the largest sum to be exact, have
the same sum in every order. Rounding to it costs a relative error of n · 2⁻⁵² of the largest.
"""

from __future__ import annotations

import numpy as np

from fuzzytruth._typing import Floats

_MANTISSA = 52


def on_grid(values: Floats, axis: int | None, n_terms: int | None = None) -> Floats:
    """Round so that sums along `axis` with whole weights of total size n are exact.

    Parameters
    ----------
    values : (..., n, ...) float, finite
    axis : int or None
        What will be summed over; each line along it has a grid of its own. None: one grid.
    n_terms : int, optional
        Largest possible sum of the weights' sizes; by default how many numbers share a grid.
    """
    n = n_terms or (values.size if axis is None else values.shape[axis])
    largest = np.abs(values).max(axis=axis, keepdims=True, initial=0.0)
    _, exponent = np.frexp(largest * max(n, 1))
    out: Floats = np.ldexp(np.rint(np.ldexp(values, _MANTISSA - exponent)), exponent - _MANTISSA)
    return out
