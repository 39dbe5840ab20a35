"""Means over simulated data sets, with Monte Carlo standard errors."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike

#: name -> sum, sum of squares and number of data sets; of events, both sums are their number
Count = tuple[float, float, int]
Counts = dict[str, Count]


def add(total: Counts, name: str, values: ArrayLike) -> None:
    """Add one number a data set: whether something happened, or a share. NaN is left out."""
    one = np.asarray(values, dtype=np.float64).ravel()
    one = one[~np.isnan(one)]
    if len(one):
        _join(total, name, (float(one.sum()), float((one**2).sum()), len(one)))


def merged(parts: Iterable[Counts]) -> Counts:
    """Counts of several runs of one design."""
    total: Counts = {}
    for part in parts:
        for name, count in part.items():
            _join(total, name, count)
    return total


def rate(count: Count) -> tuple[float, float]:
    """Mean and its Monte Carlo standard error, which is never 0."""
    total, squares, n = count
    mean = total / n
    variance = squares / n - mean**2
    return mean, float(np.sqrt(max(variance, 0.25 / n) / n))


def _join(total: Counts, name: str, more: Count) -> None:
    a, b, n = total.get(name, (0.0, 0.0, 0))
    total[name] = (round(a + more[0], 9), round(b + more[1], 9), n + more[2])
