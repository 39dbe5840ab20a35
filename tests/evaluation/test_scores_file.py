"""Scores on disk and in pickles."""

from __future__ import annotations

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from support.large_scores import crowd

import fuzzytruth as ft

VOTES = pd.DataFrame(
    [
        (q, d, s, (hash_of + i) % 3 % 2)
        for q in ("q1", "q2")
        for i, d in enumerate("abc")
        for hash_of, s in enumerate(("x", "y", "z"))
        if (q, s) != ("q2", "z")
    ],
    columns=["query", "item", "subject", "grade"],
)
RUNS = {
    "one": {"q1": {"a": 2, "b": 1}, "q2": {"c": 1}},
    "two": {"q1": {"c": 2}, "q2": {"a": 2, "b": 1}},
}
KINDS = {
    "subject": {"worlds": "subject"},
    "independent": {"worlds": "independent", "n_worlds": 50, "keep_worlds": True},
    "population": {"worlds": "population", "n_worlds": 50, "keep_worlds": True},
    "bounds": {"worlds": "subject", "unjudged": "bounds", "missing": "nonrelevant"},
}


def evaluated(kind: str) -> ft.Scores:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ft.FuzzytruthWarning)
        return ft.evaluate(VOTES, RUNS, ["AP", "P@2"], rng=0, **KINDS[kind])


def check_equal(one: ft.Scores, other: ft.Scores) -> None:
    for name in ("systems", "queries", "measures", "subjects", "design", "higher_is_better"):
        assert getattr(one, name) == getattr(other, name)
    for name in ("values", "lower", "upper"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
    for name in ("query", "subject", "offsets", "n_queries", "n_subjects"):
        np.testing.assert_array_equal(getattr(one.cells, name), getattr(other.cells, name))
    if one.uncertainty is not None:
        for name in ("std", "exact", "mc_error", "world_means", "weight", "kept"):
            mine, theirs = getattr(one.uncertainty, name), getattr(other.uncertainty, name)
            np.testing.assert_array_equal(mine, theirs)
    pd.testing.assert_frame_equal(one.to_frame(), other.to_frame(), check_exact=True)


@pytest.mark.parametrize("kind", KINDS)
def test_what_was_saved_loads_equal(kind: str, tmp_path) -> None:
    scores = evaluated(kind)
    scores.save(tmp_path / "scores.parquet")
    check_equal(ft.Scores.load(tmp_path / "scores.parquet"), scores)


@pytest.mark.parametrize("kind", KINDS)
def test_scores_pickle(kind: str) -> None:
    scores = evaluated(kind)
    back = pickle.loads(pickle.dumps(scores))
    check_equal(back, scores)
    if scores.subjects is None:  # it still knows how to draw single queries again
        one, two = (x.distribution("one", "q1", "AP") for x in (scores, back))
        np.testing.assert_array_equal(one.values, two.values)


def test_a_crowd_is_saved_by_cells(tmp_path) -> None:
    scores = crowd()
    scores.save(tmp_path / "scores.parquet")
    back = ft.Scores.load(tmp_path / "scores.parquet")
    np.testing.assert_array_equal(back.values, scores.values)
    np.testing.assert_array_equal(back.cells.query, scores.cells.query)
    np.testing.assert_array_equal(back.cells.subject, scores.cells.subject)
    assert len(back.to_frame()) == 3 * len(scores.cells)
