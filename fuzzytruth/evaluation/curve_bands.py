"""Bands around mean curves: over queries, or over subjects."""

from __future__ import annotations

import numpy as np

from fuzzytruth._typing import Array, Floats, Ints
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.core.segments import segment_sum
from fuzzytruth.core.student import quantile
from fuzzytruth.errors import OptionError, counted


def over_queries(
    values: Array, weight: Array | None, offsets: Ints, level: float
) -> tuple[Floats, Floats]:
    """Ends of the interval of the mean at each point, by Student's t.

    Parameters
    ----------
    values : (cells, points)
    weight : (cells, points) or None
        0 where a cell does not count; the mean is then the sum of all values over the sum of all
        weights, a ratio. None: the mean over queries of the means of their cells.
    offsets : (queries + 1,)
        Of the cells of each query.
    level : float

    Returns
    -------
    lower, upper : (points,)
        NaN where fewer than two queries count. Not cut at the ends of a measure's range.
    """
    count = np.diff(offsets)
    judged = count > 0
    if weight is None:
        total = segment_sum(values.T, offsets)[:, judged] / count[judged]  # (points, queries)
        size = np.ones_like(total)
    else:
        total = segment_sum((values * weight).T, offsets)[:, judged]
        size = segment_sum(weight.T.astype(float), offsets)[:, judged]
    whole = size.sum(axis=-1)
    mean = divide(total.sum(axis=-1), whole, fill=np.nan)
    n = (size > 0).sum(axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):  # NaN where n < 2
        spread = ((total - mean[:, None] * size) ** 2).sum(axis=-1)
        error = np.sqrt(n / (n - 1) * spread) / whole
    half = np.where(n > 1, quantile(level, np.maximum(n - 1, 1)) * error, np.nan)
    return mean - half, mean + half


def over_subjects(
    values: Array, weight: Array | None, subject: Ints, n_queries: int
) -> tuple[Floats, Floats]:
    """Lowest and highest of the subjects' own mean curves: (points,) each.

    Raises
    ------
    OptionError
        Subjects judged different queries: their means would differ for that reason alone.
    """
    known, code, count = np.unique(subject, return_inverse=True, return_counts=True)
    fewer = int((count < n_queries).sum())
    if fewer:
        raise OptionError(
            f"over='subject': {counted(fewer, 'subject')} of {len(known):,} did not judge all "
            f"{n_queries:,} queries, so that subjects' mean curves are of different queries; "
            "use over='query'"
        )
    order = np.argsort(code, kind="stable")
    offsets = np.concatenate(([0], np.cumsum(count)))
    size = np.ones(values.shape) if weight is None else weight.astype(float)
    total = segment_sum((values * size)[order].T, offsets)  # (points, subjects)
    means = divide(total, segment_sum(size[order].T, offsets), fill=np.nan)
    some = np.isfinite(means).any(axis=-1)
    low, high = (np.full(len(means), np.nan) for _ in range(2))
    low[some], high[some] = np.nanmin(means[some], axis=-1), np.nanmax(means[some], axis=-1)
    return low, high
