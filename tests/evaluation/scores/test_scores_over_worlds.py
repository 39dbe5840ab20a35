"""Distributions of scores over worlds or subjects, of one query or of means."""

import itertools
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from support.every_world import enumerated, small
from support.kinds_of_scores import KINDS, evaluated
from support.scores_for_tests import scores_of
from support.small_collections import TREE, make_runs, make_votes
from support.worlds_of_items import ballots, every_world, without_query

import fuzzytruth as ft
from fuzzytruth.evaluation.scores.scores_over_worlds import (
    exact_difference,
    exact_values,
)
from fuzzytruth.evaluation.worlds.setting import Sources

pytestmark = pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")


def test_scores_that_differ_by_rounding_are_equal() -> None:
    scores = scores_of([[0.1 + 0.2], [0.3]])
    assert scores._of_cells((0, 0, 0), (1, 0, 0)).values.tolist() == [0.0]
    with pytest.raises(ft.errors.OptionError, match="undefined in every world"):
        scores_of([[np.nan, 1.0], [0.5, 0.5]])._of_cell((0, 0, 0))


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


def tied(runs: dict) -> dict:
    """The same lists with scores of fewer values."""
    return {
        system: {q: {i: score // 3 for i, score in lists.items()} for q, lists in queries.items()}
        for system, queries in runs.items()
    }


@pytest.mark.parametrize("ties", ["trec", "expected"])
def test_query_by_example_mixes_the_categories_of_the_query(ties) -> None:
    """P adds up items by their weights, so that differences are exact, too; R does not."""
    taxonomy = ft.Taxonomy.from_children(TREE)
    frame, runs = make_votes(3, taxonomy), make_runs(3)
    runs = tied(runs) if ties == "expected" else runs
    truth, texts = ft.Assignments.from_frame(frame, taxonomy=taxonomy).by_example(), ["P@3", "R@2"]
    scores, sources = scored(truth, runs, texts, ties=ties)
    worlds = every_world(taxonomy, ballots(frame), list(scores.queries))
    lists = without_query(runs)
    crisp = ft.evaluate(worlds.truth, lists, texts, worlds="subject", ties=ties)
    table = crisp.cells.dense(crisp.values)  # (systems, measures, queries, worlds)
    for measure, query in itertools.product(range(2), range(len(scores.queries))):
        values = table[:, measure, query]
        law = exact_values(sources, 0, measure, query)
        assert law is not None
        assert law_of(*law) == pytest.approx(law_of(values[0], worlds.weight), abs=1e-12)
        gap = exact_difference(sources, (0, 1), measure, query)
        assert (gap is None) == (measure == 1)
        if gap is not None:
            expected = law_of(values[0] - values[1], worlds.weight)
            assert law_of(*gap) == pytest.approx(expected, abs=1e-12)


def test_difference_of_a_run_with_ties_and_one_without() -> None:
    truth = ft.Judgments.from_probabilities(["q", "q"], ["a", "b"], [0.9, 0.5])
    runs = {"tied": {"q": {"a": 1, "b": 1}}, "strict": {"q": {"a": 2, "b": 1}}}
    scores, sources = scored(truth, runs, ["P@1", "RR"], ties="expected", n_worlds=4000)
    gap = scores.difference("strict", "tied", "P@1", "q")
    assert gap.exact
    # a and b relevant or neither: 0; a alone: 1/2; b alone: -1/2
    assert law_of(gap.values, gap.probabilities) == pytest.approx({-0.5: 0.05, 0: 0.5, 0.5: 0.45})
    assert exact_values(sources, 0, 1, 0) is None  # ties leave RR open
    assert exact_values(sources, 1, 1, 0) is not None
    assert exact_difference(sources, (0, 1), 1, 0) is None


def test_the_mean_over_one_query_is_as_exact_as_the_query() -> None:
    truth = ft.Judgments.from_probabilities(["q", "q"], ["a", "b"], [0.9, 0.5])
    runs = {"x": {"q": {"a": 2, "b": 1}}, "y": {"q": {"b": 2, "a": 1}}}
    scores = ft.evaluate(truth, runs, ["P@1", "AP"], n_worlds=50)
    assert scores.mean_distribution("x", "P@1").exact
    assert scores.mean_distribution("x", "P@1").at_least(1) == 0.9
    assert scores.difference("x", "y", "P@1").mean() == pytest.approx(0.4, abs=1e-12)
    assert not scores.mean_distribution("x", "AP").exact


def test_difference_of_scores_that_list_measures_in_another_order() -> None:
    votes, runs = small(0, top=2)
    truth, texts = ft.Judgments.from_frame(votes), ["P@2", "TP@3"]
    both = ft.evaluate(truth, runs, texts, n_worlds=40)
    one, other = ({name: lists} for name, lists in runs.items())
    parts = [ft.evaluate(truth, one, texts), ft.evaluate(truth, other, texts[::-1])]
    for query, measure in itertools.product(both.queries, texts):
        pair = (*both.systems, measure)
        want, gap = (scores.difference(*pair, query=query) for scores in (both, ft.concat(parts)))
        pd.testing.assert_frame_equal(gap.to_frame(), want.to_frame())


@pytest.mark.parametrize("ties", ["trec", "expected"])
@pytest.mark.parametrize("seed", range(2))
def test_exact_laws_over_every_world(seed: int, ties) -> None:
    votes, runs = small(seed, top=2)
    texts = ["P@2", "P(rel=2)@2", "TP@3", "R@3", "F@2"]
    runs, texts = (runs, [*texts, "RR", "Success@2"]) if ties == "trec" else (tied(runs), texts)
    expected = enumerated(votes, runs, texts, ties=ties)
    scores, sources = scored(votes, runs, texts, ties=ties)
    for (j, query), m in itertools.product(enumerate(scores.queries), range(len(texts))):
        values, p = expected[query]
        for s in range(2):
            law = law_of(*exact_values(sources, s, m, j))
            assert law == pytest.approx(law_of(values[s, m], p), abs=1e-12)
        if m < 3:
            law = law_of(*exact_difference(sources, (0, 1), m, j))
            assert law == pytest.approx(law_of(values[0, m] - values[1, m], p), abs=1e-12)
            same = law_of(*exact_difference(sources, (1, 1), m, j))
            assert same == {0.0: pytest.approx(1)}


@pytest.mark.parametrize("kind", KINDS)
def test_every_distribution_is_given_or_refused(kind: str, tmp_path: Path) -> None:
    """System "three" lists nothing for q2."""
    whole = evaluated(kind)
    whole.save(tmp_path / "scores.parquet")
    made = [whole, ft.Scores.load(tmp_path / "scores.parquet")]
    made.append(whole.select(queries=whole.queries[-1]))
    for number, scores in enumerate(made):
        measure = scores.measures[-1]
        for other, query in itertools.product(scores.systems, (*scores.queries, None)):
            system = scores.systems[0]
            try:
                gap = scores.difference(system, other, measure, query=query)
                if query is None:
                    parts = [scores.mean_distribution(s, measure) for s in (system, other)]
                else:
                    parts = [scores.distribution(s, query, measure) for s in (system, other)]
            except ft.errors.OptionError:
                assert number or "exclude" in KINDS[kind][3].values()
                continue
            if "undefined" not in KINDS[kind][3]:
                apart = parts[0].mean() - parts[1].mean()
                assert gap.mean() == pytest.approx(apart, abs=0.15)
            if system == other:
                assert (gap.values == 0).all()
