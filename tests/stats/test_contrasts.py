"""Contrasts of systems, and rows with values in the same places."""

from __future__ import annotations

import numpy as np
import pytest

from fuzzytruth.stats import observations as module
from fuzzytruth.stats.observations import (
    Contrasts,
    against,
    all_pairs,
    each_system,
    missing_patterns,
)


def test_which_systems() -> None:
    values = np.array([[1.0, 2.0], [4.0, np.nan], [9.0, 5.0]])
    np.testing.assert_array_equal(each_system(3).of(values, scale=np.full(3, 9.0)), values)
    np.testing.assert_array_equal(
        all_pairs(3).of(values, scale=np.full(3, 9.0)), [[-3, np.nan], [-8, -3], [-5, np.nan]]
    )
    np.testing.assert_array_equal(
        against([1], 3).of(values, scale=np.full(3, 9.0)), [[-3, np.nan], [5, np.nan]]
    )


def test_several_baselines() -> None:
    pairs = against([3, 1], 4)
    assert pairs.second is not None
    assert list(zip(pairs.first, pairs.second, strict=True)) == [(0, 3), (2, 3), (0, 1), (2, 1)]


def test_rounding_errors_are_no_differences() -> None:
    values = np.array([[0.1 + 0.2], [0.3], [0.3 + 1e-9]])
    scale = np.array([0.3, 0.3, 1e6])
    assert all_pairs(3).of(values, scale=scale).ravel().tolist() == [0.0, 0.0, 0.0]
    assert all_pairs(3).of(values, scale=np.full(3, 0.3))[1, 0] != 0
    assert all_pairs(3).largest(scale).tolist() == [0.3, 1e6, 1e6]
    assert each_system(3).largest(scale).tolist() == scale.tolist()


def test_batches_are_the_contrasts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_NUMBERS", 25)
    values = np.random.default_rng(0).normal(size=(7, 10))
    batches, scale = all_pairs(7).batches(10), np.ones(7)
    assert {len(some) for some in batches} == {2, 1}
    np.testing.assert_array_equal(
        np.concatenate([some.of(values, scale=scale) for some in batches]),
        all_pairs(7).of(values, scale=scale),
    )
    assert [len(some) for some in all_pairs(1).batches(10)] == [0]


@pytest.mark.parametrize("seed", range(4))
def test_patterns_partition_the_rows(seed: int) -> None:
    rng = np.random.default_rng(seed)
    present = rng.random((12, 4)) < 0.5
    seen = []
    for pattern, rows in missing_patterns(present):
        assert pattern.any()
        assert (present[rows] == pattern).all()
        seen += rows.tolist()
    assert sorted(seen) == np.flatnonzero(present.any(axis=1)).tolist()
    assert len(list(missing_patterns(np.ones((3, 2), dtype=bool)))) == 1
    assert list(missing_patterns(np.zeros((3, 2), dtype=bool))) == []
    assert list(missing_patterns(np.zeros((0, 2), dtype=bool))) == []


def test_contrasts_have_a_length() -> None:
    assert len(Contrasts(np.arange(4))) == 4
