"""Permuted labels beside enumeration."""

import itertools

import numpy as np
import pytest

from fuzzytruth.stats.multiplicity import (
    all_permuted_means,
    n_permutations,
)


@pytest.mark.parametrize(("queries", "systems"), [(4, 2), (3, 3)])
def test_all_permutations(queries: int, systems: int) -> None:
    values = np.random.default_rng(0).normal(size=(queries, systems))
    orders = list(itertools.permutations(range(systems)))
    brute = [
        np.mean([row[list(order)] for row, order in zip(values, chosen, strict=True)], axis=0)
        for chosen in itertools.product(orders, repeat=queries)
    ]
    result = all_permuted_means(values)
    assert len(result) == round(n_permutations(queries, systems))
    np.testing.assert_allclose(np.sort(result[:, 0]), np.sort(np.array(brute)[:, 0]))
    np.testing.assert_allclose(np.sort(np.ptp(result, axis=1)), np.sort(np.ptp(brute, axis=1)))
