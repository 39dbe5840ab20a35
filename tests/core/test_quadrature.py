"""Gauss–Legendre nodes and products of generating functions."""

from __future__ import annotations

import numpy as np
import pytest

from fuzzytruth.core.lists.relevant_counts import N_NODES, gauss_legendre, generating, nodes_for


@pytest.mark.parametrize("n", N_NODES)
def test_nodes_integrate_polynomials(n: int) -> None:
    u, weight = gauss_legendre(n)
    for degree in range(2 * n):
        assert (weight * u**degree).sum() == pytest.approx(1 / (degree + 1), rel=1e-14)


def test_each_list_has_its_own_number_of_nodes() -> None:
    p = np.zeros((60, 4))
    p[:3, 0] = p[:9, 1] = p[:, 2] = 1.0
    found = {
        int(j): (len(u), float(u[:, i].max()))
        for lists, u, *_ in nodes_for([(p[:20], None), (p[20:], None)])
        for i, j in enumerate(lists)
    }
    assert {j: n for j, (n, _) in found.items()} == {0: 2, 1: 8, 2: 20, 3: 2}
    assert found[2][1] < 33 / 60  # cut off where nothing is left
    counted = [lists.tolist() for lists, *_ in nodes_for([(p[:1], np.full((1, 4), 40.0))])]
    assert counted == [[3], [0, 1, 2]]


def test_products_of_generating_functions() -> None:
    rng = np.random.default_rng(0)
    p, u, count = rng.random((20, 3)), rng.random((5, 3)), rng.integers(1, 4, (20, 3)) * 1.0
    expected = (1 - p[:, None] * u).prod(axis=0)
    np.testing.assert_allclose(generating(p, u), expected, rtol=1e-13)
    expected = ((1 - p[:, None] * u) ** count[:, None]).prod(axis=0)
    np.testing.assert_allclose(generating(p, u, None, count), expected, rtol=1e-13)
    logs = generating(p, u, None, count, many=True)
    np.testing.assert_allclose(logs, expected, rtol=1e-13)
    two = np.array([2, 0])
    some = generating(p, np.ascontiguousarray(u[:, two]), two, count)
    np.testing.assert_array_equal(some, generating(p, u, None, count)[:, two])
