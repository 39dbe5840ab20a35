"""Parquet files."""

from __future__ import annotations

from typing import Any

import numpy as np

from fuzzytruth.errors import DataError
from fuzzytruth.io.columns import NUMBERS, ColumnRequest, Columns, Locate
from fuzzytruth.io.files import Source, locate_by_number
from fuzzytruth.io.ids import plain_values

_MAGIC = b"PAR1"


def read_parquet(source: Source, request: ColumnRequest) -> tuple[Columns, Locate]:
    """Read the requested columns of a Parquet file."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    data = source.read()
    if not data.startswith(_MAGIC):
        raise DataError(f"{source.path}: is not a Parquet file; name it by its format")
    try:
        file = pq.ParquetFile(pa.BufferReader(data))
        names = request.match(file.schema_arrow.names, str(source.path))
        table = file.read(columns=list(names.values()))
    except (OSError, pa.ArrowException, UnicodeError) as error:
        raise DataError(f"{source.path}: is a damaged Parquet file ({error})") from None
    columns = {name: table.column(column) for name, column in names.items()}
    for name in NUMBERS & columns.keys():
        columns[name] = _numbers(columns[name])
    return columns, locate_by_number(source.path, "row")


def _numbers(column: Any) -> Any:
    """Doubles, NaN where missing; a list of the values as they are if they are not numbers."""
    import pyarrow as pa

    try:
        return column.cast(pa.float64(), safe=False).to_numpy().astype(np.float64)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        return plain_values(column)
