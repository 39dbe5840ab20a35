"""What is printed of runs."""

from __future__ import annotations

import fuzzytruth as ft


def test_sizes_and_the_first_list() -> None:
    runs = ft.Runs.from_dict(
        {"x": {"q1": {"a": 1.0, "b": 2.5}, "q2": ["c", "b", "a"]}, "y": {"q1": ["c"]}}
    )
    lines = runs._answer().text(80).split("\n")
    assert lines[0] == "Runs of 2 systems: 6 retrieved items"
    assert [lines[4].split(), lines[5].split()] == [
        ["x", "2", "5", "2", "to", "3"],
        ["y", "1", "1", "1"],
    ]
    assert [line.split() for line in lines[10:12]] == [
        ["x", "q1", "b", "2.5000"],
        ["x", "q1", "a", "1.0000"],
    ]


def test_no_system_and_many() -> None:
    assert str(ft.Runs({})).startswith("Runs of 0 systems: 0 retrieved items")
    text = str(ft.Runs.from_dict({f"s{j}": {"q": ["a"]} for j in range(40)}))
    assert "The first 15 of 40 systems" in text
