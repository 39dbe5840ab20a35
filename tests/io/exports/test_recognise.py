"""Exports are told apart, and no plain table is taken for one."""

from __future__ import annotations

from typing import Any

import pytest
from support.exports import locate

from fuzzytruth.errors import DataError
from fuzzytruth.io.exports.export import Export
from fuzzytruth.io.exports.recognise import (
    columns_of_export,
    flatten_export,
    is_export,
    is_export_header,
    read_export,
    read_export_table,
)
from fuzzytruth.io.tables import ColumnRequest

REQUEST = ColumnRequest(("subject", "item", "category"), ("weight",), "category")
ARGILLA = {"id": 1, "text": "a", "label.responses": ["x"], "label.responses.users": ["u"]}
SAMPLES = {
    "Label Studio": {"id": 1, "data": {}, "annotations": []},
    "Label Studio (JSON-MIN)": {"id": 1, "q": "x", "annotator": 1, "annotation_id": 1}
    | {"lead_time": 2},
    "Prodigy": {"answer": "accept", "_task_hash": 1, "label": "x"},
    "Argilla": ARGILLA,
    "Potato": {"id": 1, "label_annotations": {"q": {"x": True}}},
    "doccano": {"id": 1, "text": "a", "label": ["x"]},
}


@pytest.mark.parametrize("tool", SAMPLES)
def test_tools(tool: str) -> None:
    export = flatten_export([SAMPLES[tool]], "a/b.json", locate)
    assert export is not None
    assert export.tool == tool
    assert not is_export([SAMPLES[tool], {"query": 1}])


@pytest.mark.parametrize(
    "records",
    [
        [],
        [3],
        [{"query": "q", "item": "i", "grade": 1}],
        [{"annotator": "a", "item": "i", "label": "x"}],
        [{"system": "a", "id": 1, "user": 2, "labels": "x"}],
    ],
)
def test_plain_records(records: list[Any]) -> None:
    assert read_export(records, REQUEST, "a.json", locate) is None


def test_records_that_differ() -> None:
    records = [SAMPLES["doccano"]] * 60 + [{"query": 1}]
    with pytest.raises(DataError, match=r"^f, record 61: is no record of doccano, as those before"):
        flatten_export(records, "a.jsonl", locate)


def test_columns() -> None:
    columns, place = read_export([ARGILLA], REQUEST, "a.json", locate) or ({}, str)
    assert columns == {"subject": ["u"], "item": [1], "category": ["x"]}
    assert place(0) == "f, record 1, user u"


def test_headers() -> None:
    header = ["INPUT:image", "OUTPUT:label", "ASSIGNMENT:worker_id"]
    assert is_export_header(header)
    assert not is_export_header([*header, "OUTPUT:label"])
    row = dict(zip(header, "abc", strict=True))
    columns, _ = read_export_table([row], REQUEST, "a.tsv", locate)
    assert columns == {"subject": ["c"], "item": ["a"], "category": ["b"]}


def test_the_score_of_a_model_is_no_grade() -> None:
    request = ColumnRequest(("item",), (), "grade", any_of=("grade",), takes_score=True)
    export = Export("T", [{"item": "a", "score": 0.7}], ["p"], {})
    with pytest.raises(DataError, match="no column for 'grade'"):
        columns_of_export(export, request, "a.jsonl")
