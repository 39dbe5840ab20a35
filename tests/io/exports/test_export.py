"""Answers become flat records, and what is left out is counted."""

from __future__ import annotations

from typing import Any

import pytest

from fuzzytruth.errors import DataError, LeftOutWarning, UnusedColumnWarning
from fuzzytruth.io.annotation_tools import Answer, Record, scalars
from fuzzytruth.io.exports import Export, export_of


def test_names_of_ours_give_way_to_the_tools() -> None:
    answers = [Answer("p", {"data.item": "a"}, {"q": ["x"]}, subject="ann", task=7)]
    assert export_of("T", answers, {}).records == [
        {"data.item": "a", "q": "x", "label": "x", "subject": "ann", "task_id": 7}
    ]


@pytest.mark.parametrize(
    ("fields", "item", "task_id"),
    [
        ([{"data.doc_id": 1}, {"data.doc_id": 2}], [1, 2], [7, 8]),
        (
            [{"meta.pid": "x", "task_id": "t"}, {"meta.pid": "x", "task_id": "t"}],
            ["x"] * 2,
            ["t"] * 2,
        ),
        ([{"doc_id": 1}, {"text": "a"}], [7, 8], [None] * 2),
        ([{"doc_id": 1, "docno": 2}] * 2, [7, 8], [None] * 2),
    ],
)
def test_the_item_is_a_field_of_the_task_or_its_id(
    fields: list[Record], item: list[Any], task_id: list[Any]
) -> None:
    answers = [Answer("p", fields[0], {"q": ["x"]}, task=7), Answer("p", fields[1], {}, task=8)]
    records = export_of("T", answers, {}).records
    assert [record["item"] for record in records] == item
    assert [record.get("task_id") for record in records] == task_id


def test_a_field_that_some_answers_lack_is_reported() -> None:
    def export(*fields: Record) -> Export:
        answers = [Answer(f"p{j}", one, {"q": ["x"]}, task=j) for j, one in enumerate(fields)]
        return export_of("T", answers, {})

    said = "^a.json: 'image' is empty in 1 answer of this export of T, so that the ids"
    with pytest.warns(UnusedColumnWarning, match=said):
        export({"image": "a"}, {"image": ""}, {"image": "b", "text": "c"}).report_gaps("a.json")
    export({"image": "a"}, {"image": "b"}).report_gaps("a.json")  # nothing to say
    export({"image": "", "doc": "a"}, {"image": "b", "doc": "c"}).report_gaps("a.json")
    assert export({"item": ""}, {"item": "b"}).gaps == {}  # the tool's own


def test_truth_values_are_words() -> None:
    export = export_of("T", [Answer("p", scalars({"gold": False}), {"q": [True]})], {})
    assert export.records == [{"gold": "false", "q": "true", "label": "true"}]


def test_labels_of_two_questions_combine_and_are_told_apart() -> None:
    answers = [Answer("p", {}, {"q": ["x", "y"], "r": [1, 2]}), Answer("p2", {}, {"q": ["x"]})]
    export = export_of("T", answers, {"draft": 2})
    assert len(export.records) == 5
    assert [r["q"] for r in export.distinct(["q"]).records] == ["x", "y", "x"]
    of_r = export.distinct(["r"])
    assert ([r["r"] for r in of_r.records], of_r.place) == ([1, 2], ["p", "p"])
    assert of_r.left_out == {"draft": 2, "annotation without 'r'": 1}


def test_report() -> None:
    export = export_of("T", [Answer("p", {}, {"q": ["x"]})], {"draft": 0})
    export.report("a.json")  # nothing to say
    with pytest.warns(LeftOutWarning, match=r"^a.json: of this export of T, 2 labels of a span "):
        export_of("T", [Answer("p", {}, {"q": ["x"]})], {"label of a span": 2}).report("a.json")
    with pytest.raises(DataError, match=r"holds no answers \(left out: 1 draft\); export"):
        export_of("T", [], {"draft": 1}).report("a.json")


@pytest.mark.parametrize(
    ("question", "fields", "added"),
    [
        ("q", {}, ["label"]),
        ("rating", {}, ["category"]),
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
