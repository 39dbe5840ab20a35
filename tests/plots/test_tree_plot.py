"""Pictures of trees, on frames and through `Taxonomy.plot`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.random_graphs import random_edges

import fuzzytruth as ft
from fuzzytruth import plots
from fuzzytruth.errors import DataError

FIGURE = ft.Taxonomy.from_nested(
    {
        "all": {
            "people": ["single", "group", "crowd"],
            "scenery": ["city", "countryside"],
        }
    }
)


def boxes_of(ax: Any) -> list[Any]:
    from matplotlib.patches import FancyBboxPatch

    return [patch for patch in ax.patches if isinstance(patch, FancyBboxPatch)]


def lines_of(ax: Any) -> list[Any]:
    from matplotlib.patches import PathPatch

    return [patch for patch in ax.patches if isinstance(patch, PathPatch)]


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


def test_given_axes_are_used_and_text_fits(plt: Any) -> None:
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


def test_a_frame_gives_the_picture_of_its_taxonomy(plt: Any) -> None:
    """Rows in any order that keeps siblings in order; the same artists."""
    tax = ft.Taxonomy.from_edges(random_edges(np.random.default_rng(5), 30, 0.3))
    values = {name: j / 30 for j, name in enumerate(tax)}
    first, second = tax.plot(values), plots.tree(tax.to_frame(), values=values)
    for one, other in zip(first.patches, second.patches, strict=True):
        np.testing.assert_array_equal(one.get_path().vertices, other.get_path().vertices)
        assert one.get_facecolor() == other.get_facecolor()
        assert one.get_linestyle() == other.get_linestyle()
    assert [(t.get_text(), t.get_position()) for t in first.texts] == [
        (t.get_text(), t.get_position()) for t in second.texts
    ]


def test_one_node(plt: Any) -> None:
    ax = plots.tree(pd.DataFrame({"parent": [None], "child": ["all"]}))
    assert [text.get_text() for text in ax.texts] == ["all"]
    assert not lines_of(ax)
    assert len(ft.Taxonomy.from_children({"all": []}).plot().texts) == 1


def test_bad_frames(plt: Any) -> None:
    with pytest.raises(DataError, match="edges: no column 'child'"):
        plots.tree(pd.DataFrame({"parent": ["a"]}))
    with pytest.raises(DataError, match="edges: they have 2 roots"):
        plots.tree(pd.DataFrame({"parent": ["a", "b"], "child": ["x", "y"]}))
    with pytest.raises(DataError, match="edges: they have a cycle"):
        plots.tree(pd.DataFrame({"parent": ["r", "a", "b"], "child": ["a", "b", "a"]}))
    assert plt.get_fignums() == []
