"""What a fit of strengths becomes: tables, probabilities, judgments and scores."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import fuzzytruth as ft

#: in q1, a, b and c are of equal strength; in q2, a beats b three times in four
VOTES = pd.DataFrame(
    {
        "query": ["q1"] * 3 + ["q2"] * 4,
        "winner": list("abc") + list("aaab"),
        "loser": list("bca") + list("bbba"),
    }
)
FIT = ft.bradley_terry(VOTES, order_effect=False)
ALL = ft.bradley_terry(VOTES.drop(columns="query"), order_effect=False)
HALF = np.log(3) / 2


def test_table() -> None:
    table = FIT.to_frame(full=True)
    names = ["query", "item", "strength", "std_error", "lower", "upper", "comparisons", "wins"]
    assert table.columns.tolist() == names
    assert table["query"].tolist() == ["q1"] * 3 + ["q2"] * 2
    assert table["item"].tolist()[3:] == ["a", "b"]
    assert table["strength"].to_numpy() == pytest.approx([0, 0, 0, HALF, -HALF], abs=1e-12)
    assert table["comparisons"].tolist() == [2, 2, 2, 4, 4]
    assert table["wins"].tolist() == [1, 1, 1, 3, 1]
    assert ALL.to_frame(full=True).columns.tolist() == names[1:]
    assert (repr(FIT), repr(ALL)) == ("BradleyTerry(3 items, 2 queries)", "BradleyTerry(3 items)")


def test_strongest_first() -> None:
    for _, rows in FIT.to_frame().groupby("query"):
        assert rows["strength"].is_monotonic_decreasing
    assert ALL.to_frame()["strength"].is_monotonic_decreasing


def test_differences() -> None:
    table = FIT.differences()
    pairs = list(zip(table["query"], table["item_a"], table["item_b"], strict=True))
    assert pairs == [("q1", "a", "b"), ("q1", "a", "c"), ("q1", "b", "c"), ("q2", "a", "b")]
    assert table["difference"].to_numpy() == pytest.approx([0, 0, 0, 2 * HALF], abs=1e-12)
    # of three items compared once each: information 1/4 a pair, and so variance 8/3
    errors = [np.sqrt(8 / 3)] * 3 + [np.sqrt(1 / 3 + 1)]
    assert table["std_error"].to_numpy() == pytest.approx(errors, rel=1e-12)
    assert "query" not in ALL.differences()


def test_probability() -> None:
    assert FIT.probability("a", "b", "q2") == pytest.approx(0.75, rel=1e-12)
    assert FIT.probability("b", "a", query="q2") == pytest.approx(0.25, rel=1e-12)
    assert FIT.probability("a", "c", "q1") == pytest.approx(0.5, rel=1e-12)
    row = ALL.differences().set_index(["item_a", "item_b"]).loc[("a", "c")]
    assert ALL.probability("a", "c") == row["probability"]


@pytest.mark.parametrize(
    ("fit", "arguments", "message"),
    [
        (FIT, ("a", "b"), "query=None: name a query"),
        (FIT, ("a", "b", "qq1"), r"query='qq1': there is no such query \(nearest: 'q1'\)"),
        (FIT, ("a", "c", "q2"), "b='c': is not among the items of this query"),
        (ALL, ("x", "a"), "a='x': is not among the items"),
        (ALL, ("a", "b", "q1"), "query='q1': there are no queries; leave it out"),
    ],
)
def test_unknown_names(fit: ft.BradleyTerry, arguments: tuple[str, ...], message: str) -> None:
    with pytest.raises(ft.OptionError, match=f"^{message}"):
        fit.probability(*arguments)


def test_a_single_query_need_not_be_named() -> None:
    fit = ft.bradley_terry(VOTES[VOTES["query"] == "q2"], order_effect=False)
    assert fit.probability("a", "b") == fit.probability("a", "b", "q2")


@pytest.mark.parametrize(
    ("scale", "grades"),
    [
        ("strength", [0, 0, 0, HALF, -HALF]),
        ("probability", [0.5, 0.5, 0.5, 1 / (1 + 3**-0.5), 1 / (1 + 3**0.5)]),
        ("rank", [1, 1, 1, 1, 0]),
    ],
)
def test_judgments_and_scores(scale: str, grades: list[float]) -> None:
    judgments = FIT.to_judgments(scale=scale).to_frame()
    assert judgments["query"].tolist() == ["q1"] * 3 + ["q2"] * 2
    assert judgments["item"].tolist() == list("abcab")
    assert judgments["grade"].to_numpy() == pytest.approx(grades, abs=1e-12)
    scores = FIT.to_scores(scale=scale)
    assert scores.measures == (scale,)
    assert scores.higher_is_better == (True,)
    table = scores.to_frame().set_index(["query", "system"])["value"]
    expected = judgments.set_index(["query", "item"])["grade"]
    assert table[expected.index].tolist() == expected.tolist()


def test_ndcg_of_the_grades() -> None:
    gains = FIT.to_judgments().to_frame().set_index(["query", "item"])["grade"]
    runs = {"best": {"q2": {"a": 2, "b": 1}}, "worst": {"q2": {"a": 1, "b": 2}}}
    truth = ft.bradley_terry(VOTES[VOTES["query"] == "q2"], order_effect=False).to_judgments()
    mean = ft.evaluate(truth, runs, ["nDCG@2"]).mean()["nDCG@2"]
    a, b = gains["q2", "a"], gains["q2", "b"]
    discount = 1 / np.log2(3)
    expected = (b + a * discount) / (a + b * discount)
    assert mean["best"] == pytest.approx(1)
    assert mean["worst"] == pytest.approx(expected, rel=1e-12)


def test_systems_are_compared() -> None:
    """Systems × prompts: strengths of each prompt, compared over prompts."""
    rng = np.random.default_rng(0)
    pairs = np.array([("x", "y"), ("y", "z"), ("z", "x")])
    sides = np.tile(pairs, (200, 1))
    votes = pd.DataFrame({"model_a": sides[:, 0], "model_b": sides[:, 1]})
    votes["prompt"] = np.repeat(np.arange(20), 30)
    favours_x = np.where(votes["model_a"] == "x", 0.8, np.where(votes["model_b"] == "x", 0.2, 0.5))
    votes["winner"] = np.where(rng.random(600) < favours_x, "model_a", "model_b")
    scores = ft.bradley_terry(votes, prior=0.5, columns={"query": "prompt"}).to_scores()
    assert (scores.systems, len(scores.queries)) == (("x", "y", "z"), 20)
    table = ft.compare(scores, baseline="x").to_frame()
    assert (table["upper"] < 0).all()


@pytest.mark.parametrize("method", ["to_judgments", "to_scores"])
def test_what_needs_queries(method: str) -> None:
    with pytest.raises(ft.OptionError, match=f"^{method}: .* no column of queries; give them one"):
        getattr(ALL, method)()
    with pytest.raises(ft.OptionError, match=r"^scale='grade': must be one of 'probability'"):
        getattr(FIT, method)(scale="grade")
