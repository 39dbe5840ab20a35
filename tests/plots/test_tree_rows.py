"""A tree as an indented list."""

from __future__ import annotations

import pandas as pd
import pytest

from fuzzytruth.plots.tree_layout import Tree, tree_of
from fuzzytruth.plots.tree_plots import rows_of

VALUES = {"r": 1.0, "a": 0.3, "b": 0.7, "a1": 0.1, "a2": 0.2, "b1": 0.6}


@pytest.fixture
def tree() -> Tree:
    edges = [("r", "a"), ("r", "b"), ("a", "a1"), ("a", "a2"), ("b", "b1")]
    return tree_of(pd.DataFrame(edges, columns=["parent", "child"]))


def test_each_node_follows_its_parent(tree: Tree) -> None:
    rows = rows_of(tree, VALUES, None, None)
    assert rows.names == ("r", "a", "a1", "a2", "b", "b1")
    assert rows.depth == (0, 1, 2, 2, 1, 2)
    assert (rows.n_below, rows.n_cut, any(rows.repeated)) == (0, 0, False)


def test_small_values_are_hidden_but_not_above_larger_ones(tree: Tree) -> None:
    rows = rows_of(tree, VALUES | {"b": 0.0}, 0.5, None)
    assert rows.names == ("r", "b", "b1")  # b is above b1
    assert (rows.n_below, rows.n_cut) == (3, 0)


def test_the_largest_are_kept_with_all_above_them(tree: Tree) -> None:
    rows = rows_of(tree, VALUES, None, 4)
    assert rows.names == ("r", "a", "b", "b1")
    assert (rows.n_below, rows.n_cut) == (0, 2)
    rows = rows_of(tree, VALUES | {"a2": 0.9}, 0.25, 2)  # a2 and a have no room, b has
    assert rows.names == ("r", "b")
    assert (rows.n_below, rows.n_cut) == (1, 3)


def test_nodes_without_a_value_are_hidden_first(tree: Tree) -> None:
    assert rows_of(tree, {"a1": 0.1}, 0.0, None).names == ("r", "a", "a1")


def test_a_node_of_two_parents_has_one_row() -> None:
    edges = [("r", "a"), ("r", "b"), ("a", "x"), ("b", "x")]
    rows = rows_of(tree_of(pd.DataFrame(edges, columns=["parent", "child"])), {}, None, None)
    assert rows.names == ("r", "a", "x", "b")
    assert rows.repeated == (False, False, True, False)
