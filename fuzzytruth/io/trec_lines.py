"""TREC files, read exactly: what a line must look like, and what is wrong with a bad one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from fuzzytruth.errors import shown
from fuzzytruth.io.columns import Columns, parse_number


@dataclass(frozen=True, slots=True)
class Layout:
    """The fields of a line.

    Parameters
    ----------
    what : str
        What a line is, for messages.
    fields : tuple of str
    numbers : set of str
        Fields that are numbers; others are ids.
    coded : set of str
        Ids that occur on many lines: dictionary-coded when read.
    open_ended : bool
        Whether more text may follow the last field, which is not read.
    """

    what: str
    fields: tuple[str, ...]
    numbers: frozenset[str]
    coded: frozenset[str]
    open_ended: bool = False

    @property
    def rule(self) -> str:
        """The rule in words."""
        return f"{self.what} has {len(self.fields)} fields, {' '.join(self.fields)}"

    def arrow_type(self, name: str) -> Any:
        """Arrow's type of a column."""
        import pyarrow as pa

        if name in self.numbers:
            return pa.float64()
        return pa.dictionary(pa.int32(), pa.string()) if name in self.coded else pa.large_string()


RUN = Layout(
    "a line of a TREC run",
    ("query", "Q0", "item", "rank", "score", "tag"),
    frozenset({"rank", "score"}),
    frozenset({"query", "tag"}),
    open_ended=True,
)
QRELS = Layout(
    "a line of TREC judgments",
    ("query", "group", "item", "grade"),
    frozenset({"grade"}),
    frozenset({"group"}),
)


class LineError(Exception):
    """A line breaks the layout; says which one (from 1, within the text parsed) and how."""

    def __init__(self, line: int, text: str) -> None:
        super().__init__(text)
        self.line = line


def parse_lines(text: bytes, layout: Layout, wanted: tuple[str, ...]) -> Columns:
    """Parse line by line, fields separated by any white space, blank lines skipped.

    Raises
    ------
    LineError
        A line has too few or too many fields, a number is none, or an id is not UTF-8.
    """
    import pyarrow as pa

    n_fields = len(layout.fields)
    places = [layout.fields.index(name) for name in wanted]
    values: list[list[Any]] = [[] for _ in wanted]
    for number, line in enumerate(text.splitlines(), start=1):
        fields = line.split(None, n_fields)
        if not fields:
            continue
        if len(fields) < n_fields or (len(fields) > n_fields and not _may_go_on(fields, layout)):
            raise _wrong_count(number, line, layout)
        for column, place, name in zip(values, places, wanted, strict=True):
            parse = _number if name in layout.numbers else _id
            column.append(parse(fields[place], name, number))
    columns: dict[str, Any] = {}
    for name, column in zip(wanted, values, strict=True):
        if name in layout.numbers:
            columns[name] = np.array(column, dtype=np.float64)
        elif name in layout.coded:
            columns[name] = pa.array(column, pa.string()).dictionary_encode()
        else:
            columns[name] = pa.array(column, pa.large_string())
    return columns


def _may_go_on(fields: list[bytes], layout: Layout) -> bool:
    """Whether text may follow the last field: not if an id with a blank pushed the fields on."""
    if not layout.open_ended:
        return False
    try:
        for name in layout.numbers:
            parse_number(fields[layout.fields.index(name)].decode(errors="replace"))
    except ValueError:
        return False
    return True


def _wrong_count(number: int, line: bytes, layout: Layout) -> LineError:
    n = len(line.split())
    start = shown(line.decode(errors="replace").strip())
    hint = "; an id must not hold white space" if n > len(layout.fields) else ""
    separators = {b",": "commas", b";": "semicolons", b"|": "bars"}
    for separator, name in separators.items():
        if n == 1 and line.count(separator) > 1:
            hint = f"; columns separated by {name} are read from a file named .csv"
    return LineError(
        number, f": {n} field{'s' if n != 1 else ''} in {start}, but {layout.rule}{hint}"
    )


def _number(field: bytes, name: str, line: int) -> float:
    try:
        return parse_number(field.decode(errors="replace"))
    except ValueError as error:
        raise LineError(line, f", column {name!r}: {error}") from None


def _id(field: bytes, name: str, line: int) -> str:
    try:
        return field.decode()
    except UnicodeDecodeError as error:
        text = shown(field.decode(errors="replace"))
        raise LineError(
            line,
            f", column {name!r}: value {text} is not UTF-8 (byte 0x{field[error.start]:02x}); "
            "convert the file to UTF-8",
        ) from None
