"""Scores as labelled rows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats as scipy_stats
from support.every_world import small
from support.scores_for_tests import scores_of

import fuzzytruth as ft
from fuzzytruth.evaluation.scores.score_rows import ScoreRows, score_rows

quiet = pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")

RUNS = {
    "x": {"q": {"a": 2, "b": 1}, "r": {"a": 2, "b": 1}},
    "y": {"q": {"b": 2, "a": 1}, "r": {"b": 2, "a": 1}},
}


@pytest.fixture
def by_subject() -> ft.Scores:
    """Ann judged both queries, bob one."""
    truth = ft.Judgments.from_columns(
        ["q", "q", "q", "q", "r", "r"],
        ["a", "b", "a", "b", "a", "b"],
        [1, 0, 0, 1, 1, 0],
        subject=["ann", "ann", "bob", "bob", "ann", "ann"],
    )
    return ft.evaluate(truth, RUNS, ["RR", "P@1"], worlds="subject")


def test_means_are_those_of_the_scores(by_subject: ft.Scores) -> None:
    rows = score_rows(by_subject, per_subject=True)
    assert rows.names == ("system", "subject")
    assert (rows.lower, rows.upper, rows.brackets) == (None, None, "")
    expected = by_subject.mean(by="subject")
    assert list(rows.labels) == expected.index.tolist()
    assert np.array_equal(rows.values, expected.to_numpy())
    means = score_rows(by_subject)
    assert means.names == ("system",)
    assert np.array_equal(means.values, by_subject.mean().to_numpy())


def test_queries_that_a_subject_did_not_judge_have_no_row(by_subject: ft.Scores) -> None:
    rows = score_rows(by_subject, per_query=True, per_subject=True)
    frame = by_subject.to_frame().pivot(index=["system", "query", "subject"], columns="measure")
    assert sorted(rows.labels) == frame.index.tolist()
    assert ("x", "r", "bob") not in rows.labels
    averaged = score_rows(by_subject, per_query=True)
    assert averaged.labels == (("x", "q"), ("x", "r"), ("y", "q"), ("y", "r"))
    assert averaged.values.tolist() == [[0.75, 0.5], [1, 1], [0.75, 0.5], [0.5, 0]]


def test_the_best_system_for_each_subject(by_subject: ft.Scores) -> None:
    rows = score_rows(by_subject, per_subject=True)
    assert dict(zip(rows.labels, rows.best[:, 0].tolist(), strict=True)) == {
        ("x", "ann"): True,
        ("x", "bob"): False,
        ("y", "ann"): False,
        ("y", "bob"): True,
    }
    ann = rows.select("subject", "ann")
    assert (ann.names, ann.labels) == (("system",), (("x",), ("y",)))
    assert ann.best[:, 0].tolist() == [True, False]


def test_lower_is_better() -> None:
    rows = score_rows(ft.evaluate({"q": {"a": 1}, "r": {"a": 1}}, RUNS, ["E@1"]))
    assert rows.best.ravel().tolist() == [True, False]


def test_intervals_over_queries_are_those_of_summary(by_subject: ft.Scores) -> None:
    rows = score_rows(by_subject, level=0.9)
    summary = by_subject.summary(level=0.9)
    for name, ends in (("lower", rows.lower), ("upper", rows.upper)):
        assert ends is not None
        assert ends.ravel().tolist() == summary[name].tolist()
    assert rows.brackets == "90 % t intervals over queries, the subjects being fixed"
    one = score_rows(ft.evaluate({"q": {"a": 1}}, {"x": {"q": {"a": 1}}}, ["P@1"]))
    assert (one.lower, one.upper, one.brackets) == (None, None, "")


def ends(rows: ScoreRows) -> tuple[float, float, float]:
    """Lower end, value and upper end of a single number."""
    assert rows.lower is not None
    assert rows.upper is not None
    return rows.lower.item(), rows.values.item(), rows.upper.item()


def test_worlds_in_brackets_only_if_asked() -> None:
    truth = ft.Judgments.from_probabilities(["q", "r"], ["a", "a"], [0.5, 0.5])
    scores = ft.evaluate(truth, {"x": {"q": {"a": 1}, "r": {"a": 1}}}, ["P@1"], rng=0)
    assert ends(score_rows(scores)) == (0.5, 0.5, 0.5)
    assert ends(score_rows(scores, over="world")) == (0.0, 0.5, 1.0)
    worlds = "what holds 95 % of 1,000 worlds in which each item takes one of its votes at random"
    assert score_rows(scores, over="world").brackets == worlds


def test_bounds_of_unjudged_items() -> None:
    runs = {"x": {"q": {"a": 2, "b": 1}, "r": {"a": 1}}}
    scores = ft.evaluate({"q": {"a": 1}, "r": {"a": 1}}, runs, "P@2", unjudged="bounds")
    rows = score_rows(scores)
    assert ends(rows) == (0.5, 0.5, 0.75)  # at q, b is relevant or not
    assert (
        rows.brackets
        == "the lowest and the highest mean that judging the unjudged items could give"
    )
    rows = score_rows(scores, per_query=True)
    assert rows.lower is not None
    assert rows.upper is not None
    assert (rows.lower.tolist(), rows.upper.tolist()) == ([[0.5], [0.5]], [[1.0], [0.5]])
    assert "value" in rows.brackets
    rows = score_rows(scores, over="query")
    assert rows.brackets == "95 % t intervals over queries, the ground truth being fixed"


@quiet
class TestIntervalsOverWorlds:
    def test_independent_worlds_are_quantiles(self) -> None:
        votes, runs = small(1)
        scores = ft.evaluate(votes, runs, ["bpref", "AP"], n_worlds=400, rng=0)
        rows = score_rows(scores, over="world", level=0.8)
        means = np.sort(scores.uncertainty.world_means, axis=0)
        np.testing.assert_allclose(rows.values, scores.mean().to_numpy(), atol=1e-12)
        np.testing.assert_allclose(rows.lower, means[39], atol=1e-9)  # a tenth of 401 from below
        np.testing.assert_allclose(rows.upper, means[400 - 40], atol=1e-9)

    def test_resampled_subjects_are_t(self) -> None:
        """Cut where the values of the measure end."""
        for seed, n_subjects, level in ((1, 5, 0.9), (8, 2, 0.999)):
            votes, runs = small(seed, n_subjects=n_subjects)
            scores = ft.evaluate(votes, runs, ["P@3"], worlds="population", n_worlds=200, rng=0)
            rows = score_rows(scores, over="world", level=level)
            spread = scores.uncertainty
            for s in range(2):
                mean = spread.weight @ spread.world_means[:, s, 0]
                variance = spread.weight @ (spread.world_means[:, s, 0] - mean) ** 2
                t = scipy_stats.t.ppf((1 + level) / 2, n_subjects - 1)
                half = t * np.sqrt(variance * n_subjects / (n_subjects - 1))
                ends = np.clip(rows.values[s, 0] + [-half, half], 0, 1)
                assert [rows.lower[s, 0], rows.upper[s, 0]] == pytest.approx(ends.tolist())
            degrees = "1 degree" if n_subjects == 2 else f"{n_subjects - 1} degrees"
            assert f"over resampled subjects ({degrees} of freedom)" in rows.brackets
        assert rows.lower.max() == 0

    def test_undefined_measures_have_none(self) -> None:
        rows = score_rows(scores_of([[np.nan, np.nan], [0.2, 0.6]]))
        assert np.isnan([rows.values[0, 0], rows.lower[0, 0], rows.upper[0, 0]]).all()
        assert rows.values[1, 0] == pytest.approx(0.4)
        assert rows.cells()[0] == ["–"]


def test_what_brackets_are(by_subject: ft.Scores) -> None:
    nested = replace(by_subject, design="nested")
    sampled = "95 % t intervals over queries, the subjects being sampled with their query"
    assert score_rows(nested).brackets == sampled
    both = "95 % intervals over queries and subjects, both being random"
    assert score_rows(by_subject, over=("query", "subject")).brackets == both
    alone = "95 % t intervals over subjects, the queries being fixed"
    assert score_rows(by_subject, over="subject").brackets == alone


def test_digits() -> None:
    rows = score_rows(scores_of([[0.125, 0.25], [31.5, 431.25]]))
    assert rows.cells() == [["0.2 [-0.6, 1.0]"], ["231.4 [-2308.3, 2771.0]"]]
    assert rows.cells(2)[0] == ["0.19 [-0.61, 0.98]"]
    one = score_rows(scores_of([[0.125], [0.25]]))
    assert one.cells() == [["0.1250"], ["0.2500"]]
