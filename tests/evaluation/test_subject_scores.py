"""Scores under crisp truths, each subject's own."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from support.every_world import small

import fuzzytruth as ft
from fuzzytruth.errors import UndefinedMeasureWarning
from fuzzytruth.evaluation.subject_scores import score_subjects
from fuzzytruth.evaluation.worlds.setting import Sampling
from fuzzytruth.measures import parse_measure
from fuzzytruth.truth import align
from fuzzytruth.truth.pairs import aligned as pairs

COLUMNS = ["query", "item", "subject", "grade"]
quiet = pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")


def scored(votes, runs, texts, progress=None, **options) -> ft.Scores:
    aligned = align(ft.Judgments.from_frame(votes), ft.Runs.from_dict(runs), ties="trec")
    given = {"missing": "error", "exclude": False, "bounds": False} | options
    given["sampling"] = Sampling(1, progress=progress)
    return score_subjects(aligned, tuple(map(parse_measure, texts)), **given)


def alone(votes, runs, text, subject, query) -> np.ndarray:
    """Values of all systems by the judgments of one subject on one query."""
    rows = votes[(votes["subject"] == subject) & (votes["query"] == query)]
    truth = {query: dict(zip(rows["item"], rows["grade"].tolist(), strict=True))}
    own = {system: {query: lists[query]} for system, lists in runs.items()}
    return ft.evaluate(truth, own, [text]).values[:, 0, 0]


@quiet
@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("blocks", [4096, 12])
def test_each_cell_is_a_subject_alone(monkeypatch, blocks: int, missing: bool) -> None:
    monkeypatch.setattr(pairs, "_VOTES", blocks)
    votes, runs = small(5, top=2, missing=missing)
    texts = ["AP", "nDCG@3", "P@2", "bpref"]
    scores = scored(votes, runs, texts)
    assert scores.subjects is not None
    cells = scores.cells
    assert cells.subject is not None
    for c, (q, s) in enumerate(zip(cells.query, cells.subject, strict=True)):
        for m, text in enumerate(texts):
            expected = alone(votes, runs, text, scores.subjects[s], scores.queries[q])
            np.testing.assert_allclose(scores.values[:, m, c], expected, atol=1e-15)


def test_undefined_cells_are_counted_or_left_out() -> None:
    rows = [("q", "a", "s", 1), ("q", "a", "t", 0), ("r", "b", "s", 0), ("r", "b", "t", 0)]
    votes = pd.DataFrame(rows, columns=COLUMNS)
    runs = {"x": {"q": {"a": 1.0}, "r": {"b": 1.0}}}
    with pytest.warns(UndefinedMeasureWarning, match="AP: 3 of 4 subject–query pairs"):
        zero = scored(votes, runs, ["AP", "P@1"])
    with pytest.warns(UndefinedMeasureWarning, match="are left out"):
        out = scored(votes, runs, ["AP", "P@1"], exclude=True)
    assert zero.values[0].tolist() == [[1, 0, 0, 0], [1, 0, 0, 0]]
    np.testing.assert_array_equal(out.values[0], [[1, np.nan, np.nan, np.nan], [1, 0, 0, 0]])


@quiet
def test_progress_reaches_one_in_equal_steps(monkeypatch) -> None:
    monkeypatch.setattr(pairs, "_VOTES", 12)
    votes, runs = small(0)
    done: list[float] = []
    scored(votes, runs, ["AP"], progress=done.append)
    assert done == pytest.approx([step / 6 for step in range(1, 7)])  # 3 queries, 2 systems
    done.clear()
    truth = {"q": {"a": 1.0, "b": 0.5}}
    scored(
        ft.Judgments.from_dict(truth).to_frame().assign(subject="s"),
        {name: {"q": {"a": 1.0}} for name in ("x", "y")},
        ["WD"],
        progress=done.append,
    )
    assert done == [0.5, 1.0]


@quiet
def test_bounds_are_those_of_all_completions() -> None:
    """One unjudged item of either subject: relevant or not."""
    rows = [("q", "a", "s", 1), ("q", "b", "s", 0), ("q", "a", "t", 1), ("q", "c", "t", 0)]
    votes = pd.DataFrame(rows, columns=COLUMNS)
    runs = {"x": {"q": {"b": 3.0, "c": 2.0, "a": 1.0}}}
    scores = scored(votes, runs, ["AP", "P@2"], bounds=True)
    for cell, (judged, unjudged) in enumerate(((["a", "b"], "c"), (["a", "c"], "b"))):
        grades = dict(zip(judged, [1, 0], strict=True))
        both = [
            ft.evaluate({"q": grades | {unjudged: g}}, runs, ["AP", "P@2"]).values[0, :, 0]
            for g in (0, 1)
        ]
        np.testing.assert_allclose(scores.lower[0, :, cell], np.min(both, axis=0))
        np.testing.assert_allclose(scores.upper[0, :, cell], np.max(both, axis=0))


@quiet
def test_undefined_cells_have_no_bounds() -> None:
    votes = pd.DataFrame([("q", "a", "s", 0), ("q", "b", "t", 1)], columns=COLUMNS)
    scores = scored(votes, {"x": {"q": {"a": 1.0}}}, ["AP", "P@1"], bounds=True, exclude=True)
    assert np.isnan(scores.lower[0, 0]).tolist() == [True, False]
    assert np.isnan(scores.upper[0, 1]).tolist() == [False, False]


@quiet
def test_measures_without_a_rule_for_bounds_are_named() -> None:
    votes, runs = small(0)
    with pytest.raises(ft.MeasureError, match="no rule is known for ADR, Judged@1; leave them out"):
        scored(votes, runs, ["ADR", "P@1", "Judged@1"], bounds=True)
