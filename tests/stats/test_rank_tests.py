"""Friedman's test on arrays."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats as scipy_stats

import fuzzytruth as ft

VALUES = np.random.default_rng(0).normal(size=(20, 5)) + np.arange(5) * 0.3  # (queries, systems)


def test_scipys_statistic() -> None:
    outcome = ft.stats.friedman(VALUES)
    expected = scipy_stats.friedmanchisquare(*VALUES.T)
    assert (outcome.statistic, outcome.p) == pytest.approx((expected.statistic, expected.pvalue))
    assert (outcome.n, outcome.df) == (20, 4)
    ranks = scipy_stats.rankdata(-VALUES, axis=1).mean(axis=0)
    np.testing.assert_allclose(outcome.mean_ranks, ranks)
    first, second = np.triu_indices(5, 1)
    np.testing.assert_allclose(outcome.difference, ranks[first] - ranks[second])


def test_nemenyi_by_definition() -> None:
    outcome = ft.stats.friedman(VALUES)
    q = np.abs(outcome.difference) * np.sqrt(2) / np.sqrt(5 * 6 / (6 * 20))
    expected = scipy_stats.studentized_range.sf(q, 5, np.inf)
    np.testing.assert_allclose(outcome.p_adjusted, expected, atol=1e-12)


def test_rounding_ties_and_missing_queries() -> None:
    noise = np.array([[0.1 + 0.2, 0.3, 0.5]] * 3)
    assert ft.stats.friedman(noise).mean_ranks.tolist() == [2.5, 2.5, 1.0]
    missing = VALUES.copy()
    missing[4, 1] = np.nan
    outcome = ft.stats.friedman(missing)
    assert (outcome.n, outcome.p) == (19, ft.stats.friedman(np.delete(VALUES, 4, axis=0)).p)


def test_what_cannot_be_tested() -> None:
    with pytest.raises(ft.DataError, match=r"\(queries, systems\)"):
        ft.stats.friedman(VALUES[0])
    for table in (VALUES[:, :2], np.full((3, 3), np.nan)):
        with pytest.raises(ft.OptionError, match="three systems"):
            ft.stats.friedman(table)
    with pytest.raises(ft.OptionError, match="'tukey'"):
        ft.stats.friedman(VALUES, post_hoc="tukey")


def test_ties_are_of_the_largest_value() -> None:
    noise = np.array([[0.1 + 0.2, 0.3, 0.5]] * 3)
    for unit in (1e-14, 1e14):
        assert ft.stats.friedman(noise * unit).mean_ranks.tolist() == [2.5, 2.5, 1.0]
    small = np.array([[1.85e-17, 0.0, -2e-17]] * 3)
    assert ft.stats.friedman(small).mean_ranks.tolist() == [1.0, 2.0, 3.0]
    assert ft.stats.friedman(small, scale=0.3).p == 1
