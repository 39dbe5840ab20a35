"""Overlap, Kendall's distance and the footrule of two lists, against their definitions."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import rankdata

from fuzzytruth.core.lists import similarity as module
from fuzzytruth.core.lists.ranked_lists import RankedLists, tied_places
from fuzzytruth.core.lists.similarity import (
    OtherLists,
    OverlapSide,
    footrules,
    kendall_distances,
    rank_biased_overlap,
)
from fuzzytruth.core.segments import offsets_of

DEPTH = 200
Ordered = dict[int, int]  # the level of each item, 0 the best


def lists_of(several: list[Ordered]) -> tuple[RankedLists, list[list[int]]]:
    items = [sorted(one, key=lambda i: (one[i], i)) for one in several]
    offsets = offsets_of(np.array([len(one) for one in items]))
    level = np.array([o[i] for o, own in zip(several, items, strict=True) for i in own], dtype=int)
    return RankedLists(offsets, np.zeros(len(level)), *tied_places(offsets, level)), items


def strict(lists: list[list[int]]) -> list[Ordered]:
    return [{item: k for k, item in enumerate(one)} for one in lists]


def overlaps(ones: list[list[int]], twos: list[list[int]], p: float, ties: str = "a"):
    (one, _), (two, _) = lists_of(strict(ones)), lists_of(strict(twos))
    common = [[i for i in a if i in b] for a, b in zip(ones, twos, strict=True)]
    depths = max(len(each) for each in [*ones, *twos])
    sides = [
        OverlapSide.of(
            lists,
            np.array(
                [lists.offsets[j] + own.index(i) for j, own in enumerate(each) for i in common[j]],
                dtype=int,
            ),
            depths,
        )
        for lists, each in ((one, ones), (two, twos))
    ]
    return rank_biased_overlap(*sides, offsets_of(np.array(list(map(len, common)))), p, ties)


def summed(a: list[int], b: list[int], p: float) -> float:
    return sum(
        (1 - p) * p ** (d - 1) * len(set(a[:d]) & set(b[:d])) / d for d in range(1, DEPTH + 1)
    )


prefixes = st.lists(st.integers(0, 7), min_size=1, max_size=6, unique=True)


@settings(max_examples=60)
@given(st.lists(st.tuples(prefixes, prefixes), min_size=1, max_size=3), st.sampled_from([0.5, 0.8]))
def test_bounds_of_overlap_are_those_of_long_lists(both, p) -> None:
    ones, twos = (list(side) for side in zip(*both, strict=True))
    ext, low, high = overlaps(ones, twos, p)
    for j, (a, b) in enumerate(both):
        fresh = (a + list(range(1000, 1000 + DEPTH)), b + list(range(2000, 2000 + DEPTH)))
        assert low[j] == pytest.approx(summed(*fresh, p), abs=1e-12)
        same = list(range(3000, 3000 + DEPTH))
        best = (a + [i for i in b if i not in a] + same, b + [i for i in a if i not in b] + same)
        assert high[j] == pytest.approx(summed(*best, p), abs=1e-12)
        assert low[j] - 1e-12 <= ext[j] <= high[j] + 1e-12
    for ties in "abw":  # all variants agree without ties, and sides may be swapped
        for result in (overlaps(ones, twos, p, ties), overlaps(twos, ones, p, ties)):
            np.testing.assert_allclose(result, (ext, low, high), atol=1e-12)


def test_overlap_by_hand() -> None:
    """[a, b] and [a, c]: agreement 1, then 1/2 for ever."""
    ext, _, _ = overlaps([[0, 1]], [[0, 2]], 0.5)
    assert ext.item() == pytest.approx(0.5 * 1 + 0.5 * 0.5)
    empty, two = (OverlapSide.untied(np.array([n]), np.empty(0, dtype=int), 2) for n in (0, 2))
    result = rank_biased_overlap(empty, two, np.array([0, 0]), 0.9, "a")
    assert [x.item() for x in result] == [0, 0, 0]


def test_overlap_with_ties_is_the_mean_over_orders() -> None:
    """One list has a tie over places 1 to 3, of which only the common item's place is known."""
    tied = RankedLists(np.array([0, 3]), np.zeros(3), np.ones(3, dtype=int), np.full(3, 3))
    one = OverlapSide.of(tied, np.array([0]), 3)
    two = OverlapSide.untied(np.array([2]), np.array([1]), 3)
    result = rank_biased_overlap(one, two, np.array([0, 1]), 0.6, "a")
    orders = [overlaps([list(order)], [[0, 9]], 0.6) for order in itertools.permutations(range(3))]
    assert result[1].item() == pytest.approx(np.mean([low.item() for _, low, _ in orders]))


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
    place = []
    for level, own in zip(levels(one, two), (one, two), strict=True):
        places = rankdata(level)
        places[np.array(level) == 99] = len(own) + 1 if missing == "next" else places.max()
        place.append(places)
    return float(np.abs(place[0] - place[1]).sum())


orders = st.dictionaries(st.integers(0, 7), st.integers(0, 3), min_size=1, max_size=7)
pairs = st.lists(st.tuples(orders, orders), min_size=1, max_size=3)
DISTANCES = [(kendall_distances, kendall, penalty) for penalty in (0.0, 0.3, 0.5, 1.0)]
DISTANCES += [(footrules, footrule, missing) for missing in ("tied", "next")]


@settings(max_examples=200)
@given(pairs, st.sampled_from(DISTANCES))
def test_distances_with_ties_on_both_sides(both, of) -> None:
    distances, by_pairs, option = of
    ones, twos = (list(side) for side in zip(*both, strict=True))
    expected = np.array([by_pairs(a, b, option) for a, b in both])
    n = np.array([len(set(a) | set(b)) for a, b in both])
    most = n * (n - 1) / 2 if by_pairs is kendall else n * n // 2
    apart = [by_pairs(a, {i + 50: v for i, v in b.items()}, option) for a, b in both]
    for norm, by in ((None, 1), ("union", np.maximum(most, 1)), ("disjoint", apart)):
        result = distances(*pairs_of(ones, twos), option, norm)
        np.testing.assert_allclose(result, expected / by, atol=1e-12)


def test_lists_without_ties_need_no_rows() -> None:
    """Known by the ranks of the common items and the length alone."""
    rng = np.random.default_rng(0)
    ones = [dict(zip(rng.permutation(9)[:5].tolist(), [0, 0, 1, 2, 2], strict=True))] * 6
    twos = strict([rng.permutation(12)[:7].tolist() for _ in ones])
    lists, other = pairs_of(ones, twos)
    short = OtherLists(other.first, other.last, other.length)
    for norm in (None, "union", "disjoint"):
        for distances, option in ((kendall_distances, 0.5), (footrules, "tied")):
            np.testing.assert_allclose(
                distances(lists, short, option, norm), distances(lists, other, option, norm)
            )


def test_empty_lists() -> None:
    lists, other = pairs_of([{}, {1: 0}], [{1: 0, 2: 1}, {}])
    assert kendall_distances(lists, other, 0.5).tolist() == [0.5, 0]
    assert footrules(lists, other, "next").tolist() == [1, 0]


def test_blocks(monkeypatch) -> None:
    rng = np.random.default_rng(1)
    ones, twos = ([dict(enumerate(rng.integers(0, 4, 6).tolist())) for _ in "abcd"] for _ in "ab")
    whole = kendall_distances(*pairs_of(ones, twos), 0.5)
    monkeypatch.setattr(module, "_ITEM_PAIRS", 40)
    assert kendall_distances(*pairs_of(ones, twos), 0.5).tolist() == whole.tolist()
    monkeypatch.setattr(module, "_DEPTHS", 20)
    longest = np.array([3, 9, 1, 1, 1])
    assert module.blocks(longest) == [slice(0, 2), slice(2, 4), slice(4, 6)]
    assert module.blocks(longest[:0]) == []
