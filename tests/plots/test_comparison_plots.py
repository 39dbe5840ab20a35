"""Tiers of systems, and each subject's differences, on frames and through results."""

from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.drawn import dots, labels_of, legend_of, lines_of, title_of, y_names
from support.scores_for_tests import scores_of

import fuzzytruth as ft
from fuzzytruth import plots
from fuzzytruth.errors import OptionError

TIERS = pd.DataFrame(
    {"measure": "AP", "system": list("abcd"), "mean": [0.5, 0.4, 0.3, 0.1], "tier": [1, 1, 2, 3]}
)


def pairs(*found: str) -> pd.DataFrame:
    """All pairs of a to d, of which some are significant."""
    names = [a + b for a, b in combinations("abcd", 2)]
    rows = [(name[1], name[0], name in found) for name in names]
    return pd.DataFrame(rows, columns=["system_a", "system_b", "significant"])


def black(ax: Any) -> list[Any]:
    return [line for line in ax.lines if line.get_marker() == "o" and line.get_color() == "black"]


def bars_of(ax: Any) -> list[list[int]]:
    """Members of each bar, from the dots on it."""
    return [line.get_ydata().tolist() for line in black(ax)]


def test_means_tiers_and_bars(plt: Any) -> None:
    ax = plots.tiers(TIERS, pairs=pairs("ac", "ad", "bd", "cd"))
    assert ax.lines[0].get_xydata().tolist() == [[0.5, 0], [0.4, 1], [0.3, 2], [0.1, 3]]
    assert y_names(ax) == ["a", "b", "c", "d"]
    assert bars_of(ax) == [[0, 1], [1, 2]]  # a to b and b to c, for a and c differ
    assert [text.get_text() for text in ax.texts] == ["tier", "1", "1", "2", "3"]
    assert [text.xy[1] for text in ax.texts[1:]] == [0, 1, 2, 3]
    assert ax.get_xlabel() == "mean of AP"
    ax = plots.tiers(TIERS, pairs=pairs("ab", "bc", "bd"))  # a bar passes b
    assert bars_of(ax) == [[0, 2, 3]]
    thick = [line for line in ax.lines if line.get_linewidth() > 1 and line.get_marker() == "None"]
    assert [[*line.get_ydata()] for line in thick] == [[0, 0], [2, 3]]
    joined = "joined: not shown to differ"
    assert legend_of(ax) == [joined, "thin: passes by others"]
    ax = plots.tiers(TIERS, pairs=pairs("ac", "ad", "bd"))  # bars overlap: side by side
    assert bars_of(ax) == [[0, 1], [1, 2], [2, 3]]
    assert legend_of(ax) == [joined]
    x = [line.get_transform().transform((1, 0))[0] for line in black(ax)]
    assert x[0] == x[2] < x[1]
    ax = plots.tiers(TIERS.assign(mean=[np.nan, 0.4, 0.3, 0.1]), pairs=pairs())
    assert y_names(ax) == ["b", "c", "d", "a"]


def test_a_comparison_hands_down_its_tiers(plt: Any) -> None:
    base = np.array([0.2, 0.9, 0.0, 0.5, 0.6])
    values = base[:, None] + np.random.default_rng(2).normal(0, 0.3, (5, 12))
    result = ft.compare(scores_of(values), n_resamples=199)
    ax = result.plot(kind="tiers")
    order = result.means["m"].sort_values(ascending=False)
    assert y_names(ax) == order.index.tolist()
    assert ax.lines[0].get_xdata().tolist() == order.tolist()
    tier = result.tiers().set_index("system")["tier"]
    assert [int(text.get_text()) for text in ax.texts[1:]] == tier[order.index].tolist()
    joined = {frozenset(two) for bar in bars_of(ax) for two in combinations(bar, 2)}
    expected = {
        frozenset((order.index.get_loc(row.system_a), order.index.get_loc(row.system_b)))
        for row in result.table.itertuples()
        if not row.significant
    }
    assert joined == expected
    assert 0 < len(expected) < 10
    assert "two that no bar joins differ significantly (adjusted p ≤ 0.05)" in title_of(ax)
    lower = ft.compare(scores_of(values[:3], higher_is_better=(False,)), n_resamples=99)
    assert y_names(lower.plot(kind="tiers")) == ["sys2", "sys0", "sys1"]
    with pytest.raises(OptionError, match="tiers: ranks follow from"):
        ft.compare(scores_of(values), "sys0", n_resamples=99).plot(kind="tiers")


# Strips of subjects.

ABOVE, BELOW, NEITHER = "significantly above 0", "significantly below 0", "not significant"


def frame(n_subjects: int, n_pairs: int = 1) -> pd.DataFrame:
    """The first subject is below 0 and the third above it, of the first pair."""
    rows = [
        ("AP", f"s{s}", f"x{p}", f"y{p}", *((s - d) / 10 + p for d in (1.0, 2.0, 0.0)), s != 1)
        for p in range(n_pairs)
        for s in range(n_subjects)
    ]
    names = ["measure", "subject", "system_a", "system_b", "difference", "lower", "upper"]
    return pd.DataFrame(rows, columns=[*names, "significant"])


def test_many_subjects_are_a_density_with_numbers_beside_it(plt: Any) -> None:
    many = frame(40, 2)
    ax = plots.subject_strip(many)
    assert labels_of(ax) == ["x1 − y1", "x0 − y0"]
    assert lines_of(ax) == []
    shapes = [part.get_paths()[0].get_extents() for part in ax.collections]
    for place, (shape, pair) in enumerate(zip(shapes, ("x1", "x0"), strict=True)):
        values = many.loc[many["system_a"] == pair, "difference"]
        assert (shape.x0, shape.x1) == (values.min(), values.max())
        assert place - 0.5 < shape.y0 < shape.y1 < place + 0.5
    assert [text.get_text() for text in ax.texts] == ["▶ 39  ◀ 0", "▶ 38  ◀ 1"]
    numbers = "number of subjects, right"
    assert legend_of(ax)[1:] == [f"{ABOVE}: {numbers}", f"{BELOW}: {numbers}"]
    adjusted = plots.subject_strip(many.assign(significant_among_all=many["difference"] > 3))
    assert [text.get_text() for text in adjusted.texts] == ["▶ 18  ◀ 0", "▶ 8  ◀ 0"]
    assert title_of(adjusted) == "Numbers of subjects are adjusted for 40 subjects"


def test_pairs_are_cut_to_the_largest_and_what_is_undefined_is_counted(plt: Any) -> None:
    ax = plots.subject_strip(frame(9, 30), title="mine")
    assert (len(labels_of(ax)), labels_of(ax)[0]) == (20, "x29 − y29")
    assert title_of(ax) == "mine 20 of 30 pairs, those with the largest differences"
    assert labels_of(plots.subject_strip(frame(2, 5), n_pairs=1)) == ["x4", "s0", "s1"]
    assert ax.figure.get_size_inches()[1] < 11
    table = frame(3)
    table.loc[0, ["difference", "lower", "upper", "significant"]] = [np.nan] * 3 + [False]
    table.loc[1, ["lower", "upper"]] = -np.inf, np.inf  # to the edges
    ax = plots.subject_strip(table)
    assert labels_of(ax) == ["x0", "s0", "s1", "s2"]
    assert dots(ax, NEITHER) == [(0.0, 2)]
    assert sorted(lines_of(ax)) == [(*ax.get_xlim(), 2), pytest.approx((0.0, 0.2, 3))]
    assert title_of(ax) == "1 difference of 3 undefined"


def test_directions_have_colours_and_are_filled_where_they_hold_among_all(plt: Any) -> None:
    """A result names the sides; which is better depends on the measure."""
    values = np.random.default_rng(8).normal(0.5, 0.1, (2, 8, 20))
    values[0] += np.tile([-0.12, -0.06, 0.06, 0.12], 2)[:, None]
    for up in (True, False):
        each = ft.compare(scores_of(values, higher_is_better=(up,))).by_subject()
        ax, table = each.plot(), each._plot_data("subject_strip").frame
        note = "Triangles: significant by a subject alone; filled: also adjusted for 8 subjects"
        assert title_of(ax).endswith(note)
        first, second = table.iloc[0][["system_a", "system_b"]]
        for sign, better in ((1, first if up else second), (-1, second if up else first)):
            mine = table[table["significant"] & (np.sign(table["difference"]) == sign)]
            shown = mine["significant_among_all"]
            for rest, rows in (("", mine[shown]), (", unadjusted", mine[~shown])):
                drawn = sorted(x for x, _ in dots(ax, f"{better} better{rest}"))
                np.testing.assert_allclose(drawn, sorted(rows["difference"]))
                assert len(drawn) > 0
        assert len(dots(ax, NEITHER)) == (~table["significant"]).sum()
    three = scores_of(np.concatenate([values, values[:1, ::-1]]))
    for baseline, label in (("sys1", "worse than sys1"), (None, "second system better")):
        ax = ft.compare(three, baseline, correction="none").by_subject().plot()
        assert label in legend_of(ax)
