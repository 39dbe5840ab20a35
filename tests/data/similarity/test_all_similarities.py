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

ANCESTOR = CommonAncestor(distance=3, depth=1, info=0.5, info_a=1.0, info_b=0.75)


def test_formulas() -> None:
    held = np.array([0.0, 1.0])  # nodes without information are alike by Lin
    assert CommonAncestor(np.zeros(2), 0, 0.0, held, held).similarity("lin").tolist() == [1.0, 0.0]
    node = CommonAncestor(distance=0, depth=1, info=0.5, info_a=0.5, info_b=0.5)
    for kind, value in {
        "path": 1 / 4,
        "wu-palmer": 4 / 7,
        "resnik": 0.5,
        "lin": 1 / 1.75,
        "jiang-conrath": 1 / 1.75,
    }.items():
        assert float(ANCESTOR.similarity(kind)) == pytest.approx(value, abs=1e-15)
        assert float(node.similarity(kind)) == (0.5 if kind == "resnik" else 1.0)


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
