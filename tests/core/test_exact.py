"""Expectations over independent items against every outcome, in fractions."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fuzzytruth.core.exact import (
    expected_average_precision,
    expected_recall,
    leave_one_out,
    n_nodes,
    quadrature,
)
from fuzzytruth.core.poisson_binomial import pmf, pmf_each

chances = st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.875, 1.0])


def outcomes(p):
    """Every outcome of independent events, with its probability."""
    for outcome in product((0, 1), repeat=len(p)):
        weight = Fraction(1)
        for x, hit in zip(p, outcome, strict=True):
            weight *= Fraction(x) if hit else 1 - Fraction(x)
        yield weight, outcome


def brute_recall(inside, rest):
    n = len(inside)
    return float(
        sum(w * Fraction(sum(x[:n]), sum(x)) for w, x in outcomes(inside + rest) if any(x))
    )


def brute_average_precision(inside, ranks, rest):
    total = Fraction()
    for weight, x in outcomes(inside + rest):
        for j, rank in enumerate(ranks):
            if x[j]:
                total += weight * Fraction(sum(x[: j + 1]), rank * sum(x))
    return float(total)


@pytest.mark.parametrize("n", [1, 2, 5, 12])
def test_quadrature_integrates_polynomials(n: int) -> None:
    for degree in range(2 * n):
        integral = sum(weight * t**degree for t, weight in quadrature(n))
        assert integral == pytest.approx(1 / (degree + 1), rel=1e-13)


@settings(max_examples=60)
@given(st.lists(chances, max_size=4), st.lists(chances, max_size=4))
def test_recall_and_average_precision_by_every_outcome(inside, rest) -> None:
    ranks = [2 * j + 1 for j in range(len(inside))]
    found, others = np.array([inside + [0.0] * 2]), np.array([rest + [0.0] * 3])
    padded = np.array([ranks + [np.inf] * 2])
    recall = expected_recall(found, others)
    assert recall == pytest.approx([brute_recall(inside, rest)], abs=1e-12)
    ap = expected_average_precision(found, padded, others)
    assert ap == pytest.approx([brute_average_precision(inside, ranks, rest)], abs=1e-12)


def test_counts_stand_for_equal_items() -> None:
    inside, rest, count = np.array([[0.3, 0.9]]), np.array([[0.2, 0.7]]), np.array([[3.0, 2.0]])
    each = np.array([[0.2] * 3 + [0.7] * 2])
    rank = np.array([[1.0, 4.0]])
    np.testing.assert_allclose(
        expected_recall(inside, rest, count), expected_recall(inside, each), rtol=1e-13
    )
    np.testing.assert_allclose(
        expected_average_precision(inside, rank, rest, count),
        brute_average_precision([0.3, 0.9], [1, 4], [0.2] * 3 + [0.7] * 2),
        rtol=1e-12,
    )


@pytest.mark.parametrize(("n", "p"), [(2_000, 0.5), (2_000, 1e-3), (5_000, 0.9), (300, 1.0)])
def test_few_nodes_are_enough_for_many_items(n: int, p: float) -> None:
    inside, rest = np.full((1, n // 4), p), np.full((1, n - n // 4), p)
    assert n_nodes(inside, rest) < n // 2 or n <= 300
    some = -np.expm1(n * np.log1p(-p)) if p < 1 else 1.0
    expected = some * inside.shape[1] / n  # by symmetry each item has the same expected share
    np.testing.assert_allclose(expected_recall(inside, rest), [expected], rtol=1e-10)


def test_nothing_relevant_and_leading_axes() -> None:
    assert expected_recall(np.zeros((2, 3)), np.zeros((2, 1))).tolist() == [0, 0]
    assert expected_recall(np.empty((1, 0)), np.empty((1, 0))).tolist() == [0]
    rng = np.random.default_rng(0)
    inside, rest = rng.random((3, 2, 4)), rng.random((3, 2, 5))
    together = expected_recall(inside, rest)
    for world in range(3):
        np.testing.assert_allclose(together[world], expected_recall(inside[world], rest[world]))


@pytest.mark.parametrize("n", [1, 2, 40, 200])
def test_leaving_one_out_is_the_distribution_of_the_others(n: int) -> None:
    p = np.random.default_rng(n).beta(0.3, 0.3, (2, n))
    p[0, 0], p[1, -1] = 0.0, 1.0
    found = leave_one_out(p, pmf_each(p))
    for row, out in zip(p, found, strict=True):
        expected = [pmf(np.delete(row, j)) for j in range(n)]
        np.testing.assert_allclose(out, expected, rtol=0, atol=1e-11)
    assert found.min() >= 0
