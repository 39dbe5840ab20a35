"""Statistics by name."""

from __future__ import annotations

import numpy as np
import pytest

import fuzzytruth as ft
from fuzzytruth.stats.effects import apply, geometric_mean, named_statistic


def test_geometric_mean_by_definition() -> None:
    values = np.random.default_rng(0).random((3, 4, 5))
    np.testing.assert_allclose(geometric_mean(values), values.prod(axis=-1) ** 0.2)
    np.testing.assert_allclose(geometric_mean(values, axis=0), values.prod(axis=0) ** (1 / 3))
    assert geometric_mean(np.array([0.0, 1.0])) == 0
    assert np.isnan(geometric_mean(np.array([np.nan, 1.0])))
    with pytest.raises(ft.DataError, match="some values are negative"):
        geometric_mean(np.array([-1.0, 1.0]))


def test_names_and_functions() -> None:
    assert named_statistic("median") == ("median", np.median)
    assert named_statistic(np.max) == ("max", np.max)
    with pytest.raises(ft.OptionError, match=r"'mode'.*'geometric_mean'"):
        named_statistic("mode")


def test_a_statistic_must_reduce_its_axis() -> None:
    assert apply(np.mean, np.ones((2, 3))).tolist() == [1, 1]
    with pytest.raises(ft.OptionError, match="must reduce its axis"):
        apply(np.sort, np.ones((2, 3)))
