"""Resampling queries and subjects at once, each with replacement, of tables with holes.

References
----------
Owen, A. B. (2007), The pigeonhole bootstrap, Annals of Applied Statistics 1.
"""

from __future__ import annotations

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.core.exact_sums import on_grid


def resampled_means(cells: Floats, query_counts: Floats, subject_counts: Floats) -> Floats:
    """Mean over queries of means over subjects, in each resample: (..., resamples).

    Parameters
    ----------
    cells : (..., queries, subjects) float
        NaN is missing. A query that lost all its subjects is left out; NaN if all did.
    query_counts : (resamples, queries) float
    subject_counts : (resamples, subjects) float
    """
    there = ~np.isnan(cells)
    filled = on_grid(np.where(there, cells, 0.0), -1)
    total = subject_counts @ filled.swapaxes(-1, -2)  # (..., resamples, queries)
    judged = subject_counts @ there.swapaxes(-1, -2).astype(np.float64)
    mean = np.zeros(total.shape)
    np.divide(total, judged, out=mean, where=judged > 0)
    weight = query_counts * (judged > 0)
    whole = weight.sum(axis=-1)
    out = np.full(whole.shape, np.nan)
    np.divide((weight * mean).sum(axis=-1), whole, out=out, where=whole > 0)
    return out
