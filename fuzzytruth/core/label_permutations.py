"""Permutations of the systems' labels within queries.

Under the complete null, that all systems are exchangeable within each query, every permutation is
as probable as the one observed.
"""

from __future__ import annotations

from itertools import permutations
from math import lgamma

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.core.exact_sums import on_grid


def permuted_means(values: Floats, rng: np.random.Generator, draws: int) -> Floats:
    """Means over queries (queries, systems) under random permutations: (draws, systems)."""
    stacked = np.broadcast_to(on_grid(values, None, len(values)), (draws, *values.shape))
    out: Floats = rng.permuted(stacked, axis=-1).sum(axis=1) / len(values)
    return out


def all_permuted_means(values: Floats) -> Floats:
    """Means over queries under all permutations: ((systems!)^queries, systems)."""
    orders = np.array(list(permutations(range(values.shape[1]))))
    sums = np.zeros((1, values.shape[1]))
    for row in on_grid(values, None, len(values)):  # each query multiplies the number of sums
        sums = (sums[:, None, :] + row[orders][None, :, :]).reshape(-1, values.shape[1])
    return sums / len(values)


def n_permutations(queries: int, systems: int) -> float:
    """Number of permutations, as a float because it can be huge."""
    log = queries * lgamma(systems + 1)
    return float(np.exp(min(log, 700.0)))
