"""Heat maps of ranks."""

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

SHARES = pd.DataFrame(
    {
        "measure": "AP",
        "system": list("aaabbbccc"),
        "rank": [1, 2, 3] * 3,
        "share": [0.0, 0.25, 0.75, 0.9, 0.1, 0.0, 0.1, 0.65, 0.25],
    }
)


def boxes_of(ax: Any) -> list[tuple[float, float, float]]:
    """First rank, last rank and row of each outline."""
    return [(b.get_x() + 1, b.get_x() + b.get_width(), b.get_y() - 0.04) for b in ax.patches]


def test_shares_by_mean_rank(plt: Any) -> None:
    ax = plots.rank_probabilities(SHARES)
    assert y_names(ax) == ["b", "c", "a"]
    assert x_names(ax) == ["1", "2", "3"]
    assert cells_of(ax).tolist() == [[0.9, 0.1, 0.0], [0.1, 0.65, 0.25], [0.0, 0.25, 0.75]]
    texts = {text.get_position(): text.get_text() for text in ax.texts}
    assert texts == {
        (0.5, 0.5): "90",
        (1.5, 0.5): "10",
        (0.5, 1.5): "10",
        (1.5, 1.5): "65",
        (2.5, 1.5): "25",
        (1.5, 2.5): "25",
        (2.5, 2.5): "75",
    }
    assert not ax.patches
    assert ax.get_xlabel() == "rank by AP; shares in %"


def test_sets_are_outlined(plt: Any) -> None:
    sets = pd.DataFrame(
        {"system": list("cab"), "rank": [1, 2, 3], "rank_lower": [1, 2, np.nan], "rank_upper": 3}
    )
    ax = plots.rank_probabilities(SHARES, systems=sets)
    assert y_names(ax) == ["c", "a", "b"]
    assert boxes_of(ax) == [(1, 3, 0), (2, 3, 1)]


def test_stability_hands_down_its_numbers(plt: Any) -> None:
    base = np.array([0.2, 1.2, 0.0, 0.4])
    values = base[:, None] + np.random.default_rng(5).normal(0, 0.3, (4, 15))
    result = ft.rank_stability(scores_of(values), n_resamples=199)
    ax = result.plot()
    systems = result.systems.sort_values("rank")
    assert y_names(ax) == systems["system"].tolist()
    table = result.shares.pivot(index="system", columns="rank", values="share")
    np.testing.assert_array_equal(cells_of(ax), table.loc[systems["system"]])
    drawn = [(low, high) for low, high, _ in boxes_of(ax)]
    ends = list(zip(systems["rank_lower"], systems["rank_upper"], strict=True))
    assert np.allclose(drawn, ends)
    assert len(set(ends)) > 1
    assert title_of(ax) == (
        "m: ranks of 4 systems in 199 resamples over queries (15 queries) Outlined: simultaneous "
        "95 % confidence sets of the true ranks"
    )
    with pytest.raises(OptionError, match="measure 'x' is not among these scores"):
        result.plot(measure="x")


def test_lower_is_better_and_one_measure_of_several(plt: Any) -> None:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        [
            (system, query, measure, rng.random() + j * (1 if measure == "a" else -1))
            for j, system in enumerate("xyz")
            for query in range(6)
            for measure in "ab"
        ],
        columns=["system", "query", "measure", "value"],
    )
    result = ft.rank_stability(ft.Scores.from_frame(frame, higher_is_better=True), n_resamples=99)
    assert y_names(result.plot()) == ["z", "y", "x"]
    assert y_names(result.plot(measure="b")) == ["x", "y", "z"]


def test_63_systems_fit_a_page(plt: Any) -> None:
    shares = np.random.default_rng(0).dirichlet(np.ones(63), 63)
    frame = pd.DataFrame(
        {
            "measure": "m",
            "system": np.repeat([f"system {j}" for j in range(63)], 63),
            "rank": np.tile(np.arange(1, 64), 63),
            "share": shares.ravel(),
        }
    )
    ax = plots.rank_probabilities(frame)
    assert max(ax.figure.get_size_inches()) <= 10.5
    assert not ax.texts
    ax.figure.canvas.draw()
    boxes = [label.get_window_extent() for label in ax.get_yticklabels()]
    assert len(boxes) == 63
    assert all(one.y0 >= two.y1 - 1.5 for one, two in pairwise(boxes))


def test_errors(plt: Any) -> None:
    with pytest.raises(DataError, match="share of AP is NaN in every row"):
        plots.rank_probabilities(SHARES.assign(share=np.nan))
    with pytest.raises(DataError, match="no column 'share'"):
        plots.rank_probabilities(SHARES.drop(columns="share"))
    with pytest.raises(DataError, match="systems: no column 'rank_lower'"):
        plots.rank_probabilities(SHARES, systems=SHARES)
    assert plt.get_fignums() == []
