"""Columns of judgments that exclude each other, and counts that are none."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import fuzzytruth as ft
from fuzzytruth.data.grading import first_rows_and_sums

MANY = {"subject": ["s", "t"], "position": [1, 2], "count": [1, 2], "repeat": [1, 2]}


@pytest.mark.parametrize(
    ("first", "second"),
    [("probability", name) for name in MANY]
    + [("count", name) for name in ("subject", "position", "repeat")],
)
def test_columns_that_exclude_each_other(first: str, second: str) -> None:
    columns = MANY | {"probability": [0.5, 1]}
    given = {name: columns[name] for name in (first, second)}
    with pytest.raises(ft.DataError, match=f"'{first}' and for '{second}'; .* leave one of them"):
        ft.Judgments.from_columns(["q", "q"], ["a", "b"], [1, 0], **given)


def test_repeats_need_a_subject() -> None:
    with pytest.raises(ft.DataError, match="a column for 'repeat' and none for 'subject'; add one"):
        ft.Judgments.from_columns(["q"], ["a"], [1], repeat=[1])


@pytest.mark.parametrize("bad", [-1, 0.5, 2.0**53, np.nan, "many"])
def test_counts_are_whole_numbers(bad: object) -> None:
    with pytest.raises(ft.DataError, match=r"row 2, column 'count': value .* is not a"):
        ft.Judgments.from_columns(["q", "q"], ["a", "b"], [1, 1], count=[1, bad])


def test_an_error_names_the_own_column_of_counts() -> None:
    own = {"query": ["q"], "item": ["a"], "grade": [1], "n_people": [0.5]}
    with pytest.raises(ft.DataError, match=r"row 1.*, column 'n_people': value 0.5 is not a num"):
        ft.Judgments.from_frame(pd.DataFrame(own), columns={"count": "n_people"})


def test_a_grade_of_an_item_is_counted_once() -> None:
    with pytest.raises(
        ft.DataError,
        match=r"row 3, column 'count': item 'a' of query 'q' has two counts of grade 0 "
        r"\(first: judgments, row 1\); give their sum",
    ):
        ft.Judgments.from_columns(["q"] * 3, ["a"] * 3, [0.0, 1, -0.0], count=[1, 2, 3])


def test_an_item_needs_votes() -> None:
    with pytest.raises(
        ft.DataError, match=r"row 2, column 'count': item 'b' of query 'q' has no votes at all \(1 "
    ):
        ft.Judgments.from_columns(["q"] * 3, list("abb"), [0, 1, 2], count=[1, 0, 0])


def test_a_repeat_occurs_once() -> None:
    with pytest.raises(
        ft.DataError, match=r"by subject 's', repeat '1' .*unless a column 'repeat'"
    ):
        ft.Judgments.from_columns(["q", "q"], ["a", "a"], [0, 1], subject=["s", "s"], repeat=[1, 1])


def test_rows_and_sums() -> None:
    rows, total = first_rows_and_sums(
        [np.array([1, 0, 1, 1]), np.array([0.5, 0.5, 0.5, 2])], np.array([1.0, 2, 3, 4])
    )
    assert (rows.tolist(), total.tolist()) == ([0, 1, 3], [4, 2, 4])
