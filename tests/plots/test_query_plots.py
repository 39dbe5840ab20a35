"""Differences query by query, and values of a single truth on the distributions behind them."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.drawn import labels_of, legend_of, lines_of, title_of, x_names

from fuzzytruth import plots


def bars(ax: Any) -> list[tuple[float, float]]:
    drawn = [(p.get_x() + p.get_width() / 2, p.get_height()) for p in ax.patches]
    return sorted((round(x, 9), height) for x, height in drawn)


def intervals(ax: Any) -> list[list[list[float]]]:
    return [bar.tolist() for part in ax.collections for bar in part.get_segments()]


def test_bars_are_sorted_and_named(plt: Any) -> None:
    frame = pd.DataFrame(
        {
            "query": ["a", "b", "c", "$d$"],
            "difference": [0.25, -0.5, np.nan, 0.75],
            "lower": [0.0, -0.75, np.nan, np.nan],
            "upper": [0.5, 0.25, np.nan, np.nan],
        }
    )
    _, given = plt.subplots()
    ax = plots.waterfall(frame, given)
    assert ax is given
    assert bars(ax) == [(0.0, 0.75), (1.0, 0.25), (2.0, -0.5)]
    assert x_names(ax) == ["$d$", "a", "b"]
    assert intervals(ax) == [[[1, 0.0], [1, 0.5]], [[2, -0.75], [2, 0.25]]]
    assert title_of(ax) == "4 queries: 2 above 0, 1 below, 1 undefined and not drawn"
    assert [line.get_ydata()[0] for line in ax.lines] == [0, pytest.approx(1 / 6)]
    assert legend_of(ax)[1] == "mean: +0.167"
    one = plots.waterfall(pd.DataFrame({"query": ["a"], "difference": [0.0]}))
    assert title_of(one) == "1 query: 0 above 0, 1 at 0, 0 below"


def test_many_queries_have_no_names(plt: Any) -> None:
    values = np.linspace(-1, 1, 500)
    ax = plots.waterfall(pd.DataFrame({"query": range(500), "difference": values}), title="t")
    assert [height for _, height in bars(ax)] == sorted(values, reverse=True)
    assert (x_names(ax), title_of(ax)) == ([], "t")
    assert ax.get_xlabel() == "queries, sorted by their difference"


def test_bars_means_and_crosses_of_a_strong_truth(plt: Any) -> None:
    values = {"strong": [0.8, 0.2], "mean": [0.5, 0.3], "lower": [0.2, 0.0], "upper": [1.0, 0.6]}
    frame = pd.DataFrame({"query": ["q1", "q2"]} | values)
    _, ax = plt.subplots()
    assert plots.strong_truth(frame, ax, level=0.9, title="x") is ax
    assert lines_of(ax) == [(0.2, 1.0, 1.0), (0.0, 0.6, 0.0)]
    mean, strong = ax.lines
    assert (mean.get_xdata().tolist(), mean.get_ydata().tolist()) == ([0.5, 0.3], [1, 0])
    assert strong.get_xdata().tolist() == [0.8, 0.2]
    assert legend_of(ax)[0] == "central 90 % over worlds"
    assert (title_of(ax), labels_of(ax)) == ("x", ["q1", "q2"])
    assert plots.strong_truth(frame.assign(measure="P@3")).get_xlabel() == "P@3"
    many = plots.strong_truth(pd.concat([frame] * 80, ignore_index=True))
    assert many.figure.get_size_inches()[1] < 14
    assert (labels_of(many), many.get_ylabel()) == ([], "160 queries")
    assert len(lines_of(many)) == 160
