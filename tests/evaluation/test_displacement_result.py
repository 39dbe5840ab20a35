"""The result of `displacement`."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import fuzzytruth as ft
from fuzzytruth.evaluation.lists.displacement import Displacement


def result(**changes) -> Displacement:
    given = {
        "value": 0.5,
        "w_A": 1.5,
        "w_B": 0.25,
        "A": ("a", "c"),
        "B": ("b",),
        "C": ("x",),
        "items": ("a", "b", "c"),
        "relevances": np.array([1.0, 0.25, 0.25]),
        "first": np.array([1, 2, 2]),
        "last": np.array([1, 3, 3]),
        "ranks": np.array([2, 0, 5]),
        "displacements": np.array([1.0, 1.0, 2.0]),
        "unseen": "pessimist",
        "ties": "interval",
        "length": 5,
    }
    return Displacement(**given | changes)


def test_numbers() -> None:
    assert result().w == 1.75
    assert float(result()) == 0.5


def test_frame_has_a_row_for_each_item_of_the_subject() -> None:
    frame = result().to_frame()
    assert frame["item"].tolist() == ["a", "b", "c"]
    assert frame["set"].tolist() == ["A", "B", "A"]
    assert frame["rank"].isna().tolist() == [False, True, False]
    assert frame["rank"].dropna().tolist() == [2, 5]
    assert frame["weighted"].tolist() == [1.0, 0.25, 0.5]
    columns = [*("item", "set", "relevance", "first", "last"), "rank", "displacement", "weighted"]
    assert frame.columns.tolist() == columns
    assert isinstance(frame["rank"].dtype, pd.Int64Dtype)


def test_repr_names_the_hypothesis_and_the_sets() -> None:
    assert repr(result()) == (
        "Displacement(value=0.5, w_A=1.5, w_B=0.25, A=['a', 'c'], B=['b'], C=['x'], "
        "unseen=pessimist, ties=interval)"
    )
    assert "w_max=8, " in repr(result(w_max=8.0))
    assert ", N=12, " in repr(result(N=12))


@pytest.mark.parametrize("unseen", ["optimist", "pessimist", "worst"])
def test_parts_add_up_to_the_rows_of_the_frame(unseen: str) -> None:
    measured = ft.displacement(list("abcd"), [1, 0.8, 0.5, 0.2], list("cxay"), unseen=unseen, N=9)
    frame = measured.to_frame()
    by_set = frame.groupby("set")["weighted"].sum()
    assert by_set["A"] == pytest.approx(measured.w_A)
    assert by_set["B"] == pytest.approx(measured.w_B)
    assert measured.value == pytest.approx(measured.w)
