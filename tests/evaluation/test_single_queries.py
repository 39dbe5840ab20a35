"""Scores of one query, drawn again or exact."""

from __future__ import annotations

import numpy as np
import pytest
from support.every_world import enumerated, small
from support.small_collections import TREE, make_runs, make_votes
from support.worlds_of_items import ballots, every_world, without_query

import fuzzytruth as ft
from fuzzytruth.evaluation.scores.scores_over_worlds import (
    exact_difference,
    exact_values,
    query_values,
)
from fuzzytruth.evaluation.worlds.setting import Sources

quiet = pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")
pytestmark = quiet


def scored(votes, runs, texts, **options) -> tuple[ft.Scores, Sources]:
    scores = ft.evaluate(votes, runs, texts, **{"n_worlds": 90, "rng": 3} | options)
    assert scores.uncertainty is not None
    assert scores.uncertainty.sources is not None
    return scores, scores.uncertainty.sources


def law_of(values: np.ndarray, chances: np.ndarray) -> dict[float, float]:
    """Probability of each distinct value that is possible."""
    law: dict[float, float] = {}
    for value, chance in zip(np.round(values, 9).tolist(), chances.tolist(), strict=True):
        law[value + 0.0] = law.get(value + 0.0, 0.0) + chance
    return {value: law[value] for value in sorted(law) if law[value] > 1e-14}


@pytest.mark.parametrize("worlds", ["independent", "population"])
def test_values_drawn_again_are_those_kept(worlds: str) -> None:
    votes, runs = small(1, top=2)
    texts = ["AP", "bpref", "ERR"]
    kept, _ = scored(votes, runs, texts, worlds=worlds, keep_worlds=True)
    _, sources = scored(votes, runs, texts, worlds=worlds)
    assert kept.uncertainty.kept is not None
    for measure in range(3):
        for query in range(3):
            values = query_values(sources, (1, 0), measure, query)
            expected = kept.uncertainty.kept[:, [1, 0], measure, query]
            np.testing.assert_allclose(values, expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_exact_values_over_every_world(seed: int) -> None:
    votes, runs = small(seed, top=2)
    texts = ["P@2", "R@3", "RR", "Success@2", "TP@3"]
    expected = enumerated(votes, runs, texts)
    scores, sources = scored(votes, runs, texts)
    for j, query in enumerate(scores.queries):
        values, p = expected[query]
        for s in range(2):
            for m in range(len(texts)):
                law = exact_values(sources, s, m, j)
                assert law is not None
                assert law_of(*law) == pytest.approx(law_of(values[s, m], p), abs=1e-12)


def test_measures_without_an_exact_law() -> None:
    votes, runs = small(0)
    texts = ["bpref", "P@2", "R@2"]
    _, sources = scored(votes, runs, texts)
    assert exact_values(sources, 0, 0, 0) is None
    assert exact_difference(sources, (0, 1), 0, 0) is None
    assert exact_difference(sources, (0, 1), 2, 0) is None  # recall: shared denominator
    _, excluding = scored(votes, runs, texts, undefined="exclude")
    assert exact_values(excluding, 0, 2, 0) is None  # R needs relevant items
    assert exact_values(excluding, 0, 1, 0) is not None
    _, population = scored(votes, runs, texts, worlds="population")
    assert exact_values(population, 0, 1, 0) is None  # items are not independent
    assert exact_difference(population, (0, 1), 1, 0) is None


@pytest.mark.parametrize("seed", range(4))
def test_exact_difference_over_every_world(seed: int) -> None:
    votes, runs = small(seed, top=2)
    texts = ["P@3", "P(rel=2)@2", "TP@4"]
    expected = enumerated(votes, runs, texts)
    scores, sources = scored(votes, runs, texts)
    for j, query in enumerate(scores.queries):
        values, p = expected[query]
        for m in range(len(texts)):
            law = exact_difference(sources, (0, 1), m, j)
            assert law is not None
            gap = values[0, m] - values[1, m]
            assert law_of(*law) == pytest.approx(law_of(gap, p), abs=1e-12)


def test_a_system_does_not_differ_from_itself() -> None:
    votes, runs = small(0)
    _, sources = scored(votes, runs, ["P@3"])
    law = exact_difference(sources, (1, 1), 0, 2)
    assert law is not None
    assert law_of(*law) == {0.0: pytest.approx(1)}


def test_query_by_example_mixes_the_categories_of_the_query() -> None:
    taxonomy = ft.Taxonomy.from_children(TREE)
    frame, runs = make_votes(3, taxonomy), make_runs(3)
    truth = ft.Assignments.from_frame(frame, taxonomy=taxonomy).by_example()
    scores, sources = scored(truth, runs, ["P@3"])
    worlds = every_world(taxonomy, ballots(frame), list(scores.queries))
    crisp = ft.evaluate(worlds.truth, without_query(runs), ["P@3"], worlds="subject")
    table = crisp.cells.dense(crisp.values)[:, 0]  # (systems, queries, worlds)
    for query in range(len(scores.queries)):
        law = exact_values(sources, 0, 0, query)
        assert law is not None
        assert law_of(*law) == pytest.approx(law_of(table[0, query], worlds.weight), abs=1e-12)
        gap = exact_difference(sources, (0, 1), 0, query)
        assert gap is not None
        expected = law_of(table[0, query] - table[1, query], worlds.weight)
        assert law_of(*gap) == pytest.approx(expected, abs=1e-12)


def test_differences_with_systems_that_list_no_judged_item() -> None:
    truth = ft.Judgments.from_probabilities(["q", "q", "p"], ["a", "b", "a"], [0.9, 0.5, 1.0])
    runs = {
        "good": {"q": {"a": 2, "b": 1}},
        "unjudged": {"q": {"n": 1}},
        "absent": {"p": {"a": 1}},
    }
    scores, sources = scored(truth, runs, ["P@1", "TP@2"])
    query = scores.queries.index("q")
    law = exact_difference(sources, (0, 1), 0, query)
    assert law is not None
    assert law_of(*law) == pytest.approx({0.0: 0.1, 1.0: 0.9})
    for other in ("unjudged", "absent"):
        gap = scores.difference("good", other, "TP@2", query="q")
        assert law_of(*gap.to_frame().to_numpy().T) == pytest.approx({0: 0.05, 1: 0.5, 2: 0.45})
        assert scores.difference(other, "good", "TP@2", query="q").mean() == pytest.approx(-1.4)
    assert law_of(
        *scores.difference("absent", "unjudged", "P@1", query="q").to_frame().to_numpy().T
    ) == {0.0: 1.0}


def test_difference_of_a_run_with_ties_and_one_without() -> None:
    truth = ft.Judgments.from_probabilities(["q", "q"], ["a", "b"], [0.9, 0.5])
    runs = {"tied": {"q": {"a": 1, "b": 1}}, "strict": {"q": {"a": 2, "b": 1}}}
    scores, sources = scored(truth, runs, ["P@1"], ties="expected", n_worlds=4000)
    assert exact_difference(sources, (0, 1), 0, 0) is None
    assert exact_difference(sources, (1, 0), 0, 0) is None
    gap = scores.difference("strict", "tied", "P@1", query="q")
    assert gap.support() == (-0.5, 0.5)  # a and b relevant: 0, a alone: 1/2, b alone: -1/2
    assert gap.mean() == pytest.approx(0.2, abs=0.03)
