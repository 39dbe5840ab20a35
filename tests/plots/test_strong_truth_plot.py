"""Values of a single truth on the distributions behind them."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from fuzzytruth import plots
from fuzzytruth.errors import DataError

FRAME = pd.DataFrame(
    {
        "query": ["q1", "q2"],
        "strong": [0.8, 0.2],
        "mean": [0.5, 0.3],
        "lower": [0.2, 0.0],
        "upper": [1.0, 0.6],
    }
)


def test_bars_means_and_crosses(plt: Any) -> None:
    _, ax = plt.subplots()
    assert plots.strong_truth(FRAME, ax, level=0.9, title="x") is ax
    (bars,) = ax.collections
    assert [line.tolist() for line in bars.get_segments()] == [
        [[0.2, 1.0], [1.0, 1.0]],
        [[0.0, 0.0], [0.6, 0.0]],
    ]
    mean, strong = ax.lines
    assert (mean.get_xdata().tolist(), mean.get_ydata().tolist()) == ([0.5, 0.3], [1, 0])
    assert strong.get_xdata().tolist() == [0.8, 0.2]
    assert (
        next(text.get_text() for text in ax.get_legend().get_texts()) == "central 90 % over worlds"
    )
    assert ax.get_title(loc="left") == "x"
    assert [t.get_text() for t in ax.get_yticklabels()] == ["q1", "q2"]
    assert plots.strong_truth(FRAME.assign(measure="P@3")).get_xlabel() == "P@3"


def test_columns_are_checked(plt: Any) -> None:
    with pytest.raises(DataError, match="no column 'strong'"):
        plots.strong_truth(FRAME.drop(columns="strong"))
    assert plt.get_fignums() == []


def test_many_queries_have_no_names(plt: Any) -> None:
    many = pd.concat([FRAME] * 80, ignore_index=True)
    ax = plots.strong_truth(many)
    assert ax.figure.get_size_inches()[1] < 14
    assert not ax.get_yticklabels()
    assert ax.get_ylabel() == "160 queries"
    assert len(ax.collections[0].get_segments()) == 160
