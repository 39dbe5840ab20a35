"""Estimates of variance components, and their distributions, against definitions and exact laws."""

import numpy as np
from scipy import stats

from fuzzytruth.annotators.planning.estimated_components import (
    balanced_draws,
    effective_df,
    estimated_components,
    lattice,
    minimum_variance,
)
from fuzzytruth.core.crossed import QUERY, SUBJECT, SYSTEM, EffectsLayout

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
