"""Means of tables of queries × subjects, both resampled at once with replacement.

References
----------
Owen, A. B. (2007), The pigeonhole bootstrap, Annals of Applied Statistics 1.
"""

from __future__ import annotations

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.core.cells import Cells
from fuzzytruth.core.exact_sums import on_segment_grids

_BLOCK = 2**18  # weighted sums of a batch of tables, which then fit in cache


def pigeonhole_means(
    values: Floats, cells: Cells, query_counts: Floats, subject_counts: Floats
) -> Floats:
    """Mean over queries of means over subjects, in each resample: (tables, resamples).

    Parameters
    ----------
    values : (tables, cells) float
        NaN is missing. A query that lost all its subjects is left out; NaN if all did.
    cells : Cells
    query_counts : (resamples, queries) float
        How often a resample has each query; whole numbers.
    subject_counts : (resamples, subjects) float
        How often a resample has each subject; `cells.n_subjects` of them in all.
    """
    present = ~np.isnan(values)
    filled = on_segment_grids(np.where(present, values, 0.0), cells.offsets, cells.n_subjects)
    if (present == present[:1]).all():
        present = present[:1]
    out = np.empty((len(values), len(query_counts)))
    size = max(1, _BLOCK // query_counts.size)
    for start in range(0, len(values), size):
        tables = slice(start, start + size)
        if not start or len(present) > 1:
            weight = _weighted_sums(present[tables].astype(np.float64), cells, subject_counts)
            times = query_counts * (weight > 0)
            divisor = np.where(weight > 0, weight, 1.0)
            n_queries = times.sum(axis=-1)
        total = _weighted_sums(filled[tables], cells, subject_counts)
        total /= divisor
        total *= times
        out[tables] = divide(total.sum(axis=-1), n_queries, fill=np.nan)
    return out


def _weighted_sums(values: Floats, cells: Cells, subject_counts: Floats) -> Floats:
    """Sums over each query's subjects, as often as resampled: (tables, resamples, queries)."""
    if cells.is_dense:
        out: Floats = subject_counts @ cells.dense(values, fill=0.0).swapaxes(-1, -2)
        return out
    sums = [(cells.incidence(row) @ subject_counts.T).T for row in values]
    return np.stack(sums) if sums else np.zeros((0, len(subject_counts), cells.n_queries))
