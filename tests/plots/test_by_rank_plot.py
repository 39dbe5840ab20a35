"""Fans of precision, recall and F against the cut-off."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import fuzzytruth as ft
from fuzzytruth import plots
from fuzzytruth.errors import DataError

FRAME = pd.DataFrame(
    {
        "rank": [1, 1, 2, 2],
        "mean": [0.5, 0.5, 0.4, 0.4],
        "median": [1.0, 1.0, 0.5, 0.5],
        "level": [0.5, 0.9, 0.5, 0.9],
        "lower": [0.4, 0.1, 0.3, 0.2],
        "upper": [0.6, 0.9, 0.5, 0.8],
    }
)


def ranks() -> Any:
    rng = np.random.default_rng(0)
    items = list("abcdefgh")
    truth = ft.Judgments.from_probabilities(["q"] * 8 + ["r"] * 8, items * 2, rng.uniform(size=16))
    both = {"q": items[:6], "r": items}
    return ft.by_rank(truth, {"x": both, "y": {q: both[q][::-1] for q in both}}, depth=5)


def corners(band: Any) -> set[tuple[float, float]]:
    return {tuple(corner) for corner in band.get_paths()[0].vertices.tolist()}


def test_lines_and_nested_intervals(plt: Any) -> None:
    _, ax = plt.subplots()
    assert plots.by_rank(FRAME, ax, title="t") is ax
    wide, narrow = ax.collections
    assert {(0.5, 0.1), (1.5, 0.1), (1.5, 0.2), (2.5, 0.2), (2.5, 0.8), (0.5, 0.9)} <= corners(wide)
    assert {(0.5, 0.4), (2.5, 0.3), (2.5, 0.5), (0.5, 0.6)} <= corners(narrow)
    assert ax.lines[-1].get_xydata().tolist() == [[1, 0.5], [2, 0.4]]
    names = [text.get_text() for text in ax.get_legend().get_texts()]
    assert names == ["central 90 %", "central 50 %", "mean"]
    one, both = (line.get_alpha() for line in ax.lines[:2])
    assert one == pytest.approx(wide.get_facecolor()[0, 3])
    assert both == pytest.approx(1 - (1 - one) ** 2)  # as it looks inside both
    assert (ax.get_xlabel(), ax.get_ylabel(), ax.get_xlim()) == ("rank", "value", (0.5, 2.5))
    assert ax.get_title(loc="left") == "t"
    median = plots.by_rank(FRAME.drop(columns="mean"), line="median")
    assert median.lines[-1].get_ydata().tolist() == [1.0, 0.5]


@pytest.mark.parametrize("measure", ["precision", "recall", "f"])
def test_fans_are_the_quantiles_of_the_distributions(plt: Any, measure: Any) -> None:
    found = ranks()
    frame = found.fan(measure, query="r", system="y", levels=[0.9, 0.5])
    for row in frame.itertuples():
        at = getattr(found, measure)("y", "r", row.rank)
        assert (row.mean, row.median) == (at.mean(), at.median())
        assert (row.lower, row.upper) == at.interval(row.level)
    ax = found.plot(measure=measure, query="r", system="y", levels=[0.9, 0.5])
    wide, narrow = ax.collections
    for band, level in ((wide, 0.9), (narrow, 0.5)):
        rows = frame[frame["level"] == level]
        ends = {*rows["lower"], *rows["upper"]}
        assert {y for _, y in corners(band)} == ends
    assert ax.lines[-1].get_ydata().tolist() == frame["mean"].to_numpy()[::2].tolist()
    name = {"f": "F"}.get(measure, measure)
    assert ax.get_ylabel() == name
    assert ax.get_title(loc="left") == (
        f"{name.capitalize()} at each rank, query r, over independent worlds"
    )


def test_several_systems_have_a_fan_each(plt: Any) -> None:
    ax = ranks().plot(system=["x", "y"], levels=0.8)
    assert len(ax.collections) == 2
    names = [text.get_text() for text in ax.get_legend().get_texts()]
    assert names == ["central 80 %", "mean of x", "mean of y"]
    first, second = ax.lines[-2:]
    assert first.get_linestyle() != second.get_linestyle()
    assert first.get_marker() != second.get_marker()


def test_a_fan_given_a_category(plt: Any) -> None:
    votes = ft.Assignments.from_columns(list("ststst"), list("aabbcc"), list("uvuuvv"))
    found = ft.by_rank(votes.by_example(), {"x": {"a": ["b", "c"]}}, depth=2)
    ax = found.plot(category="u")
    assert ax.lines[-1].get_ydata().tolist() == [1.0, 0.5]
    assert "query a given u" in ax.get_title(loc="left")
    assert found.plot().lines[-1].get_ydata().tolist() == [0.5, 0.5]


def test_fans_that_cannot_be_drawn(plt: Any) -> None:
    found = ranks()
    for wrong, message in (
        ({"measure": "AP"}, "measure='AP'"),
        ({"levels": 95}, "levels=95"),
        ({"levels": []}, "levels: name at least one"),
        ({"system": "z"}, "system 'z' is not among"),
        ({"query": "z"}, "query 'z' is not among"),
        ({"category": "z"}, "category='z'"),
    ):
        with pytest.raises(ft.OptionError, match=message):
            found.plot(**wrong)
    with pytest.raises(ft.OptionError, match="line='mode'"):
        plots.by_rank(FRAME, line="mode")  # type: ignore[arg-type]
    with pytest.raises(DataError, match="no column 'level'"):
        plots.by_rank(FRAME.drop(columns="level"))
    with pytest.raises(DataError, match="is NaN in every row"):
        plots.by_rank(FRAME.assign(lower=np.nan))
    assert plt.get_fignums() == []


def test_ranks_with_nan_are_left_out(plt: Any) -> None:
    frame = FRAME.assign(lower=[0.4, 0.1, np.nan, np.nan])
    ax = plots.by_rank(frame)
    assert ax.lines[-1].get_xdata().tolist() == [1]
    assert ax.get_xlim() == (0.5, 1.5)
    assert all(tick == round(tick) for tick in ax.get_xticks())
