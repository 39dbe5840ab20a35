"""Worlds in which no item is relevant."""

from __future__ import annotations

import numpy as np
import pytest

import fuzzytruth as ft
from fuzzytruth.errors import UndefinedMeasureWarning
from fuzzytruth.measures import P, registry

quiet = pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")


def test_what_a_kernel_gives_without_relevant_items_is_declared():
    truth = ft.Judgments.from_dict({"q": {"a": 0, "b": 0}})
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
def test_excluding_worlds_by_a_measure_that_is_better_if_lower(monkeypatch):
    """Its value without relevant items is 0, which is not the worst one."""

    class Missed(ft.Measure):
        needs_relevant = True
        higher_is_better = False

        def score(self, batch):
            return np.where(batch.n_relevant(1) > 0, 1 - batch.hits(1, 1), 0.0)

        def expectation(self, marginals):
            none = np.prod(1 - marginals.hits.at_least(1)) * np.prod(1 - marginals.rest.at_least(1))
            return 1 - P(cutoff=1).expectation(marginals) - none

    for table in ("_CLASSES", "_SPELLINGS", "_REGISTERED"):  # put back at the end
        monkeypatch.setattr(registry, table, getattr(registry, table).copy())
    ft.register(Missed, name="MissedFirst")
    truth = ft.Judgments.from_probabilities(["q", "q"], ["a", "b"], [0.5, 0.5])
    scores = ft.evaluate(
        truth, {"x": {"q": {"a": 2.0, "b": 1.0}}}, ["MissedFirst"], undefined="exclude", rng=0
    )
    assert scores.uncertainty.exact.all()
    assert scores.values.item() == pytest.approx(1 / 3)  # of three worlds with any, one misses
