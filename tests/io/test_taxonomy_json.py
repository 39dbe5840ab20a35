"""JSON taxonomies: each form is recognised."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fuzzytruth.errors import DataError
from fuzzytruth.io.files import Source
from fuzzytruth.io.taxonomies import read_taxonomy_json


def read(path: Path, data: Any) -> list[tuple[Any, Any]]:
    path.write_text(json.dumps(data))
    edges = read_taxonomy_json(Source.of(path))
    return list(zip(edges.parent, edges.child, strict=True))


@pytest.mark.parametrize(
    "data",
    [
        {"a": ["b"], "b": ["c"]},
        {"a": {"b": {"c": {}}}},
        {"b": "a", "c": "b"},
        {"b": "a", "c": ["b"]},
        [["a", "b"], ["b", "c"]],
        [{"source": "a", "target": "b"}, {"target": "c", "source": "b", "note": 1}],
    ],
)
def test_forms_agree(tmp_path: Path, data: Any) -> None:
    assert read(tmp_path / "a.json", data) == [("a", "b"), ("b", "c")]


def test_records_may_lack_a_parent(tmp_path: Path) -> None:
    assert read(tmp_path / "a.json", [{"child": "a"}, {"parent": "a", "child": "b"}]) == [
        *((None, "a"), ("a", "b"))
    ]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (3, "3 is no taxonomy; give"),
        ([1], "row 1: 1 is not a pair"),
        ([{"parent": "a"}], "no column for 'child'"),
    ],
)
def test_errors(tmp_path: Path, data: Any, message: str) -> None:
    with pytest.raises(DataError, match=message):
        read(tmp_path / "a.json", data)


@pytest.mark.parametrize(
    "data",
    [
        {"r": ["a", True]},
        {"r": {"a": {"b": True}}},
        [["r", True]],
        [{"parent": "r", "child": True}],
    ],
)
def test_truth_values_are_no_names(tmp_path: Path, data: Any) -> None:
    with pytest.raises(DataError, match=r'a.json: true is no name; write "true"'):
        read(tmp_path / "a.json", data)
    assert read(tmp_path / "b.json", [{"parent": "r", "child": "a", "leaf": True}]) == [("r", "a")]
