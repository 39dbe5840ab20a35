"""Displaced items of one subject, and displacements of many, as drawn."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.drawn import dots, labels_of, legend_of, lines_of, title_of

import fuzzytruth as ft
from fuzzytruth import plots
from fuzzytruth.errors import OptionError

SUBJECT, SYSTEM = "in the subject's list (bar: tied places)", "in the system's list"
ASSUMED = "not in the system's list: as assumed"
OPTIMIST, PESSIMIST = (
    "filled: omitted items come next (optimist)",
    "open: omitted items are nowhere (pessimist)",
)
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
    assert legend_of(ax)[0] == "moved (the farther, the worse)"
    assert lines_of(ax)[:4] == [(1, 3, 0), (2, 1, 1), (3, 5, 2), (4, 4, 3)]
    assert lines_of(ax)[4:] == [(1, 1, 0), (2, 3, 1), (2, 3, 2), (4, 4, 3)]
    heading, *parts = (text.get_text() for text in ax.texts)
    assert heading == "places ×\nrelevance"
    expected = found.to_frame()["weighted"].tolist()
    assert [float(part) for part in parts] == pytest.approx(expected)
    assert [text.xy for text in ax.texts[1:]] == [(1, row) for row in range(4)]
    assert title_of(ax) == (
        "Weighted displacement w = 4.4, the sum of places moved × relevance Assumed: items not in "
        "the system's list (1) come next, in the subject's order"
    )
    ax = ft.displacement(*LISTS, unseen="pessimist", N=100).plot()
    assert dots(ax, ASSUMED) == []  # the pessimist's is beyond the figure
    assert dots(ax, SYSTEM) == [(3, 0), (1, 1), (4, 3)]
    assert ax.texts[3].get_text() == "80"
    assert ax.get_xlim()[1] < 6
    complete = ft.displacement(["a", "b"], [1, 0.5], ["b", "a"]).plot()
    assert title_of(complete).endswith("relevance")  # nothing is assumed
    assert dots(complete, "in the subject's list") == [(1, 0), (2, 1)]  # nor tied


def test_long_lists_are_cut_and_counted(plt: Any) -> None:
    items = [f"i{j}" for j in range(50)]
    found = ft.displacement(items, [1.0] * 50, items[::-1])
    ax = found.plot()
    assert labels_of(ax) == items[:30]
    assert title_of(ax).endswith("The first 30 of 50 items")
    ax.figure.canvas.draw()
    assert min(ax.get_xticks()[ax.get_xticks() > ax.get_xlim()[0]]) >= 1  # there is no place 0
    with pytest.raises(OptionError, match="n_items=0"):
        found.plot(n_items=0)


def by_fill(ax: Any, filled: bool) -> list[list[tuple[float, float]]]:
    """Points of each system's marks at one end."""
    lines = [line for line in ax.lines if len(line.get_xdata())]
    ends = [line for line in lines if (line.get_markerfacecolor() != "white") == filled]
    return [[(float(x), float(y)) for x, y in line.get_xydata()] for line in ends]


def test_systems_are_side_by_side_with_their_quality_above(plt: Any) -> None:
    two = pd.concat([FRAME.assign(system="x"), FRAME.assign(system="_y$", optimist=0.25)])
    ax = plots.displacement(two.assign(quality=0.5), label="w")
    first, second = by_fill(ax, True)
    assert [x for x, _ in first] == [3.0, 0.5]
    assert [x for x, _ in second] == [0.25, 0.25]
    assert [[x for x, _ in one] for one in by_fill(ax, False)] == [[5.0, 0.75]] * 2
    assert [y - x for (_, x), (_, y) in zip(first, second, strict=True)] == pytest.approx(
        [0.35] * 2
    )
    heading, *numbers = ax.texts  # beside the row of each subject and system
    assert heading.get_text() == "quality"
    assert {text.get_text() for text in numbers} == {"0.50"}
    assert [text.xy[1] for text in numbers] == sorted(y for _, y in first + second)
    assert [name.strip() for name in legend_of(ax)] == ["x", "_y$", OPTIMIST, PESSIMIST]
    shares = pd.DataFrame({"subject": ["ann", "bob"], "optimist": [0.0, 0.5], "pessimist": 1.0})
    ax = plots.displacement(shares)
    assert len(ax.texts) == 0
    assert (ax.get_ylabel(), legend_of(ax)[:2]) == ("subject", [OPTIMIST, PESSIMIST])
    assert "(0: the same order)" in ax.get_xlabel().replace("\n", " ")


def test_many_subjects_are_densities_unless_the_widest_are_asked_for(plt: Any) -> None:
    names = [f"s{j}" for j in range(63)]
    columns = {"subject": names, "optimist": -np.arange(63.0), "pessimist": 0.5 * np.arange(63)}
    many = pd.DataFrame(columns)
    two = pd.concat([many.assign(system="x"), many.assign(system="y", optimist=-1.0)])
    ax = plots.displacement(two.assign(quality=np.tile(np.arange(63) / 62, 2)))
    assert labels_of(ax) == ["x", "y"]
    assert ax.get_ylabel() == "density of 63 subjects"
    shapes = [part.get_paths()[0].get_extents() for part in ax.collections]
    above, below = (next(b for b in shapes if b.x0 == low and b.y0 < 0.5) for low in (-62, 0))
    assert (above.x1, below.x1) == (0, 31)
    assert above.y0 < above.y1 <= 1e-9  # of the first row, with the axis turned round
    assert -1e-9 <= below.y0 < below.y1
    assert legend_of(ax)[0] == "above: omitted items come next (optimist)"
    assert title_of(ax) == ""
    written = [(text.get_text(), text.xy[1]) for text in ax.texts[1:]]
    assert written == [("0.50", 0.0), ("0.50", 1.0)]  # means
    ax = plots.displacement(many, n_subjects=40)
    assert labels_of(ax) == names[:22:-1]
    assert title_of(ax) == "40 of 63 subjects, those with the widest ranges"
    assert ax.figure.get_size_inches()[1] < 10
    assert len(labels_of(plots.displacement(many, n_subjects=2))) == 2
