"""Displaced items of one subject, and displacements of many, as drawn."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.drawn import dots, labels_of, legend_of, lines_of, title_of

import fuzzytruth as ft
from fuzzytruth import plots
from fuzzytruth.errors import OptionError

SUBJECT, SYSTEM, ASSUMED = "subject's list (bar: tied places)", "system's list", "assumed rank"
LISTS = (["a", "b", "c", "d"], [1, 0.8, 0.8, 0.3], ["b", "x", "a", "d"])
FRAME = pd.DataFrame(
    {
        "subject": ["ann", "bob", "cat"],
        "optimist": [3.0, 0.5, 1.0],
        "pessimist": [5.0, 0.75, np.nan],
    }
)


def test_places_ranks_and_parts_of_w(plt: Any) -> None:
    found = ft.displacement(*LISTS)
    ax = found.plot()
    assert labels_of(ax) == ["a", "b", "c", "d"]
    assert dots(ax, SUBJECT) == [(1, 0), (2, 1), (3, 2), (4, 3)]
    assert dots(ax, SYSTEM) == [(3, 0), (1, 1), (4, 3)]
    assert dots(ax, ASSUMED) == [(5, 2)]
    assert lines_of(ax)[:4] == [(1, 3, 0), (2, 1, 1), (3, 5, 2), (4, 4, 3)]
    assert lines_of(ax)[4:] == [(1, 1, 0), (2, 3, 1), (2, 3, 2), (4, 4, 3)]
    parts = [float(text.get_text()) for text in ax.texts]
    assert parts == pytest.approx(found.to_frame()["weighted"].tolist())
    assert title_of(ax).startswith("Weighted displacement w = 4.4: 2.8 of")
    ax = ft.displacement(*LISTS, unseen="pessimist", N=100).plot()
    assert dots(ax, ASSUMED) == []  # the pessimist's is beyond the figure
    assert dots(ax, SYSTEM) == [(3, 0), (1, 1), (4, 3)]
    assert ax.texts[2].get_text() == "80"
    assert ax.get_xlim()[1] < 6


def test_long_lists_are_cut_and_counted(plt: Any) -> None:
    items = [f"i{j}" for j in range(50)]
    found = ft.displacement(items, [1.0] * 50, items[::-1])
    ax = found.plot()
    assert labels_of(ax) == items[:30]
    assert title_of(ax).endswith("the first 30 of 50 items")
    with pytest.raises(OptionError, match="n_items=0"):
        found.plot(n_items=0)


def test_systems_are_side_by_side_with_their_quality_above(plt: Any) -> None:
    two = pd.concat([FRAME.assign(system="x"), FRAME.assign(system="_y$", optimist=0.25)])
    ax = plots.displacement(two.assign(quality=0.5), label="w")
    first, second = dots(ax, "optimist: x"), dots(ax, "optimist: _y$")
    assert [x for x, _ in first] == [3.0, 0.5]
    assert [x for x, _ in second] == [0.25, 0.25]
    assert [y - x for (_, x), (_, y) in zip(first, second, strict=True)] == pytest.approx(
        [0.35] * 2
    )
    top = ax.figure.axes[1]
    marks = [tuple(point) for line in top.lines for point in line.get_xydata().tolist()]
    assert sorted(marks) == sorted((0.5, y) for _, y in first + second)
    assert (len(legend_of(ax)), legend_of(ax)[-1]) == (5, "g of w (upper axis)")
    assert top.get_xlim() == (-0.02, 1.02)
    shares = pd.DataFrame({"subject": ["ann", "bob"], "optimist": [0.0, 0.5], "pessimist": 1.0})
    ax = plots.displacement(shares.assign(quality=[1.0, 0.25]))  # shares, too: one scale
    assert ax.figure.axes[1].get_xlim() == ax.get_xlim()


def test_many_subjects_are_cut_to_the_widest(plt: Any) -> None:
    names = [f"s{j}" for j in range(63)]
    many = pd.DataFrame({"subject": names, "optimist": -np.arange(63.0), "pessimist": 0.0})
    ax = plots.displacement(many)
    assert labels_of(ax) == names[:22:-1]
    assert title_of(ax) == "40 of 63 subjects, those with the widest ranges"
    assert ax.figure.get_size_inches()[1] < 10
    assert len(labels_of(plots.displacement(many, n_subjects=2))) == 2
