"""Reading tables with named columns from files of any format."""

from __future__ import annotations

from fuzzytruth.io.columns import ColumnRequest, Columns, Locate
from fuzzytruth.io.delimited import read_delimited
from fuzzytruth.io.files import Source
from fuzzytruth.io.formats import format_of
from fuzzytruth.io.json_files import read_json, read_json_lines
from fuzzytruth.io.parquet import read_parquet

_READERS = {
    "csv": read_delimited,
    "tsv": read_delimited,
    "json": read_json,
    "jsonl": read_json_lines,
    "parquet": read_parquet,
}


def read_table(source: Source, request: ColumnRequest) -> tuple[Columns, Locate]:
    """Unchecked columns under their canonical names, and a function that locates each row."""
    return _READERS[format_of(source.path)](source, request)
