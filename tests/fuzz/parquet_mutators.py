"""Mutations of Parquet files: columns, types, missing values, rows, encodings, and bytes."""

import io
import random
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from fuzz.mutators import damaged

KINDS = [
    *(pa.string(), pa.large_string(), pa.string_view(), pa.binary(), pa.int8(), pa.int64()),
    *(pa.uint64(), pa.float16(), pa.float32(), pa.float64(), pa.bool_(), pa.date32()),
    *(pa.timestamp("us"), pa.duration("s"), pa.decimal128(20, 3), pa.list_(pa.string()), pa.null()),
    pa.dictionary(pa.int32(), pa.string()),
]
NUMBERS = [float("nan"), float("inf"), -float("inf"), 1e308, 5e-324, -0.0, 2.0**53 + 2, 0.1, None]
TEXTS = ["", " ", "\0", "\ufeff", "x" * 70_000, "nan", "1", "\x1b[31m", "a\nb", None]


def mutate_parquet(data: bytes, rng: random.Random) -> bytes:
    """Damaged bytes, or another table."""
    if rng.random() < 0.4:
        return _damaged_places(data, rng)
    table = pq.read_table(pa.BufferReader(data))
    for _ in range(rng.choice((1, 1, 2))):
        try:
            table = _changed(table, rng)
        except (pa.ArrowException, OverflowError, LookupError, ValueError):
            continue
    return _written(table, rng, data)


def _damaged_places(data: bytes, rng: random.Random) -> bytes:
    """A few bytes anywhere, or in the pages at the start, or in the footer at the end."""
    if rng.random() < 0.4:
        return damaged(data, rng)
    out = bytearray(data)
    footer = max(4, len(out) - 8 - int.from_bytes(out[-8:-4], "little"))
    places = range(4, footer) if rng.random() < 0.5 else range(footer, len(out))
    for _ in range(rng.choice((1, 2, 5))):
        out[rng.choice(places)] = rng.randrange(256)
    return bytes(out)


def _changed(table: Any, rng: random.Random) -> Any:
    at = rng.randrange(table.num_columns)
    name, column = table.column_names[at], table.column(at)
    match rng.randrange(7):
        case 0:
            return table.drop_columns([name])
        case 1:
            names = table.column_names
            names[at] = rng.choice(["", "zzz", "grade", "Query", *names])
            return table.rename_columns(names)
        case 2:
            return table.set_column(at, name, _cast(column, rng.choice(KINDS)))
        case 3:
            values = column.to_pylist()
            values[rng.randrange(len(values))] = rng.choice(
                NUMBERS if isinstance(values[0], float) else TEXTS
            )
            return table.set_column(at, name, pa.array(values))
        case 4:
            rows = [rng.randrange(table.num_rows) for _ in range(rng.randrange(table.num_rows + 2))]
            return table.take(pa.array(rows, pa.int64()))
        case 5:
            return table.append_column(rng.choice(["zzz", name, "extra"]), column)
        case _:
            return table.select(rng.sample(table.column_names, table.num_columns))


def _cast(column: Any, kind: Any) -> Any:
    if pa.types.is_list(kind):
        return pa.array([[value] for value in column.to_pylist()])
    if pa.types.is_null(kind):
        return pa.nulls(len(column))
    return column.cast(kind, safe=False)


def _written(table: Any, rng: random.Random, otherwise: bytes) -> bytes:
    """The table with other row groups, compression and encodings."""
    file = io.BytesIO()
    try:
        pq.write_table(
            table,
            file,
            row_group_size=rng.randrange(1, table.num_rows + 2),
            compression=rng.choice(["none", "snappy", "gzip", "zstd"]),
            use_dictionary=rng.random() < 0.5,
            data_page_version=rng.choice(["1.0", "2.0"]),
            write_page_checksum=rng.random() < 0.5,
        )
    except (pa.ArrowException, ValueError):
        return otherwise
    return file.getvalue()
