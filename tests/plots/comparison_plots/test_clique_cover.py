"""Covers of graphs by maximal cliques."""

from itertools import combinations

import numpy as np
import pytest

from fuzzytruth.plots.comparison_plots import clique_cover


@pytest.mark.parametrize("seed", range(5))
def test_maximal_cliques_that_hold_every_edge(seed: int) -> None:
    rng = np.random.default_rng(seed)
    some = rng.random((8, 8)) < rng.uniform(0.2, 0.9)
    means = np.sort(rng.random(8))
    for joined in (some | some.T, np.abs(means[:, None] - means) < 0.25):
        edges = set(zip(*np.nonzero(np.triu(joined, 1)), strict=True))
        cliques = [
            set(nodes)
            for size in range(2, 9)
            for nodes in combinations(range(8), size)
            if all(pair in edges for pair in combinations(nodes, 2))
        ]
        maximal = {tuple(sorted(c)) for c in cliques if not any(c < other for other in cliques)}
        cover = clique_cover(joined)
        assert set(cover) <= maximal
        assert len(cover) == len(set(cover))
        assert {pair for clique in cover for pair in combinations(clique, 2)} == edges
    assert set(cover) == maximal  # of runs of neighbours, as with one critical difference


def test_no_edge_and_every_edge() -> None:
    assert clique_cover(np.eye(3, dtype=bool)) == []
    assert clique_cover(np.zeros((0, 0), dtype=bool)) == []
    assert clique_cover(np.ones((3, 3), dtype=bool)) == [(0, 1, 2)]
