"""Matrices of differences."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.drawn import cells_of, title_of, x_names, y_names
from support.scores_for_tests import scores_of

import fuzzytruth as ft
from fuzzytruth import plots
from fuzzytruth.errors import DataError, OptionError

FRAME = pd.DataFrame(
    {
        "measure": "AP",
        "system_a": ["a", "a", "b"],
        "system_b": ["b", "c", "c"],
        "difference": [0.125, np.nan, 0.25],
        "significant": [False, False, True],
    }
)


def test_rows_minus_columns(plt: Any) -> None:
    ax = plots.pairwise_matrix(FRAME)
    assert y_names(ax) == ["a", "b", "c"] == x_names(ax)
    cells = cells_of(ax)
    assert cells.filled(9).tolist() == [[9, 0.125, 9], [-0.125, 9, 0.25], [9, -0.25, 9]]
    texts = {text.get_position(): text for text in ax.texts}
    shown = {place: text.get_text() for place, text in texts.items()}
    assert shown == {
        (1.5, 0.5): "+.12",
        (0.5, 1.5): "−.12",
        (2.5, 1.5): "+.25*",
        (1.5, 2.5): "−.25*",
    }
    assert texts[2.5, 1.5].get_fontweight() == "bold"
    assert texts[1.5, 0.5].get_fontweight() == "normal"
    norm = ax.collections[0].norm
    assert (norm.vmin, norm.vmax) == (-0.25, 0.25)
    assert ax.collections[0].colorbar.ax.get_ylabel() == "AP: row − column"


def test_order_is_by_mean_difference_or_as_given(plt: Any) -> None:
    frame = FRAME.assign(difference=[-0.1, -0.3, -0.2])
    assert y_names(plots.pairwise_matrix(frame)) == ["c", "b", "a"]
    ax = plots.pairwise_matrix(frame, order=["b", "other", "a", "c"])
    assert y_names(ax) == ["b", "a", "c"]
    assert cells_of(ax)[0, 1] == pytest.approx(0.1)
    with pytest.raises(OptionError, match=r"order=\['a', 'b'\]: lacks 'c'"):
        plots.pairwise_matrix(frame, order=["a", "b"])
    with pytest.raises(OptionError, match="order=3: must be names of systems"):
        plots.pairwise_matrix(frame, order=3)  # type: ignore[arg-type]


def test_a_comparison_hands_down_its_numbers(plt: Any) -> None:
    base = np.array([0.2, 0.9, 0.0, 0.4])
    values = base[:, None] + np.random.default_rng(2).normal(0, 0.3, (4, 12))
    result = ft.compare(scores_of(values), n_resamples=199)
    ax = result.plot(kind="matrix")
    order = result.means["m"].sort_values(ascending=False).index.tolist()
    assert y_names(ax) == order
    assert order[0] == "sys1"
    cells = cells_of(ax)
    stars = {text.get_position() for text in ax.texts if text.get_text().endswith("*")}
    expected = set()
    for row in result.table.itertuples():
        a, b = order.index(row.system_a), order.index(row.system_b)
        assert cells[a, b] == row.difference == -cells[b, a]
        if row.significant:
            expected |= {(b + 0.5, a + 0.5), (a + 0.5, b + 0.5)}
    assert stars == expected
    assert 0 < len(stars) < 12
    assert title_of(ax).endswith(
        "Marked: significant (adjusted p ≤ 0.05), moderated bootstrap max-t over 6 comparisons "
        "(199 resamples)"
    )


def test_lower_is_better_puts_the_lowest_first(plt: Any) -> None:
    base = np.array([0.3, 0.0, 0.6])
    values = base[:, None] + np.random.default_rng(2).random((3, 9))
    result = ft.compare(scores_of(values, higher_is_better=(False,)), n_resamples=99)
    assert y_names(result.plot(kind="matrix")) == ["sys1", "sys0", "sys2"]


def test_small_cells_have_triangles(plt: Any) -> None:
    _, ax = plt.subplots(figsize=(3.4, 3.4), layout="constrained")
    n = 12
    names = [f"system {j:02}" for j in range(n)]
    a, b = np.triu_indices(n, 1)
    difference = (b - a) / 10
    frame = pd.DataFrame(
        {
            "measure": "m",
            "system_a": np.array(names)[a],
            "system_b": np.array(names)[b],
            "difference": difference,
            "significant": difference > 0.5,
        }
    )
    plots.pairwise_matrix(frame, ax)
    assert not ax.texts
    up, down = ax.collections[1:]
    found = {(j + 0.5, i + 0.5) for i, j in zip(a, b, strict=True) if j - i > 5}
    assert {tuple(place) for place in up.get_offsets().tolist()} == found
    assert {tuple(place) for place in down.get_offsets().tolist()} == {(y, x) for x, y in found}
    label = ax.get_xlabel().replace("\n", " ")
    assert label == "▲ row significantly above column, ▼ below"


def test_baselines_are_columns(plt: Any) -> None:
    scores = scores_of(np.random.default_rng(0).random((5, 8)))
    ax = ft.compare(scores, ["sys1", "sys3"], n_resamples=99).plot(kind="matrix")
    assert set(x_names(ax)) == {"sys1", "sys3"}
    assert set(y_names(ax)) == {"sys0", "sys2", "sys4"}
    assert not np.ma.is_masked(cells_of(ax))


def test_63_systems_fit_a_page(plt: Any) -> None:
    names = [f"a system with number {j}" for j in range(63)]
    a, b = np.triu_indices(63, 1)
    frame = pd.DataFrame(
        {
            "measure": "m",
            "system_a": np.array(names)[a],
            "system_b": np.array(names)[b],
            "difference": (b - a) / 63,
            "significant": b - a > 30,
        }
    )
    ax = plots.pairwise_matrix(frame)
    figure = ax.figure
    assert max(figure.get_size_inches()) <= 10.5
    figure.canvas.draw()
    labels = ax.get_yticklabels()
    assert len(labels) == 63
    boxes = [label.get_window_extent() for label in labels]
    assert all(first.y0 >= second.y1 - 1.5 for first, second in pairwise(boxes))
    assert min(label.get_fontsize() for label in labels) >= 6
    assert min(box.x0 for box in boxes) >= 0


def test_errors(plt: Any) -> None:
    with pytest.raises(DataError, match="difference of AP is NaN in every row"):
        plots.pairwise_matrix(FRAME[1:2])
    with pytest.raises(DataError, match="no column 'difference'"):
        plots.pairwise_matrix(FRAME.drop(columns="difference"))
    with pytest.raises(OptionError, match="measure 'RR'"):
        plots.pairwise_matrix(FRAME, measure="RR")
    assert plt.get_fignums() == []
