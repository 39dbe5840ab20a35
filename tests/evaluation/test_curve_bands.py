"""Bands around mean curves, by hand."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import fuzzytruth as ft
from fuzzytruth.evaluation.lists.curves import over_queries, over_subjects

#: query 0 has two subjects, query 1 has one, query 2 has none, query 3 has one
OFFSETS = np.array([0, 2, 3, 3, 4])
VALUES = np.array([[0.0, 1.0], [0.4, 1.0], [0.5, 1.0], [0.8, 1.0]])  # (cells, points)


def test_over_queries_it_is_the_t_interval_of_their_means() -> None:
    lower, upper = over_queries(VALUES, None, OFFSETS, 0.9)
    means = [0.2, 0.5, 0.8]  # the query without subjects does not count
    half = stats.t.ppf(0.95, 2) * np.std(means, ddof=1) / np.sqrt(3)
    assert (lower[0], upper[0]) == pytest.approx((0.5 - half, 0.5 + half))
    assert (lower[1], upper[1]) == (1, 1)


def test_over_queries_a_weighted_mean_is_a_ratio() -> None:
    weight = np.array([[1], [1], [2], [0]])
    values = np.array([[0.2], [0.4], [0.9], [5.0]])
    lower, upper = over_queries(values, weight, OFFSETS, 0.95)
    total, size = np.array([0.6, 1.8]), np.array([2, 2])  # the last query has no weight
    mean = total.sum() / size.sum()
    error = np.sqrt(2 / 1 * ((total - mean * size) ** 2).sum()) / size.sum()
    half = stats.t.ppf(0.975, 1) * error
    assert (lower[0], upper[0]) == pytest.approx((mean - half, mean + half))


def test_a_single_query_has_no_band() -> None:
    assert np.isnan(over_queries(VALUES[:2], None, np.array([0, 2]), 0.95)).all()


def test_over_subjects_it_is_the_range_of_their_mean_curves() -> None:
    subject = np.array([5, 2, 5, 2])  # each judged two queries
    lower, upper = over_subjects(VALUES, None, subject, 2)
    assert lower.tolist() == pytest.approx([0.25, 1])  # subject 5: (0 + 0.5) / 2
    assert upper.tolist() == pytest.approx([0.6, 1])
    weight = np.array([[1, 0], [3, 0], [1, 0], [1, 0]])
    lower, upper = over_subjects(VALUES, weight, subject, 2)
    assert (lower[0], upper[0]) == pytest.approx((0.25, (3 * 0.4 + 0.8) / 4))
    assert np.isnan([lower[1], upper[1]]).all()


def test_subjects_of_different_queries_have_no_band() -> None:
    with pytest.raises(ft.OptionError, match="1 subject of 2 did not judge all 2 queries"):
        over_subjects(VALUES[:3], None, np.array([0, 0, 1]), 2)
