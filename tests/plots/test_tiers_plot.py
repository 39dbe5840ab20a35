"""Tiers of systems, with bars."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.drawn import legend_of, title_of, y_names
from support.scores_for_tests import scores_of

import fuzzytruth as ft
from fuzzytruth import plots
from fuzzytruth.errors import DataError, OptionError

TIERS = pd.DataFrame(
    {
        "measure": "AP",
        "system": list("abcd"),
        "mean": [0.5, 0.4, 0.3, 0.1],
        "tier": [1, 1, 2, 3],
    }
)


def pairs(*found: str) -> pd.DataFrame:
    """All pairs of a to d, of which some are significant."""
    names = [f"{a}{b}" for a, b in combinations("abcd", 2)]
    return pd.DataFrame(
        {
            "system_a": [name[1] for name in names],
            "system_b": [name[0] for name in names],
            "significant": [name in found for name in names],
        }
    )


def bars_of(ax: Any) -> list[list[int]]:
    """Members of each bar, from the dots on it."""
    dots = [line for line in ax.lines if line.get_marker() == "o" and line.get_color() == "black"]
    return [line.get_ydata().tolist() for line in dots]


def means_of(ax: Any) -> list[tuple[float, float]]:
    line = ax.lines[0]
    return [tuple(point) for point in line.get_xydata().tolist()]


def test_means_tiers_and_bars(plt: Any) -> None:
    ax = plots.tiers(TIERS, pairs=pairs("ac", "ad", "bd", "cd"))
    assert means_of(ax) == [(0.5, 0), (0.4, 1), (0.3, 2), (0.1, 3)]
    assert y_names(ax) == ["a", "b", "c", "d"]
    assert bars_of(ax) == [[0, 1], [1, 2]]  # a to b and b to c, for a and c differ
    assert [text.get_text() for text in ax.texts] == ["tier", "1", "1", "2", "3"]
    assert [text.xy[1] for text in ax.texts[1:]] == [0, 1, 2, 3]
    assert ax.get_xlabel() == "mean of AP"


def test_a_bar_passes_those_who_differ(plt: Any) -> None:
    ax = plots.tiers(TIERS, pairs=pairs("ab", "bc", "bd"))
    assert bars_of(ax) == [[0, 2, 3]]
    thick = [line for line in ax.lines if line.get_linewidth() > 1 and line.get_marker() == "None"]
    assert [[*line.get_ydata()] for line in thick] == [[0, 0], [2, 3]]
    assert legend_of(ax) == ["thin line: passes by other systems"]


def test_bars_that_overlap_are_side_by_side(plt: Any) -> None:
    ax = plots.tiers(TIERS, pairs=pairs("ac", "ad", "bd"))
    assert bars_of(ax) == [[0, 1], [1, 2], [2, 3]]
    assert ax.get_legend() is None
    dots = [line for line in ax.lines if line.get_marker() == "o" and line.get_color() == "black"]
    x = [line.get_transform().transform((1, 0))[0] for line in dots]
    assert x[0] == x[2] < x[1]


def test_a_comparison_hands_down_its_numbers(plt: Any) -> None:
    base = np.array([0.2, 0.9, 0.0, 0.5, 0.6])
    values = base[:, None] + np.random.default_rng(2).normal(0, 0.3, (5, 12))
    result = ft.compare(scores_of(values), n_resamples=199)
    ax = result.plot(kind="tiers")
    order = result.means["m"].sort_values(ascending=False)
    assert y_names(ax) == order.index.tolist()
    assert [x for x, _ in means_of(ax)] == order.tolist()
    tier = result.tiers().set_index("system")["tier"]
    shown = [int(text.get_text()) for text in ax.texts[1:]]
    assert shown == tier[order.index].tolist()
    joined = {frozenset(two) for bar in bars_of(ax) for two in combinations(bar, 2)}
    expected = {
        frozenset((order.index.get_loc(row.system_a), order.index.get_loc(row.system_b)))
        for row in result.table.itertuples()
        if not row.significant
    }
    assert joined == expected
    assert 0 < len(expected) < 10
    assert "two that no bar joins differ significantly (adjusted p ≤ 0.05)" in title_of(ax)


def test_lower_is_better_puts_the_lowest_on_top(plt: Any) -> None:
    base = np.array([0.3, 0.0, 0.6])
    values = base[:, None] + np.random.default_rng(2).random((3, 9))
    result = ft.compare(scores_of(values, higher_is_better=(False,)), n_resamples=99)
    assert y_names(result.plot(kind="tiers")) == ["sys1", "sys0", "sys2"]


@pytest.mark.parametrize("n", [2, 8, 63])
def test_all_of_it_is_inside(plt: Any, n: int) -> None:
    table = pd.DataFrame(
        {"measure": "m", "system": [f"system {j}" for j in range(n)], "mean": -np.arange(n) / n}
    ).assign(tier=1)
    a, b = np.triu_indices(n, 1)
    found = pd.DataFrame(
        {
            "system_a": table["system"].to_numpy()[a],
            "system_b": table["system"].to_numpy()[b],
            "significant": b - a > 10,
        }
    )
    ax = plots.tiers(table, pairs=found)
    figure = ax.figure
    figure.canvas.draw()
    box, page = ax.get_tightbbox(), figure.bbox
    assert page.x0 <= box.x0
    assert box.x1 <= page.x1
    assert figure.get_size_inches()[1] <= 10.1
    assert len(bars_of(ax)) == max(n - 10, 1)


def test_errors_and_systems_without_mean(plt: Any) -> None:
    with pytest.raises(OptionError, match="pairs: give the comparisons"):
        plots.tiers(TIERS)
    with pytest.raises(DataError, match="pairs: no column 'significant'"):
        plots.tiers(TIERS, pairs=pairs().drop(columns="significant"))
    with pytest.raises(DataError, match="mean of AP is NaN in every row"):
        plots.tiers(TIERS.assign(mean=np.nan), pairs=pairs())
    scores = scores_of(np.random.default_rng(2).random((3, 9)))
    against_one = ft.compare(scores, "sys0", n_resamples=99)
    with pytest.raises(OptionError, match="tiers: ranks follow from"):
        against_one.plot(kind="tiers")
    assert plt.get_fignums() == []
    ax = plots.tiers(TIERS.assign(mean=[np.nan, 0.4, 0.3, 0.1]), pairs=pairs())
    assert y_names(ax) == ["b", "c", "d", "a"]
