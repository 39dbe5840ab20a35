"""Matrices in text: comma- or tab-separated, with or without ids, or separated by white space."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.errors import DataError, counted
from fuzzytruth.io.column_names import is_known
from fuzzytruth.io.columns import parse_number
from fuzzytruth.io.delimited import decode
from fuzzytruth.io.files import Source
from fuzzytruth.io.formats import format_of
from fuzzytruth.io.matrices import Matrix, heads_rows

_TREC_RUN = 6  # fields of a line
_MARKS = "\x1c\x1d\x1e\x1f"  # which NumPy takes for blanks around a number
_MATRIX_ENDINGS = (".matrix", ".dist")


def looks_like_matrix(source: Source) -> bool:
    """Whether the first lines of a text file are those of a matrix."""
    block = io.BytesIO(next(source.blocks(), b""))
    lines = [line.decode(errors="replace") for line in islice(filter(bytes.strip, block), 2)]
    if not lines:
        return False
    separator = _separator(source.path, lines[0])
    if separator is None:
        fields = lines[0].split()
        named = source.path.name.lower().removesuffix(".gz").endswith(_MATRIX_ENDINGS)
        return len(fields) > 1 and _all_numbers(fields) and (named or len(fields) != _TREC_RUN)
    first, *others = ([field.strip(' "\r\n') for field in line.split(separator)] for line in lines)
    if any(is_known(name) for name in first[1:]):
        return False
    cells = [cell for cell in (others[0] if others else first)[1:] if cell]
    return bool(cells) and _all_numbers(cells)


def read_text_matrix(source: Source) -> Matrix:
    """Read a matrix of text; see `matrix_files.read_matrix`."""
    sheet = _Sheet.of(source)
    header, has_ids = _layout(sheet)
    first = int(has_ids)
    width, rows = 0, []
    for number, (line, fields) in enumerate(sheet.records(header is not None)):
        if not number:
            width = len(fields)
        if len(fields) != width:
            raise DataError(
                f"{sheet.path}, line {line}: has {counted(len(fields), 'field')}, and the first "
                f"row has {width:,}; all rows need as many"
            )
        rows.append(fields[0].strip())
    columns = None if header is None else header[len(header) - (width - first) :]
    if header is not None and len(header) not in (width, width - first):
        raise DataError(
            f"{sheet.path}, line 1: names {counted(len(header), 'column')}, but rows have {width:,}"
        )
    values = _numbers(sheet, header is not None, range(first, width))
    return Matrix(values, rows if has_ids else None, columns)


@dataclass(frozen=True, slots=True)
class _Sheet:
    """The text of a file; a `separator` of None is white space."""

    path: Path
    text: str
    separator: str | None

    @classmethod
    def of(cls, source: Source) -> _Sheet:
        text = decode(source.path, source.text())
        return cls(source.path, text, _separator(source.path, text.lstrip().partition("\n")[0]))

    def records(self, after_header: bool = False) -> Iterator[tuple[int, list[str]]]:
        """Line number and fields of each row that is not blank."""
        lines = io.StringIO(self.text, newline=None)
        if self.separator is None:
            every = ((n, line.split()) for n, line in enumerate(lines, start=1))
        else:
            reader = csv.reader(lines, delimiter=self.separator)
            every = ((reader.line_num, fields) for fields in reader)
        rows = ((n, fields) for n, fields in every if any(map(str.strip, fields)))
        try:
            yield from islice(rows, int(after_header), None)
        except csv.Error as error:
            raise DataError(f"{self.path}: {error}; is a quote or a line end missing?") from None


def _separator(path: Path, line: str) -> str | None:
    """Tabs, commas or semicolons by the ending of the name; else None, white space."""
    kind = format_of(path)
    if kind == "tsv":
        return "\t"
    return max(",;\t", key=line.count) if kind == "csv" else None


def _layout(sheet: _Sheet) -> tuple[list[str] | None, bool]:
    """The header, None without one, and whether the first column holds ids."""
    records = [fields for _, fields in islice(sheet.records(), 2)]
    if not records:
        raise DataError(f"{sheet.path}: there are no rows in it")
    first = [field.strip() for field in records[0]]
    second = records[-1]
    has_ids = not _all_numbers(second[:1])
    if len(records) == 1 or _all_numbers(first) or _all_numbers(first[:1]):
        shorter = len(first) == len(second) - 1
        return (first, True) if shorter and has_ids else (None, not _all_numbers(first[:1]))
    if len(first) == len(second) - 1 or heads_rows(first[0]):
        return first, True
    if not _all_numbers(first[1:]):
        if not has_ids:
            raise DataError(
                f"{sheet.path}, line 1: does not say whether the first column, {first[0]!r}, holds "
                "ids or numbers of the matrix; call it 'query' if it holds ids, else remove line 1"
            )
        return first, True
    if not has_ids:
        return first, True
    if all(field.isdigit() for field in first[1:]) and len(set(first[1:])) == len(first) - 1:
        raise DataError(
            f"{sheet.path}, line 1: may be a row or a header of ids; call the first column 'query' "
            "if it is a header, else add one"
        )
    return None, True


def _numbers(sheet: _Sheet, after_header: bool, columns: Sequence[int]) -> Floats:
    """The numbers of these columns; the first cell that is none is an error."""
    skipped = next((line for line, _ in islice(sheet.records(), 1)), 0) if after_header else 0
    try:
        values = np.loadtxt(
            io.StringIO(sheet.text, newline=None),
            delimiter=sheet.separator,
            skiprows=skipped,
            usecols=columns,
            comments=None,
            quotechar=None if sheet.separator is None else '"',
            ndmin=2,
        )
    except ValueError:
        values = np.array([[math.nan]])
    finite = bool(np.isfinite(values).all())
    if finite and not any(mark in sheet.text for mark in _MARKS):
        return values
    for line, fields in sheet.records(after_header):
        for column in columns:
            try:
                parse_number(fields[column])
            except ValueError as error:
                place = f"{sheet.path}, line {line}, column {column + 1}"
                raise DataError(f"{place}: {error}") from None
    if finite:
        return values
    raise DataError(f"{sheet.path}: cannot be read as a matrix of numbers; is a quote missing?")


def _all_numbers(fields: Sequence[str]) -> bool:
    """Whether all are numbers, finite or not."""
    try:
        return bool([float(field) for field in fields])
    except ValueError:
        return False
