"""Rank correlations beside SciPy and brute force over ties."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy.stats import kendalltau

from fuzzytruth.core.order import ComparedOrders, beats


def by_definition(order: tuple[int, ...], right: np.ndarray) -> float:
    """τ_AP of one strict order, from Yilmaz et al. 2008, equation 5."""
    k = len(order)
    total = sum(sum(right[order[i], order[j]] for j in range(i)) / i for i in range(1, k))
    return 2 / (k - 1) * total - 1


def orders_of(values: np.ndarray) -> list[tuple[int, ...]]:
    """All strict orders that agree with the values."""
    k = len(values)
    return [
        order
        for order in itertools.permutations(range(k))
        if all(values[a] >= values[b] for a, b in itertools.pairwise(order))
    ]


def compared(values: np.ndarray, reference: np.ndarray) -> ComparedOrders:
    """Orders by values (draws, k), all of weight 1, beside that by the reference (k,)."""
    values = np.atleast_2d(values)
    return ComparedOrders.of(values, np.ones(len(values)), beats(reference))


@pytest.mark.parametrize("seed", range(20))
def test_against_definitions(seed: int) -> None:
    rng = np.random.default_rng(seed)
    values, reference = rng.integers(0, 4, 5) / 3, rng.integers(0, 4, 5) / 7
    orders, ref = compared(values, reference), beats(reference)
    expected = kendalltau(values, reference).statistic
    assert orders.tau_b(ref)[0] == pytest.approx(expected, nan_ok=True)
    right = (1 - ref) / 2
    brute = np.mean([by_definition(order, right) for order in orders_of(values)])
    assert orders.tau_ap()[0] == pytest.approx(brute, abs=1e-12)


def test_top_counts_more() -> None:
    reference = np.array([4.0, 3.0, 2.0, 1.0])
    top, bottom = np.array([3.0, 4.0, 2.0, 1.0]), np.array([4.0, 3.0, 1.0, 2.0])
    orders = compared(np.stack((top, bottom, reference, -reference)), reference)
    tau_b, tau_ap = orders.tau_b(beats(reference)), orders.tau_ap()
    assert tau_b[0] == tau_b[1]
    assert tau_ap[0] < tau_ap[1]
    assert tau_ap[2:].tolist() == [1.0, -1.0]
    assert np.isnan(compared(np.ones((2, 1)), np.ones(1)).tau_ap()).all()


def test_shares_of_tied_ranks() -> None:
    shares = compared(np.array([0.1 + 0.2, 0.3, 0.5]), np.arange(3.0)).shares(np.ones(1))
    np.testing.assert_allclose(shares, [[0, 0.5, 0.5], [0, 0.5, 0.5], [1, 0, 0]])


@pytest.mark.parametrize("seed", range(10))
def test_draws_with_weights_by_a_loop(seed: int) -> None:
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 5, (30, 6)) / 7 + rng.choice([0, 1e-17, 3e-13], (30, 6))
    reference, weight = rng.integers(0, 5, 6) / 3, rng.random(30)
    orders = ComparedOrders.of(values, weight, beats(reference))
    signs = beats(values)
    np.testing.assert_array_equal(orders.above, (signs < 0).sum(axis=2))
    np.testing.assert_array_equal(orders.tied, (signs == 0).sum(axis=2))
    for part, found in (signs > 0, orders.weight_above), (signs == 0, orders.weight_tied):
        expected = (weight[:, None, None] * part).sum(axis=0)
        np.testing.assert_allclose(found, expected, rtol=1e-13, atol=1e-15)
    shares = np.zeros((6, 6))
    for row, each in zip(signs, weight, strict=True):
        for system in range(6):
            first, size = (row[system] < 0).sum(), (row[system] == 0).sum()
            shares[system, first : first + size] += each / size
    np.testing.assert_allclose(orders.shares(weight), shares, rtol=1e-13, atol=1e-15)


def test_ties_are_of_the_largest_value() -> None:
    values = np.array([1.85e-17, 0.0, -2e-17, 0.5])
    assert beats(values)[:3, :3].tolist() == np.zeros((3, 3)).tolist()
    assert beats(values[:3])[0].tolist() == [0, 1, 1]
    assert beats(values[:3], 0.3).tolist() == np.zeros((3, 3)).tolist()
    orders = ComparedOrders.of(values[None, :3], np.ones(1), beats(values[:3], 0.3), 0.3)
    assert orders.tied.tolist() == [[3, 3, 3]]


def test_ties_are_transitive() -> None:
    chain = np.array([1.0, 1 + 8e-13, 1 + 1.6e-12, 1.1])
    assert beats(chain)[0].tolist() == [0, 0, 0, -1]
