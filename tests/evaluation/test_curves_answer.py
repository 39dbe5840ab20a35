"""What is printed of curves."""

from __future__ import annotations

import pytest

import fuzzytruth as ft

TRUTH = {"q": {f"d{j}": int(j % 3 == 0) for j in range(30)}}
RUNS = {f"sys{s}": {"q": [f"d{(j + s) % 30}" for j in range(30)]} for s in range(12)}


@pytest.mark.parametrize(
    ("kind", "column"), [("PR", "precision"), ("DCG", "value"), ("IPR", "precision")]
)
def test_values_are_those_of_the_mean_curve(kind: str, column: str) -> None:
    curves = ft.curves(TRUTH, RUNS, kind)
    mean = curves.mean()
    axis = "rank" if "rank" in mean else "recall"
    lines = curves._answer().text(80).split("\n")
    start = lines.index(f"{column} at {axis}, the first 10 of 12 systems")
    points = [float(point) for point in lines[start + 1].split()[1:]]
    shown = [float(value) for value in lines[start + 3].split()[1:]]
    want = mean[mean["system"] == "sys0"].set_index(axis)[column][points]
    assert shown == pytest.approx(want.tolist(), abs=5e-3)
    assert sum(line.startswith("sys") for line in lines[start + 3 : start + 14]) == 10


def test_gain_against_recall_says_how_many_curves_reach_it() -> None:
    text = str(ft.curves(TRUTH, RUNS, "DCG-recall"))
    assert "n at recall" in text
    assert "n: curves that reach the level of recall." in text


@pytest.mark.parametrize(("design", "n"), [("crossed", 2), ("nested", 4)])
def test_nested_subjects_are_counted_in_each_query(design: str, n: int) -> None:
    truth = ft.Judgments.from_columns(
        list("qqrr"), list("abab"), [1, 0, 0, 1], subject=list("stst"), design=design
    )
    runs = {"x": {"q": ["a", "b"], "r": ["a", "b"]}}
    curves = ft.curves(truth, runs, "CG", worlds="subject", missing="nonrelevant")
    assert f"means over queries and {n} subjects, each of whom" in " ".join(str(curves).split())
    assert curves._plot_data("curves").title.endswith(f"means over 2 queries and {n} subjects")
    scores = ft.evaluate(truth, runs, ["CG@2"], worlds="subject", missing="nonrelevant")
    assert f"2 queries, {n} subjects" in str(scores)


def test_subjects_of_one_query_each() -> None:
    truth = ft.Judgments.from_columns(list("qqr"), list("aba"), [1, 0, 1], subject=list("stu"))
    runs = {"x": {"q": ["a"], "r": ["a"]}}
    curves = ft.curves(truth, runs, "CG", worlds="subject", missing="nonrelevant")
    assert "and 3 subjects" in str(curves)
