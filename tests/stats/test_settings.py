"""Blocks of resamples, axes in words, and sides of a test."""

from typing import Any

import numpy as np
import pytest

import fuzzytruth as ft
from fuzzytruth.stats.settings import (
    Resampling,
    check_alternative,
    ends,
    towards,
)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"n_resamples": 0}, "n_resamples"),
        ({"memory": 0}, "memory"),
        ({"n_jobs": 0}, "must be 1 or more, or -1"),
        ({"rng": "x"}, "rng='x'"),
    ],
)
def test_wrong_settings(options: dict[str, Any], words: str) -> None:
    with pytest.raises(ft.errors.OptionError, match=words):
        Resampling(**options)


INF = np.inf


@pytest.mark.parametrize(
    ("alternative", "distance", "lower", "upper"),
    [
        ("two-sided", [0.5, 0.25], [0.25, -0.5], [0.75, 0.0]),
        ("greater", [0.5, -0.25], [0.25, -0.5], [INF, INF]),
        ("less", [-0.5, 0.25], [-INF, -INF], [0.75, 0.0]),
    ],
)
def test_sides(alternative: Any, distance: Any, lower: Any, upper: Any) -> None:
    value = np.array([0.5, -0.25, np.nan])
    assert towards(alternative, value)[:2].tolist() == distance
    found = ends(check_alternative(alternative), value, np.full(3, 0.25))
    assert [end[:2].tolist() for end in found] == [lower, upper]
    assert np.isnan([end[2] for end in found]).all()
    with pytest.raises(
        ft.errors.OptionError, match="alternative='better': must be one of 'two-sided'"
    ):
        check_alternative("better")


def test_settings_of_equal_generators_are_equal() -> None:
    one, same, other = (Resampling(9, rng=np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert one == same != other
