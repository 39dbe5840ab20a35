"""Each subject's differences, as drawn."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.drawn import dots, labels_of, lines_of, title_of
from support.scores_for_tests import scores_of

import fuzzytruth as ft
from fuzzytruth import plots
from fuzzytruth.errors import DataError, OptionError

ABOVE, BELOW, NEITHER = "significantly above 0", "significantly below 0", "not significant"
TOGETHER = "all together (filled: significant)"


def frame(n_subjects: int, pairs: int = 1) -> pd.DataFrame:
    rows = [
        {
            "measure": "AP",
            "subject": f"s{s}",
            "system_a": f"x{p}",
            "system_b": f"y{p}",
            "difference": (s - 1.0) / 10 + p,
            "lower": (s - 2.0) / 10 + p,
            "upper": s / 10 + p,
            "significant": s != 1,
        }
        for p in range(pairs)
        for s in range(n_subjects)
    ]
    return pd.DataFrame(rows)


def test_few_subjects_have_rows_of_their_own(plt: Any) -> None:
    ax = plots.subject_strip(frame(3))
    assert labels_of(ax) == ["x0", "s0", "s1", "s2"]
    assert dots(ax, BELOW) == [(-0.1, 1)]
    assert dots(ax, NEITHER) == [(0.0, 2)]
    assert dots(ax, ABOVE) == [(0.1, 3)]
    np.testing.assert_allclose(
        sorted(lines_of(ax)), [(-0.2, 0.0, 1), (-0.1, 0.1, 2), (0.0, 0.2, 3)], atol=1e-12
    )
    assert ax.get_xlabel() == "difference of AP from y0"
    assert ax.yaxis_inverted()


def test_a_result_shows_its_own_rows_and_all_together(plt: Any) -> None:
    values = np.random.default_rng(3).normal(0.3, 0.1, (3, 4, 12))
    values[0] += 0.15
    result = ft.compare(scores_of(values), baseline="sys2")
    each = result.by_subject()
    ax = each.plot()
    table, pooled = each.to_frame(full=True), result.to_frame(full=True)
    drawn = [x for kind in (ABOVE, BELOW, NEITHER) for x, _ in dots(ax, kind)]
    np.testing.assert_allclose(sorted(drawn), sorted(table["difference"]))
    up = table[table["significant"] & (table["difference"] > 0)]["difference"]
    assert sorted(x for x, _ in dots(ax, ABOVE)) == sorted(up)
    assert len(up) > 0
    together = pooled.sort_values("difference", ascending=False)
    assert [x for x, _ in dots(ax, TOGETHER)] == together[together["significant"]][
        "difference"
    ].tolist()
    assert labels_of(ax)[0] == together["system_a"].iloc[0]
    ends = [(low, high) for low, high, _ in lines_of(ax)]
    for row in pd.concat([table, pooled]).itertuples():
        assert any(np.allclose(pair, (row.lower, row.upper)) for pair in ends)
    assert len(ends) == len(table) + len(pooled)
    assert title_of(ax).startswith("m: differences by each of 4 subjects alone (12 queries)")


def test_many_subjects_are_stacked_dots_without_intervals(plt: Any) -> None:
    many = pd.concat([frame(40, 2), frame(40, 2)], ignore_index=True)
    many["subject"] = [f"s{j}" for j in range(len(many))]
    ax = plots.subject_strip(many)
    assert labels_of(ax) == ["x1 − y1", "x0 − y0"]
    assert lines_of(ax) == []
    drawn = dots(ax, ABOVE) + dots(ax, BELOW) + dots(ax, NEITHER)
    np.testing.assert_allclose(sorted(x for x, _ in drawn), sorted(many["difference"]))
    assert len(set(drawn)) == len(drawn) == 160
    row = [height for x, height in drawn if x < 0.85]  # all of them of the second pair
    assert min(row) > 0.6
    assert max(row) < 1.5


def test_pairs_are_cut_to_the_largest_and_counted(plt: Any) -> None:
    ax = plots.subject_strip(frame(9, 30), title="mine")
    assert len(labels_of(ax)) == 20
    assert labels_of(ax)[0] == "x29 − y29"
    assert ax.get_title(loc="left") == "mine\n20 of 30 pairs, those with the largest differences"
    assert labels_of(plots.subject_strip(frame(2, 5), n_pairs=1)) == ["x4", "s0", "s1"]
    assert ax.figure.get_size_inches()[1] < 11


def test_undefined_differences_are_counted_and_infinite_ends_reach_the_edge(plt: Any) -> None:
    table = frame(3)
    table.loc[0, ["difference", "lower", "upper", "significant"]] = [np.nan] * 3 + [False]
    table.loc[1, ["lower", "upper"]] = -np.inf, np.inf
    ax = plots.subject_strip(table)
    assert labels_of(ax) == ["x0", "s0", "s1", "s2"]
    assert dots(ax, NEITHER) == [(0.0, 2)]
    assert sorted(lines_of(ax)) == [(*ax.get_xlim(), 2), pytest.approx((0.0, 0.2, 3))]
    assert ax.get_title(loc="left") == "1 difference of 3 undefined"
    with pytest.raises(DataError, match="difference is NaN in every row"):
        plots.subject_strip(table.iloc[:1])


def test_ids_are_no_mathematics_and_given_axes_are_used(plt: Any) -> None:
    _, (left, right) = plt.subplots(1, 2, layout="constrained")
    table = frame(2).assign(system_a="a $x$ b", subject=["<i>", "$^{$"])
    assert plots.subject_strip(table, right) is right
    right.figure.draw_without_rendering()
    assert labels_of(right) == ["a $x$ b", "<i>", "$^{$"]
    assert not any(label.get_parse_math() for label in right.get_yticklabels())
    assert not left.lines


def test_errors(plt: Any) -> None:
    with pytest.raises(OptionError, match="measure 'P' is not in the frame; it has 'AP'"):
        plots.subject_strip(frame(2), measure="P")
    with pytest.raises(OptionError, match="n_pairs=0"):
        plots.subject_strip(frame(2), n_pairs=0)
    with pytest.raises(DataError, match="no column 'significant'"):
        plots.subject_strip(frame(2).drop(columns="significant"))
    with pytest.raises(DataError, match=r"plots.subject_strip draws a DataFrame or a result"):
        plots.subject_strip([1])
    assert plt.get_fignums() == []
