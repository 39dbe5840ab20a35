"""Pictures of precision–recall clouds, on frames."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from fuzzytruth import plots
from fuzzytruth.errors import DataError

POINTS = pd.DataFrame(
    {"recall": [0.0, 0.5, 1.0], "precision": [0.0, 0.25, 1.0], "probability": [1e-4, 0.2, 0.8]}
)
MEAN = pd.DataFrame({"recall": [0.25, 0.5], "precision": [0.75, 0.5]})
BANDS = pd.DataFrame({"precision_lower": [0.5, 0.25], "precision_upper": [1.0, 0.75]})


def test_points_curve_and_band(plt: Any) -> None:
    _, ax = plt.subplots()
    assert plots.precision_recall(POINTS, ax, mean=MEAN, bands=BANDS, level=0.9, title="q") is ax
    points, band = ax.collections
    assert points.get_offsets().tolist() == [[0.5, 0.25], [1.0, 1.0]]
    assert points.get_sizes().tolist() == pytest.approx([8 + 60 * 0.5, 68])
    assert points.get_facecolors()[:, 3].tolist() == pytest.approx([0.08 + 0.6 * 0.5, 0.68])
    corners = {tuple(corner) for corner in band.get_paths()[0].vertices.tolist()}
    assert corners == {(0.25, 0.5), (0.25, 1.0), (0.5, 0.25), (0.5, 0.75)}
    np.testing.assert_array_equal(ax.lines[0].get_xydata(), MEAN.to_numpy())
    assert (ax.get_xlabel(), ax.get_ylabel(), ax.get_title()) == ("recall", "precision", "q")
    assert (ax.get_xlim(), ax.get_ylim()) == ((-0.02, 1.02), (-0.02, 1.05))
    assert [text.get_text() for text in ax.get_legend().get_texts()] == [
        *("possible (recall, precision)", "90% of precision at a rank", "mean curve"),
    ]


@pytest.mark.parametrize("part", ["points", "mean", "bands"])
def test_missing_columns_are_named(plt: Any, part: str) -> None:
    frames = {"points": POINTS, "mean": MEAN, "bands": BANDS}
    frames[part] = frames[part].iloc[:, :1]
    with pytest.raises(DataError, match=f"{part}: no column 'precision"):
        plots.precision_recall(**frames)
    assert plt.get_fignums() == []
