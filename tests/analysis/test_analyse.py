"""`analyse` gives what its parts give alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from support.analysed import analysis, runs, truth

import fuzzytruth as ft

SAME = pd.testing.assert_frame_equal


def test_parts_are_those_of_the_functions() -> None:
    result = analysis("AP", "P@3")
    scores = ft.evaluate(truth(), runs(), ["AP", "P@3"], worlds="subject")
    SAME(result.scores.to_frame(), scores.to_frame())
    alone = ft.compare(scores, n_resamples=199)
    SAME(result.comparison.table, alone.table)
    both = ft.compare(scores, over=("query", "subject"))
    SAME(result.both.table, both.table)
    SAME(result.by_subject.table, alone.by_subject().table)
    SAME(result.stability.systems, ft.rank_stability(scores, n_resamples=199).systems)
    assert result.verdicts() == alone.verdicts()


def test_scores_are_analysed_as_they_are() -> None:
    scores = ft.evaluate(truth(), runs(), ["AP", "Judged@3"], worlds="subject")
    result = ft.analyse(scores, n_resamples=199)
    assert result.scores.measures == ("AP",)
    SAME(result.to_frame(full=True), analysis("AP").to_frame(full=True))
    assert ft.analyse(scores, measures="map", n_resamples=199).scores.measures == ("AP",)


def test_a_baseline_and_a_level() -> None:
    result = ft.analyse(truth(), runs(), "AP", baseline="bad", level=0.8, n_resamples=199)
    assert result.comparison.conditions.baselines == ("bad",)
    assert result.both.conditions.level == 0.8
    text = " ".join(str(result).split())
    assert "level 0.8. Only pairs with bad were compared." in text
    assert "80 % confidence sets over queries, from comparisons of all pairs." in text
    want = ft.compare(result.scores, "bad", level=0.8, n_resamples=199)
    SAME(result.comparison.table, want.table)
    frame = result.to_frame()
    summary = result.scores.summary(level=0.8)
    np.testing.assert_allclose(frame["lower"], summary["lower"])


def test_one_system_is_not_compared() -> None:
    result = ft.analyse(truth(), {"good": runs()["good"]}, "AP")
    assert (result.comparison, result.both, result.by_subject, result.stability) == (None,) * 4
    assert result.verdicts() == []
    assert result.to_frame(full=True)["rank"].isna().all()
    assert "good  " in str(result)


def test_crisp_truth_has_no_subjects() -> None:
    result = ft.analyse(
        {"q": {"a": 1}, "r": {"b": 1}},
        {"x": {"q": ["a"], "r": ["b"]}, "y": {"q": ["b", "a"], "r": ["a", "b"]}},
        ["RR"],
        n_resamples=99,
    )
    assert (result.both, result.by_subject) == (None, None)
    assert "beats_both" not in result.to_frame()


def test_resampled_subjects_are_random_with_the_queries() -> None:
    result = ft.analyse(truth(), runs(), "AP", worlds="population", n_worlds=50, n_resamples=99)
    want = ft.compare(result.scores, over=("query", "world"))
    SAME(result.both.table, want.table)
    assert result.by_subject is None


def test_clusters_widen_the_intervals() -> None:
    clusters = {f"q{q}": str(q // 4) for q in range(12)}
    result = ft.analyse(truth(), runs(), "AP", clusters=clusters, n_resamples=99)
    want = result.scores.summary(clusters=clusters)
    np.testing.assert_allclose(result.to_frame()["upper"], want["upper"])
    assert result.both is None
    assert "intervals over clusters of queries" in str(result)
    text = " ".join(str(result).split())
    assert "ranks: simultaneous 95 % confidence sets over clusters of queries." in text


def test_warnings_are_notes() -> None:
    fewer = {
        name: {q: lists for q, lists in run.items() if q != "q3"} for name, run in runs().items()
    }
    result = ft.analyse(truth(), fewer, "AP", n_resamples=99)  # a warning would be an error
    assert any("judged queries are missing from good" in note for note in result.data.notes)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ((), "runs=None, measures=None: give both, or scores as the first"),
        (({"x": {"q": ["a"]}},), "measures=None: give both"),
    ],
)
def test_what_is_missing_is_named(given: tuple[object, ...], words: str) -> None:
    with pytest.raises(ft.OptionError, match=words):
        ft.analyse({"q": {"a": 1}}, *given)


def test_scores_take_no_options_of_evaluation() -> None:
    with pytest.raises(ft.OptionError, match="runs, ties: is for judgments and runs"):
        ft.analyse(analysis("AP").scores, runs(), ties="order")


def test_missing_judgments_are_an_error_that_says_what_to_type() -> None:
    frame = truth().to_frame()
    part = ft.Judgments.from_frame(frame.drop(index=0))
    with pytest.raises(ft.DataError, match="1 judgment is missing"):
        ft.analyse(part, runs(), "AP")
    result = ft.analyse(part, runs(), "AP", missing="exclude", n_resamples=99)
    assert result.both is not None


def scores_with_gaps() -> ft.Scores:
    """A system that is better on the easy queries, which are all it has."""
    rng = np.random.default_rng(4)
    easy = np.repeat([0.0, 0.5], 8)
    rows = [
        (name, f"q{q:02}", easy[q] + gain + rng.normal(0, 0.02))
        for name, gain in (("all", 0.1), ("low", 0.0), ("part", 0.0))
        for q in range(16)
        if name != "part" or q >= 8
    ]
    return ft.Scores.from_frame(pd.DataFrame(rows, columns=["system", "query", "value"]))


def test_means_are_over_the_queries_that_all_systems_have() -> None:
    scores = scores_with_gaps()
    result = ft.analyse(scores, n_resamples=199)
    frame = result.to_frame(full=True).set_index("system")
    np.testing.assert_allclose(frame["mean"], result.comparison.means["value"])
    assert frame["mean"].idxmax() == "all"  # the own mean of `part` is higher
    assert scores.mean()["value"].idxmax() == "part"
    assert frame["n_queries"].tolist() == [8, 8, 8]
    easy = scores.to_frame().query("query >= 'q08'")["value"].to_numpy().reshape(3, 8)
    half = 2.3646242515927845 * easy.std(axis=1, ddof=1) / np.sqrt(8)  # t of .975, 7 df
    np.testing.assert_allclose(frame["upper"] - frame["mean"], half)
    text = " ".join(str(result).split())
    assert "means are over those that all have (value over 8 queries, 16 values left out)" in text


def test_systems_without_a_query_in_common_have_no_ranks() -> None:
    scores = scores_with_gaps()
    values = scores.values.copy()
    values[0, 0, 8:] = np.nan
    result = ft.analyse(replace(scores, values=values), n_resamples=199)
    assert result.stability is None
    assert "ranks" not in str(result)
    assert len(result.verdicts()) == 3


def test_shares_of_judged_items_alone_are_compared() -> None:
    result = ft.analyse(truth(), runs(), "Judged@3", n_resamples=99)
    assert result.scores.measures == ("Judged@3",)


def test_subjects_of_one_query_each_come_with_it() -> None:
    rng = np.random.default_rng(4)
    rows = [(s, f"q{q}", f"u{q}", rng.random()) for s in "ab" for q in range(9)]
    scores = ft.Scores.from_frame(
        pd.DataFrame(rows, columns=["system", "query", "subject", "value"])
    )
    result = ft.analyse(scores, n_resamples=99)
    assert (result.both, result.by_subject) == (None, None)
    assert result.data.facts[2] == ("subjects", "9 subjects of one query each")
    assert "over queries, the subjects being sampled with their query." in " ".join(
        str(result).split()
    )
