"""Overlap, Kendall's distance and the footrule of two lists, against their definitions."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import rankdata

import fuzzytruth as ft
from fuzzytruth.core.lists import ranked_lists

DEPTH = 200
Ordered = dict[int, int]  # the score of each item


def summed(a: list[int], b: list[int], p: float) -> float:
    return sum(
        (1 - p) * p ** (d - 1) * len(set(a[:d]) & set(b[:d])) / d for d in range(1, DEPTH + 1)
    )


prefixes = st.lists(st.integers(0, 7), min_size=1, max_size=6, unique=True)


@settings(max_examples=80)
@given(prefixes, prefixes, st.sampled_from([0.5, 0.8]))
def test_bounds_of_overlap_are_those_of_long_lists(a, b, p) -> None:
    overlap = ft.lists.rank_biased_overlap(a, b, p=p)
    fresh = (a + list(range(1000, 1000 + DEPTH)), b + list(range(2000, 2000 + DEPTH)))
    assert overlap.min == pytest.approx(summed(*fresh, p), abs=1e-12)
    same = list(range(3000, 3000 + DEPTH))
    best = (a + [i for i in b if i not in a] + same, b + [i for i in a if i not in b] + same)
    assert overlap.max == pytest.approx(summed(*best, p), abs=1e-12)
    assert overlap.min - 1e-12 <= overlap.ext <= overlap.max + 1e-12
    for ties in "abw":  # all variants agree without ties, and sides may be swapped
        for one, two in ((a, b), (b, a)):
            other = ft.lists.rank_biased_overlap(one, two, p=p, ties=ties)
            expected = pytest.approx((overlap.ext, overlap.min, overlap.max))
            assert (other.ext, other.min, other.max) == expected


def test_overlap_by_hand_and_with_ties() -> None:
    """[a, b] and [a, c]: agreement 1, then 1/2 for ever. A tie is the mean over its orders."""
    assert ft.lists.rank_biased_overlap([0, 1], [0, 2], p=0.5).ext == pytest.approx(0.5 + 0.5 * 0.5)
    tied = ft.lists.rank_biased_overlap({0: 1, 1: 1, 2: 1}, [0, 9], p=0.6)
    orders = [
        ft.lists.rank_biased_overlap(list(order), [0, 9], p=0.6).min
        for order in itertools.permutations(range(3))
    ]
    assert tied.min == pytest.approx(np.mean(orders))
    empty, two = (
        ranked_lists.OverlapSide.untied(np.array([n]), np.empty(0, dtype=int), 2) for n in (0, 2)
    )
    result = ranked_lists.rank_biased_overlap(empty, two, np.array([0, 0]), 0.9, "a")
    assert [x.item() for x in result] == [0, 0, 0]


def scores(one: Ordered, two: Ordered) -> tuple[list[int], list[int]]:
    union = sorted(set(one) | set(two))
    return [one.get(i, -99) for i in union], [two.get(i, -99) for i in union]


def kendall(one: Ordered, two: Ordered, penalty: float) -> float:
    x, y = scores(one, two)
    total = 0.0
    for i, j in itertools.combinations(range(len(x)), 2):
        a, b = np.sign(x[i] - x[j]), np.sign(y[i] - y[j])
        total += 1 if a * b < 0 else penalty * ((a == 0) != (b == 0))
    return total


def footrule(one: Ordered, two: Ordered, missing: str) -> float:
    place = []
    for each, own in zip(scores(one, two), (one, two), strict=True):
        places = rankdata(np.negative(each))
        places[np.array(each) == -99] = len(own) + 1 if missing == "next" else places.max()
        place.append(places)
    return float(np.abs(place[0] - place[1]).sum())


orders = st.dictionaries(st.integers(0, 7), st.integers(0, 3), min_size=1, max_size=7)
DISTANCES = [(ft.lists.kendall_distance, kendall, {"penalty": p}) for p in (0.0, 0.3, 0.5, 1.0)]
DISTANCES += [(ft.lists.footrule, footrule, {"missing": missing}) for missing in ("tied", "next")]


@settings(max_examples=200)
@given(orders, orders, st.sampled_from(DISTANCES))
def test_distances_with_ties_on_both_sides(a, b, of) -> None:
    distance, by_pairs, option = of
    expected = by_pairs(a, b, *option.values())
    n = len(set(a) | set(b))
    most = n * (n - 1) / 2 if by_pairs is kendall else n * n // 2
    apart = by_pairs(a, {i + 50: v for i, v in b.items()}, *option.values())
    for norm, by in ((None, 1), ("union", max(most, 1)), ("disjoint", apart)):
        assert distance(a, b, **option, norm=norm) == pytest.approx(expected / by, abs=1e-12)
