"""Laws of differences between groups over queries and subjects."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import ndtr

from fuzzytruth.core.cells import Cells
from fuzzytruth.core.crossed import crossed_layout, variance_components
from fuzzytruth.core.pivotal import GapSquares, GroupSquares, NormalMixtures, group_squares


def squares_of(table):
    """Of a table (queries, subjects); NaN is missing."""
    cells = Cells.of_mask(~np.isnan(table))
    values = cells.of_dense(table)[None]
    (one,) = group_squares(variance_components(values, crossed_layout(cells)).squares, cells)
    return one


def by_hand(first, second):
    """v of two complete tables (queries, subjects) by textbook mean squares."""
    parts = []
    for table in (first, second):
        q, s = table.shape
        rows, columns = table.mean(axis=1), table.mean(axis=0)
        rest = table - rows[:, None] - columns + table.mean()
        error = (rest**2).sum() / ((q - 1) * (s - 1)) / (q * s)
        parts.append((columns.var(ddof=1) / s, error))
    gaps = first.mean(axis=1) - second.mean(axis=1)
    (b, e), (c, f) = parts
    return max(gaps.var(ddof=1) / len(gaps), e + f) + max(b, e) + max(c, f) - e - f


def gap_squares(first, second):
    gaps = np.nanmean(first, axis=1) - np.nanmean(second, axis=1)
    total = float(((gaps - gaps.mean()) ** 2).sum())
    return GapSquares(total, len(gaps), (squares_of(first), squares_of(second)))


@pytest.mark.parametrize("seed", range(6))
def test_variance_of_complete_tables_is_that_of_the_mean_squares(seed):
    rng = np.random.default_rng(seed)
    spread = rng.choice([0, 0.1, 2], size=3)
    query = rng.normal(size=(8, 1)) * spread[0]
    first = query + rng.normal(size=3) * spread[1] + rng.normal(size=(8, 3))
    second = query + rng.normal(size=5) * spread[2] + rng.normal(size=(8, 5))
    found = gap_squares(first, second).variance()
    assert found == pytest.approx(by_hand(first, second), rel=1e-12)


def test_what_queries_do_to_both_groups_alike_cancels():
    rng = np.random.default_rng(3)
    first, second = rng.normal(size=(9, 3)), rng.normal(size=(9, 4))
    query = 100 * rng.normal(size=(9, 1))
    plain, shifted = (gap_squares(first + x, second + x) for x in (0, query))
    assert shifted.variance() == pytest.approx(plain.variance(), rel=1e-9)


@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_shares_are_expected_squares(missing):
    """Variances of means and mean squares of gaps, of effects whose covariance is known."""
    rng = np.random.default_rng(5)
    exists = rng.random((7, 4)) >= missing
    exists[:, 0] = exists[0] = True
    cells = Cells.of_mask(exists)
    queries, n = cells.n_queries, len(cells)
    mean = np.zeros((queries, n))  # per-query means as a matrix of the cells
    mean[cells.query, np.arange(n)] = 1 / cells.sizes[cells.query]
    centred = mean - mean.mean(axis=0)
    same = (cells.subject_codes[:, None] == cells.subject_codes).astype(float)
    values = rng.normal(size=(1, n))
    squares = variance_components(values, crossed_layout(cells)).squares
    (one,) = group_squares(squares, cells)
    factor = squares.df[1] / (n - queries)  # of the subjects' variance, in θ_s - θ_e
    for share, form in ((one.of_mean, mean.mean(axis=0)[None]), (one.of_gaps, centred)):
        divisor = 1 if len(form) == 1 else queries - 1
        assert share[0] == pytest.approx(np.trace(form @ same @ form.T) / divisor * factor)
        assert share[1] == pytest.approx(np.trace(form @ form.T) / divisor)
    assert (one.of_gaps[0] == 0) == (missing == 0)


@pytest.mark.parametrize(("queries", "subjects"), [(25, (3, 5)), (10, (2, 4)), (6, (3, 3))])
@pytest.mark.parametrize("share", [0.0, 0.2])
def test_mixture_is_that_of_many_draws(queries, subjects, share):
    rng = np.random.default_rng(7)
    groups = []
    for s in subjects:
        df = (s - 1.0, (queries - 1.0) * (s - 1))
        squares = rng.chisquare(df[0]) * 3, rng.chisquare(df[1])
        each = 1 / (queries * s)
        groups.append(GroupSquares(*squares, df, (each, each), (share, 1 / s)))
    one = GapSquares(float(rng.chisquare(queries - 1)), queries, (groups[0], groups[1]))
    draws = 400_000
    of_mean, of_gaps = np.zeros(draws), np.zeros(draws)
    for group in groups:
        theta, error = (
            squares / rng.chisquare(df, draws)
            for squares, df in zip((group.subject, group.residual), group.df, strict=True)
        )
        excess = np.maximum(theta - error, 0)
        of_mean += group.of_mean[0] * excess + group.of_mean[1] * error
        of_gaps += group.of_gaps[0] * excess + group.of_gaps[1] * error
    of_queries = np.maximum(one.gap / rng.chisquare(queries - 1, draws) - of_gaps, 0)
    std = np.sqrt(of_queries / queries + of_mean)
    nodes, weight = one.mixture()
    assert weight.sum() == pytest.approx(1, abs=1e-12)
    mixture = NormalMixtures(nodes[None], weight[None])
    for alpha, within in ((0.5, 0.01), (0.05, 0.02), (0.05 / 28, 0.08)):
        half = mixture.quantile(alpha)
        assert (2 * ndtr(-half / std)).mean() == pytest.approx(alpha, rel=within)


def test_nothing_varies():
    one = gap_squares(np.full((4, 2), 0.3), np.full((4, 3), 0.3))
    assert one.variance() == 0
