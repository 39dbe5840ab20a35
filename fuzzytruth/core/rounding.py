"""One rule for rounding errors, in everything that ranks, counts or divides.

Numbers computed from values are equal if they differ by less than 1e-12 of the largest value. The
rule is for results: means and differences of means, not the single values they are made of.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from fuzzytruth._typing import Floats, Ints

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
