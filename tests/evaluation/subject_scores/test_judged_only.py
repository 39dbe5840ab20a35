"""`judged_only`, under every kind of worlds, against runs without the items it removes."""

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


@pytest.mark.parametrize(("low", "ties"), [(0, "trec"), (-1, "expected")])
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


def test_distributions_and_query_by_example() -> None:
    truth = ft.Judgments.from_probabilities(["q"] * 2, ["a", "b"], [0.5, 0.25])
    scores = ft.evaluate(truth, {"s": {"q": ["x", "a", "b"]}}, "P(judged_only=True)@1", rng=0)
    law = scores.distribution("s", "q", "P(judged_only=True)@1")
    assert law.to_frame().to_numpy().tolist() == [[0, 0.5], [1, 0.5]]
    votes = ft.Assignments.from_columns([*"uuuuvvvv"], [*"abcd"] * 2, [*"xxyx"] * 2)
    runs = {"s": {"a": ["zz", "b", "yy", "c", "d"]}}
    scores = ft.evaluate(votes.by_example(["a"]), runs, ["P(judged_only=True)@3", "P@3"], rng=0)
    assert scores.values.ravel().tolist() == pytest.approx([2 / 3, 1 / 3])


BY_INTENT = [
    "alpha_nDCG@5",
    "ERR_IA@4",
    "P_IA@3",
    "P_IA",
    "AP_IA",
    "StRecall@1",
    "NRBP",
    "nERR_IA@3",
]


JUDGED_BY_INTENT = [
    f"{name}(judged_only=True){at}{k}"
    for name, at, k in (each.partition("@") for each in BY_INTENT)
]


COLUMNS = ["query", "item", "intent", "subject", "grade"]


def without(run, judged):
    """The lists without the items that are not among the judged (query, item) pairs."""
    return {q: {i: s for i, s in items.items() if (q, i) in judged} for q, items in run.items()}


@pytest.mark.parametrize(
    "options",
    [
        {"worlds": "subject", "missing": "exclude"},
        {"worlds": "subject", "missing": "pooled"},
        {"worlds": "independent"},
        {"worlds": "population"},
    ],
)
def test_items_that_nobody_judged_are_left_out(options) -> None:
    rng = np.random.default_rng(0)
    rows = [
        (f"q{j}", item, intent, who, int(rng.integers(0, 3)))
        for j in range(4)
        for item in "abcdef"
        for intent in "xyz"
        for who in "uv"
        if rng.random() < 0.6
    ]
    votes = pd.DataFrame(rows, columns=COLUMNS)
    run = {f"q{j}": {i: float(rng.normal()) for i in "abcdefghij"} for j in range(4)}
    some = without(run, set(zip(votes["query"], votes["item"], strict=True)))
    given = {**options, "rng": 0, "n_worlds": 40}
    plain, judged = ["P@2", "nDCG@3", *BY_INTENT], [*JUDGED[::2][:2], *JUDGED_BY_INTENT]
    result, expected, before = (
        ft.evaluate(votes, {"s": lists}, names, **given).values
        for lists, names in ((run, judged), (some, plain), (run, plain))
    )
    np.testing.assert_allclose(result, expected, rtol=0, atol=1e-12)
    assert (np.abs(result - before).max(axis=(0, 2)) > 0.01).all()


def test_an_item_judged_for_intents_in_some_worlds_only() -> None:
    rows = [
        *(("q", "a", "x", "u", 1), ("q", "a", "y", "u", 1), ("q", "a", "x", "v", -1)),
        *(("q", "b", "y", "u", 0), ("q", "b", "y", "v", 1), ("q", "b", "x", "v", 1)),
        *(("q", "c", "x", "u", -1), ("q", "c", "x", "v", 2)),
    ]
    votes = pd.DataFrame(rows, columns=COLUMNS)
    run = {"q": {"n": 9.0, "c": 8.0, "a": 7.0, "m": 6.0, "b": 5.0}}
    options = {"worlds": "independent", "rng": 3, "n_worlds": 20_000}
    scores = ft.evaluate(votes, {"s": run}, JUDGED_BY_INTENT, **options)
    values = []
    for who in itertools.product("uv", repeat=3):
        of_item = dict(zip("abc", who, strict=True))
        drawn = votes[votes["item"].map(of_item) == votes["subject"]]
        best = drawn.groupby(["query", "item"])["grade"].max()
        lists = without(run, best.index[best >= 0])
        truth = drawn.drop(columns="subject")
        values.append(ft.evaluate(truth, {"s": lists}, BY_INTENT).values[0, :, 0])
    error = 5 * scores.uncertainty.mc_error[0, :, 0] + 1e-12
    assert (np.abs(scores.values[0, :, 0] - np.mean(values, axis=0)) < error).all()
