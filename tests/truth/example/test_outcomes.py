"""Uncertain labels of a collection, whoever gave them, against every world."""

import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.scores_for_tests import dense
from support.small_collections import TREE, make_runs, make_votes
from support.worlds_of_items import ballots, every_world, without_query

import fuzzytruth as ft
from fuzzytruth.measures.grammar import parse_measure
from fuzzytruth.truth import align
from fuzzytruth.truth.vote_weights import as_given, single_subjects

TAX = ft.Taxonomy.from_children(TREE)
MEASURES = ["P@2", "P@3", "R@2", "R", "AP", "RR", "Success@2", "nDCG@3", "Rprec", "bpref", "NumRel"]
DRAWN = ["nDCG@3", "bpref"]
pytestmark = pytest.mark.filterwarnings(
    "ignore::fuzzytruth.errors.UndefinedMeasureWarning",
    "ignore::fuzzytruth.errors.UnjudgedItemWarning",
)


def means(worlds: Any, runs: Any, measures: list[str] = MEASURES) -> np.ndarray:
    """Means over all worlds: (systems, measures, queries)."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        values = dense(ft.evaluate(worlds.truth, runs, measures, worlds="subject"))
    mean: np.ndarray = np.einsum("smwq,w->smq", values, worlds.weight)
    return mean


def check(truth: ft.ByExample, runs: Any, want: np.ndarray) -> None:
    """Means over worlds, exact or within four Monte Carlo errors; drawn ones, too."""
    scores = ft.evaluate(truth, runs, MEASURES, n_worlds=2000, rng=0)
    assert scores.uncertainty is not None
    assert scores.uncertainty.worlds == "independent"
    got = dense(scores)[:, :, 0]
    exact = scores.uncertainty.exact.reshape(got.shape)
    assert exact[:, [m not in DRAWN for m in MEASURES]].all()
    error = np.where(exact, 0.0, scores.uncertainty.mc_error.reshape(got.shape))
    assert (np.abs(got - want) <= 4.5 * error + 1e-12).all()
    # The same from drawn worlds only.
    aligned = align(truth, ft.Runs.from_dict(runs), ties="trec")
    worlds = aligned.outcomes(slice(0, len(aligned.facts.queries)), as_given()).draw(
        slice(0, 4000), (1, 2, 3, 4)
    )
    for run in range(len(runs)):
        for name in ("P@3", "AP", "R@2", "NumRel"):
            values = np.nan_to_num(parse_measure(name).score(worlds.batch(run)))
            gap = np.abs(values.mean(axis=0) - want[run, MEASURES.index(name)])
            assert (gap <= 4.5 * values.std(axis=0) / np.sqrt(4000) + 1e-12).all()


@pytest.mark.parametrize("keep_query", [False, True])
@pytest.mark.parametrize("category", [None, "people"])
@pytest.mark.parametrize("small", [500, 0])
def test_queries_outside_the_collection(
    keep_query: bool, category: str | None, small: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Query a is no item of the collection, d and e are no queries, b is neither an item."""
    monkeypatch.setattr("fuzzytruth.truth.example.collection.SMALL", small)
    frame = make_votes(3, TAX)
    votes = ft.Assignments.from_frame(frame, taxonomy=TAX)
    runs = {s: {q: lists[q] for q in "abc"} for s, lists in make_runs(4).items()}
    worlds = every_world(
        TAX,
        ballots(frame),
        list("abc"),
        category=category,
        keep_query=keep_query,
        collection="cde",
    )
    lists = runs if keep_query else without_query(runs)
    truth = votes.by_example(collection=["e", "c", "d"], category=category, keep_query=keep_query)
    want = means(worlds, lists)
    if small:
        check(truth, runs, want)
    else:
        names = ["P@3", "R@2", "AP", "R"]
        scores = ft.evaluate(truth, runs, names, n_worlds=10, rng=0)
        rows = [MEASURES.index(name) for name in names]
        np.testing.assert_allclose(dense(scores)[:, :, 0], want[:, rows], atol=1e-12)
    aligned = align(truth, ft.Runs.from_dict(runs), ties="trec")
    none = dense(ft.evaluate(worlds.truth, lists, ["NumRel"], worlds="subject"))[0, 0] == 0
    outcomes = aligned.outcomes(slice(0, 3), as_given())
    np.testing.assert_allclose(outcomes.chance_of_none(1.0)[0], worlds.weight @ none, atol=1e-12)
    assert (aligned.collection.n_items, aligned.facts.n_items) == (3, 5)
    inside = frame[frame["item"].isin(list("cde"))]
    assert aligned.facts.n_missing == 9 - len(inside)


@pytest.mark.parametrize("category", [None, "people"])
@pytest.mark.parametrize("missing", ["nonrelevant", "exclude"])
@pytest.mark.parametrize("layout", [10**9, -1])
def test_subjects_of_queries_outside_the_collection(
    category: str | None, missing: Any, layout: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for limit in ("_DENSE", "_SMALL"):
        monkeypatch.setattr(f"fuzzytruth.truth.example.aligned.{limit}", layout)
    frame = make_votes(5, TAX)
    votes = ft.Assignments.from_frame(frame, taxonomy=TAX)
    runs = {s: {q: lists[q] for q in "ab"} for s, lists in make_runs(6).items()}
    truth = votes.by_example(collection=list("cde"), category=category)
    scores = ft.evaluate(truth, runs, ["P@2", "AP", "R@2"], worlds="subject", missing=missing)
    assert scores.subjects is not None
    seen = {(s, i): c for s, i, c in frame[["subject", "item", "category"]].to_numpy()}
    for s, subject in enumerate(scores.subjects):
        for q, query in enumerate("ab"):
            got = dense(scores)[:, :, s, q]
            asked = category or seen.get((subject, query))
            if asked is None:
                assert np.isnan(got).all()
                continue
            below = {asked, *TAX.descendants(asked)}
            own = {i: float(seen[subject, i] in below) for i in "cde" if (subject, i) in seen}
            lists = {
                system: {
                    query: {
                        i: x
                        for i, x in of[query].items()
                        if i != query and (missing == "nonrelevant" or i not in "cde" or i in own)
                    }
                }
                for system, of in runs.items()
            }
            want = dense(ft.evaluate({query: own}, lists, ["P@2", "AP", "R@2"]))[:, :, 0, 0]
            np.testing.assert_allclose(got, want, atol=1e-12)


@pytest.mark.parametrize("collection", [None, ["b", "c", "d"]])
def test_categories_given_as_shares(collection: list[str] | None) -> None:
    """Of queries without votes, and of one that has votes, which then say nothing about it."""
    shares = {"x": {"people": 0.7, "scenery": 0.3}, "a": {"crowd": 0.5, "city": 0.2, "all": 0.3}}
    frame = make_votes(7, TAX)
    drawn = ballots(frame)
    for query, given in shares.items():
        drawn[f"query {query}"] = [(p, frozenset({name})) for name, p in given.items()]
    worlds = every_world(
        TAX,
        drawn,
        ["x", "a"],
        collection=collection or "abcde",
        asks={q: f"query {q}" for q in shares},
    )
    runs = {s: {"x": lists["b"], "a": lists["a"]} for s, lists in make_runs(8).items()}
    votes = ft.Assignments.from_frame(frame, taxonomy=TAX)
    want = means(worlds, without_query(runs))
    check(votes.by_example(category=shares, collection=collection), runs, want)


def repeated(seed: int) -> pd.DataFrame:
    """Votes of two subjects on three items, judged once or twice."""
    rng = np.random.default_rng(seed)
    rows = [
        (f"s{subject}", item, str(rng.choice(["crowd", "people", "city"])), f"r{repeat}")
        for item in "abc"
        for subject in range(2)
        for repeat in range(int(rng.integers(1, 3)))
    ]
    return pd.DataFrame(rows, columns=["subject", "item", "category", "repeat"])


def split(frame: pd.DataFrame) -> pd.DataFrame:
    """Each repetition as a subject of its own, with its part of one vote."""
    n = frame.groupby(["subject", "item"])["category"].transform("size")
    return frame.assign(weight=1 / n, subject=frame["subject"] + frame["repeat"])


def test_resampled_subjects_take_their_repetitions_along() -> None:
    frame = repeated(4)
    runs = {s: {q: lists[q] for q in "abc"} for s, lists in make_runs(9, "abc").items()}
    each, weight = [], []
    for drawn, chance in (((0, 0), 0.25), ((0, 1), 0.5), ((1, 1), 0.25)):
        parts = [
            split(frame[frame["subject"] == f"s{s}"]).assign(copy=n) for n, s in enumerate(drawn)
        ]
        some = pd.concat(parts)
        some["subject"] += some["copy"].astype(str)
        worlds = every_world(TAX, ballots(some), list("abc"))
        each.append(means(worlds, without_query(runs), ["P@2", "AP"]))
        weight.append(chance)
    want = np.average(each, axis=0, weights=weight)
    votes = ft.Assignments.from_frame(frame, taxonomy=TAX)
    scores = ft.evaluate(votes.by_example(), runs, ["P@2", "AP"], worlds="population", rng=0)
    np.testing.assert_allclose(dense(scores)[:, :, 0], want, atol=1e-12)


@pytest.mark.parametrize("category", [None, "0"])
def test_many_options_and_soft_labels_in_a_large_collection(
    category: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(0)
    soft = ft.Membership.from_probabilities(rng.dirichlet(np.ones(70), size=30))
    runs = {"A": {str(q): {str(i): float(rng.random()) for i in range(20)} for q in range(3)}}
    truth = soft.by_example(category=category)
    names = ["P@3", "AP", "R@5", "R"]
    small = ft.evaluate(truth, runs, names, n_worlds=10, rng=0)
    for limit in ("SMALL", "_MANY"):
        if limit == "SMALL":
            monkeypatch.setattr("fuzzytruth.truth.example.collection.SMALL", 0)
        else:
            name = "fuzzytruth.truth.example.outcomes._MANY_OPTIONS"
            monkeypatch.setattr(name, 1000)
        large = ft.evaluate(truth, runs, names, n_worlds=10, rng=0)
        np.testing.assert_allclose(large.values, small.values, atol=1e-13)
        assert large.uncertainty is not None
        assert large.uncertainty.exact.all()
    monkeypatch.setattr("fuzzytruth.truth.example.aligned._MOST_GROUPS", 1)
    drawn = ft.evaluate(truth, runs, names, n_worlds=2000, rng=0)
    assert drawn.uncertainty is not None
    assert not drawn.uncertainty.exact.any()
    gap = np.abs(drawn.values - small.values)
    assert (gap < 4.5 * drawn.uncertainty.mc_error + 1e-12).all()


@pytest.mark.parametrize("known", [False, True])
def test_parts_of_parts_are_the_same_outer_worlds(known: bool) -> None:
    votes = ft.Assignments.from_frame(make_votes(0, TAX), taxonomy=TAX)
    aligned = align(votes.by_example(), ft.Runs.from_dict(make_runs(0)), ties="trec")
    of_each = single_subjects(np.arange(len(votes.subjects)), votes.subjects)
    whole = aligned.outcomes(slice(0, len(aligned.facts.queries)), of_each)
    assert len(whole) == len(votes.subjects) > 2
    if known:
        _ = whole.share
    part = whole[1:]
    assert (len(part), len(part[1:2]), len(whole[-1:])) == (len(whole) - 1, 1, 1)
    share = whole.share
    np.testing.assert_array_equal(part.share, share[1:])
    np.testing.assert_array_equal(part[1:2].share, share[2:3])
    assert (share[1] != share[2]).any()
