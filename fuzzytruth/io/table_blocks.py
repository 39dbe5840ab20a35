"""Tables read some rows at a time: CSV, TSV, JSON lines and Parquet."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

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
from fuzzytruth.io.files import Source, locate_by_number
from fuzzytruth.io.formats import format_of
from fuzzytruth.io.json_files import parse_json_lines, read_json, read_json_lines
from fuzzytruth.io.objects import settle
from fuzzytruth.io.origin import Origin, origin_of

if TYPE_CHECKING:
    import pyarrow.parquet as pq


_MAGIC = b"PAR1"


def read_parquet(source: Source, request: ColumnRequest) -> tuple[Columns, Origin]:
    """Read the requested columns of a Parquet file."""
    with parquet_file(source) as file:
        present = file.schema_arrow.names
        names = request.match(present, str(source.path))
        table = file.read(columns=list(dict.fromkeys(names.values())))
        for column in table.columns:
            check_codes(column)
    columns = {name: table.column(column) for name, column in names.items()}
    return columns, origin_of(locate_by_number(source.path, "row"), names, present)


def parquet_batches(
    source: Source, request: ColumnRequest, n_rows: int
) -> Iterator[tuple[Columns, Origin]]:
    """The requested columns of a Parquet file, about `n_rows` at a time."""
    n_before = 0
    with parquet_file(source) as file:
        present = file.schema_arrow.names
        names = request.match(present, str(source.path))
        wanted = list(dict.fromkeys(names.values()))
        for batch in file.iter_batches(batch_size=n_rows, columns=wanted):
            for column in batch.columns:
                check_codes(column)
            columns = {name: batch.column(column) for name, column in names.items()}
            place = locate_by_number(source.path, "row", n_before)
            yield columns, origin_of(place, names, present)
            n_before += len(batch)


@contextmanager
def parquet_file(source: Source) -> Iterator[pq.ParquetFile]:
    """An open Parquet file; whatever goes wrong in reading it becomes a `DataError`."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    if not is_parquet(source):
        raise DataError(f"{source.path}: is not a Parquet file; name it by its format")
    try:
        on_disk = source.size is not None
        yield pq.ParquetFile(
            pa.OSFile(str(source.path)) if on_disk else pa.BufferReader(source.read()),
            page_checksum_verification=True,  # of the pages that have one
            pre_buffer=False,  # which keeps the bytes of all row groups
        )
    except (OSError, pa.ArrowException, UnicodeError, MemoryError, OverflowError) as error:
        text = " ".join(str(error).split())
        raise DataError(f"{source.path}: is a damaged Parquet file ({text})") from None


def is_parquet(source: Source) -> bool:
    """Whether the file starts as Parquet files do; an empty file is a `DataError`."""
    with source.open() as file:
        start = file.read(len(_MAGIC))
    return (start or source.read()) == _MAGIC


def check_codes(column: Any) -> None:
    """Raise unless the codes of a dictionary-encoded column are within the dictionary."""
    import pyarrow as pa

    if pa.types.is_dictionary(column.type):
        for chunk in column.chunks if isinstance(column, pa.ChunkedArray) else [column]:
            chunk.dictionary_decode()


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
