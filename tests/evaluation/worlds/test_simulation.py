"""Simulation and exact moments of scores: blocks, workers, errors, tiny probabilities."""

import itertools
from dataclasses import replace
from fractions import Fraction
from math import prod

import numpy as np
import pandas as pd
import pytest
from support.building import batch_of, query
from support.every_world import enumerated, every_world, moments, small

import fuzzytruth as ft
from fuzzytruth.evaluation.worlds import simulation
from fuzzytruth.evaluation.worlds.setting import Sampling, Setting
from fuzzytruth.evaluation.worlds.simulation import (
    chances_of_none,
    error_of_mean,
    exact_moments,
    run_block,
    simulate,
    without_noise,
)
from fuzzytruth.measures import parse_measure
from fuzzytruth.truth import align
from fuzzytruth.truth.pairs import pool as pairs
from fuzzytruth.truth.vote_weights import as_given, single_subjects

MEASURES = tuple(map(parse_measure, ("bpref", "ERR", "P@2", "AP")))


ONE = Sampling(150)


ARRAYS = ("mean", "variance", "error", "exact", "count", "chance_of_none")


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


def outer(seed: int = 0, **changes) -> Setting:
    """Each subject alone, whose worlds are all the same crisp truth."""
    return setting(
        seed, votes=single_subjects(np.arange(3), ["s0", "s1", "s2"]), n_inner=20, **changes
    )


def test_few_queries_are_scored_together(monkeypatch: pytest.MonkeyPatch) -> None:
    many = {f"q{j}": {"a": 1.0} for j in range(1000)}
    judgments = ft.Judgments.from_probabilities(list(many), ["a"] * 1000, [0.5] * 1000)
    aligned = align(judgments, ft.Runs.from_dict({"s": many}), ties="trec")
    sizes = []

    def spied(given: Setting, queries: slice) -> simulation.SimulatedScores:
        sizes.append(queries.stop - queries.start)
        return run_block(given, queries)

    monkeypatch.setattr(simulation, "run_block", spied)
    whole = simulate(setting(aligned=aligned, n_inner=10), ONE)
    assert whole.mean.shape[-1] == sum(sizes) == 1000
    assert max(sizes) <= 512


def test_statistics_are_those_of_the_kept_values() -> None:
    result = simulate(setting(), ONE)
    assert result.kept is not None
    assert result.kept.shape == (150, 2, 4, 3)
    np.testing.assert_allclose(result.total.value, result.kept.sum(axis=-1))
    assert (result.count == 3).all()
    assert not result.exact.any()
    np.testing.assert_allclose(result.mean, result.kept.mean(axis=0))
    variance = result.kept.var(axis=0)
    np.testing.assert_allclose(result.variance, variance, atol=1e-15)
    np.testing.assert_allclose(result.error, variance / 149, atol=1e-17)


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


def assert_equal(one: simulation.SimulatedScores, two: simulation.SimulatedScores) -> None:
    for name in (*ARRAYS, "kept", "kept_noise"):
        np.testing.assert_array_equal(getattr(one, name), getattr(two, name), err_msg=name)
    np.testing.assert_array_equal(one.total.value, two.total.value)
    np.testing.assert_array_equal(one.noise.value, two.noise.value)


@pytest.mark.parametrize("of", [setting, outer])
def test_blocks_and_workers_change_nothing(of, monkeypatch: pytest.MonkeyPatch) -> None:
    together = simulate(of(), ONE)
    monkeypatch.setattr(pairs, "_PAIRS", 4)  # a block for each query
    done: list[float] = []
    assert_equal(simulate(of(), replace(ONE, progress=done.append)), together)
    assert done == pytest.approx([1 / 3, 2 / 3, 1])
    assert_equal(simulate(of(), replace(ONE, n_jobs=2)), together)
    second = simulate(of(systems=(1,), measures=MEASURES[:1]), ONE)
    np.testing.assert_array_equal(second.kept, together.kept[:, 1:, :1])
    monkeypatch.setattr(simulation, "_PLACES", 1)
    monkeypatch.setattr(simulation, "_MOST_PLACES", 1)  # sixteen worlds in memory
    assert_equal(simulate(of(), ONE), together)


def test_each_subject_alone_is_a_crisp_truth() -> None:
    """An outer world that is one subject has the same value in all of its inner worlds."""
    votes, runs = small(0, top=2)
    result = simulate(outer(), ONE)
    scores = ft.evaluate(votes, runs, list(map(str, MEASURES)), worlds="subject")
    table = scores.cells.dense(scores.values)  # (systems, measures, queries, subjects)
    assert result.kept is not None
    np.testing.assert_allclose(result.kept, np.moveaxis(table, -1, 0), atol=1e-12)
    np.testing.assert_allclose(result.mean, table.mean(axis=-1), atol=1e-12)
    np.testing.assert_allclose(result.variance, table.var(axis=-1), atol=1e-12)
    assert (result.noise.value == 0).all()
    assert (result.error == 0).all()


def test_small_blocks_of_outer_worlds_give_the_same_means(monkeypatch) -> None:
    """Four outer worlds a block, or one: crisp values do not depend on the draws."""
    expected = simulate(outer(), ONE)
    monkeypatch.setattr(simulation, "_OUTER", 1)
    result = simulate(outer(), ONE)
    for name in ("mean", "variance"):
        np.testing.assert_allclose(getattr(result, name), getattr(expected, name), atol=1e-12)
    np.testing.assert_allclose(result.total.value, expected.total.value, atol=1e-12)


def test_error_of_a_mean() -> None:
    variance, n = np.array([2.0, 2.0, 0.0, np.nan]), np.array([5.0, 1.0, 9.0, 0.0])
    np.testing.assert_array_equal(error_of_mean(variance, n), [0.5, np.inf, 0.0, np.nan])


def test_variance_loses_that_of_the_noise() -> None:
    rng = np.random.default_rng(0)
    values, noise = rng.normal(size=(40, 3)), rng.random((40, 3)) * 0.3
    weight = rng.dirichlet(np.ones(40))
    out = without_noise(values, noise, weight)
    mean, after = weight @ values, weight @ out
    np.testing.assert_allclose(after, mean)
    spread = weight @ (values - mean) ** 2
    np.testing.assert_allclose(weight @ (out - mean) ** 2, spread - weight @ noise)
    much = without_noise(np.array([[0.0], [1.0]]), np.full((2, 1), 9.0), np.full(2, 0.5))
    np.testing.assert_array_equal(much, [[0.5], [0.5]])  # never below zero
    assert without_noise(values, np.zeros((40, 3)), weight) is values
    assert without_noise(values, np.ones((40, 3)), np.ones(1)) is values  # no outer worlds
    gaps = np.array([[1.0, np.nan], [3.0, 2.0], [8.0, 4.0]])
    out = without_noise(gaps, np.full((3, 2), 0.5), np.full(3, 1 / 3))
    np.testing.assert_array_equal(np.isnan(out), np.isnan(gaps))
    assert np.nanvar(out[:, 1]) == pytest.approx(1 - 0.5)  # of 2 and 4: 1, less the noise


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


@quiet
def test_chance_of_none_over_every_world() -> None:
    votes, runs = small(1, top=2)
    measures = tuple(map(parse_measure, ("AP", "AP(rel=2)", "P@1")))
    aligned = align(ft.Judgments.from_frame(votes), ft.Runs.from_dict(runs), ties="trec")
    chance = chances_of_none(aligned.outcomes(slice(0, 3), as_given()), measures, 3)
    assert chance.shape == (1, 3, 3)
    assert (chance[:, 2] == 0).all()  # P@1 is defined without relevant items
    frame, weights = every_world(votes)
    best = frame.groupby(["query", "subject"])["grade"].max()
    for j, name in enumerate(aligned.facts.queries):
        for m, rel in enumerate((1, 2)):
            expected = sum(weights[name, w] for w, g in best[name].items() if g < rel)
            assert chance[0, m, j] == pytest.approx(expected, abs=1e-12)


@quiet
def test_undefined_in_every_world() -> None:
    truth = ft.Judgments.from_probabilities(["q", "q"], ["a", "b"], [0.0, 0.0])
    runs = ft.Runs.from_dict({"x": {"q": {"a": 2.0, "b": 1.0}}})
    outcomes = align(truth, runs, ties="trec").outcomes(slice(0, 1), as_given())
    exact = exact_moments(outcomes, [0], OF_EXACT, 1, exclude=True)
    assert exact.chance_of_none[0, :, 0].tolist() == [0, 1, 1, 1, 0, 1, 1]
    assert exact.mean[0, 0, 0, 0] == 0  # P@2
    assert np.isnan(exact.mean[0, 0, 1:4, 0]).all()


COMPANY = ["P@5", "R@5", "F@5", "RR", "Success@3", "AP", "FT", "nDCG@5", "nDCG"]


N_WITH_VARIANCE = 5  # the first of these have an exact variance


@quiet
@pytest.mark.parametrize(
    ("worlds", "undefined"), [("independent", "zero"), ("population", "exclude")]
)
def test_a_query_has_the_same_bits_alone(worlds: str, undefined: str) -> None:
    rng = np.random.default_rng(4)
    size = [1, 2, 3, 5, 9, 17, 30, 45, 90]
    rows = [
        (f"q{q}", f"d{i}", s, int(rng.random() < 0.35))
        for q, n in enumerate(size)
        for i in range(n)
        for s in "abcd"
    ]
    votes = pd.DataFrame(rows, columns=["query", "item", "subject", "grade"])
    runs = {"x": {f"q{q}": {f"d{i}": -i for i in range(0, n + 2, 2)} for q, n in enumerate(size)}}
    options = {"worlds": worlds, "undefined": undefined, "n_worlds": 40, "rng": 0}
    both = ft.evaluate(votes, runs, COMPANY, **options)
    for q in range(len(size)):
        only = votes[votes["query"] == f"q{q}"]
        alone = ft.evaluate(only, {"x": {f"q{q}": runs["x"][f"q{q}"]}}, COMPANY, **options)
        np.testing.assert_array_equal(alone.values[..., 0], both.values[..., q])
        exact = slice(None) if worlds == "population" else slice(N_WITH_VARIANCE)
        std = both.uncertainty.std[:, exact, q]
        np.testing.assert_array_equal(alone.uncertainty.std[:, exact, 0], std)


OF_EXACT = tuple(map(parse_measure, EXACT))


TINY = [
    *("R@2", "R", "F@2", "E@2", "EPSB@3", "RR", "RR@2", "AP", "AP@2", "FT", "ST", "Rprec"),
    *("nDCG@2", "nDCG", "P@2", "Success@2", "NN", "DCG", "RBP"),
]


#: probabilities of the items at ranks 1, 2, 3 and of two that are not retrieved
CHANCES = [
    *([p] * 5 for p in (1e-3, 1e-17, 1e-300)),
    [1e-300, 1e-3, 0.0, 0.0, 0.0],
    [1e-16, 0.0, 1e-16, 1e-18, 1e-40],
    [0.0, 1e-120, 1e-150, 1e-100, 1e-7],
    [0.5, 1e-20, 1e-300, 0.25, 1e-16],
    [0.0, 0.0, 0.0, 1e-30, 0.0],
    [1 - 2**-50, 1e-17, 0.5, 1e-3, 0.0],
]


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
@quiet
def test_judged_pairs(chances: list[float], exclude: bool) -> None:
    items = list("abcde")
    truth = ft.Judgments.from_probabilities(["q"] * 5, items, chances)
    runs = ft.Runs.from_dict({"s": {"q": {"a": 3.0, "b": 2.0, "c": 1.0}}})
    outcomes = align(truth, runs, ties="trec").outcomes(slice(0, 1), as_given())
    exact = exact_moments(outcomes, [0], OF_TINY, 1, exclude=exclude)
    assert exact.known.all()
    for m, measure in enumerate(OF_TINY):
        mean, variance = expected(measure, chances, exclude=exclude)
        result = exact.mean[0, 0, m, 0]
        assert result == pytest.approx(mean, rel=1e-9, abs=0), measure
        found = exact.variance[0, 0, m, 0]
        if not np.isnan(found):
            assert found == pytest.approx(variance, rel=1e-9, abs=1e-31 * mean**2), measure


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


OF_TINY = tuple(map(parse_measure, TINY))
