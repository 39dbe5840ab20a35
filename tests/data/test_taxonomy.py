"""`Taxonomy`: construction from every form, conversion, and errors."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
from support.small_taxonomies import FIGURE, FIGURE_1, GRAPH

import fuzzytruth as ft

# Forms


@pytest.mark.parametrize(
    "made",
    [
        ft.Taxonomy.from_edges([(p, c) for p, below in FIGURE_1.items() for c in below]),
        ft.Taxonomy.from_parents({c: p for p, below in FIGURE_1.items() for c in below}),
        ft.Taxonomy.from_parents(
            {"all": None} | {c: [p] for p, below in FIGURE_1.items() for c in below}
        ),
        ft.Taxonomy.from_nested(
            {
                "all": {
                    "people": ["single", "group", "crowd"],
                    "scenery": {"city": {}, "countryside": None},
                }
            }
        ),
        ft.Taxonomy.from_frame(
            pd.DataFrame(
                [(p, c) for p, below in FIGURE_1.items() for c in below],
                columns=["Hypernym", "category"],
            )
        ),
        ft.Taxonomy.from_edges([(None, "all"), *FIGURE.to_edges()]),
        ft.Taxonomy.from_children(FIGURE.to_children()),
        ft.Taxonomy.from_frame(FIGURE.to_frame()),
        pickle.loads(pickle.dumps(FIGURE)),
    ],
)
def test_all_forms_give_the_same(made: ft.Taxonomy) -> None:
    assert made == FIGURE
    assert hash(made) == hash(FIGURE)
    assert made.nodes == (
        *("all", "people", "scenery"),
        *("single", "group", "crowd", "city", "countryside"),
    )


def test_face() -> None:
    assert repr(FIGURE) == "Taxonomy(8 categories, tree of depth 2, root 'all')"
    assert repr(GRAPH) == "Taxonomy(6 categories, graph with 6 edges of depth 4, root 'all')"
    assert len(FIGURE) == 8
    assert list(FIGURE) == list(FIGURE.nodes)
    assert "crowd" in FIGURE
    assert "cat" not in FIGURE
    assert FIGURE.is_tree
    assert not GRAPH.is_tree
    assert FIGURE != GRAPH
    assert FIGURE != "all"


def test_one_category() -> None:
    one = ft.Taxonomy.from_children({"all": []})
    assert one.nodes == ("all",)
    assert one.leaves() == ("all",)
    assert one.is_tree
    assert one.similarities("lin").tolist() == [[1.0]]
    assert ft.Taxonomy.from_frame(one.to_frame()) == one
    assert ft.Taxonomy.from_children(one.to_children()) == one


def test_numbers_are_names() -> None:
    tax = ft.Taxonomy.from_edges([(0, 1.0), (0, np.int64(2)), (2, "x")])
    assert tax.nodes == ("0", "1", "2", "x")
    assert tax.code(2) == 2  # type: ignore[arg-type]
    assert tax.codes(np.array([2, 0, 2])).tolist() == [2, 0, 2]
    assert tax.codes(pd.Series(["x", "0"], dtype="category")).tolist() == [3, 0]
    assert tax.codes([]).dtype == np.int64


def test_sets_and_series() -> None:
    assert ft.Taxonomy.from_children({"a": {"d", "b", "c"}}).nodes == ("a", "b", "c", "d")
    assert ft.Taxonomy.from_nested({"a": {"d", "b", "c"}}).nodes == ("a", "b", "c", "d")
    above = pd.Series(["r", "r", "a", "b"], index=["a", "b", "x", "x"])
    assert ft.Taxonomy.from_parents(above).parents("x") == ("a", "b")
    assert ft.Taxonomy.from_children(pd.Series({"r": ["a", "b"]})).leaves() == ("a", "b")


def test_nothing_changes_from_outside() -> None:
    for array in (FIGURE.up.targets, FIGURE.up.offsets, FIGURE.level):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    for array in (FIGURE.ancestor_of, FIGURE.descendants_of, FIGURE.descendant_offsets):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    with pytest.raises(AttributeError):
        FIGURE.nodes = ()  # type: ignore[misc]


def test_other_bad_forms() -> None:
    with pytest.raises(ft.TaxonomyError, match=r"parent 'poeple' of 'crowd' is unknown \(nearest"):
        ft.Taxonomy.from_parents({"all": None, "people": "all", "crowd": "poeple"})
    with pytest.raises(ft.TaxonomyError, match="'b' is given without a parent and also as a child"):
        ft.Taxonomy.from_edges([(None, "a"), (None, "b"), ("a", "b")])
    with pytest.raises(ft.DataError, match=r"edges, row 2: .* has 3 parts"):
        ft.Taxonomy.from_edges([("a", "b"), ("a", "b", "c")])  # type: ignore[list-item]
    with pytest.raises(ft.DataError, match=r"row 1: 'ab' is not a pair"):
        ft.Taxonomy.from_edges(["ab"])  # type: ignore[list-item]
    with pytest.raises(ft.DataError, match="is not a mapping"):
        ft.Taxonomy.from_parents(["a"])  # type: ignore[arg-type]
    with pytest.raises(ft.DataError, match="is not a mapping"):
        ft.Taxonomy.from_nested(["a"])  # type: ignore[arg-type]
    with pytest.raises(ft.TaxonomyError, match="category 'a': 3 does not belong there"):
        ft.Taxonomy.from_nested({"a": 3})
    with pytest.raises(ft.DataError, match="frame: no column for 'child'"):
        ft.Taxonomy.from_frame(pd.DataFrame({"parent": ["a"]}))
    with pytest.raises(ft.TaxonomyError, match=r"frame, row 2 \(index 1\): 'b' is given twice"):
        ft.Taxonomy.from_frame(pd.DataFrame({"parent": ["a", "a"], "child": ["b", "b"]}))
    with pytest.raises(ft.TaxonomyError, match=r"root='x' lies below 'a'; .*one of the 2 roots"):
        ft.Taxonomy.from_children({"a": ["x"], "b": []}, root="x")
    with pytest.raises(ft.DataError, match="column 'root': the id is empty"):
        ft.Taxonomy.from_children({"a": ["x"], "b": []}, root="")


def test_networkx_graphs_that_will_not_do() -> None:
    nx = pytest.importorskip("networkx")
    with pytest.raises(ft.DataError, match="edges have no direction"):
        ft.Taxonomy.from_networkx(nx.Graph([("a", "b")]))
    with pytest.raises(ft.DataError, match="is not a NetworkX graph"):
        ft.Taxonomy.from_networkx([("a", "b")])


def test_to_networkx_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "networkx", None)
    with pytest.raises(ft.FuzzytruthError, match="pip install networkx"):
        FIGURE.to_networkx()


def test_labels_without_order() -> None:
    flat = ft.Taxonomy.flat(["dog", "cat", 3])
    assert flat.nodes == ("all", "dog", "cat", "3")
    assert flat.children("all") == ("dog", "cat", "3")
    assert ft.Taxonomy.flat(["all", "dog"]).root == "(all)"
    with pytest.raises(ft.TaxonomyError, match="'dog' is given twice"):
        ft.Taxonomy.flat(["dog", "dog"])
    with pytest.raises(ft.DataError, match="the id is empty"):
        ft.Taxonomy.flat(["dog", ""])
