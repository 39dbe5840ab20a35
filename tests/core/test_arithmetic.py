"""Division where the denominator may be 0, number by number."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from fuzzytruth.core.arithmetic import divide

table = arrays(np.float64, (3, 4), elements=st.sampled_from([0.0, -0.0, 1.0, -2.5, 7.0, 1e-300]))


@settings(max_examples=50)
@given(table, table, st.sampled_from([0.0, 1.0, -math.inf]))
def test_number_by_number(a: np.ndarray, b: np.ndarray, fill: float) -> None:
    b[b == 1e-300] = 3.0
    expected = [
        [x / y if y else fill for x, y in zip(*rows, strict=True)]
        for rows in zip(a.tolist(), b.tolist(), strict=True)
    ]
    assert divide(a, b, fill=fill).tolist() == expected


def test_shapes_are_broadcast_and_whole_numbers_taken() -> None:
    out = divide(np.array([[1], [3]]), np.array([2, 0, 4]), fill=-1.0)
    assert out.tolist() == [[0.5, -1, 0.25], [1.5, -1, 0.75]]
    assert out.dtype == np.float64
    assert divide([1, 2], [0, 4], fill=-1).tolist() == [-1, 0.5]
    assert divide(3, 4).item() == 0.75
    assert divide([True, False], 2).tolist() == [0.5, 0.0]
    assert divide(np.empty((0, 3)), np.ones(3)).shape == (0, 3)


def test_nan_is_passed_on_unless_the_denominator_is_0() -> None:
    out = divide([math.nan, 1.0, math.nan], [2.0, math.nan, 0.0], fill=5.0)
    np.testing.assert_array_equal(out, [math.nan, math.nan, 5.0])
    assert np.isnan(divide(1.0, 0.0, fill=math.nan))


def test_arguments_stay_as_they_are() -> None:
    a, b = np.array([1.0, 2.0]), np.array([0.0, 4.0])
    divide(a, b, fill=9.0)
    assert (a.tolist(), b.tolist()) == ([1, 2], [0, 4])


def test_shapes_that_do_not_fit() -> None:
    with pytest.raises(ValueError, match="broadcast"):
        divide(np.ones(2), np.ones(3))
