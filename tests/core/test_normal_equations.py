"""The sparse solve beside the dense decomposition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from fuzzytruth.core import crossed as normal_equations
from fuzzytruth.core.cells import Cells
from fuzzytruth.core.crossed import crossed_layout, variance_components

NAMES = ("mean", "query", "subject", "residual", "variance", "df", "subject_variance", "subject_df")


def scattered(seed: int) -> Cells:
    """Cells of a random table, some of it without connection, no row or column empty."""
    rng = np.random.default_rng(seed)
    exists = rng.random((rng.integers(2, 12), rng.integers(2, 12))) < rng.uniform(0.15, 0.9)
    return Cells.of_mask(exists).compressed()


def check_same(values: np.ndarray, cells: Cells) -> None:
    dense = variance_components(values, crossed_layout(cells))
    sparse = variance_components(values, crossed_layout(cells, most_dense=0))
    assert crossed_layout(cells, most_dense=0).vectors is None
    for name in NAMES:
        np.testing.assert_allclose(
            getattr(sparse, name), getattr(dense, name), rtol=1e-9, atol=1e-12, err_msg=name
        )


@pytest.mark.parametrize("iterations", [2_000, 1])  # 1: by elimination, mostly
@given(seed=st.integers(0, 10_000))
@example(seed=1060)  # a search direction of conjugate gradients lies in the null space
@settings(max_examples=40)
def test_sparse_solve_is_the_dense_one(iterations: int, seed: int) -> None:
    cells = scattered(seed)
    if not len(cells):
        return
    values = np.random.default_rng(seed).normal(size=(2, len(cells)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(normal_equations, "_ITERATIONS", iterations)
        check_same(values, cells)


def test_a_long_chain_is_eliminated() -> None:
    """Subject j judged queries j and j + 1: conjugate gradients take a step for each link."""
    n = 4_000
    query = np.concatenate((np.arange(n), np.arange(n) + 1))
    cells, _ = Cells.from_pairs(query, np.tile(np.arange(n), 2))
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=n + 1), rng.normal(size=n)
    y = a[cells.query] + b[cells.subject_codes]
    result = variance_components(y, crossed_layout(cells))
    assert (crossed_layout(cells).parts, crossed_layout(cells).residual_df) == (1, 0)
    # A chain has as many parameters as cells, so that the model fits exactly.
    assert float(result.query) == pytest.approx(a.var(ddof=1), rel=0.1)
    assert float(result.subject) == pytest.approx(b.var(ddof=1), rel=0.1)


def test_ten_thousand_subjects_with_twenty_cells_each() -> None:
    rng = np.random.default_rng(1)
    query = rng.permuted(np.tile(np.arange(2_500), (10_000, 1)), axis=1)[:, :20]
    cells, _ = Cells.from_pairs(query.ravel(), np.repeat(np.arange(10_000), 20))
    assert crossed_layout(cells).vectors is None
    a, b = rng.normal(size=2_500), rng.normal(0, 0.5, 10_000)
    y = a[cells.query] + b[cells.subject_codes] + rng.normal(0, 0.8, len(cells))
    result = variance_components(y, crossed_layout(cells))
    for name, expected in (("query", 1.0), ("subject", 0.25), ("residual", 0.64)):
        assert float(getattr(result, name)) == pytest.approx(expected, rel=0.1)
