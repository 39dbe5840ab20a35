"""Displacements by subject, as drawn."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.drawn import dots, labels_of, lines_of

from fuzzytruth import plots
from fuzzytruth.errors import DataError, OptionError

FRAME = pd.DataFrame(
    {
        "subject": ["ann", "bob", "cat"],
        "optimist": [3.0, 0.5, 1.0],
        "pessimist": [5.0, 0.75, np.nan],
    }
)


def test_a_dumbbell_for_each_subject_the_smallest_on_top(plt: Any) -> None:
    ax = plots.displacement(FRAME, title="t")
    assert labels_of(ax) == ["bob", "ann"]
    assert sorted(dots(ax, "optimist")) == [(0.5, 0), (3.0, 1)]
    assert sorted(dots(ax, "pessimist")) == [(0.75, 0), (5.0, 1)]
    assert sorted(lines_of(ax)) == [(0.5, 0.75, 0), (3.0, 5.0, 1)]
    assert ax.get_title(loc="left") == "t\n1 row without a value not drawn"
    assert ax.yaxis_inverted()


def test_systems_are_side_by_side_with_their_quality_above(plt: Any) -> None:
    two = pd.concat([FRAME.assign(system="x"), FRAME.assign(system="_y$", optimist=0.25)])
    ax = plots.displacement(two.assign(quality=0.5), label="w")
    first, second = dots(ax, "optimist: x"), dots(ax, "optimist: _y$")
    assert [x for x, _ in first] == [3.0, 0.5]
    assert [x for x, _ in second] == [0.25, 0.25]
    for (_, upper), (_, lower) in zip(first, second, strict=True):
        assert lower - upper == pytest.approx(0.35)
    top = ax.figure.axes[1]
    marks = [x for line in top.lines for x in line.get_xdata()]
    assert marks == [0.5] * 4
    heights = sorted(y for line in top.lines for y in line.get_ydata())
    assert heights == sorted(y for _, y in first + second)
    texts = [text.get_text() for text in ax.get_legend().get_texts()]
    assert texts[-1] == "g of w (upper axis)"
    assert len(texts) == 5


def test_shares_and_their_quality_have_one_scale(plt: Any) -> None:
    shares = pd.DataFrame({"subject": ["ann", "bob"], "optimist": [0.0, 0.5], "pessimist": 1.0})
    ax = plots.displacement(shares.assign(quality=[1.0, 0.25]))
    assert ax.figure.axes[1].get_xlim() == ax.get_xlim()
    ax = plots.displacement(FRAME.assign(quality=0.5))
    assert ax.figure.axes[1].get_xlim() == (-0.02, 1.02)


def test_many_subjects_are_cut_to_the_widest(plt: Any) -> None:
    width = np.arange(63.0)
    many = pd.DataFrame({"subject": [f"s{j}" for j in range(63)], "optimist": -width})
    ax = plots.displacement(many.assign(pessimist=0.0))
    assert labels_of(ax) == [f"s{j}" for j in range(62, 22, -1)]
    assert ax.get_title(loc="left") == "40 of 63 subjects, those with the widest ranges"
    assert ax.figure.get_size_inches()[1] < 10
    assert len(labels_of(plots.displacement(many.assign(pessimist=0.0), n_subjects=2))) == 2


def test_given_axes_and_errors(plt: Any) -> None:
    _, given = plt.subplots()
    assert plots.displacement(FRAME, given) is given
    with pytest.raises(DataError, match="optimist or pessimist is NaN in every row"):
        plots.displacement(FRAME.iloc[2:])
    with pytest.raises(DataError, match="no column 'pessimist'"):
        plots.displacement(FRAME.drop(columns="pessimist"))
    with pytest.raises(OptionError, match="n_subjects=0"):
        plots.displacement(FRAME, n_subjects=0)
    with pytest.raises(DataError, match="must be a DataFrame"):
        plots.displacement([1])  # type: ignore[arg-type]
