"""Variance components beside a textbook, least squares and exact expectations."""

from __future__ import annotations

import numpy as np
import pytest

from fuzzytruth.core.cells import Cells
from fuzzytruth.core.crossed import (
    CrossedLayout,
    VarianceComponents,
    crossed_layout,
    variance_components,
)

# Shrout & Fleiss 1979, Psychological Bulletin 86, Table 2: six targets, four judges.
# Their Table 3: BMS = 11.24, JMS = 32.49, EMS = 1.02.
RATINGS = np.array(
    [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]],
    dtype=float,
)


def layout(present: np.ndarray) -> CrossedLayout:
    """Layout of a table of booleans (queries, subjects)."""
    return crossed_layout(Cells.of_mask(present))


def components(table: np.ndarray, of: CrossedLayout) -> VarianceComponents:
    """Components of tables (..., queries, subjects)."""
    return variance_components(of.cells.of_dense(table), of)


def complete(shape: tuple[int, int]) -> np.ndarray:
    return np.ones(shape, dtype=bool)


def test_textbook_table() -> None:
    result = components(RATINGS, layout(complete((6, 4))))
    assert round(float(result.residual), 2) == 1.02
    assert round(float(4 * result.query + result.residual), 2) == 11.24
    assert round(float(6 * result.subject + result.residual), 2) == 32.49
    assert float(result.mean) == pytest.approx(RATINGS.mean())


def test_variance_and_df_of_a_complete_table() -> None:
    q, s = RATINGS.shape
    mean = RATINGS.mean()
    ms_q = s * ((RATINGS.mean(axis=1) - mean) ** 2).sum() / (q - 1)
    ms_s = q * ((RATINGS.mean(axis=0) - mean) ** 2).sum() / (s - 1)
    rest = RATINGS - RATINGS.mean(axis=1)[:, None] - RATINGS.mean(axis=0) + mean
    ms_e = (rest**2).sum() / ((q - 1) * (s - 1))
    v = (max(ms_q, ms_e) + max(ms_s, ms_e) - ms_e) / (q * s)
    df = (q * s * v) ** 2 / (ms_q**2 / (q - 1) + ms_s**2 / (s - 1))
    result = components(RATINGS, layout(complete((q, s))))
    assert float(result.variance) == pytest.approx(v, rel=1e-12)
    assert float(result.df) == pytest.approx(df, rel=1e-12)


def incomplete_mask(seed: int, shape: tuple[int, int], share: float) -> np.ndarray:
    rng = np.random.default_rng(seed)
    while True:
        present = rng.random(shape) > share
        if present.any(axis=0).all() and present.any(axis=1).all():
            return present


@pytest.mark.parametrize(("seed", "shape"), [(0, (6, 4)), (1, (4, 7)), (2, (5, 5))])
def test_residual_is_that_of_least_squares(seed: int, shape: tuple[int, int]) -> None:
    present = incomplete_mask(seed, shape, 0.3)
    y = np.random.default_rng(seed).normal(size=shape)
    result = components(np.where(present, y, np.nan), layout(present))
    q, s = np.nonzero(present)
    design = np.hstack((np.eye(shape[0])[q], np.eye(shape[1])[s]))
    fit, *_ = np.linalg.lstsq(design, y[present], rcond=None)
    rest = ((y[present] - design @ fit) ** 2).sum()
    df = present.sum() - np.linalg.matrix_rank(design)
    assert layout(present).residual_df == df
    assert float(result.residual) == pytest.approx(rest / df, rel=1e-9)


@pytest.mark.parametrize(("seed", "shape"), [(0, (6, 4)), (3, (4, 6))])
def test_components_with_missing_values_are_unbiased(seed: int, shape: tuple[int, int]) -> None:
    """Each is a quadratic form; its expectation is a trace, 1 for its own component and 0 else."""
    present = incomplete_mask(seed, shape, 0.3)
    cells = np.argwhere(present)
    n = len(cells)
    first, second = np.triu_indices(n)
    tables = np.full((len(first), *shape), np.nan)
    tables[:, present] = 0.0
    for cell in (first, second):
        tables[np.arange(len(first)), *cells[cell].T] += 1.0
    result = components(tables, layout(present))
    q, s = cells.T
    covariances = {
        "query": (q[:, None] == q).astype(float),
        "subject": (s[:, None] == s).astype(float),
        "residual": np.eye(n),
    }
    for name in covariances:
        both = np.zeros((n, n))
        both[first, second] = both[second, first] = getattr(result, name)
        own = np.diag(both) / 4  # f(2 e_i) = 4 b_ii
        form = (both - own[:, None] - own) / 2
        np.fill_diagonal(form, own)
        for other, covariance in covariances.items():
            assert np.trace(form @ covariance) == pytest.approx(float(name == other), abs=1e-9)


def test_batches_are_the_tables_one_by_one() -> None:
    present = incomplete_mask(4, (5, 4), 0.2)
    y = np.where(present, np.random.default_rng(4).normal(size=(3, 5, 4)), np.nan)
    of = layout(present)
    together = components(y, of)
    for number, table in enumerate(y):
        alone = components(table, of)
        assert together.variance[number] == pytest.approx(float(alone.variance))
        assert together.df[number] == pytest.approx(float(alone.df))


def test_degenerate_tables() -> None:
    flat = components(np.full((4, 3), 0.7), layout(complete((4, 3))))
    assert (float(flat.mean), float(flat.variance)) == (pytest.approx(0.7), 0.0)
    one_subject = components(RATINGS[:, :1], layout(complete((6, 1))))
    assert float(one_subject.df) == 0
    one_query = components(RATINGS[:1], layout(complete((1, 4))))
    assert float(one_query.df) == 0
    # Two groups that no cell connects.
    present = np.kron(np.eye(2, dtype=bool), np.ones((3, 2), dtype=bool))
    assert layout(present).parts == 2
    apart = components(np.where(present, np.arange(24.0).reshape(6, 4), np.nan), layout(present))
    assert np.isfinite(float(apart.variance))
