import numpy as np
import pytest

from fuzzytruth.core.arithmetic import tie_groups, without_rounding


def test_results_below_the_tolerance_are_zero() -> None:
    results = np.array([1.85e-17, -1e-13, 2e-12, np.nan])
    out = without_rounding(results, 1.0)
    assert out[:3].tolist() == [0.0, 0.0, 2e-12]
    assert np.isnan(out[3])


def test_the_scale_may_differ_by_result() -> None:
    assert without_rounding(np.array([1e-7, 1e-7]), np.array([1e6, 1.0])).tolist() == [0.0, 1e-7]


def test_groups_of_rows_with_their_own_scale() -> None:
    table = np.array([[0.3 - 0.2, 0.2 - 0.1, 0.5, 0.4 - 0.3], [3.0, 1.0, 1.0 + 1e-9, 2.0]])
    assert tie_groups(table, np.array([1.0, 3.0])).tolist() == [[0, 0, 1, 0], [3, 0, 1, 2]]


def test_missing_results_share_the_last_group() -> None:
    assert tie_groups(np.array([np.nan, 2.0, 1.0, np.nan]), 1.0).tolist() == [2, 1, 0, 2]


@pytest.mark.parametrize("factor", [1e-200, 0.1, 10.0, 1e200])
def test_groups_do_not_depend_on_the_unit(factor: float) -> None:
    rng = np.random.default_rng(0)
    values = rng.integers(0, 5, 40) / 10 - rng.integers(0, 5, 40) / 10
    expected = np.unique(np.round(values, 9), return_inverse=True)[1]
    assert tie_groups(values * factor, np.abs(values * factor).max()).tolist() == expected.tolist()


def test_infinite_results_tie_with_their_like() -> None:
    values = np.array([np.inf, 1.0, -np.inf, np.inf, np.nan, -np.inf])
    assert tie_groups(values, 1.0).tolist() == [2, 1, 0, 2, 3, 0]
