"""What is printed of a taxonomy."""

from __future__ import annotations

import fuzzytruth as ft


def test_small_ones_are_drawn_whole() -> None:
    tree = ft.Taxonomy.from_nested({"all": {"people": ["one", "crowd"], "city": {}}})
    lines = tree._answer().text(80).split("\n")
    assert lines[0] == "Taxonomy of 5 categories, tree of depth 2, root 'all'"
    assert [line.rsplit(maxsplit=1) for line in lines[4:9]] == [
        ["all", "4"],
        ["· people", "2"],
        ["· · one", "0"],
        ["· · crowd", "0"],
        ["· city", "0"],
    ]
    assert "not shown" not in str(tree)


def test_of_large_ones_the_upper_levels() -> None:
    edges = [("all", f"p{j}") for j in range(10)]
    edges += [(f"p{j}", f"c{j}.{k}") for j in range(10) for k in range(9)]
    text = str(ft.Taxonomy.from_edges(edges))
    assert "· p9          9" in text
    assert "· · " not in text
    assert "90 categories not shown: .to_text(), .subtree(name)" in text
    broad = str(ft.Taxonomy.flat(range(100)))
    assert broad.count("\n· ") == 24
    assert "76 categories not shown" in broad


def test_several_parents() -> None:
    graph = ft.Taxonomy.from_parents({"wet": "all", "live": "all", "fish": ["wet", "live"]})
    assert str(graph).count("fish (above)") == 1
