"""Pictures of distributions, on frames and through `Distribution.plot`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.distributions import DIE

import fuzzytruth as ft
from fuzzytruth import plots
from fuzzytruth.data.distribution.distribution import Distribution
from fuzzytruth.errors import DataError
from fuzzytruth.plots.distribution_plot import bin_edges, spacing


def steps(ax: Any) -> Any:
    """Heights of a filled histogram's bins, whose outline goes back along the bottom."""
    outline = ax.patches[0].get_xy()
    return outline[1 : len(outline) // 2 : 2, 1]


def test_plot_draws_on_the_axes_given(plt: Any) -> None:
    _, (left, right) = plt.subplots(1, 2)
    assert DIE.plot(ax=right) is right
    assert len(right.collections) == 1
    assert not left.collections
    many = Distribution.from_samples(range(500)).plot(left)
    heights = steps(many)  # 56 bins of 9 atoms, the last of 5
    assert heights.tolist() == pytest.approx([9 / 500] * 55 + [5 / 500])
    assert DIE.plot() is not left
    assert len(plt.get_fignums()) == 2


def test_plots_of_many_atoms_have_no_teeth(plt: Any) -> None:
    """If 59 atoms went into 40 bins, some would hold two and others one."""
    coins = ft.poisson_binomial([0.5] * 150)
    _, (left, right) = plt.subplots(1, 2)
    segments = coins.plot(left).collections[0].get_segments()
    assert len(segments) == 59  # 46 to 104: P(X ≤ 45) < 1e-6 < P(X ≤ 46)
    assert segments[0][0][0] == 46
    low, high = left.get_xlim()
    assert 40 < low < 46 < 104 < high < 110
    ft.poisson_binomial([0.5] * 4000).plot(right)
    heights = steps(right)
    top = heights.argmax()
    assert (np.diff(heights[:top]) >= 0).all()
    assert (np.diff(heights[top:]) <= 0).all()
    assert heights.max() > 0.03


def test_plots_beside_each_other(plt: Any) -> None:
    _, ax = plt.subplots()
    ax.set_xlabel("P@10")
    ft.poisson_binomial([0.5] * 12).plot(ax, label="one")
    ft.poisson_binomial([0.01] * 12).plot(ax, label="two")
    Distribution.from_samples(np.random.default_rng(0).normal(5, 1, 500)).plot(ax, label="three")
    Distribution.point(1).plot(ax, color="black", alpha=0.5, linewidth=7)
    colours = {tuple(c.get_color()[0][:3]) for c in ax.collections}
    assert len(colours | {ax.patches[0].get_facecolor()[:3]}) == 4
    assert ax.collections[-1].get_linewidth() == 7
    assert ax.get_ylim()[0] == 0
    assert ax.get_ylim()[1] > 1
    assert [t.get_text() for t in ax.legend().get_texts()] == ["one", "two", "three"]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("P@10", "probability")


def test_lines_end_at_the_probabilities(plt: Any) -> None:
    """Unsorted rows, and two of the same value."""
    frame = pd.DataFrame({"value": [1, 0, 1], "probability": [0.25, 0.5, 0.25]})
    lines = plots.distribution(frame).collections[0].get_segments()
    assert [line.tolist() for line in lines] == [[[0, 0], [0, 0.5]], [[1, 0], [1, 0.5]]]
    of_a_distribution = Distribution.from_atoms([0, 1], [0.5, 0.5]).plot().collections[0]
    np.testing.assert_array_equal(of_a_distribution.get_segments(), lines)


def test_tails_are_left_out(plt: Any) -> None:
    frame = pd.DataFrame({"value": range(4), "probability": [1e-7, 0.5, 0.5 - 2e-7, 1e-7]})
    lines = plots.distribution(frame).collections[0].get_segments()
    assert [line[0, 0] for line in lines] == [1, 2]
    one = pd.DataFrame({"value": [3], "probability": [1.0]})
    assert len(plots.distribution(one).collections[0].get_segments()) == 1


def test_spacing_and_bins() -> None:
    assert spacing(np.array([0.0, 0.5, 2.0])) == 0.5
    assert spacing(np.array([0.0, 0.5, 0.8])) is None
    assert spacing(np.array([1.0])) is None
    assert spacing(np.array([0.0, 1.0, 1e7])) is None
    assert bin_edges(np.array([0.0, 121.0]), 1.0).tolist() == (np.arange(0, 124, 3) - 0.5).tolist()
    assert len(bin_edges(np.array([0.0, 1.0]), None)) == 61


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (pd.DataFrame({"value": [1]}), "no column 'probability'"),
        (
            pd.DataFrame({"value": [np.nan], "probability": [1.0]}),
            r"value\[0\] = nan: must be finite",
        ),
        (
            pd.DataFrame({"value": [1], "probability": ["a"]}),
            r"probability=\['a'\]: must be numbers",
        ),
    ],
)
def test_bad_frames(plt: Any, frame: pd.DataFrame, message: str) -> None:
    with pytest.raises(DataError, match=message):
        plots.distribution(frame)
    assert plt.get_fignums() == []
