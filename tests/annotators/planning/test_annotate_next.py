"""The items to annotate next, against enumerations of all truths and of all votes to come."""

import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.votes_of_items import ITEMS, RUNS, RUNS_OF_ONE, VOTES, judgments

import fuzzytruth as ft
from fuzzytruth.annotators.planning.annotate_next import relevance_level
from fuzzytruth.errors import DegenerateWarning, ScaleWarning


def test_order_of_rows_and_systems_counts_and_seeds() -> None:
    votes = judgments(VOTES)
    shuffled = votes.to_frame().sample(frac=1, random_state=3)
    counts = shuffled.groupby(["query", "item", "grade"]).size().rename("count").reset_index()
    one = ft.annotate_next(votes, RUNS, "AP")
    for frame in (shuffled, counts):
        other = ft.annotate_next(frame, RUNS, "AP")
        pd.testing.assert_frame_equal(one.items, other.items, rtol=1e-9, check_exact=False)
        assert one.std_error == pytest.approx(other.std_error, rel=1e-9)
    swapped = ft.annotate_next(votes, RUNS, "AP", systems=("y", "x"))
    assert swapped.difference == pytest.approx(-one.difference)
    np.testing.assert_allclose(swapped.items["share"], one.items["share"], rtol=1e-9)
    again = ft.annotate_next(votes, RUNS, "AP")
    pd.testing.assert_frame_equal(one.items, again.items, check_exact=True)
    assert one.std_error != ft.annotate_next(votes, RUNS, "AP", rng=2).std_error


@pytest.mark.parametrize("measure", ["P@2", "AP", "nDCG@3"])
def test_the_difference_is_that_of_evaluate(measure: str) -> None:
    votes = judgments(VOTES)
    mean = ft.evaluate(votes, RUNS, measure).mean()
    expected = pytest.approx(mean.loc["x", measure] - mean.loc["y", measure])
    assert ft.annotate_next(votes, RUNS, measure).difference == expected
    shrunk = ft.annotate_next(votes, RUNS, measure, prior=1e-9, unjudged=False)
    assert shrunk.difference == expected
    assert ft.annotate_next(votes, RUNS, measure, prior=2).difference != expected


@pytest.mark.parametrize("cls", [ft.measures.AP, ft.measures.R, ft.measures.bpref])
def test_measures_with_rel_tell_no_other_grades_apart(cls: type[ft.measures.Measure]) -> None:
    rng = np.random.default_rng(0)
    grades = rng.choice(4, (20, 15), p=[0.5, 0.3, 0.1, 0.1])
    runs = {"x": {f"q{q}": [f"d{i}" for i in rng.permutation(18)[:12]] for q in range(20)}}
    measure = cls(rel=2)
    assert relevance_level(measure) == 2
    truths = [
        {f"q{q}": {f"d{i}": float(g) for i, g in enumerate(row)} for q, row in enumerate(table)}
        for table in (grades, np.where(grades >= 2, 3, 0))
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        values = [ft.evaluate(truth, runs, measure).values for truth in truths]
    np.testing.assert_allclose(*values)
    assert np.nanstd(values[0]) > 0


def test_votes_of_one_grade() -> None:
    """No votes above 0: nothing can be relevant. All relevant: the scale still has a 0."""
    for measure in ("P@2", "AP"):
        none, every = (
            ft.annotate_next(judgments({"q1": [counts] * 4}), RUNS_OF_ONE, measure)
            for counts in ((2, 0), (0, 2))
        )
        assert none.std_error == none.difference == 0
        assert 0 < every.std_error < 0.4
        assert (every.items["grade"] > 0.9).all()


def test_single_votes_say_nothing_of_agreement() -> None:
    votes = judgments({"q1": [(1, 0), (0, 1), (0, 1), (1, 0)]})
    with pytest.warns(DegenerateWarning, match="no item has two votes"):
        order = ft.annotate_next(votes, RUNS_OF_ONE, "P@2")
    assert order.correlation == pytest.approx(0.5)
    assert np.isnan(order.std_error_queries)  # a single query
    assert "sample" not in str(order)
    ft.annotate_next(votes, RUNS_OF_ONE, "P@2", prior={0: 1, 1: 1})  # does not warn


def test_queries_that_add_no_error_are_said_in_words() -> None:
    votes = {f"q{q}": [(1, 1), (1, 1), (0, 2), (2, 0)] for q in range(4)}
    runs = {
        name: {key: list(items) for key in votes} for name, items in {"x": "ab", "y": "ba"}.items()
    }
    order = ft.annotate_next(judgments(votes), runs, "P@1")
    assert order.std_error_queries == 0
    text = "queries are a sample (which is estimated to add no error to that of few votes)."
    assert text in " ".join(str(order).split())


def test_unjudged_items() -> None:
    runs = {"x": {"q1": ["a", "new", "b"]}, "y": {"q1": ["c", "b", "a", "low"]}}
    votes = judgments({"q1": VOTES["q1"]})
    order = ft.annotate_next(votes, runs, "P@2")
    rows = order.items.set_index("item")
    assert sorted(rows.index) == ["a", "b", "c", "d", "new"]  # "low" is below the cut-off
    assert rows.loc["new", "n_votes"] == 0
    assert rows.loc["new", ["rank_a", "rank_b"]].tolist() == [2, 0]
    assert rows.loc["d", ["rank_a", "rank_b"]].tolist() == [0, 0]
    assert order.n_unjudged == 1
    assert "1 item has none" in str(order)
    assert rows.loc["new", "share"] > 0.1
    every = ft.annotate_next(votes, runs, "AP")
    assert "low" in set(every.items["item"])
    judged = ft.annotate_next(votes, runs, "P@2", unjudged=False)
    assert judged.n_unjudged == 0
    assert sorted(judged.items["item"]) == ["a", "b", "c", "d"]


def test_nothing_retrieved_is_judged() -> None:
    runs = {"x": {"q1": ["k", "l"]}, "y": {"q1": ["m", "n"]}}
    votes = judgments({"q1": VOTES["q1"]})
    with pytest.warns(ft.FuzzytruthWarning, match="no retrieved item was judged"):
        order = ft.annotate_next(votes, runs, "P@2", unjudged=False)
    assert order.std_error == 0
    assert "no judged item at all" in str(order)
    with pytest.warns(ft.FuzzytruthWarning, match="no retrieved item was judged"):
        order = ft.annotate_next(votes, runs, "P@2")
    assert set(order.items["item"].iloc[:4]) == set("klmn")
    assert order.items["share"].iloc[:4].sum() == pytest.approx(1)


def test_ties() -> None:
    runs = {"x": {"q1": {"a": 1.0, "b": 1.0, "c": 0.5}}, "y": {"q1": {"d": 1.0, "c": 1.0}}}
    votes = judgments({"q1": VOTES["q1"]})
    rows = ft.annotate_next(votes, runs, "P@1", ties="expected", prior={0: 1, 1: 1}).items
    weight = rows.set_index("item")["share"] / pd.Series(
        # one vote to come, by the votes and the prior
        {i: (p := (v[1] + 1) / (sum(v) + 2)) * (1 - p) / (sum(v) + 3)
         for i, v in zip(ITEMS, VOTES["q1"], strict=True)}
    )  # fmt: skip
    np.testing.assert_allclose(weight, weight.iloc[0])  # each has half of a first place
    order = ft.annotate_next(votes, runs, "P@1").items.set_index("item")
    assert order.loc[["a", "c"], "share"].tolist() == [0, 0]  # by id, b and d are first


MISTAKES = {
    "systems": ({"systems": "x"}, "systems='x': must be two different names"),
    "same system": ({"systems": ("x", "x")}, "must be two different names"),
    "unknown system": ({"systems": ("x", "z")}, "systems: 'z' is not among the runs: 'x', 'y'"),
    "k": ({"k": 0}, "k=0: must be 1 or more"),
    "prior": ({"prior": 0}, "prior=0: must be above 0"),
    "prior text": ({"prior": "x"}, "prior='x': must be a finite number"),
    "prior without a grade": ({"prior": {0: 1}}, "must have votes for each grade; not 1"),
    "prior of no votes": ({"prior": {0: 1, 1: 0}}, "must be votes above 0"),
    "unjudged": ({"unjudged": 2}, "unjudged=2: must be True or False"),
    "limit": ({"limit": 0}, "limit=0: must be 1 or more"),
    "n_worlds": ({"n_worlds": 3}, "n_worlds=3: must be 16 or more"),
    "ties": ({"ties": "x"}, "ties='x': must be one of"),
    "rng": ({"rng": "x"}, "rng='x': must be None"),
}


@pytest.mark.parametrize(("options", "message"), MISTAKES.values(), ids=MISTAKES)
def test_wrong_options(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ft.errors.OptionError, match=message):
        ft.annotate_next(judgments(VOTES), RUNS, "P@2", **options)


def test_wrong_votes_and_measures() -> None:
    votes = judgments(VOTES)
    with pytest.raises(ft.errors.OptionError, match=r"measure=.*: name one measure"):
        ft.annotate_next(votes, RUNS, ["AP", "P@2"])
    with pytest.raises(ft.errors.MeasureError, match=r"WD.*: is of whole lists"):
        ft.annotate_next(votes, RUNS, "WD")
    with pytest.raises(ft.errors.MeasureError, match=r"alpha_nDCG.*: is of judgments by intent"):
        ft.annotate_next(votes, RUNS, "alpha_nDCG@5")
    with pytest.raises(ft.errors.DataError, match="one truth by an unknown author"):
        ft.annotate_next({"q1": {"a": 1}}, RUNS, "AP")
    with pytest.raises(ft.errors.OptionError, match=r"systems: name the two.*3 systems"):
        ft.annotate_next(votes, RUNS | {"z": RUNS["x"]}, "AP")
    fractions = votes.to_frame().assign(grade=np.linspace(0, 1, len(votes)))
    with pytest.raises(ft.errors.DataError, match="different grades"):
        ft.annotate_next(fractions, RUNS, "AP")
    with pytest.warns(ScaleWarning, match="2 of 12 subjects never reach the threshold"):
        assert ft.annotate_next(fractions, RUNS, "AP", rel=0.5).n_items == 8
    with pytest.raises(ft.errors.DataError, match="for several intents"):
        ft.annotate_next(votes.to_frame().assign(intent="1"), RUNS, "AP")


def test_as_many_items_as_asked_for_with_long_ids() -> None:
    rng = np.random.default_rng(0)
    items = [f"https://example.org/page-number-{j}" for j in range(30)]
    votes = pd.DataFrame(
        [("q", item, f"s{s}", int(rng.random() < 0.5)) for item in items for s in range(4)],
        columns=["query", "item", "subject", "grade"],
    )
    runs = {name: {"q": rng.permutation(items).tolist()} for name in ("x", "y")}
    shown = str(ft.annotate_next(votes, runs, "AP", limit=10))
    assert shown.count("https://example.org/") == 10
    more = str(ft.annotate_next(votes, runs, "AP", limit=20))
    assert "The first 5 of 20 items" in more


def test_a_standard_error_that_hardly_falls_does_not_seem_to_stay() -> None:
    rng = np.random.default_rng(1)
    rows, runs = [], {"x": {}, "y": {}}
    for q in range(40):
        items = [f"d{j}" for j in range(8)]
        rows += [(f"q{q}", d, f"s{s}", int(rng.random() < 0.4)) for d in items for s in range(8)]
        for run in runs.values():
            run[f"q{q}"] = rng.permutation(items).tolist()
    votes = pd.DataFrame(rows, columns=["query", "item", "subject", "grade"])
    order = ft.annotate_next(votes, runs, "AP", limit=1)
    fall = 1 - order.items["std_error"].iloc[0] / order.std_error
    assert 0 < fall < 0.002
    text = " ".join(str(order).split())
    assert f"one more vote on it would lower the standard error by {100 * fall:.2f} %" in text


def test_what_is_asked_for_is_taken() -> None:
    truth = ft.datasets.load_model_vs_human("edge").votes.by_example()
    runs = {"x": {"q": ["a"]}, "y": {"q": ["b"]}}
    for call, message in (
        (
            lambda: ft.annotate_next(truth.votes.membership(), runs, "AP"),
            r"give Judgments, votes.by_example\(",
        ),
        (lambda: ft.annotate_next({"q": {"a": 1}}, measure="AP"), "'AP': is for the difference of"),
        (lambda: ft.annotate_next({"q": {"a": 1}}, runs, "AP", category="1"), "votes without runs"),
        (lambda: ft.annotate_next({"q": {"a": 1}}, runs), "measure: name the measure"),
        (lambda: ft.agreement(truth), "votes: give Judgments, Assignments, a frame"),
        (lambda: ft.reliability(truth), "votes: give Judgments, Assignments, a frame"),
    ):
        with pytest.raises(ft.errors.OptionError, match=message) as raised:
            call()
        assert ("by_example()" in str(raised.value)) == ("by_example" in message)
    with pytest.raises(ft.errors.OptionError, match=r"truth: give Judgments, votes.by_example\(\)"):
        ft.evaluate(5, runs, "AP")
