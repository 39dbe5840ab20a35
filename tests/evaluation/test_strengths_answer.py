"""What is printed of the strengths of a Bradley-Terry model."""

from __future__ import annotations

import pandas as pd

import fuzzytruth as ft


def test_strengths_with_intervals() -> None:
    votes = pd.DataFrame({"winner": ["a", "b"], "loser": ["b", "a"], "count": [30, 10]})
    text = str(ft.bradley_terry(votes, level=0.9))
    assert text.startswith("Bradley-Terry strengths: 2 items, 40 comparisons\n")
    rows = [line.split() for line in text.split("\n") if line[:2] in ("a ", "b ")]
    assert rows == [
        ["a", "+0.549", "[+0.249,", "+0.850]", "40", "30"],
        ["b", "-0.549", "[-0.850,", "-0.249]", "40", "10"],
    ]
    assert "Brackets: normal 90 % intervals of the strength" in " ".join(text.split())


def test_clusters_queries_and_many_items() -> None:
    rows = [(q, f"i{a:02}", f"i{b:02}", s) for q in "qr" for s in "stu" for a in range(12)
            for b in range(12) if a != b]  # fmt: skip
    votes = pd.DataFrame(rows, columns=["query", "winner", "loser", "subject"])
    text = " ".join(str(ft.bradley_terry(votes)).split())
    assert "12 items, 2 queries, 792 comparisons" in text
    assert "The first 16 of 24 items and queries" in text
    votes = votes[(votes["subject"] != "s") | (votes["winner"] < votes["loser"])]
    clustered = " ".join(str(ft.bradley_terry(votes, covariance="subject")).split())
    assert "Brackets: Student's t, subjects being clusters, 95 % intervals" in clustered
