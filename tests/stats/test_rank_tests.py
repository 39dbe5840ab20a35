"""Tests of signs and of ranks, and posteriors: SciPy's and statsmodels' numbers, published ones."""

import itertools
import math

import numpy as np
import pytest
from scipy import stats as scipy_stats
from statsmodels.stats.contingency_tables import mcnemar as reference_mcnemar

import fuzzytruth as ft
from fuzzytruth.stats.laws import student_fit
from fuzzytruth.stats.rank_tests import posterior
from fuzzytruth.stats.world_estimates import Estimates

VALUES = np.random.default_rng(0).normal(size=(20, 5)) + np.arange(5) * 0.3  # (queries, systems)


def test_friedman() -> None:
    outcome = ft.stats.friedman(VALUES)
    expected = scipy_stats.friedmanchisquare(*VALUES.T)
    assert (outcome.statistic, outcome.p) == pytest.approx((expected.statistic, expected.pvalue))
    assert (outcome.n, outcome.df) == (20, 4)
    ranks = scipy_stats.rankdata(-VALUES, axis=1).mean(axis=0)
    np.testing.assert_allclose(outcome.mean_ranks, ranks)
    first, second = np.triu_indices(5, 1)
    np.testing.assert_allclose(outcome.difference, ranks[first] - ranks[second])
    q = np.abs(outcome.difference) * np.sqrt(2) / np.sqrt(5 * 6 / (6 * 20))  # Nemenyi
    nemenyi = scipy_stats.studentized_range.sf(q, 5, np.inf)
    np.testing.assert_allclose(outcome.p_adjusted, nemenyi, atol=1e-12)
    missing = VALUES.copy()
    missing[4, 1] = np.nan
    outcome = ft.stats.friedman(missing)
    assert (outcome.n, outcome.p) == (19, ft.stats.friedman(np.delete(VALUES, 4, axis=0)).p)


def test_ties_of_ranks_are_of_the_largest_value() -> None:
    noise = np.array([[0.1 + 0.2, 0.3, 0.5]] * 3)
    for unit in (1.0, 1e-14, 1e14):
        assert ft.stats.friedman(noise * unit).mean_ranks.tolist() == [2.5, 2.5, 1.0]
    small = np.array([[1.85e-17, 0.0, -2e-17]] * 3)
    assert ft.stats.friedman(small).mean_ranks.tolist() == [1.0, 2.0, 3.0]
    assert ft.stats.friedman(small, scale=0.3).p == 1


def test_what_cannot_be_ranked() -> None:
    with pytest.raises(ft.errors.DataError, match=r"\(queries, systems\)"):
        ft.stats.friedman(VALUES[0])
    for table in (VALUES[:, :2], np.full((3, 3), np.nan)):
        with pytest.raises(ft.errors.OptionError, match="three systems"):
            ft.stats.friedman(table)
    with pytest.raises(ft.errors.OptionError, match="'tukey'"):
        ft.stats.friedman(VALUES, post_hoc="tukey")


def test_posterior_is_students_t() -> None:
    value, error = np.array([0.1, -0.2, 0.1, 0.1, 0.1]), np.array([0.05, 0.2, 0.05, 0.0, np.nan])
    df, counts = np.array([9.0, 4.0, np.inf, 9.0, 0.0]), np.full(5, 10)
    given = Estimates.of(student_fit(value, error, df, pairs=True), counts, counts)
    found = posterior(given, 0.03, higher_is_better=True)
    laws = (scipy_stats.t(9, 0.1, 0.05), scipy_stats.t(4, -0.2, 0.2), scipy_stats.norm(0.1, 0.05))
    for row, t in enumerate(laws):
        assert found["posterior_better"][row] == pytest.approx(t.sf(0.03))
        assert found["posterior_worse"][row] == pytest.approx(t.cdf(-0.03))
        assert found["posterior_rope"][row] == pytest.approx(t.cdf(0.03) - t.cdf(-0.03))
    assert found["posterior_better"][3] == 1  # no spread is certain, an unknown one NaN
    assert np.isnan(found["posterior_better"][4])
    swapped = posterior(given, 0.03, higher_is_better=False)
    np.testing.assert_array_equal(swapped["posterior_better"], found["posterior_worse"])


def test_sign_test_is_the_binomial() -> None:
    outcome = ft.stats.sign_test([1, 2, 0, -1, 3, 0, 2.0])
    assert outcome.p == scipy_stats.binomtest(4, 5).pvalue
    assert (outcome.n, outcome.estimate, outcome.statistic) == (7, 0.8, 4)
    ties = ft.stats.sign_test(np.zeros(3))
    assert (ties.p, ties.estimate) == (1.0, 0.5)
    for up, down in itertools.product(range(6), repeat=2):
        n = up + down
        p = [math.comb(n, k) / 2**n for k in range(n + 1)]
        beyond = sum(p[k] for k in range(n + 1) if abs(2 * k - n) > abs(up - down))
        same = sum(p[k] for k in range(n + 1) if abs(2 * k - n) == abs(up - down))
        mid = ft.stats.sign_test([1.0] * up + [-1.0] * down + [0.0], mid_p=True)
        assert mid.p == pytest.approx(beyond + same / 2 if n else 1, abs=1e-14)
        assert not mid.exact


def test_mcnemar_is_statsmodels_for_each_contrast() -> None:
    a, b = np.random.default_rng(1).random((2, 30, 3)) < [[[0.7]], [[0.4]]]
    outcome = ft.stats.mcnemar(a, b)
    for j in range(3):
        x, y = a[:, j], b[:, j]
        table = [[(x & y).sum(), (x & ~y).sum()], [(~x & y).sum(), (~x & ~y).sum()]]
        assert outcome.p[j] == pytest.approx(reference_mcnemar(table, exact=True).pvalue)
        assert outcome.estimate[j] == pytest.approx(x.mean() - y.mean())
        assert outcome.statistic[j] == (x & ~y).sum()
    one = ft.stats.mcnemar(a[:, 0], b[:, 0])
    assert (one.n, one.p) == (30, outcome.p[0])
    for successes, others in (([1.0, 0.0], [True, False]), ([True], [True, False])):
        with pytest.raises(ft.errors.DataError, match="must be booleans of one shape"):
            ft.stats.mcnemar(successes, others)
    # Fagerland, Lydersen & Laake 2013, table 1: 1 and 7 of 21 children differ
    before, after = np.repeat([[1, 1, 0, 0], [1, 0, 1, 0]], [1, 1, 7, 12], axis=1) == 1
    assert ft.stats.mcnemar(before, after).p == pytest.approx(0.0703, abs=5e-5)
    mid = ft.stats.mcnemar(before, after, mid_p=True)
    assert (mid.p, mid.exact) == (pytest.approx(0.0391, abs=5e-5), False)
    assert ft.stats.mcnemar(before, before, mid_p=True).p == 1


def test_wilcoxon_is_scipys_and_estimates_the_pseudo_median() -> None:
    for n, zeros in ((5, 0), (30, 2), (80, 2)):
        d = np.append(np.random.default_rng(n).normal(0.1, 1, n), np.zeros(zeros))
        outcome, expected = ft.stats.wilcoxon(d), scipy_stats.wilcoxon(d)
        assert (outcome.statistic, outcome.p) == (expected.statistic, expected.pvalue)
        walsh = [(x + y) / 2 for x, y in itertools.combinations_with_replacement(d, 2)]
        assert outcome.estimate == pytest.approx(np.median(walsh))
        assert ft.stats.wilcoxon(np.insert(d, 4, np.nan)).n == n + zeros
    assert ft.stats.wilcoxon(np.zeros(3)).p == 1
    assert np.isnan(ft.stats.wilcoxon([]).p)


def test_wilcoxon_ranks_ties_that_floats_break() -> None:
    a, b = np.array([0.3, 0.2, 0.9, 0.4, 0.6]), np.array([0.2, 0.1, 0.5, 0.8, 0.7])
    tenths = np.array([1, 1, 4, -4, -1])
    assert len(set(np.abs(a - b))) > 2
    for n in (1, 4):  # by enumeration, and by the normal distribution
        outcome = ft.stats.wilcoxon(np.tile(a - b, n))
        expected = scipy_stats.wilcoxon(np.tile(tenths, n))
        assert (outcome.statistic, outcome.p) == (expected.statistic, expected.pvalue)
