"""Argilla: records as in "Feedback Data Model" (v1) and "Import and export datasets" (v2)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.exports import locate, reader_of, triples, with_left_out, write_lines

import fuzzytruth as ft
from fuzzytruth.errors import DataError

recognise, flatten = reader_of("Argilla")

FIELDS = {"query": "q1", "doc": "d1"}
VERSION_1 = {
    "fields": FIELDS,
    "metadata": {"source": "web"},
    "external_id": "e1",
    "responses": [
        {"user_id": "u1", "values": {"relevance": {"value": 3}}, "status": "submitted"},
        {"user_id": "u2", "values": {"relevance": {"value": 1}}, "status": "submitted"},
        {"user_id": "u3", "values": {"relevance": {"value": 1}}, "status": "discarded"},
        {"user_id": "u4", "values": None, "status": "discarded"},
    ],
}
VERSION_2 = {
    "id": "e1",
    "fields": FIELDS,
    "metadata": {"source": "web"},
    "suggestions": {"relevance": {"value": 2, "score": 0.9, "agent": "model"}},
    "responses": {"relevance": [{"value": 3, "user_id": "u1"}, {"value": 1, "user_id": "u2"}]},
    "vectors": {},
    "status": "completed",
}
FLAT = {
    "id": "e1",
    "status": "completed",
    **FIELDS,
    "relevance.responses": [3, 1, 0],
    "relevance.responses.users": ["u1", "u2", "u3"],
    "relevance.responses.status": ["submitted", "submitted", "draft"],
    "relevance.suggestion": 2,
}
GRADES = [("u1", "d1", 3), ("u2", "d1", 1)]


@pytest.mark.parametrize(
    ("record", "left_out"),
    [(VERSION_1, {"discarded response": 1}), (VERSION_2, {}), (FLAT, {"draft": 1})],
)
def test_versions(record: dict[str, Any], left_out: dict[str, int]) -> None:
    assert recognise([record])
    export = flatten([record], locate)
    assert triples(export, "relevance") == GRADES
    assert {record["task_id"] for record in export.records} == {"e1"}
    assert export.left_out == left_out
    assert export.place == ["f, record 1, user u1", "f, record 1, user u2"]
    assert "label" not in export.records[0]  # relevance means a grade by itself
    assert triples(export, "category") == GRADES


def test_several_labels_and_questions() -> None:
    responses = {
        "topic": [{"value": ["a", "b"], "user_id": "u1"}],
        "good": [{"value": "yes", "user_id": "u1"}],
        "spans": [{"value": [{"label": "x", "start": 0, "end": 1}], "user_id": "u1"}],
    }
    export = flatten([VERSION_2 | {"responses": responses}], locate)
    assert [(r["topic"], r["good"]) for r in export.records] == [("a", "yes"), ("b", "yes")]
    assert export.left_out == {"response of spans or ranks": 1}
    assert len(export.distinct(["subject", "item", "good"]).records) == 1
    assert len(export.distinct(["subject", "item", "topic"]).records) == 2


def test_users_and_responses_differ_in_number() -> None:
    message = r"^f, record 1: 'relevance.responses.users' names 1 user, but there are 3 responses; "
    with pytest.raises(DataError, match=message):
        flatten([FLAT | {"relevance.responses.users": ["u1"]}], locate)


def test_plain_tables_are_no_exports() -> None:
    assert not recognise([{"item": 1, "subject": 2, "responses": 3}, {"fields": {}, "id": 1}])


def test_judgments_by_columns_and_words(tmp_path: Path) -> None:
    responses = [
        {"user_id": user, "values": {"relevance": {"value": word}}, "status": "submitted"}
        for user, word in (("u1", "relevant"), ("u2", "not_relevant"))
    ]
    path = write_lines(tmp_path / "argilla.jsonl", [VERSION_1 | {"responses": responses}])
    judgments = ft.read_judgments(
        path,
        columns={"query": "fields.query", "grade": "relevance"},
        grades={"not_relevant": 0, "relevant": 1},
    )
    assert judgments.to_frame().values.tolist() == [["q1", "d1", "u1", 1], ["q1", "d1", "u2", 0]]


def test_judgments(tmp_path: Path) -> None:
    record = VERSION_1 | {"query": "q1"}
    path = write_lines(tmp_path / "argilla.jsonl", [record])
    judgments, said = with_left_out(lambda: ft.read_judgments(path))
    assert said == [f"{path}: of this export of Argilla, 1 discarded response left out"]
    assert repr(judgments).startswith("Judgments(2 rows, 1 query")
    assert sorted(judgments.grade) == [1, 3]


@pytest.mark.parametrize("record", [VERSION_1, VERSION_2, FLAT])
def test_grades_are_categories_of_assignments(record: dict[str, Any], tmp_path: Path) -> None:
    path = write_lines(tmp_path / "argilla.jsonl", [record])
    votes, _ = with_left_out(lambda: ft.read_assignments(path))
    assert votes.membership().to_frame().loc["d1", ["1", "3"]].tolist() == [0.5, 0.5]
