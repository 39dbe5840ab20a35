"""Relations of nodes: in a tree, in a graph, by brute force, and as in NetworkX."""

from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from support.random_graphs import Edges, edges, random_edges
from support.small_taxonomies import FIGURE

import fuzzytruth as ft


def parents_of(pairs: Edges) -> dict[str, set[str]]:
    out: dict[str, set[str]] = {name: set() for pair in pairs for name in pair}
    for parent, child in pairs:
        out[child].add(parent)
    return out


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (
            lambda: FIGURE.codes(["all", "crwd", "cat", "crwd"]),
            r"categories, row 2, column 'category': value 'crwd' is not among the 8 .*"
            r"\(nearest: 'crowd'\) \(3 such rows, 2 names\); correct it",
        ),
        (
            lambda: FIGURE.codes(["cat"], where=lambda row: f"a.csv, line {row + 7}", column="x"),
            "a.csv, line 7, column 'x': value 'cat' is not among the 8 .* taxonomy; correct it",
        ),
        (lambda: FIGURE.parents("cat"), "category 'cat' is not among"),
        (lambda: FIGURE.parents("people; cat"), "; correct it, or add it to the taxonomy$"),
        (lambda: FIGURE.parents("people; city"), "it names 2 of them, so split it into 2 rows$"),
        (lambda: FIGURE.codes([None]), "row 1, column 'category': the id is missing"),
        (lambda: FIGURE.depth("all", path="widest"), "path='widest'"),  # type: ignore[arg-type]
        *(
            (lambda name=name: FIGURE.code(name), "^category")
            for name in (["a"], {"a"}, np.array(["a", "b"]))
        ),
    ],
)
def test_mistakes(ask: Any, message: str) -> None:
    with pytest.raises(ft.FuzzytruthError, match=message):
        ask()


@settings(max_examples=30)
@given(edges())
def test_relations_by_brute_force(pairs: Edges) -> None:
    tax, parents = ft.Taxonomy.from_edges(pairs), parents_of(pairs)
    above: dict[str, set[str]] = {}
    for name in tax:  # parents first
        above[name] = {name}.union(*(above[other] for other in parents[name]))
    assert set(tax.to_edges()) == set(pairs)
    assert tax.is_tree == (len(pairs) == len(tax) - 1)
    for name in tax:
        below = {n for n in tax if name in above[n]}
        assert set(tax.parents(name)) == parents[name]
        assert set(tax.ancestors(name, include_self=True)) == above[name]
        assert set(tax.descendants(name)) == below - {name}
        code = tax.code(name)
        start, stop = tax.ancestor_offsets[code : code + 2]
        assert tax.ancestor_of[start:stop].tolist() == sorted(tax.code(n) for n in above[name])
        start, stop = tax.descendant_offsets[code : code + 2]
        found = tuple(tax.nodes[c] for c in tax.descendants_of[start:stop])
        assert found == tax.descendants(name, include_self=True)
        part = tax.subtree(name)
        assert (part.root, set(part)) == (name, below)
        assert set(part.to_edges()) == {(p, c) for p, c in pairs if p in part and c in part}
    for a in tax.nodes[-4:]:
        for b in tax.nodes[-4:]:
            common = above[a] & above[b]
            lowest = {c for c in common if not any(c in above[o] - {o} for o in common)}
            assert set(tax.lowest_common_ancestors(a, b)) == lowest
            deepest = tax.lowest_common_ancestor(a, b)
            assert deepest in lowest
            assert tax.depth(deepest) == max(tax.depth(c) for c in common)


@pytest.mark.parametrize(("seed", "more"), [(0, 0.0), (2, 0.3), (3, 1.5)])
def test_against_networkx(seed: int, more: float) -> None:
    graph = nx.DiGraph(random_edges(np.random.default_rng(seed), 40, more))
    tax = ft.Taxonomy.from_networkx(graph)
    assert ft.Taxonomy.from_networkx(graph.reverse(), reverse=True) == ft.Taxonomy.from_edges(
        (a, b) for b, a in graph.reverse().edges()
    )
    back = tax.to_networkx()
    assert set(back.edges) == set(graph.edges)
    assert list(back.nodes) == list(tax.nodes)
    shortest = nx.shortest_path_length(graph, tax.root)
    for name in tax:
        assert tax.depth(name, path="shortest") == shortest[name]
        ways = nx.subgraph(graph, tax.ancestors(name, include_self=True))
        assert tax.depth(name) == nx.dag_longest_path_length(ways)
    down = dict(nx.all_pairs_shortest_path_length(graph))
    distances = tax.distances()
    for a in tax.nodes[::7]:
        for b in tax.nodes[::5]:
            common = [c for c in tax if a in down[c] and b in down[c]]
            wanted = min(down[c][a] + down[c][b] for c in common)
            assert tax.distance(a, b) == distances[tax.code(a), tax.code(b)] == wanted
            assert nx.lowest_common_ancestor(graph, a, b) in tax.lowest_common_ancestors(a, b)
