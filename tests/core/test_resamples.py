"""Bootstrap weights."""

from __future__ import annotations

import numpy as np
from scipy import stats

from fuzzytruth.core.resamples import counts, drawn_units


def test_units_are_uniform_and_counted() -> None:
    units = drawn_units(np.random.SeedSequence(0), 5_000, 7)
    assert units.shape == (5_000, 7)
    assert stats.chisquare(np.bincount(units.ravel(), minlength=7)).pvalue > 0.001
    times = counts(units)
    np.testing.assert_array_equal(times.sum(axis=1), 7)
    for drawn, row in zip(units[:20], times[:20], strict=True):
        np.testing.assert_array_equal(row, np.bincount(drawn, minlength=7))


def test_many_units_need_wider_numbers() -> None:
    units = drawn_units(np.random.SeedSequence(0), 2, 2**16 + 1)
    assert units.max() > 2**15
    assert counts(units).shape == (2, 2**16 + 1)


def test_a_seed_is_its_numbers() -> None:
    one, other = (drawn_units(np.random.SeedSequence(3), 9, 5) for _ in range(2))
    np.testing.assert_array_equal(one, other)
