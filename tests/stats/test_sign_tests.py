"""Tests of signs on arrays."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy import stats as scipy_stats
from statsmodels.stats.contingency_tables import mcnemar as reference_mcnemar

import fuzzytruth as ft

D = np.random.default_rng(0).normal(0.05, 0.1, 20)


def test_sign_test_is_the_binomial() -> None:
    outcome = ft.stats.sign_test([1, 2, 0, -1, 3, 0, 2.0])
    assert outcome.p == scipy_stats.binomtest(4, 5).pvalue
    assert (outcome.n, outcome.estimate, outcome.statistic) == (7, 0.8, 4)
    ties = ft.stats.sign_test(np.zeros(3))
    assert (ties.p, ties.estimate) == (1.0, 0.5)


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


def test_mcnemar_takes_booleans_of_one_shape() -> None:
    with pytest.raises(ft.DataError, match="must be booleans of one shape"):
        ft.stats.mcnemar([1.0, 0.0], [True, False])
    with pytest.raises(ft.DataError, match="must be booleans of one shape"):
        ft.stats.mcnemar([True], [True, False])


def test_wilcoxon_is_scipys_and_estimates_the_pseudo_median() -> None:
    outcome = ft.stats.wilcoxon(np.insert(D, 4, np.nan))
    assert (outcome.n, outcome.p) == (20, scipy_stats.wilcoxon(D).pvalue)
    walsh = [(x + y) / 2 for x, y in itertools.combinations_with_replacement(D, 2)]
    assert outcome.estimate == pytest.approx(np.median(walsh))
    assert ft.stats.wilcoxon(np.zeros(3)).p == 1
    assert np.isnan(ft.stats.wilcoxon([]).p)


def test_mid_p_counts_the_observed_number_half() -> None:
    for up, down in itertools.product(range(8), repeat=2):
        n = up + down
        p = [math.comb(n, k) / 2**n for k in range(n + 1)]
        beyond = sum(p[k] for k in range(n + 1) if abs(2 * k - n) > abs(up - down))
        same = sum(p[k] for k in range(n + 1) if abs(2 * k - n) == abs(up - down))
        outcome = ft.stats.sign_test([1.0] * up + [-1.0] * down + [0.0], mid_p=True)
        assert outcome.p == pytest.approx(beyond + same / 2 if n else 1, abs=1e-14)
        assert not outcome.exact
    assert ft.stats.sign_test([1.0, 2.0]).exact


def test_mcnemar_of_fagerland_and_others() -> None:
    # Fagerland, Lydersen & Laake 2013, table 1: 1 and 7 of 21 children differ
    before, after = np.repeat([[1, 1, 0, 0], [1, 0, 1, 0]], [1, 1, 7, 12], axis=1) == 1
    assert ft.stats.mcnemar(before, after).p == pytest.approx(0.0703, abs=5e-5)
    outcome = ft.stats.mcnemar(before, after, mid_p=True)
    assert outcome.p == pytest.approx(0.0391, abs=5e-5)
    assert not outcome.exact
    assert ft.stats.mcnemar(before, before, mid_p=True).p == 1


def test_wilcoxon_ranks_ties_that_floats_break() -> None:
    a, b = np.array([0.3, 0.2, 0.9, 0.4, 0.6]), np.array([0.2, 0.1, 0.5, 0.8, 0.7])
    tenths = np.array([1, 1, 4, -4, -1])
    assert len(set(np.abs(a - b))) > 2
    for n in (1, 4):  # by enumeration, and by the normal distribution
        outcome = ft.stats.wilcoxon(np.tile(a - b, n))
        expected = scipy_stats.wilcoxon(np.tile(tenths, n))
        assert (outcome.statistic, outcome.p) == (expected.statistic, expected.pvalue)


def test_wilcoxon_is_scipys_without_ties() -> None:
    for n in (5, 30, 80):
        for zeros in (0, 2):
            d = np.append(np.random.default_rng(n).normal(0.1, 1, n), np.zeros(zeros))
            outcome, expected = ft.stats.wilcoxon(d), scipy_stats.wilcoxon(d)
            assert (outcome.statistic, outcome.p) == (expected.statistic, expected.pvalue)
