"""CSV and TSV files, parsed by Arrow, and record by record where a rule is broken or unclear."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from fuzzytruth.errors import DataError, counted, shown
from fuzzytruth.io.column_names import is_known
from fuzzytruth.io.column_request import ColumnRequest
from fuzzytruth.io.columns import Columns, parse_number, words_hint
from fuzzytruth.io.exports.recognise import is_export_header, read_export_table
from fuzzytruth.io.files import Source
from fuzzytruth.io.formats import format_of
from fuzzytruth.io.ids import BOM, as_numpy
from fuzzytruth.io.origin import Origin, origin_of

_BLOCK = 16 << 20  # bytes that Arrow parses at a time; no row may be longer
_LONG = re.compile(r"[^\"',;\t\r\n]{1000,}")  # csv.reader refuses very long fields
_SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}


def read_delimited(source: Source, request: ColumnRequest) -> tuple[Columns, Origin]:
    """Read the requested columns of a CSV or TSV file whose first line names its columns."""
    return parse_delimited(source.path, source.text(), request)


def parse_delimited(
    path: Path, text: bytes, request: ColumnRequest, *, skipped: int = 0
) -> tuple[Columns, Origin]:
    """The requested columns of the text of such a file.

    `skipped` lines of the file are missing between the first line and the rows.
    """
    sheet = replace(_parse_header(path, text, request), skipped=skipped)
    if is_export_header(sheet.header):
        return read_export_table(_rows(sheet), request, str(path), sheet.locate)
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


def _parse_header(path: Path, text: bytes, request: ColumnRequest) -> _Sheet:
    """Detect the separator and the names of the columns in the first line that is not blank."""
    start = len(text) - len(text.lstrip(b" \r\n"))
    end = re.compile(rb"\r\n|\r|\n|\Z").search(text, start)
    stop = len(text) if end is None else end.end()
    first = decode(path, text[start:stop]).strip("\r\n")
    if first.count('"') % 2:
        raise DataError(f"{path}, header: a quote is open at the end of {shown(first)}; close it")
    separator = separator_of(path, first)
    header = next(csv.reader([first[:100_000]], delimiter=separator), [])
    known = any(map(is_known, header)) or is_export_header(header)
    if not request.options and not known:
        raise DataError(
            f"{path}, header: {shown(first)} names no known column; the first line must name the "
            f"columns, such as {separator.join(request.example_header)!r}, separated by "
            f"{_SEPARATORS[separator]}; columns={{{request.example_header[0]!r}: ...}} says which "
            "is which"
        )
    if is_blank(text[stop:], separator):
        raise DataError(f"{path}: there are no rows after the header")
    return _Sheet(path, text, separator, header, stop)


def header_size(path: Path, text: bytes, request: ColumnRequest) -> int:
    """Number of bytes before the first row."""
    return _parse_header(path, text, request).body_start


def is_blank(text: bytes, separator: str) -> bool:
    """Whether there is no row in these lines; a separator is one between empty cells."""
    return (not text or text.isspace()) and separator.encode() not in text


def separator_of(path: Path, header: str) -> str:
    """What separates the columns that the first line names."""
    return max(",;\t", key=header.count) if format_of(path) == "csv" else "\t"


def _parse_with_arrow(sheet: _Sheet, fields: list[_Field]) -> Columns | None:
    """Parse with Arrow; None if a number or a record is not as it should be."""
    import pyarrow as pa
    from pyarrow import csv as arrow_csv

    if sheet.text.startswith(BOM.encode(), sheet.body_start):  # Arrow would skip it
        return None
    body = pa.py_buffer(sheet.text).slice(sheet.body_start)
    try:
        table = arrow_csv.read_csv(
            pa.BufferReader(body),
            read_options=arrow_csv.ReadOptions(
                column_names=[str(j) for j in range(len(sheet.header))],
                block_size=min(_BLOCK, len(body) + 1),
            ),
            parse_options=arrow_csv.ParseOptions(
                delimiter=sheet.separator, newlines_in_values=True
            ),
            convert_options=arrow_csv.ConvertOptions(
                column_types={
                    str(field.place): pa.float64() if field.is_number else pa.large_string()
                    for field in fields
                },
                include_columns=list(dict.fromkeys(str(field.place) for field in fields)),
                null_values=[],
                strings_can_be_null=False,
            ),
        )
    except pa.ArrowInvalid:
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
