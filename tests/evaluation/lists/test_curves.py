"""Curves against the measures at every cut-off, and the worked example of SHREC 2006."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from support.messy import messy
from support.scores_for_tests import dense
from support.small_collections import TREE, make_runs, make_votes

import fuzzytruth as ft

quiet = pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")
GOLDEN = Path(__file__).parents[2] / "golden"


@quiet
@pytest.mark.parametrize(
    "kind",
    [
        "CG",
        "DCG",
        "nCG",
        "nDCG",
        "nDCG(dcg=jarvelin)",
        "DCG(dcg=burges)",
        "nDCG(base=3,dcg=jarvelin)",
        "nDCG(gains={0:0,1:1,2:3})",
        "nDCG(gains={1:3,2:1})",
        "CG(gains={1:0})",
        "nDCG(judged_only=True)",
    ],
)
def test_gain_curves_equal_the_measure_at_every_rank(kind):
    truth, run = messy(np.random.default_rng(3), n_queries=10)
    curve = ft.curves(truth, {"sys": run}, kind, depth=70)
    scores = ft.evaluate(truth, {"sys": run}, [f"{kind}@{k}" for k in range(1, 71)])
    values = curve.columns["value"][0]  # (queries, ranks)
    np.testing.assert_allclose(values, scores.values[0].T, rtol=0, atol=1e-12)
    np.testing.assert_allclose(curve.mean()["value"], scores.mean().loc["sys"], atol=1e-12)


@quiet
def test_gain_curves_of_what_each_subject_judged():
    rng = np.random.default_rng(5)
    rows = [
        (f"q{j}", item, who, int(rng.integers(-1, 3)))
        for j in range(3)
        for item in "abcdef"
        for who in "uvw"
        if rng.random() < 0.7
    ]
    votes = pd.DataFrame(rows, columns=["query", "item", "subject", "grade"])
    run = {f"q{j}": {item: float(rng.normal()) for item in "abcdefgh"} for j in range(3)}
    options = {"worlds": "subject", "missing": "exclude"}
    curve = ft.curves(votes, {"s": run}, "nDCG(judged_only=True)", depth=4, **options)
    names = [f"nDCG(judged_only=True)@{k}" for k in range(1, 5)]
    scores = ft.evaluate(votes, {"s": run}, names, **options)
    np.testing.assert_allclose(curve.columns["value"][0], scores.values[0].T, atol=1e-12)


@quiet
def test_gain_against_recall_of_items_with_a_gain():
    truth, runs = {"q": {"a": 1, "b": 2, "c": 2}}, {"s": {"q": {"a": 3.0, "x": 2.0, "b": 1.0}}}
    frame = ft.curves(truth, runs, "CG(gains={1:0,2:5})-recall").to_frame()
    assert frame[["rank", "recall", "value"]].values.tolist() == [[3, 0.5, 5]]


@quiet
@pytest.mark.parametrize("rel", [1, 2])
def test_precision_recall_points(rel):
    truth, run = messy(np.random.default_rng(4), n_queries=10)
    frame = ft.curves(truth, {"sys": run}, f"PR(rel={rel})").to_frame()
    sizes = frame.groupby("query").size()
    assert sizes.to_dict() == {q: len(items) for q, items in run.items()}
    for k in (1, 5, 20):
        want = ft.evaluate(truth, {"sys": run}, [f"P(rel={rel})@{k}", f"R(rel={rel})@{k}"])
        at = frame[frame["rank"] == k].set_index("query")
        for j, query in enumerate(want.queries):
            if query in at.index:
                assert at.loc[query, "precision"] == pytest.approx(dense(want)[0, 0, 0, j])
                assert at.loc[query, "recall"] == pytest.approx(dense(want)[0, 1, 0, j])


@quiet
def test_interpolated_precision():
    truth, run = messy(np.random.default_rng(5), n_queries=10)
    curve = ft.curves(truth, {"sys": run}, "IPR").mean()
    scores = ft.evaluate(truth, {"sys": run}, [f"IPrec@{j / 10}" for j in range(11)])
    np.testing.assert_allclose(curve["precision"], scores.mean().loc["sys"])
    np.testing.assert_allclose(curve["recall"], np.arange(11) / 10)


def test_subjects_and_unseen_items():
    rows = [
        ("q", d, s, g)
        for s, gs in {"x": "0120", "y": "2100"}.items()
        for d, g in zip("abcd", gs, strict=True)
    ]
    votes = pd.DataFrame(rows, columns=["query", "item", "subject", "grade"]).astype({"grade": int})
    runs = {"sys": {"q": {"a": 4.0, "b": 3.0, "c": 2.0, "d": 1.0}}}
    frame = ft.curves(votes, runs, "CG").to_frame()
    assert frame[frame["subject"] == "x"]["value"].tolist() == [0, 1, 3, 3]
    assert frame[frame["subject"] == "y"]["value"].tolist() == [2, 3, 3, 3]
    fewer = votes[~((votes["subject"] == "x") & (votes["item"] == "a"))]
    out = ft.curves(fewer, runs, "CG", missing="exclude").to_frame()
    assert out[out["subject"] == "x"]["value"].tolist() == [1, 3, 3, 3]


def test_gain_against_recall():
    truth = {"q1": {"a": 2, "b": 1, "c": 1}, "q2": {"a": 1, "b": 1}}
    runs = {"sys": {"q1": {"b": 4.0, "x": 3.0, "a": 2.0}, "q2": {"a": 1.0}}}
    curve = ft.curves(truth, runs, "CG-recall")
    frame = curve.to_frame()
    assert frame["rank"].tolist() == [1, 3, 1]
    np.testing.assert_allclose(frame["recall"], [1 / 3, 2 / 3, 1 / 2])
    assert frame["value"].tolist() == [1, 3, 1]
    mean = curve.mean()
    assert mean["n"].tolist() == [2, 2, 2, 2, 2, 1, 0, 0, 0, 0]
    np.testing.assert_allclose(mean["value"][:6], [1, 1, 1, 2, 2, 3])


@pytest.mark.parametrize("key", ["CG", "DCG", "nCG", "nDCG"])
def test_worked_example_of_shrec_2006(key):
    golden = json.loads((GOLDEN / "shrec2006_example.json").read_text())
    gains = golden["gains_in_rank_order"]
    truth = {f"i{j}": g for j, g in enumerate(gains) if g}
    missing = golden["highly_relevant"] - gains.count(2)
    truth |= {f"h{j}": 2 for j in range(missing)}
    truth |= {f"m{j}": 1 for j in range(golden["relevant"] - len(truth))}
    run = {f"i{j}": -j for j in range(len(gains))}
    kind = f"{key}(dcg=jarvelin)" if "D" in key else key
    frame = ft.curves({"q": truth}, {"sys": {"q": run}}, kind).to_frame()
    np.testing.assert_allclose(frame["value"], golden[key], rtol=0, atol=5.1e-7)


@pytest.mark.parametrize("kind", ["AP", "nDCG@10", "PR@5", "nDCG-recall", "", "what"])
def test_what_is_no_curve_is_an_error(kind):
    with pytest.raises(ft.OptionError, match="must be one of CG, DCG"):
        ft.curves({"q": {"a": 1}}, {"s": {"q": {"a": 1.0}}}, kind)


def test_bad_options():
    with pytest.raises(ft.OptionError, match="depth=0"):
        ft.curves({"q": {"a": 1}}, {"s": {"q": {"a": 1.0}}}, "CG", depth=0)
    with pytest.raises(ft.OptionError, match="needs an order"):
        ft.curves({"q": {"a": 1}}, {"s": {"q": {"a": 1.0}}}, "CG", ties="expected")


def test_mean_curve_is_the_mean_score_where_subjects_differ_in_number():
    rows = [("q1", "a", s, 1) for s in ("s1", "s2", "s3")] + [("q2", "a", "s1", 1)]
    votes = pd.DataFrame(rows, columns=["query", "item", "subject", "grade"])
    runs = {"s": {"q1": {"a": 2.0, "b": 1.0}, "q2": {"b": 2.0, "a": 1.0}}}
    curve = ft.curves(votes, runs, "PR").mean()
    score = ft.evaluate(votes, runs, "P@1", worlds="subject").mean().loc["s", "P@1"]
    assert curve["precision"][0] == score == 0.5


def test_queries_without_relevant_items_are_counted_or_left_out():
    truth, runs = {"a": {"x": 1}, "b": {"x": 0}}, {"s": {"a": {"x": 1.0}, "b": {"x": 1.0}}}
    with pytest.warns(ft.FuzzytruthWarning, match=r"nDCG: 1 of 2 queries \(b\)"):
        assert ft.curves(truth, runs, "nDCG").mean()["value"].tolist() == [0.5]
    with pytest.warns(ft.FuzzytruthWarning, match="left out"):
        assert ft.curves(truth, runs, "nDCG", undefined="exclude").mean()["value"].tolist() == [1]


def test_query_by_example_has_curves() -> None:
    tax = ft.Taxonomy.from_children(TREE)
    votes = ft.Assignments.from_frame(make_votes(1, tax), taxonomy=tax)
    truth, runs = votes.by_example(), make_runs(2)
    options = {"worlds": "subject", "missing": "nonrelevant"}
    curve = ft.curves(truth, runs, "CG", depth=4, **options)
    scores = ft.evaluate(truth, runs, [f"CG@{k}" for k in range(1, 5)], **options)
    np.testing.assert_allclose(
        curve.columns["value"], scores.values.transpose(0, 2, 1), rtol=0, atol=1e-12
    )
    assert curve.columns["value"].std() > 0
    frame = curve.to_frame()
    assert set(frame["subject"]) == set(truth.subjects)
    np.testing.assert_allclose(
        curve.mean().pivot(index="system", columns="rank", values="value"),
        scores.mean().loc[list(runs)],
        atol=1e-12,
    )


def test_bounds_and_lists_are_refused_for_query_by_example() -> None:
    tax = ft.Taxonomy.from_children(TREE)
    truth = ft.Assignments.from_frame(make_votes(1, tax), taxonomy=tax).by_example()
    options = {"worlds": "subject", "missing": "nonrelevant"}
    with pytest.raises(ft.OptionError, match=r"^unjudged='bounds': query by example has no"):
        ft.evaluate(truth, make_runs(2), "P@2", unjudged="bounds", **options)
    with pytest.raises(ft.MeasureError, match="votes for categories are no ranked lists"):
        ft.evaluate(truth, make_runs(2), "WD")


@quiet
@pytest.mark.parametrize("kind", ["PR", "IPR", "nDCG", "DCG-recall"])
@pytest.mark.parametrize("missing", ["exclude", "nonrelevant"])
def test_curves_of_many_subjects_are_those_of_few(kind, missing):
    """From 16 subjects on, those of query by example lie in memory in another way."""
    tax = ft.Taxonomy.from_children(TREE)
    votes = make_votes(1, tax)
    other = [votes.replace({"subject": {"s1": f"t{n}", "s2": f"u{n}"}}) for n in range(8)]
    many = pd.concat([part[part["subject"] != "s0"] for part in other] + [votes])
    few, all_of_them = (
        ft.curves(
            ft.Assignments.from_frame(frame, taxonomy=tax).by_example(),
            make_runs(2),
            kind,
            worlds="subject",
            missing=missing,
        ).to_frame()
        for frame in (votes, many)
    )
    assert all_of_them["subject"].nunique() == 19
    same = all_of_them[all_of_them["subject"].isin(["s0", "s1", "s2"])]
    key = [c for c in few.columns if c not in few.select_dtypes("float")] + ["recall"]
    key = [c for c in key if c in few.columns]
    pd.testing.assert_frame_equal(
        few.sort_values(key, ignore_index=True), same.sort_values(key, ignore_index=True)
    )
