"""Intervals of coefficients of agreement: known cases, and coverage near perfect agreement."""

from __future__ import annotations

import numpy as np
import pytest

from fuzzytruth.stats.agreement import (
    chance_corrected_intervals,
    correlation_intervals,
    mean_intervals,
    percent_intervals,
    wilson,
)


def test_percent_over_items_is_wilson() -> None:
    share, n = np.array([0.8, 1.0, 0.0]), np.array([10.0, 10.0, 10.0])
    error = np.sqrt(share * (1 - share) / 9)
    clusters = np.full(3, 10)
    ends = percent_intervals(share, error, n, clusters, 0.95, by_cluster=False)
    np.testing.assert_allclose(ends, wilson(share * n, n), atol=1e-8)


def test_percent_over_queries_counts_effective_items() -> None:
    """With a design effect of 4, 100 items are worth 25; without any spread, 5 clusters are 5."""
    share = np.array([0.8, 1.0, 0.0])
    error = np.array([np.sqrt(4 * 0.16 / 99), 0.0, 0.0])
    n, clusters = np.full(3, 100.0), np.full(3, 5)
    lower, upper = percent_intervals(share, error, n, clusters, 0.95, by_cluster=True)
    t = 2.7764451051977987  # of 4 degrees of freedom
    half = t / (25 + t**2) * np.sqrt(25 * 0.16 + t**2 / 4)
    centre = (25 * 0.8 + t**2 / 2) / (25 + t**2)
    assert (lower[0], upper[0]) == pytest.approx((centre - half, centre + half))
    assert (lower[1], upper[1]) == pytest.approx((5 / (5 + t**2), 1))
    assert (lower[2], upper[2]) == pytest.approx((0, t**2 / (5 + t**2)))


def test_intervals_of_coefficients() -> None:
    value = np.array([0.5, 1.0, 0.0, np.nan, 0.5, -0.9, -1.0])
    error = np.array([0.1, 0.0, 0.0, np.nan, np.nan, 1.0, 0.0])
    chance, clusters = np.full(7, 0.5), np.array([11, 20, 11, 0, 1, 11, 20])
    lower, upper = chance_corrected_intervals(value, error, chance, clusters, 0.95)
    t = 2.2281388519649385  # of 10 degrees of freedom
    assert lower[0] == pytest.approx(1 - 0.5 * np.exp(t * 0.1 / 0.5))
    assert upper[0] == pytest.approx(1 - 0.5 / np.exp(t * 0.1 / 0.5))
    t = 2.093024054408263  # of 19
    assert lower[1] == pytest.approx(1 - t**2 / (20 + t**2) / 0.5)
    assert upper[1] == 1
    assert np.isnan([lower[2], upper[2], lower[3], upper[3]]).all()
    assert (lower[4], upper[4]) == (-1, 1)
    assert lower[5] == -1
    assert (lower[6], upper[6]) == pytest.approx((-1, 1 - 20 / (20 + t**2) / 0.5))


def test_intervals_of_correlations_and_means() -> None:
    value, error = np.array([0.5, 1.0, 0.5]), np.array([0.1, 0.0, np.nan])
    clusters = np.array([11, 11, 1])
    lower, upper = correlation_intervals(value, error, clusters, 0.95)
    half = 2.2281388519649385 * 0.1 / 0.75
    assert (lower[0], upper[0]) == pytest.approx(
        np.tanh(np.arctanh(0.5) + half * np.array([-1, 1]))
    )
    assert (lower[1], upper[1]) == (1, 1)
    assert (lower[2], upper[2]) == (-1, 1)
    lower, upper = mean_intervals(value, error, clusters, 0.95, least=-1.0)
    assert upper[0] - lower[0] == pytest.approx(2 * 2.2281388519649385 * 0.1)
    assert np.isnan(lower[1])
    assert (lower[2], upper[2]) == (-1, 1)


def test_perfect_correlations_are_points() -> None:
    value, error = np.array([1.0, -1.0, -1.0]), np.array([0.0, 0.0, 0.5])
    lower, upper = correlation_intervals(value, error, np.full(3, 9), 0.95)
    assert lower.tolist() == upper.tolist() == value.tolist()
