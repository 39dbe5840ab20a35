"""Sums that do not depend on the order of addition."""

from __future__ import annotations

import numpy as np

from fuzzytruth.core.exact_sums import on_grid, on_segment_grids, tied_share


def test_sums_are_the_same_in_every_order() -> None:
    rng = np.random.default_rng(0)
    values = on_grid(rng.normal(size=1000) * 10.0 ** rng.integers(-8, 3, 1000), 0)
    sums = {float(values[rng.permutation(1000)].cumsum()[-1]) for _ in range(50)}
    assert len(sums) == 1


def test_rounding_is_tiny_and_each_line_has_its_own_grid() -> None:
    values = np.random.default_rng(1).normal(size=(300, 4)) * [1.0, 1e-9, 1e9, 0.0]
    result = on_grid(values, 0)
    assert (
        np.abs(result - values).max(axis=0) <= 300 * 2.0**-52 * np.abs(values).max(axis=0)
    ).all()
    assert on_grid(np.zeros((0, 3)), 0).shape == (0, 3)


def test_segments_have_grids_of_their_own() -> None:
    rng = np.random.default_rng(2)
    offsets = np.array([0, 3, 3, 7])
    values = rng.normal(size=(2, 7)) * np.repeat([1e9, 1e-9], [3, 4])
    result = on_segment_grids(values, offsets, 4)
    for start, stop in ((0, 3), (3, 7)):
        expected = on_grid(values[:, start:stop], -1, 4)
        np.testing.assert_array_equal(result[:, start:stop], expected)


def test_equal_means_on_a_grid_are_within_the_tied_share() -> None:
    assert tied_share(2000) == 1e-12
    for parts in (3, 5, 7, 11, 13):
        values = np.repeat([3 / parts, 1 / parts, 2 / parts], [2**15, 2**15, 2**16])
        rounded = on_grid(values, 0, 2**16)
        gap = abs(rounded[: 2**16].sum() - rounded[2**16 :].sum()) / 2**16
        assert 1e-12 * values[0] < gap <= tied_share(2**16) * values[0]
