"""Santini's (16), (17), (22) and (23) as printed, by brute force."""

import itertools

import numpy as np
import pytest

import fuzzytruth as ft
from paper_repro import as_printed as printed


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
        assert printed.displacement(range(n), [0.5] * n, order) == pytest.approx(
            ours(order, [0.5] * n)
        )


def test_three_cycles_tell_them_apart() -> None:
    for order in ((1, 2, 0), (2, 0, 1)):
        assert printed.displacement(range(3), [1, 0.5, 0], order) != ours(order, [1, 0.5, 0])


def test_unlisted_items_as_printed() -> None:
    items, relevances = list("abcd"), [1.0, 0.8, 0.5, 0.2]
    near = ft.displacement(items, relevances, list("cxay"), ties="position")
    assert near.w_B == pytest.approx(0.8 * abs(2 - 5) + 0.2 * abs(4 - 6))
    assert printed.optimist_displacement([0.8, 0.2], 4) == 4.0
    far = ft.displacement(
        items, relevances, list("cxay"), unseen="pessimist", N=10, ties="position"
    )
    assert printed.pessimist_displacement([0.8, 0.2], 10) == pytest.approx(far.w_B) == 10.0


def test_bad_lists() -> None:
    for system in ("ab", "abd", "aab", "abcc"):
        with pytest.raises(ft.errors.DataError, match="same items once each"):
            printed.displacement("abc", [1, 1, 1], system)
    with pytest.raises(ft.errors.DataError, match="same items once each"):
        printed.displacement("abc", [1, 1], "abc")
    with pytest.raises(ft.errors.DataError, match="size=-1"):
        printed.pessimist_displacement([0.5], -1)
    with pytest.raises(ft.errors.DataError, match="relevances"):
        printed.optimist_displacement([1.5], 3)
    with pytest.raises(ft.errors.DataError, match="must be a list"):
        printed.optimist_displacement([[0.5]], 3)
