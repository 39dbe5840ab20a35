"""Distributions of variance components, against exact intervals and random draws."""

from __future__ import annotations

import numpy as np
import pytest
from core.test_random_effects import DYESTUFF, crossed, estimates, simulated
from scipy import stats

from fuzzytruth.annotators.planning.estimated_components import (
    balanced_draws,
    estimated_components,
    lattice,
    shifted_chi2,
    unbalanced_draws,
)
from fuzzytruth.core.crossed import REPLICATE, SYSTEM, EffectsLayout

TRUE = np.array([0.2, 1.0, 0.1, 0.5, 0.05, 0.1, 0.3])


def ends(draws: np.ndarray) -> np.ndarray:
    return np.quantile(draws, [0.025, 0.975], axis=0)


def test_points_are_even() -> None:
    points = lattice(4096, 7)
    assert points.shape == (4096, 7)
    for column in points.T:
        assert (
            stats.kstest(column, "uniform").statistic < 8 / 4096
        )  # random points: about 50 / 4096
    counts = np.histogram2d(points[:, 0], points[:, 4], bins=8)[0]
    assert np.abs(counts - 64).max() < 12  # random points: standard deviation 8


def test_the_residual_has_the_exact_interval() -> None:
    y = np.array(DYESTUFF, dtype=float).ravel()
    layout = EffectsLayout.of({SYSTEM: np.repeat(np.arange(6), 5), 3: np.arange(30)})
    assert SYSTEM | REPLICATE == 3
    draws = balanced_draws(layout, layout.mean_squares(y), layout.df)
    exact = 24 * 2451.25 / stats.chi2.ppf([0.975, 0.025], 24)
    np.testing.assert_allclose(ends(draws)[:, 1], exact, rtol=1e-3)
    # of the batches: SS / χ² of both mean squares, by random draws
    rng = np.random.default_rng(0)
    batches, rest = layout.mean_squares(y)
    drawn = 5 * batches / rng.chisquare(5, 10**6) - 24 * rest / rng.chisquare(24, 10**6)
    np.testing.assert_allclose(ends(draws)[:, 0], ends(np.maximum(drawn / 5, 0)), rtol=0.01)


def test_a_balanced_table_of_three_factors() -> None:
    layout = crossed(np.ones((4, 10, 3), dtype=bool))
    squares = layout.mean_squares(simulated(layout, TRUE, 0))
    rng = np.random.default_rng(0)
    drawn = layout.df / rng.chisquare(layout.df, (400_000, 7)) * squares
    wanted = ends(np.maximum(np.linalg.solve(layout.expected(), drawn.T).T, 0))
    np.testing.assert_allclose(
        ends(balanced_draws(layout, squares, layout.df)), wanted, rtol=0.03, atol=2e-3
    )


def test_a_shifted_chi2_has_the_variance_of_the_estimate() -> None:
    layout = crossed(np.random.default_rng(3).random((4, 10, 8)) < 0.5)
    variance = np.array([0.05, 0.3, 0.02, 0.02, 0.01, 0.01, 0.01])
    df, shift = shifted_chi2(TRUE, variance, layout.df)
    np.testing.assert_allclose(2 * (TRUE + shift) ** 2 / df, variance)
    assert (shift >= 0).all()
    assert (df <= layout.df + 1e-9).all()
    middle = np.quantile(unbalanced_draws(TRUE, variance, layout.df), 0.5, axis=0)
    assert (np.abs(middle - TRUE) < np.sqrt(variance)).all()


def test_a_negative_estimate_shifts_the_draws_of_0() -> None:
    variance, df = np.array([0.04, 0.09]), np.array([3.0, 8.0])
    of_zero = unbalanced_draws(np.zeros(2), variance, df)
    negative = np.array([-0.1, -0.4])
    found = unbalanced_draws(negative, variance, df)
    assert (found > 0).any()
    np.testing.assert_allclose(found, np.maximum(of_zero + negative, 0), atol=1e-14)


def test_nearly_balanced_tables_have_nearly_the_same_intervals() -> None:
    present = np.ones((5, 20, 4), dtype=bool)
    whole = crossed(present)
    y = simulated(whole, TRUE, 0)
    present[0, 0, 0] = False
    layout = crossed(present)
    one, draws = estimated_components(whole, y, whole.mean_squares(y))
    other, more = estimated_components(layout, y[1:], layout.mean_squares(y[1:]))
    np.testing.assert_allclose(one, estimates(whole, y))
    np.testing.assert_allclose(other, one, atol=0.02)
    np.testing.assert_allclose(ends(more)[:, 3:], ends(draws)[:, 3:], rtol=0.25, atol=0.01)


@pytest.mark.parametrize("missing", [False, True])
def test_where_nothing_varies_components_are_0(missing: bool) -> None:
    present = np.ones((3, 4, 2), dtype=bool)
    present[0, 0, 0] = not missing
    layout = crossed(present)
    y = np.full(layout.n, 0.3)
    found, draws = estimated_components(layout, y, layout.mean_squares(y))
    assert not found.any()
    assert not draws.any()
