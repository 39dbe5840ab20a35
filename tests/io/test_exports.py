"""Exports are told apart; their answers become flat records, and what is left out is counted."""

from typing import Any

import pytest
from support.exports import locate

from fuzzytruth.errors import DataError, LeftOutWarning, UnusedColumnWarning
from fuzzytruth.io.annotation_tools import Answer, Record
from fuzzytruth.io.exports import (
    Export,
    export_of,
    read_export,
    tool_of,
    tool_of_header,
)
from fuzzytruth.io.tables import ColumnRequest

REQUEST = ColumnRequest(("subject", "item", "category"), ("weight",), "category")
ARGILLA = {"id": 1, "text": "a", "label.responses": ["x"], "label.responses.users": ["u"]}


def answered(*fields: Record, left_out: dict[str, int] | None = None, **questions: Any) -> Export:
    """An answer to each task with these fields."""
    given = questions or {"q": ["x"]}
    answers = [Answer(f"p{j}", one, given, task=j) for j, one in enumerate(fields)]
    return export_of("T", answers, left_out or {})


def test_read_export() -> None:
    tool = tool_of([ARGILLA])
    assert tool is not None
    columns, place = read_export(tool, [ARGILLA], REQUEST, "a.json", locate)
    assert columns == {"subject": ["u"], "item": [1], "category": ["x"]}
    assert place(0) == "f, record 1, user u"
    with pytest.raises(DataError, match=r"^f, record 61: is no record of Argilla, as those before"):
        read_export(tool, [ARGILLA] * 60 + [{"query": 1}], REQUEST, "a.jsonl", locate)
    header = ["INPUT:image", "OUTPUT:label", "ASSIGNMENT:worker_id"]
    tool = tool_of_header(header)
    assert tool is not None
    assert tool_of_header([*header, "OUTPUT:label"]) is None
    row = dict(zip(header, "abc", strict=True))
    columns, _ = read_export(tool, [row], REQUEST, "a.tsv", locate)
    assert columns == {"subject": ["c"], "item": ["a"], "category": ["b"]}


def test_reports() -> None:
    answered({}, left_out={"draft": 0}).report("a.json")  # nothing to say
    with pytest.warns(LeftOutWarning, match=r"^a.json: of this export of T, 2 labels of a span "):
        answered({}, left_out={"label of a span": 2}).report("a.json")
    with pytest.raises(DataError, match=r"holds no answers \(left out: 1 draft\); export"):
        answered(left_out={"draft": 1}).report("a.json")
    said = "^a.json: 'image' is empty in 1 answer of this export of T, so that the ids"
    with pytest.warns(UnusedColumnWarning, match=said):
        answered({"image": "a"}, {"image": ""}, {"image": "b", "x": "c"}).report_gaps("a.json")
    answered({"image": "a"}, {"image": "b"}).report_gaps("a.json")  # nothing to say
    answered({"image": "", "doc": "a"}, {"image": "b", "doc": "c"}).report_gaps("a.json")
    assert answered({"item": ""}, {"item": "b"}).gaps == {}  # the tool's own
