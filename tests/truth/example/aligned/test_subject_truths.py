"""Subjects as worlds of one collection, and cells as queries of their own, give the same values."""

from typing import Any

import numpy as np
import pytest
from support.small_collections import DAG, TREE, make_runs, make_votes

import fuzzytruth as ft
from fuzzytruth.truth import align
from fuzzytruth.truth.example import aligned as module

MEASURES = ["AP", "P@2", "R@3", "nDCG@3", "RR", "Rprec", "bpref", "Judged@3", "NumRel"]


@pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")
@pytest.mark.parametrize("missing", ["nonrelevant", "exclude"])
@pytest.mark.parametrize("children", [TREE, DAG], ids=["tree", "dag"])
@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"category": "people"},
        {"category": {"a": "people", "b": "scenery", "c": "city"}},
        {"relevance": "path", "digits": 2},
        {"keep_query": True},
    ],
)
@pytest.mark.parametrize("ties", ["trec", "expected"])
def test_layouts_agree(
    children: Any, asked: Any, missing: Any, ties: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    tax = ft.Taxonomy.from_children(children)
    measures = MEASURES if ties == "trec" else ["AP", "P@2", "R@3", "Judged@3"]
    measures = [m for m in measures if "relevance" not in asked or m not in ("bpref", "RR")]
    for seed in range(4):
        votes = ft.Assignments.from_frame(make_votes(seed, tax, several=True), taxonomy=tax)
        runs = make_runs(seed + 10)
        layouts = []
        if seed:
            monkeypatch.setattr(module, "_HITS", 1)  # a block for each query
        for most in (10**9, -1):
            monkeypatch.setattr(module, "_DENSE", most)
            monkeypatch.setattr(module, "_SMALL", most)
            layouts.append(
                ft.evaluate(
                    votes.by_example(**asked),
                    runs,
                    measures,
                    worlds="subject",
                    missing=missing,
                    ties=ties,
                )
            )
        table, cells = layouts
        assert np.isfinite(table.values).all()
        np.testing.assert_array_equal(cells.cells.query, table.cells.query)
        np.testing.assert_allclose(cells.values, table.values, rtol=1e-13, atol=1e-15)


def test_ties_of_one_truth_have_ranks() -> None:
    """Those of several truths side by side have not."""
    tax = ft.Taxonomy.from_children(TREE)
    frame, tied = make_votes(0, tax), dict.fromkeys("abcde", 1.0)
    runs = ft.Runs.from_dict({"x": dict.fromkeys("abcde", tied)})
    for votes in (frame[frame["subject"] == frame["subject"][0]], frame):
        truth = ft.Assignments.from_frame(votes, taxonomy=tax).by_example()
        aligned = align(truth, runs, ties="trec")
        found = aligned.subject_truths(aligned.blocks("subject")[0], "nonrelevant").ties(0)
        assert (found is None) == (votes is frame)
