"""Exports are told apart, and no plain table is taken for one."""

from __future__ import annotations

from typing import Any

import pytest
from support.exports import locate

from fuzzytruth.errors import DataError
from fuzzytruth.io.exports import (
    Export,
    columns_of_export,
    read_export,
    tool_of,
    tool_of_header,
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
    found = tool_of([SAMPLES[tool]])
    assert found is not None
    assert found.name == tool
    assert tool_of([SAMPLES[tool], {"query": 1}]) is None


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
    assert tool_of(records) is None


def test_records_that_differ() -> None:
    records = [SAMPLES["doccano"]] * 60 + [{"query": 1}]
    tool = tool_of(records)
    assert tool is not None
    with pytest.raises(DataError, match=r"^f, record 61: is no record of doccano, as those before"):
        read_export(tool, records, REQUEST, "a.jsonl", locate)


def test_columns() -> None:
    tool = tool_of([ARGILLA])
    assert tool is not None
    columns, place = read_export(tool, [ARGILLA], REQUEST, "a.json", locate)
    assert columns == {"subject": ["u"], "item": [1], "category": ["x"]}
    assert place(0) == "f, record 1, user u"


def test_headers() -> None:
    header = ["INPUT:image", "OUTPUT:label", "ASSIGNMENT:worker_id"]
    tool = tool_of_header(header)
    assert tool is not None
    assert tool_of_header([*header, "OUTPUT:label"]) is None
    row = dict(zip(header, "abc", strict=True))
    columns, _ = read_export(tool, [row], REQUEST, "a.tsv", locate)
    assert columns == {"subject": ["c"], "item": ["a"], "category": ["b"]}


def test_the_score_of_a_model_is_no_grade() -> None:
    request = ColumnRequest(("item",), (), "grade", any_of=("grade",), takes_score=True)
    export = Export("T", [{"item": "a", "score": 0.7}], ["p"], {})
    with pytest.raises(DataError, match="no column for 'grade'"):
        columns_of_export(export, request, "a.jsonl")
