"""Means over clusters beside a jackknife by hand."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats as scipy_stats
from support.query_groups import clustered_values, jackknife

from fuzzytruth.core.clusters import clustered_means


@pytest.mark.parametrize("share", [0.0, 0.3])
def test_the_jackknife_by_hand(share: float) -> None:
    rng = np.random.default_rng(0)
    cluster = rng.integers(0, 6, 40)
    values = rng.normal(size=(5, 40))
    values[rng.random(values.shape) < share] = np.nan
    values[1, cluster == 2] = np.nan  # a cluster that one row lacks
    mean, std_error, df = clustered_means(values, cluster, 6)
    for row, expected in enumerate(jackknife(row, cluster) for row in values):
        assert (mean[row], std_error[row], df[row]) == pytest.approx(expected, rel=1e-13)
    assert df[1] == 4


def test_clusters_of_one_give_students_t() -> None:
    values = np.random.default_rng(1).beta(0.6, 1.5, size=(20, 33))
    mean, std_error, df = clustered_means(values, np.random.default_rng(2).permutation(33), 33)
    np.testing.assert_allclose(mean, values.mean(axis=1), rtol=1e-15)
    np.testing.assert_allclose(std_error, scipy_stats.sem(values, axis=1), rtol=1e-15)
    assert (df == 32).all()


def test_copies_of_a_query_add_nothing() -> None:
    values = np.random.default_rng(1).normal(size=(2, 12))
    copied = clustered_means(np.repeat(values, 5, axis=1), np.repeat(np.arange(12), 5), 12)
    np.testing.assert_allclose(copied[1], scipy_stats.sem(values, axis=1), rtol=1e-13)


def test_equal_values_and_rounding_have_no_spread() -> None:
    cluster = np.array([0, 0, 0, 1, 1, 1, 2, 2, 2])
    same = np.full(9, 0.1)
    cancel = np.tile([0.1, 0.2, -0.3], 3)  # cluster sums of 0, or nearly
    cancel[3:6] = [-0.3, 0.1, 0.2]
    _, std_error, df = clustered_means(np.array([same, cancel, 1e150 * cancel]), cluster, 3)
    assert std_error.tolist() == [0, 0, 0]
    assert df.tolist() == [2, 2, 2]


def test_a_single_cluster_and_none() -> None:
    values = np.array([[1.0, 2.0, np.nan], [np.nan] * 3, [1.0, np.nan, 4.0]])
    mean, std_error, df = clustered_means(values, np.array([0, 0, 1]), 2)
    np.testing.assert_array_equal(mean, [1.5, np.nan, 2.5])
    np.testing.assert_array_equal(std_error, [np.nan, np.nan, 1.5])
    assert df.tolist() == [0, 0, 1]


def test_intervals_cover_where_ignoring_clusters_does_not() -> None:
    sets, n = 1500, 10
    rng = np.random.default_rng(3)
    cluster, values = clustered_values(rng, sets, n)  # sizes 1 to 9, mean 0
    mean, std_error, df = clustered_means(values, cluster, n)
    covered = (np.abs(mean) <= scipy_stats.t.ppf(0.975, df) * std_error).mean()
    error = np.sqrt(0.93 * 0.07 / sets)
    assert covered >= 0.93 - 3 * error
    ignored = scipy_stats.sem(values, axis=1)
    wide = scipy_stats.t.ppf(0.975, values.shape[1] - 1) * ignored
    assert 0.6 < (np.abs(mean) <= wide).mean() < 0.82
