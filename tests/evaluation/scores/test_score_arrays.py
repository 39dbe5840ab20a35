"""Sizes and places of scores."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from support.scores_for_tests import scores_of

import fuzzytruth as ft
from fuzzytruth.core.cells import Cells


def test_repr_counts_the_axes() -> None:
    assert repr(scores_of(np.zeros((1, 1)))) == "Scores(1 system, 1 query, 1 measure)"
    scores = scores_of(np.zeros((2, 3, 4)))
    assert repr(scores) == "Scores(2 systems, 4 queries, 1 measure, 3 subjects)"


def test_repr_names_the_worlds() -> None:
    truth = ft.Judgments.from_probabilities(["q"], ["a"], [0.5])
    scores = ft.evaluate(truth, {"x": {"q": {"a": 1.0}}}, "P@1", n_worlds=1200)
    assert repr(scores) == "Scores(1 system, 1 query, 1 measure, 1,200 independent worlds)"


def test_a_measure_is_known_by_any_of_its_spellings() -> None:
    scores = ft.Scores(
        systems=("a",),
        queries=("q",),
        measures=("AP", "P@10", "a measure of my own"),
        values=np.zeros((1, 3, 1)),
        cells=Cells.of_queries(1),
        higher_is_better=(True, True, True),
    )
    assert scores.measure_place("map") == 0
    assert scores.measure_place("P_10") == scores.measure_place("P@10") == 1
    assert scores.measure_place("a measure of my own") == 2
    with pytest.raises(ft.OptionError, match=r"measure 'AP@3'.*AP, P@10"):
        scores.measure_place("AP@3")
    with pytest.raises(ft.OptionError, match="measure 'PA'"):
        scores.measure_place("PA")
    assert replace(scores, measures=("map", "x", "y")).measure_place("map") == 0
