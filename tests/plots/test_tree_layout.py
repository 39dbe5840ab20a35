"""Layout of trees, and their boxes."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from support.random_graphs import Edges, edges, random_edges

import fuzzytruth as ft
from fuzzytruth._typing import Ints
from fuzzytruth.plots.tree_layout import (
    arrange_boxes,
    centres,
    crossings,
    edge_path,
    layout_parents,
    texts_of,
    tree_of,
)

FRAME = pd.DataFrame({"parent": ["r", "r", "a", "r"], "child": ["a", "b", "x", "x"]})


@given(edges())
def test_nodes_are_numbered_as_in_a_taxonomy(pairs: Edges) -> None:
    tax = ft.Taxonomy.from_edges(pairs)
    tree = tree_of(tax.to_frame())
    assert tree.names == tax.nodes
    assert tree.level.tolist() == tax.level.tolist()
    np.testing.assert_array_equal((tree.parent, tree.child), tax.edges())
    assert tree.n_leaves == len(tax.leaves())


def test_texts_are_wrapped_and_valued() -> None:
    tree = tree_of(FRAME)
    texts = texts_of(tree, {"a": 0.123}, {"r": "a name of more than twenty-two", "b": "$"}, ".1f")
    assert texts == ["a name of more than\ntwenty-two", "a\n0.1", "\\$", "x"]


def test_levels_lie_below_or_beside_each_other() -> None:
    tree = tree_of(FRAME)
    texts = texts_of(tree, {}, {}, "g")
    for grow, along in (("down", 1), ("right", 0)):
        boxes = arrange_boxes(tree, texts, grow)  # type: ignore[arg-type]
        starts = boxes.centre[:, along] - boxes.size[:, along] / 2
        ends = boxes.centre[:, along] + boxes.size[:, along] / 2
        assert boxes.axes == (1 - along, along)
        assert (starts >= boxes.bands[tree.level, 0] - 1e-9).all()
        assert (ends <= boxes.bands[tree.level, 1] + 1e-9).all()
        assert (boxes.bands[1:, 0] > boxes.bands[:-1, 1]).all()
        assert boxes.extent[along] == pytest.approx(ends.max() + 8)


def test_an_edge_leads_from_box_to_box_and_past_those_between() -> None:
    tree = tree_of(FRAME)
    boxes = arrange_boxes(tree, texts_of(tree, {}, {}, "g"), "down")
    root, node = tree.names.index("r"), tree.names.index("x")
    points, codes = edge_path(tree, boxes, root, node)
    assert len(points) == len(codes) == 2 + 4 * 2
    x, y = boxes.centre[root]
    assert points[0].tolist() == pytest.approx([x, y + boxes.size[root, 1] / 2])
    x, y = boxes.centre[node]
    assert points[-1].tolist() == pytest.approx([x, y - boxes.size[node, 1] / 2])
    on_level = np.flatnonzero(tree.level == 1)
    low = boxes.centre[on_level, 0] - boxes.size[on_level, 0] / 2
    high = boxes.centre[on_level, 0] + boxes.size[on_level, 0] / 2
    passing = points[4, 0]
    assert not ((low < passing) & (passing < high)).any()


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
