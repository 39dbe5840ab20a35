"""Taxonomies as trees of boxes and as indented lists of bars."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib.patches import FancyBboxPatch, PathPatch

import fuzzytruth as ft
from fuzzytruth import plots

CHILDREN = {
    "all": ["people", "scenery"],
    "people": ["single", "group", "crowd"],
    "scenery": ["city", "countryside"],
}
FIGURE = ft.Taxonomy.from_children(CHILDREN)


def boxes_of(ax: Any) -> list[Any]:
    return [patch for patch in ax.patches if isinstance(patch, FancyBboxPatch)]


def edges_of(ax: Any) -> list[Any]:
    return [patch for patch in ax.patches if isinstance(patch, PathPatch)]


def words_of(ax: Any) -> list[str]:
    return [text.get_text() for text in ax.texts]


def test_names_stand_over_values_and_colours_follow_them(plt: Any) -> None:
    ax = FIGURE.plot({"all": 1, "people": 0.6, "crowd": 1 / 5})
    assert words_of(ax)[:4] == ["all", "1", "people", "0.6"]
    assert {*FIGURE.nodes} <= {*words_of(ax)}
    at = {text.get_text(): text.get_position() for text in ax.texts}
    assert at["people"][0] == at["0.6"][0]
    assert at["people"][1] < at["0.6"][1]  # downwards
    assert ax.yaxis_inverted()
    assert (len(boxes_of(ax)), len(edges_of(ax))) == (8, 7)
    assert {patch.get_linestyle() for patch in edges_of(ax)} == {"solid"}
    ax = FIGURE.plot({"all": 10, "people": 0}, limits=(0, 10), cmap="cividis")
    cmap = plt.get_cmap("cividis")
    first, second, third, *_ = (box.get_facecolor() for box in boxes_of(ax))
    assert (first, second) == (cmap(1.0), cmap(0.0))
    assert third not in (cmap(0.0), cmap(1.0))
    inks = {text.get_text(): text.get_color() for text in ax.texts}
    assert (inks["all"], inks["people"], inks["scenery"]) == ("black", "white", "black")


def test_given_axes_are_used_and_text_fits(plt: Any) -> None:
    figure, (left, right) = plt.subplots(1, 2, figsize=(4, 2))
    assert FIGURE.plot(ax=right) is right
    assert not left.patches
    figure.canvas.draw()
    for box, text in zip(boxes_of(right), right.texts, strict=True):
        inside, outside = text.get_window_extent(), box.get_window_extent()
        assert outside.x0 <= inside.x0 < inside.x1 <= outside.x1
    dollars = ft.Taxonomy.from_children({"$a_$b$": ["c"]}).plot()
    dollars.figure.canvas.draw()
    assert len(dollars.texts) == 2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"cmap": "nocolours"}, "cmap='nocolours'"),
        ({"grow": "up"}, "grow='up'"),
        ({"limits": (1, 0)}, "limits"),
        ({"values": {"cat": 1}}, "values, row 1"),
        ({"kind": "list"}, "kind='list'"),
    ],
)
def test_options_that_are_wrong(plt: Any, options: Any, message: str) -> None:
    with pytest.raises(ft.FuzzytruthError, match=message):
        FIGURE.plot(**options)
    assert plt.get_fignums() == []


# Indented lists of bars.


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
    assert words_of(ax) == ["1", "0.6", "0.2", "0.4", "0"]
    assert [text.xy for text in ax.texts] == [(1, 0), (0.6, 1), (0.2, 4), (0.4, 5), (0, 6)]
    assert ax.yaxis_inverted()
    assert (ax.get_xlabel(), ax.get_title(loc="left"), ax.get_xlim()) == ("p", "$t$", (0, 1))


def test_a_node_with_two_parents_is_listed_once(plt: Any) -> None:
    graph = ft.Taxonomy.from_parents(
        {"animal": "all", "food": "all", "pet": "animal", "fish": ["pet", "food"], "$a_$": "food"}
    )
    ax = plots.tree_bars(graph, values={"fish": 0.3, "all": 1.0, "food": np.nan})
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
    ax = plots.tree_bars(wide(100), values={f"leaf{j}": j / 100 for j in range(100)})
    names = [name for _, name in rows(ax)]
    assert len(names) == 60
    assert {*names} == {"root", "g0", "g1", "g2", *(f"leaf{j}" for j in range(44, 100))}
    below = "not shown: 1 category with value 0 or none"  # leaf0
    assert ax.get_xlabel() == f"value\n{below}\nnot shown: 43 categories for lack of room"
    values = {"leaf0": 0.5, "leaf1": 0.2, "leaf2": 0.9}
    for options, shown, words in (
        ({}, ["root", "g0", "leaf0", "g1", "leaf1", "g2", "leaf2"], "97 categories with value 0"),
        ({"minimum": 0.5}, ["root", "g0", "leaf0", "g2", "leaf2"], "99 categories with less than"),
        ({"most": 3}, ["root", "g2", "leaf2"], "not shown"),
    ):
        ax = plots.tree_bars(wide(100), values=values, **options)
        assert [name for _, name in rows(ax)] == shown
        assert words in ax.get_xlabel()
    assert len(rows(plots.tree_bars(wide(100), values=values, most=500))) == 104
    ax = plots.tree_bars(wide(100))  # without values: no scale
    assert (len(rows(ax)), len(ax.patches), len(ax.get_xticks())) == (60, 0, 0)
    assert ax.get_xlabel() == "not shown: 44 categories for lack of room"
    one = plots.tree_bars(pd.DataFrame({"parent": [None], "child": ["all"]}))
    assert rows(one) == [(0, "all")]


def test_labels_and_negative_limits_and_large_taxonomies(plt: Any) -> None:
    options = {"limits": (-1, 1), "labels": {"people": "x" * 80}, "number": ".1f"}
    ax = FIGURE.plot({"people": -0.5}, kind="bars", **options)
    assert (ax.patches[0].get_x(), ax.patches[0].get_width()) == (-1, 0.5)
    assert words_of(ax) == ["-0.5"]
    ax.figure.canvas.draw()
    label = ax.get_yticklabels()[1]
    assert "…" in label.get_text()
    assert label.get_window_extent().x0 >= 0
    large = ft.Taxonomy.from_frame(wide(60))  # drawn as bars unless a tree is asked for
    assert rows(large.plot({"leaf3": 1}))[1:] == [(1, "g0"), (2, "leaf3")]
    assert len(large.plot(kind="tree").texts) == len(large.plot(grow="right").texts) == len(large)
