"""Rows of subjects: verdicts, labels and where they are drawn."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from fuzzytruth.plots.comparison_plots import KINDS, Rows, draw_rows, draw_strips

ABOVE, BELOW, NEITHER = KINDS


def subjects(*differences: float, significant: tuple[bool, ...]) -> pd.DataFrame:
    value = np.array(differences)
    return pd.DataFrame(
        {
            "subject": [f"s{n}" for n in range(len(value))],
            "difference": value,
            "lower": value - 0.1,
            "upper": value + 0.1,
            "significant": significant,
        }
    )


ONE = subjects(0.3, -0.4, 0.05, np.nan, significant=(True, True, False, False))
TWO = subjects(0.2, -0.1, significant=(True, False))
POOLED = pd.DataFrame(
    {
        "difference": [0.1, 0.15],
        "lower": [0.02, -0.1],
        "upper": [0.18, 0.4],
        "significant": [True, False],
    }
)


def rows(*, second: str = "base", apart: bool = True, pooled: Any = POOLED) -> Rows:
    return Rows((("a", "base"), ("b", second)), (ONE, TWO), pooled, apart, "")


def drawn(ax: Any, marker: str) -> list[list[float]]:
    """Points with a marker, sorted."""
    lines = [line.get_xydata() for line in ax.lines if line.get_marker() == marker]
    return sorted(np.concatenate(lines).round(6).tolist()) if lines else []


def test_every_known_difference_has_one_verdict() -> None:
    assert ABOVE.holds(ONE).tolist() == [True, False, False, False]
    assert BELOW.holds(ONE).tolist() == [False, True, False, False]
    assert NEITHER.holds(ONE).tolist() == [False, False, True, False]  # NaN has none


def test_labels_name_pairs_or_systems_and_then_subjects() -> None:
    both = rows()
    assert (both.n, both.n_rows, both.baseline) == (2, 8, "base")
    assert both.labels(20) == ["a", "s0", "s1", "s2", "s3", "b", "s0", "s1"]
    assert rows(apart=False).labels(20) == ["a", "b"]
    several = rows(second="c", apart=False)
    assert several.baseline is None
    assert several.labels(20) == ["a − base", "b − c"]


def test_rows_have_a_place_each_and_space_between_pairs(plt: Any) -> None:
    _, ax = plt.subplots()
    draw_rows(ax, rows())
    top = 5.6  # four subjects and the pair above them, and the space
    assert drawn(ax, ">") == [[0.2, top + 1], [0.3, 1]]
    assert drawn(ax, "<") == [[-0.4, 2]]
    assert drawn(ax, "o") == [[-0.1, top + 2], [0.05, 3]]
    assert drawn(ax, "D") == [[0.1, 0], [0.15, top]]
    filled = [line.get_markerfacecolor() for line in ax.lines if line.get_marker() == "D"]
    assert filled == ["black", "white"]
    ends = [s[:, 0].tolist() for c in ax.collections for s in c.get_segments()]
    assert [0.02, 0.18] in ends
    assert pytest.approx([0.2, 0.4]) in ends
    bold = [text.get_text() for text in ax.get_yticklabels() if text.get_fontweight() == "bold"]
    assert bold == ["a", "b"]
    low, high = ax.get_ylim()
    assert low > top + 2 > 0 > high  # the first pair is on top


def test_a_strip_has_the_dots_of_its_pair_within_its_height(plt: Any) -> None:
    _, ax = plt.subplots()
    draw_strips(ax, Rows((("a", "base"), ("b", "base")), (ONE.dropna(), TWO), POOLED, False, ""))
    first = [at for at in (*drawn(ax, ">"), *drawn(ax, "<"), *drawn(ax, "o")) if at[1] < 0.5]
    assert sorted(x for x, _ in first) == [-0.4, 0.05, 0.3]
    second = [at for at in (*drawn(ax, ">"), *drawn(ax, "o")) if at[1] > 0.5]
    assert sorted(x for x, _ in second) == [-0.1, 0.2]
    assert all(-0.5 < y < 0.5 for _, y in first)
    assert all(0.5 < y < 1.5 for _, y in second)
    assert [x for x, _ in drawn(ax, "D")] == [0.1, 0.15]


def test_very_long_intervals_do_not_set_the_limits(plt: Any) -> None:
    _, ax = plt.subplots()
    wide = TWO.assign(lower=-50.0, upper=np.inf)
    draw_rows(ax, Rows((("a", "b"),), (wide,), None, True, ""))
    assert ax.get_xlim() == pytest.approx((-0.4 - 0.04 * 0.6, 0.2 + 0.04 * 0.6))
