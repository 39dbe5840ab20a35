"""Resampled means by a loop."""

from __future__ import annotations

import numpy as np
import pytest

import fuzzytruth as ft
from fuzzytruth.core.cells import Cells
from fuzzytruth.core.clusters import drawn_units
from fuzzytruth.core.lazy import Lazy
from fuzzytruth.stats.intervals import bootstrap_means
from fuzzytruth.stats.observations import Kind, Observations, QueryGroups, WorldMeans
from fuzzytruth.stats.settings import Resampling

USING = Resampling(40, rng=1)


def table(*, nested: bool = False) -> tuple[np.ndarray, Observations]:
    rng = np.random.default_rng(0)
    exists = rng.random((7, 3)) < 0.7
    cells = Cells.of_mask(exists)
    dense = np.where(exists, rng.normal(size=(2, 7, 3)), np.nan)
    return dense, Observations(cells.of_dense(dense), cells, nested=nested)


def test_queries() -> None:
    dense, observed = table(nested=True)
    per_query = np.nanmean(dense, axis=2)
    units = drawn_units(np.random.SeedSequence(USING.entropy, spawn_key=(1, 0)), 40, 7)
    expected = [np.nanmean(per_query[:, chosen], axis=1) for chosen in units]
    for over in (("query",), ("query", "subject")):  # nested subjects come with their query
        means, weight = bootstrap_means(observed, over, USING)
        np.testing.assert_allclose(means, expected, rtol=1e-12)
        np.testing.assert_allclose(weight, 1 / 40)


@pytest.mark.filterwarnings("ignore:Mean of empty slice")
@pytest.mark.parametrize("over", [("subject",), ("query", "subject")])
def test_subjects(over) -> None:
    dense, observed = table()
    first, second = np.random.SeedSequence(USING.entropy, spawn_key=(2, 0)).spawn(2)
    queries, subjects = drawn_units(first, 40, 7), drawn_units(second, 40, 3)
    means, _ = bootstrap_means(observed, over, USING)
    for draw, (q, s) in enumerate(zip(queries, subjects, strict=True)):
        some = dense[:, :, s] if over == ("subject",) else dense[:, q][:, :, s]
        expected = np.nanmean(np.nanmean(some, axis=2), axis=1)
        np.testing.assert_allclose(means[draw], expected, rtol=1e-12)


def test_worlds_are_taken_as_they_are() -> None:
    worlds = WorldMeans(Lazy.of(np.ones((3, 2))), np.array([0.2, 0.3, 0.5]), 1.0, resampled=False)
    observed = Observations(np.ones((2, 1)), Cells.of_queries(1), worlds=worlds)
    means, weight = bootstrap_means(observed, ("world",), USING)
    assert means is worlds.means
    assert weight is worlds.weight
    with pytest.raises(ft.OptionError, match="over queries and worlds"):
        bootstrap_means(observed, ("query", "world"), USING)


CODE = np.array([0, 0, 1, 1, 1, 2, 2])


def grouped(kind: Kind, values: np.ndarray) -> Observations:
    return Observations(values, Cells.of_queries(7), groups=QueryGroups(kind, CODE, 3))


@pytest.mark.parametrize("share", [0.0, 0.2])
def test_clusters_are_drawn_whole(share: float) -> None:
    rng = np.random.default_rng(5)
    values = rng.normal(size=(2, 7))
    values[rng.random(values.shape) < share] = np.nan
    means, weight = bootstrap_means(grouped("clusters", values), ("query",), USING)
    drawn = drawn_units(np.random.SeedSequence(USING.entropy, spawn_key=(1, 0)), 40, 3)
    for draw, clusters in enumerate(drawn):
        queries = np.concatenate([np.flatnonzero(np.equal(CODE, c)) for c in clusters])
        np.testing.assert_allclose(means[draw], np.nanmean(values[:, queries], axis=1), rtol=1e-12)
    np.testing.assert_allclose(weight, 1 / 40)


def test_strata_are_drawn_within() -> None:
    values = np.random.default_rng(6).normal(size=(2, 7))
    values[1, 5:] = np.nan  # left out of that system's mean
    values[0, 2] = np.nan
    means, _ = bootstrap_means(grouped("strata", values), ("query",), USING)
    seeds = np.random.SeedSequence(USING.entropy, spawn_key=(1, 0)).spawn(3)
    parts = [values[:, np.equal(CODE, h)] for h in range(3)]
    drawn = [drawn_units(seeds[h], 40, part.shape[1]) for h, part in enumerate(parts)]
    for draw in range(40):
        each = []
        for part, units in zip(parts, drawn, strict=True):
            some = part[:, units[draw]]
            empty = np.isnan(some).all(axis=1)
            each.append(
                np.where(empty, np.nan, np.nansum(some, 1) / (~np.isnan(some)).sum(1).clip(1))
            )
        expected = [np.mean([m[0] for m in each]), np.mean([m[1] for m in each[:2]])]
        np.testing.assert_allclose(means[draw], expected, rtol=1e-12)
    assert np.isfinite(means[:, 1]).all()


def test_clusters_of_one_are_queries() -> None:
    values = np.random.default_rng(7).normal(size=(2, 7))
    alone = Observations(
        values, Cells.of_queries(7), groups=QueryGroups("clusters", np.arange(7), 7)
    )
    bare = Observations(values, Cells.of_queries(7))
    one, two = (bootstrap_means(each, ("query",), USING)[0] for each in (alone, bare))
    np.testing.assert_array_equal(one, two)
