"""What is printed of judgments."""

from __future__ import annotations

import numpy as np

import fuzzytruth as ft


def test_grades_subjects_and_first_rows() -> None:
    truth = ft.Judgments.from_columns(
        ["q"] * 6, [*"aabbcc"], [2, 0, 0, 0, 1, 0], subject=["ann", "bob"] * 3
    )
    lines = truth._answer().text(80).split("\n")
    assert lines[0] == "Judgments: 6 rows, 1 query, 2 subjects, crossed, 3 items"
    assert [*map(str.split, lines[6:9])] == [
        ["0", "4", "0.667"],
        ["1", "1", "0.167"],
        ["2", "1", "0.167"],
    ]
    assert "The first 5 of 6 rows; all: .to_frame()" in lines
    assert lines[-1].split() == ["q", "c", "ann", "1"]


def test_counts_weigh_and_many_grades_have_quartiles() -> None:
    counts = ft.Judgments.from_columns(["q"] * 2, ["a"] * 2, [0, 1], count=[3, 1])
    assert "0          3  0.750" in str(counts)
    many = ft.Judgments.from_columns(["q"] * 101, range(101), np.arange(101) / 10)
    text = str(many)
    assert "Quantiles of 101 different grades" in text
    assert "0.00  2.50    5.00  7.50    10.00" in text
