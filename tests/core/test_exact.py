"""Expected recall and AP, and pmfs without one item, against enumeration of all worlds."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from fuzzytruth.core.exact import (
    expected_average_precision,
    expected_recall,
    leave_one_out,
    n_nodes,
    quadrature,
)
from fuzzytruth.core.poisson_binomial import pmf


def enumerated(inside: np.ndarray, rank: np.ndarray, rest: np.ndarray) -> tuple[float, float]:
    """E[recall] and E[AP] over all worlds of one list."""
    recall, ap = 0.0, 0.0
    p = np.concatenate((inside, rest))
    for world in itertools.product((0, 1), repeat=len(p)):
        w = np.array(world)
        if not w.any():
            continue
        chance = np.where(w, p, 1 - p).prod()
        hits = w[: len(inside)]
        recall += chance * hits.sum() / w.sum()
        ap += chance * (hits * np.cumsum(hits) / rank).sum() / w.sum()
    return recall, ap


def test_by_hand() -> None:
    """Two items of probability 1/2, the first one at rank 2."""
    inside, rest = np.array([[0.5]]), np.array([[0.5]])
    # worlds 10: recall 1; 11: recall 1/2; precision at rank 2 is 1/2
    assert expected_recall(inside, rest).item() == pytest.approx(3 / 8)
    ap = expected_average_precision(inside, np.array([[2.0]]), rest)
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
    assert expected_recall(inside[None], rest[None]).item() == pytest.approx(recall, abs=1e-12)
    result = expected_average_precision(inside[None], rank[None], rest[None])
    assert result.item() == pytest.approx(ap, abs=1e-12)


def test_counts_stand_for_several_items_and_resamples_lead() -> None:
    rng = np.random.default_rng(0)
    inside, rest = rng.random((4, 3, 2)), rng.random((4, 3, 2))
    rank = np.array([1.0, 3.0])
    count = np.array([3.0, 1.0])
    each = np.repeat(rest, [3, 1], axis=-1)
    for with_counts, without in (
        (expected_recall(inside, rest, count), expected_recall(inside, each)),
        (
            expected_average_precision(inside, rank, rest, count),
            expected_average_precision(inside, rank, each),
        ),
    ):
        assert with_counts.shape == (4, 3)
        np.testing.assert_allclose(with_counts, without, rtol=1e-12)
    recall, ap = enumerated(inside[1, 2], rank, each[1, 2])
    assert expected_recall(inside, rest, count)[1, 2] == pytest.approx(recall, abs=1e-13)
    result = expected_average_precision(inside, rank, rest, count)[1, 2]
    assert result == pytest.approx(ap, abs=1e-13)


def test_few_nodes_are_as_good_as_enough() -> None:
    """500 items: 3·√R + 4 nodes against the sum over the pmf of all other items."""
    rng = np.random.default_rng(1)
    p = rng.beta(0.5, 2, 500)
    inside, rest = p[None, :50], p[None, 50:]
    assert n_nodes(inside, rest) < 60
    others = leave_one_out(p[:50], pmf(p))
    expected = (p[:50] * (others / np.arange(1, 501)).sum(axis=-1)).sum()
    assert expected_recall(inside, rest).item() == pytest.approx(expected, rel=1e-10)


def test_nodes_integrate_polynomials() -> None:
    nodes = quadrature(4)
    for degree in range(8):
        integral = sum(weight * t**degree for t, weight in nodes)
        assert integral == pytest.approx(1 / (degree + 1), abs=1e-15)


@settings(max_examples=60)
@given(arrays(float, st.integers(1, 25), elements=st.floats(0, 1)))
def test_leaving_one_out(p) -> None:
    result = leave_one_out(p, pmf(p))
    assert result.shape == (len(p), len(p))
    for j in range(len(p)):
        np.testing.assert_allclose(result[j], pmf(np.delete(p, j)), atol=1e-11)
