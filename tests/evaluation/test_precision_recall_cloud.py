"""Precision–recall clouds by enumeration, and what they hand to the picture."""

from __future__ import annotations

import itertools
from collections import defaultdict

import numpy as np
import pytest

from fuzzytruth.evaluation.precision_recall_cloud import Cloud, make_cloud

RANKED, REST = np.array([0.9, 0.0, 0.5]), np.array([0.3, 1.0, 0.0])


def cloud() -> Cloud:
    return make_cloud([(0.75, RANKED, REST), (0.25, 1 - RANKED, REST)], ("sys", "q"))


def test_every_outcome_is_a_point() -> None:
    expected: dict[tuple[int, float, float], float] = defaultdict(float)
    for weight, ranked in ((0.75, RANKED), (0.25, 1 - RANKED)):
        p = np.concatenate((ranked, REST))
        for outcome in itertools.product((0, 1), repeat=len(p)):
            x = np.array(outcome)
            probability = weight * float(np.prod(np.where(x, p, 1 - p)))
            for k in range(1, 4):
                recall, precision = x[:k].sum() / max(x.sum(), 1), x[:k].sum() / k
                expected[k, round(recall, 9), round(precision, 9)] += probability
    frame = cloud().to_frame().round({"recall": 9, "precision": 9})
    actual = {(r, x, y): p for r, x, y, p in frame.itertuples(index=False)}
    possible = {point for point, probability in expected.items() if probability > 0}
    assert set(actual) == possible
    for point in possible:
        assert actual[point] == pytest.approx(expected[point], abs=1e-14)
    assert repr(cloud()) == f"Cloud(sys, query q: {len(possible)} points, 3 ranks)"


def test_means_and_bands_are_those_of_the_points() -> None:
    one = cloud()
    frame, mean, bands = one.to_frame(), one.mean_curve(), one.bands(0.5)
    assert mean["rank"].tolist() == bands["rank"].tolist() == [1, 2, 3]
    for rank in (1, 2, 3):
        points = frame[frame["rank"] == rank]
        assert points["probability"].sum() == pytest.approx(1, abs=1e-14)
        for axis in ("recall", "precision"):
            weighted = points[axis] * points["probability"]
            assert mean[axis][rank - 1] == pytest.approx(weighted.sum(), abs=1e-14)
            low, high = bands[f"{axis}_lower"][rank - 1], bands[f"{axis}_upper"][rank - 1]
            assert points["probability"][points[axis] <= low].sum() >= 0.25 - 1e-12
            assert points["probability"][points[axis] < low].sum() < 0.25
            assert points["probability"][points[axis] <= high].sum() >= 0.75 - 1e-12


def test_the_picture_shows_points_curve_and_band() -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    one = cloud()
    ax = one.plot(level=0.5)
    frame = one.to_frame()
    visible = frame[frame["probability"] > 1e-4]
    np.testing.assert_array_equal(ax.collections[0].get_offsets(), visible[["recall", "precision"]])
    np.testing.assert_array_equal(
        ax.lines[0].get_xydata(), one.mean_curve()[["recall", "precision"]]
    )
    assert ax.get_title() == "sys, query q"
    assert "50% of precision at a rank" in [t.get_text() for t in ax.get_legend().get_texts()]
    plt.close(ax.figure)
