"""Dots side by side."""

from __future__ import annotations

import numpy as np

from fuzzytruth.plots.comparison_plots import stacked


def test_dots_of_one_place_do_not_cover_one_another() -> None:
    (offsets,), size = stacked([np.array([0.5] * 3 + [1.0])], (0, 1), 200, 30)
    assert sorted(offsets[:3].tolist()) == [-size, 0.0, size]
    assert offsets[3] == 0


def test_high_stacks_are_squeezed_into_their_row() -> None:
    (offsets,), size = stacked([np.zeros(100)], (0, 1), 200, 20)
    assert size == 3
    assert np.abs(offsets).max() <= (20 - size) / 2
    assert len(np.unique(offsets)) == 100
