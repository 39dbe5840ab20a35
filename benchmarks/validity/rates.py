"""Rates of events, with Monte Carlo standard errors."""

from __future__ import annotations

from typing import Any

import numpy as np

#: name -> (events, data sets)
Counts = dict[str, tuple[int, int]]


def add(total: Counts, name: str, happened: Any) -> None:
    """Count one more batch of data sets."""
    hits = np.asarray(happened)
    so_far, n = total.get(name, (0, 0))
    total[name] = so_far + int(hits.sum()), n + hits.size


def rate(count: tuple[int, int]) -> tuple[float, float]:
    """Share and its Monte Carlo standard error."""
    hits, n = count
    p = hits / n
    return p, float(np.sqrt(max(p * (1 - p), 0.25 / n) / n))
