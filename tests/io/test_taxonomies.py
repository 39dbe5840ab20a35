"""Taxonomies in files of every format: the ending of the name chooses the reader and the writer."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from fuzzytruth.errors import DataError
from fuzzytruth.io.files import Source
from fuzzytruth.io.taxonomies import read_edges, write_taxonomy


def write(path: Path) -> None:
    write_taxonomy(
        path,
        frame=lambda: pd.DataFrame({"parent": ["a", "b"], "child": ["b", "ç"]}),
        children=lambda: {"a": ["b"], "b": ["ç"]},
        text=lambda: "a\n\tb\n\t\tç\n",
    )


@pytest.mark.parametrize("ending", ["csv", "tsv", "json", "jsonl", "parquet", "txt", "txt.gz"])
def test_what_was_written(tmp_path: Path, ending: str) -> None:
    write(tmp_path / f"a.{ending}")
    edges = read_edges(Source.of(tmp_path / f"a.{ending}"))
    pairs = list(zip(map(str, edges.parent), map(str, edges.child), strict=True))
    assert [pair for pair in pairs if pair[0] != "None"] == [("a", "b"), ("b", "ç")]
    assert edges.where == str(tmp_path / f"a.{ending}")


def test_classification_files_are_read_only(tmp_path: Path) -> None:
    path = tmp_path / "a.cla"
    with pytest.raises(DataError, match=r"a \.cla file also lists the models of each class"):
        write(path)
    path.write_text("PSB 1\n1 0\na 0 0\n")
    assert read_edges(Source.of(path)).child == ["a"]


def test_unknown_endings(tmp_path: Path) -> None:
    for call in (write, lambda path: read_edges(Source.of(path))):
        with pytest.raises(DataError, match="names no format of taxonomies"):
            call(tmp_path / "a.owl")
