"""What is printed of precision, recall and F of classes."""

from __future__ import annotations

import numpy as np
import pandas as pd

import fuzzytruth as ft

RNG = np.random.default_rng(2)
VOTES = ft.Assignments.from_columns(
    [*"stu"] * 60, np.repeat(np.arange(60), 3), [f"c{j}" for j in RNG.integers(0, 20, 180) // 2]
)


def answers(systems: int) -> pd.DataFrame:
    labels = [f"c{j % 10}" for j in range(60)]
    parts = [
        pd.DataFrame({"system": f"net{s}", "item": range(60), "category": labels})
        for s in range(systems)
    ]
    return pd.concat(parts)


def test_numbers_are_those_of_the_table() -> None:
    result = ft.class_scores(VOTES, answers(1), categories=["c1", "c2"])
    lines = result._answer().text(80).split("\n")
    for row in result.to_frame(full=True).itertuples():
        (line,) = [line for line in lines if line.startswith(row.category)]
        want = f"{row.precision:.2f} [{row.precision_lower:.2f}, {row.precision_upper:.2f}]"
        assert want in line
        assert f"{row.f1:.2f} [{row.f1_lower:.2f}, {row.f1_upper:.2f}]" in line
    short = result.to_frame()
    assert [*short] == ["system", "category", "n", "size", "precision", "recall", "f1"]


def test_of_many_the_largest_categories() -> None:
    result = ft.class_scores(VOTES, answers(3))
    text = str(result)
    assert "6 of 30 rows, those of the categories with most items" in " ".join(text.split())
    largest = result.membership.sizes()[list(result.categories)].nlargest(2).index
    assert {line.split()[1] for line in text.split("\n") if line.startswith("net")} == {*largest}
