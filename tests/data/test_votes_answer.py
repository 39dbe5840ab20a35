"""What is printed of votes."""

from __future__ import annotations

import fuzzytruth as ft


def test_categories_and_first_votes() -> None:
    votes = ft.Assignments.from_columns(["s", "t", "s"], ["a", "a", "b"], ["cat", "dog", "cat"])
    lines = votes._answer().text(80).split("\n")
    assert lines[0] == "Assignments: 3 votes, 2 items, 2 subjects, 3 categories"
    assert lines[2] == "Subjects: s, t"
    assert [line.split() for line in lines[7:9]] == [["cat", "2", "0.667"], ["dog", "1", "0.333"]]
    assert [line.split() for line in lines[13:16]] == [
        ["s", "a", "cat"],
        ["t", "a", "dog"],
        ["s", "b", "cat"],
    ]


def test_counts_and_many_votes() -> None:
    counts = ft.Assignments.from_counts([[3, 1], [0, 2]], categories=["cat", "dog"])
    text = str(counts)
    assert "Subjects" not in text
    assert "count" in text
    many = ft.Assignments.from_columns(["s"] * 30, range(30), [f"c{j}" for j in range(30)])
    assert "the first 8 of the 30 that were voted for" in str(many)
    assert "The first 5 of 30 rows; all: .to_frame()" in str(many)


def test_rows_of_some_ballots_are_those_of_the_table() -> None:
    votes = ft.Assignments.from_columns(
        ["s", "s", "t"], [*"aab"], ["x", "y", "x"], weight=[2, 2, 1]
    )
    whole = votes.to_frame()
    assert votes.rows(slice(0, 1)).equals(whole[:2])
    assert votes.rows(slice(1, 2)).equals(whole[2:].reset_index(drop=True))
