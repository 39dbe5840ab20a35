"""Forest plots of comparisons, on frames and through `Comparison.plot`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.drawn import legend_of, title_of, y_names
from support.scores_for_tests import scores_of

import fuzzytruth as ft
from fuzzytruth import plots
from fuzzytruth.errors import DataError, OptionError

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


def bars_of(ax: Any) -> list[list[list[float]]]:
    from matplotlib.collections import LineCollection

    parts = [part for part in ax.collections if isinstance(part, LineCollection)]
    return [bar.tolist() for part in parts for bar in part.get_segments()]


def dots_of(ax: Any) -> Any:
    from matplotlib.collections import PathCollection

    (dots,) = [part for part in ax.collections if isinstance(part, PathCollection)]
    return dots.get_offsets()


def test_a_row_for_each_pair_with_a_difference(plt: Any) -> None:
    ax = plots.forest(FRAME, turn=False)
    assert points_of(ax, "full") == [(0.5, 1.0)]
    assert points_of(ax, "none") == [(-0.25, 0.0)]
    low, high = ax.get_xlim()
    found, unknown, open_ = bars_of(ax)
    assert found == [[0.25, 1.0], [1.0, 1.0]]
    assert unknown == [[-0.25, 0.0], [0.25, 0.0]]  # the known half
    assert open_ == [[-0.25, 0.0], [low, 0.0]]  # and on to the edge
    assert dots_of(ax).tolist() == [[low, 0.0]]  # with an arrowhead
    assert low < -0.25 < 1.0 < high
    assert y_names(ax) == ["a − b", "b − c"]
    assert ax.get_xlabel() == "difference of AP"
    assert ax.get_title(loc="left") == "Drawn: without 1 pair of systems that share no value"
    assert legend_of(ax) == ["significant", "not significant"]
    assert [line.get_xdata() for line in ax.lines if len(line.get_xdata()) == 2] == [[0, 0]]


def test_pairs_are_turned_so_that_differences_are_positive(plt: Any) -> None:
    subjects = pd.DataFrame(
        {"subject": "ann", "system_a": ["b", "a"], "system_b": ["c", "b"], "difference": [0.1, 0.4]}
    )
    ax = plots.forest(FRAME.set_axis([0, 0, 0, 0]), subjects=subjects)
    assert y_names(ax) == ["a", "c"]
    assert ax.get_xlabel() == "difference of AP from b"
    assert points_of(ax, "none") == [(0.25, 0.0)]
    _, unknown, open_ = bars_of(ax)
    assert unknown == [[-0.25, 0.0], [0.25, 0.0]]
    assert open_ == [[0.25, 0.0], [ax.get_xlim()[1], 0.0]]
    (dots,) = [part for part in ax.collections if len(part.get_offsets()) == 2]
    assert dots.get_offsets().tolist() == [[-0.1, -0.27], [0.4, 1 - 0.27]]


@pytest.mark.parametrize("alternative", ["greater", "less"])
def test_one_sided_pairs_keep_their_order(plt: Any, alternative: Any) -> None:
    scores = scores_of(np.random.default_rng(2).normal([[0], [1], [0.4]], 0.1, (3, 12)))
    result = ft.compare(scores, alternative=alternative, n_resamples=99)
    rows = result.to_frame(full=True).sort_values("difference")
    assert (rows["difference"] < 0).sum() == 2
    for drawn in (result, rows):
        ax = plots.forest(drawn)
        points = points_of(ax, "full") + points_of(ax, "none")
        assert sorted(x for x, _ in points) == pytest.approx(rows["difference"].tolist())
        assert y_names(ax)[::-1] == [f"{r.system_a} − {r.system_b}" for r in rows.itertuples()]
        edge = ax.get_xlim()[alternative == "greater"]
        assert {x for x, _ in dots_of(ax).tolist()} == {edge}


def test_another_measure_on_given_axes(plt: Any) -> None:
    _, (left, right) = plt.subplots(1, 2)
    assert plots.forest(FRAME, right, measure="P@5") is right
    assert points_of(right, "none") == [(0.75, 0.0)]
    assert right.get_xlabel() == "difference of P@5"
    assert not left.lines


def test_order_and_the_largest_of_many(plt: Any) -> None:
    values = np.array([0.1, -0.4, 0.3, -0.2])
    frame = pd.DataFrame(
        {
            "measure": "m",
            "system_a": list("abcd"),
            "system_b": "z",
            "difference": values,
            "lower": values - 0.1,
            "upper": values + 0.1,
            "significant": False,
        }
    )
    ax = plots.forest(frame, order="given")
    assert points_of(ax, "none") == [(0.1, 3), (-0.4, 2), (0.3, 1), (-0.2, 0)]
    assert y_names(ax) == ["a", "b", "c", "d"]  # all minus one baseline
    assert ax.get_xlabel() == "difference of m from z"
    ax = plots.forest(frame.set_axis([0, 0, 0, 0]), n_rows=2)
    assert points_of(ax, "none") == [(0.3, 1), (-0.4, 0)]
    assert ax.get_title(loc="left") == "Drawn: the 2 largest of 4 differences"
    for options in ({"n_rows": 0}, {"order": "p"}):
        with pytest.raises(OptionError, match="must be"):
            plots.forest(frame, **options)


def compared(n_systems: int = 3, n_subjects: int = 4) -> ft.Comparison:
    values = np.arange(n_systems)[:, None, None] / 4 + np.random.default_rng(1).normal(
        0, 0.1, (n_systems, n_subjects, 12)
    )
    return ft.compare(scores_of(values), n_resamples=199)


def test_a_comparison_hands_down_its_numbers(plt: Any) -> None:
    result = compared()
    frame = result.to_frame(full=True).sort_values("difference")
    assert (frame["difference"] < 0).all()  # all are drawn the other way round
    ax = result.plot()
    assert [x for x, _ in points_of(ax, "full")] == (-frame["difference"]).tolist()
    ends = [[bar[0][0], bar[1][0]] for bar in bars_of(ax)]
    np.testing.assert_allclose(ends, -frame[["upper", "lower"]], atol=1e-12)
    assert y_names(ax) == [f"{r.system_b} − {r.system_a}" for r in frame.itertuples()]
    text = title_of(ax)
    assert text == (
        "m: differences of 3 systems over queries (12 queries and 4 subjects) Bars: simultaneous "
        "95 % intervals, moderated bootstrap max-t over 3 comparisons (199 resamples)"
    )
    assert legend_of(ax) == ["significant (adjusted p ≤ 0.05)", "by one subject's judgments alone"]


def test_dots_are_the_differences_by_each_subject(plt: Any) -> None:
    result = compared()
    alone = result.by_subject().to_frame()
    ax = result.plot(order="given", turn=False)
    rows = list(zip(result.table["system_a"], result.table["system_b"], strict=True))
    drawn = {(round(x, 12), round(2 - y - 0.27)) for x, y in dots_of(ax).tolist()}
    pairs = zip(alone["system_a"], alone["system_b"], strict=True)
    places = [rows.index(pair) for pair in pairs]
    assert drawn == set(zip(alone["difference"].round(12), places, strict=True))
    assert len(dots_of(ax)) == 12


def test_words_follow_the_conditions(plt: Any) -> None:
    scores = scores_of(np.random.default_rng(0).random((3, 9)))
    ax = ft.compare(scores, correction="none").plot()
    assert set(legend_of(ax)) <= {"p ≤ 0.05, not adjusted", "larger p"}
    truth = ft.Judgments.from_probabilities(["q", "q"], ["a", "b"], [0.9, 0.5])
    runs = {"x": {"q": {"a": 2, "b": 1}}, "y": {"q": {"b": 2, "a": 1}}}
    worlds = ft.evaluate(truth, runs, ["P@1"], rng=0)
    ax = ft.compare(worlds, over="world").plot()
    assert legend_of(ax) == ["no direction shown for nearly all worlds"]
    bars = "Bars: what holds 95 % of the worlds; p: share of 1,000 worlds, a single comparison"
    assert title_of(ax).endswith(bars)
    lower = scores_of(np.random.default_rng(0).random((2, 9)), higher_is_better=(False,))
    assert ft.compare(lower).plot().get_title(loc="left").startswith("m (lower is better): ")


def test_many_pairs_become_a_matrix(plt: Any) -> None:
    scores = scores_of(np.random.default_rng(0).random((10, 5)))
    many = ft.compare(scores, n_resamples=99)
    assert len(many.table) == 45
    ax = many.plot()
    assert ax.collections[0].get_array().shape == (10, 10)
    assert len(ax.get_yticks()) == 10
    forest = many.plot(kind="forest")
    assert len(forest.get_yticks()) == 45
    assert forest.figure.get_size_inches()[1] < 9
    assert len(ft.compare(scores, "sys0", n_resamples=99).plot().get_yticks()) == 9
    with pytest.raises(OptionError, match="kind='x': must be one of 'forest', 'matrix', 'tiers'"):
        many.plot(kind="x")  # type: ignore[arg-type]


def test_trouble_names_are_text_and_inside(plt: Any) -> None:
    frame = FRAME[1:2].assign(system_a="$a_$" + "n" * 80, system_b="two\nlines <b>")
    ax = plots.forest(frame)
    assert y_names(ax)[0].endswith("− two\\nlines <b>")
    ax.figure.canvas.draw()
    (label,) = ax.get_yticklabels()
    assert label.get_window_extent().x0 >= 0
    assert not label.get_parse_math()


def test_errors(plt: Any) -> None:
    with pytest.raises(OptionError, match="measure 'AP@5' is not in the frame; it has 'AP', 'P@5'"):
        plots.forest(FRAME, measure="AP@5")
    with pytest.raises(DataError, match="no column 'significant'"):
        plots.forest(FRAME.drop(columns="significant"))
    with pytest.raises(DataError, match="difference of AP is NaN in every row"):
        plots.forest(FRAME[2:3])
    with pytest.raises(DataError, match="has no rows"):
        plots.forest(FRAME[:0])
    with pytest.raises(DataError, match=r"plots.forest draws a DataFrame or a result, not \[1\]"):
        plots.forest([1])
    with pytest.raises(DataError, match="subjects: no column 'system_a'"):
        plots.forest(FRAME, subjects=pd.DataFrame({"difference": [1.0]}))
    assert len(plt.get_fignums()) <= 1


def test_many_subjects_are_the_middle_half(plt: Any) -> None:
    frame = pd.DataFrame(
        {
            "measure": "m", "system_a": "x", "system_b": ["y", "z"], "difference": [0.3, 0.1],
            "lower": [0.2, 0.0], "upper": [0.4, 0.2], "significant": [True, False],
        }
    )  # fmt: skip
    values = np.concatenate([np.arange(21) / 20, np.arange(21) / 10])
    subjects = pd.DataFrame(
        {"system_a": "x", "system_b": ["y"] * 21 + ["z"] * 21, "difference": values}
    )
    ax = plots.forest(frame, subjects=subjects)
    lines = [path for drawn in ax.collections for path in drawn.get_segments() if len(path)]
    found = {(round(float(a[0]), 9), round(float(b[0]), 9), float(a[1])) for a, b in lines}
    assert {(0.25, 0.75, 0.73), (0.5, 1.5, -0.27)} <= found
    assert "middle half of 21 subjects, each alone" in legend_of(ax)
    few = plots.forest(frame, subjects=subjects[::3])
    assert "by one subject's judgments alone" in legend_of(few)
