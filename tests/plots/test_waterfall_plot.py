"""Differences query by query, as drawn."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import fuzzytruth as ft
from fuzzytruth import plots
from fuzzytruth.errors import DataError


def bars(ax: Any) -> list[tuple[float, float]]:
    drawn = [(p.get_x() + p.get_width() / 2, p.get_height()) for p in ax.patches]
    return sorted((round(x, 9), height) for x, height in drawn)


def intervals(ax: Any) -> list[list[list[float]]]:
    return [bar.tolist() for part in ax.collections for bar in part.get_segments()]


def test_bars_are_sorted_and_named(plt: Any) -> None:
    frame = pd.DataFrame(
        {
            "query": ["a", "b", "c", "d"],
            "difference": [0.25, -0.5, np.nan, 0.75],
            "lower": [0.0, -0.75, np.nan, np.nan],
            "upper": [0.5, 0.25, np.nan, np.nan],
        }
    )
    ax = plots.waterfall(frame)
    assert bars(ax) == [(0.0, 0.75), (1.0, 0.25), (2.0, -0.5)]
    assert [label.get_text() for label in ax.get_xticklabels()] == ["d", "a", "b"]
    assert intervals(ax) == [[[1, 0.0], [1, 0.5]], [[2, -0.75], [2, 0.25]]]
    assert ax.get_title(loc="left") == "4 queries: 2 above 0, 1 below, 1 undefined and not drawn"
    assert [line.get_ydata()[0] for line in ax.lines] == [0, pytest.approx(1 / 6)]
    assert ax.get_legend().get_texts()[1].get_text() == "mean: +0.167"


def test_a_result_draws_its_numbers(plt: Any) -> None:
    chance = np.where(np.arange(24) % 4 == 1, 1, np.random.default_rng(1).random(24))
    query, item = [f"q{j // 4}" for j in range(24)], [*"abcd"] * 6
    truth = ft.Judgments.from_probabilities(query, item, chance)
    runs = {
        name: {f"q{j}": order for j in range(6)} for name, order in (("x", "abcd"), ("y", "dcba"))
    }
    runs = {name: {q: [*order] for q, order in lists.items()} for name, lists in runs.items()}
    found = ft.evaluate(truth, runs, ["AP"], rng=0).query_differences("x", "y")
    ax = found.plot()
    table = found.to_frame().sort_values("difference", ascending=False)
    assert [height for _, height in bars(ax)] == table["difference"].tolist()
    assert [[low[1], high[1]] for low, high in intervals(ax)] == table[
        ["lower", "upper"]
    ].values.tolist()
    assert ax.get_ylabel() == "difference of AP"
    assert ax.get_title(loc="left").split("\n")[0] == "AP: x − y"
    assert f"x is better on {found.wins}" in ax.get_title(loc="left")


def test_many_queries_have_no_names(plt: Any) -> None:
    values = np.linspace(-1, 1, 500)
    ax = plots.waterfall(pd.DataFrame({"query": range(500), "difference": values}), title="t")
    assert [height for _, height in bars(ax)] == sorted(values, reverse=True)
    assert ax.get_xticklabels() == []
    assert ax.get_xlabel() == "queries, sorted by their difference"
    assert ax.get_title(loc="left") == "t"


def test_one_query_ties_and_nothing(plt: Any) -> None:
    _, given = plt.subplots()
    one = pd.DataFrame({"query": ["$a$"], "difference": [0.0]})
    assert plots.waterfall(one, given) is given
    assert given.get_title(loc="left") == "1 query: 0 above 0, 1 at 0, 0 below"
    assert given.get_xticklabels()[0].get_text() == "$a$"
    with pytest.raises(DataError, match="difference is NaN in every row"):
        plots.waterfall(one.assign(difference=np.nan))
    with pytest.raises(DataError, match="has no rows"):
        plots.waterfall(one.iloc[:0])
