"""Layout of trees."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from support.random_graphs import Edges, edges, random_edges

import fuzzytruth as ft
from fuzzytruth._typing import Ints
from fuzzytruth.plots.tree_layout import centres, crossings, layout_parents


def parents_of(tax: ft.Taxonomy) -> Ints:
    return layout_parents(*tax.edges(), tax.level)


@given(edges())
def test_boxes_of_a_level_keep_apart(pairs: Edges) -> None:
    tax = ft.Taxonomy.from_edges(pairs)
    breadth = np.random.default_rng(len(pairs)).uniform(1, 50, len(tax))
    layout_parent = parents_of(tax)
    centre = centres(layout_parent, breadth, 3.0)
    assert (centre - breadth / 2).min() == pytest.approx(0)
    for level in range(int(tax.level[-1]) + 1):
        nodes = np.flatnonzero(tax.level == level)
        nodes = nodes[np.argsort(centre[nodes])]
        ends, starts = (centre[nodes] + side * breadth[nodes] / 2 for side in (1, -1))
        assert (starts[1:] - ends[:-1] >= 3 - 1e-9).all()
    for node in range(len(tax)):
        under = np.flatnonzero(layout_parent == node)
        if len(under):
            assert centre[node] == pytest.approx((centre[under[0]] + centre[under[-1]]) / 2)


def test_every_node_is_drawn_below_a_parent_one_level_up() -> None:
    tax = ft.Taxonomy.from_edges(random_edges(np.random.default_rng(0), 40, 1.0))
    layout_parent = parents_of(tax)
    assert layout_parent[0] == -1
    for node in range(1, len(tax)):
        assert tax.level[layout_parent[node]] == tax.level[node] - 1
        assert tax.nodes[layout_parent[node]] in tax.parents(tax.nodes[node])


def test_edges_pass_between_boxes() -> None:
    centre, breadth = np.array([10.0, 4.0, 16.0, 10.0]), np.array([4.0, 8.0, 8.0, 4.0])
    level = np.array([0, 1, 1, 2])
    assert crossings(centre, breadth, level, (0, 3), 2.0) == [10.0]
    assert crossings(centre - [20, 0, 0, 20], breadth, level, (0, 3), 2.0) == [-10.0]
    assert crossings(centre - [-8, 0, 0, -8], breadth, level, (0, 3), 2.0) == [22.0]
    assert crossings(centre, breadth, level, (0, 1), 2.0) == []
