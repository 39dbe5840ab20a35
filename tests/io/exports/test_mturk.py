"""Mechanical Turk: batch results; answers as in "Crowd HTML Elements Reference"."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from support.exports import locate, reader_of_table, triples

import fuzzytruth as ft
from fuzzytruth.errors import DataError, LeftOutWarning

recognise_header, flatten = reader_of_table("Mechanical Turk")


def row(worker: str, status: str = "Approved", **more: str) -> dict[str, str]:
    return {
        "HITId": "H1",
        "AssignmentId": "A1",
        "WorkerId": worker,
        "AssignmentStatus": status,
        "Input.image_url": "a.jpg",
    } | {f"Answer.{name}": value for name, value in more.items()}


def test_answers_by_column() -> None:
    rows = [row("w1", animal="cat"), row("w2", "Rejected", animal="dog")]
    assert recognise_header(list(rows[0]))
    assert not recognise_header(["HITId", "WorkerId", "label"])
    export = flatten(rows, locate)
    assert triples(export) == [("w1", "a.jpg", "cat")]
    assert export.left_out == {"rejected assignment": 1}


@pytest.mark.parametrize(
    ("answer", "labels"),
    [
        ({"label": "cat"}, ["cat"]),
        ({"labels": ["cat", "dog"]}, ["cat", "dog"]),
        ({"cat": True, "dog": False}, ["cat"]),
        ("cat", ["cat"]),
        (4, [4]),
    ],
)
def test_task_answers(answer: Any, labels: list[Any]) -> None:
    export = flatten([row("w1", taskAnswers=json.dumps([{"animal": answer}]))], locate)
    assert triples(export) == [("w1", "a.jpg", label) for label in labels]
    assert triples(export, "animal") == triples(export)


def radio(*chosen: str) -> dict[str, str]:
    return {f"rel.{option}": str(option in chosen).lower() for option in ("0", "1", "2.5")}


def test_radio_buttons_are_one_question() -> None:
    rows = [row("w1", **radio("1")), row("w2", **radio("2.5")), row("w3", **radio())]
    export = flatten(rows, locate)
    expected = [("w1", "a.jpg", "1"), ("w2", "a.jpg", "2.5"), ("w3", "a.jpg", None)]
    assert triples(export, "Answer.rel") == expected
    assert not any("Answer.rel.1" in record for record in export.records)


def test_check_boxes_may_give_several_labels() -> None:
    export = flatten([row("w1", **radio("0", "1"))], locate)
    assert triples(export, "Answer.rel") == [("w1", "a.jpg", "0"), ("w1", "a.jpg", "1")]


@pytest.mark.parametrize(
    "answers",
    [
        {"rel.on": "true"},
        {"rel.1": "true", "rel.why": "as it says"},
        {"rel": "x", "rel.1": "true", "rel.0": "false"},
        {"rel": "true", "sure": "false"},
    ],
)
def test_other_columns_stay_questions(answers: dict[str, str]) -> None:
    (record,) = flatten([row("w1", **answers)], locate).records
    assert {f"Answer.{name}": value for name, value in answers.items()}.items() <= record.items()


def test_judgments_of_radio_buttons(tmp_path: Path) -> None:
    path = tmp_path / "Batch_1_batch_results.csv"
    rows = [row(w, **radio(n)) | {"Input.query": "q"} for w, n in (("w1", "1"), ("w2", "0"))]
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    judgments = ft.read_judgments(path, columns={"item": "Input.image_url"})
    assert judgments.to_frame().to_numpy().tolist() == [
        ["q", "a.jpg", "w1", 1],
        ["q", "a.jpg", "w2", 0],
    ]
    votes = ft.read_assignments(path, columns={"item": "Input.image_url"})
    assert votes.to_frame()["category"].tolist() == ["1", "0"]


def test_answers_that_are_no_json_have_a_place() -> None:
    with pytest.raises(DataError, match=r"record 1, column 'Answer.taskAnswers', .* is not JSON"):
        flatten([row("w1", taskAnswers="[{")], locate)


def test_file(tmp_path: Path) -> None:
    path = tmp_path / "Batch_1_batch_results.csv"
    rows = [
        row("w1", taskAnswers='[{"animal": {"label": "cat"}}]'),
        row("w2", taskAnswers='[{"animal": {"label": "dog"}}]'),
        row("w3", "Rejected", taskAnswers='[{"animal": {"label": "dog"}}]'),
    ]
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    taxonomy = ft.Taxonomy.from_children({"all": ["cat", "dog"]})
    with pytest.warns(LeftOutWarning, match="Mechanical Turk, 1 rejected assignment left out"):
        votes = ft.read_assignments(path, taxonomy=taxonomy)
    assert votes.membership().probability("a.jpg", "cat") == 0.5
