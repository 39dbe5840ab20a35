"""Formats by the ending of the name."""

from __future__ import annotations

from pathlib import Path

import pytest

from fuzzytruth.errors import DataError
from fuzzytruth.io.formats import format_of, taxonomy_format_of

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
        ("a.XLSX", r"the ending '\.xlsx' names no format that is supported; name the file \.csv"),
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
