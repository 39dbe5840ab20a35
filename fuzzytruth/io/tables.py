"""Reading tables with named columns from files of any format."""

from __future__ import annotations

from pathlib import Path

from fuzzytruth.errors import DataError, OptionError
from fuzzytruth.io.answers import settle
from fuzzytruth.io.column_request import ColumnRequest
from fuzzytruth.io.columns import Columns
from fuzzytruth.io.delimited import read_delimited
from fuzzytruth.io.files import Source
from fuzzytruth.io.formats import format_of
from fuzzytruth.io.json_files import read_json, read_json_lines
from fuzzytruth.io.origin import Origin
from fuzzytruth.io.parquet import read_parquet

_READERS = {
    "csv": read_delimited,
    "tsv": read_delimited,
    "json": read_json,
    "jsonl": read_json_lines,
    "parquet": read_parquet,
}


def read_table(source: Source, request: ColumnRequest) -> tuple[Columns, Origin]:
    """Unchecked columns under their canonical names, and where each row comes from.

    One row is one answer: tables with a column for each subject are made long, answers that are
    none are left out, and words become numbers, as the request says.
    """
    columns, origin = _READERS[format_of(source.path)](source, request)
    return settle(columns, origin, request, str(source.path))


def table_source(path: str | Path, what: str, columns: tuple[str, ...]) -> Source:
    """The file at `path`; a `DataError` if its format lacks the named columns of `what`."""
    source = Source.of(path)
    if format_of(source.path) not in _READERS:
        raise DataError(
            f"{source.path}: {what} need named columns ({', '.join(columns)}); give a file that "
            "ends in .csv, .tsv, .json, .jsonl or .parquet"
        )
    return source


def refuse_table_options(path: Path, request: ColumnRequest) -> None:
    """Raise if options that need named columns were given for a file without them."""
    if request.options:
        raise OptionError(
            f"{request.options}: {path} has no named columns (it is read as a TREC file); name a "
            "table .csv, .tsv, .json, .jsonl or .parquet"
        )
