"""Parquet files."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth.errors import DataError
from fuzzytruth.io.columns import NUMBERS, ColumnRequest, Columns, Locate
from fuzzytruth.io.files import Source, locate_by_number
from fuzzytruth.io.ids import plain_values

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

_MAGIC = b"PAR1"


def read_parquet(source: Source, request: ColumnRequest) -> tuple[Columns, Locate]:
    """Read the requested columns of a Parquet file."""
    with parquet_file(source) as file:
        names = request.match(file.schema_arrow.names, str(source.path))
        table = file.read(columns=list(names.values()))
        for column in table.columns:
            _check_codes(column)
    columns = {name: table.column(column) for name, column in names.items()}
    for name in NUMBERS & columns.keys():
        columns[name] = _numbers(columns[name])
    return columns, locate_by_number(source.path, "row")


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
            pa.OSFile(str(source.path)) if on_disk else pa.BufferReader(source.read())
        )
    except (OSError, pa.ArrowException, UnicodeError) as error:
        text = " ".join(str(error).split())
        raise DataError(f"{source.path}: is a damaged Parquet file ({text})") from None


def is_parquet(source: Source) -> bool:
    """Whether the file starts as Parquet files do; an empty file is a `DataError`."""
    with source.open() as file:
        start = file.read(len(_MAGIC))
    return (start or source.read()) == _MAGIC


def _check_codes(column: pa.ChunkedArray[Any]) -> None:
    """Raise unless the codes of a dictionary-encoded column are within the dictionary."""
    import pyarrow as pa

    if pa.types.is_dictionary(column.type):
        for chunk in column.chunks:
            chunk.dictionary_decode()


def _numbers(column: Any) -> Any:
    """Doubles, NaN where missing; a list of the values as they are if they are not numbers."""
    import pyarrow as pa

    try:
        return column.cast(pa.float64(), safe=False).to_numpy().astype(np.float64)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        return plain_values(column)
