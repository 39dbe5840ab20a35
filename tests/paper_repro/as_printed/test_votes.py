"""Santini's (6) to (8) as printed."""

from __future__ import annotations

from collections import Counter

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
    for category, n in Counter(FIGURE_1).items():
        assert printed.leaf_probability(FIGURE_1, category) == 0.2
        assert n == 1 or printed.leaf_probability(FIGURE_1, category) != n / 5
    assert printed.leaf_probability(FIGURE_1, "group") == 0


def test_direct_counts_lose_the_grandchildren() -> None:
    found = {node: printed.node_probability(FIGURE_1, TREE, node) for node in TREE}
    assert found == {"all": 0.4, "people": 0.6, "scenery": 0.4}
    assert printed.node_probability(FIGURE_1, TREE, "crowd") == 0.2
    with pytest.raises(ft.DataError, match="votes="):
        printed.node_probability([], TREE, "all")
    with pytest.raises(ft.DataError, match="votes="):
        printed.leaf_probability("city", "city")
