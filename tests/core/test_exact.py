"""Expected recall and AP by quadrature, against enumeration of all worlds and exact fractions."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from fuzzytruth.core.lists.poisson_binomial import pmf
from fuzzytruth.core.lists.relevant_counts import expected_average_precision, expected_recall


def enumerated(inside: np.ndarray, rank: np.ndarray, rest: np.ndarray) -> tuple[float, float]:
    """E[recall] and E[AP] over all worlds of one list."""
    recall, ap = Fraction(0), Fraction(0)
    p = [Fraction(float(x)) for x in (*inside, *rest)]
    for world in itertools.product((0, 1), repeat=len(p)):
        if not any(world):
            continue
        chance = Fraction(1)
        for happens, each in zip(world, p, strict=True):
            chance *= each if happens else 1 - each
        hits = world[: len(inside)]
        up_to = itertools.accumulate(hits)
        shares = (Fraction(h * u, int(r)) for h, u, r in zip(hits, up_to, rank, strict=True))
        recall += chance * Fraction(sum(hits), sum(world))
        ap += chance * sum(shares) / sum(world)
    return float(recall), float(ap)


def column(values: object) -> np.ndarray:
    return np.asarray(values, dtype=float)[:, None]


def test_by_hand() -> None:
    """Two items of probability 1/2, the first one at rank 2."""
    inside, rest = column([0.5]), column([0.5])
    # worlds 10: recall 1; 11: recall 1/2; precision at rank 2 is 1/2
    assert expected_recall(inside, rest).item() == pytest.approx(3 / 8)
    ap = expected_average_precision(inside, column([1 / 2]), rest)
    assert ap.item() == pytest.approx(3 / 16)


@settings(max_examples=60)
@given(
    arrays(float, st.integers(1, 4), elements=st.floats(0, 1)),
    arrays(float, st.integers(0, 4), elements=st.floats(0, 1)),
    st.randoms(use_true_random=False),
)
def test_enumeration(inside, rest, random) -> None:
    rank = np.array(sorted(random.sample(range(1, 12), len(inside))), dtype=float)
    recall, ap = enumerated(inside, rank, rest)
    result = expected_recall(column(inside), column(rest)).item()
    assert result == pytest.approx(recall, rel=1e-12, abs=1e-300)
    result = expected_average_precision(column(inside), column(1 / rank), column(rest)).item()
    assert result == pytest.approx(ap, rel=1e-12, abs=1e-300)


def test_counts_stand_for_several_items() -> None:
    rng = np.random.default_rng(0)
    inside, rest = rng.random((2, 12)), rng.random((2, 12))
    weight = np.repeat(1 / np.array([[1.0], [3.0]]), 12, axis=1)
    count = np.repeat([[3.0], [1.0]], 12, axis=1)
    each = np.repeat(rest, [3, 1], axis=0)
    for with_counts, without in (
        (expected_recall(inside, rest, count), expected_recall(inside, each)),
        (
            expected_average_precision(inside, weight, rest, count),
            expected_average_precision(inside, weight, each),
        ),
    ):
        assert with_counts.shape == (12,)
        np.testing.assert_allclose(with_counts, without, rtol=1e-12)
    recall, ap = enumerated(inside[:, 5], np.array([1, 3]), each[:, 5])
    assert expected_recall(inside, rest, count)[5] == pytest.approx(recall, rel=1e-13)
    result = expected_average_precision(inside, weight, rest, count)[5]
    assert result == pytest.approx(ap, rel=1e-13)


def without_each(p: np.ndarray) -> np.ndarray:
    """Pmf of all items but each: (items, counts), prefixes and suffixes convolved."""
    return np.array([pmf(np.delete(p, j)) for j in range(len(p))])


@pytest.mark.parametrize("skew", [(0.5, 2.0), (2.0, 0.5), (0.05, 50.0), (50.0, 0.05)])
@pytest.mark.parametrize("n", [30, 41, 70, 300])
def test_nodes_suffice_for_any_number_of_items(n: int, skew: tuple[float, float]) -> None:
    p = np.random.default_rng(n).beta(*skew, n)
    number = np.arange(1, n + 1)
    expected = (p * (without_each(p) / number).sum(axis=-1)).cumsum()
    for k in (1, n // 2, n):
        result = expected_recall(column(p[:k]), column(p[k:])).item()
        assert result == pytest.approx(expected[k - 1], rel=1e-12)


@pytest.mark.parametrize("n", [41, 500, 600, 1100, 20_000])
@pytest.mark.parametrize("p", [1e-300, 1e-5, 2e-3, 0.03, 0.3, 0.7, 0.999])
def test_nodes_suffice_for_very_many_items(n: int, p: float) -> None:
    """Equal probabilities: E[1 / (1 + S)] of a binomial S is (1 - (1 - p)^n) / (n·p).

    Of the others, as many are expected above rank i as its share of the ranks.
    """
    first = -np.expm1(n * np.log1p(-p)) / (n * p)
    result = expected_recall(np.full((1, 1), p), np.full((n - 1, 1), p)).item()
    assert result == pytest.approx(p * first, rel=3e-13, abs=0)
    all_inside = expected_recall(np.full((n, 1), p), np.zeros((0, 1))).item()
    assert all_inside == pytest.approx(n * p * first, rel=3e-13, abs=0)
    rank = np.arange(1, n + 1)
    expected = (p / rank * (first + (rank - 1) / (n - 1) * (1 - first))).sum()
    result = expected_average_precision(np.full((n, 1), p), 1 / rank[:, None], np.zeros((0, 1)))
    assert result.item() == pytest.approx(expected, rel=1e-12, abs=0)


@pytest.mark.parametrize("n", [1, 20, 41, 100, 3000])
def test_crisp_lists(n: int) -> None:
    rng = np.random.default_rng(n)
    inside, rest = rng.integers(0, 2, n) * 1.0, rng.integers(0, 2, n) * 1.0
    inside[0] = 1
    rank = np.arange(1, n + 1)
    total = inside.sum() + rest.sum()
    recall = expected_recall(column(inside), column(rest)).item()
    assert recall == pytest.approx(inside.sum() / total, rel=1e-12)
    ap = expected_average_precision(column(inside), column(1 / rank), column(rest)).item()
    assert ap == pytest.approx((inside * inside.cumsum() / rank).sum() / total, rel=1e-12)
