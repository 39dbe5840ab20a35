"""Means over the values there are: NaN stands for none, and has no weight."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def known_mean(values: Floats, axis: int = -1) -> Floats:
    """Mean along an axis over the values there are; NaN where there are none."""
    there = ~np.isnan(values)
    return ratio(np.where(there, values, 0.0).sum(axis=axis), there.sum(axis=axis))


def group_means(values: Floats, members: NDArray[np.bool_]) -> Floats:
    """Mean over the members of each group: (..., queries), (groups, queries) → (..., groups)."""
    there = ~np.isnan(values)
    weight = members.T.astype(np.float64)
    return ratio(np.where(there, values, 0.0) @ weight, there @ weight)


def ratio(total: NDArray[np.float64], count: NDArray[np.float64] | NDArray[np.int64]) -> Floats:
    """Quotient; NaN where nothing was counted."""
    out: Floats = np.full(np.shape(total), np.nan)
    np.divide(total, count, out=out, where=count > 0)
    return out
