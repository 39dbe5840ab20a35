"""Exact means and variances, against going through all worlds."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from support.every_world import enumerated, every_world, moments, small
from support.small_collections import TREE, make_runs, make_votes
from support.worlds_of_items import ballots, without_query
from support.worlds_of_items import every_world as every_world_of_items

import fuzzytruth as ft
from fuzzytruth.core.cells import Cells
from fuzzytruth.evaluation.worlds.simulation import chances_of_none, exact_moments
from fuzzytruth.measures import parse_measure
from fuzzytruth.truth import align
from fuzzytruth.truth.vote_weights import as_given, single_subjects

TEXTS = ["P@2", "R@2", "AP", "RR", "NumRel", "nDCG@3", "bpref"]
MEASURES = tuple(map(parse_measure, TEXTS))
quiet = pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")


@quiet
@pytest.mark.parametrize("exclude", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_moments_over_every_world(seed: int, exclude: bool) -> None:
    votes, runs = small(seed)
    options = {"undefined": "exclude"} if exclude else {}
    expected = enumerated(votes, runs, TEXTS, **options)
    aligned = align(ft.Judgments.from_frame(votes), ft.Runs.from_dict(runs), ties="trec")
    outcomes = aligned.outcomes(slice(0, 3), as_given())
    exact = exact_moments(outcomes, [0, 1], MEASURES, 3, exclude=exclude)
    assert exact.known[:, :4].all()
    assert not exact.known[:, TEXTS.index("bpref")].any()
    for j, query in enumerate(aligned.facts.queries):
        mean, std = moments(*expected[query])
        known = exact.known[..., j]
        np.testing.assert_allclose(exact.mean[0, ..., j][known], mean[known], atol=1e-12)
        variance = exact.variance[0, ..., j]
        has_variance = ~np.isnan(variance)
        assert has_variance[:, :2].all()
        np.testing.assert_allclose(variance[has_variance], std[has_variance] ** 2, atol=1e-12)
    assert np.isnan(exact.mean[0][~exact.known]).all()


@quiet
@pytest.mark.parametrize("seed", range(3))
def test_chance_of_none_over_every_world(seed: int) -> None:
    votes, runs = small(seed, top=2)
    measures = tuple(map(parse_measure, ("AP", "AP(rel=2)", "P@1")))
    aligned = align(ft.Judgments.from_frame(votes), ft.Runs.from_dict(runs), ties="trec")
    chance = chances_of_none(aligned.outcomes(slice(0, 3), as_given()), measures, 3)
    assert chance.shape == (1, 3, 3)
    assert (chance[:, 2] == 0).all()  # P@1 is defined without relevant items
    frame, weights = every_world(votes)
    best = frame.groupby(["query", "subject"])["grade"].max()
    for j, query in enumerate(aligned.facts.queries):
        for m, rel in enumerate((1, 2)):
            expected = sum(weights[query, w] for w, g in best[query].items() if g < rel)
            assert chance[0, m, j] == pytest.approx(expected, abs=1e-12)


@quiet
def test_a_subject_alone_is_a_crisp_truth() -> None:
    votes, runs = small(1)
    aligned = align(ft.Judgments.from_frame(votes), ft.Runs.from_dict(runs), ties="trec")
    outcomes = aligned.outcomes(slice(0, 3), single_subjects(np.arange(3), list("abc")))
    exact = exact_moments(outcomes, [0, 1], MEASURES, 3, exclude=False)
    scores = ft.evaluate(votes, runs, TEXTS, worlds="subject")
    assert scores.cells.is_complete
    table = Cells.complete(3, 3).dense(scores.values)  # (systems, measures, queries, subjects)
    expected = np.moveaxis(table, -1, 0)
    np.testing.assert_allclose(
        exact.mean[:, exact.known], expected[:, exact.known], rtol=0, atol=1e-12
    )
    np.testing.assert_allclose(exact.variance[:, :, :2], 0, atol=1e-12)


@quiet
def test_a_query_of_several_categories_is_a_mixture() -> None:
    """Variance over components: within each, and of their means."""
    taxonomy = ft.Taxonomy.from_children(TREE)
    frame = make_votes(3, taxonomy)
    runs = make_runs(3)
    truth = ft.Assignments.from_frame(frame, taxonomy=taxonomy).by_example()
    aligned = align(truth, ft.Runs.from_dict(runs), ties="trec")
    n = len(aligned.facts.queries)
    measures = MEASURES[:2]
    outcomes = aligned.outcomes(slice(0, n), as_given())
    exact = exact_moments(outcomes, [0, 1], measures, n, exclude=False)
    worlds = every_world_of_items(taxonomy, ballots(frame), list(aligned.facts.queries))
    scores = ft.evaluate(worlds.truth, without_query(runs), TEXTS[:2], worlds="subject")
    table = scores.cells.dense(scores.values)  # (systems, measures, queries, worlds)
    known = exact.known
    assert known.any()
    mean = table @ worlds.weight
    variance = (table - mean[..., None]) ** 2 @ worlds.weight
    np.testing.assert_allclose(exact.mean[0][known], mean[known], atol=1e-12)
    with_variance = known & ~np.isnan(exact.variance[0])
    assert with_variance[:, 0].all()
    np.testing.assert_allclose(
        exact.variance[0][with_variance], variance[with_variance], atol=1e-12
    )


@quiet
def test_undefined_in_every_world() -> None:
    truth = ft.Judgments.from_probabilities(["q", "q"], ["a", "b"], [0.0, 0.0])
    runs = ft.Runs.from_dict({"x": {"q": {"a": 2.0, "b": 1.0}}})
    outcomes = align(truth, runs, ties="trec").outcomes(slice(0, 1), as_given())
    exact = exact_moments(outcomes, [0], MEASURES, 1, exclude=True)
    assert exact.chance_of_none[0, :, 0].tolist() == [0, 1, 1, 1, 0, 1, 1]
    assert exact.mean[0, 0, 0, 0] == 0  # P@2
    assert np.isnan(exact.mean[0, 0, 1:4, 0]).all()


COMPANY = ["P@5", "R@5", "F@5", "RR", "Success@3", "AP", "FT", "nDCG@5", "nDCG"]
N_WITH_VARIANCE = 5  # the first of these have an exact variance


@quiet
@pytest.mark.parametrize("worlds", ["independent", "population"])
@pytest.mark.parametrize("undefined", ["zero", "exclude"])
def test_a_query_has_the_same_bits_alone(worlds: str, undefined: str) -> None:
    rng = np.random.default_rng(4)
    size = [1, 2, 3, 5, 9, 17, 30, 45, 90, 300]
    rows = [
        (f"q{q}", f"d{i}", s, int(rng.random() < 0.35))
        for q, n in enumerate(size)
        for i in range(n)
        for s in "abcd"
    ]
    votes = pd.DataFrame(rows, columns=["query", "item", "subject", "grade"])
    runs = {"x": {f"q{q}": {f"d{i}": -i for i in range(0, n + 2, 2)} for q, n in enumerate(size)}}
    options = {"worlds": worlds, "undefined": undefined, "n_worlds": 40, "rng": 0}
    both = ft.evaluate(votes, runs, COMPANY, **options)
    for q in range(len(size)):
        only = votes[votes["query"] == f"q{q}"]
        alone = ft.evaluate(only, {"x": {f"q{q}": runs["x"][f"q{q}"]}}, COMPANY, **options)
        np.testing.assert_array_equal(alone.values[..., 0], both.values[..., q])
        exact = slice(None) if worlds == "population" else slice(N_WITH_VARIANCE)
        std = both.uncertainty.std[:, exact, q]
        np.testing.assert_array_equal(alone.uncertainty.std[:, exact, 0], std)


@quiet
def test_a_query_by_example_has_the_same_bits_alone() -> None:
    taxonomy = ft.Taxonomy.from_children(TREE)
    assignments = ft.Assignments.from_frame(make_votes(3, taxonomy), taxonomy=taxonomy)
    runs = make_runs(3)
    texts = ["P@2", "R@2", "F@2", "AP", "RR", "FT", "nDCG@3"]
    options = {"n_worlds": 4, "rng": 0, "undefined": "exclude"}
    both = ft.evaluate(assignments.by_example(), runs, texts, **options)
    for q, name in enumerate(both.queries):
        alone = ft.evaluate(assignments.by_example(queries=[name]), runs, texts, **options)
        np.testing.assert_array_equal(alone.values[..., 0], both.values[..., q])


@quiet
@pytest.mark.parametrize("keep_query", [False, True])
def test_none_and_some_add_up(keep_query: bool) -> None:
    votes, runs = small(0, top=2)
    taxonomy = ft.Taxonomy.from_children(TREE)
    assignments = ft.Assignments.from_frame(make_votes(3, taxonomy), taxonomy=taxonomy)
    for truth, own in (
        (ft.Judgments.from_frame(votes), runs),
        (assignments.by_example(keep_query=keep_query), make_runs(3)),
    ):
        aligned = align(truth, ft.Runs.from_dict(own), ties="trec")
        outcomes = aligned.outcomes(slice(0, len(aligned.facts.queries)), as_given())
        for rel in (None, 1.0, 2.0):
            none, some = outcomes.chance_of_none(rel), outcomes.chance_of_some(rel)
            assert none.shape == (1, len(aligned.facts.queries))
            np.testing.assert_allclose(none + some, 1, rtol=1e-14)
            for query, name in enumerate(aligned.facts.queries):
                parts = outcomes.probabilities(0).of_query(query)
                expected = sum(w * m.none_and_some(rel)[1].item() for w, m in parts)
                assert some[0, query] == pytest.approx(expected, rel=1e-12), name
