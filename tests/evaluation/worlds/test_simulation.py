"""Simulation and exact moments of scores: blocks, workers, errors, tiny probabilities."""

import itertools
from fractions import Fraction
from math import prod

import numpy as np
import pandas as pd
import pytest
from support.building import batch_of, query
from support.every_world import enumerated, moments, small

import fuzzytruth as ft
from fuzzytruth.evaluation.worlds.setting import Sampling, Setting
from fuzzytruth.evaluation.worlds.simulation import (
    exact_moments,
    simulate,
)
from fuzzytruth.measures import parse_measure
from fuzzytruth.truth import align
from fuzzytruth.truth.vote_weights import as_given

MEASURES = tuple(map(parse_measure, ("bpref", "ERR", "P@2", "AP")))


ONE = Sampling(150)


def setting(seed: int = 0, top: int = 2, **changes) -> Setting:
    votes, runs = small(seed, top=top)
    aligned = align(ft.Judgments.from_frame(votes), ft.Runs.from_dict(runs), ties="trec")
    given = {
        "aligned": aligned,
        "kind": "independent",
        "votes": as_given(),
        "measures": MEASURES,
        "n_inner": 150,
        "entropy": (1, 2, 3, 4),
        "keep": True,
    }
    return Setting(**given | changes)


def test_undefined_worlds_are_left_out() -> None:
    result = simulate(setting(2, top=1, exclude=True), ONE)
    assert result.kept is not None
    values = result.kept[:, :, 0]  # bpref needs relevant items, P@2 does not
    assert np.isnan(values).any()
    assert not np.isnan(result.kept[:, :, 2]).any()
    np.testing.assert_array_equal(result.count[:, :, 0], (~np.isnan(values)).sum(axis=-1))
    np.testing.assert_allclose(result.mean[:, 0], np.nanmean(values, axis=0))
    share = np.isnan(values).mean(axis=0)  # of drawn worlds, about the exact chance
    limit = 4 * np.sqrt(0.25 / 150)
    np.testing.assert_allclose(share, np.tile(result.chance_of_none[0], (2, 1)), atol=limit)


EXACT = ["P@2", "R@2", "AP", "RR", "NumRel", "nDCG@3", "bpref"]


quiet = pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")


@quiet
@pytest.mark.parametrize(("seed", "exclude"), [(0, False), (1, True)])
def test_moments_over_every_world(seed: int, exclude: bool) -> None:
    votes, runs = small(seed)
    options = {"undefined": "exclude"} if exclude else {}
    expected = enumerated(votes, runs, EXACT, **options)
    aligned = align(ft.Judgments.from_frame(votes), ft.Runs.from_dict(runs), ties="trec")
    outcomes = aligned.outcomes(slice(0, 3), as_given())
    exact = exact_moments(outcomes, [0, 1], OF_EXACT, 3, exclude=exclude)
    assert exact.known[:, :4].all()
    assert not exact.known[:, EXACT.index("bpref")].any()
    for j, name in enumerate(aligned.facts.queries):
        mean, std = moments(*expected[name])
        known = exact.known[..., j]
        np.testing.assert_allclose(exact.mean[0, ..., j][known], mean[known], atol=1e-12)
        variance = exact.variance[0, ..., j]
        has_variance = ~np.isnan(variance)
        assert has_variance[:, :2].all()
        np.testing.assert_allclose(variance[has_variance], std[has_variance] ** 2, atol=1e-12)
    assert np.isnan(exact.mean[0][~exact.known]).all()
    only = exact_moments(outcomes, [0, 1], OF_EXACT, 3, exclude=exclude, means_only=True)
    np.testing.assert_array_equal(only.mean, exact.mean)
    assert np.isnan(only.variance[:, :, EXACT.index("R@2")]).all()


OF_EXACT = tuple(map(parse_measure, EXACT))


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


@pytest.mark.parametrize("n_more", [0, 600])
@quiet
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
