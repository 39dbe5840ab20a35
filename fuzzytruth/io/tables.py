"""Files with named columns, whatever the format."""

from __future__ import annotations

from fuzzytruth.io.columns import Columns, Locate, Wanted
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


def read_table(source: Source, wanted: Wanted) -> tuple[Columns, Locate]:
    """Columns under their canonical names, not yet checked, and where each row stands."""
    return _READERS[format_of(source.path)](source, wanted)
