"""Pictures of precision–recall clouds, on frames and through `Cloud.plot`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import fuzzytruth as ft
from fuzzytruth import plots
from fuzzytruth.errors import DataError
from fuzzytruth.evaluation.lists.by_rank import Cloud

POINTS = pd.DataFrame(
    {"recall": [0.0, 0.5, 1.0], "precision": [0.0, 0.25, 1.0], "probability": [1e-4, 0.2, 0.8]}
)
CURVES = pd.DataFrame(
    {
        "recall": [0.25, 0.5],
        "precision": [0.75, 0.5],
        "precision_lower": [0.5, 0.25],
        "precision_upper": [1.0, 0.75],
    }
)


def labels_of(ax: Any) -> list[str]:
    return [text.get_text() for text in ax.get_legend().get_texts()]


def curve(ax: Any, label: str) -> Any:
    return next(line.get_xydata().tolist() for line in ax.lines if line.get_label() == label)


def test_points_curve_and_band(plt: Any) -> None:
    _, ax = plt.subplots()
    assert plots.precision_recall(POINTS, ax, curves=CURVES, level=0.9, title="q") is ax
    points, band = ax.collections
    assert points.get_offsets().tolist() == [[0.5, 0.25], [1.0, 1.0]]
    assert points.get_sizes().tolist() == pytest.approx([8 + 60 * 0.5, 68])
    assert points.get_facecolors()[:, 3].tolist() == pytest.approx([0.08 + 0.6 * 0.5, 0.68])
    corners = {tuple(corner) for corner in band.get_paths()[0].vertices.tolist()}
    assert corners == {(0.25, 0.5), (0.25, 1.0), (0.5, 0.25), (0.5, 0.75)}
    assert curve(ax, "mean") == CURVES[["recall", "precision"]].to_numpy().tolist()
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("recall", "precision")
    assert ax.get_title(loc="left") == "q"
    assert (ax.get_xlim(), ax.get_ylim()) == ((-0.02, 1.02), (-0.02, 1.05))
    assert labels_of(ax) == [
        *("possible (recall, precision)", "mean", "central 90 % of precision at a rank")
    ]


def of_categories(n: int) -> pd.DataFrame:
    """Curves over all, and of `n` categories whose shares rise."""
    shares = np.arange(1, n + 1) / (n * (n + 1) / 2)
    parts = [CURVES.assign(category="", share=1.0)]
    parts += [
        (CURVES / (j + 2)).assign(category=f"${j}$", share=share) for j, share in enumerate(shares)
    ]
    return pd.concat(parts, ignore_index=True)


def test_a_band_and_a_curve_for_each_category(plt: Any) -> None:
    ax = plots.precision_recall(POINTS, curves=of_categories(2))
    _, first, second = ax.collections  # none over all
    assert {x for x, _ in first.get_paths()[0].vertices.tolist()} == {0.25 / 3, 0.5 / 3}
    assert {x for x, _ in second.get_paths()[0].vertices.tolist()} == {0.25 / 2, 0.5 / 2}
    assert curve(ax, "mean given $1$ (0.67)") == [[0.25 / 3, 0.25], [0.5 / 3, 0.5 / 3]]
    assert curve(ax, "mean over all categories") == [[0.25, 0.75], [0.5, 0.5]]
    assert labels_of(ax) == [
        "possible (recall, precision)",
        *("mean given $1$ (0.67)", "mean given $0$ (0.33)", "mean over all categories"),
        "central 95 % of precision at a rank",
    ]
    with pytest.raises(DataError, match="curves: no column 'share'"):
        plots.precision_recall(POINTS, curves=of_categories(2).drop(columns="share"))


def test_of_many_categories_the_most_probable_have_bands(plt: Any) -> None:
    ax = plots.precision_recall(POINTS, curves=of_categories(7))
    assert len(ax.collections) == 1 + 4
    assert labels_of(ax)[1] == "3 other categories (0.21 together)"
    assert labels_of(ax)[2] == "mean given $6$ (0.25)"
    ax.figure.canvas.draw()
    assert ax.get_legend().get_window_extent().y0 >= 0


def test_points_alone(plt: Any) -> None:
    ax = plots.precision_recall(POINTS)
    assert not ax.lines
    assert ax.get_legend() is None


def test_curves_that_run_backwards_are_refused(plt: Any) -> None:
    back = CURVES.assign(recall=[0.5, 0.25])
    with pytest.raises(DataError, match=r"curves: recall falls from 0.5 to 0.25 in row 1; give"):
        plots.precision_recall(POINTS, curves=back)
    with pytest.raises(ft.OptionError, match="level=95"):
        plots.precision_recall(POINTS, curves=CURVES, level=95)
    assert plt.get_fignums() == []


@pytest.mark.parametrize("missing", ["precision", "precision_lower"])
def test_missing_columns_are_named(plt: Any, missing: str) -> None:
    with pytest.raises(DataError, match=f"curves: no column '{missing}'"):
        plots.precision_recall(POINTS, curves=CURVES.drop(columns=missing))
    with pytest.raises(DataError, match="points: no column 'recall'"):
        plots.precision_recall(POINTS.drop(columns="recall"), curves=CURVES)
    assert plt.get_fignums() == []


def test_a_cloud_hands_down_its_frames(plt: Any) -> None:
    columns = [
        np.array(column) for column in ([0, 0.5, 1, 1], [0, 1, 0.5, 1], [0.5, 0.5, 1e-5, 1 - 1e-5])
    ]
    cloud = Cloud("sys", "q", np.array([1, 1, 2, 2]), *columns)
    ax = cloud.plot(level=0.5)
    points, band = ax.collections
    assert points.get_offsets().tolist() == [[0, 0], [0.5, 1], [1, 1]]
    mean = cloud.mean_curve()[["recall", "precision"]]
    assert curve(ax, "mean") == mean.to_numpy().tolist()
    bands = cloud.bands(0.5)
    edges = {*bands["precision_lower"], *bands["precision_upper"]}
    assert {y for _, y in band.get_paths()[0].vertices.tolist()} == edges
    assert ax.get_title(loc="left") == "sys, query q, ranks 1 to 2, over independent worlds"
    assert "central 50 % of precision at a rank" in labels_of(ax)


def test_mean_curves_never_run_backwards() -> None:
    """Nor with lists that end before the last rank, and categories of different sizes."""
    rng = np.random.default_rng(1)
    items = [f"i{j}" for j in range(8)]
    votes = ft.Assignments.from_columns(
        list("stuv") * 8, np.repeat(items, 4), rng.choice(["a", "b", "c"], 32).tolist()
    )
    runs = {"x": {q: rng.permutation([i for i in items if i != q])[:4].tolist() for q in items}}
    ranks = ft.by_rank(votes.by_example(), runs, depth=6)
    for query in items:
        cloud = ranks.cloud("x", query)
        for one in (cloud, *cloud.parts):
            assert (np.diff(one.mean_curve()["recall"]) >= 0).all()
