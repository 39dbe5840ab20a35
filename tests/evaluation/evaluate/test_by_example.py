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

MEASURES = [
    *("P@2", "P@3", "R@2", "R", "AP", "AP@3", "RR", "Success@2", "nDCG@3", "F@2", "Rprec"),
    *("FT", "ST", "NN", "DCG@3", "RBP(p=0.8)"),
]


quiet = pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")


def expected(
    worlds: Any, lists: Any, measures: list[str], **options: Any
) -> tuple[np.ndarray, np.ndarray]:
    """Mean and standard deviation over all worlds: (systems, measures, queries) both."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        values = dense(ft.evaluate(worlds.truth, lists, measures, worlds="subject", **options))
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


def test_categories_of_silhouettes() -> None:
    """Ten people see a bear, an elephant or a cat; half of five are right in .697 and .200."""
    data = ft.datasets.load_model_vs_human("silhouette")
    three = data.answers[data.answers["system"].str.contains("h14|128gf")]
    runs = ft.Runs.by_similarity(three, data.votes.taxonomy)
    scores = ft.evaluate(data.votes.by_example(["bear9"]), runs, "P@5", ties="expected")
    for system, half, mean, top in (
        ("swag_vit_h14_in1k", 0.69748, 0.48, 0.8),
        ("swag_regnety_128gf_in1k", 0.19999, 0.20093, 11 / 12),
    ):
        law = scores.distribution(system, "bear9", "P@5")
        assert law.exact
        assert float(law.sf(0.49)) == pytest.approx(half, abs=1e-5)
        assert law.mean() == pytest.approx(mean, abs=1e-5)
        assert law.mean() == pytest.approx(scores.mean().loc[system, "P@5"], rel=1e-12)
        assert law.std() == pytest.approx(scores.to_frame().set_index("system")["std"][system])
        assert law.support()[1] == pytest.approx(top)
    gap = scores.difference("swag_vit_h14_in1k", "swag_regnety_128gf_in1k", "P@5", query="bear9")
    assert gap.exact
    assert float(gap.sf(0)) == pytest.approx(0.7946, abs=1e-4)


KINDS = covering_array(
    {
        "ties": ["trec", "expected"],
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
    tied = kind["ties"] == "expected"
    if tied:
        for one in (one for queries in runs.values() for one in queries.values()):
            one.update({item: score // 2 for item, score in one.items()})
    lists = runs if kind["keep_query"] else without_query(runs)
    options = {"undefined": kind["undefined"], "ties": kind["ties"]}
    mean, std = expected(worlds, lists, MEASURES, **options)
    truth = ft.Assignments.from_frame(frame, taxonomy=tax).by_example(**asked)
    options |= {"n_worlds": 3000, "rng": 0}
    scores = ft.evaluate(truth, runs, MEASURES, worlds="independent", **options)
    spread, exact = scores.uncertainty, list(MEASURES)
    if tied:
        exact = ["P@2", "P@3", "R", "R@2", "NN", "DCG@3", "RBP(p=0.8)"]
        exact += ["nDCG@3", "F@2"] * (kind["small"] > 0)
    assert spread.exact[:, [MEASURES.index(name) for name in exact]].all() or not kind["small"]
    limit = np.where(spread.exact, 1e-12, 4 * spread.mc_error + 1e-12)
    assert (np.abs(scores.values - mean) <= limit).all()
    known = ["P@2", "P@3", "NN", "DCG@3"] + ["Success@2"] * (not tied)
    for measure in map(MEASURES.index, known + ["R@2", "F@2"] * (kind["small"] > 0)):
        np.testing.assert_allclose(spread.std[:, measure], std[:, measure], atol=1e-7)
