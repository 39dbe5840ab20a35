"""Agreement of pairs, as drawn."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.drawn import labels_of

import fuzzytruth as ft
from fuzzytruth import plots
from fuzzytruth.errors import DataError, OptionError
from fuzzytruth.plots.matrix_plots import by_agreement


def votes(copies: int = 0) -> ft.Judgments:
    rng = np.random.default_rng(4)
    n = 400
    grades = {name: rng.integers(0, 2, n) for name in "abcde"}
    grades |= {f"a{k}": grades["a"] for k in range(copies)}
    item = [f"i{j}" for j in range(n)]
    frame = pd.DataFrame({"item": item, "query": "q"} | grades)
    return ft.Judgments.from_frame(frame, subjects=[*grades])


def cells(ax: Any) -> np.ndarray:
    return np.ma.filled(ax.collections[0].get_array().astype(float), np.nan)


def frames(ax: Any) -> list[tuple[float, float, float]]:
    """Corner and size of the outlines."""
    return [(p.get_x(), p.get_y(), p.get_width()) for p in ax.patches if p.get_hatch() is None]


def test_cells_are_the_coefficients_of_rows_and_columns(plt: Any) -> None:
    found = ft.pairwise_agreement(votes(), over="item")
    ax = found.plot()
    order = labels_of(ax)
    expected = found.matrix().loc[order, order].to_numpy(copy=True)
    np.fill_diagonal(expected, np.nan)
    np.testing.assert_array_equal(cells(ax), expected)
    written = [(t.get_position(), t.get_text()) for t in ax.texts]
    assert len(written) == 20
    for (x, y), text in written:
        assert text == f"{expected[int(y), int(x)]:.2f}".replace("-", "−")
    assert frames(ax) == []
    assert ax.get_title(loc="left").endswith("No near-duplicates at a threshold of 0.95")


def test_near_duplicates_are_neighbours_framed_and_lettered(plt: Any) -> None:
    found = ft.pairwise_agreement(votes(copies=2), over="item")
    ax = found.plot(threshold=0.9)
    assert set(found.duplicates(0.9)["subject"]) == {"a", "a0", "a1"}
    order = labels_of(ax)
    start = min(order.index(name) for name in ("a", "a0", "a1"))
    assert {order[start + k] for k in range(3)} == {"a", "a0", "a1"}
    assert frames(ax) == [(start, start, 3)]
    letters = [t.get_position() for t in ax.texts if t.get_text() == "A"]
    assert letters == [(start + k + 0.5, start + k + 0.5) for k in range(3)]
    assert "3 near-duplicates in 1 cluster at a threshold of 0.9" in ax.get_title(loc="left")
    assert ax.get_legend() is not None


def test_pairs_without_a_value_are_hatched_and_counted(plt: Any) -> None:
    frame = pd.DataFrame(
        {"subject_a": ["a", "a", "b"], "subject_b": ["b", "c", "d"], "value": [0.5, np.nan, 0.1]}
    )
    ax = plots.agreement_matrix(frame, title="t", coefficient="alpha")
    order = labels_of(ax)
    shown = cells(ax)
    assert shown[order.index("b"), order.index("a")] == 0.5
    hatched = {(p.get_y(), p.get_x()) for p in ax.patches if p.get_hatch()}
    missing = [("a", "c"), ("a", "d"), ("b", "c"), ("c", "d")]
    both = [pair for x, y in missing for pair in ((x, y), (y, x))]
    assert hatched == {(order.index(x), order.index(y)) for x, y in both}
    assert ax.get_title(loc="left") == "t\nHatched: 4 pairs without a value"
    assert ax.figure.axes[1].get_ylabel() == "alpha"


def test_order_puts_those_who_agree_side_by_side() -> None:
    blocks = np.kron(np.eye(3), np.full((2, 2), 0.9)) + 0.05
    mixed = np.array([0, 2, 4, 1, 3, 5])
    order = mixed[by_agreement(blocks[np.ix_(mixed, mixed)])]
    assert all(len(set(order[k : k + 2] // 2)) == 1 for k in (0, 2, 4))
    apart = by_agreement(blocks, [np.array([0, 5])]).tolist()
    assert abs(apart.index(0) - apart.index(5)) == 1
    assert by_agreement(np.full((4, 4), np.nan)).size == 4


def test_two_subjects_many_and_errors(plt: Any) -> None:
    two = pd.DataFrame({"subject_a": ["a"], "subject_b": ["b"], "value": [0.5]})
    _, given = plt.subplots()
    assert plots.agreement_matrix(two, given) is given
    assert labels_of(given) == ["a", "b"]
    with pytest.raises(DataError, match="value is NaN in every row"):
        plots.agreement_matrix(two.assign(value=np.nan))
    many = pd.DataFrame({"subject_a": "x", "subject_b": [f"s{j}" for j in range(200)], "value": 1})
    with pytest.raises(DataError, match="201 subjects"):
        plots.agreement_matrix(many)
    with pytest.raises(OptionError, match="threshold"):
        ft.pairwise_agreement(votes(), over="item").plot(threshold=2)
