"""Relations of nodes: in a tree, in a graph, by brute force, and as in NetworkX."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from support.random_graphs import Edges, edges, random_edges
from support.small_taxonomies import FIGURE, GRAPH

import fuzzytruth as ft


def parents_of(pairs: Edges) -> dict[str, set[str]]:
    out: dict[str, set[str]] = {name: set() for pair in pairs for name in pair}
    for parent, child in pairs:
        out[child].add(parent)
    return out


def ancestors_of(pairs: Edges, name: str) -> set[str]:
    above = parents_of(pairs)[name]
    return {name}.union(*(ancestors_of(pairs, other) for other in above))


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


@pytest.mark.parametrize("name", [["a"], {"a"}, np.array(["a", "b"])])
def test_what_is_no_name_is_unknown(name: Any) -> None:
    tree = ft.Taxonomy.from_children({"all": ["a", "b"]})
    with pytest.raises(ft.TaxonomyError, match=r"^category"):
        tree.code(name)
