"""Simulation of scores: blocks, workers, and errors of estimates."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from support.every_world import small

import fuzzytruth as ft
from fuzzytruth.evaluation.worlds import simulation
from fuzzytruth.evaluation.worlds.setting import Sampling, Setting, run_blocks
from fuzzytruth.evaluation.worlds.simulation import (
    error_of_mean,
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


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A block for each query."""
    monkeypatch.setattr(pairs, "_PAIRS", 4)


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


@pytest.mark.parametrize("of", [setting, outer])
@pytest.mark.usefixtures("small_blocks")
def test_workers_change_nothing(of) -> None:
    apart = of()
    assert len(apart.blocks) == 3
    one, two = simulate(apart, ONE), simulate(apart, replace(ONE, n_jobs=2))
    assert_equal(one, two)


def assert_equal(one: simulation.SimulatedScores, two: simulation.SimulatedScores) -> None:
    for name in (*ARRAYS, "kept", "kept_noise"):
        np.testing.assert_array_equal(getattr(one, name), getattr(two, name), err_msg=name)
    np.testing.assert_array_equal(one.total.value, two.total.value)
    np.testing.assert_array_equal(one.noise.value, two.noise.value)


@pytest.mark.parametrize("of", [setting, outer])
def test_blocks_change_nothing(of, monkeypatch: pytest.MonkeyPatch) -> None:
    together = simulate(of(), ONE)
    monkeypatch.setattr(pairs, "_PAIRS", 4)
    assert_equal(simulate(of(), ONE), together)
    monkeypatch.setattr(simulation, "_PLACES", 1)
    monkeypatch.setattr(simulation, "_MOST_PLACES", 1)  # sixteen worlds in memory
    assert_equal(simulate(of(), ONE), together)


def test_a_system_alone_sees_the_same_worlds() -> None:
    both = simulate(setting(), ONE)
    second = simulate(setting(systems=(1,), measures=MEASURES[:1]), ONE)
    assert both.kept is not None
    assert second.kept is not None
    np.testing.assert_array_equal(second.kept, both.kept[:, 1:, :1])


@pytest.mark.usefixtures("small_blocks")
def test_progress_is_the_share_of_blocks_in_order() -> None:
    done: list[float] = []
    one = setting()
    tasks = [(one, block) for block in one.blocks]
    results = list(run_blocks(run_block, tasks, 1, done.append))
    assert done == pytest.approx([1 / 3, 2 / 3, 1])
    for (_, queries), result in zip(tasks, results, strict=True):
        np.testing.assert_array_equal(result.mean, run_block(one, queries).mean)


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


class TestWithoutNoise:
    def test_variance_loses_that_of_the_noise(self) -> None:
        rng = np.random.default_rng(0)
        values, noise = rng.normal(size=(40, 3)), rng.random((40, 3)) * 0.3
        weight = rng.dirichlet(np.ones(40))
        out = without_noise(values, noise, weight)
        mean, after = weight @ values, weight @ out
        np.testing.assert_allclose(after, mean)
        spread = weight @ (values - mean) ** 2
        np.testing.assert_allclose(weight @ (out - mean) ** 2, spread - weight @ noise)

    def test_never_below_zero(self) -> None:
        values, weight = np.array([[0.0], [1.0]]), np.full(2, 0.5)
        out = without_noise(values, np.full((2, 1), 9.0), weight)
        np.testing.assert_array_equal(out, [[0.5], [0.5]])

    def test_exact_values_stay(self) -> None:
        values = np.random.default_rng(1).random((4, 2))
        assert without_noise(values, np.zeros((4, 2)), np.full(4, 0.25)) is values

    def test_worlds_that_are_not_outer_ones_stay(self) -> None:
        values = np.random.default_rng(1).random((4, 2))
        assert without_noise(values, np.ones((4, 2)), np.ones(1)) is values

    def test_missing_values_stay_missing(self) -> None:
        values = np.array([[1.0, np.nan], [3.0, 2.0], [8.0, 4.0]])
        out = without_noise(values, np.full((3, 2), 0.5), np.full(3, 1 / 3))
        np.testing.assert_array_equal(np.isnan(out), np.isnan(values))
        assert np.nanvar(out[:, 1]) == pytest.approx(1 - 0.5)  # of 2 and 4: 1, less the noise
