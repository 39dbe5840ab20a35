"""Means of strata beside Welch's test and a loop."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats as scipy_stats
from support.query_groups import mean_of_strata

from fuzzytruth.core.clusters import macro_means, segment_samples, stratified_means


def test_two_strata_are_welchs_test() -> None:
    rng = np.random.default_rng(0)
    one, two = rng.normal(1, 2, 7), rng.normal(0.5, 0.7, 19)
    mean, std_error, df = stratified_means(
        np.concatenate((one, -two))[None], np.repeat([0, 1], [7, 19]), 2
    )
    welch = scipy_stats.ttest_ind(one, two, equal_var=False)
    assert 2 * mean[0] == pytest.approx(one.mean() - two.mean(), rel=1e-13)
    assert mean[0] / std_error[0] == pytest.approx(welch.statistic, rel=1e-13)
    assert df[0] == pytest.approx(welch.df, rel=1e-13)


@pytest.mark.parametrize("share", [0.0, 0.3])
def test_by_a_loop(share: float) -> None:
    rng = np.random.default_rng(1)
    stratum = rng.integers(0, 4, 60)
    values = rng.normal(stratum, 1 + stratum, (5, 60))
    values[rng.random(values.shape) < share] = np.nan
    values[2, stratum == 3] = np.nan  # left out of that row
    mean, std_error, df = stratified_means(values, stratum, 4)
    for row, expected in enumerate(mean_of_strata(row, stratum) for row in values):
        assert (mean[row], std_error[row], df[row]) == pytest.approx(expected, rel=1e-12)


def test_one_stratum_is_students_t() -> None:
    values = np.random.default_rng(2).normal(size=(3, 11))
    mean, std_error, df = stratified_means(values, np.zeros(11, dtype=int), 1)
    np.testing.assert_allclose(mean, values.mean(axis=1), rtol=1e-14)
    np.testing.assert_allclose(std_error, scipy_stats.sem(values, axis=1), rtol=1e-14)
    np.testing.assert_allclose(df, 10, rtol=1e-13)


def test_a_stratum_of_one_is_unknown() -> None:
    values = np.array([[1.0, 2.0, 5.0], [1.0, 2.0, np.nan], [np.nan] * 3, [0.1, 0.1, 0.1]])
    mean, std_error, df = stratified_means(values, np.array([0, 0, 1]), 2)
    np.testing.assert_array_equal(mean, [3.25, 1.5, np.nan, 0.1])
    np.testing.assert_array_equal(std_error, [np.nan, 0.5, np.nan, np.nan])
    assert df.tolist() == [0, 1, 0, 0]  # none where the variance is not known


def test_without_spread() -> None:
    values = np.array([[0.3 - 0.2, 0.2 - 0.1, 0.7, 0.7]])
    mean, std_error, df = stratified_means(values, np.array([0, 0, 1, 1]), 2)
    assert (mean[0], std_error[0], df[0]) == (pytest.approx(0.4), 0, 2)


def test_samples_of_segments() -> None:
    values = np.random.default_rng(3).normal(size=(2, 9))
    within = segment_samples(values, np.array([0, 4, 9]))
    expected = stratified_means(values, np.repeat([0, 1], [4, 5]), 2)
    np.testing.assert_array_equal(macro_means(within), expected)
