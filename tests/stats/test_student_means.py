"""Means by Student's t, and how many units an interval is worth."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from fuzzytruth.stats.powered_means import Means, equivalent_units


def means(std_error: float, units: float) -> Means:
    return Means(
        np.array([0.0]),
        np.array([std_error]),
        np.array([units - 1]),
        np.array([units]),
        np.array([False]),
    )


@pytest.mark.parametrize("units", [4.0, 12.0, 57.0])
def test_equivalent_units_invert_the_width(units: float) -> None:
    """A sample of standard deviation 2, of which 10 units are known."""
    half = np.array([stats.t.ppf(0.975, units - 1) * 2 / np.sqrt(units)])
    found = equivalent_units(half, means(2 / np.sqrt(10), 10), 0.95, n_all=np.array([100.0]))
    assert found[0] == pytest.approx(units, rel=1e-6)


def test_of_a_finite_population() -> None:
    spread = 2 * np.sqrt(1 / 25 - 1 / 60)
    half = np.array([stats.t.ppf(0.975, 24) * spread])
    known = means(2 * np.sqrt(1 / 10 - 1 / 60), 10)
    found = equivalent_units(half, known, 0.95, n_all=np.array([60.0]), finite=True)
    assert found[0] == pytest.approx(25, rel=1e-6)


def test_no_more_than_all_and_unknown_without_a_spread() -> None:
    all_units = np.array([50.0])
    assert equivalent_units(np.array([1e-9]), means(1, 10), 0.95, n_all=all_units)[0] == 50
    assert np.isnan(equivalent_units(np.array([1.0]), means(0, 10), 0.95, n_all=all_units)[0])
    assert np.isnan(equivalent_units(np.array([1.0]), means(np.nan, 1), 0.95, n_all=all_units)[0])
