"""Rank-biased overlap against sums to a great depth."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fuzzytruth.core.lists.ranked_lists import RankedLists
from fuzzytruth.core.lists.similarity import OverlapSide, blocks, rank_biased_overlap
from fuzzytruth.core.segments import offsets_of

DEPTH = 200


def lists_of(given_: list[list[int]]) -> RankedLists:
    size = np.array([len(one) for one in given_])
    place = np.concatenate([np.arange(1, n + 1) for n in size])
    return RankedLists(offsets_of(size), np.zeros(len(place)), place, place)


def overlaps(
    ones: list[list[int]], twos: list[list[int]], p: float, ties: str = "a"
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    one, two = lists_of(ones), lists_of(twos)
    rows, count = [[], []], []
    for j, (a, b) in enumerate(zip(ones, twos, strict=True)):
        common = [i for i in a if i in b]
        rows[0] += [one.offsets[j] + a.index(i) for i in common]
        rows[1] += [two.offsets[j] + b.index(i) for i in common]
        count.append(len(common))
    depths = max(len(one) for one in [*ones, *twos])
    sides = [
        OverlapSide.of(lists, np.array(r, dtype=int), depths)
        for lists, r in zip((one, two), rows, strict=True)
    ]
    return rank_biased_overlap(*sides, offsets_of(np.array(count)), p, ties)


def summed(a: list[int], b: list[int], p: float) -> float:
    return sum(
        (1 - p) * p ** (d - 1) * len(set(a[:d]) & set(b[:d])) / d for d in range(1, DEPTH + 1)
    )


prefixes = st.lists(st.integers(0, 7), min_size=1, max_size=6, unique=True)


@settings(max_examples=100)
@given(st.lists(st.tuples(prefixes, prefixes), min_size=1, max_size=4), st.sampled_from([0.5, 0.8]))
def test_bounds_are_those_of_long_lists(given_, p) -> None:
    ones, twos = (list(side) for side in zip(*given_, strict=True))
    ext, low, high = overlaps(ones, twos, p)
    for j, (a, b) in enumerate(given_):
        fresh = (a + list(range(1000, 1000 + DEPTH)), b + list(range(2000, 2000 + DEPTH)))
        assert low[j] == pytest.approx(summed(*fresh, p), abs=1e-12)
        same = list(range(3000, 3000 + DEPTH))
        best = (a + [i for i in b if i not in a] + same, b + [i for i in a if i not in b] + same)
        assert high[j] == pytest.approx(summed(*best, p), abs=1e-12)
        assert low[j] - 1e-12 <= ext[j] <= high[j] + 1e-12


def test_extrapolation_by_hand() -> None:
    """[a, b] and [a, c]: agreement 1, then 1/2 for ever."""
    ext, _, _ = overlaps([[0, 1]], [[0, 2]], 0.5)
    assert ext.item() == pytest.approx(0.5 * 1 + 0.5 * 0.5)


@pytest.mark.parametrize("ties", ["a", "b", "w"])
def test_without_ties_all_variants_agree_and_sides_may_be_swapped(ties: str) -> None:
    ones, twos = [[0, 1, 2, 3], [5]], [[2, 0, 9], [5, 1]]
    expected = overlaps(ones, twos, 0.7)
    for result in (overlaps(ones, twos, 0.7, ties), overlaps(twos, ones, 0.7, ties)):
        np.testing.assert_allclose(result, expected, rtol=1e-12)


def test_ties_are_the_mean_over_orders() -> None:
    """One list has a tie over places 1 to 3, of which only the common item's place is known."""
    tied = RankedLists(np.array([0, 3]), np.zeros(3), np.ones(3, dtype=int), np.full(3, 3))
    one = OverlapSide.of(tied, np.array([0]), 3)
    two = OverlapSide.untied(np.array([2]), np.array([1]), 3)
    result = rank_biased_overlap(one, two, np.array([0, 1]), 0.6, "a")
    orders = [overlaps([list(order)], [[0, 9]], 0.6) for order in itertools.permutations(range(3))]
    assert result[1].item() == pytest.approx(np.mean([low.item() for _, low, _ in orders]))


def test_an_empty_list_has_no_overlap() -> None:
    empty = OverlapSide.untied(np.array([0]), np.empty(0, dtype=int), 2)
    two = OverlapSide.untied(np.array([2]), np.empty(0, dtype=int), 2)
    result = rank_biased_overlap(empty, two, np.array([0, 0]), 0.9, "a")
    assert [x.item() for x in result] == [0, 0, 0]


def test_blocks_cover_all_pairs(monkeypatch) -> None:
    monkeypatch.setattr("fuzzytruth.core.lists.similarity._DEPTHS", 20)
    assert blocks(np.array([3, 9, 1, 1, 1])) == [slice(0, 2), slice(2, 4), slice(4, 6)]
    assert blocks(np.empty(0, dtype=int)) == []
