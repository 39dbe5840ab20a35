from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from support.random_graphs import Edges, edges, random_edges

import fuzzytruth as ft

FIGURE_1 = {
    "all": ["people", "scenery"],
    "people": ["single", "group", "crowd"],
    "scenery": ["city", "countryside"],
}
FIGURE = ft.Taxonomy.from_children(FIGURE_1)
#: fish has two parents, on levels 1 and 2; eel is reached by ways of length 3 and 2
GRAPH = ft.Taxonomy.from_parents(
    {"animal": "all", "food": "all", "pet": "animal", "fish": ["pet", "food"], "eel": "fish"}
)


def parents_of(pairs: Edges) -> dict[str, set[str]]:
    out: dict[str, set[str]] = {name: set() for pair in pairs for name in pair}
    for parent, child in pairs:
        out[child].add(parent)
    return out


def ancestors_of(pairs: Edges, name: str) -> set[str]:
    above = parents_of(pairs)[name]
    return {name}.union(*(ancestors_of(pairs, other) for other in above))


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


def test_a_named_root_joins_several() -> None:
    joined = ft.Taxonomy.from_children({"a": ["x"], "b": []}, root="all")
    assert joined.to_children() == {"all": ["a", "b"], "a": ["x"]}
    under_one = ft.Taxonomy.from_children({"a": ["x"], "b": []}, root="b")
    assert under_one.to_children() == {"b": ["a"], "a": ["x"]}
    assert ft.Taxonomy.from_children(FIGURE_1, root="everything") == FIGURE  # nothing to join


def test_nothing_changes_from_outside() -> None:
    for array in (FIGURE.up.of, FIGURE.up.offsets, FIGURE.level):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    for array in (FIGURE.ancestor_of, FIGURE.descendants_of, FIGURE.descendant_offsets):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    with pytest.raises(AttributeError):
        FIGURE.nodes = ()  # type: ignore[misc]


# Errors


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: {"a": ["b"], "b": ["c"], "c": ["b"]}, r"circle: (b → c → b|c → b → c);"),
        (lambda: {"a": ["a"]}, "'a' is its own parent"),
        (lambda: {"a": ["b", "b"]}, "'b' is given twice as a child of 'a'"),
        (lambda: {1: ["b"], "1": ["b"]}, "'b' is given twice as a child of '1'"),
        (lambda: {"all": ["people"], "poeple": ["x"]}, r"2 roots.*'poeple' \(nearest: 'people'\)"),
        (lambda: {str(j): [] for j in range(12)}, "12 roots.* and 2 more; .*root='all'"),
        (dict, "there are no categories in it"),
        (lambda: {"a": ["b", ""]}, "column 'child': the id is empty"),
        (lambda: {"a": [None]}, "column 'child': the id is missing"),
        (lambda: {"a": "bc"}, "parent 'a': 'bc' is not a list"),
        (lambda: {"a": {"b": ["c"]}}, "parent 'a': .* is not a list; .*from_nested takes mappings"),
        (lambda: {"a": 3}, "parent 'a': 3 is not a list"),
        (lambda: ["a"], "is not a mapping"),
    ],
)
def test_bad_children(make: Callable[[], Any], message: str) -> None:
    with pytest.raises(ft.DataError, match=message):
        ft.Taxonomy.from_children(make())


def test_other_bad_forms() -> None:
    with pytest.raises(ft.TaxonomyError, match=r"parent 'poeple' of 'crowd' is unknown \(nearest"):
        ft.Taxonomy.from_parents({"all": None, "people": "all", "crowd": "poeple"})
    with pytest.raises(ft.TaxonomyError, match="'b' is given without a parent and also as a child"):
        ft.Taxonomy.from_edges([(None, "a"), (None, "b"), ("a", "b")])
    with pytest.raises(ft.DataError, match=r"edges, row 2: .* has 3 parts"):
        ft.Taxonomy.from_edges([("a", "b"), ("a", "b", "c")])  # type: ignore[list-item]
    with pytest.raises(ft.DataError, match="row 1: 'ab' is not a pair"):
        ft.Taxonomy.from_edges(["ab"])  # type: ignore[list-item]
    with pytest.raises(ft.DataError, match="is not a mapping"):
        ft.Taxonomy.from_parents(["a"])  # type: ignore[arg-type]
    with pytest.raises(ft.DataError, match="is not a mapping"):
        ft.Taxonomy.from_nested(["a"])  # type: ignore[arg-type]
    with pytest.raises(ft.TaxonomyError, match="category 'a': 3 does not belong there"):
        ft.Taxonomy.from_nested({"a": 3})
    with pytest.raises(ft.DataError, match="frame: no column for 'child'"):
        ft.Taxonomy.from_frame(pd.DataFrame({"parent": ["a"]}))
    with pytest.raises(ft.TaxonomyError, match="frame, row 2: 'b' is given twice"):
        ft.Taxonomy.from_frame(pd.DataFrame({"parent": ["a", "a"], "child": ["b", "b"]}))
    with pytest.raises(ft.TaxonomyError, match=r"root='x' lies below 'a'; .*one of the 2 roots"):
        ft.Taxonomy.from_children({"a": ["x"], "b": []}, root="x")
    with pytest.raises(ft.DataError, match="column 'root': the id is empty"):
        ft.Taxonomy.from_children({"a": ["x"], "b": []}, root="")


def test_unknown_names() -> None:
    with pytest.raises(
        ft.TaxonomyError,
        match=r"categories, row 2, column 'category': value 'crwd' is not among the 8 .*"
        r"\(nearest: 'crowd'\) \(3 such rows, 2 names\); correct it",
    ):
        FIGURE.codes(["all", "crwd", "cat", "crwd"])
    with pytest.raises(ft.TaxonomyError, match=r"votes.csv, line 7, column 'label': value 'cat'"):
        FIGURE.codes(["cat"], where=lambda row: f"votes.csv, line {row + 7}", column="label")
    with pytest.raises(ft.TaxonomyError, match="category 'cat' is not among"):
        FIGURE.parents("cat")
    with pytest.raises(ft.OptionError, match="names='people': must be a column of names"):
        FIGURE.prune("people")
    with pytest.raises(ft.DataError, match="row 1, column 'category': the id is missing"):
        FIGURE.codes([None])
    with pytest.raises(ft.OptionError, match="path='widest'"):
        FIGURE.depth("all", path="widest")  # type: ignore[arg-type]


# Relations


def test_relations_in_a_tree() -> None:
    assert FIGURE.root == "all"
    assert FIGURE.parents("all") == ()
    assert FIGURE.parents("crowd") == ("people",)
    assert FIGURE.children("scenery") == ("city", "countryside")
    assert FIGURE.ancestors("crowd") == ("all", "people")
    assert FIGURE.ancestors("crowd", include_self=True) == ("all", "people", "crowd")
    assert FIGURE.descendants("scenery") == ("city", "countryside")
    assert FIGURE.descendants("city", include_self=True) == ("city",)
    assert FIGURE.leaves() == ("single", "group", "crowd", "city", "countryside")
    assert FIGURE.leaves("people") == ("single", "group", "crowd")
    assert FIGURE.leaves("city") == ("city",)
    assert FIGURE.depth("all") == 0
    assert FIGURE.lowest_common_ancestor("single", "crowd") == "people"
    assert FIGURE.lowest_common_ancestors("people", "crowd") == ("people",)
    assert FIGURE.distance("single", "city") == 4
    assert FIGURE.subtree("people").to_children() == {"people": ["single", "group", "crowd"]}


def test_relations_in_a_graph() -> None:
    assert GRAPH.parents("fish") == ("food", "pet")
    assert GRAPH.depth("eel") == 4
    assert GRAPH.depth("eel", path="shortest") == 3
    assert GRAPH.distance("eel", "food") == 2
    assert GRAPH.distance("eel", "animal") == 3
    assert GRAPH.subtree("food").to_children() == {"food": ["fish"], "fish": ["eel"]}
    two = ft.Taxonomy.from_children({"r": ["a", "b"], "a": ["x", "y"], "b": ["x", "y"]})
    assert two.lowest_common_ancestors("x", "y") == ("a", "b")
    assert two.lowest_common_ancestor("x", "y") == "a"
    assert two.distance("x", "y") == 2


@given(edges())
def test_relations_by_brute_force(pairs: Edges) -> None:
    tax = ft.Taxonomy.from_edges(pairs)
    above = {name: ancestors_of(pairs, name) for name in tax}
    assert set(tax.to_edges()) == set(pairs)
    assert tax.is_tree == (len(pairs) == len(tax) - 1)
    for name in tax:
        assert set(tax.parents(name)) == parents_of(pairs)[name]
        assert set(tax.ancestors(name, include_self=True)) == above[name]
        assert set(tax.descendants(name)) == {n for n in tax if name in above[n]} - {name}
        code = tax.code(name)
        start, stop = tax.ancestor_offsets[code : code + 2]
        assert tax.ancestor_of[start:stop].tolist() == sorted(tax.code(n) for n in above[name])
        start, stop = tax.descendant_offsets[code : code + 2]
        assert [tax.nodes[c] for c in tax.descendants_of[start:stop]] == list(
            tax.descendants(name, include_self=True)
        )
        part = tax.subtree(name)
        assert part.root == name
        assert set(part) == {n for n in tax if name in above[n]}
        assert set(part.to_edges()) == {(p, c) for p, c in pairs if p in part and c in part}


@given(edges())
def test_lowest_common_ancestors_by_brute_force(pairs: Edges) -> None:
    tax = ft.Taxonomy.from_edges(pairs)
    above = {name: ancestors_of(pairs, name) for name in tax}
    names = tax.nodes[-4:]
    for a in names:
        for b in names:
            common = above[a] & above[b]
            lowest = {c for c in common if not any(c in above[o] - {o} for o in common)}
            assert set(tax.lowest_common_ancestors(a, b)) == lowest
            deepest = tax.lowest_common_ancestor(a, b)
            assert deepest in lowest
            assert tax.depth(deepest) == max(tax.depth(c) for c in common)


@pytest.mark.parametrize(("seed", "more"), [(0, 0.0), (1, 0.0), (2, 0.3), (3, 1.5)])
def test_against_networkx(seed: int, more: float) -> None:
    nx = pytest.importorskip("networkx")
    rng = np.random.default_rng(seed)
    graph = nx.DiGraph(random_edges(rng, 60, more))
    tax = ft.Taxonomy.from_networkx(graph)
    assert ft.Taxonomy.from_networkx(graph.reverse(), reverse=True) == ft.Taxonomy.from_edges(
        (a, b) for b, a in graph.reverse().edges()
    )
    back = tax.to_networkx()
    assert set(back.edges) == set(graph.edges)
    assert list(back.nodes) == list(tax.nodes)
    shortest = nx.shortest_path_length(graph, tax.root)
    for name in tax:
        assert set(tax.ancestors(name)) == nx.ancestors(graph, name)
        assert set(tax.descendants(name)) == nx.descendants(graph, name)
        assert tax.depth(name, path="shortest") == shortest[name]
        ways = nx.subgraph(graph, tax.ancestors(name, include_self=True))
        assert tax.depth(name) == nx.dag_longest_path_length(ways)
    down = dict(nx.all_pairs_shortest_path_length(graph))
    distances = tax.distances()
    for a in tax.nodes[::7]:
        for b in tax.nodes[::5]:
            common = [c for c in tax if a in down[c] and b in down[c]]
            wanted = min(down[c][a] + down[c][b] for c in common)
            assert tax.distance(a, b) == wanted
            assert distances[tax.code(a), tax.code(b)] == wanted
            lowest = nx.lowest_common_ancestor(graph, a, b)
            assert lowest in tax.lowest_common_ancestors(a, b)
            if tax.is_tree:
                assert tax.lowest_common_ancestor(a, b) == lowest
                assert wanted == nx.shortest_path_length(graph.to_undirected(as_view=True), a, b)


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


# Pruning


def test_prune_reattaches_or_drops() -> None:
    assert FIGURE.prune(["people"]).to_children() == {
        "all": ["scenery", "single", "group", "crowd"],
        "scenery": ["city", "countryside"],
    }
    assert FIGURE.prune(["people"], children="drop") == FIGURE.prune(
        ["people", "single", "group", "crowd"]
    )
    assert FIGURE.prune(max_depth=1).nodes == ("all", "people", "scenery")
    sizes = FIGURE.totals({"people": 2, "crowd": 1, "city": 2})
    assert FIGURE.prune(weights=sizes, min_weight=1).nodes == (
        *("all", "people", "scenery", "crowd", "city"),
    )
    assert FIGURE.prune() == FIGURE


def test_prune_in_a_graph() -> None:
    assert GRAPH.prune(["fish"]).parents("eel") == ("food", "pet")
    assert GRAPH.prune(["fish"], children="drop").nodes == ("all", "animal", "food", "pet")
    assert GRAPH.prune(["pet"]).parents("fish") == ("animal", "food")
    assert GRAPH.prune(["animal", "pet"]).parents("fish") == ("all", "food")
    # fish hangs on food too, so that dropping what hangs on animal leaves it
    assert GRAPH.prune(["animal"], children="drop").nodes == ("all", "food", "fish", "eel")


def test_prune_errors() -> None:
    with pytest.raises(ft.TaxonomyError, match="the root 'all' would be removed"):
        FIGURE.prune(["all"])
    with pytest.raises(ft.TaxonomyError, match="the root"):
        FIGURE.prune(weights=dict.fromkeys(FIGURE, 1), min_weight=2)
    with pytest.raises(ft.TaxonomyError, match=r"names, row 1.*'cat' is not among"):
        FIGURE.prune(["cat"])
    with pytest.raises(ft.OptionError, match="one is given without the other"):
        FIGURE.prune(min_weight=2)
    with pytest.raises(ft.OptionError, match="children='keep'"):
        FIGURE.prune(["people"], children="keep")  # type: ignore[arg-type]


@given(edges())
def test_pruned_ancestors_are_those_kept(pairs: Edges) -> None:
    tax = ft.Taxonomy.from_edges(pairs)
    gone = set(tax.nodes[1::3])
    pruned = tax.prune(gone)
    assert set(pruned) == set(tax) - gone
    for name in pruned:
        assert set(pruned.ancestors(name)) == set(tax.ancestors(name)) - gone
    dropped = tax.prune(gone, children="drop")
    reached = {tax.root}
    for name in tax.nodes[1:]:
        if name not in gone and reached & set(tax.parents(name)):
            reached.add(name)
    assert set(dropped) == reached
    assert set(dropped.to_edges()) == {(p, c) for p, c in pairs if {p, c} <= reached}


# Text


def test_text() -> None:
    assert GRAPH.to_text({"all": 1, "fish": 0.12345}, labels={"eel": "Eel"}).splitlines() == [
        "all                  1",
        "├── animal",
        "│   └── pet",
        "│       └── fish     0.123",
        "│           └── Eel",
        "└── food",
        "    └── fish         0.123  (above)",
    ]
    assert FIGURE.to_text(np.arange(8), number=".1f").splitlines()[-1].endswith("  7.0")


def test_values_must_fit() -> None:
    with pytest.raises(ft.TaxonomyError, match=r"values, row 1.*'cat' is not among"):
        FIGURE.to_text({"cat": 1})
    with pytest.raises(ft.DataError, match=r"values of shape \(3,\): must be \(8,\)"):
        FIGURE.to_text([1, 2, 3])
    with pytest.raises(ft.DataError, match="values"):
        FIGURE.to_text({"all": float("nan")})
    assert FIGURE.to_text(pd.Series({"all": 1.0})).startswith("all ")
