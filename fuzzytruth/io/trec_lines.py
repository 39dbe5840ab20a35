"""TREC files parsed line by line: the format of a line, and what is wrong with a bad one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from fuzzytruth.errors import counted, shown
from fuzzytruth.io.columns import Columns, parse_number
from fuzzytruth.io.ids import BOM, refusal


@dataclass(frozen=True, slots=True)
class LineFormat:
    """The fields of a line of a TREC file.

    Parameters
    ----------
    what : str
        Name of such a line, for messages.
    fields : tuple of str
    numbers : set of str
        Fields that are numbers; others are ids.
    coded : set of str
        Ids that recur on many lines, which are dictionary-encoded.
    reader : str
        What reads such files, for messages.
    open_ended : bool
        Whether text may follow the last field; it is ignored.
    """

    what: str
    fields: tuple[str, ...]
    numbers: frozenset[str]
    coded: frozenset[str]
    reader: str
    open_ended: bool = False

    @property
    def rule(self) -> str:
        """The rule for the number of fields, in words."""
        return f"{self.what} has {len(self.fields)} fields, {' '.join(self.fields)}"

    def arrow_type(self, name: str) -> Any:
        """Arrow's type of the column `name` as it is parsed."""
        import pyarrow as pa

        if name in self.numbers:
            return pa.float64()
        return pa.large_string()


RUN = LineFormat(
    "a line of a TREC run",
    ("query", "Q0", "item", "rank", "score", "tag"),
    frozenset({"rank", "score"}),
    frozenset({"query", "tag"}),
    "read_runs",
    open_ended=True,
)
QRELS = LineFormat(
    "a line of TREC judgments",
    ("query", "group", "item", "grade"),
    frozenset({"grade"}),
    frozenset({"group"}),
    "read_judgments",
)


class LineError(Exception):
    """A line breaks the format; `line` is its number, from 1, within the text parsed."""

    def __init__(self, line: int, text: str) -> None:
        super().__init__(text)
        self.line = line


def parse_lines(text: bytes, line_format: LineFormat, names: tuple[str, ...]) -> Columns:
    """Parse line by line, fields separated by any white space, blank lines skipped.

    Raises
    ------
    LineError
        A line has too few or too many fields, a number is not finite, or an id is not UTF-8 or
        holds a byte-order mark.
    """
    import pyarrow as pa

    n_fields = len(line_format.fields)
    field_of = [line_format.fields.index(name) for name in names]
    values: list[list[Any]] = [[] for _ in names]
    for line_number, line in enumerate(text.splitlines(), start=1):
        fields = line.split(None, n_fields)
        if not fields:
            continue
        if len(fields) < n_fields or (
            len(fields) > n_fields and not _has_trailing_text(fields, line_format)
        ):
            raise _wrong_count(line_number, line, line_format)
        for column, field, name in zip(values, field_of, names, strict=True):
            parse = _parse_number if name in line_format.numbers else _parse_id
            column.append(parse(fields[field], name, line_number))
    columns: dict[str, Any] = {}
    for name, column in zip(names, values, strict=True):
        if name in line_format.numbers:
            columns[name] = np.array(column, dtype=np.float64)
        elif name in line_format.coded:
            columns[name] = pa.array(column, pa.large_string()).dictionary_encode()
        else:
            columns[name] = pa.array(column, pa.large_string())
    return columns


def _has_trailing_text(fields: list[bytes], line_format: LineFormat) -> bool:
    """Whether the surplus fields follow the last one: not if an id with a blank shifted them."""
    return line_format.open_ended and _has_numbers(fields, line_format)


def _has_numbers(fields: list[bytes], line_format: LineFormat) -> bool:
    """Whether the fields that should be numbers are."""
    try:
        for name in line_format.numbers:
            parse_number(fields[line_format.fields.index(name)].decode(errors="replace"))
    except ValueError:
        return False
    return True


def _wrong_count(line_number: int, line: bytes, line_format: LineFormat) -> LineError:
    """The error of a line with too many or too few fields."""
    n = len(line.split())
    start = shown(line.decode(errors="replace").strip())
    hint = "; an id must not hold white space" if n > len(line_format.fields) else ""
    other = next(known for known in (RUN, QRELS) if known.fields != line_format.fields)
    if n == len(other.fields) and _has_numbers(line.split(), other):
        swapped = "were judgments and runs swapped?"
        hint = f"; this is {other.what}: {swapped} ({other.reader} reads it)"
    separators = {b",": "commas", b";": "semicolons", b"|": "bars"}
    for separator, name in separators.items():
        if n == 1 and line.count(separator) > 1:
            hint = f"; columns separated by {name} are read from a file named .csv"
    return LineError(
        line_number, f": {counted(n, 'field')} in {start}, but {line_format.rule}{hint}"
    )


def _parse_number(field: bytes, name: str, line: int) -> float:
    try:
        return parse_number(field.decode(errors="replace"))
    except ValueError as error:
        raise LineError(line, f", column {name!r}: {error}") from None


def _parse_id(field: bytes, name: str, line: int) -> str:
    try:
        text = field.decode()
    except UnicodeDecodeError as error:
        value = shown(field.decode(errors="replace"))
        raise LineError(
            line,
            f", column {name!r}: value {value} is not UTF-8 (byte 0x{field[error.start]:02x}); "
            "convert the file to UTF-8",
        ) from None
    if BOM in text:
        raise LineError(line, f", column {name!r}: {refusal(text)}")
    return text
