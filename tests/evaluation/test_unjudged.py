"""Bounds against trying out every way in which unjudged items could be judged."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest
from support.scores_for_tests import dense

import fuzzytruth as ft

MEASURES = [
    "P@2", "P@9", "P", "R@2", "R", "Success@1", "Success@3", "RR", "RR@2", "NN", "AP", "AP@2",
    "RBP", "RBP(p=0.5)@3", "CG@3", "DCG", "DCG(dcg=burges)@2", "TP@3", "AP(rel=2)", "R(rel=2)@3",
]  # fmt: skip
quiet = pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")


def case(seed):
    """A truth with negative grades, and two runs that list items nobody judged."""
    rng = np.random.default_rng(seed)
    truth = {"q": {f"d{j}": int(rng.choice([-1, 0, 1, 2])) for j in range(5)} | {"top": 2, "d0": 0}}
    runs = {}
    for system in ("a", "b"):
        listed = rng.permutation([f"d{j}" for j in range(7)])[: rng.integers(2, 7)]
        runs[system] = {"q": {str(d): float(-k) for k, d in enumerate(listed)}}
    return truth, runs


@quiet
@pytest.mark.parametrize("seed", range(12))
def test_all_completions_lie_between_the_bounds_and_reach_them(seed):
    truth, runs = case(seed)
    result = ft.evaluate(truth, runs, MEASURES, unjudged="bounds")
    grades = truth["q"]
    listed = {d for run in runs.values() for d in run["q"]}
    pool = sorted({d for d in listed if d not in grades} | {d for d, g in grades.items() if g < 0})
    values = [
        dense(
            ft.evaluate({"q": grades | dict(zip(pool, completion, strict=True))}, runs, MEASURES)
        )[:, :, 0, 0]
        for completion in itertools.product([0, 2], repeat=len(pool))
    ]
    np.testing.assert_allclose(result.lower[:, :, 0], np.min(values, axis=0), atol=1e-12)
    np.testing.assert_allclose(result.upper[:, :, 0], np.max(values, axis=0), atol=1e-12)


@quiet
def test_each_subject_has_bounds_of_its_own():
    rows = [("q", "a", "x", 1), ("q", "b", "x", 0), ("q", "a", "y", 1)]
    votes = pd.DataFrame(rows, columns=["query", "item", "subject", "grade"])
    runs = {"s": {"q": {"b": 2.0, "a": 1.0}}}
    options = {"worlds": "subject", "missing": "nonrelevant", "unjudged": "bounds"}
    frame = ft.evaluate(votes, runs, ["P@1"], **options).to_frame().set_index("subject")
    assert frame.loc["x", ["lower", "upper"]].tolist() == [0, 0]
    assert frame.loc["y", ["lower", "upper"]].tolist() == [0, 1]  # y did not judge b


@quiet
def test_bounds_are_the_value_when_everything_is_judged(tmp_path):
    truth = {"q": {"a": 1, "b": 0, "c": 1}}
    scores = ft.evaluate(truth, {"s": {"q": {"b": 2.0, "a": 1.0}}}, MEASURES[:3], unjudged="bounds")
    np.testing.assert_array_equal(scores.lower, scores.values)
    np.testing.assert_array_equal(scores.upper, scores.values)
    scores.save(tmp_path / "s.parquet")
    pd.testing.assert_frame_equal(
        ft.Scores.load(tmp_path / "s.parquet").to_frame(), scores.to_frame()
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"measures": ["nDCG", "P@1"]}, "no rule is known for nDCG; there is one for AP, TP"),
        ({"ties": "expected"}, "items need one rank"),
        ({"worlds": "independent"}, "worlds='independent' has none"),
        ({"unjudged": "both"}, "unjudged='both'"),
    ],
)
def test_what_has_no_bounds(options, message):
    given = {"measures": ["P@1"], "unjudged": "bounds"} | options
    with pytest.raises(ft.FuzzytruthError, match=message):
        ft.evaluate({"q": {"a": 1}}, {"s": {"q": {"a": 1.0}}}, **given)
