"""JSON (records, or nested objects) and JSON lines (one record a line)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from fuzzytruth.errors import DataError, shown
from fuzzytruth.io.columns import Columns, Locate, Wanted
from fuzzytruth.io.files import Source, numbered


def read_json(source: Source, wanted: Wanted) -> tuple[Columns, Locate]:
    """Read a list of records, ``{query: {item: value}}`` or ``{system: {query: ...}}``."""
    data = parse_json(source.text(), str(source.path))
    if isinstance(data, list):
        return _columns(data, wanted, str(source.path), numbered(source.path, "record"))
    if isinstance(data, dict):
        return _nested(source.path, data, wanted)
    raise _wrong_shape(str(source.path), data, wanted)


def read_json_lines(source: Source, wanted: Wanted) -> tuple[Columns, Locate]:
    """Read one record a line; blank lines do not count."""
    records, lines = [], []
    for line, text in enumerate(source.text().splitlines(), start=1):
        if text.strip():
            records.append(parse_json(text, f"{source.path}, line {line}"))
            lines.append(line)
    return _columns(
        records, wanted, str(source.path), lambda row: f"{source.path}, line {lines[row]}"
    )


def parse_json(text: bytes, where: str) -> Any:
    """What the text holds; a `DataError` if it is not JSON, or an object has a key twice."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        out = dict(pairs)
        if len(out) < len(pairs):
            keys = [key for key, _ in pairs]
            twice = next(key for key in keys if keys.count(key) > 1)
            raise DataError(f"{where}: key {shown(twice)} occurs twice in one object")
        return out

    try:
        return json.loads(text.decode(), object_pairs_hook=unique)
    except DataError:
        raise
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, " if "line" not in where else ""
        raise DataError(
            f"{where}, {place}character {error.colno}: is not JSON ({error.msg})"
        ) from None
    except (ValueError, RecursionError) as error:  # not UTF-8, endless digits, endless brackets
        raise DataError(f"{where}: is not JSON ({error})") from None


def _columns(
    records: list[Any], wanted: Wanted, where: str, locate: Locate
) -> tuple[Columns, Locate]:
    """Columns of a list of records."""
    if not records:
        raise DataError(f"{where}: there are no records in it")
    for row, record in enumerate(records):
        if not isinstance(record, dict):
            raise DataError(
                f"{locate(row)}: {shown(record)} is not a record; give an object with "
                f"{wanted.listed}"
            )
    present = dict.fromkeys(key for record in records for key in record)
    names = wanted.found(present, where)
    columns: Columns = {}
    for name, key in names.items():
        columns[name] = [record.get(key) for record in records]
        for row, value in enumerate(columns[name]):
            if value is None or isinstance(value, (dict, list, bool)):
                what = "is missing" if value is None else f"{shown(value)} is not text or a number"
                raise DataError(
                    f"{locate(row)}, column {name!r}: value {what}; every record needs one"
                )
    return columns, locate


def _nested(path: Path, data: dict[str, Any], wanted: Wanted) -> tuple[Columns, Locate]:
    """Columns of nested objects; an inner object more than expected tells systems apart."""
    keys = ["query", "item"]
    inner = next(
        (v for value in data.values() if isinstance(value, dict) for v in value.values()), None
    )
    if "system" in wanted.optional and isinstance(inner, dict):
        keys.insert(0, "system")
    rows = list(_leaves(str(path), data, wanted, tuple(keys)))
    if not rows:
        raise DataError(f"{path}: there are no rows in it")
    columns: Columns = dict(zip((*keys, wanted.value), zip(*rows, strict=True), strict=True))

    def locate(row: int) -> str:
        named = zip(keys, rows[row], strict=False)
        return f"{path}, " + ", ".join(f"{key} {shown(value)}" for key, value in named)

    return columns, locate


def _leaves(
    where: str, data: Any, wanted: Wanted, keys: tuple[str, ...]
) -> Iterator[tuple[Any, ...]]:
    """All (key, ..., key, value) of nested objects, whose keys mean `keys` from the outside in."""
    if not isinstance(data, dict):
        raise _wrong_shape(where, data, wanted)
    for key, value in data.items():
        inside = f"{where}, {keys[0]} {shown(key)}"
        if len(keys) > 1:
            for row in _leaves(inside, value, wanted, keys[1:]):
                yield (key, *row)
        elif isinstance(value, (int, float)) and not isinstance(value, bool):
            yield key, value
        else:
            raise _wrong_shape(inside, value, wanted)


def _wrong_shape(where: str, found: Any, wanted: Wanted) -> DataError:
    return DataError(
        f"{where}: {shown(found)} does not belong there; give a list of records with "
        f"{wanted.listed}, or {{query: {{item: {wanted.value}}}}}"
    )
