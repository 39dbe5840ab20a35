"""Bootstrap draws and how often each unit is among them."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from fuzzytruth.core.clusters import counts, drawn_units


def test_counts_are_bincounts_row_by_row() -> None:
    units = np.random.default_rng(0).integers(0, 6, (40, 6))
    expected = [np.bincount(row, minlength=6).tolist() for row in units]
    assert counts(units).tolist() == expected
    assert counts(units).dtype == np.float64


def test_one_unit_and_no_resamples() -> None:
    assert counts(drawn_units(np.random.SeedSequence(0), 3, 1)).tolist() == [[1.0]] * 3
    assert counts(drawn_units(np.random.SeedSequence(0), 0, 5)).shape == (0, 5)


@pytest.mark.parametrize("n", [2, 7, 256, 2**16, 2**16 + 1])
def test_units_are_drawn_uniformly(n: int) -> None:
    rows = max(3, 40_000 // n)
    units = drawn_units(np.random.SeedSequence(8), rows, n)
    assert units.shape == (rows, n)
    assert (units.min(), units.dtype) == (0, np.intp)
    assert units.max() < n
    assert n > 256 or units.max() == n - 1
    distance = stats.kstest((units.ravel() + 0.5) / n, "uniform").statistic
    assert distance < 0.5 / n + 2 / np.sqrt(units.size)


def test_counts_have_the_moments_of_a_multinomial() -> None:
    n, rows = 5, 40_000
    result = counts(drawn_units(np.random.SeedSequence(9), rows, n))
    assert set(result.sum(axis=1)) == {float(n)}
    expected = np.where(np.eye(n, dtype=bool), 1 - 1 / n, -1 / n)
    assert np.abs(np.cov(result.T) - expected).max() < 8 / np.sqrt(rows)


def test_a_seed_gives_the_same_draws() -> None:
    first, again, other = (drawn_units(np.random.SeedSequence(s), 4, 9).tolist() for s in (1, 1, 2))
    assert first == again
    assert first != other
