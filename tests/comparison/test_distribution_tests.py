"""Tests of distributions of per-query values, taken from Scores."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import stats as scipy_stats
from support.scores_for_tests import scores_of

import fuzzytruth as ft

PAIR = ("sys0", "sys1")


def test_wasserstein_is_scipys_with_p_by_enumeration() -> None:
    a, b = np.array([0.1, 0.5, 0.5, 0.9, 0.3]), np.array([0.2, 0.5, 0.1, 0.4, 0.3])
    result = ft.wasserstein(scores_of([a, b]), *PAIR)
    assert result.estimate == pytest.approx(scipy_stats.wasserstein_distance(a, b))
    every = []
    for swap in itertools.product((False, True), repeat=5):
        x, y = np.where(swap, b, a), np.where(swap, a, b)
        every.append(scipy_stats.wasserstein_distance(x, y))
    assert result.exact
    assert result.p == np.mean(np.array(every) >= result.estimate - 1e-12)


def test_dominance_by_definition() -> None:
    rng = np.random.default_rng(3)
    for _ in range(20):
        a, b = rng.integers(0, 5, (2, 8)) / 4
        result = ft.dominance(scores_of([a, b]), *PAIR, n_resamples=99)
        points = np.unique([a, b])
        gap = np.array([(a >= x).mean() - (b >= x).mean() for x in points])
        assert result.lead == pytest.approx(max(gap.max(), 0))
        assert result.behind == pytest.approx(max(-gap.min(), 0))
        assert result.dominates == (gap.min() >= -1e-12 and gap.max() > 1e-12)


def test_dominance_of_low_values_where_lower_is_better() -> None:
    result = ft.dominance(scores_of([[0.1, 0.2], [0.3, 0.4]], higher_is_better=(False,)), *PAIR)
    assert (result.dominates, result.lead, result.behind) == (True, 1.0, 0.0)
    assert result.test.test == "stochastic dominance"


def test_identical_systems() -> None:
    values = np.random.default_rng(0).beta(1, 2, 30)
    same = scores_of([values, values])
    assert ft.wasserstein(same, *PAIR).p == 1.0
    result = ft.dominance(same, *PAIR)
    assert (result.dominates, result.lead, result.behind, result.test.p) == (False, 0.0, 0.0, 1.0)
