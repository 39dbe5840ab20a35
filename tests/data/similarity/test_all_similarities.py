"""Similarity of nodes: the formulas, and all pairs by brute force over common ancestors."""

from typing import get_args

import numpy as np
import pytest
from hypothesis import given, settings
from support.random_graphs import Edges, edges

import fuzzytruth as ft
from fuzzytruth.data.similarity import (
    CommonAncestor,
    Kind,
    all_distances,
    all_similarities,
    intrinsic_information,
)


def test_intrinsic_information() -> None:
    tax = ft.Taxonomy.from_children({"r": ["a", "b"], "a": ["x"]})
    expected = [0, 1 - np.log(2) / np.log(4), 1, 1]
    np.testing.assert_allclose(intrinsic_information(tax.below), expected, atol=1e-15)
    one = ft.Taxonomy.from_children({"r": []})
    assert intrinsic_information(one.below).tolist() == [0.0]


@settings(max_examples=40)
@given(edges())
def test_the_best_common_ancestor_counts(pairs: Edges) -> None:
    tax = ft.Taxonomy.from_edges(pairs)
    info = np.sort(np.random.default_rng(len(pairs)).uniform(size=len(tax)))
    by_kind = {kind: all_similarities(kind, tax.below, tax.level, info) for kind in get_args(Kind)}
    distances = all_distances(tax.below)
    for a, name in enumerate(tax):
        for b, other in enumerate(tax):
            codes, distance = tax.common_ancestors(name, other)
            assert distances[a, b] == distance.min()
            for kind, matrix in by_kind.items():
                best = max(
                    CommonAncestor(d, tax.level[c], info[c], info[a], info[b]).similarity(kind)
                    for c, d in zip(codes.tolist(), distance.tolist(), strict=True)
                )
                assert matrix[a, b] == pytest.approx(best, abs=1e-14)
