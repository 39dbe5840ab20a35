"""Files of tables with named columns: CSV, TSV, JSON and Parquet, whole or some rows at a time."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from fuzzytruth._lazy import pa, pq
from fuzzytruth.errors import DataError, OptionError, counted, first_few, shown
from fuzzytruth.io.column_names import has_columns, is_known, rival_of
from fuzzytruth.io.columns import (
    Columns,
    Locate,
    Origin,
    column_at,
    origin_of,
    parse_number,
    settle,
    words_hint,
)
from fuzzytruth.io.exports import read_export, tool_of, tool_of_header
from fuzzytruth.io.files import Source, locate_by_number, parse_json, parse_with_arrow
from fuzzytruth.io.ids import as_numpy
from fuzzytruth.io.tables import ColumnRequest, named_columns, with_grades, with_scores

_BLOCK = 16 << 20  # bytes that Arrow parses at a time; no row may be longer
_LONG = re.compile(r"[^\"',;\t\r\n]{1000,}")  # csv.reader refuses very long fields
_SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}


def read_delimited(source: Source, request: ColumnRequest) -> tuple[Columns, Origin]:
    """Read the requested columns of a CSV or TSV file whose first line names its columns."""
    return _columns_of(_parse_header(source, source.text(), request), request)


def _columns_of(sheet: _Sheet, request: ColumnRequest) -> tuple[Columns, Origin]:
    """The requested columns of the rows of a sheet."""
    path = str(sheet.path)
    if tool := tool_of_header(sheet.header):
        return read_export(tool, _rows(sheet), request, path, sheet.locate)
    names = request.match(sheet.header, f"{path}, header")
    fields = [
        _Field(name, sheet.header.index(column), request.is_number(name))
        for name, column in names.items()
    ]
    columns = _parse_with_arrow(sheet, fields)
    if columns is None:
        columns = _parse_by_record(sheet, fields)
    return columns, origin_of(sheet.locate, names, sheet.header)


@dataclass(frozen=True, slots=True)
class _Field:
    """A requested column: its canonical name, its place in a record, whether it holds numbers."""

    name: str
    place: int
    is_number: bool


@dataclass(frozen=True, slots=True)
class _Sheet:
    """The text of a file whose header has been parsed."""

    path: Path
    text: bytes
    separator: str
    header: list[str]
    body_start: int  # byte at which the rows start
    skipped: int = 0  # lines of the file between the header and the rows that are not in the text

    def records(self, text: str) -> Iterator[tuple[int, list[str]]]:
        """Line number (from 1) and fields of each row, blank lines skipped."""
        rows = csv.reader(io.StringIO(text, newline=""), delimiter=self.separator)
        line, is_header = 1, True
        while True:
            try:
                fields = next(rows)
            except StopIteration:
                return
            except csv.Error as error:
                raise DataError(
                    f"{self.path}, line {rows.line_num + self.skipped}: {error}; is a quote or a "
                    "line end missing?"
                ) from None
            if len(fields) > 1 or (fields and fields[0].strip()):
                if not is_header:
                    yield line + self.skipped, fields
                is_header = False
            line = rows.line_num + 1

    def locate(self, row: int) -> str:
        """Name the line on which row `row` (from 0) starts."""
        shortened = _LONG.sub("x", self.text.decode(errors="replace"))
        for j, (line, _) in enumerate(self.records(shortened)):
            if j == row:
                return f"{self.path}, line {line}"
        return f"{self.path}, row {row + 1}"


def _parse_header(source: Source, text: bytes, request: ColumnRequest) -> _Sheet:
    """Detect the separator and the names of the columns in the first line that is not blank."""
    path = source.path
    start = len(text) - len(text.lstrip(b" \r\n"))
    end = re.compile(rb"\r\n|\r|\n|\Z").search(text, start)
    stop = len(text) if end is None else end.end()
    first = decode(path, text[start:stop]).strip("\r\n")
    if first.count('"') % 2:
        raise DataError(f"{path}, header: a quote is open at the end of {shown(first)}; close it")
    separator = separator_of(source, first)
    header = next(csv.reader([first[:100_000]], delimiter=separator), [])
    known = any(map(is_known, header)) or tool_of_header(header)
    if not request.options and not known:
        raise DataError(
            f"{path}, header: {shown(first)} names no known column; the first line must name the "
            f"columns, such as {separator.join(request.example_header)!r}, separated by "
            f"{_SEPARATORS[separator]}; columns={{{request.example_header[0]!r}: ...}} says which "
            f"is which{request.of_measures}"
        )
    if is_blank(text[stop:], separator):
        raise DataError(f"{path}: there are no rows after the header")
    return _Sheet(path, text, separator, header, stop)


def is_blank(text: bytes, separator: str) -> bool:
    """Whether there is no row in these lines; a separator is one between empty cells."""
    return (not text or text.isspace()) and separator.encode() not in text


def separator_of(source: Source, header: str) -> str:
    """What separates the columns that the first line names."""
    return max(",;\t", key=header.count) if source.format == "csv" else "\t"


def _parse_with_arrow(sheet: _Sheet, fields: list[_Field]) -> Columns | None:
    """Parse with Arrow; None if a number or a record is not as it should be."""
    body = pa.py_buffer(sheet.text).slice(sheet.body_start)
    types = {
        str(field.place): pa.float64() if field.is_number else pa.large_string() for field in fields
    }
    names = [str(j) for j in range(len(sheet.header))]
    read = {"column_names": names, "block_size": min(_BLOCK, len(body) + 1)}
    parse = {"delimiter": sheet.separator, "newlines_in_values": True}
    table = parse_with_arrow(body, types, read, parse)
    if table is None:
        return None
    columns: dict[str, Any] = {}
    for field in fields:
        column = pa.concat_arrays(table.column(str(field.place)).chunks)
        columns[field.name] = as_numpy(column, np.float64) if field.is_number else column
        if field.is_number and not np.isfinite(columns[field.name]).all():
            return None
    return columns


def _parse_by_record(sheet: _Sheet, fields: list[_Field]) -> Columns:
    """Parse record by record; the first that breaks a rule is a `DataError`."""
    columns: dict[str, Any] = {field.name: [] for field in fields}
    for line, record in sheet.records(sheet.text.decode(errors="surrogateescape")):
        if len(record) != len(sheet.header):
            raise _wrong_count(sheet, line, record)
        for field in fields:
            try:
                parse = parse_number if field.is_number else _check_utf8
                columns[field.name].append(parse(record[field.place]))
            except ValueError as error:
                raise DataError(
                    f"{sheet.path}, line {line}, column {sheet.header[field.place]!r}: {error}"
                    f"{words_hint(field.name, record[field.place])}"
                ) from None
    return columns


def _rows(sheet: _Sheet) -> list[dict[str, str]]:
    """All fields of each row by the names of the columns."""
    columns = _parse_by_record(
        sheet, [_Field(name, place, is_number=False) for place, name in enumerate(sheet.header)]
    )
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _check_utf8(field: str) -> str:
    """The field, unless `surrogateescape` stands for a byte in it."""
    try:
        field.encode()
    except UnicodeEncodeError as error:
        byte = ord(field[error.start]) - 0xDC00
        raise ValueError(f"byte 0x{byte:02x} is not UTF-8; convert the file to UTF-8") from None
    return field


def _wrong_count(sheet: _Sheet, line: int, fields: list[str]) -> DataError:
    """The error of a record with too many or too few fields."""
    text = sheet.separator.join(fields)
    likely = max(_SEPARATORS, key=text.count)
    hint = ""
    if len(fields) < len(sheet.header) and likely != sheet.separator and likely in text:
        hint = f"; this line seems to be separated by {_SEPARATORS[likely]}"
    return DataError(
        f"{sheet.path}, line {line}: {counted(len(fields), 'field')} in {shown(text)}, but "
        f"the header names {counted(len(sheet.header), 'column')}, separated by "
        f"{_SEPARATORS[sheet.separator]}"
        f"{hint}"
    )


def split_lines(text: str) -> list[str]:
    r"""Lines as bytes have them: ended by \n, \r\n or \r, not by other characters of Unicode.

    Examples
    --------
    >>> split_lines("a\r\nb\u2028c\rd")
    ['a', 'b\u2028c', 'd']
    """
    return re.split(r"\r\n|\r|\n", text)


def read_id_lines(path: str | Path) -> list[str]:
    """Ids from a text file, one a line.

    Raises
    ------
    DataError
        The file cannot be read, or a line between ids is blank.
    """
    source = Source.of(path)
    lines = [line.strip() for line in split_lines(decode(source.path, source.text()))]
    while lines and not lines[-1]:
        lines.pop()
    if "" in lines:
        raise DataError(
            f"{source.path}, line {lines.index('') + 1}: is blank; every line needs an id"
        )
    return lines


def decode(path: Path, text: bytes) -> str:
    """The text; a `DataError` names the line that is not UTF-8."""
    try:
        return text.decode()
    except UnicodeDecodeError as error:
        line = len(text[: error.start + 1].splitlines())
        raise DataError(
            f"{path}, line {line}: byte 0x{text[error.start]:02x} is not UTF-8; convert the file "
            "to UTF-8"
        ) from None


def read_json(source: Source, request: ColumnRequest) -> tuple[Columns, Origin]:
    """Read a list of records, ``{query: {item: value}}`` or ``{system: {query: ...}}``."""
    data = parse_json(source.text(), str(source.path))
    if tool_of([data]):  # the state of one user
        data = [data]
    if isinstance(data, dict) and data.pop("mteb_model_meta", None):
        data = _only_lists(data, str(source.path))
    if isinstance(data, list):
        return _columns_of_records(
            data, request, str(source.path), locate_by_number(source.path, "record")
        )
    if isinstance(data, dict):
        return _columns_of_nested(source.path, data, request)
    raise _wrong_shape(str(source.path), data, request)


def _only_lists(data: dict[str, Any], where: str) -> Any:
    """Lists of MTEB's predictions, ``{subset: {split: {query: {item: score}}}}``, of one split."""
    splits = {
        f"{subset}/{split}": lists for subset, part in data.items() for split, lists in part.items()
    }
    if len(splits) != 1:
        raise DataError(f"{where}: has MTEB's predictions of {first_few(splits)}; give one split")
    return splits.popitem()[1]


def read_json_lines(
    source: Source, request: ColumnRequest, text: bytes | None = None, first_line: int = 1
) -> tuple[Columns, Origin]:
    """Read one record a line, blank lines skipped, from all lines or those of `text`."""
    path, records, lines = str(source.path), [], []
    every = (source.text() if text is None else text).splitlines()
    for line, record in enumerate(every, start=first_line):
        if record.strip():
            records.append(parse_json(record, f"{path}, line {line}", is_line=True))
            lines.append(line)
    return _columns_of_records(records, request, path, lambda row: f"{path}, line {lines[row]}")


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
    if tool := tool_of(records):
        return read_export(tool, records, request, where, locate)
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
    named = [*request.kept, *request.wide, *(request.columns or {}).values()]
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
    is_run = isinstance(value, dict) and "grade" in (request.value, *request.any_of)
    return DataError(
        f"{where}: {shown(value)} does not belong there; give a list of records with "
        f"{request.record_keys}, or {{query: {{item: {request.value}}}}}"
        f"{'; several systems are those of a run' if is_run else ''}"
    )


_MAGIC = b"PAR1"


def read_parquet(source: Source, request: ColumnRequest) -> tuple[Columns, Origin]:
    """Read the requested columns of a Parquet file."""
    ((columns, origin),) = parquet_batches(source, request)
    return columns, origin


def parquet_batches(
    source: Source, request: ColumnRequest, n_rows: int | None = None
) -> Iterator[tuple[Columns, Origin]]:
    """The requested columns of a Parquet file, about `n_rows` at a time, by default all at once."""
    n_before = 0
    with parquet_file(source) as file:
        present = file.schema_arrow.names
        names = request.match(present, str(source.path))
        wanted = list(dict.fromkeys(names.values()))
        whole = n_rows is None
        for batch in [file.read(wanted)] if whole else file.iter_batches(n_rows, columns=wanted):
            for column in batch.columns:
                check_codes(column)
            columns = {name: batch.column(column) for name, column in names.items()}
            place = locate_by_number(source.path, "row", n_before)
            yield columns, origin_of(place, names, present)
            n_before += len(batch)


@contextmanager
def parquet_file(source: Source) -> Iterator[pq.ParquetFile]:
    """An open Parquet file; whatever goes wrong in reading it becomes a `DataError`."""
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
    kind = source.format
    if kind == "parquet":
        return parquet_batches(source, request, _ROWS)
    if kind == "jsonl":
        return _of_json_lines(source, request)
    return _of_delimited(source, request)


def _of_json_lines(source: Source, request: ColumnRequest) -> Iterator[tuple[Columns, Origin]]:
    line = 1
    for text in source.blocks():
        if not text.isspace():
            yield read_json_lines(source, request, text, line)
        line += len(text.splitlines())


def _of_delimited(source: Source, request: ColumnRequest) -> Iterator[tuple[Columns, Origin]]:
    sheet, header, n_lines = None, b"", 0
    for text in _whole_records(source.blocks()):
        if sheet is None:
            sheet = _parse_header(source, text, request)
            header = text[: sheet.body_start]
            yield _columns_of(sheet, request)
        elif not is_blank(text, sheet.separator):
            skipped = n_lines - len(header.splitlines())
            yield _columns_of(replace(sheet, text=header + text, skipped=skipped), request)
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


def table_of(
    given: Any, request: ColumnRequest, where: str = "frame", otherwise: str = ""
) -> tuple[Columns, Origin]:
    """Unchecked columns under their canonical names, and where each row comes from.

    One row is one answer: tables with a column for each subject are made long, answers that are
    none are left out, and words become numbers, as the request says.

    Parameters
    ----------
    given : Source, NamedColumns or table
        A file is read in its format; `where` names all else in errors, and `otherwise` says what
        else to do about what is no table.

    Raises
    ------
    DataError
        A file cannot be read, a required column is missing, or a row is malformed.
    OptionError
        It is no table.
    """
    if isinstance(given, Source):
        where = str(given.path)
        kind = given.format if given.format in _READERS or not is_parquet(given) else "parquet"
        if kind not in _READERS:
            raise DataError(
                f"{where}: must be a table with named columns {', '.join(request.required)}, as "
                ".csv, .tsv, .json, .jsonl or .parquet"
            )
        columns, origin = _READERS[kind](given, request)
    else:
        table = named_columns(given, where, request, otherwise)
        names = request.match(table.names, where, table.note)
        columns = {name: table.column(own) for name, own in names.items()}
        origin = origin_of(table.locate(where), names, table.names)
    return settle(columns, origin, request, where)


def table_source(path: str | Path | Source, what: str, columns: tuple[str, ...]) -> Source:
    """The file at `path`; a `DataError` if its format lacks the named columns of `what`."""
    source = Source.of(path)
    if source.format not in _READERS:
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


def column_names(source: Source) -> tuple[str, ...]:
    """Names in the first line of CSV and TSV, in the schema of Parquet, in the first JSON record.

    Empty where there are none, as in TREC files and nested objects; for exports of annotation
    tools, whose columns are not what they hold; and where the file breaks a rule, which its reader
    reports.

    Examples
    --------
    >>> path = getfixture("tmp_path") / "a.json"
    >>> _ = path.write_text('[{"item": "a", "category": "cat"}]')
    >>> column_names(Source.of(path))
    ('item', 'category')
    """
    kind = source.format
    if kind == "trec":
        return ()
    if kind == "parquet":
        with parquet_file(source) as file:
            return tuple(file.schema_arrow.names)
    text = next(source.blocks(), b"").decode(errors="replace").lstrip()
    if kind in ("json", "jsonl"):
        record = _first_record(text, in_list=kind == "json")
        return () if tool_of([record]) else tuple(record)
    line = next(iter(text.splitlines()), "")[:100_000]
    names = next(csv.reader([line], delimiter=separator_of(source, line)), [])
    return () if tool_of_header(names) else tuple(names)


def _first_record(text: str, *, in_list: bool) -> dict[str, Any]:
    """The first record of a list or of JSON lines; empty if there is none."""
    if in_list and not text.startswith("["):
        return {}
    start = text.removeprefix("[").lstrip() if in_list else text
    try:
        record, _ = json.JSONDecoder().raw_decode(start)
    except (ValueError, RecursionError):
        return {}
    return record if isinstance(record, dict) else {}
