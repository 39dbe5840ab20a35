"""Samples, clusters, strata and resamples against NumPy, SciPy and a jackknife by hand."""

from collections import Counter
from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import pytest
from scipy import stats
from support.query_groups import jackknife, mean_of_strata

from fuzzytruth.core import clusters

NAN = np.nan


def test_what_is_a_rounding_error_of_the_values_counts_as_none() -> None:
    values = np.array([[0.1 + 0.2, 1.0, NAN, 5.0], [0.3, 1.0 - 1e-9, 1.0, 5.0 + 1e-12]])
    pair = np.array([0]), np.array([1])
    out = clusters.pair_differences(values, *pair, scale=np.array([5.0, 4.0]))
    np.testing.assert_array_equal(out, [[0, values[0, 1] - values[1, 1], NAN, 0]])
    cube = clusters.pair_differences(values.reshape(2, 2, 2), *pair, scale=np.array([5.0, 4.0]))
    np.testing.assert_array_equal(cube.reshape(1, 4), out)
    rounding = np.array([[1e-17, 0.1], [-3e-17, 0.1 + 2e-17], [2e-17, 0.1]])
    found = clusters.samples(rounding, scale=np.array([1.0, 1.0]))
    assert (found.mean.tolist(), found.std.tolist()) == ([0.0, pytest.approx(0.1)], [0.0, 0.0])
    assert clusters.samples(rounding[:, :1]).std[0] > 0
    parts = clusters.segment_samples(rounding.T, np.array([0, 1, 3]), scale=np.ones(2))
    assert (parts.mean[0].tolist(), parts.std[:, 1].tolist()) == ([0.0, 0.0], [0.0, 0.0])


def some_missing(rng, values: np.ndarray, share: float) -> np.ndarray:
    return np.where(rng.random(values.shape) < share, NAN, values)


@pytest.mark.parametrize("share", [0.0, 0.3])
def test_clusters_and_strata_by_hand(share: float) -> None:
    rng = np.random.default_rng(0)
    cluster = rng.integers(0, 6, 40)
    values = some_missing(rng, rng.normal(size=(5, 40)), share)
    values[1, cluster == 2] = NAN  # a cluster that one row lacks
    found = clusters.clustered_means(values, cluster, 6)
    for row, expected in enumerate(jackknife(row, cluster) for row in values):
        assert tuple(each[row] for each in found) == pytest.approx(expected, rel=1e-13)
    assert found[2][1] == 4
    stratum = rng.integers(0, 4, 60)
    values = some_missing(rng, rng.normal(stratum, 1 + stratum, (5, 60)), share)
    values[2, stratum == 3] = NAN  # left out of that row
    found = clusters.stratified_means(values, stratum, 4)
    for row, expected in enumerate(mean_of_strata(row, stratum) for row in values):
        assert tuple(each[row] for each in found) == pytest.approx(expected, rel=1e-12)


def test_clusters_of_one_and_one_stratum_give_students_t() -> None:
    values = np.random.default_rng(1).beta(0.6, 1.5, size=(20, 33))
    own = np.random.default_rng(2).permutation(33)
    for mean, std_error, df in (
        clusters.clustered_means(values, own, 33),
        clusters.stratified_means(values, np.zeros(33, dtype=int), 1),
    ):
        np.testing.assert_allclose(mean, values.mean(axis=1), rtol=1e-14)
        np.testing.assert_allclose(std_error, stats.sem(values, axis=1), rtol=1e-14)
        np.testing.assert_allclose(df, 32, rtol=1e-13)
    copied = clusters.clustered_means(np.repeat(values, 5, axis=1), np.repeat(np.arange(33), 5), 33)
    np.testing.assert_allclose(copied[1], stats.sem(values, axis=1), rtol=1e-13)


def test_two_strata_are_welchs_test() -> None:
    rng = np.random.default_rng(0)
    one, two = rng.normal(1, 2, 7), rng.normal(0.5, 0.7, 19)
    values, stratum = np.concatenate((one, -two))[None], np.repeat([0, 1], [7, 19])
    mean, std_error, df = clusters.stratified_means(values, stratum, 2)
    welch = stats.ttest_ind(one, two, equal_var=False)
    assert mean[0] / std_error[0] == pytest.approx(welch.statistic, rel=1e-13)
    assert df[0] == pytest.approx(welch.df, rel=1e-13)
    of_segments = clusters.macro_means(clusters.segment_samples(values, np.array([0, 7, 26])))
    np.testing.assert_array_equal(of_segments, (mean, std_error, df))


def test_counts_have_the_moments_of_a_multinomial() -> None:
    n, rows = 5, 40_000
    units = clusters.drawn_units(np.random.SeedSequence(9), rows, n)
    result = clusters.counts(units)
    assert result[:9].tolist() == [np.bincount(row, minlength=5).tolist() for row in units[:9]]
    assert result.dtype == np.float64
    expected = np.where(np.eye(n, dtype=bool), 1 - 1 / n, -1 / n)
    assert np.abs(np.cov(result.T) - expected).max() < 8 / np.sqrt(rows)
    assert clusters.counts(clusters.drawn_units(np.random.SeedSequence(0), 0, 5)).shape == (0, 5)


@pytest.mark.parametrize("n", [1, 2, 3, 5])
def test_enumerated_resamples_of_subjects_are_all_draws(n: int) -> None:
    probability, votes, drawn = clusters.subject_resamples(
        n, comb(2 * n - 1, n), np.random.SeedSequence(5)
    )
    every = Counter(tuple(draw.count(j) for j in range(n)) for draw in product(range(n), repeat=n))
    assert drawn is False
    assert votes.shape == (comb(2 * n - 1, n), n)
    assert {tuple(row) for row in votes} == set(every)
    for p, row in zip(probability, votes, strict=True):
        assert p == pytest.approx(float(Fraction(every[tuple(row)], n**n)), rel=1e-15)


@pytest.mark.parametrize(("n", "worlds"), [(10, 20_000), (5, comb(9, 5) - 1)])
def test_many_resamples_of_subjects_are_drawn(n: int, worlds: int) -> None:
    probability, votes, drawn = clusters.subject_resamples(n, worlds, np.random.SeedSequence(1))
    assert drawn
    assert probability.tolist() == [1 / worlds] * worlds
    assert votes.shape == (worlds, n)
    assert set(votes.sum(axis=1)) == {float(n)}
    covariance = np.cov(votes.T, bias=True)
    expected = np.where(np.eye(n, dtype=bool), 1 - 1 / n, -1 / n)
    assert np.abs(covariance - expected).max() < 8 / np.sqrt(worlds)
    again, other = (
        clusters.subject_resamples(n, worlds, np.random.SeedSequence(s))[1].tolist() for s in (1, 2)
    )
    assert votes.tolist() == again != other
