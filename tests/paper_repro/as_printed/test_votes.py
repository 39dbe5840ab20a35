"""Santini's (6) to (8) as printed."""

import pandas as pd
import pytest

import fuzzytruth as ft
from paper_repro import as_printed as printed

TREE = {
    "all": ["people", "scenery"],
    "people": ["single", "group", "crowd"],
    "scenery": ["city", "countryside"],
}
FIGURE_1 = ["people", "people", "crowd", "city", "city"]


def test_leaves_do_not_count_the_subjects() -> None:
    votes = pd.DataFrame({"subject": range(5), "item": "image", "category": FIGURE_1})
    assignments = ft.Assignments.from_frame(votes, taxonomy=ft.Taxonomy.from_children(TREE))
    for category, intended in {"crowd": 0.2, "city": 0.4}.items():
        assert printed.leaf_probability(FIGURE_1, category) == 0.2
        assert assignments.membership().probability("image", category) == intended
    assert printed.leaf_probability(FIGURE_1, "group") == 0


def test_direct_counts_lose_the_grandchildren() -> None:
    printed_p = {node: printed.node_probability(FIGURE_1, TREE, node) for node in TREE}
    assert printed_p == {"all": 0.4, "people": 0.6, "scenery": 0.4}
    assert printed.node_probability(FIGURE_1, TREE, "crowd") == 0.2
    with pytest.raises(ft.errors.DataError, match="votes="):
        printed.node_probability([], TREE, "all")
    with pytest.raises(ft.errors.DataError, match="votes="):
        printed.leaf_probability("city", "city")


def test_the_arrow_of_5_leads_to_parents() -> None:
    got = {n: printed.arrow_probability(FIGURE_1, TREE, n) for n in ("all", "people", "crowd")}
    assert got == {"all": 0, "people": 0.4, "crowd": 0.6}  # crowd's parent is people
    with pytest.raises(ft.errors.DataError, match="votes="):
        printed.arrow_probability([], TREE, "all")


def test_bottom_up_is_right_in_a_tree_alone() -> None:
    votes = pd.DataFrame({"subject": range(5), "item": "image", "category": FIGURE_1})
    m = ft.Assignments.from_frame(votes, taxonomy=ft.Taxonomy.from_children(TREE)).membership()
    for node in m.taxonomy:
        got = printed.bottom_up_probability(FIGURE_1, TREE, node)
        assert got == pytest.approx(m.probability("image", node), abs=1e-12)
    graph = TREE | {"crowd": ["parade"], "city": ["parade"]}
    assert printed.bottom_up_probability(["parade", "city"], graph, "all") == 1.5
    with pytest.raises(ft.errors.DataError, match="votes="):
        printed.bottom_up_probability([], TREE, "all")
