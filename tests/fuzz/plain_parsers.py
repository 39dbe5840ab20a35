"""Independent parsers in plain Python: what a file says, or a `ValueError`."""

import csv
import io
import json
import math
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from fuzz.target import RefusedError, Row

BOM = "\ufeff"


def number(value: Any) -> float:
    """A finite number, written or as JSON has it."""
    if isinstance(value, str) and "_" in value:
        raise RefusedError(f"{value[:50]!r} is not a number")
    if value is None or isinstance(value, (bool, list, dict)):
        raise RefusedError(f"{value!r} is not a number")
    try:
        out = float(value)
    except OverflowError as error:
        raise RefusedError(str(error)) from None
    if not math.isfinite(out):
        raise RefusedError(f"{out} is not finite")
    return out


def number_or_missing(value: Any) -> float | None:
    """The same; None if it is missing."""
    return None if value is None or value != value else number(value)


def identifier(value: Any) -> str:
    """An id as text."""
    if value is None or isinstance(value, (bool, list, dict)) or value != value:
        raise RefusedError(f"{value!r} is no id")
    if isinstance(value, bytes):
        value = value.decode()
    text = str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
    text.encode()
    if not text or "\0" in text or BOM in text:
        raise RefusedError(f"{text[:50]!r} is no id")
    return text


def unique(rows: Sequence[Row], n_keys: int) -> Sequence[Row]:
    """The rows, unless two have the same first `n_keys` fields."""
    if len({row[:n_keys] for row in rows}) < len(rows):
        raise RefusedError("a row occurs twice")
    return rows


def some(rows: Sequence[Row]) -> Sequence[Row]:
    """The rows, unless there are none."""
    if not rows:
        raise RefusedError("there are no rows")
    return rows


def trec_lines(data: bytes, n_fields: int, *, open_ended: bool) -> list[list[str]] | None:
    """The fields of each line that is not blank; None if the first line is one of a matrix."""
    if data.startswith(BOM.encode()):
        data = data[len(BOM.encode()) :]
    lines = [fields for line in re.split(rb"\r\n|\r|\n", data) if (fields := line.split())]
    if lines and len(lines[0]) != 6 and len(lines[0]) > 1 and all(map(_is_number, lines[0])):
        return None
    for fields in lines:
        if len(fields) < n_fields or (len(fields) > n_fields and not open_ended):
            raise RefusedError(f"{len(fields)} fields")
    return [[_text(field) for field in fields[:n_fields]] for fields in lines]


def _text(field: bytes) -> str:
    """The field; what is not UTF-8 becomes a surrogate, which no id may hold."""
    return field.decode(errors="surrogateescape")


def _is_number(field: bytes) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return True


def trec_run(system: str, data: bytes) -> Sequence[Row] | None:
    """System, query, item, score of a TREC run."""
    lines = trec_lines(data, 6, open_ended=True)
    if lines is None:
        return None
    rows = [(system, identifier(f[0]), identifier(f[2]), number(f[4])) for f in lines]
    return some(unique(rows, 3))


def trec_judgments(data: bytes) -> Sequence[Row] | None:
    """Query, item, grade; and the subject, if some item of a query has two of them."""
    lines = trec_lines(data, 4, open_ended=False)
    if lines is None:
        return None
    rows = [(identifier(q), identifier(i), identifier(g), number(v)) for q, g, i, v in lines]
    pairs = {row[:3] for row in rows}
    if len({row[:2] for row in rows}) == len(pairs):
        return some(unique([(q, i, v) for q, i, _, v in rows], 2))
    return some(unique(rows, 3))


def table(
    data: bytes, names: Sequence[str], numbers: Iterable[str], *, ending: str
) -> list[dict[str, Any]] | None:
    """Records of a CSV or TSV file with exactly these columns; None if the header has others."""
    text = data.decode("utf-8-sig", errors="surrogateescape")  # which no id may hold
    head = text.lstrip(" \r\n")
    first = re.split(r"\r\n|\r|\n", head)[0]
    separator = max(",;\t", key=first.count) if ending == "csv" else "\t"
    limit = csv.field_size_limit(10**9)
    try:
        records = list(csv.reader(io.StringIO(head, newline=""), delimiter=separator))
    finally:
        csv.field_size_limit(limit)
    records = [r for r in records if len(r) > 1 or (r and r[0].strip())]
    if not records or sorted(records[0]) != sorted(names):
        return None
    header, *body = records
    if any(len(row) != len(header) for row in body):
        raise RefusedError("a row has too many or too few fields")
    if not body:
        raise RefusedError("there are no rows")
    return [typed(dict(zip(header, row, strict=True)), names, numbers) for row in body]


def typed(record: dict[str, Any], names: Sequence[str], numbers: Iterable[str]) -> dict[str, Any]:
    """A record with ids as text and numbers as floats."""
    of_numbers: dict[str, Callable[[Any], Any]] = dict.fromkeys(numbers, number)
    if "value" in of_numbers:  # of scores
        of_numbers["value"] = number_or_missing
    if "parent" in names:  # of an edge: none above a root
        of_numbers["parent"] = lambda value: None if value in ("", b"", None) else identifier(value)
    return {name: of_numbers.get(name, identifier)(record.get(name)) for name in names}


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) < len(pairs):
        raise RefusedError("a key occurs twice")
    return dict(pairs)


def json_value(data: bytes) -> Any:
    """A JSON text whose objects have no key twice."""
    try:
        return json.loads(data.decode("utf-8-sig"), object_pairs_hook=_no_duplicates)
    except RecursionError:
        raise RefusedError("too deep") from None


def json_records(
    data: bytes, names: Sequence[str], numbers: Iterable[str], *, ending: str
) -> list[dict[str, Any]] | None:
    """Records of JSON or JSON lines with these keys; None if there are others."""
    if ending == "jsonl":
        plain = data.removeprefix(BOM.encode())
        records = [json_value(line) for line in plain.splitlines() if line.strip()]
    else:
        records = json_value(data)
        if not isinstance(records, list):
            return None
    if not records:
        raise RefusedError("there are no records")
    if not all(isinstance(record, dict) for record in records):
        raise RefusedError("a record is no object")
    if any(set(record) - set(names) for record in records):
        return None
    return [typed(record, names, numbers) for record in records]


def parquet(
    data: bytes, names: Sequence[str], numbers: Iterable[str], *, ending: str
) -> list[dict[str, Any]] | None:
    """Records of a Parquet file as Arrow reads them."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    del ending
    try:
        read = pq.ParquetFile(pa.BufferReader(data)).read()
        if sorted(read.column_names) != sorted(names):
            return None
        columns = (column.to_pylist() for column in read.columns)
        records = [
            dict(zip(read.column_names, row, strict=True)) for row in zip(*columns, strict=True)
        ]
    except (OSError, pa.ArrowException) as error:
        raise RefusedError(str(error)) from None
    for record in records:  # truth values are 0 and 1 in a column of them
        record |= {name: float(v) for name, v in record.items() if isinstance(v, bool)}
    return [typed(record, names, numbers) for record in records]
