"""Moments of samples with missing values against NumPy and SciPy, column by column."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from fuzzytruth.core.clusters import nan_mean, pair_differences, samples, segment_samples

NAN = np.nan
tables = arrays(
    np.float64,
    st.tuples(st.integers(1, 6), st.integers(1, 4)),
    elements=st.one_of(st.just(NAN), st.sampled_from([0.1, 0.25, 1.0, -3.0, 1e6])),
)


@settings(max_examples=100)
@given(tables)
def test_each_column_on_its_own(values: np.ndarray) -> None:
    result = samples(values)
    for j, column in enumerate(values.T):
        present = column[~np.isnan(column)]
        mean = present.mean() if len(present) else NAN
        std = present.std(ddof=1) if len(present) > 1 else NAN
        if len(set(present)) == 1 and len(present) > 1:
            std = 0.0
        centred = np.where(np.isnan(column), 0.0, column - mean)
        assert result.n[j] == len(present)
        np.testing.assert_allclose(result.mean[j], mean, rtol=1e-14)
        np.testing.assert_allclose(result.std[j], std, rtol=1e-9)
        scale = np.abs(present).max(initial=0.0)
        np.testing.assert_allclose(result.centred[:, j], centred, rtol=0, atol=1e-12 * scale)
        np.testing.assert_allclose(result.std_error[j], std / np.sqrt(max(len(present), 1)))


def test_standard_error_is_scipys_in_every_batch() -> None:
    values = np.random.default_rng(0).normal(size=(3, 2, 9, 4))
    result = samples(values)
    assert result.n.tolist() == np.full((3, 2, 4), 9).tolist()
    np.testing.assert_allclose(result.std_error, stats.sem(values, axis=-2), rtol=1e-13)
    np.testing.assert_allclose(result.centred.sum(axis=-2), 0, atol=1e-13)


@pytest.mark.parametrize("value", [0.1, 1 / 3, -1e300, 0.0])
def test_equal_values_have_no_spread_at_all(value: float) -> None:
    result = samples(np.full((7, 1), value))
    assert (result.std.item(), result.std_error.item()) == (0, 0)
    assert not result.centred.any()
    noisy = np.full((7, 1), value)
    noisy[3] *= 1 + 1e-15
    assert samples(noisy).std.item() == 0


def test_no_value_one_value_and_no_units() -> None:
    result = samples(np.array([[NAN, 2.0], [NAN, NAN]]))
    assert result.n.tolist() == [0, 1]
    np.testing.assert_array_equal(result.mean, [NAN, 2])
    np.testing.assert_array_equal(result.std, [NAN, NAN])
    np.testing.assert_array_equal(result.centred, np.zeros((2, 2)))
    empty = samples(np.empty((0, 3)))
    assert empty.n.tolist() == [0, 0, 0]
    assert np.isnan(empty.mean).all()
    assert empty.centred.shape == (0, 3)


def test_differences_of_rounding_errors_are_0() -> None:
    values = np.array([[0.1 + 0.2, 1.0, NAN, 5.0], [0.3, 1.0 - 1e-9, 1.0, 5.0 + 1e-12]])
    pair = np.array([0]), np.array([1])
    out = pair_differences(values, *pair, scale=np.array([5.0, 4.0]))
    np.testing.assert_array_equal(out, [[0, values[0, 1] - values[1, 1], NAN, 0]])
    cube = pair_differences(values.reshape(2, 2, 2), *pair, scale=np.array([5.0, 4.0]))
    np.testing.assert_array_equal(cube.reshape(1, 4), out)


def test_the_scale_of_differences_is_that_of_their_values() -> None:
    """A mean and a spread that are rounding errors of the values count as none."""
    rounding = np.array([[1e-17, 0.1], [-3e-17, 0.1 + 2e-17], [2e-17, 0.1]])
    out = samples(rounding, scale=np.array([1.0, 1.0]))
    assert out.mean.tolist() == [0.0, pytest.approx(0.1)]
    assert out.std.tolist() == [0.0, 0.0]
    assert samples(rounding[:, :1]).std[0] > 0
    parts = segment_samples(rounding.T, np.array([0, 1, 3]), scale=np.ones(2))
    assert parts.mean[0].tolist() == [0.0, 0.0]
    assert parts.std[:, 1].tolist() == [0.0, 0.0]


def test_mean_of_the_values_that_are_not_missing() -> None:
    values = np.array([[[1.0, NAN], [2.0, NAN]], [[4.0, 6.0], [NAN, 0.0]]])
    for axis in (0, 1, 2, -1):
        present = ~np.isnan(values)
        count = np.where(present.any(axis), present.sum(axis), NAN)
        expected = np.where(present, values, 0).sum(axis) / count
        np.testing.assert_allclose(nan_mean(values, axis), expected)
    assert np.isnan(nan_mean(np.empty((2, 0)), 1)).all()
