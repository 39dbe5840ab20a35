"""Toloka: columns as in "Getting results" and Toloka-Kit's `GetAssignmentsTsvParameters`."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.exports import locate, reader_of_table, triples

import fuzzytruth as ft
from fuzzytruth.errors import LeftOutWarning

recognise_header, flatten = reader_of_table("Toloka")

HEADER = [
    *("INPUT:image", "OUTPUT:result", "GOLDEN:result", "HINT:text"),
    *("ASSIGNMENT:task_id", "ASSIGNMENT:worker_id", "ASSIGNMENT:status"),
]
ROWS = [
    ["a.jpg", "cat", "", "", "t1", "w1", "APPROVED"],
    ["a.jpg", "dog", "", "", "t1", "w2", "SUBMITTED"],
    ["b.jpg", "dog", "dog", "", "t2", "w1", "APPROVED"],
    ["c.jpg", "dog", "", "", "t3", "w1", "REJECTED"],
    ["d.jpg", "", "", "", "t4", "w1", "SKIPPED"],
]
RECORDS = [dict(zip(HEADER, row, strict=True)) for row in ROWS]


def test_rows_that_do_not_count() -> None:
    assert recognise_header(HEADER)
    assert not recognise_header(["image", "worker_id", "result"])
    export = flatten(RECORDS, locate)
    assert triples(export) == [("w1", "a.jpg", "cat"), ("w2", "a.jpg", "dog")]
    counts = {"golden task": 1, "rejected assignment": 1, "skipped assignment": 1}
    assert export.left_out == counts


def test_tasks_of_several_inputs_are_items() -> None:
    pairs = [{"INPUT:a": "1", "INPUT:b": "2"} | row for row in RECORDS[:1]]
    assert triples(flatten(pairs, locate)) == [("w1", "a.jpg", "cat")]  # image is a usual name
    del pairs[0]["INPUT:image"]
    assert triples(flatten(pairs, locate)) == [("w1", "t1", "cat")]


def test_file(tmp_path: Path) -> None:
    path = tmp_path / "results.tsv"
    path.write_text("\n".join("\t".join(row) for row in [HEADER, *ROWS]), encoding="utf-8")
    taxonomy = ft.Taxonomy.from_children({"all": ["cat", "dog"]})
    said = "Toloka, 1 golden task, 1 rejected assignment, 1 skipped assignment left out"
    with pytest.warns(LeftOutWarning, match=said):
        votes = ft.read_assignments(path, taxonomy=taxonomy)
    assert votes.membership().probability("a.jpg", "cat") == 0.5
