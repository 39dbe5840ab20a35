"""Estimates of variance components, and their distributions, against definitions and exact laws."""

import numpy as np
import pytest
from scipy import stats

from fuzzytruth.annotators.planning.estimated_components import (
    balanced_draws,
    effective_df,
    estimated_components,
    lattice,
    minimum_variance,
    shifted_chi2,
    unbalanced_draws,
)
from fuzzytruth.core.crossed import QUERY, REPLICATE, SUBJECT, SYSTEM, EffectsLayout

EFFECTS = (SYSTEM, QUERY, SUBJECT, SYSTEM | QUERY, SYSTEM | SUBJECT, QUERY | SUBJECT, 13)
TRUE = np.array([0.2, 1.0, 0.1, 0.5, 0.05, 0.1, 0.3])


def crossed(present: np.ndarray) -> EffectsLayout:
    """Of the values of (systems, queries, subjects) that are present."""
    t, q, s = np.nonzero(present)
    _, n_queries, n_subjects = present.shape
    codes = (t, q, s, t * n_queries + q, t * n_subjects + s, q * n_subjects + s)
    return EffectsLayout.of(dict(zip(EFFECTS, (*codes, np.arange(len(t))), strict=True)))


def sparse(seed: int, shape: tuple[int, int, int], share: float) -> EffectsLayout:
    return crossed(np.random.default_rng(seed).random(shape) < share)


def simulated(layout: EffectsLayout, seed: int) -> np.ndarray:
    """Normal values with these components."""
    rng = np.random.default_rng(seed)
    return sum(
        np.sqrt(v) * rng.standard_normal(int(levels))[code]
        for v, levels, code in zip(TRUE, layout.n_levels, layout.codes, strict=True)
    )


def ends(draws: np.ndarray) -> np.ndarray:
    return np.quantile(draws, [0.025, 0.975], axis=0)


def by_matrices(
    layout: EffectsLayout, y: np.ndarray, guess: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The definition, with every matrix written out."""
    same = [(code[:, None] == code).astype(float) for code in layout.codes]
    inverse = np.linalg.inv(sum(g * one for g, one in zip(guess, same, strict=True)))
    one = np.ones((layout.n, 1))
    p = inverse - inverse @ one @ one.T @ inverse / (one.T @ inverse @ one)
    traces = np.array([[np.trace(p @ a @ p @ b) for b in same] for a in same])
    forms = np.array([y @ p @ a @ p @ y for a in same])
    return np.linalg.solve(traces, forms), 2 * np.linalg.inv(traces)


def test_minimum_variance_estimates_are_what_the_definition_gives() -> None:
    layout = sparse(3, (3, 6, 4), 0.6)
    y = simulated(layout, 1)
    for found, wanted in zip(
        minimum_variance(layout, y, TRUE), by_matrices(layout, y, TRUE), strict=True
    ):
        np.testing.assert_allclose(found, wanted, rtol=1e-8)


def test_a_balanced_table_has_the_analysis_of_variance_whatever_the_guess() -> None:
    layout = crossed(np.ones((3, 6, 4), dtype=bool))
    y = simulated(layout, 1)
    wanted = np.linalg.solve(layout.expected(), layout.mean_squares(y))
    for guess in (TRUE, TRUE[::-1], -TRUE):
        np.testing.assert_allclose(minimum_variance(layout, y, guess)[0], wanted, rtol=1e-7)


def test_conjugate_gradients_agree_with_the_inverse() -> None:
    """To the error of traces by random signs, small beside the standard errors."""
    layout = sparse(5, (6, 30, 4), 0.8)
    y = simulated(layout, 2)
    wanted, covariance = minimum_variance(layout, y, TRUE)
    found, similar = minimum_variance(layout, y, TRUE, most_dense=0)
    error = np.sqrt(np.diag(covariance))
    assert (np.abs(found - wanted) < 4 / np.sqrt(20) * error).all()
    assert (np.abs(found - wanted) < 0.1 * error)[:3].all()
    np.testing.assert_allclose(np.sqrt(np.diag(similar)), error, rtol=0.1)
    # exact where no effect has more levels than there are vectors of signs
    layout = sparse(5, (2, 3, 4), 0.8)
    assert 12 < layout.n <= 20
    y = simulated(layout, 2)
    both = [minimum_variance(layout, y, TRUE, most_dense=n) for n in (0, 99)]
    for found, wanted in zip(*both, strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-4)


def two(n_systems: int, n_queries: int) -> EffectsLayout:
    system, query = np.divmod(np.arange(n_systems * n_queries), n_queries)
    return EffectsLayout.of({SYSTEM: system, QUERY: query, 5: np.arange(n_systems * n_queries)})


def test_effective_degrees_of_freedom_by_hand() -> None:
    """Three factors written out: variances of the sums of squares by level."""
    y = np.random.default_rng(1).exponential(size=(4, 6))
    grand, rows, columns = y.mean(), y.mean(axis=1), y.mean(axis=0)

    def spread(parts: np.ndarray) -> float:
        return len(parts) * parts.var(ddof=1)

    of_rows, of_columns = 6 * (rows - grand) ** 2, 4 * (columns - grand) ** 2
    cells = (y - rows[:, None] - columns + grand) ** 2
    by_both = spread(cells.sum(axis=1)) + spread(cells.sum(axis=0)) - spread(cells.ravel())
    wanted = [
        min(3, 2 * of_rows.sum() ** 2 / spread(of_rows)),
        min(5, 2 * of_columns.sum() ** 2 / spread(of_columns)),
        min(15, 2 * cells.sum() ** 2 / by_both) if by_both > 0 else 15,
    ]
    np.testing.assert_allclose(effective_df(two(4, 6), y.ravel()), wanted)


def test_a_query_that_stands_out_has_the_interaction_to_itself() -> None:
    y = 0.01 * np.random.default_rng(0).normal(size=(8, 12))
    y[:, 3] += np.random.default_rng(1).normal(size=8)
    system, query, both = effective_df(two(8, 12), y.ravel())
    assert both < 12  # of 77
    assert query < 4  # of 11
    assert system <= 7


def test_replicates_of_a_system_vary_by_replicate() -> None:
    """Two systems of four runs on 8 queries, of which a run stands out."""
    y = np.random.default_rng(2).normal(size=(8, 8))
    y[0] += 3
    run, query = np.divmod(np.arange(64), 8)
    codes = {SYSTEM: run // 4, SYSTEM | REPLICATE: run, 7: run * 8 + query}
    found = effective_df(EffectsLayout.of(codes), y.ravel())
    of_runs = y.mean(axis=1).reshape(2, 4)
    parts = (of_runs - of_runs.mean(axis=1, keepdims=True)) ** 2
    wanted = 2 * parts.sum() ** 2 / (8 * parts.var(ddof=1))
    assert wanted < 5  # of 6
    assert found[1] == pytest.approx(wanted)


@pytest.mark.parametrize("nested", [False, True])
def test_replicates_are_grouped_by_replicate(nested: bool) -> None:
    run, query = np.divmod(np.arange(48), 8)
    codes = {SYSTEM: run // 2, SYSTEM | REPLICATE: run, QUERY: query, 5: run // 2 * 8 + query}
    if nested:
        codes.pop(QUERY)
    layout = EffectsLayout.of(codes | {7: np.arange(48)})
    found = effective_df(layout, np.random.default_rng(0).normal(size=48))
    assert found.shape == layout.df.shape
    assert ((found > 0.5) & (found <= layout.df)).all()


def test_points_are_even() -> None:
    points = lattice(4096, 7)
    assert points.shape == (4096, 7)
    for column in points.T:
        assert (
            stats.kstest(column, "uniform").statistic < 8 / 4096
        )  # random points: about 50 / 4096
    counts = np.histogram2d(points[:, 0], points[:, 4], bins=8)[0]
    assert np.abs(counts - 64).max() < 12  # random points: standard deviation 8


def test_draws_of_a_balanced_table() -> None:
    layout = crossed(np.ones((4, 10, 3), dtype=bool))
    squares = layout.mean_squares(simulated(layout, 0))
    found = ends(balanced_draws(layout, squares, layout.df))
    exact = 54 * squares[-1] / stats.chi2.ppf([0.975, 0.025], 54)
    np.testing.assert_allclose(found[:, -1], exact, rtol=1e-3)
    rng = np.random.default_rng(0)
    drawn = layout.df / rng.chisquare(layout.df, (200_000, 7)) * squares
    wanted = ends(np.maximum(np.linalg.solve(layout.expected(), drawn.T).T, 0))
    np.testing.assert_allclose(found, wanted, rtol=0.03, atol=2e-3)


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
    y = simulated(whole, 0)
    present[0, 0, 0] = False
    layout = crossed(present)
    one, draws = estimated_components(whole, y, whole.mean_squares(y))
    other, more = estimated_components(layout, y[1:], layout.mean_squares(y[1:]))
    np.testing.assert_allclose(one, np.linalg.solve(whole.expected(), whole.mean_squares(y)))
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
    assert effective_df(layout, y).tolist() == layout.df.tolist()
