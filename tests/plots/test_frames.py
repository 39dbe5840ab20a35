"""What figures take: frames with their columns, and results; and what they say otherwise."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.drawn import title_of
from support.results import MAKE

import fuzzytruth as ft
from fuzzytruth import plots
from fuzzytruth.errors import DataError, OptionError
from fuzzytruth.plots.frames import PlotData

NAN = float("nan")
PAIR = {"system_a": ["a"], "system_b": ["b"], "difference": [0.5], "significant": [True]}
#: figure -> columns that it can draw
VALID: dict[str, dict[str, Any]] = {
    "agreement_matrix": {"subject_a": ["a"], "subject_b": ["b"], "value": [0.5]},
    "by_rank": {"rank": [1], "mean": [0.5], "level": [0.5], "lower": [0.25], "upper": [0.75]},
    "curves": {"system": ["x"], "rank": [1], "value": [0.5]},
    "displaced_items": {},
    "displacement": {"subject": ["ann"], "optimist": [0.5], "pessimist": [1.0]},
    "distribution": {"value": [0.0, 1.0], "probability": [0.5, 0.5]},
    "forest": PAIR | {"measure": "AP", "lower": [0.25], "upper": [0.75]},
    "means": {"measure": "AP", "system": ["a"], "mean": [0.5], "lower": [0.25], "upper": [0.75]},
    "pairwise_matrix": PAIR | {"measure": "AP"},
    "planning": {"queries": [1], "subjects": [1], "value": [1.0]},
    "precision_recall": {"recall": [0.5], "precision": [0.5], "probability": [1.0]},
    "rank_probabilities": {"measure": "AP", "system": ["a"], "rank": [1], "share": [1.0]},
    "reliability_curve": {
        "predicted": [0.5],
        "observed": [0.5],
        "lower": [0.25],
        "upper": [0.75],
        "n_votes": [9],
    },
    "strong_truth": {"query": ["q"], "strong": [1.0], "mean": [0.5], "lower": [0], "upper": [1.0]},
    "subject_strip": PAIR | {"measure": "AP", "subject": ["ann"], "lower": [0.25], "upper": [0.75]},
    "tiers": {"measure": "AP", "system": ["a"], "mean": [0.5], "tier": [1]},
    "tree": {"parent": ["a"], "child": ["b"]},
    "tree_bars": {"parent": ["a"], "child": ["b"]},
    "two_schemes": {"system": ["x"], "subject": ["ann"], "value": [0.5]},
    "variance_components": {
        "component": ["q"],
        "of": ["x"],
        "share": [0.5],
        "lower": [0.25],
        "upper": [0.75],
    },
    "waterfall": {"query": ["a"], "difference": [0.5]},
}
NO_PAIRS = pd.DataFrame({"system_a": ["a"], "system_b": ["b"]})
CURVE = {"recall": [0.5], "precision": [0.5], "precision_lower": [0.25], "precision_upper": [1.0]}
MANY = pd.DataFrame({"subject_a": "x", "subject_b": [f"s{j}" for j in range(200)], "value": 1})
#: figure, changed columns (None: dropped), options, and what is said
MISTAKES: list[tuple[str, dict[str, Any], dict[str, Any], str]] = [
    ("agreement_matrix", {"value": NAN}, {}, "value is NaN in every row"),
    ("by_rank", {"level": None}, {}, "no column 'level'"),
    ("by_rank", {"lower": NAN}, {}, "is NaN in every row"),
    ("by_rank", {}, {"line": "mode"}, "line='mode'"),
    ("curves", {"rank": None}, {}, "no column 'rank'"),
    ("curves", {"value": NAN}, {}, "value is NaN in every row"),
    ("curves", {}, {"highlight": "z"}, "highlight: system 'z' is not among"),
    ("displacement", {"pessimist": None}, {}, "no column 'pessimist'"),
    ("displacement", {"pessimist": NAN}, {}, "optimist or pessimist is NaN in every row"),
    ("displacement", {}, {"n_subjects": 0}, "n_subjects=0"),
    ("distribution", {"probability": None}, {}, "no column 'probability'"),
    ("distribution", {"value": [NAN, 1]}, {}, r"value\[0\] = nan: must be finite"),
    ("distribution", {"probability": "a"}, {}, r"probability=\['a', 'a'\]: must be numbers"),
    ("distribution", {"system": None}, {"kind": "pdf"}, "kind='pdf'"),
    ("forest", {"significant": None}, {}, "no column 'significant'"),
    ("forest", {"difference": NAN}, {}, "difference of AP is NaN in every row"),
    ("forest", {}, {"measure": "AP@5"}, "measure 'AP@5' is not in the frame; it has 'AP'"),
    ("forest", {}, {"n_rows": 0}, "n_rows=0: must be"),
    ("forest", {}, {"order": "p"}, "order='p': must be"),
    ("forest", {}, {"subjects": NO_PAIRS[["system_b"]]}, "subjects: no column 'system_a'"),
    ("means", {"lower": None}, {}, "no column 'lower'"),
    ("means", {"mean": NAN}, {}, "mean of AP is NaN in every row"),
    ("means", {}, {"measure": ["AP", "x"]}, "measure 'x' is not in the frame"),
    ("means", {}, {"measure": []}, "name at least one"),
    ("means", {}, {"measure": 3}, "measure=3: must be a name, or several"),
    ("pairwise_matrix", {"difference": None}, {}, "no column 'difference'"),
    ("pairwise_matrix", {"difference": NAN}, {}, "difference of AP is NaN in every row"),
    ("pairwise_matrix", {}, {"measure": "RR"}, "measure 'RR'"),
    ("planning", {"value": np.inf}, {}, "no half_width is finite"),
    ("planning", {}, {"quantity": "cost"}, "quantity='cost'"),
    ("planning", {}, {"subjects": [3]}, r"subjects=\[3\]: those with values are 1"),
    ("precision_recall", {"recall": None}, {}, "points: no column 'recall'"),
    (
        "precision_recall",
        {},
        {"curves": pd.DataFrame(CURVE).drop(columns="precision_lower")},
        "curves: no column 'precision_lower'",
    ),
    (
        "precision_recall",
        {},
        {"curves": pd.DataFrame(CURVE).assign(category="u")},
        "curves: no column 'share'",
    ),
    ("precision_recall", {}, {"curves": pd.DataFrame(CURVE), "level": 95}, "level=95"),
    ("rank_probabilities", {"share": None}, {}, "no column 'share'"),
    ("rank_probabilities", {"share": NAN}, {}, "share of AP is NaN in every row"),
    ("rank_probabilities", {}, {"systems": NO_PAIRS}, "systems: no column 'system'"),
    ("reliability_curve", {"n_votes": None}, {}, "no column 'n_votes'"),
    ("reliability_curve", {"observed": NAN}, {}, "predicted or observed is NaN in every row"),
    ("strong_truth", {"strong": None}, {}, "no column 'strong'"),
    ("subject_strip", {"significant": None}, {}, "no column 'significant'"),
    ("subject_strip", {"difference": NAN}, {}, "difference is NaN in every row"),
    ("subject_strip", {}, {"measure": "P"}, "measure 'P' is not in the frame; it has 'AP'"),
    ("subject_strip", {}, {"n_pairs": 0}, "n_pairs=0"),
    ("tiers", {}, {}, "pairs: give the comparisons"),
    ("tiers", {}, {"pairs": NO_PAIRS}, "pairs: no column 'significant'"),
    ("tiers", {"mean": NAN}, {"pairs": pd.DataFrame(PAIR)}, "mean of AP is NaN in every row"),
    ("tree", {"child": None}, {}, "edges: no column 'child'"),
    ("tree", {"parent": ["a", "b"], "child": ["x", "y"]}, {}, "edges: they have 2 roots"),
    ("tree", {"parent": [*"rab"], "child": [*"aba"]}, {}, "edges: they have a cycle"),
    ("tree", {}, {"values": 3}, "values=3: must be a mapping"),
    ("tree_bars", {"child": None}, {}, "edges: no column 'child'"),
    ("tree_bars", {"parent": ["a", "b"], "child": ["x", "y"]}, {}, "edges: they have 2 roots"),
    ("tree_bars", {}, {"values": 3}, "values=3: must be a mapping"),
    ("tree_bars", {}, {"most": 0}, "most=0"),
    ("tree_bars", {}, {"minimum": "x"}, "minimum='x'"),
    ("tree_bars", {}, {"limits": (1, 0)}, "limits"),
    ("two_schemes", {"value": None}, {}, "no column 'value'"),
    ("two_schemes", {"value": NAN}, {}, "value is NaN in every row"),
    ("variance_components", {"of": None}, {}, "no column 'of'"),
    ("variance_components", {"share": NAN}, {}, "share is NaN in every row"),
    ("waterfall", {"difference": NAN}, {}, "difference is NaN in every row"),
]


@pytest.mark.parametrize(("figure", "changed", "options", "message"), MISTAKES)
def test_mistakes(plt: Any, figure: str, changed: Any, options: Any, message: str) -> None:
    columns = {
        name: column for name, column in (VALID[figure] | changed).items() if column is not None
    }
    with pytest.raises(ft.FuzzytruthError, match=message) as error:
        getattr(plots, figure)(pd.DataFrame(columns), **options)
    assert "\n" not in str(error.value)
    assert plt.get_fignums() == [] or "subjects" in options  # which are drawn last


@pytest.mark.parametrize("figure", plots.__all__)
def test_things_that_are_no_frame_and_frames_without_rows(plt: Any, figure: str) -> None:
    draw = getattr(plots, figure)
    with pytest.raises(DataError, match=r"draws a DataFrame|must be a DataFrame"):
        draw([1])
    if figure not in ("displaced_items", "tree", "tree_bars"):
        with pytest.raises(DataError, match="has no rows"):
            draw(pd.DataFrame(VALID[figure]).iloc[:0])
    assert plt.get_fignums() == []


def test_too_many_subjects_and_measures_for_a_figure(plt: Any) -> None:
    with pytest.raises(DataError, match="201 subjects"):
        plots.agreement_matrix(MANY)
    frame = pd.DataFrame(VALID["means"])
    both = pd.concat([frame, frame.assign(measure="RR")])
    with pytest.raises(OptionError, match="one measure at a time"):
        plots.means(both, measure=["AP", "RR"], subjects=frame)
    scores = MAKE["Scores"]()
    crisp = scores.select(measures=scores.measures[0])
    for options, message in (
        ({"measure": "x"}, "measure 'x' is not among these scores"),
        ({"measure": []}, "name at least one"),
        ({"by": "query"}, "by='query': must be"),
    ):
        with pytest.raises(OptionError, match=message):
            crisp.plot(**options)


LONG = "What is drawn here, of which systems and people, over how many queries, and how sure it is"
COLUMN = 3.3  # inches


def data_of(figure: str) -> tuple[pd.DataFrame, dict[str, Any]]:
    """A frame for a figure, and options that it needs."""
    if figure == "displaced_items":
        return ft.displacement(["a", "b"], [1, 0.5], ["b", "a"]).to_frame(), {}
    return pd.DataFrame(VALID[figure]), {"pairs": pd.DataFrame(PAIR)} if figure == "tiers" else {}


@pytest.mark.parametrize("figure", plots.__all__)
def test_titles_are_replaced_turned_off_and_no_wider_than_a_column(plt: Any, figure: str) -> None:
    draw, (frame, options) = getattr(plots, figure), data_of(figure)
    for alone in (True, False):
        for title in ("mine", f"{LONG}: {LONG}, {LONG}", "unbreakable_" * 20):
            own = None
            if figure != "tree" or not alone:  # whose new figure is as wide as the tree
                axes = plt.subplots(
                    1,
                    1 if alone else 2,
                    figsize=(COLUMN if alone else 2 * COLUMN, 3),
                    layout="constrained",
                )
                own = axes[1] if alone else axes[1][1]
            ax = draw(frame, own, title=title, **options)
            ax.figure.canvas.draw()
            text = next(
                t for t in ax.get_children() if getattr(t, "get_text", str)().startswith(title[:4])
            )
            box, inside = text.get_window_extent(), ax.figure.bbox
            assert inside.x0 <= box.x0 < box.x1 <= inside.x1
            assert box.y1 <= inside.y1
            if title == "mine":
                assert title_of(ax) == "mine"
        plt.close("all")
    for off in (False, None):
        assert title_of(draw(frame, title=off, **options)) == ""
    if figure != "displacement":  # whose data have no title
        own = PlotData(frame, LONG)
        assert title_of(draw(own, **options)).startswith(LONG[:40])
        assert title_of(draw(own, title=False, **options)) == ""
    with pytest.raises(OptionError, match="title"):
        draw(frame, title=3, **options)


@pytest.mark.parametrize("name", MAKE)
def test_titles_of_results_fit_a_column_and_are_turned_off(name: str, plt: Any) -> None:
    result = MAKE[name]()
    for figure in getattr(result, "_figures", ()):
        options = {"item": "a"} if name == "Membership" else {}
        _, ax = plt.subplots(figsize=(COLUMN, 3), layout="constrained")
        getattr(plots, figure)(result, ax, **options)
        ax.figure.canvas.draw()
        for place in ("left", "center"):
            text = {"left": ax._left_title, "center": ax.title}[place]
            if text.get_text():
                assert text.get_window_extent().x1 <= ax.figure.bbox.x1
        plt.close("all")
    if hasattr(result, "plot"):
        assert title_of(result.plot(title=False, **options)) == ""
        assert title_of(result.plot(title="mine", **options)).startswith("mine")


OF_FRAMES = {"displacement"}  # draws no result


@pytest.mark.parametrize("name", MAKE)
def test_every_result_has_each_figure_or_says_which_it_has(name: str, plt: Any) -> None:
    result = MAKE[name]()
    own = getattr(result, "_figures", ())
    assert {*own} <= {*plots.__all__}
    assert hasattr(result, "plot") == bool(own)
    for figure in {*plots.__all__} - OF_FRAMES - {*own}:
        with pytest.raises(DataError) as error:
            getattr(plots, figure)(result)
        assert "\n" not in str(error.value)
        assert f"plots.{figure} " in str(error.value)
        for other in own:
            assert f"plots.{other}" in str(error.value)
    for figure in own:
        options = {"item": "a"} if name == "Membership" else {}
        ax = getattr(plots, figure)(result, **options)
        assert ax.has_data()
        plt.close("all")


def test_titles_give_way_to_a_users(plt: Any) -> None:
    scores = MAKE["Scores"]()
    for draw in (MAKE["Comparison"]().plot, scores.plot):
        ax = draw()
        assert title_of(ax)
        ax.set(title="mine")
        assert (title_of(ax), ax.get_title()) == ("", "mine")
    _, ax = plt.subplots()
    ax.set_title("mine")
    scores.plot(ax)
    assert (title_of(ax), ax.get_title()) == ("", "mine")
    assert title_of(scores.plot(plt.figure().add_subplot()))
    ax = scores.plot()
    ax.set_title("mine", loc="left")
    assert (title_of(ax), ax.get_title()) == ("mine", "")
