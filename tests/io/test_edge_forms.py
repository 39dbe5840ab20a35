"""Every form of a taxonomy gives the same edges, each with its place."""

from __future__ import annotations

from typing import Any

import networkx as nx
import pandas as pd
import pytest

from fuzzytruth.errors import DataError, TaxonomyError
from fuzzytruth.io import taxonomies as edge_forms
from fuzzytruth.io.taxonomies import Edges

PAIRS = {("all", "animal"), ("all", "food"), ("animal", "fish"), ("food", "fish")}


def pairs(edges: Edges) -> set[tuple[Any, Any]]:
    return set(zip(edges.parent, edges.child, strict=True))


def test_all_forms_agree() -> None:
    graph = nx.DiGraph(list(PAIRS))
    for edges in (
        edge_forms.of_children(
            {"all": ["animal", "food"], "animal": ("fish",), "food": {"fish"}}, "x"
        ),
        edge_forms.of_parents({"animal": "all", "food": ["all"], "fish": ["animal", "food"]}, "x"),
        edge_forms.of_pairs(sorted(PAIRS), "x"),
        edge_forms.of_nested({"all": {"animal": {"fish": None}, "food": ["fish"]}}, "x"),
        edge_forms.of_frame(pd.DataFrame(sorted(PAIRS), columns=["source", "target"])),
        edge_forms.of_networkx(graph, False),
        edge_forms.of_networkx(graph.reverse(), True),
    ):
        assert pairs(edges) == PAIRS


def test_roots_and_names_without_edges() -> None:
    assert pairs(edge_forms.of_parents({"a": None, "b": [], "c": "a"}, "x")) == {
        *((None, "a"), (None, "b"), ("a", "c"))
    }
    assert edge_forms.of_children({"a": []}, "x").alone == ["a"]
    assert edge_forms.of_nested({"a": {}}, "x").alone == ["a"]
    graph = nx.DiGraph()
    graph.add_node("a")
    assert edge_forms.of_networkx(graph, False).alone == ["a"]


def test_edges_are_located_by_their_ends_or_rows() -> None:
    assert edge_forms.of_children({"a": ["b"]}, "x").locate(0) == "x, parent 'a', child 'b'"
    assert edge_forms.of_pairs([("a", "b")], "x").locate(0) == "x, row 1"
    frame = pd.DataFrame({"parent": ["a"], "child": ["b"]})
    assert edge_forms.of_frame(frame).locate(0) == "frame, row 1 (index 0)"


def test_nesting_deeper_than_python_calls() -> None:
    nested: dict[str, Any] = {}
    for depth in range(5000):
        nested = {str(depth): nested}
    assert len(edge_forms.of_nested(nested, "x").child) == 4999


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: edge_forms.of_children({"a": "b"}, "x"), r"^x, parent 'a': 'b' is not a list"),
        (lambda: edge_forms.of_children({"a": {"b": 1}}, "x"), "; from_nested takes mappings$"),
        (lambda: edge_forms.of_children([1], "x"), r"^x: \[1\] is not a mapping; give"),
        (lambda: edge_forms.of_pairs(["ab"], "x"), r"^x, row 1: 'ab' is not a pair"),
        (lambda: edge_forms.of_pairs([("a", "b", "c")], "x"), "has 3 parts; give"),
        (lambda: edge_forms.of_nested(3, "x"), "^x: 3 is not a mapping"),
        (lambda: edge_forms.of_nested({"a": 3}, "x"), "^x, category 'a': 3 does not belong there"),
        (lambda: edge_forms.of_networkx(3, False), "^graph: 3 is not a NetworkX graph"),
        (lambda: edge_forms.of_networkx(nx.Graph(), False), "its edges have no direction"),
    ],
)
def test_errors(call: Any, message: str) -> None:
    with pytest.raises((DataError, TaxonomyError), match=message):
        call()
