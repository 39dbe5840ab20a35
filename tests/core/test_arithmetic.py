"""Division by 0, harmonic sums and groups of results that rounding alone sets apart."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.special import psi, zeta

from fuzzytruth.core.arithmetic import (
    digamma_sum,
    divide,
    harmonic,
    inverse_square_tail,
    tie_groups,
    without_rounding,
)

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


def test_harmonic_sums() -> None:
    exact = [float(sum((Fraction(1, j) for j in range(1, n + 1)), Fraction())) for n in range(60)]
    np.testing.assert_allclose(harmonic(59), exact, rtol=1e-15)
    for x in (1.0, 1.01, 17.3, 1e4):
        total = digamma_sum(np.array([x, x]), np.array([40, 0]))
        assert total.tolist() == pytest.approx([psi(x + np.arange(40.0)).sum(), 0], abs=1e-9)
    x = np.concatenate((np.linspace(0.01, 40, 401), [15.999, 16.0, 1e3, 1e7]))
    np.testing.assert_allclose(inverse_square_tail(x), zeta(2.0, x), rtol=2e-15)


def test_results_below_the_tolerance_are_zero() -> None:
    out = without_rounding(np.array([1.85e-17, -1e-13, 2e-12, np.nan]), 1.0)
    np.testing.assert_array_equal(out, [0.0, 0.0, 2e-12, np.nan])
    assert without_rounding(np.array([1e-7, 1e-7]), np.array([1e6, 1.0])).tolist() == [0.0, 1e-7]


@pytest.mark.parametrize("factor", [1e-200, 1.0, 10.0, 1e200])
def test_groups_do_not_depend_on_the_unit(factor: float) -> None:
    rng = np.random.default_rng(0)
    values = rng.integers(0, 5, 40) / 10 - rng.integers(0, 5, 40) / 10
    expected = np.unique(np.round(values, 9), return_inverse=True)[1]
    assert tie_groups(values * factor, np.abs(values * factor).max()).tolist() == expected.tolist()


def test_groups_of_rows_missing_and_infinite_results() -> None:
    rows = np.array([[0.3 - 0.2, 0.2 - 0.1, 0.5, 0.4 - 0.3], [3.0, 1.0, 1.0 + 1e-9, 2.0]])
    assert tie_groups(rows, np.array([1.0, 3.0])).tolist() == [[0, 0, 1, 0], [3, 0, 1, 2]]
    assert tie_groups(np.array([np.nan, 2.0, 1.0, np.nan]), 1.0).tolist() == [2, 1, 0, 2]
    infinite = np.array([np.inf, 1.0, -np.inf, np.inf, np.nan, -np.inf])
    assert tie_groups(infinite, 1.0).tolist() == [2, 1, 0, 2, 3, 0]
