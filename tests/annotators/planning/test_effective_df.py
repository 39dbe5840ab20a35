"""Degrees of freedom of mean squares whose parts are unequal."""

from __future__ import annotations

import numpy as np
import pytest
from core.test_random_effects import crossed, simulated

from fuzzytruth.annotators.planning.estimated_components import effective_df
from fuzzytruth.core.crossed import QUERY, REPLICATE, SYSTEM, EffectsLayout

TRUE = np.array([0.2, 1.0, 0.1, 0.5, 0.05, 0.1, 0.3])


def two(n_systems: int, n_queries: int) -> EffectsLayout:
    system, query = np.divmod(np.arange(n_systems * n_queries), n_queries)
    return EffectsLayout.of({SYSTEM: system, QUERY: query, 5: np.arange(n_systems * n_queries)})


def test_by_hand() -> None:
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


def test_normal_effects_have_about_those_of_the_layout() -> None:
    layout = crossed(np.ones((5, 30, 4), dtype=bool))
    found = np.array([effective_df(layout, simulated(layout, TRUE, seed)) for seed in range(60)])
    assert (found <= layout.df).all()
    assert (np.median(found, axis=0) > 0.7 * layout.df).all()


def test_a_query_that_stands_out_has_the_interaction_to_itself() -> None:
    y = 0.01 * np.random.default_rng(0).normal(size=(8, 12))
    y[:, 3] += np.random.default_rng(1).normal(size=8)
    system, query, both = effective_df(two(8, 12), y.ravel())
    assert both < 12  # of 77
    assert query < 4  # of 11
    assert system <= 7


def test_missing_values_alone_do_not_stand_out() -> None:
    """Queries with more values have a larger part of each sum."""
    present = np.random.default_rng(2).random((6, 30, 4)) < np.linspace(0.2, 1, 30)[:, None]
    layout = crossed(present)
    found = [effective_df(layout, simulated(layout, TRUE, seed))[-1] for seed in range(20)]
    assert np.median(found) > 0.5 * layout.df[-1]


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


def test_nothing_varies() -> None:
    layout = two(3, 4)
    assert effective_df(layout, np.full(12, 0.3)).tolist() == layout.df.tolist()
