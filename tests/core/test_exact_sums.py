"""Sums that do not depend on the order of addition, and moments gathered by blocks."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fuzzytruth.core.exact_sums import ExactSum, Moments, on_grid, on_segment_grids, tied_share

NUMBERS = st.floats(allow_nan=False, allow_infinity=False, min_value=-1e250, max_value=1e250)


def test_sums_on_a_grid_are_the_same_in_every_order() -> None:
    rng = np.random.default_rng(0)
    values = on_grid(rng.normal(size=1000) * 10.0 ** rng.integers(-8, 3, 1000), 0)
    sums = {float(values[rng.permutation(1000)].cumsum()[-1]) for _ in range(50)}
    assert len(sums) == 1


def test_rounding_is_tiny_and_each_line_or_segment_has_its_own_grid() -> None:
    rng = np.random.default_rng(1)
    values = rng.normal(size=(300, 4)) * [1.0, 1e-9, 1e9, 0.0]
    change = np.abs(on_grid(values, 0) - values).max(axis=0)
    assert (change <= 300 * 2.0**-52 * np.abs(values).max(axis=0)).all()
    assert on_grid(np.zeros((0, 3)), 0).shape == (0, 3)
    values = rng.normal(size=(2, 7)) * np.repeat([1e9, 1e-9], [3, 4])
    result = on_segment_grids(values, np.array([0, 3, 3, 7]), 4)
    for part in (slice(0, 3), slice(3, 7)):
        np.testing.assert_array_equal(result[:, part], on_grid(values[:, part], -1, 4))


def test_equal_means_on_a_grid_are_within_the_tied_share() -> None:
    assert tied_share(2000) == 1e-12
    for parts in (3, 5, 7, 11, 13):
        values = np.repeat([3 / parts, 1 / parts, 2 / parts], [2**15, 2**15, 2**16])
        rounded = on_grid(values, 0, 2**16)
        gap = abs(rounded[: 2**16].sum() - rounded[2**16 :].sum()) / 2**16
        assert 1e-12 * values[0] < gap <= tied_share(2**16) * values[0]


@settings(max_examples=60)
@given(st.lists(NUMBERS, min_size=1, max_size=40), st.randoms(use_true_random=False))
def test_exact_sums_are_right_to_the_last_bit_in_any_order_and_parts(values, random) -> None:
    mixed = random.sample(values, len(values))
    cut = random.randrange(len(values) + 1)
    total = ExactSum.of(np.array(mixed[:cut])) + ExactSum.of(np.array(mixed[cut:]))
    whole = ExactSum.of(np.array(values))
    assert float(total.value).hex() == float(whole.value).hex()
    assert float(whole.value) == pytest.approx(math.fsum(values), rel=2.0**-52, abs=5e-324)


def test_nothing_is_lost_by_cancelling_or_in_any_number_of_parts() -> None:
    values = np.array([1e16, 1.0, -1e16, 1e-30, 2.0**-1074])
    left = ExactSum.of(values) + ExactSum.of(np.array([-1.0]))
    assert left.value == 1e-30
    assert (left + ExactSum.of(np.array([-1e-30]))).value == 2.0**-1074
    for unit in (10, -20, -50):  # half a unit is rounded to 0 or 1 of it
        for half in (2.0 ** (unit - 1), 1.5 * 2.0**unit):
            assert ExactSum.of(np.array([half, half])).value == 2 * half
    values = np.array([0.7, -1 / 3, 1e-5])
    total = ExactSum.of(values[:, None])
    for _ in range(70):  # doubled, each has the bits of one number as large
        total = total + total
    np.testing.assert_array_equal(total.value, values * 2.0**70)


def test_numbers_that_are_not_finite_or_huge() -> None:
    infinite = ExactSum.of(np.array([[1.0, np.inf], [1.0, 2.0]])) + ExactSum.of(np.ones((2, 1)))
    np.testing.assert_array_equal(infinite.value, [np.inf, 4.0])
    assert np.isnan(ExactSum.of(np.array([np.nan, 1.0])).value)
    assert ExactSum.of(np.array([1e300, 1e300])).value == 2e300
    assert ExactSum.of(np.array([1e300, -1e300, 5.0])).value == 5.0
    both = ExactSum.concatenate([infinite, ExactSum.of(np.ones((1, 2)))])
    np.testing.assert_array_equal(both.value, [np.inf, 4.0, 2.0])


def test_moments_of_blocks_are_those_of_the_values_that_are_known() -> None:
    rng = np.random.default_rng(0)
    values, weight = rng.normal(size=(60, 3, 2)), rng.random(60)
    values[rng.random(60) < 0.3, 1, 0] = np.nan
    values[:, 2, 1] = np.nan
    moments = Moments((3, 2))
    for part in np.split(np.arange(60), [7, 8, 40]):
        moments.add(values[part], weight[part])
    for place in np.ndindex(3, 2):
        known = ~np.isnan(values[:, *place])
        assert moments.weight[place] == pytest.approx(weight[known].sum(), rel=1e-13)
        if place == (2, 1):
            assert np.isnan([moments.mean[place], moments.variance[place]]).all()
            continue
        mean = np.average(values[known, *place], weights=weight[known])
        variance = np.average((values[known, *place] - mean) ** 2, weights=weight[known])
        assert moments.mean[place] == pytest.approx(mean, rel=1e-13)
        assert moments.variance[place] == pytest.approx(variance, rel=1e-13)
