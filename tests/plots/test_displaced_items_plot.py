"""Items of one subject's list and their places in the system's, as drawn."""

from __future__ import annotations

from typing import Any

import pytest
from support.drawn import dots, labels_of, lines_of

import fuzzytruth as ft
from fuzzytruth import plots
from fuzzytruth.errors import DataError, OptionError

SUBJECT, SYSTEM, ASSUMED = "subject's list (bar: tied places)", "system's list", "assumed rank"
LISTS = (["a", "b", "c", "d"], [1, 0.8, 0.8, 0.3], ["b", "x", "a", "d"])


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
    assert (
        ax.get_title(loc="left")
        .replace("\n", " ")
        .startswith("Weighted displacement w = 4.4: 2.8 of")
    )


def test_no_rank_is_assumed_for_the_pessimist(plt: Any) -> None:
    ax = ft.displacement(*LISTS, unseen="pessimist", N=100).plot()
    assert dots(ax, ASSUMED) == []
    assert dots(ax, SYSTEM) == [(3, 0), (1, 1), (4, 3)]
    assert ax.texts[2].get_text() == "80"
    assert ax.get_xlim()[1] < 6


def test_long_lists_are_cut_and_counted(plt: Any) -> None:
    items = [f"i{j}" for j in range(50)]
    found = ft.displacement(items, [1.0] * 50, items[::-1])
    ax = found.plot()
    assert labels_of(ax) == items[:30]
    assert ax.get_title(loc="left").endswith("the first 30 of 50 items")
    with pytest.raises(OptionError, match="n_items=0"):
        found.plot(n_items=0)
    with pytest.raises(DataError, match="has no rows"):
        plots.displaced_items(found.to_frame().iloc[:0])
