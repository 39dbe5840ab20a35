"""Scores as labelled rows."""

from __future__ import annotations

import numpy as np
import pytest

import fuzzytruth as ft
from fuzzytruth.evaluation.score_rows import score_rows

RUNS = {
    "x": {"q": {"a": 2, "b": 1}, "r": {"a": 2, "b": 1}},
    "y": {"q": {"b": 2, "a": 1}, "r": {"b": 2, "a": 1}},
}


@pytest.fixture
def by_subject() -> ft.Scores:
    """Ann judged both queries, bob one."""
    truth = ft.Judgments.from_columns(
        ["q", "q", "q", "q", "r", "r"],
        ["a", "b", "a", "b", "a", "b"],
        [1, 0, 0, 1, 1, 0],
        subject=["ann", "ann", "bob", "bob", "ann", "ann"],
    )
    return ft.evaluate(truth, RUNS, ["RR", "P@1"], worlds="subject")


def test_means_are_those_of_the_scores(by_subject: ft.Scores) -> None:
    rows = score_rows(by_subject)
    assert rows.names == ("system", "subject")
    expected = by_subject.mean(by="subject")
    assert list(rows.labels) == expected.index.tolist()
    assert np.array_equal(rows.values, expected.to_numpy())
    means = score_rows(by_subject, per_subject=False)
    assert means.names == ("system",)
    assert np.array_equal(means.values, by_subject.mean().to_numpy())


def test_queries_that_a_subject_did_not_judge_have_no_row(by_subject: ft.Scores) -> None:
    rows = score_rows(by_subject, per_query=True)
    frame = by_subject.to_frame().pivot(index=["system", "query", "subject"], columns="measure")
    assert sorted(rows.labels) == frame.index.tolist()
    assert ("x", "r", "bob") not in rows.labels
    averaged = score_rows(by_subject, per_query=True, per_subject=False)
    assert averaged.labels == (("x", "q"), ("x", "r"), ("y", "q"), ("y", "r"))
    assert averaged.values.tolist() == [[0.75, 0.5], [1, 1], [0.75, 0.5], [0.5, 0]]


def test_the_best_system_for_each_subject(by_subject: ft.Scores) -> None:
    rows = score_rows(by_subject)
    assert dict(zip(rows.labels, rows.best[:, 0].tolist(), strict=True)) == {
        ("x", "ann"): True,
        ("x", "bob"): False,
        ("y", "ann"): False,
        ("y", "bob"): True,
    }
    ann = rows.select("subject", "ann")
    assert (ann.names, ann.labels) == (("system",), (("x",), ("y",)))
    assert ann.best[:, 0].tolist() == [True, False]


def test_lower_is_better() -> None:
    rows = score_rows(ft.evaluate({"q": {"a": 1}, "r": {"a": 1}}, RUNS, ["E@1"]))
    assert rows.best.ravel().tolist() == [True, False]


def test_ends_over_worlds_and_of_unjudged_items() -> None:
    truth = ft.Judgments.from_probabilities(["q"], ["a"], [0.5])
    rows = score_rows(ft.evaluate(truth, {"x": {"q": {"a": 1}}}, ["P@1"], rng=0))
    assert rows.lower is not None
    assert rows.upper is not None
    assert rows.ends == ("low", "high")
    assert (rows.lower.item(), rows.values.item(), rows.upper.item()) == (0.0, 0.5, 1.0)
    rows = score_rows(
        ft.evaluate({"q": {"a": 1}}, {"x": {"q": {"a": 2, "b": 1}}}, "P@2", unjudged="bounds")
    )
    assert rows.lower is not None
    assert rows.upper is not None
    assert rows.ends == ("lower", "upper")
    assert (rows.lower.item(), rows.upper.item()) == (0.5, 1.0)
