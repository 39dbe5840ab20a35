"""Scores under independent and population worlds, and imputed missing judgments."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from support.every_world import enumerated, moments, small

import fuzzytruth as ft
from fuzzytruth.errors import LostVotesWarning, UndefinedMeasureWarning
from fuzzytruth.evaluation.subject_scores import score_pooled
from fuzzytruth.evaluation.world_scores import score_worlds
from fuzzytruth.evaluation.worlds.setting import Sampling
from fuzzytruth.measures import parse_measure
from fuzzytruth.truth import align

COLUMNS = ["query", "item", "subject", "grade"]
quiet = pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")


def scored(votes, runs, texts, kind="independent", *, design="crossed", exclude=False, **how):
    truth = ft.Judgments.from_frame(votes, design=design)
    aligned = align(truth, ft.Runs.from_dict(runs), ties="trec")
    sampling = Sampling(**{"n_worlds": 40, "rng": 0} | how)
    measures = tuple(map(parse_measure, texts))
    if kind == "pooled":
        return score_pooled(aligned, measures, sampling=sampling, exclude=exclude)[0]
    return score_worlds(aligned, measures, kind, sampling=sampling, exclude=exclude)[0]


@quiet
def test_worlds_are_independent_of_the_measures() -> None:
    votes, runs = small(0)
    one = scored(votes, runs, ["bpref"], keep=True)
    two = scored(votes, runs, ["P@1", "bpref"], keep=True)
    np.testing.assert_array_equal(one.uncertainty.kept[:, :, 0], two.uncertainty.kept[:, :, 1])


@quiet
def test_means_in_each_world_are_over_queries_with_a_value() -> None:
    votes, runs = small(2)
    scores = scored(votes, runs, ["AP", "P@1"], exclude=True, keep=True, n_worlds=200)
    uncertainty = scores.uncertainty
    assert np.isnan(uncertainty.kept).any()
    np.testing.assert_allclose(uncertainty.world_means, np.nanmean(uncertainty.kept, axis=-1))
    assert uncertainty.weight.tolist() == [1 / 200] * 200
    assert uncertainty.drawn
    assert uncertainty.inflation == 1


@quiet
def test_few_subjects_have_all_their_resamples() -> None:
    """10 distinct resamples of three subjects; their weights are multinomial."""
    votes, runs = small(0)
    uncertainty = scored(votes, runs, ["P@2"], "population", n_worlds=5000).uncertainty
    assert uncertainty.n_worlds == len(uncertainty.weight) == 10
    assert not uncertainty.drawn
    assert sorted((27 * uncertainty.weight).round(9)) == [1] * 3 + [3] * 6 + [6]
    assert uncertainty.inflation == pytest.approx(3 / 2)


@quiet
def test_nested_subjects_are_resampled_within_their_query() -> None:
    votes, runs = small(0)
    votes = votes[~((votes["query"] == "q0") & (votes["subject"] == "s2"))]
    scores = scored(votes, runs, ["P@2"], "population", design="nested", n_worlds=300)
    assert scores.uncertainty.drawn
    assert scores.uncertainty.inflation == 2  # of the query with two subjects
    assert scores.uncertainty.n_worlds == 300
    lonely = votes[~((votes["query"] == "q0") & (votes["subject"] == "s1"))]
    with pytest.raises(ft.DataError, match="query 'q0' has a single subject"):
        scored(lonely, runs, ["P@2"], "population", design="nested")


def test_a_single_resample_has_no_spread() -> None:
    votes, runs = small(0)
    with pytest.raises(ft.OptionError, match="n_worlds=1: worlds='population' needs 2"):
        scored(votes, runs, ["P@1"], "population", n_worlds=1)


def test_resamples_without_votes_are_counted() -> None:
    """Two subjects: resamples (s, s), (s, t), (t, t); each judged one item alone."""
    rows = [("q", "a", "s", 1), ("q", "b", "t", 1), ("q", "c", "s", 0), ("q", "c", "t", 1)]
    votes = pd.DataFrame(rows, columns=COLUMNS)
    with pytest.warns(LostVotesWarning, match="no vote left in 2 of 9 pairs of a"):
        scored(votes, {"x": {"q": {"a": 2.0, "c": 1.0}}}, ["P@1"], "population")


@quiet
@pytest.mark.parametrize("exclude", [False, True])
def test_imputed_judgments_over_every_world(exclude: bool) -> None:
    votes, runs = small(10, missing=True)
    texts = ["P@2", "AP"]
    scores = scored(votes, runs, texts, "pooled", exclude=exclude)
    cells = scores.cells
    options = {"undefined": "exclude"} if exclude else {}
    for s, name in enumerate(scores.subjects):
        own = votes[votes["subject"] == name][["query", "item"]].assign(own=True)
        joined = votes.merge(own, on=["query", "item"], how="left")
        filled = joined[joined["own"].isna() | (joined["subject"] == name)].drop(columns="own")
        expected = enumerated(filled, runs, texts, **options)
        for c in np.flatnonzero(cells.subject == s):
            mean, _ = moments(*expected[scores.queries[cells.query[c]]])
            np.testing.assert_allclose(scores.values[:, :, c], mean, atol=1e-12)
    assert scores.uncertainty.exact.all()
    assert scores.uncertainty.std is None
    assert scores.uncertainty.n_worlds == len(scores.subjects)


def test_undefined_worlds_are_reported_once_by_measure() -> None:
    votes = pd.DataFrame([("q", "a", "s", 1), ("q", "a", "t", 0)], columns=COLUMNS)
    with pytest.warns(UndefinedMeasureWarning) as caught:
        scored(votes, {"x": {"q": {"a": 1.0}}}, ["AP", "RR", "P@1"])
    assert len(caught) == 1
    text = str(caught[0].message)
    assert "AP, RR: 1 of 1 query (q), in 0.5 of worlds; undefined=" in text


@quiet
@pytest.mark.parametrize("kind", ["independent", "population", "pooled"])
def test_progress_ends_at_one(kind: str) -> None:
    votes, runs = small(10, missing=True)
    done: list[float] = []
    scored(votes, runs, ["AP"], kind, progress=done.append)
    assert done == sorted(done)
    assert done[-1] == 1
