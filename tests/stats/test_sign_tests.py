"""Tests of signs on arrays."""

from __future__ import annotations

import itertools

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
