"""Distances of partial rankings, pair by pair."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from fuzzytruth.core import partial_orders
from fuzzytruth.core.partial_orders import disagreements, disjoint_disagreements, distance_to_all

places = st.lists(st.integers(1, 4), min_size=6, max_size=6)
rankings = st.lists(st.tuples(places, places, st.integers(0, 6)), min_size=1, max_size=4)


def brute(one, two, size, penalty) -> float:
    total = 0.0
    for i, j in combinations(range(size), 2):
        a, b = np.sign(one[i] - one[j]), np.sign(two[i] - two[j])
        total += 1 if a * b < 0 else penalty * ((a == 0) != (b == 0))
    return total


@settings(max_examples=60)
@given(rankings, st.sampled_from([0.0, 0.5, 1.0]))
def test_disagreements_pair_by_pair(cases, penalty) -> None:
    one, two, size = (np.array(column) for column in zip(*cases, strict=True))
    expected = [brute(*case, penalty) for case in cases]
    assert disagreements(one, two, size, penalty).tolist() == expected
    assert disagreements(two, one, size, penalty).tolist() == expected


def test_blocks_do_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    one, two, size = rng.random((9, 5)), rng.random((9, 5)), rng.integers(0, 6, 9)
    together = disagreements(one, two, size, 0.5)
    monkeypatch.setattr(partial_orders, "_CELLS", 1)
    assert disagreements(one, two, size, 0.5).tolist() == together.tolist()


def test_untied_rankings_give_kendalls_tau() -> None:
    one, two = np.random.default_rng(1).permuted(np.tile(np.arange(12.0), (2, 1)), axis=1)
    distance = disagreements(one[None], two[None], np.array([12]), 0.5)[0]
    assert 1 - 4 * distance / (12 * 11) == pytest.approx(stats.kendalltau(one, two).statistic)


def test_no_lists_and_no_items() -> None:
    assert disagreements(np.empty((0, 3)), np.empty((0, 3)), np.empty(0), 1.0).shape == (0,)
    assert disagreements(np.empty((2, 0)), np.empty((2, 0)), np.zeros(2), 1.0).tolist() == [0, 0]


@pytest.mark.parametrize("levels", [([1, 2, 3], [1, 2]), ([1, 1, 2], [1, 1, 1]), ([1], [1])])
def test_disjoint_lists_are_two_rankings_of_their_union(levels) -> None:
    one, two = levels
    tied = len(one) + len(two) + 1  # behind all others
    first, second = one + [tied] * len(two), [tied] * len(one) + two
    untied = sum(x != y for part in levels for x, y in combinations(part, 2))
    sizes = (np.array([len(one)]), np.array([len(two)]))
    found = disjoint_disagreements(np.array([untied]), sizes, 0.5)
    assert found.tolist() == [brute(first, second, len(first), 0.5)]


@pytest.mark.parametrize("length", [0, 1, 2, 7])
def test_distance_to_all_is_a_sum(length: int) -> None:
    x = np.array([-2.0, 0.0, 0.5, 1.0, 3.0, 3.25, 7.0, 7.5, 40.0])
    expected = [sum(abs(j - at) for j in range(1, length + 1)) for at in x]
    np.testing.assert_allclose(distance_to_all(np.full(len(x), length), x), expected, rtol=1e-14)
