"""Permuted labels beside full enumeration."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from fuzzytruth.stats.label_permutation import permuted_ranges
from fuzzytruth.stats.settings import Resampling


@pytest.mark.parametrize("n_jobs", [2, 3])
def test_same_bits_for_any_workers_and_memory(n_jobs: int) -> None:
    values = np.random.default_rng(7).normal(size=(300, 6))
    alone = Resampling(5000, rng=9)
    shared = Resampling(5000, rng=9, n_jobs=n_jobs, memory=1)
    np.testing.assert_array_equal(
        permuted_ranges(values, alone).draws, permuted_ranges(values, shared).draws
    )


def test_permuted_ranges_are_enumeration_for_three_systems() -> None:
    values = np.random.default_rng(8).normal(size=(4, 3))
    orders = list(itertools.permutations(range(3)))
    means = np.array(
        [
            np.mean([row[list(order)] for row, order in zip(values, chosen, strict=True)], axis=0)
            for chosen in itertools.product(orders, repeat=4)
        ]
    )
    difference = values.mean(0)[0] - values.mean(0)[1]
    result = permuted_ranges(values, Resampling())
    assert result.enumerated
    expected = (np.ptp(means, axis=1) >= abs(difference) - 1e-12).mean()
    assert result.p_adjusted(np.array([difference]))[0] == pytest.approx(expected)
    against = permuted_ranges(values, Resampling(), baseline=0)
    largest = np.abs(means[:, 1:] - means[:, :1]).max(axis=1)
    expected = (largest >= abs(difference) - 1e-12).mean()
    assert against.p_adjusted(np.array([difference]))[0] == pytest.approx(expected)
