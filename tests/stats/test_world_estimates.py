"""Intervals and p of worlds."""

from __future__ import annotations

import numpy as np
import pytest

from fuzzytruth.core.cells import Cells
from fuzzytruth.core.lazy import Lazy
from fuzzytruth.stats.contrasts import all_pairs, each_system
from fuzzytruth.stats.estimates import estimate
from fuzzytruth.stats.observations import Observations, WorldMeans
from fuzzytruth.stats.world_estimates import quantile_interval, two_sided_share


def observed(*, resampled: bool, inflation: float = 1.0) -> Observations:
    rng = np.random.default_rng(0)
    values, means = rng.normal(size=(3, 8)), rng.normal(size=(200, 3))
    worlds = WorldMeans(Lazy.of(means), np.full(200, 1 / 200), inflation, resampled)
    return Observations(values, Cells.of_queries(8), worlds=worlds)


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.999])
def test_intervals_and_shares_agree(level: float) -> None:
    draws = np.random.default_rng(1).normal(np.linspace(-3, 3, 50)[:, None], 1, (50, 199))
    lower, upper = quantile_interval(draws, level)
    outside = (lower > 0) | (upper < 0)
    np.testing.assert_array_equal(outside, two_sided_share(draws) <= 1 - level + 1e-12)
    assert np.isinf(upper).all() == (level == 0.999)


def test_order_statistics() -> None:
    draws = np.arange(1.0, 100.0)[None, :]  # 99 worlds
    assert [end.item() for end in quantile_interval(draws, 0.9)] == [5.0, 95.0]
    assert two_sided_share(draws).item() == 2 / 100
    assert two_sided_share(np.zeros((1, 9))).item() == 1.0


def test_one_world_is_the_score() -> None:
    data = observed(resampled=False)
    result = estimate(data, all_pairs(3), ("world",))
    assert result.draws is not None
    assert data.worlds is not None
    np.testing.assert_allclose(result.draws[0], data.worlds.means[:, 0] - data.worlds.means[:, 1])
    np.testing.assert_allclose(result.std_error, result.draws.std(axis=1))


def test_resampled_subjects_are_the_estimate() -> None:
    data = observed(resampled=True, inflation=5 / 4)
    assert data.worlds is not None
    result = estimate(data, each_system(3), ("world",))
    assert result.draws is None
    np.testing.assert_allclose(result.df, 4)  # five subjects
    np.testing.assert_allclose(result.std_error**2, data.worlds.means.var(axis=0) * 5 / 4)
    both = estimate(data, each_system(3), ("query", "world"))
    query = estimate(data, each_system(3), ("query",))
    np.testing.assert_allclose(both.std_error**2, query.std_error**2 + result.std_error**2)
    expected = both.std_error**4 / (query.std_error**4 / 7 + result.std_error**4 / 4)
    np.testing.assert_allclose(both.df, expected)
