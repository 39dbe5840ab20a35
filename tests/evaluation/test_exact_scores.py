"""Exact means of all scores."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from support.every_world import enumerated, moments, small

import fuzzytruth as ft

pytestmark = pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")
LINEAR = ["P@2", "TP@3", "CG@3", "DCG@3", "RBP", "NN", "NumRelRet", "FP@2", "FN@2", "FN", "NumRel"]
LINEAR += ["TN(collection=40)@3"]


def drawn(votes: pd.DataFrame, runs, measures: list[str], **options) -> ft.Scores:
    design = options.pop("design", "crossed")
    truth = ft.Judgments.from_frame(votes, design=design)
    return ft.evaluate(truth, runs, measures, worlds="population", rng=3, **options)


@pytest.mark.parametrize("design", ["crossed", "nested"])
@pytest.mark.parametrize("missing", [False, True])
def test_linear_means_over_resamples_are_those_of_the_votes(design: str, missing: bool) -> None:
    """With missing votes, too: those of an item are exchangeable in a resample."""
    votes, runs = small(10, top=1, missing=missing, n_subjects=6)
    scores = drawn(votes, runs, LINEAR, design=design, n_worlds=40)
    assert scores.uncertainty.drawn
    assert scores.uncertainty.exact.all()
    assert (scores.uncertainty.mc_error == 0).all()
    as_given = ft.evaluate(votes, runs, LINEAR, worlds="independent", rng=0)
    np.testing.assert_array_equal(scores.values, as_given.values)
    expected = enumerated(votes, runs, LINEAR[:1])
    for q, query in enumerate(scores.queries):
        mean, _ = moments(*expected[query])
        np.testing.assert_allclose(scores.values[:, :1, q], mean, atol=1e-12)


@pytest.mark.parametrize("missing", [False, True])
def test_enumerated_resamples_agree(missing: bool) -> None:
    """All resamples of three subjects have this mean, in numbers."""
    votes, runs = small(10, top=2, missing=missing)
    scores = drawn(votes, runs, LINEAR, n_worlds=5000)
    assert not scores.uncertainty.drawn
    means = np.einsum("w,wsm->sm", scores.uncertainty.weight, scores.uncertainty.world_means)
    np.testing.assert_allclose(means, scores.values.mean(axis=-1), atol=1e-12)


def test_other_means_stay_those_of_the_resamples() -> None:
    votes, runs = small(10, top=1, n_subjects=6)
    scores = drawn(votes, runs, ["AP", "P@2"], n_worlds=60)
    assert scores.uncertainty.exact[:, 1].all()
    assert not scores.uncertainty.exact[:, 0].any()
    means = scores.uncertainty.world_means.mean(axis=0)
    np.testing.assert_allclose(scores.values[:, 0].mean(axis=-1), means[:, 0], atol=1e-12)


def test_weights_of_votes_for_categories_are_no_votes_of_their_own() -> None:
    """Means over resamples of query by example are not those of the votes: products of shares."""
    tree = ft.Taxonomy.from_children({"all": ["a", "b"]})
    given_by = {"x": "aab", "y": "abb"}
    rows = [(s, i, c) for i, cs in given_by.items() for s, c in zip("pqr", cs, strict=True)]
    frame = pd.DataFrame(rows, columns=["subject", "item", "category"])
    truth = ft.Assignments.from_frame(frame, taxonomy=tree).by_example()
    scores = ft.evaluate(truth, {"s": {"x": {"y": 1}}}, ["P@1"], worlds="population", rng=0)
    means = scores.uncertainty.world_means[:, 0, 0] @ scores.uncertainty.weight
    assert scores.values.item() == pytest.approx(means, abs=1e-12)
    given = ft.evaluate(truth, {"s": {"x": {"y": 1}}}, ["P@1"], rng=0).values.item()
    assert given == pytest.approx(2 / 9 + 2 / 9)
    assert abs(scores.values.item() - given) > 0.01
