"""What is printed of scores."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

import fuzzytruth as ft


def scores_of(values: Any, **options: Any) -> ft.Scores:
    """Scores of (systems, queries) values."""
    table = np.asarray(values)
    index = pd.MultiIndex.from_product(
        [[f"sys{j}" for j in range(table.shape[0])], range(table.shape[1])],
        names=["system", "query"],
    )
    return ft.Scores.from_frame(index.to_frame(index=False).assign(value=table.ravel()), **options)


def printed(scores: ft.Scores, width: int = 80) -> str:
    text = scores._answer().text(width)
    assert max(map(len, text.split("\n"))) <= width
    return text


def test_means_and_their_intervals_over_queries() -> None:
    scores = scores_of([[0.1, 0.4, 0.7, 0.9], [0.2, 0.4, 0.5, 0.7]])
    text = printed(scores)
    assert text.startswith("Scores of 2 systems, 4 queries: value\n\n")
    for row in scores.summary().itertuples():
        line = f"{row.system} {row.mean:.3f} [{row.lower:.3f}, {row.upper:.3f}]"
        assert line in re.sub(" +", " ", text).split("\n")
    assert "Brackets: 95 % t intervals over queries, the ground truth being fixed." in text
    assert "<strong>0.525 [" in scores._repr_html_()


def test_one_query_has_no_interval() -> None:
    text = printed(scores_of([[0.25], [0.5]]))
    assert "[" not in text
    assert "sys1    0.5000" in text
    assert "One query: how means vary over queries is not known." in text


def test_bounds_stand_in_the_brackets_where_they_were_asked_for() -> None:
    runs = {"a": {"q": ["x", "u"], "r": ["x"]}, "b": {"q": ["u", "v"], "r": ["v"]}}
    truth = {"q": {"x": 1, "v": 0}, "r": {"x": 1}}
    text = printed(ft.evaluate(truth, runs, ["P@2"], unjudged="bounds"))
    assert "a       0.500 [0.500, 0.750]" in text
    assert "b       0.000 [0.000, 0.500]" in text
    assert "the lowest and the highest mean that judging the unjudged" in text


def judgments() -> ft.Judgments:
    rng = np.random.default_rng(3)
    rows = [
        (f"q{q}", item, subject, int(rng.integers(2)))
        for q in range(6)
        for item in "abcd"
        for subject in ("ann", "bob", "cyd")
    ]
    return ft.Judgments.from_frame(
        pd.DataFrame(rows, columns=["query", "item", "subject", "grade"])
    )


RUNS = {
    name: {f"q{q}": list(order) for q in range(6)} for name, order in (("x", "abcd"), ("y", "dcba"))
}


def test_what_values_are_over_subjects_and_worlds() -> None:
    subject = printed(ft.evaluate(judgments(), RUNS, ["P@2"], worlds="subject"))
    assert "Brackets: 95 % t intervals over queries, the subjects being fixed." in subject
    assert "Each query's value is the mean over the truths of 3 subjects" in subject
    for worlds, words in (
        ("independent", "each item takes one of its votes"),
        ("population", "are resampled"),
    ):
        scores = ft.evaluate(judgments(), RUNS, ["P@2"], worlds=worlds, rng=0)
        text = re.sub(r"\s+", " ", printed(scores))
        assert words in text
        assert "Values are expected over worlds" in text
        assert "over queries, the judgments being fixed." in text


def test_many_systems_and_measures_are_cut_and_it_is_said() -> None:
    names = [f"P@{k}" for k in range(1, 10)]
    runs = {f"sys{j:02}": {"q0": list("abcd"[j % 4 :]), "q1": list("dcba")} for j in range(25)}
    scores = ft.evaluate({"q0": {"b": 1}, "q1": {"a": 1}}, runs, names)
    text = printed(scores, 60)
    assert "P@6" in text
    assert "P@7" not in text.split("\n\n", 1)[1]
    assert "Shown: the best 20 of 25 systems by P@1 and 6 of 9 measures" in text
    assert text.index("sys01 ") < text.index("sys00 ")
    assert "sys24" not in text


def test_lower_is_better_and_nan() -> None:
    values = [[1.0, np.nan], [30.0, 431.5]]
    scores = scores_of(values, higher_is_better=False, measure="loss")
    text = printed(scores)
    assert "Lower is better for loss." in text
    assert (
        "<strong>1.0</strong>" in scores._repr_html_()
        or "<strong>1.0 [-inf" in scores._repr_html_()
    )
    assert "230.8 [" in text


def test_attributes_of_queries_are_pointed_at() -> None:
    frame = pd.DataFrame(
        {"system": "a", "query": [1, 2, 3], "topic": ["u", "u", "v"], "value": 0.5}
    )
    text = printed(ft.Scores.from_frame(frame, clusters="topic"))
    assert "Queries that share topic may vary together" in re.sub(r"\s+", " ", text)


def test_missing_values_are_said() -> None:
    scores = ft.evaluate({"q": {"a": 1}, "r": {"a": 1}}, {"x": {"q": ["a"], "r": ["a"]}}, ["P@1"])
    assert "missing" not in printed(scores)
    gaps = replace(scores, values=np.array([[[1.0, np.nan]]]))
    line = "1 value is missing: each mean is over the values that the system has."
    assert line in printed(gaps)
    assert line in gaps.to_markdown()


def test_missing_judgments_that_count_as_not_relevant_are_said() -> None:
    rows = [("s", "x", "cat"), ("s", "y", "cat"), ("t", "x", "cat"), ("t", "z", "cat")]
    votes = ft.Assignments.from_frame(pd.DataFrame(rows, columns=["subject", "item", "category"]))
    runs = {name: {"x": ["y", "z"], "y": ["x", "z"]} for name in "ab"}
    said = (
        "Each query's value is the mean over the truths of 2 subjects (those who judged it); items "
        "that a subject left unjudged (2) count as not relevant."
    )
    truth = votes.by_example()
    scores = ft.evaluate(truth, runs, ["P@1"], worlds="subject", missing="nonrelevant")
    assert said in re.sub(r"\s+", " ", printed(scores))
    assert said in scores.to_markdown()
    assert said in re.sub(r"\s+", " ", str(ft.analyse(scores)))
    report = ft.santini_report(votes, None, runs, k=1, missing="nonrelevant", n_resamples=99)
    people = "own categories; items that a subject left unjudged (2) count as not relevant."
    assert people in re.sub(r"\s+", " ", str(report))
    other = ft.evaluate(truth, runs, ["P@1"], worlds="subject", missing="exclude")
    assert "unjudged" not in printed(other)
