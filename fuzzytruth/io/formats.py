"""Which format a file is in, by its name."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

Format = Literal["trec", "csv", "tsv", "json", "jsonl", "parquet"]

_BY_SUFFIX: dict[str, Format] = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".json": "json",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
    ".pq": "parquet",
}


def format_of(path: Path) -> Format:
    """Format by the ending of the name (`.gz` aside); any other ending is a TREC file."""
    suffixes = [s.lower() for s in path.suffixes]
    if suffixes and suffixes[-1] == ".gz":
        suffixes.pop()
    return _BY_SUFFIX.get(suffixes[-1], "trec") if suffixes else "trec"
