"""TREC files, read in blocks of whole lines that Arrow parses on several threads.

A block that Arrow cannot parse is parsed again with normalised white space, and if that fails too,
line by line (`trec_lines`), so that an error names its line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from fuzzytruth._lazy import pa, pc
from fuzzytruth._typing import Array
from fuzzytruth.core.workers import in_order
from fuzzytruth.errors import DataError, counted, shown
from fuzzytruth.io.columns import BOM, Columns, first_forbidden, parse_number, refusal
from fuzzytruth.io.files import Source, parse_with_arrow
from fuzzytruth.io.ids import as_arrow, as_numpy, buffers, hash_ids


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
    n_fields = len(line_format.fields)
    field_of = [line_format.fields.index(name) for name in names]
    values: list[list[Any]] = [[] for _ in names]
    for line_number, line in enumerate(text.splitlines(), start=1):
        fields = line.split(None, n_fields)
        if not fields:
            continue
        surplus = len(fields) > n_fields
        if surplus and line_format.open_ended:  # text, unless an id with a blank shifted the fields
            surplus = not _has_numbers(fields, line_format)
        if len(fields) < n_fields or surplus:
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
    if line.lstrip()[:1] in (b"{", b"["):
        hint = "; JSON is read from a file named .json or .jsonl"
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


# Columns assembled block by block in memory that is reserved once.
#
# Each block is copied behind those before it and then freed, so that a large file needs little more
# memory than its columns. Space for the whole file is reserved in proportion to the first block;
# the operating system counts memory only once it is written to.

_MARGIN = 1.05  # the lines of a file differ a little in length


class GrowingArray:
    """An array of numbers that grows at its end."""

    def __init__(self, dtype: Any, capacity: int) -> None:
        self._values: Array = np.empty(capacity, dtype=dtype)
        self._used = 0

    def append(self, values: Array) -> None:
        """Copy `values` to the end."""
        end = self._used + len(values)
        if end > len(self._values):
            larger = np.empty(max(end, 2 * len(self._values)), dtype=self._values.dtype)
            larger[: self._used] = self._values[: self._used]
            self._values = larger
        self._values[self._used : end] = values
        self._used = end

    @property
    def values(self) -> Array:
        """All values appended so far, not copied."""
        return self._values[: self._used]


class GrowingStrings:
    """A column of strings that grows at its end."""

    def __init__(self, rows: int, size: int) -> None:
        self._bytes = GrowingArray(np.uint8, size)
        self._ends = GrowingArray(np.int64, rows + 1)
        self._ends.append(np.zeros(1, dtype=np.int64))

    def append(self, strings: Any) -> None:
        """Copy an Arrow array of large strings to the end."""
        data, offsets = buffers(strings)
        before = len(self._bytes.values)
        self._bytes.append(data[offsets[0] : offsets[-1]])
        self._ends.append(offsets[1:] + (before - offsets[0]))

    def finish(self) -> Any:
        """All strings as one Arrow array."""
        ends, data = self._ends.values, self._bytes.values
        return pa.LargeStringArray.from_buffers(
            len(ends) - 1, pa.py_buffer(ends), pa.py_buffer(data)
        )


class GrowingCodes:
    """A dictionary-encoded column of strings that grows at its end, with one dictionary."""

    def __init__(self, rows: int) -> None:
        self._codes = GrowingArray(np.int32, rows)
        self._code_of: dict[str, int] = {}
        self._dictionaries: list[Any] = []

    def append(self, coded: Any) -> None:
        """Copy an Arrow dictionary array to the end, with codes of the common dictionary."""
        code_of = self._code_of
        self._dictionaries.append(coded.dictionary)
        ids = coded.dictionary.to_pylist()
        new_code = np.array(
            [code_of.setdefault(text, len(code_of)) for text in ids], dtype=np.int32
        )
        self._codes.append(new_code[as_numpy(coded.indices, np.int32)])

    def finish(self) -> Any:
        """All strings as one Arrow dictionary array."""
        # Distinct ids in order of appearance, as the codes number them (`pa.array` imports pandas).
        ids = pa.concat_arrays(self._dictionaries).unique()
        return pa.DictionaryArray.from_arrays(as_arrow(self._codes.values), ids)


class GrowingTable:
    """The columns of one file: numbers, ids, dictionary-encoded ids, and the distinct tags.

    Parameters
    ----------
    size : int or None
        Number of bytes of the file, if known.
    """

    def __init__(self, size: int | None) -> None:
        self._size = size
        self._columns: dict[str, GrowingArray | GrowingStrings | GrowingCodes] = {}
        self._tags: dict[str, None] = {}
        self.n_rows = 0

    def append(self, block: Columns, size: int) -> None:
        """Append the columns parsed from the next `size` bytes."""
        rows = len(block["item"])
        tags = block.pop("tag", None)
        if tags is not None:
            self._tags.update(dict.fromkeys(tags.to_pylist()))
        if not self._columns:
            expected_blocks = max(1.0, (self._size or size) / size * _MARGIN)
            self._columns = {
                name: _growing(column, expected_blocks) for name, column in block.items()
            }
        for name in tuple(block):
            self._columns[name].append(block.pop(name))
        self.n_rows += rows

    def columns(self) -> Columns:
        """The complete columns; `tag` is a tuple of the distinct tags."""
        out: Columns = {
            name: column.values if isinstance(column, GrowingArray) else column.finish()
            for name, column in self._columns.items()
        }
        return out | {"tag": tuple(self._tags)}


def _growing(column: Any, blocks: float) -> GrowingArray | GrowingStrings | GrowingCodes:
    """An empty column with space for `blocks` times the first block."""
    rows = int(len(column) * blocks)
    if isinstance(column, np.ndarray):
        return GrowingArray(column.dtype, rows)
    if pa.types.is_dictionary(column.type):
        return GrowingCodes(rows)
    _, offsets = buffers(column)
    return GrowingStrings(rows, int((offsets[-1] - offsets[0]) * blocks))


_BLANKS = bytes.maketrans(b"\t\v\f\r", b"   \n")
_SEARCHED = 1 << 17  # bytes searched at a time, so that temporary arrays stay in cache
_SPACE, _NEWLINE = ord(" "), ord("\n")


def read_trec(source: Source, line_format: LineFormat, names: tuple[str, ...]) -> Columns:
    """Read the columns `names` of a TREC file.

    A column 'item' is accompanied by 'item_hash'; of a column 'tag', only the distinct values are
    kept.

    Raises
    ------
    DataError
        The file cannot be read, is empty, or a line breaks the format.
    """
    table = GrowingTable(source.size)
    n_read = 0  # bytes
    try:
        for columns, size in in_order(partial(_sized, line_format, names), source.blocks()):
            table.append(columns, size)
            n_read += size
    except LineError as error:
        raise line_error(source, error, n_read) from None
    if not table.n_rows:
        raise no_rows(source, line_format)
    return table.columns()


def line_error(source: Source, error: LineError, start: int) -> DataError:
    """The error of a line, given the number of bytes before the text that it is in."""
    return DataError(f"{source.path}, line {source.lines_within(start) + error.line}{error}")


def no_rows(source: Source, line_format: LineFormat) -> DataError:
    """The error of a file without rows."""
    return DataError(f"{source.path}: the file is empty; {line_format.rule}")


def _sized(line_format: LineFormat, names: tuple[str, ...], block: bytes) -> tuple[Columns, int]:
    return parse_block(line_format, names, block), len(block)


def parse_block(line_format: LineFormat, names: tuple[str, ...], block: bytes) -> Columns:
    """Columns of some whole lines; see `read_trec`.

    Raises
    ------
    LineError
        A line breaks the format.
    """
    columns = None
    separator = _only_separator(block)
    if separator is not None:
        columns = _parse_with_arrow(block, separator, line_format, names)
    if columns is None:
        columns = _parse_with_arrow(normalise_white_space(block), " ", line_format, names)
    if columns is None:
        columns = parse_lines(block, line_format, names)
    if "item" in columns:
        columns["item_hash"] = hash_ids(columns["item"])
    if "tag" in columns:
        columns["tag"] = columns["tag"].dictionary
    return columns


def _only_separator(block: bytes) -> str | None:
    """The blank or tab that alone stands between fields; None if other white space does, too."""
    separator, other = (b"\t", b" ") if b"\t" in block else (b" ", b"\t")
    if any(blank in block for blank in (other, b"\v", b"\f")):
        return None
    text = np.frombuffer(block, dtype=np.uint8)
    for start in range(0, len(text), _SEARCHED):
        is_separator = text[start : start + _SEARCHED + 1] == separator[0]
        if (is_separator[1:] & is_separator[:-1]).any():  # Arrow would read an empty field
            return None
    return separator.decode()


def _parse_with_arrow(
    block: bytes, separator: str, line_format: LineFormat, names: tuple[str, ...]
) -> Columns | None:
    """Parse lines with exactly one separator between fields; None if they are not of this form."""
    types = {
        name: pa.float64() if name in line_format.numbers else pa.large_string() for name in names
    }
    fields, size = list(line_format.fields), len(block) + 1
    read = {"use_threads": False, "column_names": fields, "block_size": size}
    parse = {"delimiter": separator, "quote_char": False, "escape_char": False}
    table = parse_with_arrow(block, types, read, parse)
    if table is None:
        return None
    columns = {}
    for name in names:
        column = table.column(name).combine_chunks()
        if isinstance(column, pa.ChunkedArray):
            column = column.chunk(0)
        if name in line_format.numbers:
            column = as_numpy(column, np.float64)
            valid = bool(np.isfinite(column).all())
        else:
            ids = column
            if name in line_format.coded:
                column = encode_runs(column)
                ids = column.dictionary
            _, offsets = buffers(ids)
            valid = bool((offsets[1:] > offsets[:-1]).all()) and first_forbidden(ids) is None
        if not valid:
            return None
        columns[name] = column
    return columns


def encode_runs(strings: Any) -> Any:
    """Strings that recur in runs, dictionary-encoded; faster than string by string."""
    runs = pc.run_end_encode(strings)
    values = runs.values.dictionary_encode()
    length = np.diff(as_numpy(runs.run_ends, np.int32), prepend=np.int32(0))
    codes = np.repeat(as_numpy(values.indices, np.int32), length)
    return pa.DictionaryArray.from_arrays(as_arrow(codes), values.dictionary)


def normalise_white_space(block: bytes) -> bytes:
    r"""Leave one blank between fields and none at the ends of a line.

    Examples
    --------
    >>> normalise_white_space(b" 301  Q0\tFR94 \r\n")
    b'301 Q0 FR94\n'
    """
    text = np.frombuffer(block.replace(b"\r\n", b"\n").translate(_BLANKS), dtype=np.uint8)
    is_space = text == _SPACE
    is_gap = is_space | (text == _NEWLINE)
    kept = ~is_space
    kept[:-1] |= ~is_gap[1:]  # the last of several blanks, unless the line ends after it
    text = text[kept]
    is_indentation = text == _SPACE
    is_indentation[1:] &= text[:-1] == _NEWLINE
    normalised: bytes = text[~is_indentation].tobytes()
    return normalised


_LOOK_BACK = 1 << 12  # bytes by which the search for the last query's first line begins


@dataclass(frozen=True, slots=True)
class TextBlock:
    """Whole lines of a file.

    Parameters
    ----------
    parts : tuple of bytes
        The text, which is joined where it is parsed: by the workers.
    start : int
        Bytes of text before it.
    """

    parts: tuple[bytes | memoryview, ...]
    start: int

    @property
    def text(self) -> bytes:
        """All of it."""
        return b"".join(self.parts)


def query_blocks(blocks: Iterable[bytes]) -> Iterator[TextBlock]:
    """Blocks of whole lines, cut anew so that neighbouring lines of a query stay together.

    Lines of a query between which there are others may be in several blocks.
    """
    held: list[bytes] = []  # the last query, which may go on in the next block
    start = 0
    for block in blocks:
        cut = last_change(block)
        if cut or (held and first_field(block, 0) != first_field(held[0], 0)):
            parts: tuple[bytes | memoryview, ...] = (*held, memoryview(block)[:cut])
            if size := sum(map(len, parts)):
                yield TextBlock(parts, start)
            start += size
            held = []
        held.append(block[cut:])
    if any(held):
        yield TextBlock(tuple(held), start)


def last_change(block: bytes) -> int:
    r"""Where the first of the last lines that have the same first field starts.

    Examples
    --------
    >>> last_change(b"q1 a\nq2 b\nq2 c\n"), last_change(b"q1 a\nq1 b\n")
    (5, 0)
    """
    last = _line_start(block, _end_of_text(block))
    field = first_field(block, last)
    same, step = last, _LOOK_BACK
    while True:
        if same == 0:
            return 0
        other = _line_start(block, max(same - step, 0))
        if first_field(block, other) != field:
            break
        same, step = other, 2 * step
    while True:  # the line at `other` has another field than the one at `same`
        middle = _line_start(block, (other + same) // 2)
        if middle <= other:
            middle = block.find(b"\n", other) + 1
            if middle >= same:
                return same
        if first_field(block, middle) == field:
            same = middle
        else:
            other = middle


def first_field(text: bytes, start: int) -> bytes:
    """The first field of the line that starts there; empty for a blank line."""
    end = text.find(b"\n", start)
    line = text[start:] if end < 0 else text[start:end]
    fields = line.split(None, 1)
    return fields[0] if fields else b""


def _line_start(text: bytes, place: int) -> int:
    """Where the line of the byte at `place` starts."""
    return text.rfind(b"\n", 0, place) + 1


def _end_of_text(block: bytes) -> int:
    """The place behind the last byte that is no white space."""
    end = len(block)
    while end and block[end - 1 : end].isspace():
        end -= 1
    return end
