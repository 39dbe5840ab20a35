"""Moments of samples with values missing, beside NumPy."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from fuzzytruth.core.samples import (
    difference,
    mean_where_there,
    pair_differences,
    samples,
    segment_samples,
)


def ragged(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Values (2, n) with NaN, and offsets of segments, some of them empty."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(0, 5, 8)
    values = rng.normal(size=(2, sizes.sum()))
    values[rng.random(values.shape) < 0.2] = np.nan
    return values, np.concatenate(([0], np.cumsum(sizes)))


@pytest.mark.parametrize("seed", range(5))
def test_columns_are_numpys(seed: int) -> None:
    values = np.random.default_rng(seed).normal(size=(2, 6, 3))
    values[0, :4, 0] = np.nan
    values[1, :, 2] = np.nan
    values[1, 1:, 1] = np.nan
    found = samples(values)
    for place in np.ndindex(2, 3):
        column = values[place[0], :, place[1]]
        column = column[~np.isnan(column)]
        assert found.n[place] == len(column)
        if len(column):
            assert found.mean[place] == pytest.approx(column.mean(), rel=1e-12)
        assert np.isnan(found.std[place]) == (len(column) < 2)
        if len(column) > 1:
            assert found.std[place] == pytest.approx(column.std(ddof=1), rel=1e-12)
            expected = column.std(ddof=1) / np.sqrt(len(column))
            assert found.std_error[place] == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_segments_are_samples_one_by_one(seed: int) -> None:
    values, offsets = ragged(seed)
    found = segment_samples(values, offsets)
    for row in range(2):
        for j, (start, stop) in enumerate(itertools.pairwise(offsets)):
            alone = samples(values[row, start:stop, None])
            for name in ("n", "mean", "std"):
                one, other = getattr(found, name)[row, j], getattr(alone, name)[0]
                np.testing.assert_allclose(one, other, rtol=1e-12)


def test_rounding_is_no_spread() -> None:
    values = np.array([[0.1 + 0.2], [0.3], [0.3]])
    assert samples(values).std.tolist() == [0.0]
    assert samples(values).centred.tolist() == [[0.0]] * 3
    assert segment_samples(values.T, np.array([0, 3])).std.tolist() == [[0.0]]
    assert difference(np.array([0.1 + 0.2, 1.0]), np.array([0.3, 0.5])).tolist() == [0.0, 0.5]


@pytest.mark.parametrize("order", ["C", "F"])
def test_differences_of_pairs(order) -> None:
    rng = np.random.default_rng(0)
    values = rng.choice([0.1, 0.2, 0.1 + 0.2, 0.3, 1e-14, np.nan], size=(5, 4, 6))
    values = np.asarray(values, order=order)
    first, second = np.triu_indices(5, 1)
    expected = difference(values[first].copy(), values[second].copy())
    np.testing.assert_array_equal(pair_differences(values, first, second), expected)
    transposed = values[:, 0].T.copy().T
    expected = difference(transposed[first].copy(), transposed[second].copy())
    np.testing.assert_array_equal(pair_differences(transposed, first, second), expected)


def test_means_without_what_is_missing() -> None:
    values = np.array([[1.0, np.nan, 3.0], [np.nan] * 3])
    np.testing.assert_array_equal(mean_where_there(values, -1), [2.0, np.nan])
