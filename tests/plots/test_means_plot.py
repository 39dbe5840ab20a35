"""Means with intervals."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.drawn import legend_of, lines_of, marks_of, title_of, y_names
from support.scores_for_tests import scores_of

import fuzzytruth as ft
from fuzzytruth import plots
from fuzzytruth.errors import DataError, OptionError

FRAME = pd.DataFrame(
    {
        "measure": ["AP"] * 3 + ["RR"] * 3,
        "system": list("abc") * 2,
        "mean": [0.25, 0.5, np.nan, 0.75, 0.125, 0.5],
        "lower": [0.125, -np.inf, np.nan, 0.5, 0.0, 0.25],
        "upper": [0.5, np.inf, np.nan, 1.0, 0.25, 0.75],
    }
)


def dots_of(ax: Any, number: int = 0) -> list[tuple[float, float]]:
    """Places of the dots of a measure, NaN left out."""
    line = ax.containers[number][0]
    return [tuple(point) for point in line.get_xydata().tolist() if point[0] == point[0]]


def ends_of(ax: Any, number: int = 0) -> list[list[float]]:
    (bars,) = ax.containers[number][2]
    return [[bar[0][0], bar[1][0]] for bar in bars.get_segments() if len(bar)]


def test_the_best_on_top_with_their_intervals(plt: Any) -> None:
    ax = plots.means(FRAME)
    assert y_names(ax) == ["b", "a", "c"]
    assert dots_of(ax) == [(0.5, 0), (0.25, 1)]
    assert ends_of(ax)[:2] == [[0.5, 0.5], [0.125, 0.5]]  # infinite ends are not drawn
    assert ax.get_xlabel() == "mean of AP"
    assert legend_of(ax) == []
    assert y_names(plots.means(FRAME, higher_is_better=False)) == ["a", "b", "c"]


def test_several_measures_beside_each_other(plt: Any) -> None:
    _, ax = plt.subplots()
    assert plots.means(FRAME, ax, measure=["RR", "AP"]) is ax
    assert y_names(ax) == ["a", "c", "b"]
    assert dots_of(ax, 0) == [(0.75, -0.25), (0.5, 0.75), (0.125, 1.75)]
    assert dots_of(ax, 1) == [(0.25, 0.25), (0.5, 2.25)]
    first, second = (container[0] for container in ax.containers)
    assert first.get_marker() != second.get_marker()
    assert legend_of(ax) == ["RR", "AP"]
    assert ax.get_xlabel() == "mean"


def test_names_that_begin_with_an_underscore_are_in_the_legend(plt: Any) -> None:
    subjects = pd.DataFrame({"measure": "AP", "system": "a", "subject": ["_x", "y"], "mean": 0.5})
    assert [name.strip() for name in legend_of(plots.means(FRAME, subjects=subjects))][1:] == [
        "_x",
        "y",
    ]


def test_scores_hand_down_their_summary(plt: Any) -> None:
    scores = scores_of(np.random.default_rng(0).random((5, 12)))
    ax = scores.plot(level=0.9)
    table = scores.summary(level=0.9).sort_values("mean", ascending=False)
    assert y_names(ax) == table["system"].tolist()
    assert [x for x, _ in dots_of(ax)] == table["mean"].tolist()
    np.testing.assert_allclose(ends_of(ax), table[["lower", "upper"]], atol=1e-12)
    assert title_of(ax) == (
        "m: means of 5 systems over 12 queries Bars: 90 % t intervals over queries, the ground "
        "truth being fixed"
    )


def test_over_subjects_and_by_subject(plt: Any) -> None:
    scores = scores_of(np.random.default_rng(0).random((3, 4, 6)))
    ax = scores.plot(over="subject", by="subject")
    table = scores.summary(over="subject").set_index("system").loc[y_names(ax)]
    np.testing.assert_allclose(ends_of(ax), table[["lower", "upper"]], atol=1e-12)
    assert "t intervals over subjects, the queries being fixed" in title_of(ax)
    alone = scores.mean(by="subject")["m"]
    assert legend_of(ax) == ["mean and interval", "s0", "s1", "s2", "s3"]
    lines = {line.get_label(): line.get_xdata().tolist() for line in ax.lines}
    for subject in ("s0", "s1", "s2", "s3"):
        drawn = dict(zip(scores.systems, lines[subject], strict=True))
        assert drawn == alone.xs(subject, level="subject").to_dict()
    markers = {line.get_marker() for line in ax.lines if str(line.get_label())[:1] == "s"}
    assert len(markers) == 4


def test_many_subjects_are_dots(plt: Any) -> None:
    scores = scores_of(np.random.default_rng(0).random((2, 9, 6)))
    ax = scores.plot(by="subject")
    assert legend_of(ax) == ["mean and interval", "by one subject's judgments alone"]
    alone = scores.mean(by="subject")["m"]
    order = y_names(ax)
    expected = [(value, order.index(system) + 0.27) for (system, _), value in alone.items()]
    assert marks_of(ax) == sorted(expected)


def test_lower_is_better(plt: Any) -> None:
    scores = scores_of([[0.3, 0.4], [0.1, 0.2], [0.5, 0.7]], higher_is_better=(False,))
    ax = scores.plot()
    assert y_names(ax) == ["sys1", "sys0", "sys2"]
    assert title_of(ax).startswith("m (lower is better): means")


def test_a_single_query_has_no_intervals(plt: Any) -> None:
    ax = scores_of([[0.25], [0.5]]).plot()
    assert dots_of(ax) == [(0.5, 0), (0.25, 1)]
    assert ends_of(ax) == [[0.5, 0.5], [0.25, 0.25]]
    assert title_of(ax) == "m: means of 2 systems over 1 query"


def test_bounds_of_unjudged_items(plt: Any) -> None:
    truth = {"q1": {"a": 1, "b": 0}, "q2": {"c": 1, "d": 0}}
    runs = {"x": {"q1": ["a", "u"], "q2": ["c", "d"]}, "y": {"q1": ["b", "a"], "q2": ["d", "u"]}}
    scores = ft.evaluate(truth, runs, ["P@2"], unjudged="bounds")
    ax = scores.plot()
    assert y_names(ax) == ["x", "y"]
    frame = scores.to_frame().groupby("system")[["lower", "upper"]].mean()
    low, high = (line for line in ax.lines if line.get_marker() in (8, 9))
    assert low.get_xdata().tolist() == frame["lower"].tolist() == [0.5, 0.25]
    assert high.get_xdata().tolist() == frame["upper"].tolist() == [0.75, 0.5]
    assert lines_of(ax)[-2:] == [(0.5, 0.75, 0), (0.25, 0.5, 1)]
    assert legend_of(ax)[1:] == ["range if unjudged items were judged"]


def test_measures_in_any_spelling(plt: Any) -> None:
    runs = {"x": {"q": ["a"]}, "y": {"q": ["b", "a"]}}
    scores = ft.evaluate({"q": {"a": 1}}, runs, ["AP", "P@1"])
    ax = scores.plot(measure=["P_1", "map"])
    assert legend_of(ax) == ["P@1", "AP"]
    assert [x for x, _ in dots_of(ax, 1)] == [1.0, 0.5]


def test_63_systems_fit_a_page(plt: Any) -> None:
    ax = scores_of(np.random.default_rng(0).random((63, 5))).plot()
    assert ax.figure.get_size_inches()[1] <= 10.1
    ax.figure.canvas.draw()
    boxes = [label.get_window_extent() for label in ax.get_yticklabels()]
    assert all(one.y0 >= two.y1 - 1.5 for one, two in pairwise(boxes))


def test_errors(plt: Any) -> None:
    scores = scores_of(np.random.default_rng(0).random((3, 6)))
    with pytest.raises(OptionError, match="measure 'x' is not among these scores"):
        scores.plot(measure="x")
    with pytest.raises(OptionError, match="these scores have no subjects"):
        scores.plot(by="subject")
    with pytest.raises(OptionError, match="by='query': must be"):
        scores.plot(by="query")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="measure 'x' is not in the frame"):
        plots.means(FRAME, measure=["AP", "x"])
    for drawn in (FRAME, scores):
        with pytest.raises(OptionError, match="name at least one"):
            plots.means(drawn, measure=[])
        with pytest.raises(OptionError, match="measure=3: must be a name, or several"):
            plots.means(drawn, measure=3)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="one measure at a time"):
        plots.means(FRAME, measure=["AP", "RR"], subjects=FRAME)
    with pytest.raises(DataError, match="mean of AP is NaN in every row"):
        plots.means(FRAME[2:3])
    with pytest.raises(DataError, match="no column 'lower'"):
        plots.means(FRAME.drop(columns="lower"))
    assert plt.get_fignums() == []
