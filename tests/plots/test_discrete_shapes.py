"""Atoms as they are drawn."""

from __future__ import annotations

import numpy as np

from fuzzytruth.plots.distribution_plot import Atoms, central_interval, without_tails


def test_tails_that_nobody_sees_are_left_out() -> None:
    values, chances = np.arange(4.0), np.array([1e-9, 0.5, 0.5 - 2e-9, 1e-9])
    assert without_tails(values, chances)[0].tolist() == [1.0, 2.0]
    assert Atoms("x", values, chances).visible().values.tolist() == [1.0, 2.0]


def test_intervals_are_quantiles() -> None:
    values = np.arange(100.0)
    assert central_interval(values, np.full(100, 0.01), 0.9) == (4.0, 94.0)
