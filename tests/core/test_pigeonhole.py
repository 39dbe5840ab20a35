"""Pigeonhole bootstrap means, cell by cell."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from fuzzytruth.core.pigeonhole import resampled_means

NAN = np.nan
grades = st.one_of(st.just(NAN), st.sampled_from([0.0, 0.25, 0.5, 1.0]))
counts = st.integers(0, 3).map(float)


def brute_mean(cells, of_query, of_subject) -> float:
    """Every drawn query's mean over its drawn subjects; queries without any are left out."""
    means = []
    for row, times in zip(cells, of_query, strict=True):
        drawn = [
            y
            for y, k in zip(row, of_subject, strict=True)
            for _ in range(int(k))
            if not np.isnan(y)
        ]
        means += [np.mean(drawn)] * int(times) if drawn else []
    return float(np.mean(means)) if means else NAN


@settings(max_examples=100)
@given(
    arrays(np.float64, (3, 4), elements=grades),
    arrays(np.float64, (5, 3), elements=counts),
    arrays(np.float64, (5, 4), elements=counts),
)
def test_cell_by_cell(cells, of_query, of_subject) -> None:
    found = resampled_means(cells, of_query, of_subject)
    expected = [brute_mean(cells, q, s) for q, s in zip(of_query, of_subject, strict=True)]
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_each_counted_once_is_the_mean_of_means() -> None:
    cells = np.array([[0.2, NAN, 0.4], [1.0, 0.0, NAN], [NAN, NAN, NAN]])
    assert resampled_means(cells, np.ones((1, 3)), np.ones((1, 3))) == pytest.approx([0.4])


def test_systems_share_their_resamples() -> None:
    rng = np.random.default_rng(0)
    cells = rng.random((2, 3, 4, 5))  # (systems, measures, queries, subjects)
    of_query, of_subject = rng.integers(0, 3, (7, 4)) * 1.0, rng.integers(0, 3, (7, 5)) * 1.0
    found = resampled_means(cells, of_query, of_subject)
    assert found.shape == (2, 3, 7)
    expected = [brute_mean(cells[1, 2], q, s) for q, s in zip(of_query, of_subject, strict=True)]
    np.testing.assert_allclose(found[1, 2], expected, rtol=1e-12)


def test_order_of_subjects_does_not_show_in_the_last_bit() -> None:
    rng = np.random.default_rng(1)
    cells, of_subject = rng.random((6, 30)), rng.integers(0, 3, (9, 30)) * 1.0
    of_query, order = rng.integers(0, 3, (9, 6)) * 1.0, rng.permutation(30)
    one = resampled_means(cells, of_query, of_subject)
    two = resampled_means(cells[:, order], of_query, of_subject[:, order])
    np.testing.assert_array_equal(one, two)


def test_nothing_there_and_one_cell() -> None:
    one = resampled_means(np.array([[0.7]]), np.array([[2.0]]), np.array([[3.0]]))
    assert one == pytest.approx([0.7], rel=1e-15)
    for cells, queries, subjects in (
        ([[NAN]], [[1.0]], [[1.0]]),
        ([[0.5]], [[0.0]], [[1.0]]),
        ([[0.5]], [[1.0]], [[0.0]]),
    ):
        found = resampled_means(np.array(cells), np.array(queries), np.array(subjects))
        np.testing.assert_array_equal(found, [NAN])
    assert resampled_means(np.ones((2, 3)), np.empty((0, 2)), np.empty((0, 3))).shape == (0,)
