"""Covariances gathered by blocks, against those of the whole."""

from __future__ import annotations

import numpy as np

from fuzzytruth.evaluation.worlds.uncertainty import CoMoments

RNG = np.random.default_rng(0)


def gathered(values: np.ndarray, weight: np.ndarray, *cuts: int) -> CoMoments:
    out = CoMoments(values.shape[:-1])
    for part in np.split(np.arange(len(weight)), cuts):
        out.add(values[..., part], weight[part])
    return out


def test_blocks_are_the_whole() -> None:
    values, weight = RNG.normal(1e3, 1, (2, 4, 60)), RNG.random(60)
    out = gathered(values, weight, 7, 8, 40).covariance
    for each, covariance in zip(values, out, strict=True):
        np.testing.assert_allclose(covariance, np.cov(each, aweights=weight, ddof=0), rtol=1e-11)


def test_equal_series_have_equal_bits_and_constant_ones_none() -> None:
    values = RNG.normal(size=(3, 50))
    values[1] = values[0]
    values[2] = 0.1
    out = gathered(values, RNG.random(50), 13).covariance
    assert out[0, 0] == out[0, 1] == out[1, 1] > 0
    assert (out[2] == 0).all()


def test_bits_do_not_depend_on_company() -> None:
    values, weight = RNG.normal(size=(9, 100)), RNG.random(100)
    every = gathered(values, weight, 64).covariance
    np.testing.assert_array_equal(
        every[np.ix_([7, 2], [7, 2])], gathered(values[[7, 2]], weight, 64).covariance
    )


def test_values_that_both_lack_are_left_out_and_others_not_known() -> None:
    values, weight = RNG.normal(size=(4, 30)), RNG.random(30)
    values[:3, 5] = np.nan  # of the first three
    values[3] = np.nan
    out = gathered(values, weight, 10).covariance
    there = np.delete(np.arange(30), 5)
    want = np.cov(values[:3, there], aweights=weight[there], ddof=0)
    np.testing.assert_allclose(out[:3, :3], want, rtol=1e-12)
    assert np.isnan(out[3, :3]).all()
    assert out[3, 3] == 0
