"""doccano: samples like those of its repository (`data_export/pipeline/examples`)."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.exports import locate, reader_of, triples, with_left_out, write_lines

import fuzzytruth as ft
from fuzzytruth.errors import DataError

recognise, flatten = reader_of("doccano")

IMAGES = [{"filename": "cat.png", "label": ["cat"]}, {"filename": "dog.png", "label": ["dog"]}]
TEXTS = [
    {"id": 1, "text": "Terrible customer service.", "label": ["dog", "cat"], "Comments": []},
    {"id": 2, "text": "Good.", "label": []},
]
TAXONOMY = ft.Taxonomy.from_children({"all": ["cat", "dog"]})


def test_labels() -> None:
    assert recognise(IMAGES)
    assert recognise(TEXTS)
    assert triples(flatten(IMAGES, locate)) == [(None, "cat.png", "cat"), (None, "dog.png", "dog")]
    expected = [(None, 1, "dog"), (None, 1, "cat"), (None, 2, None)]
    assert triples(flatten(TEXTS, locate)) == expected


def test_spans_are_counted_and_users_are_subjects() -> None:
    spans = [{"id": 1, "text": "EU", "user": "ann", "entities": [], "cats": ["cat"]}]
    assert triples(flatten(spans, locate)) == [("ann", 1, "cat")]
    mixed = [{"id": 1, "data": "EU", "label": [[0, 2, "ORG"], "cat"]}]
    export = flatten(mixed, locate)
    assert (triples(export), export.left_out["label of a span"]) == ([(None, 1, "cat")], 1)


def test_plain_tables_are_no_exports() -> None:
    assert not recognise([{"text": "a", "label": "cat"}, {"label": ["cat"]}])


def test_the_file_names_the_annotator(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "ann.jsonl", TEXTS)
    votes, said = with_left_out(lambda: ft.read_assignments(path, taxonomy=TAXONOMY))
    assert votes.subjects.to_pylist() == ["ann"]
    assert said == [f"{path}: of this export of doccano, 1 annotation without 'label' left out"]


def test_shared_annotations_have_no_subject(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "all.jsonl", TEXTS)
    with pytest.raises(DataError, match="no column for 'subject'"):
        ft.read_assignments(path, taxonomy=TAXONOMY)
