"""Exact sums against fractions and `math.fsum`."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fuzzytruth.core.exact_sums import ExactSum

NUMBERS = st.floats(allow_nan=False, allow_infinity=False, min_value=-1e250, max_value=1e250)


@given(st.lists(NUMBERS, min_size=1, max_size=40), st.randoms(use_true_random=False))
def test_sums_are_right_to_the_last_bit_in_any_order_and_parts(values: list[float], random) -> None:
    mixed = random.sample(values, len(values))
    cut = random.randrange(len(values) + 1)
    total = ExactSum.of(np.array(mixed[:cut])) + ExactSum.of(np.array(mixed[cut:]))
    whole = ExactSum.of(np.array(values))
    assert float(total.value).hex() == float(whole.value).hex()
    assert float(whole.value) == pytest.approx(math.fsum(values), rel=2.0**-52, abs=5e-324)


def test_cancelling_loses_nothing() -> None:
    values = np.array([1e16, 1.0, -1e16, 1e-30, 2.0**-1074])
    assert ExactSum.of(values).value == 1.0
    left = ExactSum.of(values) + ExactSum.of(np.array([-1.0]))
    assert left.value == 1e-30
    assert (left + ExactSum.of(np.array([-1e-30]))).value == 2.0**-1074


def test_halves_of_units_end() -> None:
    """What is half a unit is rounded to 0 or 1 of it, and the rest is not lost."""
    for unit in (10, -20, -50):
        for half in (2.0 ** (unit - 1), 1.5 * 2.0**unit):
            assert ExactSum.of(np.array([half, half])).value == 2 * half


def test_any_number_of_parts_is_exact() -> None:
    """Doubled 70 times, each of these numbers has the bits of one number as large."""
    values = np.array([0.7, -1 / 3, 1e-5])
    total = ExactSum.of(values[:, None])
    for _ in range(70):
        total = total + total
    np.testing.assert_array_equal(total.value, values * 2.0**70)


def test_many_are_summed_along_the_last_axis() -> None:
    values = np.random.default_rng(0).random((20, 3, 500))
    total = ExactSum.of(values)
    expected = [[math.fsum(line) for line in rows] for rows in values]
    np.testing.assert_array_equal(total.value, expected)
    assert (values.sum(axis=-1) != values[..., ::-1].sum(axis=-1)).any()
    assert all((sums % 2.0**unit == 0).all() for unit, sums in total.parts.items())
    both = ExactSum.concatenate([total, ExactSum.zero((2, 3))])
    np.testing.assert_array_equal(both.value[:20], expected)
    np.testing.assert_array_equal(both.value[20:], 0)


def test_numbers_that_are_not_finite_or_huge() -> None:
    infinite = ExactSum.of(np.array([[1.0, np.inf], [1.0, 2.0]])) + ExactSum.of(np.ones((2, 1)))
    np.testing.assert_array_equal(infinite.value, [np.inf, 4.0])
    assert np.isnan(ExactSum.of(np.array([np.nan, 1.0])).value)
    assert ExactSum.of(np.array([1e300, 1e300])).value == 2e300
    assert ExactSum.of(np.array([1e300, -1e300, 5.0])).value == 5.0
    both = ExactSum.concatenate([infinite, ExactSum.of(np.ones((1, 2)))])
    np.testing.assert_array_equal(both.value, [np.inf, 4.0, 2.0])
