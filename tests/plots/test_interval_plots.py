"""Means and differences with their intervals, on frames and through results."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.drawn import fits_a_page, legend_of, lines_of, marks_of, title_of, y_names
from support.scores_for_tests import scores_of
from support.scores_of_runs import frame_of_runs, scores_of_runs, tables_of_runs

import fuzzytruth as ft
from fuzzytruth import plots

MEANS = pd.DataFrame(
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
    points = ax.containers[number][0].get_xydata().tolist()
    return [tuple(point) for point in points if point[0] == point[0]]


def arrows_of(ax: Any) -> list[tuple[float, float, int]]:
    """Where arrows begin, and the side of the axes to which they go."""
    return [(*arrow.xyann, arrow.xy[0]) for arrow in ax.texts if arrow.arrow_patch]


def ends_of(ax: Any) -> list[list[float]]:
    (bars,) = ax.containers[0][2]
    return [[bar[0][0], bar[1][0]] for bar in bars.get_segments() if len(bar)]


def test_the_best_on_top_with_their_intervals(plt: Any) -> None:
    ax = plots.means(MEANS)
    assert y_names(ax) == ["b", "a", "c"]
    assert dots_of(ax) == [(0.5, 0), (0.25, 1)]
    assert ends_of(ax)[:2] == [[0.5, 0.5], [0.125, 0.5]]
    assert arrows_of(ax) == [(0.5, 0.0, 0), (0.5, 0.0, 1)]
    assert ax.get_xlabel() == "mean of AP"
    assert legend_of(ax) == []
    assert y_names(plots.means(MEANS, higher_is_better=False)) == ["a", "b", "c"]
    subjects = pd.DataFrame({"measure": "AP", "system": "a", "subject": ["_x", "y"], "mean": 0.5})
    names = legend_of(plots.means(MEANS, subjects=subjects))
    assert [name.strip() for name in names][1:] == ["_x", "y"]


def test_several_measures_beside_each_other(plt: Any) -> None:
    _, ax = plt.subplots()
    assert plots.means(MEANS, ax, measure=["RR", "AP"]) is ax
    assert y_names(ax) == ["a", "c", "b"]
    assert dots_of(ax, 0) == [(0.75, -0.25), (0.5, 0.75), (0.125, 1.75)]
    assert dots_of(ax, 1) == [(0.25, 0.25), (0.5, 2.25)]
    first, second = (container[0] for container in ax.containers)
    assert first.get_marker() != second.get_marker()
    assert (legend_of(ax), ax.get_xlabel()) == (["RR", "AP"], "mean")
    runs = {"x": {"q": ["a"]}, "y": {"q": ["b", "a"]}}
    ax = ft.evaluate({"q": {"a": 1}}, runs, ["AP", "P@1"]).plot(measure=["P_1", "map"])
    assert legend_of(ax) == ["P@1", "AP"]
    assert [x for x, _ in dots_of(ax, 1)] == [1.0, 0.5]


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
    lower = scores_of([[0.3, 0.4], [0.1, 0.2], [0.5, 0.7]], higher_is_better=(False,)).plot()
    assert y_names(lower) == ["sys1", "sys0", "sys2"]
    assert title_of(lower).startswith("m (lower is better): means")
    single = scores_of([[0.25], [0.5]]).plot()  # query: no intervals
    assert dots_of(single) == [(0.5, 0), (0.25, 1)]
    assert ends_of(single) == [[0.5, 0.5], [0.25, 0.25]]
    assert title_of(single) == "m: means of 2 systems over 1 query"
    assert fits_a_page(scores_of(np.random.default_rng(0).random((63, 5))).plot(), 63)


def test_over_subjects_and_by_subject(plt: Any) -> None:
    scores = scores_of(np.random.default_rng(0).random((3, 4, 6)))
    ax = scores.plot(over="subject", by="subject")
    table = scores.summary(over="subject").set_index("system").loc[y_names(ax)]
    np.testing.assert_allclose(ends_of(ax), table[["lower", "upper"]], atol=1e-12)
    assert "t intervals over subjects, the queries being fixed" in title_of(ax)
    alone = scores.mean(by="subject")["m"]
    assert legend_of(ax) == ["mean and interval", "s0", "s1", "s2", "s3"]
    lines = {line.get_label(): line for line in ax.lines}
    for subject in scores.subjects:
        drawn = dict(zip(scores.systems, lines[subject].get_xdata().tolist(), strict=True))
        assert drawn == alone.xs(subject, level="subject").to_dict()
    assert len({lines[subject].get_marker() for subject in scores.subjects}) == 4
    many = scores_of(np.random.default_rng(0).random((2, 9, 6)))
    ax = many.plot(by="subject")
    assert legend_of(ax) == ["mean and interval", "by one subject's judgments alone"]
    order, alone = y_names(ax), many.mean(by="subject")["m"].items()
    places = sorted((value, order.index(system) + 0.27) for (system, _), value in alone)
    assert marks_of(ax) == places


def test_bounds_of_unjudged_items(plt: Any) -> None:
    truth = {"q1": {"a": 1, "b": 0}, "q2": {"c": 1, "d": 0}}
    runs = {"x": {"q1": ["a", "u"], "q2": ["c", "d"]}, "y": {"q1": ["b", "a"], "q2": ["d", "u"]}}
    scores = ft.evaluate(truth, runs, ["P@2"], unjudged="bounds")
    ax = scores.plot()
    frame = scores.to_frame().groupby("system")[["lower", "upper"]].mean()
    low, high = (line for line in ax.lines if line.get_marker() in (8, 9))
    assert low.get_xdata().tolist() == frame["lower"].tolist() == [0.5, 0.25]
    assert high.get_xdata().tolist() == frame["upper"].tolist() == [0.75, 0.5]
    assert lines_of(ax)[-2:] == [(0.5, 0.75, 0), (0.25, 0.5, 1)]
    assert legend_of(ax)[1:] == ["range if unjudged items were judged"]


# Forest plots.

FRAME = pd.DataFrame(
    {
        "measure": ["AP", "AP", "AP", "P@5"],
        "system_a": ["b", "a", "a", "a"],
        "system_b": ["c", "b", "c", "b"],
        "difference": [-0.25, 0.5, np.nan, 0.75],
        "lower": [-np.inf, 0.25, np.nan, 0.5],
        "upper": [0.25, 1.0, np.nan, 0.875],
        "significant": [False, True, False, False],
    }
)


def points_of(ax: Any, fill: str) -> list[tuple[float, float]]:
    lines = [line for line in ax.lines if line.get_fillstyle() == fill and line.get_marker() == "o"]
    return [tuple(point) for line in lines for point in line.get_xydata().tolist()]


def test_a_row_for_each_pair_with_a_difference(plt: Any) -> None:
    ax = plots.forest(FRAME, turn=False)
    assert points_of(ax, "full") == [(0.5, 1.0)]
    assert points_of(ax, "none") == [(-0.25, 0.0)]
    low, high = ax.get_xlim()
    # the known half, and on to the edge with an arrowhead
    assert lines_of(ax) == [(0.25, 1.0, 1.0), (-0.25, 0.25, 0.0)]
    assert arrows_of(ax) == [(-0.25, 0.0, 0)]
    assert low < -0.25 < 1.0 < high
    assert y_names(ax) == ["a − b", "b − c"]
    assert ax.get_xlabel() == "difference of AP"
    assert title_of(ax) == "Drawn: without 1 pair of systems that share no value"
    assert legend_of(ax) == ["significant", "not significant"]
    assert [line.get_xdata() for line in ax.lines if len(line.get_xdata()) == 2] == [[0, 0]]
    _, (left, right) = plt.subplots(1, 2)
    assert plots.forest(FRAME, right, measure="P@5") is right
    assert points_of(right, "none") == [(0.75, 0.0)]
    assert right.get_xlabel() == "difference of P@5"
    assert not left.lines


def test_pairs_are_turned_so_that_differences_are_positive(plt: Any) -> None:
    subjects = pd.DataFrame(
        {"subject": "ann", "system_a": ["b", "a"], "system_b": ["c", "b"], "difference": [0.1, 0.4]}
    )
    ax = plots.forest(FRAME.set_axis([0, 0, 0, 0]), subjects=subjects)
    assert y_names(ax) == ["a", "c"]
    assert ax.get_xlabel() == "difference of AP from b"
    assert points_of(ax, "none") == [(0.25, 0.0)]
    assert lines_of(ax)[1:] == [(-0.25, 0.25, 0.0)]
    assert arrows_of(ax) == [(0.25, 0.0, 1)]
    (ann,) = [line for line in ax.lines if line.get_label() == "ann"]
    assert ann.get_xydata().tolist() == [[-0.1, -0.27], [0.4, 1 - 0.27]]


def test_order_and_the_largest_of_many(plt: Any) -> None:
    values = np.array([0.1, -0.4, 0.3, -0.2])
    columns = {"system_a": list("abcd"), "difference": values, "lower": values - 0.1}
    frame = pd.DataFrame(columns | {"upper": values + 0.1}).assign(
        measure="m", system_b="z", significant=False
    )
    ax = plots.forest(frame, order="given")
    assert points_of(ax, "none") == [(0.1, 3), (-0.4, 2), (0.3, 1), (-0.2, 0)]
    assert y_names(ax) == ["a", "b", "c", "d"]  # all minus one baseline
    assert ax.get_xlabel() == "difference of m from z"
    ax = plots.forest(frame.set_axis([0, 0, 0, 0]), n_rows=2)
    assert points_of(ax, "none") == [(0.3, 1), (-0.4, 0)]
    assert title_of(ax) == "Drawn: the 2 largest of 4 differences"


def test_a_comparison_hands_down_its_numbers(plt: Any) -> None:
    values = np.arange(3)[:, None, None] / 4 + np.random.default_rng(1).normal(0, 0.1, (3, 4, 12))
    scores = scores_of(values)
    result = ft.compare(scores, n_resamples=199)
    frame = result.to_frame(full=True).sort_values("difference")
    assert (frame["difference"] < 0).all()  # all are drawn the other way round
    ax = result.plot()
    assert [x for x, _ in points_of(ax, "full")] == (-frame["difference"]).tolist()
    ends = [[low, high] for low, high, _ in lines_of(ax)]
    np.testing.assert_allclose(ends, -frame[["upper", "lower"]], atol=1e-12)
    assert y_names(ax) == [f"{r.system_b} − {r.system_a}" for r in frame.itertuples()]
    assert title_of(ax) == (
        "m: differences of 3 systems over queries (12 queries and 4 subjects) Bars: simultaneous "
        "95 % intervals, moderated bootstrap max-t over 3 comparisons (199 resamples)"
    )
    assert legend_of(ax) == ["significant (adjusted p ≤ 0.05)", "s0", "s1", "s2", "s3"]
    marks = {line.get_label(): line.get_marker() for line in ax.lines}
    assert len({marks[f"s{j}"] for j in range(4)} - {"o"}) == 4
    alone = result.by_subject().to_frame()
    ax = result.plot(order="given", turn=False)
    rows = list(zip(result.table["system_a"], result.table["system_b"], strict=True))
    people = [line for line in ax.lines if line.get_label() in scores.subjects]
    points = [point for line in people for point in line.get_xydata().tolist()]
    drawn = {(round(x, 12), round(2 - y - 0.27)) for x, y in points}
    places = [rows.index(pair) for pair in zip(alone["system_a"], alone["system_b"], strict=True)]
    assert drawn == set(zip(alone["difference"].round(12), places, strict=True))
    assert len(points) == 12


def test_many_subjects_are_densities(plt: Any) -> None:
    pairs = {"measure": "m", "system_a": "x", "system_b": ["y", "z"]}
    ends = {"difference": [0.3, 0.1], "lower": [0.2, 0.0], "upper": [0.4, 0.2]}
    frame = pd.DataFrame(pairs | ends | {"significant": [True, False]})
    values = np.concatenate([np.arange(21) / 20, np.arange(21) / 10])
    subjects = pd.DataFrame(
        {"system_a": "x", "system_b": ["y"] * 21 + ["z"] * 21, "difference": values}
    )
    ax = plots.forest(frame, subjects=subjects)
    shapes = [part for part in ax.collections if type(part).__name__.startswith("FillBetween")]
    low, high = sorted((part.get_paths()[0].get_extents() for part in shapes), key=lambda b: b.y0)
    assert [(box.x0, box.x1) for box in (high, low)] == [(0, 1), (0, 2)]
    for box, middle in ((high, 1 - 0.27), (low, -0.27)):
        assert (box.y0 + box.y1) / 2 == pytest.approx(middle)
        assert 0.3 < box.height < 0.5
    assert legend_of(ax)[-1] == "by one subject's judgments alone (density)"
    few = plots.forest(frame, subjects=subjects[::3])
    assert legend_of(few)[-1] == "by one subject's judgments alone"
    assert len(marks_of(few)) == 14


def test_means_of_runs(plt: Any) -> None:
    """A dot a run, without being asked, where a single measure is drawn."""
    tables = tables_of_runs({"a": 3, "b": 2, "bm25": 1}, 12)
    scores = scores_of_runs(tables, deterministic="bm25")
    ax = scores.plot()
    assert legend_of(ax) == ["mean and interval", "one run"]
    order, means = y_names(ax), scores.mean(by="replicate")["value"].items()
    places = sorted((value, order.index(system) + 0.27) for (system, _), value in means)
    assert marks_of(ax) == places
    table = scores.summary().set_index("system").loc[order]
    np.testing.assert_allclose(ends_of(ax), table[["lower", "upper"]], atol=1e-12)
    assert title_of(ax) == (
        "value: means of 3 systems over 12 queries and 2 to 3 runs of a system (bm25: "
        "deterministic) Bars: 95 % intervals over queries and runs, both being random"
    )
    assert marks_of(scores.plot(by="replicate")) == places
    alone = scores.plot(over="query")
    assert "the ground truth and the runs being fixed" in title_of(alone)
    two = pd.concat([frame_of_runs(tables).assign(measure=name) for name in ("AP", "RR")])
    both = ft.Scores.from_frame(two, replicates="seed", deterministic="bm25")
    assert "one run" not in legend_of(both.plot(measure=["AP", "RR"]))
    with pytest.raises(ft.errors.OptionError, match="means by subject, or run, are drawn for one"):
        both.plot(measure=["AP", "RR"], by="replicate")
    with pytest.raises(
        ft.errors.OptionError, match="by='replicate': these scores name no replicates"
    ):
        scores.select(replicates="1").plot(by="replicate")
    people = scores_of_runs(tables_of_runs({"a": 3, "b": 2}, 12, n_subjects=2))
    assert legend_of(people.plot(by="subject")) == ["mean and interval", "s0", "s1"]
