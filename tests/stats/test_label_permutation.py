"""Permuted labels beside full enumeration."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from fuzzytruth.stats.multiplicity import Ranges, permuted_ranges
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


def test_p_of_drawn_permutations_counts_the_observed_one() -> None:
    draws = np.array([0.1, 0.2, 0.2, 0.4])
    differences = np.array([0.5, 0.4, -0.2, 0.15, 0.0, np.nan])
    drawn, all_of_them = Ranges(draws, False, 1e-12), Ranges(draws, True, 1e-12)
    expected = [1 / 5, 2 / 5, 4 / 5, 4 / 5, 1.0, np.nan]
    np.testing.assert_allclose(drawn.p_adjusted(differences), expected, rtol=1e-15)
    expected = [0.0, 1 / 4, 3 / 4, 3 / 4, 1.0, np.nan]
    np.testing.assert_allclose(all_of_them.p_adjusted(differences), expected, rtol=1e-15)
    rounded = Ranges(np.array([0.3]), True, 3e-13).p_adjusted(np.array([0.1 + 0.2]))
    assert rounded.tolist() == [1.0]  # equal up to rounding


@pytest.mark.parametrize("enumerated", [False, True])
@pytest.mark.parametrize("level", [0.05, 0.3, 0.6, 0.75, 0.8, 0.9])
def test_intervals_exclude_0_where_p_says_so(level: float, enumerated: bool) -> None:
    """Differences are among the draws if these are enumerated."""
    draws = np.array([0.1, 0.2, 0.2, 0.4])
    ranges = Ranges(draws, enumerated, 1e-12)
    half, sizes = ranges.half_width(level), draws if enumerated else np.arange(0.005, 0.5, 0.01)
    rejected = ranges.p_adjusted(sizes) <= (1 - level) * (1 + 1e-12)
    np.testing.assert_array_equal(sizes > half, rejected)
    assert np.isinf(half) == (level > (0.75 if enumerated else 0.8))


def test_ties_of_permuted_means_count_in_any_unit() -> None:
    """Ranges of means are multiples of 1 / 300, many of them as large as the observed one."""
    whole = np.random.default_rng(2).integers(0, 2, (300, 3)).astype(float)
    difference = np.ptp(whole.mean(axis=0))
    expected = permuted_ranges(whole, Resampling(2000)).p_adjusted(np.array([difference]))
    for unit in (0.1, 1 / 3, 1e-150, 1e150):
        values = whole * unit
        found = permuted_ranges(values, Resampling(2000)).p_adjusted(
            np.array([np.ptp(values.mean(axis=0))])
        )
        assert found == expected


def test_rounding_errors_of_larger_values_tie() -> None:
    means = np.array([[1e-17, 0.0]] * 4)
    assert permuted_ranges(means, Resampling()).p_adjusted(np.array([1e-17])) == 0.125
    assert permuted_ranges(means, Resampling(), scale=0.3).p_adjusted(np.array([1e-17])) == 1
