"""The printed formulas, taken at their word by brute force, and what is wrong with each."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fuzzytruth as ft
from paper_repro import as_printed as printed

chances = st.lists(st.floats(0, 1), min_size=1, max_size=7)
TREE = {
    "all": ["people", "scenery"],
    "people": ["single", "group", "crowd"],
    "scenery": ["city", "countryside"],
}
FIGURE_1 = ["people", "people", "crowd", "city", "city"]


# (1), (2)


@given(st.sets(st.integers(0, 9), min_size=1), st.sets(st.integers(0, 9), min_size=1))
def test_unions_are_never_less_than_the_whole(a: set[int], v: set[int]) -> None:
    assert printed.crisp_recall(a, v) == len(a | v) / len(v) >= 1
    assert printed.crisp_precision(a, v) == len(a | v) / len(a) >= 1
    assert printed.crisp_precision(a, a) == 1


def test_sets_that_are_empty() -> None:
    with pytest.raises(ft.DataError, match="relevant: is empty"):
        printed.crisp_recall([1], [])
    with pytest.raises(ft.DataError, match="answered: is empty"):
        printed.crisp_precision([], [1])


# (6) to (8)


def test_leaves_do_not_count_the_subjects() -> None:
    for category, n in Counter(FIGURE_1).items():
        assert printed.leaf_probability(FIGURE_1, category) == 0.2
        assert n == 1 or printed.leaf_probability(FIGURE_1, category) != n / 5
    assert printed.leaf_probability(FIGURE_1, "group") == 0


def test_direct_counts_lose_the_grandchildren() -> None:
    found = {node: printed.node_probability(FIGURE_1, TREE, node) for node in TREE}
    assert found == {"all": 0.4, "people": 0.6, "scenery": 0.4}
    assert printed.node_probability(FIGURE_1, TREE, "crowd") == 0.2
    with pytest.raises(ft.DataError, match="votes="):
        printed.node_probability([], TREE, "all")
    with pytest.raises(ft.DataError, match="votes="):
        printed.leaf_probability("city", "city")


# (10) to (14)


@given(chances)
def test_second_product_over_the_same_items(p: list[float]) -> None:
    def by_hand(k: int) -> float:
        subsets = itertools.combinations(p, k)
        return float(sum(np.prod([x * (1 - x) for x in subset]) for subset in subsets))

    expected = [by_hand(k) for k in range(len(p) + 1)]
    np.testing.assert_allclose(printed.hit_probabilities(p), expected, atol=1e-14)


def test_sure_hits_have_no_chance() -> None:
    assert printed.hit_probabilities([1, 1, 1]).tolist() == [1, 0, 0, 0]
    assert ft.poisson_binomial([1, 1, 1]).pmf(3) == 1


@given(chances, st.floats(0.1, 30))
def test_masses_that_do_not_sum_to_one(p: list[float], size: float) -> None:
    hits = ft.poisson_binomial(p).pmf(np.arange(len(p) + 1))
    values, masses = printed.precision_probabilities(hits)
    np.testing.assert_allclose(values, np.arange(len(p) + 1) / len(p))
    assert masses.sum() == pytest.approx(1 / len(p))
    values, masses = printed.recall_probabilities(hits, size)
    assert values[-1] == pytest.approx(len(p) / size)
    assert masses.sum() == pytest.approx(1 / size)


def test_mixtures_with_memberships() -> None:
    given_each = [[0.25, 0.75], [0.5, 0.5], [1.0, 0.0]]
    weights = [1.0, 0.6, 0.2]
    masses = printed.precision_mixture(given_each, weights)
    assert masses.tolist() == pytest.approx([0.25 + 0.3 + 0.2, 0.75 + 0.3])
    assert masses.sum() == pytest.approx(sum(weights))
    values, same = printed.recall_mixture(given_each, weights)
    assert values.tolist() == [0, 1]
    assert same.tolist() == masses.tolist()


def test_bad_numbers_of_probabilities() -> None:
    for function in (printed.hit_probabilities, printed.precision_probabilities):
        with pytest.raises(ft.DataError):
            function([[0.5]])
    with pytest.raises(ft.DataError, match="size=0"):
        printed.recall_probabilities([0.5, 0.5], 0)
    with pytest.raises(ft.DataError, match=r"membership of shape \(2,\)"):
        printed.precision_mixture([[0.5, 0.5]], [0.5, 0.5])
    with pytest.raises(ft.DataError, match="n \\+ 1 columns"):
        printed.recall_mixture([[1.0]], [1.0])


# (16), (17), (22), (23)


def ours(order: tuple[int, ...], relevances: list[float]) -> float:
    items = list(range(len(order)))
    return ft.displacement(items, relevances, list(order), ties="position").value


@pytest.mark.parametrize("n", [2, 3, 4])
def test_literal_permutation_is_the_inverse_of_the_ranks(n: int) -> None:
    relevances = np.linspace(1, 0.1, n).tolist()
    for order in itertools.permutations(range(n)):
        literal = printed.displacement(range(n), relevances, order)
        assert literal == pytest.approx(
            sum(
                s * abs(k - item) for k, (s, item) in enumerate(zip(relevances, order, strict=True))
            )
        )
        inverse = tuple(int(k) for k in np.argsort(order))
        assert literal == pytest.approx(ours(inverse, relevances))
        if inverse == order:
            assert literal == pytest.approx(ours(order, relevances))
        assert printed.displacement(range(n), [0.5] * n, order) == pytest.approx(
            ours(order, [0.5] * n)
        )


def test_three_cycles_tell_them_apart() -> None:
    for order in ((1, 2, 0), (2, 0, 1)):
        assert printed.displacement(range(3), [1, 0.5, 0], order) != ours(order, [1, 0.5, 0])


def test_unlisted_items_as_printed() -> None:
    items, relevances = list("abcd"), [1.0, 0.8, 0.5, 0.2]
    found = ft.displacement(items, relevances, list("cxay"), ties="position")
    assert found.w_B == pytest.approx(0.8 * abs(2 - 5) + 0.2 * abs(4 - 6))
    assert printed.optimist_displacement([0.8, 0.2], 4) == 4.0
    assert printed.optimist_displacement([0.8, 0.2], 4) > found.w_B
    far = ft.displacement(
        items, relevances, list("cxay"), unseen="pessimist", N=10, ties="position"
    )
    assert printed.pessimist_displacement([0.8, 0.2], 10) == pytest.approx(far.w_B) == 10.0


def test_bad_lists() -> None:
    for system in ("ab", "abd", "aab", "abcc"):
        with pytest.raises(ft.DataError, match="same items once each"):
            printed.displacement("abc", [1, 1, 1], system)
    with pytest.raises(ft.DataError, match="same items once each"):
        printed.displacement("abc", [1, 1], "abc")
    with pytest.raises(ft.DataError, match="size=-1"):
        printed.pessimist_displacement([0.5], -1)
    with pytest.raises(ft.DataError, match="relevances"):
        printed.optimist_displacement([1.5], 3)
    with pytest.raises(ft.DataError, match="must be a list"):
        printed.optimist_displacement([[0.5]], 3)


# The contests


def test_tiers_of_shrec_2006() -> None:
    gains = [2, 2, 1, 2, 2, 1, 0, 1, 0, 1, 2, 0, 0, 0]
    assert printed.first_tier(gains, 6, 11) == 6 / 6  # its example says 9/11
    assert printed.second_tier(gains, 6, 11) == 9 / 14  # as its example: 14 < 2 Cr
    longer = gains + [0] * 8  # 22 = 2 Cr
    assert printed.second_tier(longer, 6, 11) == 9 / 12
    assert printed.first_tier(gains[:10], 6, 11) == 8 / 10  # Va < Cr
    for bad in (([], 1, 1), ([1], 0, 1), ([1], 2, 1)):
        with pytest.raises(ft.DataError):
            printed.first_tier(*bad)


def test_tiers_of_shrec_2019() -> None:
    assert printed.tier_outside_collection([1] * 20, 20) == 0.95
    assert printed.tier_outside_collection([0] * 38 + [1] * 20, 20, tier=2) == 0
    assert printed.tier_outside_collection([0] * 37 + [1] * 20, 20, tier=2) == 1 / 20
    with pytest.raises(ft.DataError, match="class_size=1"):
        printed.tier_outside_collection([1], 1)


@given(st.floats(0, 1), st.floats(0, 1))
def test_e_measures_are_each_others_complement(p: float, r: float) -> None:
    e, psb = printed.e_measure(p, r), printed.e_measure_psb(p, r)
    assert e + psb == pytest.approx(1)
    assert 0 <= psb <= 1 + 1e-12
    if p * r > 1e-6:
        assert psb == pytest.approx(2 * p * r / (p + r))


def test_e_measures_of_the_library() -> None:
    truth = {"q": {"a": 1, "b": 1, "c": 1, "d": 0}}
    scores = ft.evaluate(truth, {"s": {"q": {"a": 3, "d": 2}}}, ["E@32", "EPSB@32"]).values
    assert scores.ravel().tolist() == pytest.approx(
        [printed.e_measure(1 / 32, 1 / 3), printed.e_measure_psb(1 / 32, 1 / 3)]
    )
    with pytest.raises(ft.DataError, match="recall"):
        printed.e_measure(0.5, 1.5)
