"""Covariances gathered by blocks, against those of the whole."""

from __future__ import annotations

import numpy as np

from fuzzytruth.evaluation.worlds.uncertainty import CoMoments

RNG = np.random.default_rng(0)


def gathered(values: np.ndarray, weight: np.ndarray, *cuts: int) -> np.ndarray:
    out = CoMoments(values.shape[:-1])
    for part in np.split(np.arange(len(weight)), cuts):
        out.add(values[..., part], weight[part])
    return out.covariance


def test_blocks_are_the_whole_and_values_that_both_lack_are_left_out() -> None:
    values, weight = RNG.normal(1e3, 1, (2, 4, 60)), RNG.random(60)
    values[1, :3, 5] = np.nan  # of the first three
    values[1, 3] = np.nan
    out = gathered(values, weight, 7, 8, 40)
    expected = np.cov(values[0], aweights=weight, ddof=0)
    np.testing.assert_allclose(out[0], expected, rtol=1e-11)
    there = np.delete(np.arange(60), 5)
    expected = np.cov(values[1, :3, there].T, aweights=weight[there], ddof=0)
    np.testing.assert_allclose(out[1, :3, :3], expected, rtol=1e-11)
    assert np.isnan(out[1, 3, :3]).all()
    assert out[1, 3, 3] == 0


def test_bits_do_not_depend_on_company_and_constant_series_have_none() -> None:
    values, weight = RNG.normal(size=(9, 100)), RNG.random(100)
    values[1], values[3] = values[0], 0.1
    every = gathered(values, weight, 64)
    two = gathered(values[[7, 2]], weight, 64)
    np.testing.assert_array_equal(every[np.ix_([7, 2], [7, 2])], two)
    assert every[0, 0] == every[0, 1] == every[1, 1] > 0
    assert (every[3] == 0).all()
