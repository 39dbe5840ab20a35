"""Classification files: edges, the class of each model, and counts that must agree."""

from __future__ import annotations

from pathlib import Path

import pytest

from fuzzytruth.errors import DataError, TaxonomyError
from fuzzytruth.io.files import Source
from fuzzytruth.io.taxonomies import read_cla_edges

GOOD = "PSB 1\n3 4\n\nplant 0 1\nm1\n\ntree plant 2 m2\n m3\nanimal 0 1 m4\n"


def put(path: Path, text: str) -> Source:
    path.write_text(text)
    return Source.of(path)


def test_classes_and_models(tmp_path: Path) -> None:
    edges, class_of = read_cla_edges(put(tmp_path / "a.cla", GOOD))
    assert list(zip(edges.parent, edges.child, strict=True)) == [
        *((None, "plant"), ("plant", "tree"), (None, "animal"))
    ]
    assert class_of == {"m1": "plant", "m2": "tree", "m3": "tree", "m4": "animal"}
    assert [edges.locate(row).rpartition(" ")[2] for row in range(3)] == ["4", "7", "9"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("OFF", "line 1: a classification file starts with 'PSB 1'"),
        ("PSB 2", "line 1: version '2' of the format is not known; convert it to 1"),
        ("PSB", "the file ends where the version should follow"),
        ("PSB 1\n1 x", "line 2: 'x' should be the number of models, a whole number from 0"),
        (
            "PSB 1\n1 2\na 0 2\n7",
            "line 3: class 'a' should have 2 models, but the file ends after 1",
        ),
        ("PSB 1\n2 1\na 0 1\n7", "the head says 2 classes, but the file has 1; correct the head"),
        ("PSB 1\n1 2\na 0 1\n7", "the head says 2 models, but the file has 1"),
    ],
)
def test_files_that_break_the_format(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        read_cla_edges(put(tmp_path / "a.cla", text))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a 0 0\nplants 0 0\nb plant 0", r"line 5: parent 'plant' of 'b' .*\(nearest: 'plants'\)"),
        ("a 0 0\na 0 0", r"line 4: class 'a' is defined twice \(first: line 3\)"),
        ("a 0 1 m\nb 0 1 m", "line 4: model 'm' of 'b' is in 'a' already; a model has one class"),
    ],
)
def test_classes_that_are_no_taxonomy(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(TaxonomyError, match=message):
        read_cla_edges(put(tmp_path / "a.cla", f"PSB 1\n3 2\n{text}\n"))
