"""Kendall's distance and the footrule against their definitions, pair by pair."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import rankdata

from fuzzytruth.core.lists.ranked_lists import RankedLists, tied_places
from fuzzytruth.core.lists.similarity import (
    OtherLists,
    disagreements,
    distance_to_all,
    footrules,
    kendall_distances,
    tied_pairs,
)
from fuzzytruth.core.segments import offsets_of

Ordered = dict[int, int]  # the level of each item, 0 the best


def lists_of(given_: list[Ordered]) -> tuple[RankedLists, list[list[int]]]:
    items = [sorted(one, key=lambda i: (one[i], i)) for one in given_]
    offsets = offsets_of(np.array([len(one) for one in items]))
    level = np.array([o[i] for o, own in zip(given_, items, strict=True) for i in own], dtype=int)
    return RankedLists(offsets, np.zeros(len(level)), *tied_places(offsets, level)), items


def pairs_of(ones: list[Ordered], twos: list[Ordered]) -> tuple[RankedLists, OtherLists]:
    one, items = lists_of(ones)
    two, others = lists_of(twos)
    first, last = np.zeros((2, len(one.first)), dtype=int)
    for j, (own, theirs) in enumerate(zip(items, others, strict=True)):
        for row, item in enumerate(own):
            if item in theirs:
                at = two.offsets[j] + theirs.index(item)
                first[one.offsets[j] + row] = two.first[at]
                last[one.offsets[j] + row] = two.last[at]
    return one, OtherLists(first, last, two.size, two)


def levels(one: Ordered, two: Ordered) -> tuple[list[int], list[int]]:
    union = sorted(set(one) | set(two))
    return [one.get(i, 99) for i in union], [two.get(i, 99) for i in union]


def kendall(one: Ordered, two: Ordered, penalty: float) -> float:
    x, y = levels(one, two)
    total = 0.0
    for i, j in itertools.combinations(range(len(x)), 2):
        a, b = np.sign(x[i] - x[j]), np.sign(y[i] - y[j])
        total += 1 if a * b < 0 else penalty * ((a == 0) != (b == 0))
    return total


def footrule(one: Ordered, two: Ordered, missing: str) -> float:
    x, y = (np.array(level) for level in levels(one, two))
    place = [rankdata(level) for level in (x, y)]
    if missing == "next":
        for p, level, own in ((place[0], x, one), (place[1], y, two)):
            p[level == 99] = len(own) + 1
    return float(np.abs(place[0] - place[1]).sum())


orders = st.dictionaries(st.integers(0, 7), st.integers(0, 3), min_size=1, max_size=7)
pairs = st.lists(st.tuples(orders, orders), min_size=1, max_size=4)


@settings(max_examples=200)
@given(pairs, st.sampled_from([0.0, 0.3, 0.5, 1.0]))
def test_kendall_with_ties_on_both_sides(given_, penalty) -> None:
    ones, twos = (list(side) for side in zip(*given_, strict=True))
    expected = [kendall(a, b, penalty) for a, b in given_]
    result = kendall_distances(*pairs_of(ones, twos), penalty)
    np.testing.assert_allclose(result, expected, atol=1e-12)
    n = np.array([len(set(a) | set(b)) for a, b in given_])
    union = kendall_distances(*pairs_of(ones, twos), penalty, "union")
    most = np.maximum(n * (n - 1) / 2, 1)
    np.testing.assert_allclose(union, expected / most, atol=1e-12)
    apart = [kendall(a, {i + 50: v for i, v in b.items()}, penalty) for a, b in given_]
    disjoint = kendall_distances(*pairs_of(ones, twos), penalty, "disjoint")
    np.testing.assert_allclose(disjoint, np.array(expected) / apart, atol=1e-12)


@settings(max_examples=200)
@given(pairs, st.sampled_from(["tied", "next"]))
def test_footrule_with_ties_on_both_sides(given_, missing) -> None:
    ones, twos = (list(side) for side in zip(*given_, strict=True))
    expected = [footrule(a, b, missing) for a, b in given_]
    result = footrules(*pairs_of(ones, twos), missing)
    np.testing.assert_allclose(result, expected, atol=1e-12)
    n = np.array([len(set(a) | set(b)) for a, b in given_])
    union = footrules(*pairs_of(ones, twos), missing, "union")
    np.testing.assert_allclose(union, expected / np.maximum(n * n // 2, 1), atol=1e-12)
    apart = [footrule(a, {i + 50: v for i, v in b.items()}, missing) for a, b in given_]
    disjoint = footrules(*pairs_of(ones, twos), missing, "disjoint")
    np.testing.assert_allclose(disjoint, np.array(expected) / apart, atol=1e-12)


def test_lists_without_ties_need_no_rows() -> None:
    """Known by the ranks of the common items and the length alone."""
    rng = np.random.default_rng(0)
    ones = [dict(zip(rng.permutation(9)[:5].tolist(), [0, 0, 1, 2, 2], strict=True))] * 6
    twos = [{i: k for k, i in enumerate(rng.permutation(12)[:7].tolist())} for _ in ones]
    lists, other = pairs_of(ones, twos)
    short = OtherLists(other.first, other.last, other.length)
    for norm in (None, "union", "disjoint"):
        np.testing.assert_allclose(
            kendall_distances(lists, short, 0.5, norm), kendall_distances(lists, other, 0.5, norm)
        )
        np.testing.assert_allclose(
            footrules(lists, short, "tied", norm), footrules(lists, other, "tied", norm)
        )


def test_empty_lists() -> None:
    lists, other = pairs_of([{}, {1: 0}], [{1: 0, 2: 1}, {}])
    assert kendall_distances(lists, other, 0.5).tolist() == [0.5, 0]
    assert footrules(lists, other, "next").tolist() == [1, 0]


def test_by_hand() -> None:
    one, two = np.array([[1, 2, 3, 0], [1, 1, 0, 0]]), np.array([[3, 3, 1, 9], [2, 1, 9, 9]])
    opposite, tied_once = disagreements(one, two, np.array([3, 2]))
    assert opposite.tolist() == [2, 0]
    assert tied_once.tolist() == [1, 1]
    lists, _ = lists_of([{0: 0, 1: 0, 2: 0, 3: 1, 4: 1}, {0: 0}])
    assert tied_pairs(lists).tolist() == [3 + 1, 0]


@pytest.mark.parametrize("x", [-1.0, 0.0, 0.5, 2.0, 3.5, 9.0])
def test_distance_to_all(x: float) -> None:
    for length in range(6):
        expected = sum(abs(j - x) for j in range(1, length + 1))
        assert distance_to_all(np.array(length), np.array(x)).item() == pytest.approx(expected)


def test_blocks(monkeypatch) -> None:
    rng = np.random.default_rng(1)
    ones, twos = ([dict(enumerate(rng.integers(0, 4, 6).tolist())) for _ in "abcd"] for _ in "ab")
    whole = kendall_distances(*pairs_of(ones, twos), 0.5)
    monkeypatch.setattr("fuzzytruth.core.lists.similarity._ITEM_PAIRS", 40)
    assert kendall_distances(*pairs_of(ones, twos), 0.5).tolist() == whole.tolist()
