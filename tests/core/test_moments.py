"""Means and variances gathered by blocks, against those of the whole."""

from __future__ import annotations

import numpy as np
import pytest

from fuzzytruth.core.exact_sums import Moments


def test_blocks_are_the_whole() -> None:
    rng = np.random.default_rng(0)
    values, weight = rng.normal(size=(60, 3, 2)), rng.random(60)
    moments = Moments((3, 2))
    for part in np.split(np.arange(60), [7, 8, 40]):
        moments.add(values[part], weight[part])
    mean = np.average(values, axis=0, weights=weight)
    np.testing.assert_allclose(moments.mean, mean, rtol=1e-13)
    variance = np.average((values - mean) ** 2, axis=0, weights=weight)
    np.testing.assert_allclose(moments.variance, variance, rtol=1e-13)
    np.testing.assert_allclose(moments.weight, np.full((3, 2), weight.sum()), rtol=1e-13)


def test_nan_has_no_weight() -> None:
    values = np.array([[1.0, np.nan, np.nan], [np.nan, np.nan, 4.0], [3.0, np.nan, 6.0]])
    moments = Moments((3,))
    moments.add(values[:1], np.array([1.0]))
    moments.add(values[1:], np.array([2.0, 3.0]))
    assert moments.weight.tolist() == [4, 0, 5]
    np.testing.assert_allclose(moments.mean, [(1 + 9) / 4, np.nan, (8 + 18) / 5])
    np.testing.assert_allclose(
        moments.variance, [(1 * 1.5**2 + 3 * 0.5**2) / 4, np.nan, (2 * 1.2**2 + 3 * 0.8**2) / 5]
    )


def test_nothing_cancels() -> None:
    moments = Moments((2,))
    for value in (1e9, 1e9 + 1, 1e9 + 2):
        moments.add(np.array([[value, 0.1]]), np.ones(1))
    assert moments.variance[0] == pytest.approx(2 / 3, rel=1e-12)
    assert moments.mean[1] == 0.1
    assert moments.variance[1] == 0
