"""Removal of categories."""

from __future__ import annotations

import pytest
from hypothesis import given
from support.random_graphs import Edges, edges
from support.small_taxonomies import FIGURE, GRAPH

import fuzzytruth as ft


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
