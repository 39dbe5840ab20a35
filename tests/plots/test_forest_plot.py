"""Pictures of comparisons, on frames and through `Comparison.plot`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.scores_for_tests import scores_of

import fuzzytruth as ft
from fuzzytruth import plots
from fuzzytruth.errors import DataError, OptionError

FRAME = pd.DataFrame(
    {
        "measure": ["AP", "AP", "AP", "P@5"],
        "system_a": ["a", "a", "b", "a"],
        "system_b": ["b", "c", "c", "b"],
        "difference": [0.5, np.nan, -0.25, 0.75],
        "lower": [0.25, np.nan, -np.inf, 0.5],
        "upper": [1.0, np.nan, 0.25, 0.875],
        "significant": [True, False, False, False],
    }
)


def points_of(ax: Any, fill: str) -> list[tuple[float, float]]:
    lines = [line for line in ax.lines if line.get_fillstyle() == fill and line.get_marker() == "o"]
    return [tuple(point) for line in lines for point in line.get_xydata().tolist()]


def bars_of(ax: Any) -> list[list[list[float]]]:
    return [bar.tolist() for part in ax.collections for bar in part.get_segments()]


def test_a_row_for_each_pair_with_a_difference(plt: Any) -> None:
    ax = plots.forest(FRAME, note=" over queries")
    assert points_of(ax, "full") == [(0.5, 1.0)]
    assert points_of(ax, "none") == [(-0.25, 0.0)]
    assert bars_of(ax) == [[[0.25, 1.0], [1.0, 1.0]], [[-0.25, 0.0], [0.25, 0.0]]]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["a − b", "b − c"]
    assert ax.get_yticks().tolist() == [1, 0]
    assert ax.get_xlabel() == "difference of AP over queries"
    assert ax.figure.get_size_inches().tolist() == pytest.approx([6.4, 1.7])


def test_another_measure_on_given_axes(plt: Any) -> None:
    _, (left, right) = plt.subplots(1, 2)
    assert plots.forest(FRAME, right, measure="P@5") is right
    assert points_of(right, "none") == [(0.75, 0.0)]
    assert right.get_xlabel() == "difference of P@5"
    assert not left.lines


def test_a_comparison_hands_down_its_frame(plt: Any) -> None:
    values = np.arange(3)[:, None] + np.random.default_rng(1).normal(0, 0.1, (3, 12))
    result = ft.compare(scores_of(values))
    frame = result.to_frame()
    ax = result.plot()
    assert [x for x, _ in points_of(ax, "full")] == frame["difference"].tolist()
    ends = [[bar[0][0], bar[1][0]] for bar in bars_of(ax)]
    np.testing.assert_allclose(ends, frame[["lower", "upper"]], atol=1e-12)
    assert ax.get_xlabel() == (
        "difference of m over queries\n95% simultaneous intervals,\nfilled: adjusted p at most 0.05"
    )


def test_errors(plt: Any) -> None:
    with pytest.raises(OptionError, match="measure 'AP@5' is not in the frame; it has 'AP', 'P@5'"):
        plots.forest(FRAME, measure="AP@5")
    with pytest.raises(DataError, match="no column 'significant'"):
        plots.forest(FRAME.drop(columns="significant"))
    assert plt.get_fignums() == []
