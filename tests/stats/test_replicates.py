"""What runs of systems add to variances, against analyses of variance and published figures."""

import numpy as np
import pytest
from scipy import stats
from scipy.special import digamma, polygamma

from fuzzytruth.core.variance_sums import scaled
from fuzzytruth.stats.replicates import RunTables, run_table


def tables_of(values: list[np.ndarray], fixed: list[bool] | None = None) -> RunTables:
    """Of (runs, queries, subjects) values of each system."""
    sizes = np.array([one.shape for one in values]).T
    squares = np.stack([run_table(one) for one in values], axis=1)
    return RunTables(*sizes, squares, np.array(fixed or [False] * len(values)))


def test_sums_of_squares() -> None:
    """They add up to the sum of squares within cells of queries and subjects."""
    rng = np.random.default_rng(1)
    y = rng.normal(size=(4, 6, 3)) + rng.normal(size=(4, 1, 1)) + rng.normal(size=(4, 6, 1))
    squares = run_table(y)
    assert squares.sum() == pytest.approx(((y - y.mean(axis=0)) ** 2).sum())
    of_runs = y.mean(axis=(1, 2))
    assert squares[0] == pytest.approx(18 * ((of_runs - of_runs.mean()) ** 2).sum())
    by_query = y.mean(axis=2)
    rest = by_query - by_query.mean(axis=0) - by_query.mean(axis=1, keepdims=True) + by_query.mean()
    assert squares[1] == pytest.approx(3 * (rest**2).sum())
    assert tables_of([y]).df[:, 0].tolist() == [3, 15, 6, 30]


def test_estimates_are_unbiased() -> None:
    """Of the variance that runs add to a mean, where it is not cut at 0."""
    rng = np.random.default_rng(2)
    found = []
    for _ in range(300):
        y = [
            1.5 * rng.normal(size=(5, 1, 1))
            + 0.5 * rng.normal(size=(5, 1, 4))
            + rng.normal(size=(5, 20, 4))
            for _ in range(2)
        ]
        _, estimate, known, _ = tables_of(y).variances("separate")
        assert known.all()
        found.append(estimate.mean())
    error = np.std(found) / np.sqrt(len(found))
    assert np.mean(found) == pytest.approx(1.5**2 / 5, abs=3 * error)


def test_pooling() -> None:
    mean_squares = np.array([4.0, 6.0, 5.0, 9.0])
    counts = np.full(4, 4), np.full(4, 30), np.ones(4, np.int64)
    squares_of = np.stack([3 * mean_squares, 87 * np.ones(4), np.zeros(4), np.zeros(4)])
    tables = RunTables(*counts, squares_of, np.array([False, False, False, True]))
    squares, df, d0 = tables.shared("separate")
    assert d0 == 0
    np.testing.assert_array_equal(squares, tables.squares)
    pooled, pooled_df, _ = tables.shared("pooled")
    assert pooled[0].tolist() == pytest.approx([tables.squares[0, :3].sum()] * 4)
    assert pooled_df[0].tolist() == [9.0] * 4
    moderated, moderated_df, d0 = tables.shared("moderated")
    log = np.log(tables.squares[0, :3] / 3) - digamma(1.5) + np.log(1.5)
    assert log.var(ddof=1) < polygamma(1, 1.5)  # no more spread than chance: one variance
    assert d0 == 3
    mean = tables.squares[0, :3].sum() / 9
    assert moderated[0, :3] == pytest.approx(tables.squares[0, :3] + 3 * mean)
    assert moderated[0, 3] == tables.squares[0, 3]  # deterministic
    assert (moderated_df[0] - df[0]).tolist() == [3, 3, 3, 0]
    assert (moderated[1:] == tables.squares[1:]).all()
    assert (tables.variances("moderated")[1][3], tables.variances("moderated")[2][3]) == (0, True)


def test_one_run_is_unknown_unless_pooled() -> None:
    rng = np.random.default_rng(4)
    y = [rng.normal(size=(n, 20, 1)) for n in (3, 1, 4)]
    assert tables_of(y).variances("moderated")[2].tolist() == [True, False, True]
    assert tables_of(y).variances("pooled")[2].all()
    assert tables_of(y, [False, True, False]).variances("separate")[2].all()


def test_law_of_a_difference() -> None:
    """Of two systems with three runs each, by draws of all five χ²."""
    rng = np.random.default_rng(5)
    y = [
        rng.normal(size=(3, 1, 1)) * 0.3 + rng.normal(size=(1, 25, 1)) + rng.normal(size=(3, 25, 1))
        for _ in range(2)
    ]
    tables = tables_of(y)
    difference = (y[0].mean(axis=0) - y[1].mean(axis=0)).ravel()
    total = ((difference - difference.mean()) ** 2).sum()
    added = tables.variances("separate")[0]
    first, second = (added.take(np.array([place])) for place in (0, 1))
    law = scaled(np.array([total]), 24.0, 1 / 25).plus(first.plus(second), 256).mixtures()
    n = 400_000
    variance = total / rng.chisquare(24, n) / 25
    for runs, rest in tables.squares[:2].T:
        gap = runs / rng.chisquare(2, n) - rest / rng.chisquare(48, n)
        variance += np.maximum(gap, 0) / 75
    for size in (0.3, 1.0):
        expected = 2 * stats.norm.sf(size / np.sqrt(variance)).mean()
        assert law.two_sided(np.array([size]))[0] == pytest.approx(expected, rel=0.015)
