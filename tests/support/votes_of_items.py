"""Votes for the grades of a few items, and two systems that list them."""

import pandas as pd

import fuzzytruth as ft

ITEMS = "abcd"


#: votes for each grade of the items, by query
VOTES = {"q1": [(2, 0), (1, 1), (0, 3), (1, 0)], "q2": [(0, 1), (2, 1), (1, 2), (2, 0)]}


GRADED = {"q1": [(2, 0, 1), (1, 1, 0), (0, 3, 0), (0, 1, 1)]}


RUNS = {
    "x": {"q1": ["a", "b", "c"], "q2": ["c", "a", "b", "d"]},
    "y": {"q1": ["d", "c", "a"], "q2": ["b", "a"]},
}


RUNS_OF_ONE = {name: {"q1": answers["q1"]} for name, answers in RUNS.items()}


def judgments(votes: dict[str, list[tuple[int, ...]]]) -> ft.Judgments:
    """One row for each vote, by people who are others for each item."""
    rows = [
        (query, ITEMS[i], f"s{i}{grade}{j}", float(grade))
        for query, items in votes.items()
        for i, counts in enumerate(items)
        for grade, count in enumerate(counts)
        for j in range(count)
    ]
    return ft.Judgments.from_frame(
        pd.DataFrame(rows, columns=["query", "item", "subject", "grade"])
    )
