"""Atoms: merging, running sums without rounding, and where a number lies."""

from fractions import Fraction
from itertools import accumulate

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from fuzzytruth.core import atoms


@settings(max_examples=40)
@given(st.lists(st.floats(0, 1), max_size=300))
def test_cumulative_sums_are_those_of_fractions(weights: list[float]) -> None:
    exact = [float(total) for total in accumulate(map(Fraction, weights))]
    np.testing.assert_allclose(atoms.cumulative_sum(np.array(weights)), exact, rtol=3e-16, atol=0)


def test_merging_looks_at_the_scale() -> None:
    values, weights = np.array([2e-13, 0.0, 1e-13]), np.array([1.0, 2, 4])
    assert atoms.merge(values, weights)[0].tolist() == [0, 1e-13, 2e-13]
    assert atoms.merge(values, weights)[1].tolist() == [2, 4, 1]
    alone = atoms.merge(values, weights, scale=1)
    assert (alone[0].tolist(), alone[1].tolist()) == ([0], [7])
    assert atoms.merge(np.empty(0), np.empty(0))[0].shape == (0,)


def test_values_just_beyond_their_range_are_at_its_end() -> None:
    values = np.array([1.5, 2 - 1e-12, 2.5, 3 + 1e-12, 3.5])
    assert atoms.snapped(values, (2.0, 3.0)).tolist() == [1.5, 2, 2.5, 3, 3.5]


def test_places() -> None:
    values = np.array([0.0, 1, 1 + 1e-10, 2])
    x = np.array([-1, -1e-10, 0.5, 1 - 1e-10, 1 + 4e-11, 1 + 6e-11, 1.5, 2, 3])
    where, near = atoms.locate(values, x)
    assert where.tolist() == [-1, 0, 0, 1, 1, 2, 2, 3, 3]
    assert near.tolist() == [False, True, False, True, True, True, False, True, False]


def test_a_level_missed_by_rounding_is_reached_unless_another_is_hit() -> None:
    half = np.nextafter(0.5, 1)
    assert atoms.first_reaching(np.array([0.5, 1]), np.array([half])).tolist() == [0]
    assert atoms.first_reaching(np.array([0.5, half, 1]), np.array([half])).tolist() == [1]
    assert atoms.first_reaching(np.array([1e-30, 1]), np.array([1.1e-30])).tolist() == [1]


def test_standard_error() -> None:
    drawn = np.array([1.0, 2, 4, 4])
    usual = drawn.std(ddof=1) / 2
    np.testing.assert_allclose(atoms.standard_error(drawn, np.full(4, 0.25)), usual, rtol=1e-15)
    assert atoms.standard_error(drawn, np.array([0, 1.0, 0, 0])) == np.inf
