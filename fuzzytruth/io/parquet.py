"""Parquet files."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from fuzzytruth.errors import DataError
from fuzzytruth.io.column_request import ColumnRequest
from fuzzytruth.io.columns import Columns
from fuzzytruth.io.files import Source, locate_by_number
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
