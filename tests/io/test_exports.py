"""Exports are told apart; their answers become flat records, and what is left out is counted."""

from typing import Any

import pytest
from support.exports import locate

from fuzzytruth.errors import DataError, LeftOutWarning, UnusedColumnWarning
from fuzzytruth.io.annotation_tools import Answer, Record, scalars
from fuzzytruth.io.exports import (
    Export,
    columns_of_export,
    export_of,
    item_field,
    only_field,
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


def answered(*fields: Record, left_out: dict[str, int] | None = None, **questions: Any) -> Export:
    """An answer to each task with these fields."""
    given = questions or {"q": ["x"]}
    answers = [Answer(f"p{j}", one, given, task=j) for j, one in enumerate(fields)]
    return export_of("T", answers, left_out or {})


@pytest.mark.parametrize("tool", SAMPLES)
def test_tools(tool: str) -> None:
    found = tool_of([SAMPLES[tool]])
    assert found is not None
    assert found.name == tool
    assert tool_of([SAMPLES[tool], {"query": 1}]) is None


@pytest.mark.parametrize("records", [[], [3], [{"system": "a", "id": 1, "user": 2, "labels": "x"}]])
def test_plain_records(records: list[Any]) -> None:
    assert tool_of(records) is None


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


def test_the_score_of_a_model_is_no_grade() -> None:
    request = ColumnRequest(("item",), (), "grade", any_of=("grade",), takes_score=True)
    export = Export("T", [{"item": "a", "score": 0.7}], ["p"], {})
    with pytest.raises(DataError, match="no column for 'grade'"):
        columns_of_export(export, request, "a.jsonl")


@pytest.mark.parametrize(
    ("names", "field"),
    [
        ("Input.x Input.y", None),
        ("Input.query Input.doc", "Input.doc"),
        ("Input.doc Input.image", None),
        ("data.query data.doc_id data.document", "data.doc_id"),
        ("data.meta.pid data.text", "data.meta.pid"),
        ("data.doc_id data.meta.doc_id", None),
        ("doc_id docno", None),
        ("suggestions.item text", None),
        ("", None),
    ],
)
def test_the_field_that_names_the_item(names: str, field: str | None) -> None:
    assert item_field(names.split(), [dict.fromkeys(names.split(), 1)]) == field


@pytest.mark.parametrize("lacking", [{}, {"doc_id": None}, {"doc_id": ""}])
def test_every_task_has_that_field(lacking: dict[str, str | None]) -> None:
    tasks = [{"doc_id": 0, "image": "a"}, {"image": "b"} | lacking]
    assert item_field(["doc_id", "image"], tasks) == "image"
    assert item_field(["doc_id"], tasks, "image") == "image"
    assert item_field([], tasks, "doc_id") is None
    assert [record["item"] for record in answered(tasks[0], lacking).records] == [0, 1]


def test_only_field() -> None:
    assert only_field(["Input.x", "Answer.y"], "Input.") == "Input.x"
    assert only_field(["Input.x", "Input.y"], "Input.") is None
    assert only_field(["Answer.y"], "Input.") is None


def test_the_id_of_a_task_stays_beside_its_item() -> None:
    records = answered({"data.doc_id": 8}, {"data.doc_id": 9}).records
    assert [(record["item"], record["task_id"]) for record in records] == [(8, 0), (9, 1)]
    (record,) = answered({"meta.pid": "x", "task_id": "t"}).records
    assert (record["item"], record["task_id"]) == ("x", "t")
    assert "task_id" not in answered({"text": "a"}).records[0]


def test_names_of_ours_give_way_to_the_tools_and_truth_values_are_words() -> None:
    answers = [Answer("p", {"data.item": "a"}, {"q": ["x"]}, subject="ann", task=7)]
    assert export_of("T", answers, {}).records == [
        {"data.item": "a", "q": "x", "label": "x", "subject": "ann", "task_id": 7}
    ]
    export = export_of("T", [Answer("p", scalars({"gold": False}), {"q": [True]})], {})
    assert export.records == [{"gold": "false", "q": "true", "label": "true"}]


@pytest.mark.parametrize(
    ("question", "fields", "added"),
    [
        ("q", {}, ["label"]),
        ("OUTPUT:rel", {}, ["category"]),
        ("rating", {"category": "news"}, []),
        ("rating", {"data.label": "gold"}, []),
        ("label", {}, []),
        ("choice", {}, []),
    ],
)
def test_what_repeats_the_answer(question: str, fields: Record, added: list[str]) -> None:
    (record,) = export_of("T", [Answer("p", fields, {question: [2]})], {}).records
    assert {name: record[name] for name in added} == dict.fromkeys(added, 2)
    assert record.keys() == {question, *fields, *added}


def test_labels_of_two_questions_combine_and_are_told_apart() -> None:
    answers = [Answer("p", {}, {"q": ["x", "y"], "r": [1, 2]}), Answer("p2", {}, {"q": ["x"]})]
    export = export_of("T", answers, {"draft": 2})
    assert len(export.records) == 5
    assert [r["q"] for r in export.distinct(["q"]).records] == ["x", "y", "x"]
    of_r = export.distinct(["r"])
    assert ([r["r"] for r in of_r.records], of_r.place) == ([1, 2], ["p", "p"])
    assert of_r.left_out == {"draft": 2, "annotation without 'r'": 1}


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
