"""Distributions of scores over worlds or subjects, of one query or of means."""

import itertools
from dataclasses import replace
from pathlib import Path

import numpy as np
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
    query_values,
)
from fuzzytruth.evaluation.worlds.setting import Sources

pytestmark = pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")


#: systems, subjects, queries; one subject did not judge the second query
BY_SUBJECT = np.array(
    [
        [[0.1, 0.5], [0.3, 0.5], [0.8, np.nan]],
        [[0.2, 0.5], [0.1, 0.1], [0.8, np.nan]],
    ]
)


def rounded(distribution: ft.Distribution) -> dict[float, float]:
    return dict(
        zip(
            distribution.values.round(12).tolist(),
            distribution.probabilities.round(12).tolist(),
            strict=True,
        )
    )


class TestSubjects:
    """Each subject who judged the query is equally probable."""

    scores = scores_of(BY_SUBJECT)

    def test_of_a_query(self) -> None:
        third = round(1 / 3, 12)
        assert rounded(self.scores._of_cell((0, 0, 0))) == {0.1: third, 0.3: third, 0.8: third}
        assert rounded(self.scores._of_cell((0, 0, 1))) == {0.5: 1.0}
        assert rounded(self.scores._of_cell((1, 0, 1))) == {0.1: 0.5, 0.5: 0.5}

    def test_of_the_mean_over_queries(self) -> None:
        third = round(1 / 3, 12)
        assert rounded(self.scores._of_cell((0, 0, None))) == {0.3: third, 0.4: third, 0.8: third}

    def test_of_a_difference_by_the_same_subject(self) -> None:
        third = round(1 / 3, 12)
        gap = self.scores._of_cells((0, 0, 0), (1, 0, 0))
        assert rounded(gap) == {-0.1: third, 0.0: third, 0.2: third}
        assert gap.exact

    def test_nested_subjects_have_no_mean_over_queries(self) -> None:
        nested = replace(self.scores, design="nested")
        with pytest.raises(ft.OptionError, match="a name is another person in another query"):
            nested._of_cell((0, 0, None))
        assert rounded(nested._of_cell((1, 0, 1))) == {0.1: 0.5, 0.5: 0.5}


def test_scores_that_differ_by_rounding_are_equal() -> None:
    scores = scores_of([[0.1 + 0.2], [0.3]])
    assert scores._of_cells((0, 0, 0), (1, 0, 0)).values.tolist() == [0.0]
    with pytest.raises(ft.OptionError, match="undefined in every world"):
        scores_of([[np.nan, 1.0], [0.5, 0.5]])._of_cell((0, 0, 0))


def test_error_of_a_mean_of_estimates() -> None:
    """Missing judgments imputed by draws: each subject's value is an estimate."""
    votes, runs = small(10, missing=True)
    scores = ft.evaluate(
        votes, runs, "bpref", worlds="subject", missing="pooled", n_worlds=40, rng=0
    )
    error = scores.uncertainty.mc_error[0, 0]
    cells = scores.cells
    squares = [error[cells.query == q] ** 2 for q in range(len(scores.queries))]
    of_queries = [np.sqrt(s.sum()) / len(s) for s in squares]
    assert max(of_queries) > 0
    for q, expected in enumerate(of_queries):
        assert scores._of_cell((0, 0, q)).mc_error == pytest.approx(expected)
    total = np.sqrt(np.sum(np.square(of_queries))) / len(of_queries)
    assert scores._of_cell((0, 0, None)).mc_error == pytest.approx(total)


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


@pytest.mark.parametrize("worlds", ["independent", "population"])
def test_values_drawn_again_are_those_kept(worlds: str) -> None:
    votes, runs = small(1, top=2)
    texts = ["AP", "bpref", "ERR"]
    kept, _ = scored(votes, runs, texts, worlds=worlds, keep_worlds=True)
    _, sources = scored(votes, runs, texts, worlds=worlds)
    values = kept.uncertainty.kept
    for measure, query in itertools.product(range(3), range(3)):
        again = query_values(sources, (1, 0), measure, query)
        np.testing.assert_allclose(again, values[:, [1, 0], measure, query], rtol=0, atol=1e-12)
    law = kept.difference("a", "b", "bpref")
    gap = values[:, 0, 1].mean(axis=-1) - values[:, 1, 1].mean(axis=-1)
    assert (law.n_samples or kept.uncertainty.n_worlds) == len(values)
    weight = kept.uncertainty.weight
    assert law.mean() == pytest.approx(weight @ gap)


@pytest.mark.parametrize("seed", range(2))
def test_exact_laws_over_every_world(seed: int) -> None:
    votes, runs = small(seed, top=2)
    texts = ["P@2", "P(rel=2)@2", "TP@3", "R@3", "RR", "Success@2"]
    expected = enumerated(votes, runs, texts)
    scores, sources = scored(votes, runs, texts)
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
            except ft.OptionError:
                assert number or "exclude" in KINDS[kind][3].values()
                continue
            if "undefined" not in KINDS[kind][3]:
                apart = parts[0].mean() - parts[1].mean()
                assert gap.mean() == pytest.approx(apart, abs=0.15)
            if system == other:
                assert (gap.values == 0).all()
