"""Curves against the measures at every cut-off, the worked example of SHREC 2006, bands by hand."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from support.messy import messy
from support.scores_for_tests import dense

import fuzzytruth as ft
from fuzzytruth.evaluation.lists.curves import over_queries, over_subjects

quiet = pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")


GOLDEN = Path(__file__).parents[2] / "golden"


@quiet
@pytest.mark.parametrize(
    "kind",
    [
        "nCG",
        "DCG(dcg=burges)",
        "nDCG(base=3,dcg=jarvelin)",
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
@pytest.mark.parametrize("rel", [2])
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


def test_queries_without_relevant_items_are_counted_or_left_out():
    truth, runs = {"a": {"x": 1}, "b": {"x": 0}}, {"s": {"a": {"x": 1.0}, "b": {"x": 1.0}}}
    with pytest.warns(ft.FuzzytruthWarning, match=r"nDCG: 1 of 2 queries \(b\)"):
        assert ft.curves(truth, runs, "nDCG").mean()["value"].tolist() == [0.5]
    with pytest.warns(ft.FuzzytruthWarning, match="left out"):
        assert ft.curves(truth, runs, "nDCG", undefined="exclude").mean()["value"].tolist() == [1]


@pytest.mark.parametrize(
    ("kind", "options", "words"),
    [
        *((kind, {}, "must be one of CG, DCG") for kind in ("AP", "nDCG@10", "nDCG-recall", "")),
        ("CG", {"depth": 0}, "depth=0"),
        ("CG", {"ties": "expected"}, "needs an order"),
    ],
)
def test_mistakes(kind, options, words):
    with pytest.raises(ft.errors.OptionError, match=words):
        ft.curves({"q": {"a": 1}}, {"s": {"q": {"a": 1.0}}}, kind, **options)


#: query 0 has two subjects, query 1 has one, query 2 has none, query 3 has one
OFFSETS = np.array([0, 2, 3, 3, 4])


VALUES = np.array([[0.0, 1.0], [0.4, 1.0], [0.5, 1.0], [0.8, 1.0]])  # (cells, points)


def test_over_queries_it_is_the_t_interval_of_their_means() -> None:
    lower, upper = over_queries(VALUES, None, OFFSETS, 0.9)
    means = [0.2, 0.5, 0.8]  # the query without subjects does not count
    half = stats.t.ppf(0.95, 2) * np.std(means, ddof=1) / np.sqrt(3)
    assert (lower[0], upper[0]) == pytest.approx((0.5 - half, 0.5 + half))
    assert (lower[1], upper[1]) == (1, 1)


def test_over_queries_a_weighted_mean_is_a_ratio() -> None:
    weight = np.array([[1], [1], [2], [0]])
    values = np.array([[0.2], [0.4], [0.9], [5.0]])
    lower, upper = over_queries(values, weight, OFFSETS, 0.95)
    total, size = np.array([0.6, 1.8]), np.array([2, 2])  # the last query has no weight
    mean = total.sum() / size.sum()
    error = np.sqrt(2 / 1 * ((total - mean * size) ** 2).sum()) / size.sum()
    half = stats.t.ppf(0.975, 1) * error
    assert (lower[0], upper[0]) == pytest.approx((mean - half, mean + half))


def test_over_subjects_it_is_the_range_of_their_mean_curves() -> None:
    subject = np.array([5, 2, 5, 2])  # each judged two queries
    lower, upper = over_subjects(VALUES, None, subject, 2)
    assert lower.tolist() == pytest.approx([0.25, 1])  # subject 5: (0 + 0.5) / 2
    assert upper.tolist() == pytest.approx([0.6, 1])
    weight = np.array([[1, 0], [3, 0], [1, 0], [1, 0]])
    lower, upper = over_subjects(VALUES, weight, subject, 2)
    assert (lower[0], upper[0]) == pytest.approx((0.25, (3 * 0.4 + 0.8) / 4))
    assert np.isnan([lower[1], upper[1]]).all()


def test_subjects_of_different_queries_have_no_band() -> None:
    with pytest.raises(ft.errors.OptionError, match="1 subject of 2 did not judge all 2 queries"):
        over_subjects(VALUES[:3], None, np.array([0, 0, 1]), 2)


LONG = {"q": {f"d{j}": int(j % 3 == 0) for j in range(30)}}


SHIFTED = {f"sys{s}": {"q": [f"d{(j + s) % 30}" for j in range(30)]} for s in range(12)}


@pytest.mark.parametrize(("kind", "column"), [("PR", "precision"), ("DCG-recall", "value")])
def test_values_are_those_of_the_mean_curve(kind: str, column: str) -> None:
    curves = ft.curves(LONG, SHIFTED, kind)
    mean = curves.mean()
    axis = "rank" if "rank" in mean else "recall"
    lines = curves._answer().text(80).split("\n")
    start = lines.index(f"{column} at {axis}, the first 10 of 12 systems")
    points = [float(point) for point in lines[start + 1].split()[1:]]
    shown = [float(value) for value in lines[start + 3].split()[1:]]
    want = mean[mean["system"] == "sys0"].set_index(axis)[column][points]
    assert shown == pytest.approx(want.tolist(), abs=5e-3)
    assert sum(line.startswith("sys") for line in lines[start + 3 : start + 14]) == 10
    assert ("n: curves that reach the level of recall." in str(curves)) == (kind != "PR")


@pytest.mark.parametrize(("design", "n"), [("crossed", 2), ("nested", 4)])
def test_nested_subjects_are_counted_in_each_query(design: str, n: int) -> None:
    truth = ft.Judgments.from_columns(
        [*"qqrr"], [*"abab"], [1, 0, 0, 1], subject=[*"stst"], design=design
    )
    runs = {"x": {"q": ["a", "b"], "r": ["a", "b"]}}
    curves = ft.curves(truth, runs, "CG", worlds="subject", missing="nonrelevant")
    assert f"means over queries and {n} subjects, each of whom" in " ".join(str(curves).split())
    assert curves._plot_data("curves").title.endswith(f"means over 2 queries and {n} subjects")


def test_bands_are_named() -> None:
    votes = ft.Judgments.from_columns([*"qqqq"], [*"abab"], [1, 0, 0, 1], subject=[*"sstt"])
    curves = ft.curves(votes, {"x": {"q": ["a", "b"]}}, "CG", worlds="subject")
    for over, words in (("query", "t interval over queries"), ("subject", "range of 2 subjects")):
        assert curves._plot_data("curves", over=over).frame["band"].str.endswith(words).all()
