"""Student's t beside SciPy, and degenerate data."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from fuzzytruth.core import student


@pytest.mark.parametrize("df", [1, 3.5, 40])
def test_quantiles_and_p_are_scipys(df: float) -> None:
    assert student.quantile(0.95, df) == pytest.approx(stats.t.ppf(0.975, df))
    assert student.two_sided(2.1, df) == pytest.approx(2 * stats.t.sf(2.1, df))
    assert student.two_sided(-2.1, df) == student.two_sided(2.1, df)


def test_no_degrees_of_freedom() -> None:
    assert np.isposinf(student.quantile(0.95, [0.0, np.nan])).all()
    assert student.two_sided([9.0, 9.0], [0.0, np.nan]).tolist() == [1.0, 1.0]


def test_degenerate_means() -> None:
    mean = np.array([np.nan, 0.5, 0.5, 0.0, 0.5])
    error = np.array([np.nan, np.nan, 0.0, 0.0, 0.25])
    df = np.array([0.0, 0.0, 5.0, 5.0, 5.0])
    p = student.p_value(mean, error, df)
    np.testing.assert_array_equal(p[:4], [np.nan, 1.0, 0.0, 1.0])
    assert p[4] == pytest.approx(2 * stats.t.sf(2, 5))
    lower, upper = student.ends(mean, error, student.quantile(0.95, df))
    np.testing.assert_array_equal(lower[:4], [np.nan, -np.inf, 0.5, 0.0])
    np.testing.assert_array_equal(upper[:4], [np.nan, np.inf, 0.5, 0.0])
    ends = stats.t.interval(0.95, 5, 0.5, 0.25)
    assert (lower[4], upper[4]) == pytest.approx(ends)


def test_intervals_and_p_agree() -> None:
    rng = np.random.default_rng(0)
    mean, error = rng.normal(size=200), rng.choice([0.0, 0.3, 1.0], 200)
    df = rng.integers(1, 9, 200).astype(float)
    for level in (0.5, 0.9, 0.95):
        lower, upper = student.ends(mean, error, student.quantile(level, df))
        outside = (lower > 0) | (upper < 0)
        np.testing.assert_array_equal(outside, student.p_value(mean, error, df) <= 1 - level)
