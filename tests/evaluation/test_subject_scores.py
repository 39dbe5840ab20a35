"""Scores under crisp truths, each subject's own, and with missing judgments drawn from others."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.every_world import small

import fuzzytruth as ft
from fuzzytruth.evaluation.subject_scores import score_subjects
from fuzzytruth.evaluation.worlds.setting import Sampling
from fuzzytruth.measures import parse_measure
from fuzzytruth.truth import align
from fuzzytruth.truth.pairs import aligned as pairs

quiet = pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")


@quiet
@pytest.mark.parametrize(("missing", "block"), [(False, 12), (True, 4096), (True, 12)])
def test_each_cell_is_a_subject_alone(monkeypatch, missing: bool, block: int) -> None:
    monkeypatch.setattr(pairs, "_VOTES", block)
    votes, runs = small(5, top=2, missing=missing)
    texts = ["AP", "nDCG@3", "P@2", "bpref"]
    aligned = align(ft.Judgments.from_frame(votes), ft.Runs.from_dict(runs), ties="trec")
    measures = tuple(map(parse_measure, texts))
    done: list[float] = []
    given = {"missing": "error", "exclude": False, "bounds": False}
    scores = score_subjects(aligned, measures, sampling=Sampling(1, progress=done.append), **given)
    assert done == pytest.approx([step / len(done) for step in range(1, len(done) + 1)])
    assert len(done) == 2 or block == 12  # systems
    for c, (q, s) in enumerate(zip(scores.cells.query, scores.cells.subject, strict=True)):
        query, subject = scores.queries[q], scores.subjects[s]
        rows = votes[(votes["subject"] == subject) & (votes["query"] == query)]
        truth = {query: dict(zip(rows["item"], rows["grade"].tolist(), strict=True))}
        own = {system: {query: lists[query]} for system, lists in runs.items()}
        alone = ft.evaluate(truth, own, texts).values[:, :, 0]
        np.testing.assert_allclose(scores.values[:, :, c], alone, atol=1e-15)


def test_lists_are_compared_system_by_system() -> None:
    done: list[float] = []
    runs = {name: {"q": {"a": 1.0}} for name in ("x", "y")}
    ft.evaluate({"q": {"a": 1.0, "b": 0.5}}, runs, "WD", progress=done.append)
    assert done == pytest.approx([0.2, 0.6, 1.0])


def test_missing_judgments_are_taken_out_where_another_subject_judged_twice() -> None:
    judged = [*"aabb"], ["ann", "ann", "ann", "bob"], [1, 0, 1, 1], [1, 2, 1, 1]
    truth = pd.DataFrame(dict(zip(("item", "subject", "grade", "repeat"), judged, strict=True)))
    truth["query"] = "q"
    runs = {"x": {"q": ["a", "b"]}}
    how: dict[str, Any] = {"worlds": "subject", "missing": "exclude"}
    scores = ft.evaluate(truth, runs, ["P@1", "AP"], n_worlds=500, rng=0, **how)
    assert scores.values[0, :, 1].tolist() == [1, 1]  # bob's list is b alone
    np.testing.assert_allclose(scores.values[0, :, 0], [0.5, (1 + 0.5) / 2], atol=0.06)
