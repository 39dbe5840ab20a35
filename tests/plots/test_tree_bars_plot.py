"""Taxonomies as indented lists of bars."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import fuzzytruth as ft
from fuzzytruth import plots
from fuzzytruth.errors import DataError

FIGURE = ft.Taxonomy.from_children(
    {
        "all": ["people", "scenery"],
        "people": ["single", "group", "crowd"],
        "scenery": ["city", "countryside"],
    }
)
GRAPH = ft.Taxonomy.from_parents(
    {"animal": "all", "food": "all", "pet": "animal", "fish": ["pet", "food"], "$a_$": "food"}
)


def rows(ax: Any) -> list[tuple[int, str]]:
    """Depth and name of each row, from top to bottom."""
    texts = [label.get_text() for label in ax.get_yticklabels()]
    return [(len(text) - len(text.lstrip("\u2003")), text.lstrip("\u2003")) for text in texts]


def bars(ax: Any) -> dict[str, float]:
    """Length of the bar in each row."""
    names = [name for _, name in rows(ax)]
    return {
        names[round(bar.get_y() + bar.get_height() / 2)]: float(bar.get_width())
        for bar in ax.patches
    }


def test_a_row_for_each_node_below_its_parent(plt: Any) -> None:
    values = {"all": 1, "people": 0.6, "scenery": 0.4, "crowd": 0.2, "city": 0}
    _, ax = plt.subplots()
    given = {"values": values, "xlabel": "p", "title": "$t$"}
    assert plots.tree_bars(FIGURE.to_frame(), ax, **given) is ax
    assert rows(ax) == [
        *((0, "all"), (1, "people"), (2, "single"), (2, "group"), (2, "crowd")),
        *((1, "scenery"), (2, "city"), (2, "countryside")),
    ]
    assert bars(ax) == values
    assert [text.get_text() for text in ax.texts] == ["1", "0.6", "0.2", "0.4", "0"]
    assert [text.xy for text in ax.texts] == [(1, 0), (0.6, 1), (0.2, 4), (0.4, 5), (0, 6)]
    assert ax.yaxis_inverted()
    assert (ax.get_xlabel(), ax.get_title(loc="left"), ax.get_xlim()) == ("p", "$t$", (0, 1))


def test_a_node_with_two_parents_is_listed_once(plt: Any) -> None:
    ax = plots.tree_bars(GRAPH, values={"fish": 0.3, "all": 1.0, "food": np.nan})
    assert rows(ax) == [
        *((0, "all"), (1, "animal"), (2, "pet"), (3, "fish †"), (1, "food"), (2, "$a_$")),
    ]
    assert bars(ax) == {"all": 1.0, "fish †": 0.3}
    assert ax.get_xlabel().endswith("† has further parents, below which it is not listed again")
    ax.figure.canvas.draw()
    assert min(label.get_window_extent().x0 for label in ax.get_yticklabels()) >= 0


def wide(n: int) -> pd.DataFrame:
    children = [("root", f"g{j}") for j in range(3)]
    children += [(f"g{j % 3}", f"leaf{j}") for j in range(n)]
    return pd.DataFrame(children, columns=["parent", "child"])


def test_of_a_large_tree_the_largest_values_and_all_above_them(plt: Any) -> None:
    values = {f"leaf{j}": j / 100 for j in range(100)}
    ax = plots.tree_bars(wide(100), values=values)
    names = {name for _, name in rows(ax)}
    assert len(names) == 60
    assert names == {"root", "g0", "g1", "g2", *(f"leaf{j}" for j in range(44, 100))}
    below = "not shown: 1 category with value 0 or none"  # leaf0
    assert ax.get_xlabel() == f"value\n{below}\nnot shown: 43 categories for lack of room"


def test_nodes_below_a_minimum_are_counted(plt: Any) -> None:
    values = {"leaf0": 0.5, "leaf1": 0.2, "leaf2": 0.9}
    ax = plots.tree_bars(wide(100), values=values)
    assert {name for _, name in rows(ax)} == {"root", "g0", "g1", "g2", *values}
    assert "97 categories with value 0 or none" in ax.get_xlabel()
    high = plots.tree_bars(wide(100), values=values, minimum=0.5)
    assert [name for _, name in rows(high)] == ["root", "g0", "leaf0", "g2", "leaf2"]
    assert "not shown: 99 categories with less than 0.5" in high.get_xlabel()
    few = plots.tree_bars(wide(100), values=values, most=3)
    assert [name for _, name in rows(few)] == ["root", "g2", "leaf2"]
    assert len(rows(plots.tree_bars(wide(100), values=values, most=500))) == 104


def test_without_values_the_list_has_no_scale(plt: Any) -> None:
    ax = plots.tree_bars(wide(100))
    assert len(rows(ax)) == 60
    assert not ax.patches
    assert not len(ax.get_xticks())
    assert ax.get_xlabel() == "not shown: 44 categories for lack of room"
    one = plots.tree_bars(pd.DataFrame({"parent": [None], "child": ["all"]}))
    assert rows(one) == [(0, "all")]


def test_labels_and_negative_limits(plt: Any) -> None:
    ax = FIGURE.plot(
        {"people": -0.5}, kind="bars", limits=(-1, 1), labels={"people": "x" * 80}, number=".1f"
    )
    assert ax.patches[0].get_x() == -1
    assert ax.patches[0].get_width() == 0.5
    assert ax.texts[0].get_text() == "-0.5"
    ax.figure.canvas.draw()
    label = ax.get_yticklabels()[1]
    assert "…" in label.get_text()
    assert label.get_window_extent().x0 >= 0


def test_large_taxonomies_are_drawn_as_bars(plt: Any) -> None:
    large = ft.Taxonomy.from_frame(wide(60))
    assert rows(large.plot({"leaf3": 1}))[1:] == [(1, "g0"), (2, "leaf3")]
    assert len(large.plot(kind="tree").texts) == len(large)
    assert len(large.plot(grow="right").texts) == len(large)
    assert len(FIGURE.plot().texts) == len(FIGURE)
    with pytest.raises(ft.OptionError, match="kind='list'"):
        large.plot(kind="list")  # type: ignore[arg-type]


def test_memberships_of_an_item(plt: Any) -> None:
    votes = ft.Assignments.from_columns(
        list("stu"), ["i"] * 3, ["single", "crowd", "city"], taxonomy=FIGURE
    )
    membership = votes.membership()
    found = membership.of_item("i")
    assert bars(membership.plot("i", kind="bars")) == pytest.approx(found)
    assert bars(plots.tree_bars(membership, item="i")) == pytest.approx(found)
    boxes = membership.plot("i")
    words = [text.get_text() for text in boxes.texts]
    assert words[words.index("people") + 1] == "0.67"
    assert boxes.get_title(loc="left") == "p(category | item i), shares of 3 votes"
    same = plots.tree(membership, item="i")
    assert [text.get_text() for text in same.texts] == words
    with pytest.raises(DataError, match="nobody voted on item 'j'"):
        membership.plot("j")


def test_categories_nobody_was_asked_about_have_no_value(plt: Any) -> None:
    tax = ft.Taxonomy.from_children({"all": ["a", "b"]})
    asked = {"subject": ["s", "t"], "item": ["i", "i"], "category": ["a", "a"]}
    votes = ft.Assignments.from_frame(
        pd.DataFrame(asked).iloc[:1], taxonomy=tax, asked=pd.DataFrame(asked)
    )
    drawn = bars(votes.membership().plot("i", kind="bars"))
    assert drawn == {"all": 0.5, "a": 0.5}


def test_what_cannot_be_drawn(plt: Any) -> None:
    edges = FIGURE.to_frame()
    for wrong, message in (
        ({"most": 0}, "most=0"),
        ({"minimum": "x"}, "minimum='x'"),
        ({"limits": (1, 0)}, "limits"),
    ):
        with pytest.raises(ft.OptionError, match=message):
            plots.tree_bars(edges, **wrong)
    for draw in (plots.tree, plots.tree_bars):
        with pytest.raises(DataError, match="values=3: must be a mapping"):
            draw(edges, values=3)
    with pytest.raises(DataError, match="edges: no column 'child'"):
        plots.tree_bars(edges[["parent"]])
    with pytest.raises(DataError, match="edges: they have 2 roots"):
        plots.tree_bars(pd.DataFrame({"parent": ["a", "b"], "child": ["x", "y"]}))
    assert plt.get_fignums() == []
