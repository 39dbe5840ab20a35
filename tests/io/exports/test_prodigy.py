"""Prodigy: tasks as in "Annotation interfaces" (choice, classification) and "Review"."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.exports import locate, reader_of, triples, write_lines

import fuzzytruth as ft
from fuzzytruth.errors import LeftOutWarning

recognise, flatten = reader_of("Prodigy")


def task(who: str, answer: str = "accept", **more: Any) -> dict[str, Any]:
    return {
        "text": "This is text B",
        "meta": {"source": "web"},
        "_input_hash": -1530009927,
        "_task_hash": -340967702,
        "answer": answer,
        "_timestamp": 1707211049,
        "_annotator_id": f"db-{who}",
        "_session_id": f"db-{who}",
    } | more


OPTIONS = [{"id": "SPORT", "text": "Sport"}, {"id": "NEWS", "text": "News"}]
CHOICES = [
    task("ann", options=OPTIONS, accept=["SPORT", "NEWS"], _view_id="choice"),
    task("bob", options=OPTIONS, accept=["NEWS"]),
    task("bob", "ignore", options=OPTIONS, accept=[], _input_hash=2),
]
ITEM = -1530009927


def test_choices() -> None:
    assert recognise(CHOICES)
    export = flatten(CHOICES, locate)
    expected = [("db-ann", ITEM, "SPORT"), ("db-ann", ITEM, "NEWS"), ("db-bob", ITEM, "NEWS")]
    assert triples(export) == expected
    assert export.left_out == {"ignored task": 1}
    assert export.records[0]["meta.source"] == "web"


def test_one_label_to_accept_or_reject() -> None:
    export = flatten([task("ann", label="NEWS"), task("bob", "reject", label="NEWS")], locate)
    assert triples(export) == [("db-ann", ITEM, "NEWS"), ("db-bob", ITEM, None)]
    assert [(r["option"], r["answer"]) for r in export.records] == [
        ("NEWS", "accept"),
        ("NEWS", "reject"),
    ]


def test_answers_without_label() -> None:
    export = flatten([task("ann", id="t1"), task("bob", "reject", id="t1")], locate)
    assert triples(export) == [("db-ann", "t1", "accept"), ("db-bob", "t1", "reject")]


def test_sessions_name_who_no_annotator_does() -> None:
    one = task("ann", label="NEWS")
    del one["_annotator_id"]
    assert triples(flatten([one], locate)) == [("db-ann", ITEM, "NEWS")]


def test_plain_tables_are_no_exports() -> None:
    assert not recognise([{"item": 1, "subject": 2, "answer": "accept"}])
    assert not recognise([{"_input_hash": 1, "answer": 3}])


def test_assignments(tmp_path: Path) -> None:
    taxonomy = ft.Taxonomy.from_children({"all": ["SPORT", "NEWS"]})
    path = write_lines(tmp_path / "a.jsonl", CHOICES)
    with pytest.warns(LeftOutWarning, match="export of Prodigy, 1 ignored task left out"):
        votes = ft.read_assignments(path, taxonomy=taxonomy)
    assert votes.membership().probability(str(ITEM), "SPORT") == 0.5


@pytest.mark.parametrize("label", [{"label": "RELEVANT"}, {}])
def test_judgments_of_accepted_and_rejected_tasks(label: dict[str, str], tmp_path: Path) -> None:
    about = {"query": "q", **label}
    records = [
        task("ann", doc_id=1, **about),
        task("bob", "reject", doc_id=1, **about),
        task("ann", "reject", doc_id=2, **about),
        task("bob", "ignore", doc_id=2, **about),
    ]
    path = write_lines(tmp_path / "p.jsonl", records)
    with pytest.warns(LeftOutWarning, match="export of Prodigy, 1 ignored task left out"):
        judgments = ft.read_judgments(path)
    assert judgments.to_frame().to_numpy().tolist() == [
        ["q", "1", "db-ann", 1],
        ["q", "1", "db-bob", 0],
        ["q", "2", "db-ann", 0],
    ]
    with pytest.warns(LeftOutWarning, match="1 ignored task left out"):
        named = ft.read_judgments(path, columns={"query": "query", "item": "doc_id"})
    assert named.checksum == judgments.checksum


def test_a_grade_of_the_task_stays() -> None:
    assert flatten([task("ann", grade=3)], locate).records[0]["grade"] == 3
