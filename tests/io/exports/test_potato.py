"""Potato: instances and states of users as in "Export Formats" and "Quick Start"."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.exports import (
    locate,
    reader_of,
    reader_of_table,
    triples,
    write_json,
    write_lines,
)

import fuzzytruth as ft
from fuzzytruth.errors import LeftOutWarning

recognise, flatten = reader_of("Potato")
recognise_header, _ = reader_of_table("Potato")

INSTANCE = {
    "user_id": "ann",
    "instance_id": "1",
    "displayed_text": "This is a great product!",
    "label_annotations": {"mood": {"happy": True, "sad": False}},
    "span_annotations": [],
    "behavioral_data": {"time_spent": 12.5},
}
STATE = {
    "user_id": "ann",
    "instance_id_to_label_to_value": {
        "item_001": {"mood": {"labels": {"happy": True}}},
        "item_002": {"mood": {"labels": {"sad": True}}},
    },
    "instance_id_to_span_to_value": {
        "item_001": {"ner": [{"start": 0, "end": 5, "label": "PERSON", "text": "Alice"}]}
    },
}
TAXONOMY = ft.Taxonomy.from_children({"all": ["happy", "sad"]})


@pytest.mark.parametrize(
    ("labels", "chosen"),
    [
        ({"happy": True, "sad": False}, ["happy"]),
        ({"happy": "1", "sad": "2"}, ["happy", "sad"]),
        ({"happy": "true", "sad": "false"}, ["happy"]),
        ({"scale_4": "4"}, ["4"]),
        ({"text_box": "free text"}, ["free text"]),
        ("happy", ["happy"]),
    ],
)
def test_instances(labels: Any, chosen: list[Any]) -> None:
    record = INSTANCE | {"label_annotations": {"mood": labels}}
    assert recognise([record])
    export = flatten([record], locate)
    assert triples(export) == [("ann", "1", label) for label in chosen]
    assert export.records[0]["displayed_text"] == "This is a great product!"


def test_state_of_a_user(tmp_path: Path) -> None:
    assert recognise([STATE])
    path = write_json(tmp_path / "user_state.json", STATE)
    with pytest.warns(LeftOutWarning, match="1 label of a span left out"):
        votes = ft.read_assignments(path, taxonomy=TAXONOMY)
    assert votes.subjects.to_pylist() == ["ann"]
    assert votes.membership().probability("item_002", "sad") == 1


def test_wide_records_and_tables(tmp_path: Path) -> None:
    wide = {"user": "ann", "instance_id": "1", "mood:::happy": "1", "mood:::sad": ""}
    assert recognise([wide])
    assert recognise_header(list(wide))
    assert triples(flatten([wide], locate)) == [("ann", "1", "happy")]
    path = tmp_path / "a.tsv"
    path.write_text("\n".join("\t".join(row) for row in (wide, wide.values())), encoding="utf-8")
    votes = ft.read_assignments(path, taxonomy=TAXONOMY)
    assert votes.membership().probability("1", "happy") == 1


def test_the_folder_names_the_user(tmp_path: Path) -> None:
    nameless = {key: value for key, value in INSTANCE.items() if key != "user_id"}
    (tmp_path / "bob").mkdir()
    path = write_lines(tmp_path / "bob" / "annotated_instances.jsonl", [nameless])
    assert ft.read_assignments(path, taxonomy=TAXONOMY).subjects.to_pylist() == ["bob"]


def test_plain_tables_are_no_exports() -> None:
    assert not recognise([{"id": 1, "user": 2, "label": "a"}, {"labels": {"a": 1}}])
    assert not recognise_header(["user", "id", "label"])
