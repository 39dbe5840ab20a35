"""Pictures of precision–recall clouds, on frames and through `Cloud.plot`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from fuzzytruth import plots
from fuzzytruth.errors import DataError
from fuzzytruth.evaluation.precision_recall_cloud import Cloud

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


def test_a_band_and_a_curve_for_each_category(plt: Any) -> None:
    bands = pd.concat([BANDS, BANDS / 2], ignore_index=True).assign(
        category=["u", "u", "v", "v"],
        share=[0.75, 0.75, 0.25, 0.25],
        recall=[0.25, 0.5, 0.1, 0.3],
        precision=[0.75, 0.5, 0.4, 0.2],
    )
    ax = plots.precision_recall(POINTS, mean=MEAN, bands=bands, level=0.9)
    _, first, second = ax.collections
    assert {x for x, _ in first.get_paths()[0].vertices.tolist()} == {0.25, 0.5}
    assert {x for x, _ in second.get_paths()[0].vertices.tolist()} == {0.1, 0.3}
    curves = [line.get_xydata().tolist() for line in ax.lines]
    assert curves == [
        *([[0.25, 0.75], [0.5, 0.5]], [[0.1, 0.4], [0.3, 0.2]]),
        MEAN.to_numpy().tolist(),
    ]
    assert [text.get_text() for text in ax.get_legend().get_texts()][1:] == [
        "given u (0.75): 90% of precision at a rank, and its mean",
        "given v (0.25): 90% of precision at a rank, and its mean",
        "mean curve",
    ]
    with pytest.raises(DataError, match="bands: no column 'share'"):
        plots.precision_recall(POINTS, mean=MEAN, bands=bands.drop(columns="share"))


@pytest.mark.parametrize("part", ["points", "mean", "bands"])
def test_missing_columns_are_named(plt: Any, part: str) -> None:
    frames = {"points": POINTS, "mean": MEAN, "bands": BANDS}
    frames[part] = frames[part].iloc[:, :1]
    with pytest.raises(DataError, match=f"{part}: no column 'precision"):
        plots.precision_recall(**frames)
    assert plt.get_fignums() == []


def test_a_cloud_hands_down_its_frames(plt: Any) -> None:
    columns = [
        np.array(column) for column in ([0, 0.5, 1, 1], [0, 1, 0.5, 1], [0.5, 0.5, 1e-5, 1 - 1e-5])
    ]
    cloud = Cloud("sys", "q", np.array([1, 1, 2, 2]), *columns)
    ax = cloud.plot(level=0.5)
    points, band = ax.collections
    assert points.get_offsets().tolist() == [[0, 0], [0.5, 1], [1, 1]]
    np.testing.assert_array_equal(
        ax.lines[0].get_xydata(), cloud.mean_curve()[["recall", "precision"]]
    )
    bands = cloud.bands(0.5)
    edges = {*bands["precision_lower"], *bands["precision_upper"]}
    assert {y for _, y in band.get_paths()[0].vertices.tolist()} == edges
    assert ax.get_title() == "sys, query q"
    assert "50% of precision at a rank" in [t.get_text() for t in ax.get_legend().get_texts()]
