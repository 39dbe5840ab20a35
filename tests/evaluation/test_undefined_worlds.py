"""Worlds in which no item is relevant."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import fuzzytruth as ft
from fuzzytruth.errors import UndefinedMeasureWarning
from fuzzytruth.evaluation.scores.score_rows import score_rows
from fuzzytruth.measures import P, registry

quiet = pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")


def test_what_a_kernel_gives_without_relevant_items_is_declared():
    truth = ft.Judgments.from_columns(["q", "q"], ["a", "b"], [0, 0], intent=["x", "x"])
    runs = {"x": {"q": {"a": 2.0, "b": 1.0}}}
    checked = 0
    for name in registry.names():
        cls, _ = registry.lookup(name)
        if not cls.needs_relevant or cls.compares_lists:
            continue
        text = cls.example or name
        with pytest.warns(UndefinedMeasureWarning):
            scores = ft.evaluate(truth, runs, [text])
        assert scores.values.item() == cls.empty, name
        checked += 1
    assert checked > 10


@quiet
@pytest.mark.usefixtures("own_measures")
def test_excluding_worlds_by_a_measure_that_is_better_if_lower():
    """Its value without relevant items is 0, which is not the worst one."""

    class Missed(ft.Measure):
        needs_relevant = True
        higher_is_better = False

        def score(self, batch):
            return np.where(batch.n_relevant(1) > 0, 1 - batch.hits(1, 1), 0.0)

        def moments(self, probabilities):
            none = np.prod(1 - probabilities.hits.at_least(1)) * np.prod(
                1 - probabilities.rest.at_least(1)
            )
            return 1 - P(cutoff=1).moments(probabilities)[0] - none, None

    ft.register(Missed, name="MissedFirst")
    truth = ft.Judgments.from_probabilities(["q", "q"], ["a", "b"], [0.5, 0.5])
    scores = ft.evaluate(
        truth, {"x": {"q": {"a": 2.0, "b": 1.0}}}, ["MissedFirst"], undefined="exclude", rng=0
    )
    assert scores.uncertainty.exact.all()
    assert scores.values.item() == pytest.approx(1 / 3)  # of three worlds with any, one misses


NOTHING = pd.DataFrame(
    [("q", d, s, 0) for d in "ab" for s in ("s", "t")],
    columns=["query", "item", "subject", "grade"],
)


@pytest.mark.parametrize("worlds", ["independent", "population"])
def test_undefined_everywhere(worlds):
    runs = {"x": {"q": {"a": 2.0, "b": 1.0}}}
    with pytest.warns(UndefinedMeasureWarning, match="are left out: AP: 1 of 1 query"):
        scores = ft.evaluate(NOTHING, runs, ["AP", "P@1"], worlds=worlds, undefined="exclude")
    rows = score_rows(scores, over="world")
    value, low, high = rows.values, rows.lower, rows.upper
    assert np.isnan([value[0, 0], low[0, 0], high[0, 0]]).all()
    assert (value[0, 1], low[0, 1], high[0, 1]) == (0, 0, 0)
    assert rows.best.tolist() == [[False, True]]
    assert rows.cells() == [["–", "0.000 [0.000, 0.000]"]]


def test_what_is_too_rare_for_a_word():
    """P(no relevant item) is .009 or .011: the rule is a hundredth of the worlds."""
    runs = {"x": {"q": {"a": 1.0}}}

    def scored(none):
        return ft.evaluate(ft.Judgments.from_probabilities(["q"], ["a"], [1 - none]), runs, "AP")

    scored(0.009)  # a warning would be an error
    with pytest.warns(UndefinedMeasureWarning, match="1 of 1 query .q., in 0.011 of worlds"):
        scored(0.011)


def test_equal_systems_are_best_whatever_rounding_says():
    """0.1 + 0.2 is not 0.3, and both systems are bold."""
    truth = ft.Judgments.from_dict({q: {"a": 1} for q in ("q", "r")})
    runs = {"x": {"q": {"a": 1.0}, "r": {"a": 1.0}}}
    scores = ft.evaluate(truth, runs | {"y": runs["x"], "z": runs["x"]}, ["RR"])
    values = np.array([0.1 + 0.2, 0.3, 0.2]).reshape(3, 1, 1).repeat(2, axis=2)
    rows = score_rows(replace(scores, values=values))
    assert rows.best.ravel().tolist() == [True, True, False]
