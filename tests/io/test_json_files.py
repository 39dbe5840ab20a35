"""JSON: records and nested objects become the same columns, and errors name the record or key."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import fuzzytruth as ft
from fuzzytruth.errors import DataError
from fuzzytruth.io.files import Source
from fuzzytruth.io.table_files import read_json, read_json_lines
from fuzzytruth.io.tables import ColumnRequest

REQUEST = ColumnRequest(("query", "item"), ("score", "system"), "score")
RECORDS = [
    {"topic": 1, "doc": "007", "sim": 1.5, "note": None},
    {"topic": "q", "doc": 7, "sim": "2"},
]


def put(path: Path, text: str) -> Source:
    path.write_text(text, encoding="utf-8")
    return Source.of(path)


def test_records_and_lines_agree(tmp_path: Path) -> None:
    columns, locate = read_json(put(tmp_path / "a.json", json.dumps(RECORDS)), REQUEST)
    assert columns == {"query": [1, "q"], "item": ["007", 7], "score": [1.5, "2"]}
    assert locate(1) == f"{tmp_path / 'a.json'}, record 2"
    text = "\n" + json.dumps(RECORDS[0]) + "\r\n\n" + json.dumps(RECORDS[1])
    lines, locate_line = read_json_lines(put(tmp_path / "a.jsonl", text), REQUEST)
    assert lines == columns
    assert [locate_line(row).rpartition(" ")[2] for row in range(2)] == ["2", "4"]


def test_nested_objects(tmp_path: Path) -> None:
    text = '{"q1": {"b": 2, "a": 1.5}, "q2": {}, "q3": {"a": -1}}'
    columns, locate = read_json(put(tmp_path / "a.json", text), REQUEST)
    rows = list(zip(columns["query"], columns["item"], columns["score"], strict=True))
    assert rows == [("q1", "b", 2), ("q1", "a", 1.5), ("q3", "a", -1)]
    assert locate(2) == f"{tmp_path / 'a.json'}, query 'q3', item 'a'"


def test_one_level_more_is_systems_where_they_are_asked_for(tmp_path: Path) -> None:
    source = put(tmp_path / "a.json", '{"x": {"q1": {"b": 2}}, "y": {"q1": {"b": 3}}}')
    columns, locate = read_json(source, REQUEST)
    assert columns["system"] == ("x", "y")
    assert columns["score"] == (2, 3)
    assert locate(1).endswith("system 'y', query 'q1', item 'b'")
    with pytest.raises(DataError, match=r"query 'x', item 'q1': \{'b': 2\} does not belong there"):
        read_json(source, ColumnRequest(("query", "item"), (), "score"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("3", "3 does not belong there; give a list of records with query, item, score, or"),
        ("[]", "there are no records in it"),
        ("{}", "there are no rows in it"),
        ("[1]", "record 1: 1 is not a record; give an object with query, item, score"),
        ('[{"query": 1}]', "no column for 'item'"),
        ('[{"query": 1, "item": 2}, {"query": 1}]', "record 2, column 'item': value is missing"),
        ('[{"query": 1, "item": true}]', "column 'item': value True is not text or a number"),
        ('{"q": {"a": "x"}}', "query 'q', item 'a': 'x' does not belong there"),
        ('{"q": {"a": true}}', "True does not belong there"),
    ],
)
def test_errors(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(DataError, match=message) as caught:
        read_json(put(tmp_path / "a.json", text), REQUEST)
    assert str(caught.value).startswith(str(tmp_path / "a.json"))


def test_nested_objects_are_of_judgments_and_runs(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('{"a": {"q1": 1.0}}')
    message = r"a\.json: nested objects do not say what their levels are; .* with "
    with pytest.raises(DataError, match=message + "system, query, value$"):
        ft.Scores.load(path)
    with pytest.raises(DataError, match=message + "item, category, subject$"):
        ft.read_assignments(path)
