"""Atoms: merging, running sums without rounding, and where a number lies."""

import numpy as np

from fuzzytruth.core import atoms


def test_merging_looks_at_the_scale() -> None:
    values, weights = np.array([2e-13, 0.0, 1e-13]), np.array([1.0, 2, 4])
    assert atoms.merge(values, weights)[0].tolist() == [0, 1e-13, 2e-13]
    assert atoms.merge(values, weights)[1].tolist() == [2, 4, 1]
    alone = atoms.merge(values, weights, scale=1)
    assert (alone[0].tolist(), alone[1].tolist()) == ([0], [7])
    assert atoms.merge(np.empty(0), np.empty(0))[0].shape == (0,)


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
