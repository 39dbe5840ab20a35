"""Generalised pivotal distributions against simulation, and against t where there is one factor."""

import numpy as np
import pytest
from scipy import stats
from scipy.special import ndtr

from fuzzytruth.core import pivotal
from fuzzytruth.core.cells import Cells
from fuzzytruth.core.crossed import crossed_layout, variance_components
from fuzzytruth.core.pivotal import (
    CrossedSquares,
    GapSquares,
    GroupSquares,
    NormalMixtures,
    error_mixtures,
    group_squares,
)

DRAWS = 400_000


def crossed_squares(means: tuple[float, ...], queries: int, subjects: int, rows: int = 1):
    """Sums of squares that are the given mean squares times their degrees of freedom."""
    df = (queries - 1.0, subjects - 1.0, (queries - 1.0) * (subjects - 1))
    sums = [np.full(rows, mean * d) for mean, d in zip(means, df, strict=True)]
    return CrossedSquares(*sums, df, (1 / (queries * subjects),) * 3)


ONE = crossed_squares((4.0, 26.0, 1.0), 25, 3)


@pytest.mark.parametrize(
    ("means", "queries", "subjects"),
    [((4.0, 26.0, 1.0), 25, 3), ((1.0, 1.0, 1.0), 50, 5), ((9.0, 0.5, 1.0), 10, 10)],
)
def test_quantiles_agree_with_drawn_chi_squares(means, queries: int, subjects: int) -> None:
    squares = crossed_squares(means, queries, subjects)
    rng = np.random.default_rng(5)
    sums = squares.query, squares.subject, squares.residual
    q, s, e = (x[0] / rng.chisquare(df, DRAWS) for x, df in zip(sums, squares.df, strict=True))
    variance = (np.maximum(q, e) + np.maximum(s, e) - e) / (queries * subjects)
    for alpha in (0.3, 0.05):
        size = error_mixtures(squares).quantile(alpha)
        p = 2 * stats.norm.sf(size[0] / np.sqrt(variance))
        assert abs(p.mean() - alpha) < 4 * p.std() / np.sqrt(DRAWS) + 1e-3 * alpha


def test_one_factor_alone_is_students_t() -> None:
    """Without subjects' variance and residual, θ_q / Q is that of t over queries."""
    none = np.zeros(1)
    squares = CrossedSquares(np.array([3.0]), none, none, (7.0, 3.0, 21.0), (1 / 8,) * 3)
    mixtures = error_mixtures(squares)
    for alpha in (0.2, 0.05, 1e-4):
        expected = stats.t.isf(alpha / 2, 7) * np.sqrt(3 / 7 / 8)
        assert mixtures.quantile(alpha)[0] == pytest.approx(expected, rel=1e-3)


def test_quantiles_need_few_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    with np.errstate(under="raise"):
        error_mixtures(crossed_squares((1e-300, 1.0, 1e-300), 2000, 500))
        mixtures = error_mixtures(ONE)
        expected = mixtures.quantile(0.05)
        monkeypatch.setattr(pivotal, "_STEPS", 7)
        np.testing.assert_allclose(mixtures.quantile(0.05), expected, rtol=1e-8)


def test_quantile_and_probability_are_inverse_in_any_unit() -> None:
    rng = np.random.default_rng(1)
    sums = rng.chisquare(24, 30), rng.chisquare(2, 30) * 5, rng.chisquare(48, 30)
    mixtures = error_mixtures(CrossedSquares(*sums, (24, 2, 48), (1, 1, 1)))
    tiny = error_mixtures(crossed_squares((4e-200, 26e-200, 1e-200), 25, 3))
    for alpha in (0.5, 0.05, 0.05 / 1953):
        quantile = mixtures.quantile(alpha)
        np.testing.assert_allclose(mixtures.two_sided(quantile), alpha, rtol=1e-10)
        expected = error_mixtures(ONE).quantile(alpha) * 1e-100
        np.testing.assert_allclose(tiny.quantile(alpha), expected, rtol=1e-12)


def test_variance_without_residual_or_with_negative_components() -> None:
    squares = CrossedSquares(np.ones(1), np.ones(1), np.zeros(1), (4.0, 2.0, 0.0), (0.2, 0.3, 0.1))
    assert squares.variance()[0] == pytest.approx(0.2 / 4 + 0.3 / 2)
    assert np.isfinite(error_mixtures(squares).quantile(0.05)[0])
    cut = crossed_squares((4.0, 0.5, 1.0), 25, 3)
    assert cut.variance()[0] == pytest.approx(4.0 / 75)


def test_rows_without_spread_and_rows_filled_in_place() -> None:
    none = crossed_squares((0, 0, 0), 5, 3)
    assert error_mixtures(none).two_sided(np.array([1.0])).tolist() == [0.0]
    assert NormalMixtures(np.zeros((1, 2)), np.full((1, 2), 0.5)).quantile(0.05).tolist() == [0.0]
    of_nobody = error_mixtures(crossed_squares((1, 1, 1), 5, 3, rows=0))
    assert of_nobody.quantile(0.05).tolist() == []
    mixtures = NormalMixtures.none(3)
    mixtures.put(np.array([2]), error_mixtures(ONE))
    expected = error_mixtures(ONE).two_sided(np.array([0.5]))[0]
    assert mixtures.two_sided(np.full(3, 0.5)).tolist() == [0.0, 0.0, expected]
    assert expected > 0.1


def squares_of(table):
    """Of a table (queries, subjects)."""
    cells = Cells.complete(*table.shape)
    squares = variance_components(cells.of_dense(table)[None], crossed_layout(cells)).squares
    return group_squares(squares, cells)[0]


def gap_variance(first, second):
    gaps = first.mean(axis=1) - second.mean(axis=1)
    total = float(((gaps - gaps.mean()) ** 2).sum())
    return GapSquares(total, len(gaps), (squares_of(first), squares_of(second))).variance()


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


@pytest.mark.parametrize("seed", range(4))
def test_variance_between_groups_is_that_of_the_mean_squares(seed):
    rng = np.random.default_rng(seed)
    spread = rng.choice([0, 0.1, 2], size=3)
    query = rng.normal(size=(8, 1)) * spread[0]
    first = query + rng.normal(size=3) * spread[1] + rng.normal(size=(8, 3))
    second = query + rng.normal(size=5) * spread[2] + rng.normal(size=(8, 5))
    found = gap_variance(first, second)
    assert found == pytest.approx(by_hand(first, second), rel=1e-12)
    alike = 100 * rng.normal(size=(8, 1))  # what queries do to both groups cancels
    assert gap_variance(first + alike, second + alike) == pytest.approx(found, rel=1e-9)
    assert gap_variance(np.full((4, 2), 0.3), np.full((4, 3), 0.3)) == 0


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
    squares = variance_components(rng.normal(size=(1, n)), crossed_layout(cells)).squares
    (one,) = group_squares(squares, cells)
    factor = squares.df[1] / (n - queries)  # of the subjects' variance, in θ_s - θ_e
    for share, form in ((one.of_mean, mean.mean(axis=0)[None]), (one.of_gaps, centred)):
        divisor = 1 if len(form) == 1 else queries - 1
        assert share[0] == pytest.approx(np.trace(form @ same @ form.T) / divisor * factor)
        assert share[1] == pytest.approx(np.trace(form @ form.T) / divisor)
    assert (one.of_gaps[0] == 0) == (missing == 0)


@pytest.mark.parametrize(
    ("queries", "subjects", "share"), [(25, (3, 5), 0.2), (10, (2, 4), 0.0), (6, (3, 3), 0.2)]
)
def test_mixture_between_groups_is_that_of_many_draws(queries, subjects, share):
    rng = np.random.default_rng(7)
    groups = []
    for s in subjects:
        df = (s - 1.0, (queries - 1.0) * (s - 1))
        squares = rng.chisquare(df[0]) * 3, rng.chisquare(df[1])
        groups.append(GroupSquares(*squares, df, (1 / (queries * s),) * 2, (share, 1 / s)))
    one = GapSquares(float(rng.chisquare(queries - 1)), queries, (groups[0], groups[1]))
    of_mean, of_gaps = np.zeros(DRAWS), np.zeros(DRAWS)
    for group in groups:
        theta, error = (
            squares / rng.chisquare(df, DRAWS)
            for squares, df in zip((group.subject, group.residual), group.df, strict=True)
        )
        excess = np.maximum(theta - error, 0)
        of_mean += group.of_mean[0] * excess + group.of_mean[1] * error
        of_gaps += group.of_gaps[0] * excess + group.of_gaps[1] * error
    of_queries = np.maximum(one.gap / rng.chisquare(queries - 1, DRAWS) - of_gaps, 0)
    std = np.sqrt(of_queries / queries + of_mean)
    nodes, weight = one.mixture()
    assert weight.sum() == pytest.approx(1, abs=1e-12)
    mixture = NormalMixtures(nodes[None], weight[None])
    for alpha, within in ((0.5, 0.01), (0.05, 0.02), (0.05 / 28, 0.08)):
        half = mixture.quantile(alpha)
        assert (2 * ndtr(-half / std)).mean() == pytest.approx(alpha, rel=within)
