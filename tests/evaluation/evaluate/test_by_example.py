"""Query by example under every kind of worlds, against going through all of them."""

import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.covering import covering_array
from support.scores_for_tests import dense
from support.small_collections import DAG, TREE, make_runs, make_votes
from support.worlds_of_items import ballots, every_world, without_query

import fuzzytruth as ft
from fuzzytruth.errors import UnjudgedQueryWarning

MEASURES = [
    *("P@2", "P@3", "R@2", "R", "AP", "AP@3", "RR", "Success@2", "nDCG@3", "F@2", "Rprec"),
    *("FT", "ST", "NN", "DCG@3", "RBP(p=0.8)"),
]


quiet = pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")


def expected(
    worlds: Any, lists: Any, measures: list[str], *, undefined: Any = "zero"
) -> tuple[np.ndarray, np.ndarray]:
    """Mean and standard deviation over all worlds: (systems, measures, queries) both."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        values = dense(
            ft.evaluate(worlds.truth, lists, measures, worlds="subject", undefined=undefined)
        )
    present = ~np.isnan(values)
    weight = np.einsum("smwq,w->smq", present.astype(float), worlds.weight)
    filled = np.where(present, values, 0.0)
    with np.errstate(invalid="ignore"):
        mean = np.einsum("smwq,w->smq", filled, worlds.weight) / weight
        square = np.einsum("smwq,w->smq", filled**2, worlds.weight) / weight
    return mean, np.sqrt(np.maximum(square - mean**2, 0))


@quiet
def test_distributions_and_joint_differences_are_those_of_all_worlds() -> None:
    tax = ft.Taxonomy.from_children(DAG)
    frame = make_votes(3, tax, several=True)
    votes = ft.Assignments.from_frame(frame, taxonomy=tax)
    runs = make_runs(4)
    worlds = every_world(tax, ballots(frame), list("abcde"))
    values = dense(
        ft.evaluate(worlds.truth, without_query(runs), ["P@3", "R@3", "AP"], worlds="subject")
    )
    scores = ft.evaluate(votes.by_example(), runs, ["P@3", "R@3", "AP"], n_worlds=4000, rng=1)
    for m, name in enumerate(["P@3", "R@3"]):
        for q, query in enumerate("abcde"):
            result = scores.distribution("one", query, name)
            want = ft.Distribution.from_atoms(values[0, m, :, q], worlds.weight)
            np.testing.assert_allclose(result.values, want.values, atol=1e-12)
            np.testing.assert_allclose(result.probabilities, want.probabilities, atol=1e-12)
    gap = values[0, 0, :, 2] - values[1, 0, :, 2]
    want = ft.Distribution.from_atoms(gap, worlds.weight)
    result = scores.difference("one", "two", "P@3", query="c")
    np.testing.assert_allclose(result.pmf(want.values), want.probabilities, atol=1e-12)
    # Drawn: the mean over queries shares its worlds, and P(A > B) too.
    for m, name in enumerate(["P@3", "R@3", "AP"]):
        each = values[0, m].mean(axis=-1)
        want = ft.Distribution.from_atoms(each, worlds.weight)
        assert abs(scores.mean_distribution("one", name).mean() - want.mean()) < 4 * want.std() / 63
        assert abs(scores.mean_distribution("one", name).std() / want.std() - 1) < 0.08
        better = float(worlds.weight @ (each > values[1, m].mean(axis=-1) + 1e-12))
        error = np.sqrt(better * (1 - better) / 4000)
        share = float(scores.difference("one", "two", name).sf(0.0))
        assert abs(share - better) < 4 * error


@quiet
def test_graded_by_similarity() -> None:
    tax = ft.Taxonomy.from_children(TREE)
    frame = make_votes(5, tax)
    votes = ft.Assignments.from_frame(frame, taxonomy=tax)
    runs = make_runs(6)
    table = tax.similarities(kind="wu-palmer")

    def grade(a: str, b: str) -> float:
        return float(np.round(table[tax.code(a), tax.code(b)], 2))

    worlds = every_world(tax, ballots(frame), list("abcde"), grade=grade)
    measures = ["nDCG@3", "DCG@3", "P(rel=0.5)@2", "AP(rel=0.5)"]
    mean, std = expected(worlds, without_query(runs), measures)
    truth = votes.by_example(relevance="wu-palmer", digits=2)
    scores = ft.evaluate(truth, runs, measures, n_worlds=4000, rng=0)
    np.testing.assert_allclose(dense(scores)[:, 1:, 0], mean[:, 1:], atol=1e-12)
    assert scores.uncertainty is not None
    error = scores.uncertainty.mc_error[:, 0]
    assert (np.abs(dense(scores)[:, 0, 0] - mean[:, 0]) < 4 * error + 1e-12).all()
    np.testing.assert_allclose(scores.uncertainty.std[:, 1], std[:, 1], atol=1e-7)


def resampled(frame: pd.DataFrame) -> list[tuple[float, pd.DataFrame]]:
    """Every resample of three subjects, and its probability; lost items keep all votes."""
    out = []
    for drawn in np.ndindex(3, 3, 3):
        parts = [
            frame[frame["subject"] == f"s{s}"].assign(subject=f"copy{n}")
            for n, s in enumerate(drawn)
        ]
        some = pd.concat(parts)
        lost = frame[~frame["item"].isin(some["item"])]
        out.append((1 / 27, pd.concat([some, lost])))
    return out


@quiet
@pytest.mark.parametrize("category", ["people"])
def test_population_is_the_spread_over_resamples(category: str | None) -> None:
    tax = ft.Taxonomy.from_children(TREE)
    frame = make_votes(9, tax)
    votes = ft.Assignments.from_frame(frame, taxonomy=tax)
    runs = make_runs(10)
    measures = ["P@2", "AP", "R@3"]
    each, weight = [], []
    for chance, some in resampled(frame):
        worlds = every_world(tax, ballots(some), list("abcde"), category=category)
        each.append(expected(worlds, without_query(runs), measures)[0])
        weight.append(chance)
    values = np.array(each)  # (resamples, systems, measures, queries)
    mean = np.average(values, axis=0, weights=weight)
    variance = np.average((values - mean) ** 2, axis=0, weights=weight)
    scores = ft.evaluate(
        votes.by_example(category=category), runs, measures, worlds="population", rng=0
    )
    np.testing.assert_allclose(dense(scores)[:, :, 0], mean, atol=1e-12)
    assert scores.uncertainty is not None
    np.testing.assert_allclose(scores.uncertainty.std, np.sqrt(variance * 3 / 2), atol=1e-9)


def test_a_query_that_may_answer_itself_is_surely_relevant() -> None:
    tax = ft.Taxonomy.from_children({"all": ["a", "b"]})
    rows = [("s", "q", "a"), ("t", "q", "b"), ("s", "i", "a"), ("t", "i", "b")]
    frame = pd.DataFrame(rows, columns=["subject", "item", "category"])
    truth = ft.Assignments.from_frame(frame, taxonomy=tax).by_example(["q"], keep_query=True)
    runs = {"A": {"q": {"q": 2.0, "i": 1.0}}, "B": {"q": {"i": 2.0, "q": 1.0}}}
    for worlds in ("subject", "independent", "population"):
        scores = ft.evaluate(truth, runs, ["P@1", "AP"], rng=0, worlds=worlds)  # type: ignore[arg-type]
        assert scores.mean().loc["A"].tolist() == pytest.approx([1.0, 1.0])
    drawn = ft.evaluate(truth, runs, ["P@1"], rng=0)
    assert drawn.distribution("A", "q", "P@1").values.tolist() == [1.0]
    gap = drawn.difference("A", "B", "P@1", query="q")
    assert gap.exact
    assert gap.to_frame().values.tolist() == [[0.0, 0.5], [1.0, 0.5]]


@pytest.mark.parametrize("ties", ["trec", "expected"])
def test_the_query_is_taken_out_of_a_tie(ties: Any) -> None:
    """All items tie with the query but for one, which stays first."""
    tax = ft.Taxonomy.from_children({"all": ["a", "b"]})
    rows = [("s", i, "a" if i in "qxz" else "b") for i in "qxyz"]
    frame = pd.DataFrame(rows, columns=["subject", "item", "category"])
    truth = ft.Assignments.from_frame(frame, taxonomy=tax).by_example(["q"])
    lists = {"A": {"q": {"y": 2.0, "q": 1.0, "x": 1.0, "z": 1.0}}}
    measures = ["P@2", "AP", "RR", "P@1"]
    result = ft.evaluate(truth, lists, measures, ties=ties).values.ravel()
    plain = {"q": {i: float(i != "y") for i in "xyz"}}
    want = ft.evaluate(plain, without_query(lists), measures, ties=ties).values.ravel()
    np.testing.assert_allclose(result, want, atol=1e-12)


@pytest.mark.filterwarnings("ignore::fuzzytruth.errors.FuzzytruthWarning")
def test_nothing_known_was_retrieved() -> None:
    measures = ["P@2", "R@1", "F@2", "AP", "FT", "ST", "Rprec", "nDCG"]
    votes = [("q", "a", "s", 1), ("q", "a", "t", 0), ("q", "b", "s", 1), ("q", "b", "t", 1)]
    judged = ft.Judgments.from_frame(
        pd.DataFrame(votes, columns=["query", "item", "subject", "grade"])
    )
    zero = [0.0] * len(measures)
    scores = ft.evaluate(judged, {"A": {"q": {"zzz": 1.0}}}, measures, rng=0)
    assert scores.values.ravel().tolist() == zero
    tax = ft.Taxonomy.from_children(TREE)
    truth = ft.Assignments.from_frame(make_votes(1, tax), taxonomy=tax).by_example()
    for lists in ({"a": {"a": 1.0}}, {"a": {"zzz": 1.0}}):
        scores = ft.evaluate(truth, {"A": lists}, measures, rng=0)
        assert scores.values.ravel().tolist() == zero


@pytest.mark.parametrize(
    ("options", "lacking"),
    [
        ({"queries": ["a"], "category": "cat"}, None),
        ({"queries": ["a"], "category": {"a": "cat"}}, None),
        ({"category": {"a": "cat"}}, "a category (category=)"),
        ({}, "votes"),
    ],
)
def test_queries_left_out_on_purpose_give_no_warning(
    options: dict[str, Any], lacking: str | None
) -> None:
    """Only ids without votes do, where the queries are all that runs answer."""
    tax = ft.Taxonomy.from_children({"all": ["cat", "dog"]})
    votes = ft.Assignments.from_columns(
        ["s", "t", "s"], ["a", "a", "b"], ["cat", "dog", "cat"], taxonomy=tax
    )
    runs = ft.Runs.from_dict({"x": {query: {"b": 2, "a": 1} for query in ("a", "b", "z")}})
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        scores = ft.evaluate(votes.by_example(**options), runs, "P@1")
    assert scores.queries == (("a",) if options else ("a", "b"))
    said = [str(w.message) for w in caught if w.category is UnjudgedQueryWarning]
    assert said == ([f"queries without {lacking} are left out of x (1: z)"] if lacking else [])


KINDS = covering_array(
    {
        "children": [TREE, DAG],
        "votes": [{}, {"weights": True}, {"weights": True, "several": True}],
        "category": [None, "people", "scenery"],
        "keep_query": [False, True],
        "undefined": ["zero", "exclude"],
        "small": [500, 0],  # collections above it count equal probabilities
    }
)


@quiet
@pytest.mark.parametrize("kind", KINDS)
def test_expectations_are_those_of_all_worlds(
    kind: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fuzzytruth.truth.example.collection.SMALL", kind["small"])
    tax = ft.Taxonomy.from_children(kind["children"])
    frame, runs = make_votes(1, tax, **kind["votes"]), make_runs(2)
    asked = {name: kind[name] for name in ("category", "keep_query")}
    worlds = every_world(tax, ballots(frame), list("abcde"), **asked)
    lists = runs if kind["keep_query"] else without_query(runs)
    mean, std = expected(worlds, lists, MEASURES, undefined=kind["undefined"])
    truth = ft.Assignments.from_frame(frame, taxonomy=tax).by_example(**asked)
    options = {"n_worlds": 3000, "rng": 0, "undefined": kind["undefined"]}
    scores = ft.evaluate(truth, runs, MEASURES, worlds="independent", **options)
    spread = scores.uncertainty
    assert spread.exact.all() or not kind["small"]
    limit = np.where(spread.exact, 1e-12, 4 * spread.mc_error + 1e-12)
    assert (np.abs(scores.values - mean) <= limit).all()
    known = ["P@2", "P@3", "Success@2", "NN", "DCG@3"] + ["R@2", "F@2"] * (kind["small"] > 0)
    for measure in map(MEASURES.index, known):
        np.testing.assert_allclose(spread.std[:, measure], std[:, measure], atol=1e-7)
