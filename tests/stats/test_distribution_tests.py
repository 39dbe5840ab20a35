"""Tests of two distributions on arrays."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import stats as scipy_stats

import fuzzytruth as ft
from fuzzytruth.stats.settings import Resampling

A, B = np.array([0.1, 0.5, 0.5, 0.9, 0.3]), np.array([0.2, 0.5, 0.1, 0.4, 0.3])
SWAPPED = [
    (np.where(swap, B, A), np.where(swap, A, B))
    for swap in itertools.product((False, True), repeat=5)
]


def test_wasserstein_is_scipys_with_p_by_enumeration() -> None:
    outcome = ft.stats.wasserstein(A, B, Resampling())
    every = np.array([scipy_stats.wasserstein_distance(*pair) for pair in SWAPPED])
    assert outcome.estimate == pytest.approx(every[0])
    assert (outcome.exact, outcome.p) == (True, np.mean(every >= every[0] - 1e-12))


def test_dominance_is_one_sided_kolmogorov_smirnov_with_p_by_enumeration() -> None:
    leads = ft.stats.dominance(A, B, Resampling())
    every = np.array([scipy_stats.ks_2samp(x, y, alternative="less").statistic for x, y in SWAPPED])
    assert leads.test.estimate == pytest.approx(every[0])
    assert leads.test.p == np.mean(every >= every[0] - 1e-12)
    assert leads.behind == pytest.approx(scipy_stats.ks_2samp(A, B, "greater").statistic)
    assert leads.dominates == (leads.behind == 0)


def test_drawn_swaps_come_near_the_exact_p() -> None:
    exact = ft.stats.wasserstein(A, B, Resampling()).p
    drawn = ft.stats.wasserstein(A, B, Resampling(20))
    assert not drawn.exact
    assert drawn.p == pytest.approx(exact, abs=0.4)
    assert drawn.p * 21 == pytest.approx(round(drawn.p * 21))


def test_missing_values() -> None:
    a, b = np.append(A, [np.nan, 0.2]), np.append(B, [0.1, np.nan])
    outcome = ft.stats.wasserstein(a, b, Resampling())
    assert (outcome.n, outcome.p) == (5, ft.stats.wasserstein(A, B, Resampling()).p)
    assert np.isnan(ft.stats.wasserstein([np.nan], [1.0], Resampling()).p)
    nothing = ft.stats.dominance([], [], Resampling())
    assert np.isnan(nothing.behind)
    assert not nothing.dominates
    with pytest.raises(ft.DataError, match=r"\(5,\) and \(4,\)"):
        ft.stats.dominance(A, B[:4], Resampling())


def test_ties_are_of_the_largest_value() -> None:
    a, b = np.array([1.85e-17, 0.0, 2e-17]), np.zeros(3)
    assert ft.stats.dominance(a, b, Resampling()).dominates
    leads = ft.stats.dominance(a, b, Resampling(), scale=0.3)
    assert (leads.dominates, leads.test.statistic, leads.test.p) == (False, 0, 1)
    outcome = ft.stats.wasserstein(a, b, Resampling(), scale=0.3)
    assert (outcome.statistic, outcome.p) == (0, 1)


def test_leads_of_many_queries_are_exact() -> None:
    a, b = np.random.default_rng(0).integers(0, 6, (2, 49)) / 7
    one, other = ft.stats.dominance(a, b, Resampling(99)), ft.stats.dominance(b, a, Resampling(99))
    assert (one.test.statistic, one.behind) == (other.behind, other.test.statistic)
    assert one.behind * 49 == pytest.approx(round(one.behind * 49), abs=1e-14)
