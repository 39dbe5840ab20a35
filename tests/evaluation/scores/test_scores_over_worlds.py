"""Distributions of scores over worlds or subjects."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from support.every_world import enumerated, moments, small
from support.kinds_of_scores import KINDS, evaluated
from support.scores_for_tests import scores_of

import fuzzytruth as ft

pytestmark = pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")

#: systems, subjects, queries; one subject did not judge the second query
BY_SUBJECT = np.array(
    [
        [[0.1, 0.5], [0.3, 0.5], [0.8, np.nan]],
        [[0.2, 0.5], [0.1, 0.1], [0.8, np.nan]],
    ]
)


def law(distribution: ft.Distribution) -> dict[float, float]:
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
        assert law(self.scores._of_cell((0, 0, 0))) == {0.1: third, 0.3: third, 0.8: third}
        assert law(self.scores._of_cell((0, 0, 1))) == {0.5: 1.0}
        assert law(self.scores._of_cell((1, 0, 1))) == {0.1: 0.5, 0.5: 0.5}

    def test_of_the_mean_over_queries(self) -> None:
        third = round(1 / 3, 12)
        assert law(self.scores._of_cell((0, 0, None))) == {0.3: third, 0.4: third, 0.8: third}

    def test_of_a_difference_by_the_same_subject(self) -> None:
        third = round(1 / 3, 12)
        gap = self.scores._of_cells((0, 0, 0), (1, 0, 0))
        assert law(gap) == {-0.1: third, 0.0: third, 0.2: third}
        assert gap.exact

    def test_nested_subjects_have_no_mean_over_queries(self) -> None:
        nested = replace(self.scores, design="nested")
        with pytest.raises(ft.OptionError, match="a name is another person in another query"):
            nested._of_cell((0, 0, None))
        assert law(nested._of_cell((1, 0, 1))) == {0.1: 0.5, 0.5: 0.5}


def test_scores_that_differ_by_rounding_are_equal() -> None:
    scores = scores_of([[0.1 + 0.2], [0.3]])
    assert scores._of_cells((0, 0, 0), (1, 0, 0)).values.tolist() == [0.0]


def test_without_any_value() -> None:
    scores = scores_of([[np.nan, 1.0], [0.5, 0.5]])
    with pytest.raises(ft.OptionError, match="undefined in every world"):
        scores._of_cell((0, 0, 0))


@pytest.mark.parametrize("seed", range(2))
def test_exact_where_items_are_independent(seed: int) -> None:
    votes, runs = small(seed)
    expected = enumerated(votes, runs, ["P@2"])
    scores = ft.evaluate(votes, runs, ["P@2", "bpref"], n_worlds=300, rng=0)
    for j, query in enumerate(scores.queries):
        distribution = scores._of_cell((0, 0, j))
        mean, std = moments(*expected[query])
        assert distribution.exact
        assert distribution.mean() == pytest.approx(mean[0, 0], abs=1e-12)
        assert distribution.std() == pytest.approx(std[0, 0], abs=1e-12)
        assert scores._of_cell((0, 1, j)).n_samples == 300


def test_drawn_worlds_are_a_sample() -> None:
    votes, runs = small(0)
    scores = ft.evaluate(votes, runs, "bpref", n_worlds=50, rng=0, keep_worlds=True)
    kept = scores.uncertainty.kept[:, :, 0]
    assert scores._of_cell((1, 0, 2)).mean() == pytest.approx(kept[:, 1, 2].mean())
    means = kept.mean(axis=-1)
    assert scores._of_cell((0, 0, None)).mean() == pytest.approx(means[:, 0].mean())
    gap = scores._of_cells((0, 0, None), (1, 0, None))
    assert gap.mean() == pytest.approx((means[:, 0] - means[:, 1]).mean())
    assert gap.std() == pytest.approx((means[:, 0] - means[:, 1]).std())


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


def made_in_other_ways(kind: str, folder: Path) -> list[ft.Scores]:
    """Scores as evaluated, loaded, selected and concatenated."""
    scores = evaluated(kind)
    scores.save(folder / "scores.parquet")
    made = [
        scores,
        ft.Scores.load(folder / "scores.parquet"),
        scores.select(queries=scores.queries[-1]),
    ]
    if scores.lower is None:
        made.append(ft.concat([evaluated(kind, systems=[name]) for name in scores.systems]))
    return made


@pytest.mark.parametrize("kind", KINDS)
def test_every_distribution_is_given_or_refused(kind: str, tmp_path: Path) -> None:
    """System "three" lists nothing for q2."""
    for number, scores in enumerate(made_in_other_ways(kind, tmp_path)):
        drawn_again = number in (0, 3)
        for system, measure in itertools.product(scores.systems, scores.measures):
            for other, query in itertools.product(scores.systems, (*scores.queries, None)):
                try:
                    gap = scores.difference(system, other, measure, query=query)
                    if query is None:
                        parts = [scores.mean_distribution(s, measure) for s in (system, other)]
                    else:
                        parts = [scores.distribution(s, query, measure) for s in (system, other)]
                except ft.OptionError:
                    assert not drawn_again or "exclude" in KINDS[kind][3].values()
                    continue
                if "undefined" not in KINDS[kind][3]:
                    apart = parts[0].mean() - parts[1].mean()
                    assert gap.mean() == pytest.approx(apart, abs=0.15)
                if system == other:
                    assert (gap.values == 0).all()
