"""Covers of graphs by maximal cliques."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from fuzzytruth._typing import Bools
from fuzzytruth.plots.comparison_plots import clique_cover


def maximal_cliques(joined: Bools) -> set[tuple[int, ...]]:
    """All of two nodes or more, by trying every set."""
    n = len(joined)
    cliques = [
        set(nodes)
        for size in range(1, n + 1)
        for nodes in combinations(range(n), size)
        if all(joined[a, b] for a, b in combinations(nodes, 2))
    ]
    return {
        tuple(sorted(c)) for c in cliques if len(c) > 1 and not any(c < other for other in cliques)
    }


def edges(joined: Bools) -> set[tuple[int, int]]:
    return {(int(a), int(b)) for a, b in np.argwhere(np.triu(joined, 1))}


@pytest.mark.parametrize("seed", range(20))
def test_maximal_cliques_that_hold_every_edge(seed: int) -> None:
    rng = np.random.default_rng(seed)
    joined = rng.random((8, 8)) < rng.uniform(0.2, 0.9)
    joined = joined | joined.T
    cover = clique_cover(joined)
    assert set(cover) <= maximal_cliques(joined)
    assert len(cover) == len(set(cover))
    assert {pair for clique in cover for pair in combinations(clique, 2)} == edges(joined)


@pytest.mark.parametrize("seed", range(20))
def test_of_runs_of_neighbours_these_are_all(seed: int) -> None:
    """As with one critical difference."""
    means = np.sort(np.random.default_rng(seed).random(9))
    joined = np.abs(means[:, None] - means) < 0.25
    assert set(clique_cover(joined)) == maximal_cliques(joined)


def test_no_edge_and_every_edge() -> None:
    assert clique_cover(np.eye(3, dtype=bool)) == []
    assert clique_cover(np.zeros((0, 0), dtype=bool)) == []
    assert clique_cover(np.ones((3, 3), dtype=bool)) == [(0, 1, 2)]
