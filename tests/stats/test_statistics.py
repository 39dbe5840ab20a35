"""Statistics by name."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import fuzzytruth as ft
from fuzzytruth.stats.statistics import apply, geometric_mean, named_statistic


def test_names_and_functions() -> None:
    assert named_statistic("median") == ("median", np.median)
    assert named_statistic(np.std) == ("std", np.std)
    for wrong in ("mode", 3):
        with pytest.raises(ft.OptionError, match="must be one of 'mean', 'median'"):
            named_statistic(wrong)


def test_geometric_mean_is_scipys() -> None:
    values = np.random.default_rng(0).random((3, 5))
    np.testing.assert_allclose(geometric_mean(values), stats.gmean(values, axis=-1))
    assert geometric_mean(np.array([0.0, 2.0])) == 0
    with pytest.raises(ft.DataError, match="negative"):
        geometric_mean(np.array([-1.0]))


def test_results_are_checked() -> None:
    with pytest.raises(ft.OptionError, match=r"gave shape \(2, 3\) for values of shape \(2, 3\)"):
        apply(lambda values, axis: values, np.ones((2, 3)))
