"""Curves with bands, on frames and through `Curves.plot`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import fuzzytruth as ft
from fuzzytruth import plots
from fuzzytruth.errors import DataError

FRAME = pd.DataFrame(
    {
        "system": ["x"] * 3 + ["y"] * 3,
        "rank": [1, 2, 3] * 2,
        "value": [1, 0.6, 0.5, 0.5, np.nan, 0.7],
        "lower": [0.9, 0.5, np.nan, 0.4, 0.4, 0.6],
        "upper": [1.1, 0.7, np.nan, 0.6, 0.6, 0.8],
    }
)


def crossed(n_queries: int = 6) -> Any:
    """Two subjects who judged all items of all queries."""
    rng = np.random.default_rng(3)
    rows = [
        (f"q{q}", item, subject, int(rng.integers(0, 2)))
        for q in range(n_queries)
        for item in "abcde"
        for subject in ("ann", "bob")
    ]
    query, item, subject, grade = zip(*rows, strict=True)
    return ft.Judgments.from_columns(query, item, grade, subject=subject)


RUNS = {
    "x": {f"q{q}": list("abcde") for q in range(6)},
    "y": {f"q{q}": list("edcba") for q in range(6)},
}


def lines_of(ax: Any) -> dict[str, Any]:
    return {line.get_label(): np.asarray(line.get_xydata()) for line in ax.lines}


def names_of(ax: Any) -> list[str]:
    return [text.get_text() for text in ax.get_legend().get_texts()]


def band_ends(band: Any) -> set[tuple[float, float]]:
    return {tuple(corner) for corner in band.get_paths()[0].vertices.tolist()}


def test_lines_and_bands_are_those_of_the_frame(plt: Any) -> None:
    _, ax = plt.subplots()
    assert plots.curves(FRAME.assign(band="a band", measure="nDCG"), ax, title="t") is ax
    drawn = lines_of(ax)
    assert drawn["x"].tolist() == [[1, 1], [2, 0.6], [3, 0.5]]
    assert drawn["y"].tolist() == [[1, 0.5], [3, 0.7]]  # NaN has no point
    first, second = ax.collections
    assert band_ends(first) == {(1, 0.9), (1, 1.1), (2, 0.5), (2, 0.7)}
    assert {(1, 0.4), (3, 0.8)} <= band_ends(second)
    assert names_of(ax) == ["x", "y", "a band"]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("rank", "nDCG")
    assert ax.get_title(loc="left") == "t"
    looks = {(line.get_color(), line.get_marker(), line.get_linestyle()) for line in ax.lines[:2]}
    assert len({x for x, _, _ in looks}) == len({x for _, x, _ in looks}) == 2
    assert len({x for _, _, x in looks}) == 2


def test_names_that_begin_with_an_underscore_are_in_the_legend(plt: Any) -> None:
    rows = {"recall": [0.0, 1.0], "precision": [0.5, 0.25]}
    two = pd.concat([pd.DataFrame(rows).assign(system=name) for name in ("_x", "y")])
    ax = plots.curves(two, x="recall", y="precision")
    assert [text.get_text().strip() for text in ax.get_legend().get_texts()] == ["_x", "y"]


def test_one_curve_has_no_legend(plt: Any) -> None:
    ax = plots.curves(FRAME[FRAME["system"] == "x"], bands=False)
    assert ax.get_legend() is None
    assert not ax.collections


def test_of_many_systems_the_highest_are_highlighted(plt: Any) -> None:
    heights = np.random.default_rng(0).permutation(63)
    frame = pd.DataFrame(
        {
            "system": np.repeat([f"run_$_{h}" for h in heights], 2),
            "rank": [1, 2] * 63,
            "value": np.repeat(heights, 2) / 63,
        }
    )
    ax = plots.curves(frame)
    assert len(ax.lines) == 63
    assert names_of(ax) == [*(f"run_$_{h}" for h in (62, 61, 60, 59, 58)), "58 other systems"]
    faint = [line for line in ax.lines if line.get_color() == "0.8"]
    assert max(line.get_ydata()[0] for line in faint) == 57 / 63
    named = plots.curves(frame, highlight=["run_$_3"])
    assert names_of(named) == ["run_$_3", "62 other systems"]
    assert lines_of(named)["run_$_3"].tolist() == [[1, 3 / 63], [2, 3 / 63]]
    ax.figure.canvas.draw()
    assert ax.get_legend().get_window_extent().y0 >= 0


def test_bands_are_left_out_where_they_could_not_be_told_apart(plt: Any) -> None:
    five = pd.concat([FRAME.assign(system=name) for name in "abcde"])
    assert not plots.curves(five).collections
    assert len(plots.curves(five, bands=True).collections) == 5
    assert len(plots.curves(five, highlight=["a", "e"]).collections) == 2


def test_bands_over_queries_are_the_intervals_of_the_scores(plt: Any) -> None:
    truth = crossed()
    drawn = ft.curves(truth, RUNS, "nDCG", worlds="subject")
    scores = ft.evaluate(truth, RUNS, ["nDCG@1", "nDCG@3"], worlds="subject")
    table = scores.summary(over="query", method="t", level=0.9)
    bands = drawn.bands(level=0.9)
    for row in table.itertuples():
        at = (bands["system"] == row.system) & (bands["rank"] == int(row.measure[-1]))
        mine = bands.loc[at, ["value", "lower", "upper"]].to_numpy()[0]
        assert mine == pytest.approx([row.mean, row.lower, row.upper])
    ax = drawn.plot(level=0.9)
    points = bands[bands["system"] == "y"]
    assert lines_of(ax)["y"].tolist() == points[["rank", "value"]].to_numpy().tolist()
    corners = np.array(sorted(band_ends(ax.collections[1])))
    wanted = [(r, v) for r, *ends in points[["rank", "lower", "upper"]].to_numpy() for v in ends]
    np.testing.assert_allclose(corners, sorted({*wanted}))
    assert names_of(ax)[-1] == "pointwise 90 % t interval over queries"
    assert ax.get_title(loc="left") == "nDCG by rank: means over 6 queries and 2 subjects"


def test_bands_over_subjects_reach_from_one_to_the_other(plt: Any) -> None:
    truth = crossed()
    bands = ft.curves(truth, RUNS, "CG", worlds="subject").bands(over="subject")
    alone = [
        ft.curves(truth.select(subjects=[name]), RUNS, "CG").mean()["value"]
        for name in ("ann", "bob")
    ]
    np.testing.assert_allclose(bands["lower"], np.minimum(*alone))
    np.testing.assert_allclose(bands["upper"], np.maximum(*alone))
    ax = ft.curves(truth, RUNS, "CG", worlds="subject").plot(over="subject")
    assert names_of(ax)[-1] == "range of 2 subjects"


def test_gain_against_recall_has_bands_of_the_queries_that_reach_it() -> None:
    truth = {"q1": {"a": 1, "b": 1}, "q2": {"a": 1}, "q3": {"a": 1, "z": 1}}
    runs = {"x": {q: ["a", "b"] for q in truth}}
    bands = ft.curves(truth, runs, "CG-recall").bands(level=0.8).set_index("recall")
    at_all = bands.loc[1.0]  # q1: 2 items, q2: 1; q3 never
    assert (at_all["n"], at_all["value"]) == (2, 1.5)
    assert at_all["upper"] - 1.5 == pytest.approx(3.0776835 * 0.5)  # t of 1 df, s / √2 = 1 / 2
    assert bands.loc[0.5, ["lower", "upper"]].tolist() == [1.0, 1.0]


@pytest.mark.parametrize(
    ("kind", "axes"),
    [
        ("PR", ("recall", "precision")),
        ("IPR", ("recall", "interpolated precision")),
        ("nDCG", ("rank", "nDCG")),
        ("DCG-recall", ("recall", "DCG")),
    ],
)
def test_axes_name_the_kind_of_curve(plt: Any, kind: str, axes: tuple[str, str]) -> None:
    drawn = ft.curves(crossed(), RUNS, kind, worlds="subject")
    ax = drawn.plot()
    assert (ax.get_xlabel(), ax.get_ylabel()) == axes
    mean = drawn.mean()
    y = "precision" if "precision" in mean else "value"
    mine = mean.loc[mean["system"] == "x", [axes[0], y]].to_numpy()
    np.testing.assert_allclose(lines_of(ax)["x"], mine)
    assert drawn.plot(over=None).get_legend() is not None


def test_what_has_no_bands_or_no_curves(plt: Any) -> None:
    one = ft.curves({"q": {"a": 1}}, {"x": {"q": ["a"]}}, "CG")
    assert one.bands()[["lower", "upper"]].isna().all(axis=None)
    with pytest.raises(ft.OptionError, match="over='subject': the truth of these curves has no"):
        one.plot(over="subject")
    with pytest.raises(ft.OptionError, match="over='world'"):
        one.bands(over="world")  # type: ignore[arg-type]
    with pytest.raises(ft.OptionError, match="level=95"):
        one.bands(level=95)
    nested = ft.Judgments.from_columns(["q", "q", "r"], list("aba"), [1, 0, 1], subject=list("sst"))
    runs = {"x": {"q": ["a"], "r": ["a"]}}
    with pytest.raises(ft.OptionError, match="2 subjects of 2 did not judge all 2 queries"):
        ft.curves(nested, runs, "CG", worlds="subject").bands(over="subject")
    frame = pd.DataFrame({"query": list("qqrr"), "item": list("abab"), "grade": [1, 0, 0, 1]})
    labels = ft.Judgments.from_frame(frame.assign(subject=list("stst")), design="nested")
    with pytest.raises(ft.OptionError, match="over='subject': subjects are nested in queries"):
        ft.curves(labels, runs, "CG", worlds="subject", missing="nonrelevant").bands(over="subject")
    with pytest.raises(DataError, match="no column 'rank'"):
        plots.curves(FRAME.drop(columns="rank"))
    with pytest.raises(DataError, match="value is NaN in every row"):
        plots.curves(FRAME.assign(value=np.nan))
    with pytest.raises(ft.OptionError, match="highlight: system 'z' is not among"):
        plots.curves(FRAME, highlight="z")
    assert plt.get_fignums() == []
