"""`judged_only`, under every kind of worlds, against runs without the items it removes."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest
from support.building import batch_of, query

import fuzzytruth as ft
from fuzzytruth.errors import MeasureError
from fuzzytruth.measures import parse_measure
from fuzzytruth.measures.guards import scored

pytestmark = pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")
NAMES = ["P@2", "AP", "nDCG@3", "RR@1", "R@2", "F@2", "INST(max_rel=2)", "NumRet", "Rndcg"]
JUDGED = [
    "P(judged_only=True)@2",
    "AP(judged_only=True)",
    "nDCG(judged_only=True)@3",
    "RR(judged_only=True)@1",
    "R(judged_only=True)@2",
    "F(judged_only=True)@2",
    "INST(max_rel=2,judged_only=True)",
    "NumRet(judged_only=True)",
    "Rndcg(judged_only=True)",
]
ITEMS = [f"d{j}" for j in range(12)]


def run_of(rng: np.random.Generator, n_queries: int) -> dict[str, dict[str, float]]:
    """Lists of about nine of the items, with ties."""
    return {
        f"q{j}": {i: float(rng.integers(0, 6)) for i in ITEMS if rng.random() < 0.8}
        for j in range(n_queries)
    }


def votes_of(rng: np.random.Generator, low: int) -> pd.DataFrame:
    """Each of three people judges about half of the items."""
    rows = [
        (f"q{j}", item, who, int(rng.integers(low, 3)))
        for j in range(6)
        for item in ITEMS
        for who in ("ann", "bob", "cy")
        if rng.random() < 0.5
    ]
    return pd.DataFrame(rows, columns=["query", "item", "subject", "grade"])


@pytest.mark.parametrize("ties", ["trec", "order", "expected"])
def test_crisp(ties: str) -> None:
    rng = np.random.default_rng(1)
    run = run_of(rng, 6)
    truth = {q: {i: int(rng.integers(-1, 3)) for i in ITEMS[::2]} for q in run}
    some = {
        q: {i: s for i, s in items.items() if truth[q].get(i, -1) >= 0} for q, items in run.items()
    }
    names, judged = NAMES, JUDGED
    if ties == "expected":
        names, judged = names[:6] + names[7:], judged[:6] + judged[7:]
    result = ft.evaluate(truth, {"s": run}, judged, ties=ties).values
    np.testing.assert_array_equal(result, ft.evaluate(truth, {"s": some}, names, ties=ties).values)
    assert (result != ft.evaluate(truth, {"s": run}, names, ties=ties).values).any()


@pytest.mark.parametrize("low", [0, -1])
def test_judged_by_each_subject(low: int) -> None:
    """A subject's own judgments count, also where there are few (cells) or many (a table)."""
    rng = np.random.default_rng(2)
    votes, run = votes_of(rng, low), run_of(rng, 6)
    for who in ("ann", "bob", "cy"):
        own = votes[votes["subject"] == who]
        truth = ft.Judgments.from_frame(own)
        assert truth.subject is not None
        grade = {(q, i): g for q, i, _, g in own.itertuples(index=False)}
        some = {
            q: {i: s for i, s in items.items() if grade.get((q, i), -1) >= 0}
            for q, items in run.items()
        }
        result = ft.evaluate(truth, {"s": run}, JUDGED, worlds="subject").values
        expected = ft.evaluate(truth, {"s": some}, NAMES, worlds="subject").values
        np.testing.assert_array_equal(result, expected)
    # In one truth of all three, "exclude" takes out what the subject did not judge in any case.
    both = [
        ft.evaluate(votes, {"s": run}, names, worlds="subject", missing="exclude")
        for names in (JUDGED, ["P@2"])
    ]
    assert np.isfinite(both[0].values).all()
    grades = votes.set_index(["query", "item", "subject"])["grade"]
    for j, cell in enumerate(zip(both[0].cells.query, both[0].cells.subject_codes, strict=True)):
        q, who = both[0].queries[cell[0]], both[0].subjects[cell[1]]
        ranked = sorted(run[q], key=lambda i, q=q: (run[q][i], i), reverse=True)
        own = [grades.get((q, i, who), -1) for i in ranked]
        hits = [g for g in own if g >= 0][:2]
        assert both[0].values[0, 0, j] == sum(g >= 1 for g in hits) / 2


@pytest.mark.parametrize("low", [0, -1])
@pytest.mark.parametrize("ties", ["trec", "expected"])
def test_judged_in_drawn_worlds(low: int, ties: str) -> None:
    """Whoever's vote is drawn; below 0 in some worlds, an item is judged in the others only."""
    rng = np.random.default_rng(3)
    items = ["a", "b", "c"]
    votes = pd.DataFrame(
        [
            ("q", item, f"s{j}", grade)
            for item in items
            for j, grade in enumerate(rng.integers(low, 3, 2).tolist())
        ],
        columns=["query", "item", "subject", "grade"],
    )
    run = {"q": {"x": 9.0, "a": 5.0, "y": 4.0, "b": 4.0, "c": 3.0}}
    names = [n for n in JUDGED if ties == "trec" or "INST" not in n]
    scores = ft.evaluate(
        votes, {"s": run}, names, worlds="independent", rng=1, n_worlds=20_000, ties=ties
    )
    grade = votes.pivot_table(index="item", columns="subject", values="grade")
    worlds = [
        tuple(float(grade.loc[i].iloc[w]) for i, w in zip(items, which, strict=True))
        for which in itertools.product((0, 1), repeat=3)
    ]
    by_item = [tuple(world[j] for world in worlds) for j in range(3)]
    if ties == "trec":  # y before b
        answer = query([None, by_item[0], None, by_item[1], by_item[2]])
    else:
        answer = query([None, by_item[0], None, by_item[1], by_item[2]], ties=[1, 1, 2, 1])
    batch = batch_of(answer, top_grade=2.0)
    for j, name in enumerate(names):
        expected = scored(parse_measure(name), batch).mean()
        error = 5 * scores.uncertainty.mc_error[0, j, 0] + 1e-12
        assert scores.values[0, j, 0] == pytest.approx(expected, abs=error), name
    if low == 0 and ties == "trec":
        assert scores.uncertainty.exact[0, :5, 0].tolist() == [True] * 5


def test_population_worlds() -> None:
    rng = np.random.default_rng(4)
    votes, run = votes_of(rng, 0), run_of(rng, 6)
    judged = set(zip(votes["query"], votes["item"], strict=True))
    some = {q: {i: s for i, s in items.items() if (q, i) in judged} for q, items in run.items()}
    given = {"worlds": "population", "rng": 1, "n_worlds": 50}
    result, expected = (
        ft.evaluate(votes, {"s": lists}, names, **given).to_frame()
        for lists, names in ((run, JUDGED[:5]), (some, NAMES[:5]))
    )
    np.testing.assert_allclose(result["value"], expected["value"], atol=1e-12)
    np.testing.assert_allclose(result["std"], expected["std"], atol=1e-12)


def test_distributions_of_single_queries_and_differences() -> None:
    truth = ft.Judgments.from_probabilities(["q"] * 2, ["a", "b"], [0.5, 0.25])
    runs = {"s": {"q": {"x": 3.0, "a": 2.0, "b": 1.0}}, "t": {"q": {"b": 3.0, "x": 2.0, "a": 1.0}}}
    scores = ft.evaluate(truth, runs, "P(judged_only=True)@1", rng=0)
    for system, chance in (("s", 0.5), ("t", 0.25)):
        atoms = scores.distribution(system, "q", "P(judged_only=True)@1").to_frame()
        assert atoms["probability"].tolist() == pytest.approx([1 - chance, chance])


def test_query_by_example() -> None:
    rows = [(s, i, c) for s in "uv" for i, c in zip("abcd", "xxyx", strict=True)]
    votes = ft.Assignments.from_frame(pd.DataFrame(rows, columns=["subject", "item", "category"]))
    run = {"a": {"zz": 5.0, "b": 4.0, "yy": 3.0, "c": 2.0, "d": 1.0}}
    scores = ft.evaluate(votes.by_example(), {"s": run}, ["P(judged_only=True)@3", "P@3"], rng=0)
    values = scores.to_frame().set_index(["query", "measure"])["value"]
    assert values["a", "P(judged_only=True)@3"] == pytest.approx(2 / 3)
    assert values["a", "P@3"] == pytest.approx(1 / 3)


def test_what_takes_no_judged_only() -> None:
    for name in ("Judged", "RBO", "WD", "Kendall"):
        with pytest.raises(MeasureError, match="judged_only"):
            parse_measure(f"{name}(judged_only=True)")
    with pytest.raises(MeasureError, match="judged_only must be True or False"):
        parse_measure("P(judged_only=3)@5")
    with pytest.raises(
        MeasureError, match=r"no rule is known for judged_only, as in P\(judged_only=True\)@2"
    ):
        ft.evaluate({"q": {"a": 1}}, {"s": {"q": {"a": 1}}}, JUDGED[0], unjudged="bounds")


def test_nearest_neighbour_looks_past_items_without_judgment() -> None:
    truth, runs = {"q": {"b": 1, "c": 0}}, {"s": {"q": ["a", "b", "c"]}}
    scores = ft.evaluate(truth, runs, ["NN", "NN(judged_only=True)"])
    assert scores.values.ravel().tolist() == [0.0, 1.0]
