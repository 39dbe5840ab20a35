"""Tables read some rows at a time: CSV, TSV, JSON lines and Parquet."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from fuzzytruth.errors import DataError, OptionError
from fuzzytruth.io.column_request import ColumnRequest
from fuzzytruth.io.columns import Columns
from fuzzytruth.io.delimited import (
    decode,
    header_size,
    is_blank,
    parse_delimited,
    read_delimited,
    separator_of,
)
from fuzzytruth.io.files import Source
from fuzzytruth.io.formats import format_of
from fuzzytruth.io.json_files import parse_json_lines, read_json, read_json_lines
from fuzzytruth.io.objects import settle
from fuzzytruth.io.origin import Origin
from fuzzytruth.io.parquet import parquet_batches, read_parquet

_ROWS = 1 << 16  # of a Parquet file at a time

#: formats that are read some rows at a time
IN_BLOCKS = ("csv", "tsv", "jsonl", "parquet")


def table_blocks(source: Source, request: ColumnRequest) -> Iterator[tuple[Columns, Origin]]:
    """Unchecked columns of some rows under their canonical names, and where these come from.

    Of a file in one of the formats `IN_BLOCKS`. Each block of JSON lines has the columns that its
    own records have.
    """
    kind = format_of(source.path)
    if kind == "parquet":
        return parquet_batches(source, request, _ROWS)
    if kind == "jsonl":
        return _of_json_lines(source, request)
    return _of_delimited(source, request)


def _of_json_lines(source: Source, request: ColumnRequest) -> Iterator[tuple[Columns, Origin]]:
    line = 1
    for text in source.blocks():
        if not text.isspace():
            yield parse_json_lines(source.path, text, request, first_line=line)
        line += len(text.splitlines())


def _of_delimited(source: Source, request: ColumnRequest) -> Iterator[tuple[Columns, Origin]]:
    header, separator, n_lines, n_of_header = b"", "", 0, 0
    for text in _whole_records(source.blocks()):
        if not header:
            size = header_size(source.path, text, request)
            header, n_of_header = text[:size], len(text[:size].splitlines())
            separator = separator_of(source.path, decode(source.path, header))
            yield parse_delimited(source.path, text, request)
        elif not is_blank(text, separator):
            yield parse_delimited(
                source.path, header + text, request, skipped=n_lines - n_of_header
            )
        n_lines += len(text.splitlines())


def _whole_records(blocks: Iterator[bytes]) -> Iterator[bytes]:
    """Blocks of lines that end outside quotes, so that no record is cut."""
    held: list[bytes] = []
    is_open = False  # a quote, at the end of what is held
    for block in blocks:
        held.append(block)
        is_open ^= block.count(b'"') % 2 == 1
        if not is_open:
            yield b"".join(held)
            held = []
    if held:
        yield b"".join(held)


# Reading tables with named columns from files of any format.


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
