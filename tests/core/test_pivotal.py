"""Generalised pivotal distributions against simulation, and against t where there is one factor."""

import numpy as np
import pytest
from scipy import stats

from fuzzytruth.core.pivotal import CrossedSquares, NormalMixtures, error_mixtures


def squares_of(
    q: float, s: float, e: float, queries: int, subjects: int, rows: int = 1
) -> CrossedSquares:
    """Sums of squares that are the given mean squares times their degrees of freedom."""
    df = (queries - 1.0, subjects - 1.0, (queries - 1.0) * (subjects - 1))
    sums = [np.full(rows, mean * d) for mean, d in zip((q, s, e), df, strict=True)]
    return CrossedSquares(*sums, df, (1 / (queries * subjects),) * 3)


@pytest.mark.parametrize(
    ("means", "queries", "subjects"),
    [((4.0, 26.0, 1.0), 25, 3), ((1.0, 1.0, 1.0), 50, 5), ((9.0, 0.5, 1.0), 10, 10)],
)
@pytest.mark.parametrize("alpha", [0.3, 0.05])
def test_quantiles_agree_with_drawn_chi_squares(
    means: tuple[float, float, float], queries: int, subjects: int, alpha: float
) -> None:
    squares = squares_of(*means, queries, subjects)
    size = error_mixtures(squares).quantile(alpha)
    rng = np.random.default_rng(5)
    draws = 400_000
    q, s, e = (
        sums[0] / rng.chisquare(df, draws)
        for sums, df in zip(
            (squares.query, squares.subject, squares.residual), squares.df, strict=True
        )
    )
    variance = (np.maximum(q, e) + np.maximum(s, e) - e) / (queries * subjects)
    p = 2 * stats.norm.sf(size[0] / np.sqrt(variance))
    assert abs(p.mean() - alpha) < 4 * p.std() / np.sqrt(draws) + 1e-3 * alpha


def test_one_factor_alone_is_students_t() -> None:
    """Without subjects' variance and residual, θ_q / Q is that of t over queries."""
    squares = CrossedSquares(
        np.array([3.0]), np.zeros(1), np.zeros(1), (7.0, 3.0, 21.0), (1 / 8, 1 / 8, 1 / 8)
    )
    mixtures = error_mixtures(squares)
    for alpha in (0.2, 0.05, 1e-4):
        expected = stats.t.isf(alpha / 2, 7) * np.sqrt(3 / 7 / 8)
        assert mixtures.quantile(alpha)[0] == pytest.approx(expected, rel=1e-3)


@pytest.mark.parametrize("alpha", [0.5, 0.05, 0.05 / 1953])
def test_quantile_and_probability_are_inverse(alpha: float) -> None:
    rng = np.random.default_rng(1)
    squares = CrossedSquares(
        rng.chisquare(24, 30),
        rng.chisquare(2, 30) * 5,
        rng.chisquare(48, 30),
        (24, 2, 48),
        (1, 1, 1),
    )
    mixtures = error_mixtures(squares)
    np.testing.assert_allclose(mixtures.two_sided(mixtures.quantile(alpha)), alpha, rtol=1e-10)


def test_the_unit_does_not_matter() -> None:
    one = error_mixtures(squares_of(4.0, 26.0, 1.0, 25, 3)).quantile(0.05)
    small = error_mixtures(squares_of(4e-200, 26e-200, 1e-200, 25, 3)).quantile(0.05)
    np.testing.assert_allclose(small, one * 1e-100, rtol=1e-12)


def test_no_residual_counts_as_none() -> None:
    squares = CrossedSquares(np.ones(1), np.ones(1), np.zeros(1), (4.0, 2.0, 0.0), (0.2, 0.3, 0.1))
    assert squares.variance()[0] == pytest.approx(0.2 / 4 + 0.3 / 2)
    assert np.isfinite(error_mixtures(squares).quantile(0.05)[0])


def test_unbiased_variance_cuts_negative_components() -> None:
    assert squares_of(4.0, 0.5, 1.0, 25, 3).variance()[0] == pytest.approx(4.0 / 75)


def test_rows_without_spread() -> None:
    squares = CrossedSquares(np.zeros(1), np.zeros(1), np.zeros(1), (4.0, 2.0, 8.0), (1, 1, 1))
    assert error_mixtures(squares).two_sided(np.array([1.0])).tolist() == [0.0]
    assert NormalMixtures(np.zeros((1, 2)), np.full((1, 2), 0.5)).quantile(0.05).tolist() == [0.0]
    assert error_mixtures(squares_of(1, 1, 1, 5, 3, rows=0)).quantile(0.05).tolist() == []


def test_rows_are_filled_in_place() -> None:
    mixtures = NormalMixtures.none(3)
    mixtures.put(np.array([2]), error_mixtures(squares_of(4.0, 26.0, 1.0, 25, 3)))
    sizes = np.full(3, 0.5)
    assert mixtures.two_sided(sizes)[:2].tolist() == [0.0, 0.0]
    assert mixtures.two_sided(sizes)[2] > 0.1
