"""Signs, and sums under them."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from fuzzytruth.core.exact_sums import on_grid
from fuzzytruth.stats.sign_flips import all_signs, n_extreme, random_signs, random_sums


def test_all_signs_are_half_of_all() -> None:
    half = {tuple(row) for row in all_signs(5)}
    mirrored = half | {tuple(-x for x in row) for row in half}
    assert len(half) == 16
    assert mirrored == set(itertools.product((1.0, -1.0), repeat=5))


@pytest.mark.parametrize("n", [1, 7, 8, 9, 53])
def test_looked_up_sums_are_sums_of_the_same_signs(n: int) -> None:
    values = np.random.default_rng(n).normal(size=n)
    signs = random_signs(np.random.SeedSequence(3), 500, n)
    sums = random_sums(values, np.random.SeedSequence(3), 500)
    np.testing.assert_array_equal(sums, (signs * on_grid(values, 0)).sum(axis=1))


def test_signs_are_fair_and_independent() -> None:
    signs = random_signs(np.random.SeedSequence(0), 20_000, 11)
    assert set(np.unique(signs)) == {-1.0, 1.0}
    assert np.abs(signs.mean(axis=0)).max() < 5 / np.sqrt(20_000)
    between = signs.T @ signs / 20_000 - np.eye(11)
    assert np.abs(between).max() < 5 / np.sqrt(20_000)


def test_extreme_sums_and_half_of_the_ties() -> None:
    sums = np.array([[0.3, 1.0], [-0.1 - 0.2, -2.0], [0.4, 2.5], [0.1, 0.0]])
    observed, tie = np.array([-0.3, 2.0]), np.array([1e-12, 1e-12])
    assert n_extreme(sums, observed, tie).tolist() == [3, 2]
    assert n_extreme(sums, observed, tie, mid_p=True).tolist() == [2, 1.5]
