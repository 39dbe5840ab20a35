"""Santini's (10) to (14) as printed, by brute force."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fuzzytruth as ft
from paper_repro import as_printed as printed

chances = st.lists(st.floats(0, 1), min_size=1, max_size=7)


@given(chances)
def test_second_product_over_the_same_items(p: list[float]) -> None:
    def by_hand(k: int) -> float:
        subsets = itertools.combinations(p, k)
        return float(sum(np.prod([x * (1 - x) for x in subset]) for subset in subsets))

    expected = [by_hand(k) for k in range(len(p) + 1)]
    np.testing.assert_allclose(printed.hit_probabilities(p), expected, atol=1e-14)


def test_sure_hits_have_no_chance() -> None:
    assert printed.hit_probabilities([1, 1, 1]).tolist() == [1, 0, 0, 0]
    assert ft.Distribution.poisson_binomial([1, 1, 1]).pmf(3) == 1


@given(chances, st.floats(0.1, 30))
def test_masses_that_do_not_sum_to_one(p: list[float], size: float) -> None:
    hits = ft.Distribution.poisson_binomial(p).pmf(np.arange(len(p) + 1))
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
        with pytest.raises(ft.errors.DataError):
            function([[0.5]])
    with pytest.raises(ft.errors.DataError, match="size=0"):
        printed.recall_probabilities([0.5, 0.5], 0)
    with pytest.raises(ft.errors.DataError, match=r"membership of shape \(2,\)"):
        printed.precision_mixture([[0.5, 0.5]], [0.5, 0.5])
    with pytest.raises(ft.errors.DataError, match="n \\+ 1 columns"):
        printed.recall_mixture([[1.0]], [1.0])
