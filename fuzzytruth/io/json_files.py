"""JSON (a list of records, or nested objects) and JSON lines (one record a line)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from fuzzytruth.errors import DataError, shown
from fuzzytruth.io.column_names import has_columns
from fuzzytruth.io.column_request import ColumnRequest, rival_of
from fuzzytruth.io.columns import Columns
from fuzzytruth.io.exports.recognise import is_export, read_export
from fuzzytruth.io.files import Source, locate_by_number
from fuzzytruth.io.json_text import parse_json
from fuzzytruth.io.nested import with_grades, with_scores
from fuzzytruth.io.origin import Locate, Origin, column_at, origin_of


def read_json(source: Source, request: ColumnRequest) -> tuple[Columns, Origin]:
    """Read a list of records, ``{query: {item: value}}`` or ``{system: {query: ...}}``."""
    data = parse_json(source.text(), str(source.path))
    if is_export([data]):  # the state of one user
        data = [data]
    if isinstance(data, list):
        return _columns_of_records(
            data, request, str(source.path), locate_by_number(source.path, "record")
        )
    if isinstance(data, dict):
        return _columns_of_nested(source.path, data, request)
    raise _wrong_shape(str(source.path), data, request)


def read_json_lines(source: Source, request: ColumnRequest) -> tuple[Columns, Origin]:
    """Read one record a line, blank lines skipped."""
    return parse_json_lines(source.path, source.text(), request)


def parse_json_lines(
    path: Path, text: bytes, request: ColumnRequest, *, first_line: int = 1
) -> tuple[Columns, Origin]:
    """Columns of some lines, one record each."""
    records, lines = [], []
    for line, record in enumerate(text.splitlines(), start=first_line):
        if record.strip():
            records.append(parse_json(record, f"{path}, line {line}", is_line=True))
            lines.append(line)
    return _columns_of_records(
        records, request, str(path), lambda row: f"{path}, line {lines[row]}"
    )


def _columns_of_records(
    records: list[Any], request: ColumnRequest, where: str, locate: Locate
) -> tuple[Columns, Origin]:
    """Columns of a list of records."""
    if not records:
        raise DataError(f"{where}: there are no records in it")
    for row, record in enumerate(records):
        if not isinstance(record, dict):
            raise DataError(
                f"{locate(row)}: {shown(record)} is not a record; give an object with "
                f"{request.record_keys}"
            )
    if export := read_export(records, request, where, locate):
        return export
    present = dict.fromkeys(key for record in records for key in record)
    names = request.match(present, where)
    origin = origin_of(locate, names, present)
    columns: Columns = {}
    for name, key in names.items():
        columns[name] = [record.get(key) for record in records]
        if rival_of(name) is not None:
            continue
        for row, value in enumerate(columns[name]):
            if value is None and request.may_miss(name):
                continue
            if value is None or isinstance(value, (dict, list, bool)):
                what = "is missing" if value is None else f"{shown(value)} is not text or a number"
                raise DataError(
                    f"{column_at(origin, row, name)}: value {what}; every record needs one"
                )
    return columns, origin


def _columns_of_nested(
    path: Path, data: dict[str, Any], request: ColumnRequest
) -> tuple[Columns, Origin]:
    """Columns of nested objects; one level more than expected means several systems."""
    keys = ["query", "item"]
    if not {*keys} <= {*request.known}:
        raise DataError(
            f"{path}: nested objects do not say what their levels are; give a list of records with "
            f"{request.record_keys}"
        )
    named = [*request.kept, *request.answers.wide, *(request.columns or {}).values()]
    if named:
        raise DataError(
            f"{path}: nested objects have no column {shown(named[0])}; give a list of "
            f"records with {request.record_keys}"
        )
    second_level = next(
        (v for value in data.values() if isinstance(value, dict) for v in value.values()), None
    )
    if "system" in request.optional and isinstance(second_level, (dict, list)):
        keys.insert(0, "system")
        data = {
            system: _with_numbers(lists, f"{path}, system {shown(system)}", request)
            for system, lists in data.items()
        }
    elif not has_columns(data, request.required):  # those are whole columns
        data = _with_numbers(data, str(path), request)
    rows = list(_leaves(str(path), data, request, tuple(keys)))
    if not rows:
        raise DataError(f"{path}: there are no rows in it")
    columns: Columns = dict(zip((*keys, request.value), zip(*rows, strict=True), strict=True))

    def locate(row: int) -> str:
        path_to_row = zip(keys, rows[row], strict=False)
        return f"{path}, " + ", ".join(f"{key} {shown(value)}" for key, value in path_to_row)

    return columns, Origin(locate)


def _with_numbers(lists: Any, where: str, request: ColumnRequest) -> Any:
    """Lists of items as numbers of items: ranks of a run, or which items are relevant."""
    if request.value == "score":
        return with_scores(lists, where, request.duplicates)
    return with_grades(lists) if request.value == "grade" else lists


def _leaves(
    where: str, data: Any, request: ColumnRequest, keys: tuple[str, ...]
) -> Iterator[tuple[Any, ...]]:
    """All (key, ..., key, value) of nested objects; `keys` names the levels, outermost first."""
    if not isinstance(data, dict):
        raise _wrong_shape(where, data, request)
    for key, value in data.items():
        place = f"{where}, {keys[0]} {shown(key)}"
        if len(keys) > 1:
            for row in _leaves(place, value, request, keys[1:]):
                yield (key, *row)
        elif (isinstance(value, (int, float)) and not isinstance(value, bool)) or (
            isinstance(value, str) and not request.is_number(request.value)
        ):
            yield key, value
        else:
            raise _wrong_shape(place, value, request)


def _wrong_shape(where: str, value: Any, request: ColumnRequest) -> DataError:
    """The error of a value that is in neither of the accepted forms."""
    return DataError(
        f"{where}: {shown(value)} does not belong there; give a list of records with "
        f"{request.record_keys}, or {{query: {{item: {request.value}}}}}"
        + ("; several systems are those of a run" if _is_run(value, request) else "")
    )


def _is_run(value: Any, request: ColumnRequest) -> bool:
    """Whether an object stands where judgments have a grade."""
    return isinstance(value, dict) and "grade" in (request.value, *request.any_of)
