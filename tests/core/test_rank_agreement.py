"""Rank correlations beside SciPy and brute force over ties."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy.stats import kendalltau

from fuzzytruth.core.rank_agreement import SystemOrder, beats, tau_ap, tau_b


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


@pytest.mark.parametrize("seed", range(20))
def test_against_definitions(seed: int) -> None:
    rng = np.random.default_rng(seed)
    values, reference = rng.integers(0, 4, 5) / 3, rng.integers(0, 4, 5) / 7
    sign, ref = beats(values), beats(reference)
    expected = kendalltau(values, reference).statistic
    assert float(tau_b(sign, ref)) == pytest.approx(expected, nan_ok=True)
    right = (1 - ref) / 2
    brute = np.mean([by_definition(order, right) for order in orders_of(values)])
    assert float(tau_ap(sign, ref)) == pytest.approx(brute, abs=1e-12)


def test_top_counts_more() -> None:
    reference = beats(np.array([4.0, 3.0, 2.0, 1.0]))
    top = beats(np.array([3.0, 4.0, 2.0, 1.0]))
    bottom = beats(np.array([4.0, 3.0, 1.0, 2.0]))
    assert float(tau_b(top, reference)) == float(tau_b(bottom, reference))
    assert float(tau_ap(top, reference)) < float(tau_ap(bottom, reference))
    assert float(tau_ap(reference, reference)) == 1
    assert float(tau_ap(-reference, reference)) == -1


def test_shares_of_tied_ranks() -> None:
    shares = SystemOrder.of(beats(np.array([0.1 + 0.2, 0.3, 0.5]))).shares()
    np.testing.assert_allclose(shares, [[0, 0.5, 0.5], [0, 0.5, 0.5], [1, 0, 0]])
