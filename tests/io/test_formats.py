"""Formats by the ending of the name."""

from __future__ import annotations

from pathlib import Path

import pytest

from fuzzytruth.errors import DataError
from fuzzytruth.io.files import format_of, format_to_write, stem_of, taxonomy_format_of

TABLES = {".csv": "csv", ".tsv": "tsv", ".json": "json", ".jsonl": "jsonl", ".ndjson": "jsonl"}
TABLES |= {".parquet": "parquet", ".pq": "parquet"}


@pytest.mark.parametrize("ending", TABLES)
@pytest.mark.parametrize("packed", ["", ".gz", ".GZ"])
def test_tables(ending: str, packed: str) -> None:
    for name in (f"a{ending}", f"a.b{ending.upper()}"):
        assert format_of(Path(name + packed)) == TABLES[ending]
        assert taxonomy_format_of(Path(name + packed)) == TABLES[ending]


@pytest.mark.parametrize("name", ["a", "a.run", "a.txt", "a.gz", "a.run.gz", "dir.csv/a", ".csv"])
def test_anything_else_is_trec(name: str) -> None:
    assert format_of(Path(name)) == "trec"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("a.run.bz2", r"^a\.run\.bz2: only \.gz compression is supported, not \.bz2$"),
        ("a.zip", r"not \.zip$"),
        (
            "a.XLSX",
            r"the ending .\.xlsx. names no format .* \(save the sheet as CSV\); name the file",
        ),
        ("a.xml.gz", r"the ending '\.xml' names no format"),
    ],
)
def test_unsupported_formats(name: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        format_of(Path(name))


def test_taxonomies() -> None:
    assert taxonomy_format_of(Path("a.cla")) == "cla"
    assert taxonomy_format_of(Path("a.TXT.gz")) == "indented"
    for name in ("a", "a.owl", "a.gz"):
        with pytest.raises(DataError, match=r"names no format of taxonomies; name the file \.csv"):
            taxonomy_format_of(Path(name))


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        *(("a" + ending, "trec") for ending in ("", ".txt", ".RUN", ".qrels", ".trec.gz", ".gz")),
        ("bm25-b0.75", "trec"),
        ("a.CSV.gz", "csv"),
        ("a.ndjson", "jsonl"),
    ],
)
def test_formats_that_are_written(name: str, kind: str) -> None:
    assert format_to_write(Path(name)) == kind


@pytest.mark.parametrize("name", ["a.xyz", "a.xyz.gz", "a.cvs", "a.md"])
def test_unknown_endings_are_not_written(name: str) -> None:
    with pytest.raises(DataError, match=r"names no format to write; name the file \.csv.*\.txt"):
        format_to_write(Path(name))


@pytest.mark.parametrize("name", ["a", "a.txt", "a.run"])
def test_a_table_has_no_format_of_trec(name: str) -> None:
    with pytest.raises(DataError, match=r"names no format to write; name the file \.csv.*\.pq$"):
        format_to_write(Path(name), trec=False)


@pytest.mark.parametrize(
    ("name", "stem"),
    [
        ("a/b.run", "b"),
        ("b.run.GZ", "b"),
        ("b.v2.run", "b.v2"),
        ("b.v2", "b"),
        ("b-0.75", "b-0.75"),
        ("b-0.75.gz", "b-0.75"),
        (".run", ".run"),
        ("b.", "b."),
        ("b", "b"),
    ],
)
def test_stems(name: str, stem: str) -> None:
    assert stem_of(Path(name)) == stem
