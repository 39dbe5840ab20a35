"""Pairs of systems in opposite order."""

from __future__ import annotations

import itertools

import numpy as np

from fuzzytruth.comparison.rank_stability import swapped_pairs


def test_pairs_by_brute_force() -> None:
    rng = np.random.default_rng(0)
    for _ in range(20):
        x, y = rng.integers(0, 4, (2, 6)) / 7
        expected = sum(
            (x[a] - x[b]) * (y[a] - y[b]) < 0 for a, b in itertools.combinations(range(6), 2)
        )
        assert swapped_pairs(x, y) == expected


def test_rounding_swaps_nothing() -> None:
    assert swapped_pairs(np.array([0.1 + 0.2, 0.3]), np.array([0.0, 1.0])) == 0
