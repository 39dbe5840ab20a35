"""Division by 0, harmonic sums and groups of results that rounding alone sets apart."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.special import polygamma

from fuzzytruth.core.arithmetic import divide, inverse_square_tail

table = arrays(np.float64, (3, 4), elements=st.sampled_from([0.0, -0.0, 1.0, -2.5, math.nan, 3.0]))


@settings(max_examples=50)
@given(table, table, st.sampled_from([0.0, 1.0, -math.inf, math.nan]))
def test_division_number_by_number(a: np.ndarray, b: np.ndarray, fill: float) -> None:
    expected = [
        [x / y if y else fill for x, y in zip(*rows, strict=True)]
        for rows in zip(a.tolist(), b.tolist(), strict=True)
    ]
    a.flags.writeable = b.flags.writeable = False
    np.testing.assert_array_equal(divide(a, b, fill=fill), expected)


def test_division_broadcasts_and_takes_whole_numbers() -> None:
    out = divide(np.array([[1], [3]]), np.array([2, 0, 4]), fill=-1.0)
    assert out.tolist() == [[0.5, -1, 0.25], [1.5, -1, 0.75]]
    assert out.dtype == np.float64
    assert divide(3, 4).item() == 0.75
    assert divide([True, False], 2).tolist() == [0.5, 0.0]
    assert divide(np.empty((0, 3)), np.ones(3)).shape == (0, 3)
    with pytest.raises(ValueError, match="broadcast"):
        divide(np.ones(2), np.ones(3))


def test_tails_of_inverse_squares_are_those_of_the_trigamma_function() -> None:
    x = np.array([0.25, 1.0, 7.5, 15.99, 16.0, 16.5, 40.0, 1e6])
    np.testing.assert_allclose(inverse_square_tail(x), polygamma(1, x), rtol=1e-13)
