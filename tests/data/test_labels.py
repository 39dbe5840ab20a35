"""Labels as runs: lists of categories for items."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import fuzzytruth as ft
from fuzzytruth.data.reading import has_labels
from fuzzytruth.data.runs import LabelColumns


def lists(runs: ft.Runs) -> list[tuple[Any, ...]]:
    frame = runs.to_frame()
    return list(frame[["system", "query", "item", "rank"]].itertuples(index=False, name=None))


def test_one_label_an_item() -> None:
    frame = pd.DataFrame({"image": ["a", "b"], "class": ["cat", "dog"]})
    assert lists(ft.Runs.from_labels(frame, name="net")) == [
        ("net", "a", "cat", 1),
        ("net", "b", "dog", 1),
    ]


@pytest.mark.parametrize("column", ["score", "probability", "rank"])
def test_several_labels_an_item(column: str) -> None:
    order = np.array([2.0, 1.0, 1.0]) if column == "rank" else np.array([0.3, 0.7, 1.0])
    frame = pd.DataFrame(
        {"item": ["a", "a", "b"], "category": ["cat", "dog", "cow"], column: order, "system": "x"}
    )
    assert lists(ft.Runs.from_labels(frame)) == [
        ("x", "a", "dog", 1),
        ("x", "a", "cat", 2),
        ("x", "b", "cow", 1),
    ]


ITEM = {"item": ["a", "a"]}


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"item": ["a"]}, "^labels: no column for 'category' "),
        ({"category": ["a"]}, "^labels: no column for 'item' "),
        ({"item": [], "category": []}, "^labels: the table is empty$"),
        (
            {**ITEM, "category": ["cat", "dog"]},
            r"^labels, row 2.*: item 'a' has another category already "
            r"\(first: labels, row 1 .*; give a column score",
        ),
        (
            {**ITEM, "category": ["cat", "cat"], "score": [1, 2]},
            r"^labels, row 2.*: item 'a' is assigned to 'cat' twice \(first: labels, row 1",
        ),
        (
            {**ITEM, "category": ["cat", "dog"], "probability": [1, np.nan]},
            "^labels, row 2.*, column 'probability': ",
        ),
        ({**ITEM, "category": ["cat", None]}, "^labels, row 2.*, column 'category': "),
    ],
)
def test_mistakes(columns: dict[str, Any], message: str) -> None:
    with pytest.raises(ft.DataError, match=message):
        ft.Runs.from_labels(pd.DataFrame(columns))


def test_places_have_the_names_of_the_columns(tmp_path: Path) -> None:
    columns = {"rank": "place"}
    frame = pd.DataFrame({"item": ["a", "b"], "category": "cat", "place": [1, "k"]})
    with pytest.raises(ft.DataError, match=r"^labels, row 2 .*, column 'place': value 'k'"):
        ft.Runs.from_labels(frame, columns=columns)
    path = tmp_path / "net.csv"
    frame.to_csv(path, index=False)
    with pytest.raises(ft.DataError, match=r"net.csv, line 3, column 'place': value 'k'"):
        ft.read_runs(path, columns=columns)
    frame.assign(place=[1, 2], item="a", category=["cat", "dog"]).to_csv(path, index=False)
    assert lists(ft.read_runs(path, columns=columns)) == [
        ("net", "a", "cat", 1),
        ("net", "a", "dog", 2),
    ]


def test_columns_of_different_lengths() -> None:
    with pytest.raises(ft.DataError, match=r"^labels: columns differ in length: {'item': 2, 'ca"):
        ft.Runs.from_labels({"item": ["a", "b"], "category": ["x", "y", "z"]})


def test_no_frame() -> None:
    with pytest.raises(ft.OptionError, match=r"must be a DataFrame .* with columns item"):
        LabelColumns.of([1, 2], "labels")


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        (["item", "category"], True),
        (["Image", "Label", "run"], True),
        (["query", "item", "category"], False),
        (["query", "item", "score"], False),
        (["item", "score"], False),
    ],
)
def test_tables_of_labels_are_recognised(columns: list[str], expected: bool) -> None:
    assert has_labels(columns) is expected
