"""What inference takes of scores."""

from __future__ import annotations

import numpy as np
import pytest
from support.every_world import small
from support.scores_for_tests import scores_of

import fuzzytruth as ft
from fuzzytruth.evaluation.scores.summary import observations_of

quiet = pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")


def test_values_of_one_measure() -> None:
    values = np.arange(24.0).reshape(2, 3, 4)
    scores = scores_of(values, design="nested")
    observed = observations_of(scores, 0)
    np.testing.assert_array_equal(observed.values, scores.values[:, 0])
    assert observed.nested
    assert observed.worlds is None
    assert observed.cells is scores.cells


@quiet
@pytest.mark.parametrize(("worlds", "inflation"), [("independent", 1.0), ("population", 1.5)])
def test_worlds_of_one_measure(worlds: str, inflation: float) -> None:
    votes, runs = small(0)
    scores = ft.evaluate(votes, runs, ["AP", "P@2"], worlds=worlds, n_worlds=30, rng=0)
    observed = observations_of(scores, 1)
    assert observed.worlds is not None
    np.testing.assert_array_equal(observed.worlds.means, scores.uncertainty.world_means[:, :, 1])
    assert observed.worlds.weight.sum() == pytest.approx(1)
    assert observed.worlds.inflation == inflation  # three subjects
    assert observed.worlds.resampled == (worlds == "population")


@quiet
def test_missing_judgments_imputed_for_each_subject_are_not_worlds() -> None:
    votes, runs = small(10, missing=True)
    scores = ft.evaluate(votes, runs, "AP", worlds="subject", missing="pooled", n_worlds=8, rng=0)
    assert scores.uncertainty is not None
    assert observations_of(scores, 0).worlds is None
