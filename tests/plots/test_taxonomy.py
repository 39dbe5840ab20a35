from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from support.random_graphs import Edges, edges, random_edges

import fuzzytruth as ft
from fuzzytruth.plots.tree_layout import holders, places, ways_through

FIGURE = ft.Taxonomy.from_nested(
    {
        "all": {
            "people": ["single", "group", "crowd"],
            "scenery": ["city", "countryside"],
        }
    }
)


@pytest.fixture
def plt() -> Iterator[Any]:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    plt.close("all")  # what other tests left open
    yield plt
    plt.close("all")


def boxes_of(ax: Any) -> list[Any]:
    from matplotlib.patches import FancyBboxPatch

    return [patch for patch in ax.patches if isinstance(patch, FancyBboxPatch)]


def lines_of(ax: Any) -> list[Any]:
    from matplotlib.patches import PathPatch

    return [patch for patch in ax.patches if isinstance(patch, PathPatch)]


# Layout


@given(edges())
def test_boxes_of_a_level_keep_apart(pairs: Edges) -> None:
    tax = ft.Taxonomy.from_edges(pairs)
    breadth = np.random.default_rng(len(pairs)).uniform(1, 50, len(tax))
    holder = holders(tax)
    middle = places(holder, breadth, 3.0)
    assert (middle - breadth / 2).min() == pytest.approx(0)
    for level in range(int(tax.level[-1]) + 1):
        nodes = np.flatnonzero(tax.level == level)
        nodes = nodes[np.argsort(middle[nodes])]
        ends, starts = (middle[nodes] + side * breadth[nodes] / 2 for side in (1, -1))
        assert (starts[1:] - ends[:-1] >= 3 - 1e-9).all()
    for node in range(len(tax)):
        under = np.flatnonzero(holder == node)
        if len(under):
            assert middle[node] == pytest.approx((middle[under[0]] + middle[under[-1]]) / 2)


def test_every_node_hangs_on_a_parent_one_level_up() -> None:
    tax = ft.Taxonomy.from_edges(random_edges(np.random.default_rng(0), 40, 1.0))
    holder = holders(tax)
    assert holder[0] == -1
    for node in range(1, len(tax)):
        assert tax.level[holder[node]] == tax.level[node] - 1
        assert tax.nodes[holder[node]] in tax.parents(tax.nodes[node])


def test_lines_pass_between_boxes() -> None:
    middle, breadth = np.array([10.0, 4.0, 16.0, 10.0]), np.array([4.0, 8.0, 8.0, 4.0])
    level = np.array([0, 1, 1, 2])
    assert ways_through(middle, breadth, level, (0, 3), 2.0) == [10.0]
    assert ways_through(middle - [20, 0, 0, 20], breadth, level, (0, 3), 2.0) == [-10.0]
    assert ways_through(middle - [-8, 0, 0, -8], breadth, level, (0, 3), 2.0) == [22.0]
    assert ways_through(middle, breadth, level, (0, 1), 2.0) == []


# Pictures


def test_names_stand_over_values(plt: Any) -> None:
    ax = FIGURE.plot({"all": 1, "people": 0.6, "crowd": 1 / 5})
    texts = [(text.get_text(), text.get_position()) for text in ax.texts]
    words = [text for text, _ in texts]
    assert words[:4] == ["all", "1", "people", "0.6"]
    assert set(FIGURE.nodes) <= set(words)
    at = dict(texts)
    assert at["people"][0] == at["0.6"][0]
    assert at["people"][1] < at["0.6"][1]  # downwards
    assert ax.yaxis_inverted()
    assert len(boxes_of(ax)) == 8
    assert len(lines_of(ax)) == 7
    assert {patch.get_linestyle() for patch in lines_of(ax)} == {"solid"}
    assert len(plt.get_fignums()) == 1


def test_colours_follow_values(plt: Any) -> None:
    ax = FIGURE.plot({"all": 10, "people": 0}, limits=(0, 10), cmap="cividis")
    cmap = plt.get_cmap("cividis")
    first, second, third, *_ = boxes_of(ax)
    assert first.get_facecolor() == cmap(1.0)
    assert second.get_facecolor() == cmap(0.0)
    assert third.get_facecolor() not in (cmap(0.0), cmap(1.0))
    inks = {text.get_text(): text.get_color() for text in ax.texts}
    assert (inks["all"], inks["people"], inks["scenery"]) == ("black", "white", "black")


def test_draws_where_it_is_told_and_text_fits(plt: Any) -> None:
    figure, (left, right) = plt.subplots(1, 2, figsize=(4, 2))
    assert FIGURE.plot(ax=right) is right
    assert not left.patches
    figure.canvas.draw()
    for box, text in zip(boxes_of(right), right.texts, strict=True):
        inside = text.get_window_extent()
        outside = box.get_window_extent()
        assert outside.x0 <= inside.x0
        assert inside.x1 <= outside.x1


@pytest.mark.parametrize("grow", ["down", "right"])
@pytest.mark.parametrize("seed", range(3))
def test_texts_do_not_overlap(plt: Any, grow: Any, seed: int) -> None:
    tax = ft.Taxonomy.from_edges(random_edges(np.random.default_rng(seed), 45, 0.2))
    labels = {name: f"{name} " + "long words " * (j % 4) for j, name in enumerate(tax)}
    ax = tax.plot(np.linspace(0, 1, len(tax)), labels=labels, grow=grow)
    ax.figure.canvas.draw()
    extents = [patch.get_window_extent() for patch in boxes_of(ax)]
    for j, box in enumerate(extents):
        assert not any(box.overlaps(other) for other in extents[j + 1 :])
    dashed = [p for p in lines_of(ax) if p.get_linestyle() != "solid"]
    assert len(dashed) == len(tax.to_edges()) - len(tax) + 1


def test_wide_trees_grow_to_the_right(plt: Any) -> None:
    wide = ft.Taxonomy.from_children({"r": range(15)})
    xs = {round(text.get_position()[0], 6) for text in wide.plot().texts}
    assert len(xs) == 2
    ys = {round(text.get_position()[1], 6) for text in wide.plot(grow="down").texts}
    assert len(ys) == 2


def test_dollars_are_dollars(plt: Any) -> None:
    ax = ft.Taxonomy.from_children({"$a_$b$": ["c"]}).plot()
    ax.figure.canvas.draw()
    assert len(ax.texts) == 2


def test_errors_of_pictures(plt: Any) -> None:
    with pytest.raises(ft.OptionError, match="cmap='nocolours'"):
        FIGURE.plot(cmap="nocolours")
    with pytest.raises(ft.OptionError, match="grow='up'"):
        FIGURE.plot(grow="up")  # type: ignore[arg-type]
    with pytest.raises(ft.OptionError, match="limits"):
        FIGURE.plot(limits=(1, 0))
    with pytest.raises(ft.TaxonomyError, match="values, row 1"):
        FIGURE.plot({"cat": 1})
    assert plt.get_fignums() == []


def test_without_matplotlib(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ft.FuzzytruthError, match=r"pip install 'fuzzytruth\[plots\]'"):
        FIGURE.plot()
