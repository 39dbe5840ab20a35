"""Intervals and p of worlds."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import fuzzytruth as ft
from fuzzytruth.core.cells import Cells
from fuzzytruth.core.clusters import subject_resamples
from fuzzytruth.core.crossed import crossed_layout, variance_components
from fuzzytruth.core.lazy import Lazy
from fuzzytruth.stats.laws import DrawnLaw, StudentLaw
from fuzzytruth.stats.observations import (
    Contrasts,
    Observations,
    WorldMeans,
    all_pairs,
    each_system,
)
from fuzzytruth.stats.world_estimates import (
    QueryWorldParts,
    can_cross,
    estimate,
    query_world_parts,
)


def observed(*, resampled: bool, inflation: float = 1.0) -> Observations:
    rng = np.random.default_rng(0)
    values, means = rng.normal(size=(3, 8)), rng.normal(size=(200, 3))
    worlds = WorldMeans(Lazy.of(means), np.full(200, 1 / 200), inflation, resampled)
    return Observations(values, Cells.of_queries(8), worlds=worlds)


def test_one_world_is_the_score() -> None:
    data = observed(resampled=False)
    result = estimate(data, all_pairs(3), ("world",))
    assert isinstance(result.law, DrawnLaw)
    draws = result.law.draws
    assert data.worlds is not None
    np.testing.assert_allclose(draws[0], data.worlds.means[:, 0] - data.worlds.means[:, 1])
    np.testing.assert_allclose(result.std_error, draws.std(axis=1))


def test_resampled_subjects_are_the_estimate() -> None:
    data = observed(resampled=True, inflation=5 / 4)
    assert data.worlds is not None
    result = estimate(data, each_system(3), ("world",))
    assert isinstance(result.law, StudentLaw)
    np.testing.assert_allclose(result.df, 4)  # five subjects
    np.testing.assert_allclose(result.std_error**2, data.worlds.means.var(axis=0) * 5 / 4)


def of_subjects(table: np.ndarray) -> Observations:
    """Means of all resamples of the subjects of (systems, queries, subjects)."""
    n = table.shape[-1]
    weight, counts, drawn = subject_resamples(n, 10_000, np.random.SeedSequence(0))
    assert not drawn
    worlds = table @ counts.T / n  # (systems, queries, worlds)
    gaps = np.where(np.eye(len(table))[:, :, None, None] > 0, worlds, worlds[:, None] - worlds)
    centred = gaps - (gaps @ weight)[..., None]
    within = np.nansum(centred**2 @ weight, axis=-1) * n / (n - 1)
    mean = np.nanmean(worlds, axis=1)
    means = WorldMeans(Lazy.of(mean.T), weight, n / (n - 1), True, Lazy.of(within))
    return Observations(table.mean(axis=-1), Cells.of_queries(table.shape[1]), worlds=means)


@pytest.mark.parametrize("contrasts", [each_system(3), all_pairs(3)])
@pytest.mark.parametrize(("queries", "subjects"), [(2, 2), (8, 5), (30, 3)])
@pytest.mark.parametrize("effects", [(1, 1, 1), (0, 1, 1), (1, 0, 1), (0, 0, 1), (1, 1, 0)])
def test_parts_of_linear_values_are_the_analysis_of_variance(
    contrasts: Contrasts, queries: int, subjects: int, effects: tuple[int, int, int]
) -> None:
    rng = np.random.default_rng([queries, subjects])
    q, s, e = effects
    table = q * rng.normal(size=(3, queries, 1)) + s * rng.normal(size=(3, 1, subjects))
    table = table + e * rng.normal(size=(3, queries, subjects))
    parts = query_world_parts(of_subjects(table), contrasts)
    y = contrasts.of(table.reshape(3, -1), scale=np.ones(3))
    layout = crossed_layout(Cells.of_mask(np.ones((queries, subjects), dtype=bool)))
    components = variance_components(y, layout)
    np.testing.assert_allclose(parts.mean, components.mean, atol=1e-12)
    np.testing.assert_allclose(parts.variance, components.variance, rtol=1e-12, atol=1e-14)
    n = queries * subjects
    np.testing.assert_allclose(parts.both_part, components.residual / n, rtol=1e-11, atol=1e-14)
    for part, share, other in (
        (parts.queries_part, components.query, subjects),
        (parts.worlds_part, components.subject, queries),
    ):
        expected = (components.residual + other * share) / n
        np.testing.assert_allclose(part, expected, rtol=1e-11, atol=1e-14)
    assert (parts.n_subjects, parts.n_queries.tolist()) == (subjects, [queries] * len(contrasts))
    result = estimate(of_subjects(table), contrasts, ("query", "world"))
    np.testing.assert_allclose(result.df, components.df, rtol=1e-11)
    crossed = Observations(table.reshape(3, -1), Cells.complete(queries, subjects))
    both = estimate(crossed, contrasts, ("query", "subject"))
    np.testing.assert_allclose(result.interval(0.9), both.interval(0.9), rtol=1e-3)


def test_equal_systems_have_no_variance() -> None:
    table = np.random.default_rng(0).normal(size=(2, 6, 4))
    table[1] = table[0]
    assert query_world_parts(of_subjects(table), all_pairs(2)).variance.tolist() == [0]


def test_without_variance_the_degrees_of_freedom_are_the_fewer() -> None:
    zero = np.zeros(2)
    parts = QueryWorldParts(zero, zero, zero, zero, np.array([9, 3]), 5)
    assert parts.variance.tolist() == [0, 0]
    assert parts.df.tolist() == [4, 2]


def test_a_single_query_says_nothing_of_queries() -> None:
    result = estimate(
        of_subjects(np.random.default_rng(0).normal(size=(2, 1, 4))),
        all_pairs(2),
        ("query", "world"),
    )
    assert np.isnan(result.std_error).all()


def test_systems_with_other_queries_have_intervals_of_their_own() -> None:
    table = np.random.default_rng(1).normal(size=(3, 8, 5))
    table[0, 1:], table[1, :3] = np.nan, np.nan  # 1, 5 and 8 queries
    together = estimate(of_subjects(table), each_system(3), ("query", "world"))
    assert np.isnan(together.std_error).tolist() == [True, False, False]
    ends = np.transpose(together.interval(0.9))
    assert ends[0].tolist() == [-np.inf, np.inf]
    for system, start in ((1, 3), (2, 0)):
        one = of_subjects(table[[system], start:])
        alone = estimate(one, each_system(1), ("query", "world"))
        np.testing.assert_allclose(ends[system], np.ravel(alone.interval(0.9)), rtol=1e-9)


def test_pairs_that_are_not_known() -> None:
    data = observed(resampled=True, inflation=5 / 4)
    assert not can_cross(data, all_pairs(3))
    assert data.worlds is not None
    within = np.eye(3)
    within[0, 2] = within[2, 0] = np.nan
    data = replace(data, worlds=replace(data.worlds, lazy_within=Lazy.of(within)))
    assert can_cross(data, each_system(3))
    assert not can_cross(data, all_pairs(3))
    assert np.isfinite(query_world_parts(data, each_system(3)).variance).all()
    with pytest.raises(ft.OptionError, match="not known for 1 of 3 comparisons"):
        query_world_parts(data, all_pairs(3))
    assert not can_cross(observed(resampled=False), each_system(3))


def test_nested_subjects_come_with_their_query() -> None:
    data = replace(observed(resampled=True, inflation=5 / 4), nested=True)
    assert can_cross(data, all_pairs(3))
    both, query = (estimate(data, all_pairs(3), over) for over in (("query", "world"), ("query",)))
    np.testing.assert_array_equal(both.std_error, query.std_error)
    np.testing.assert_array_equal(both.df, query.df)
