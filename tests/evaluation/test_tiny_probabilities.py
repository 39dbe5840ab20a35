"""Exact values where relevant items are very improbable, against fractions over all worlds."""

from __future__ import annotations

import itertools
from fractions import Fraction
from math import prod

import numpy as np
import pandas as pd
import pytest
from support.building import batch_of, query

import fuzzytruth as ft
from fuzzytruth.evaluation.worlds.simulation import exact_moments
from fuzzytruth.measures import parse_measure
from fuzzytruth.truth import align
from fuzzytruth.truth.vote_weights import as_given

TEXTS = [
    *("R@2", "R", "F@2", "E@2", "EPSB@3", "RR", "RR@2", "AP", "AP@2", "FT", "ST", "Rprec"),
    *("nDCG@2", "nDCG", "P@2", "Success@2", "NN", "DCG", "RBP"),
]
MEASURES = tuple(map(parse_measure, TEXTS))
#: probabilities of the items at ranks 1, 2, 3 and of two that are not retrieved
CHANCES = [
    *([p] * 5 for p in (1e-3, 1e-9, 1e-16, 1e-17, 1e-100, 1e-300)),
    [1e-300, 1e-3, 0.0, 0.0, 0.0],
    [1e-16, 0.0, 1e-16, 1e-18, 1e-40],
    [0.0, 1e-120, 1e-150, 1e-100, 1e-7],
    [0.5, 1e-20, 1e-300, 0.25, 1e-16],
    [0.0, 0.0, 0.0, 1e-30, 0.0],
    [1 - 2**-50, 1e-17, 0.5, 1e-3, 0.0],
]
pytestmark = pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")


def expected(measure, chances: list[float], *, exclude: bool) -> tuple[float, float]:
    """Mean and variance in fractions, over all worlds or those with a relevant item."""
    mass, first, second = Fraction(0), Fraction(0), Fraction(0)
    worlds = []
    for world in itertools.product((0, 1), repeat=len(chances)):
        if exclude and measure.needs_relevant and not any(world):
            continue
        parts = (Fraction(p) if w else 1 - Fraction(p) for w, p in zip(world, chances, strict=True))
        score = measure.score(batch_of(query(world[:3], world[3:]), top_grade=1.0)).item()
        worlds.append((Fraction(score), prod(parts, start=Fraction(1))))
    mass = sum((chance for _, chance in worlds), start=Fraction(0))
    first = sum((value * chance for value, chance in worlds), start=Fraction(0)) / mass
    second = sum(((value - first) ** 2 * chance for value, chance in worlds), start=Fraction(0))
    return float(first), float(second / mass)


@pytest.mark.parametrize("exclude", [False, True])
@pytest.mark.parametrize("chances", CHANCES, ids=str)
def test_judged_pairs(chances: list[float], exclude: bool) -> None:
    items = list("abcde")
    truth = ft.Judgments.from_probabilities(["q"] * 5, items, chances)
    runs = ft.Runs.from_dict({"s": {"q": {"a": 3.0, "b": 2.0, "c": 1.0}}})
    outcomes = align(truth, runs, ties="trec").outcomes(slice(0, 1), as_given())
    exact = exact_moments(outcomes, [0], MEASURES, 1, exclude=exclude)
    assert exact.known.all()
    for m, measure in enumerate(MEASURES):
        mean, variance = expected(measure, chances, exclude=exclude)
        result = exact.mean[0, 0, m, 0]
        assert result == pytest.approx(mean, rel=1e-9, abs=0), measure
        found = exact.variance[0, 0, m, 0]
        if not np.isnan(found):
            assert found == pytest.approx(variance, rel=1e-9, abs=1e-31 * mean**2), measure


def test_recall_given_one_of_three_improbable_items() -> None:
    truth = ft.Judgments.from_probabilities(["q"] * 3, ["a", "b", "c"], [1e-16] * 3)
    runs = {"s": {"q": {"a": 2.0, "b": 1.0}}}
    scores = ft.evaluate(truth, runs, "R@2", undefined="exclude", n_worlds=2, rng=0)
    assert scores.values.item() == pytest.approx(2 / 3, rel=1e-12)
    assert scores.uncertainty.std.item() == pytest.approx(np.sqrt(2 / 9), rel=1e-12)


@pytest.mark.parametrize("n_more", [0, 600])
def test_collections(n_more: int) -> None:
    """A query by example of two components, in a small collection and in one that is grouped."""
    rows = [("q", "s", "A", 0.75), ("q", "t", "B", 0.25)]
    for item, category in (("a", "A"), ("b", "A"), ("c", "B")):
        rows += [(item, "s", category, 1e-16), (item, "t", "C", 1.0)]
    rows += [(f"x{j}", "t", "C", 1.0) for j in range(n_more)]
    frame = pd.DataFrame(rows, columns=["item", "subject", "category", "weight"])
    taxonomy = ft.Taxonomy.from_children({"all": ["A", "B", "C"]})
    truth = ft.Assignments.from_frame(frame, taxonomy=taxonomy).by_example(queries=["q"])
    runs = {"s": {"q": {"a": 2.0, "c": 1.0}}}
    texts = ["R@1", "AP", "R@2"]
    scores = ft.evaluate(truth, runs, texts, undefined="exclude", n_worlds=2, rng=0)
    # chances of a and b (three quarters), and of c (one quarter)
    some = 2 * 0.75 + 0.25
    expected = [0.75 / some, (0.75 + 0.25 / 2) / some, 1 / some]
    assert scores.values[0, :, 0] == pytest.approx(expected, rel=1e-9)
    if not n_more:
        recall = scores.uncertainty.std[0, 0, 0]
        assert recall == pytest.approx(np.sqrt(0.75 / some * (1 / some)), rel=1e-9)


def test_distributions_given_some_relevant_item() -> None:
    for p in (1e-17, 1e-300):
        recall = ft.recall_distribution(retrieved=[p, p], rest=[p], undefined="exclude")
        assert recall.pmf([0, 1]) == pytest.approx([1 / 3, 2 / 3], rel=1e-12)
    exact = ft.recall_distribution(retrieved=[1e-17], rest=[1e-17], undefined="exclude")
    assert exact.mean() == pytest.approx(0.5, rel=1e-12)
