"""Tests against each person, on arrays."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import ttest_1samp

from fuzzytruth.core.clusters import clustered_means
from fuzzytruth.stats.alternative_annotator import person_tests


def layout(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Gaps, people and clusters of records in no order."""
    rng = np.random.default_rng(seed)
    n = 150
    return rng.integers(-1, 2, n).astype(np.int8), rng.integers(0, 3, n), rng.integers(0, 12, n)


@pytest.mark.parametrize("seed", range(3))
def test_clusters_as_elsewhere(seed: int) -> None:
    gap, person, cluster = layout(seed)
    tests = person_tests(gap, person, cluster, n_people=4, epsilon=0.3)
    for j in range(3):
        own = person == j
        mean, error, df = clustered_means(gap[None, own].astype(float), cluster[own], 12)
        assert tests.difference[j] == pytest.approx(mean[0])
        assert tests.std_error[j] == pytest.approx(error[0])
        assert tests.df[j] == df[0]
        assert tests.model_share[j] == np.mean(gap[own] <= 0)
        assert tests.person_share[j] == np.mean(gap[own] >= 0)
        assert tests.n_clusters[j] == len(np.unique(cluster[own]))
    assert np.isnan(tests.p[3])
    assert tests.n_items[3] == 0
    assert tests.advantage == pytest.approx(tests.model_share[:3].mean())


def test_items_as_clusters_are_students_t() -> None:
    gap, person, _ = layout(5)
    tests = person_tests(gap, person, np.arange(len(gap)), n_people=3, epsilon=0.1)
    expected = [ttest_1samp(gap[person == j], 0.1, alternative="less").pvalue for j in range(3)]
    np.testing.assert_allclose(tests.p, expected, rtol=1e-12)


def test_interval_of_the_average_advantage() -> None:
    gap, person, cluster = layout(6)
    tests = person_tests(gap, person, cluster, n_people=3, epsilon=0.2)

    def average(kept: np.ndarray) -> float:
        return float(np.mean([np.mean(gap[kept & (person == j)] <= 0) for j in range(3)]))

    whole = average(np.ones(len(gap), dtype=bool))
    parts = np.array([average(cluster != c) for c in range(12)])
    assert tests.advantage_error == pytest.approx(np.sqrt(11 / 12 * ((whole - parts) ** 2).sum()))
    assert tests.advantage_df == 11
    lower, upper = tests.interval(0.95)
    assert lower < whole < upper
    assert person_tests(gap, person, 0 * cluster, n_people=3, epsilon=0.2).interval(0.95) == (0, 1)


def test_only_those_who_are_tested_count_for_the_advantage() -> None:
    gap, person, cluster = layout(7)
    some = np.array([True, False, True])
    tests = person_tests(gap, person, cluster, n_people=3, epsilon=0.2, tested=some)
    assert tests.advantage == pytest.approx(tests.model_share[[0, 2]].mean())
    none = person_tests(gap, person, cluster, n_people=3, epsilon=0.2, tested=some & False)
    assert np.isnan(none.advantage)


def test_no_spread() -> None:
    person, cluster = np.repeat([0, 1, 2], 6), np.tile(np.arange(6), 3)
    gap = np.repeat(np.array([0, 1, -1], dtype=np.int8), 6)
    tests = person_tests(gap, person, cluster, n_people=3, epsilon=0.2)
    assert tests.p.tolist() == pytest.approx([0.8**6, 1.0, 0.4**6])  # of 0, and of -1
    alone = person_tests(gap, person, 0 * cluster, n_people=3, epsilon=0.2)
    assert alone.p.tolist() == [1, 1, 1]  # a single cluster


def test_p_and_interval_without_spread_hold_their_level_in_the_worst_case() -> None:
    """Ties but for losses in epsilon of the items: the mean is epsilon, and every win is false."""
    n, epsilon = 40, 0.05
    rng = np.random.default_rng(0)
    losses = rng.random((500, n)) < epsilon
    gap = losses.astype(np.int8).ravel()
    tests = person_tests(
        gap,
        np.repeat(np.arange(500), n),
        np.tile(np.arange(n), 500),
        n_people=500,
        epsilon=epsilon,
    )
    flat = ~losses.any(axis=1)
    assert 0.05 < flat.mean() < 0.2
    np.testing.assert_allclose(tests.p[flat], (1 - epsilon) ** n)  # 2⁻⁴⁰ would be a win
    one = person_tests(
        np.ones(n, dtype=np.int8), np.zeros(n, int), np.arange(n), n_people=1, epsilon=epsilon
    )
    lower, upper = one.interval(0.95)  # the model is never as close
    assert lower == 0
    assert upper == pytest.approx(1 - 0.025 ** (1 / n))
