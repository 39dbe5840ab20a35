"""Mean and variance by blocks against NumPy on all values at once."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from fuzzytruth.core.moments import Moments

NAN = np.nan


def of_blocks(values, weight, cuts) -> Moments:
    out = Moments(values.shape[1:])
    for part in np.split(np.arange(len(values)), sorted(cuts)):
        if len(part):
            out.add(values[part], weight[part])
    return out


def weighted(column, weight):
    """Weight, mean and variance of one column, NaN left out."""
    kept = ~np.isnan(column)
    if not weight[kept].sum():
        return 0.0, NAN, NAN
    mean = np.average(column[kept], weights=weight[kept])
    return weight[kept].sum(), mean, np.average((column[kept] - mean) ** 2, weights=weight[kept])


@settings(max_examples=100)
@given(
    arrays(np.float64, (7, 2, 2), elements=st.sampled_from([NAN, 0.0, 0.1, 0.5, -2.0, 3.0])),
    arrays(np.float64, 7, elements=st.sampled_from([0.0, 0.25, 1.0, 2.0])),
    st.lists(st.integers(0, 7), max_size=4),
)
def test_any_blocks_and_weights(values, weight, cuts) -> None:
    found = of_blocks(values, weight, cuts)
    for at in np.ndindex(2, 2):
        expected = weighted(values[(slice(None), *at)], weight)
        got = found.weight[at], found.mean[at], found.variance[at]
        np.testing.assert_allclose(got, expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("value", [0.1, 1 / 3, -1e15])
@pytest.mark.parametrize("cuts", [[], [1], [2, 5]])
def test_equal_values_have_variance_exactly_0(value: float, cuts: list[int]) -> None:
    values = np.full((7, 3), value)
    values[2, 1] = NAN
    found = of_blocks(values, np.linspace(0.1, 0.9, 7), cuts)
    assert found.variance.tolist() == [0, 0, 0]
    assert found.mean.tolist() == [value] * 3


def test_nothing_cancels_far_from_0() -> None:
    values = 1e9 + np.random.default_rng(0).random((1_000, 2))
    found = of_blocks(values, np.ones(1_000), [10, 400])
    np.testing.assert_allclose(found.variance, values.var(axis=0), rtol=1e-6)


def test_nothing_added_and_one_value() -> None:
    nothing = Moments((2,))
    np.testing.assert_array_equal(nothing.mean, [NAN, NAN])
    np.testing.assert_array_equal(nothing.variance, [NAN, NAN])
    one = of_blocks(np.array([[0.3, NAN]]), np.array([0.5]), [])
    np.testing.assert_array_equal(one.mean, [0.3, NAN])
    np.testing.assert_array_equal(one.variance, [0, NAN])
    assert one.weight.tolist() == [0.5, 0]
