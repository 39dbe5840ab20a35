"""Columns of ids and numbers: what is refused, where each row comes from, and their answers."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth import errors
from fuzzytruth._lazy import pa
from fuzzytruth._typing import Bools, Floats, Ints
from fuzzytruth.core.checksums import duplicate_key_rows, row_keys
from fuzzytruth.errors import DataError, counted, first_few, nearest, shown
from fuzzytruth.io.column_names import NUMBERS, kept_key, rival_of
from fuzzytruth.io.ids import as_numpy, buffers, hash_ids, take

if TYPE_CHECKING:
    from fuzzytruth.io.tables import ColumnRequest


BOM = "\ufeff"
_SEARCHED = 1 << 22  # bytes searched at a time, so that temporary arrays stay small
_FEW = 10_000  # ids of which an array is made without pandas


def plain_values(column: Any) -> list[Any]:
    """Values of an Arrow array, text as bytes if some of it is not UTF-8."""
    try:
        values: list[Any] = column.to_pylist()
    except UnicodeDecodeError:
        values = column.cast(pa.large_binary()).to_pylist()
    return values


def numbers_or_values(column: Any) -> Any:
    """Doubles, NaN where missing; a list of the values as they are if they are not numbers."""
    try:
        numbers = column.cast(pa.float64(), safe=False)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        return plain_values(column)
    return np.asarray(numbers)


class IdError(ValueError):
    """An id cannot be used; `row` is its row, from 0, and the message says what is wrong."""

    def __init__(self, row: int, text: str) -> None:
        super().__init__(text)
        self.row = row


def string_array(values: Iterable[Any]) -> pa.LargeStringArray:
    """A one-dimensional column of ids of any type as Arrow strings; missing ids become null.

    Raises
    ------
    IdError
        An id is not UTF-8, or holds a zero byte or a byte-order mark.
    """
    column: Any = values
    of_python = isinstance(values, (list, tuple)) or getattr(values, "dtype", "") == "object"
    if not isinstance(column, (pa.Array, pa.ChunkedArray)):
        column = _from_python(column)
    if isinstance(column, pa.ChunkedArray):
        column = column.combine_chunks()
    if not _casts_to_text(column.type):
        column = _one_by_one(column.to_pylist())
    if pa.types.is_dictionary(column.type):
        texts = column.dictionary.cast(pa.large_string())  # polars' text cannot be decoded
        column = pa.DictionaryArray.from_arrays(column.indices, texts).dictionary_decode()
    ids = column.cast(pa.large_string())
    try:
        if not of_python:  # Arrow looks at the text of Python alone
            ids.validate(full=True)
    except pa.ArrowInvalid:
        ids = _one_by_one(plain_values(ids))
    row = first_forbidden(ids)
    if row is not None:
        raise IdError(row, refusal(ids[row].as_py()))
    return ids


def _from_python(values: Any) -> Any:
    if not hasattr(values, "dtype"):
        values = values if isinstance(values, (list, tuple)) else list(values)
        if len(values) <= _FEW and all(type(value) is str for value in values):
            with suppress(UnicodeEncodeError):
                return _from_texts(values)
    try:
        array = pa.array(values, from_pandas=True)
    except (pa.ArrowException, OverflowError, TypeError, ValueError):
        array = None  # of several types, beyond 64 bits, or no text
    if array is not None and _casts_to_text(array.type):
        return array
    listed = np.asarray(values, object).tolist() if hasattr(values, "dtype") else values
    return _one_by_one(listed)


def _from_texts(values: Sequence[str]) -> pa.LargeStringArray:
    """Some texts as an Arrow array; `pa.array` would import pandas, which takes longer."""
    encoded = [value.encode() for value in values]
    offsets = np.zeros(len(encoded) + 1, dtype=np.int64)
    np.cumsum([len(text) for text in encoded], out=offsets[1:])
    buffers = pa.py_buffer(offsets), pa.py_buffer(b"".join(encoded))
    return pa.LargeStringArray.from_buffers(len(encoded), *buffers)


def _one_by_one(values: Iterable[Any]) -> Any:
    """Ids of any types as an Arrow array, with the row of one that is no text."""
    texts = []
    for row, value in enumerate(values):
        try:
            texts.append(id_text(value))
        except ValueError as error:
            raise IdError(row, str(error)) from None
    return pa.array(texts, pa.large_string())


def id_text(value: Any) -> str | None:
    """One id as text, None if it is missing; a `ValueError` says why it cannot be used."""
    several = isinstance(value, np.ndarray) and value.ndim > 0
    if several or isinstance(value, (list, set, frozenset, dict)):
        kind = type(value).__name__
        raise ValueError(
            f"value {shown(value)} is a {kind}, and a row needs one id; make a row of each, as "
            "DataFrame.explode does"
        )
    try:
        text = _text(value)
        (text or "").encode()
    except ValueError as error:  # not UTF-8, or a number of too many digits
        reason = getattr(error, "reason", error)
        raise ValueError(f"value {shown(value)} is not UTF-8 text ({reason}); convert it") from None
    if text and ("\0" in text or BOM in text):
        raise ValueError(refusal(text))
    return text


def first_forbidden(array: pa.LargeStringArray) -> int | None:
    """The first row whose id holds a zero byte or a byte-order mark."""
    data, offsets = buffers(array)
    for start in range(int(offsets[0]), int(offsets[-1]), _SEARCHED):
        block = data[start : min(start + _SEARCHED + 2, int(offsets[-1]))]
        for found in (b"\0", BOM.encode()):
            if not (block == found[0]).any():
                continue
            place = block.tobytes().find(found)
            if place >= 0:
                return int(np.searchsorted(offsets, start + place, side="right")) - 1
    return None


def refusal(text: str) -> str:
    """Why an id that holds a zero byte or a byte-order mark is refused."""
    mark = "a byte-order mark (U+FEFF), as files have at their start"
    what = mark if BOM in text else "a zero byte"
    return f"value {shown(text)} holds {what}; remove it"


def _casts_to_text(kind: Any) -> bool:
    """Whether Arrow's cast to text is right: for text, whole numbers and categories of those."""
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    text = (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view)
    return bool(pa.types.is_integer(kind) or any(is_kind(kind) for is_kind in text))


def _text(value: Any) -> str | None:
    """One id as text: 3.0 is '3', as whole numbers with a missing one among them become floats."""
    equals_itself = value == value  # False for NaN, and no truth value for pandas' NA
    if value is None or not isinstance(equals_itself, (bool, np.bool_)) or not equals_itself:
        return None
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, (float, np.floating)) and value.is_integer():
        return str(int(value))
    return value if isinstance(value, str) else str(value)


#: names the place of row j (from 0) of the data, such as "a.run, line 12"
Locate = Callable[[int], str]


@dataclass(frozen=True, slots=True)
class Origin:
    """Where the rows of a table come from, and what its columns are called there.

    Parameters
    ----------
    place : callable
        Names the place of a row of the source.
    names : mapping of canonical to own name
    unused : tuple of str
        The source's columns that are not read.
    rows : (rows,) int or None
        The source's row of each row; None: the same.
    wide : (name, own names, (rows,) int) or None
        A column that was spread over several: its canonical name, theirs, and which of them each
        row comes from.
    """

    place: Locate
    names: Mapping[str, Any] = field(default_factory=dict)
    unused: tuple[Any, ...] = ()
    rows: Ints | None = None
    wide: tuple[str, tuple[Any, ...], Ints] | None = None

    def __call__(self, row: int) -> str:
        """Name the place of a row."""
        return self.place(row if self.rows is None else int(self.rows[row]))

    def column(self, name: str, row: int = 0) -> str:
        """A column's name in the source, as shown in errors."""
        if self.wide is not None and name == self.wide[0]:
            return shown(self.wide[1][int(self.wide[2][row])])
        return shown(self.names.get(name, name))

    def take(self, rows: Ints) -> Origin:
        """The origin of some of the rows."""
        of_source = rows if self.rows is None else self.rows[rows]
        wide = None if self.wide is None else (*self.wide[:2], self.wide[2][rows])
        return replace(self, rows=of_source, wide=wide)


def column_at(locate: Locate, row: int, name: str) -> str:
    """The place of a cell: that of its row, and the column's name in the source."""
    own = locate.column(name, row) if isinstance(locate, Origin) else repr(name)
    return f"{locate(row)}, column {own}"


def unused_hint(locate: Locate, name: str, what: str, likely: Iterable[str] = ()) -> str:
    """What to do if a column that was not read tells rows apart, ready to start a remedy; or "".

    Parameters
    ----------
    locate : callable
    name : str
        Canonical name of the column that would tell them apart.
    what : str
        What it would do, in words.
    likely : iterable of str
        Those that seem to do so; otherwise all that were not read.
    """
    if not isinstance(locate, Origin) or name in locate.names:
        return ""
    unused = list(likely) or list(map(str, locate.unused))
    if not unused:
        return ""
    return (
        f"if a column that is not used ({first_few(unused, show=repr)}) {what}, name it: "
        f"columns={{{name!r}: {unused[0]!r}}}; else "
    )


def locate_by_row(where: str) -> Locate:
    """Locate by the number of the row, for data without lines."""
    return lambda row: f"{where}, row {row + 1}"


def located(locate: Locate, rows: Ints) -> Locate:
    """Locate some of the rows."""
    if isinstance(locate, Origin):
        return locate.take(rows)
    return lambda row: locate(int(rows[row]))


def origin_of(place: Locate, names: Mapping[str, Any], present: Iterable[Any]) -> Origin:
    """The origin of columns that were matched with some of those `present`."""
    read = {*names.values()}
    return Origin(place, names, tuple(name for name in present if name not in read))


_DECIMAL_COMMA = re.compile(r"-?\d+,\d+")

#: canonical name -> column of any type; see `check_ids` and `check_numbers`
Columns = dict[str, Any]


def check_ids(values: Iterable[Any], name: str, where: str | Locate) -> pa.LargeStringArray:
    """The ids as Arrow strings.

    Raises
    ------
    DataError
        An id is missing or empty, is not UTF-8, holds a zero byte or a byte-order mark, or this is
        no column of ids.
    """
    locate = locate_by_row(where) if isinstance(where, str) else where
    ids = check_text(values, name, locate)
    if ids.null_count:
        row = ids.is_null().index(True).as_py()
        raise DataError(f"{column_at(locate, row, name)}: the id is missing; every row needs one")
    _, offsets = buffers(ids)
    empty = np.flatnonzero(offsets[1:] == offsets[:-1])
    if len(empty):
        row = int(empty[0])
        raise DataError(f"{column_at(locate, row, name)}: the id is empty; every row needs one")
    return ids


def check_id(value: Any, name: str, where: str) -> str:
    """One id as text; see `check_ids`."""
    try:
        text = id_text(value)
    except ValueError as error:
        raise DataError(f"{where}, {name}: {error}") from None
    if not text:
        problem = "missing" if text is None else "empty"
        raise DataError(f"{where}, {name}: the name is {problem}; give one")
    return text


def check_text(values: Iterable[Any], name: str, locate: Locate) -> pa.LargeStringArray:
    """Ids that may be missing or empty; see `check_ids`."""
    if not isinstance(values, Iterable):
        raise DataError(
            f"{column_at(locate, 0, name)}: must be a column of ids, not {shown(values)}"
        )
    if getattr(values, "ndim", 1) != 1:
        raise DataError(f"{column_at(locate, 0, name)}: must be one-dimensional")
    try:
        return string_array(values)
    except IdError as error:
        raise DataError(f"{column_at(locate, error.row, name)}: {error}") from None


def parse_number(text: str) -> float:
    """The finite number written in `text`.

    Raises
    ------
    ValueError
        There is none; the message is meant to follow the place.
    """
    try:
        if "_" in text:  # a digit separator in Python only
            raise ValueError
        value = float(text)
    except ValueError:
        raise ValueError(f"value {shown(text)} is not a number; every row needs one") from None
    if math.isfinite(value):
        return value
    overflow = math.isinf(value) and "inf" not in text.lower()
    problem = "beyond the range of a double" if overflow else "not a finite number"
    raise ValueError(f"value {shown(text)} is {problem}; give one or leave the row out")


def words_hint(name: str, value: Any, *, in_table: bool = True) -> str:
    """What to do about an answer that is a word, ready to end a message; else empty."""
    if not isinstance(value, str) or not value.strip():
        return ""
    if _DECIMAL_COMMA.fullmatch(value.strip()):
        return f"; if the comma is a decimal one, write {value.strip().replace(',', '.')}"
    if name != "grade":
        return ""
    if not in_table:
        return f"; give one, or a table with grades={{{value!r}: 1}} to Judgments.from_frame"
    return (
        f"; say what words stand for, such as grades={{{value!r}: 1}}, or which are no answers: "
        f"drop=[{value!r}]"
    )


def first_duplicate_row(columns: Sequence[pa.LargeStringArray]) -> tuple[int, int] | None:
    """The first row whose ids in all `columns` equal an earlier row's: (earlier row, row)."""
    first_row: dict[tuple[Any, ...], int] = {}
    hashes = [hash_ids(column) for column in columns]
    rows = np.sort(duplicate_key_rows(row_keys(*hashes)))  # few: only these need their ids compared
    for row in rows.tolist():
        ids = tuple(column[row].as_py() for column in columns)
        if ids in first_row:
            return first_row[ids], row
        first_row[ids] = row
    return None


def refuse_repeats(
    columns: Mapping[str, pa.LargeStringArray],
    locate: Locate,
    text: str,
    kind: type[DataError] = DataError,
    *,
    column: str = "",
    remedy: str = "",
) -> None:
    """Raise if two rows have the same ids; `text` says so, with ``{first}`` and ids by name.

    The place names a `column`, if one is given, and the message ends with the remedy.
    """
    repeat = first_duplicate_row(list(columns.values()))
    if repeat is not None:
        first, again = repeat
        ids = {name: shown(column[again].as_py()) for name, column in columns.items()}
        place = column_at(locate, again, column) if column else locate(again)
        raise kind(f"{place}: {text.format(**ids, first=locate(first))}{remedy}")


# The answers of a table: one a row, those that are none left out, and words as numbers.


def settle(
    columns: Columns, origin: Origin, request: ColumnRequest, where: str
) -> tuple[Columns, Origin]:
    """One row for each answer, in columns of canonical names.

    Raises
    ------
    DataError
        An answer is a word without a number, or none is left.

    Warns
    -----
    LeftOutWarning
        Answers were left out, with their number.
    """
    value = request.value
    columns = _without_rivals(columns, origin, request, where)
    if request.wide:
        columns, origin = _made_long(columns, origin, request, where)
    if value not in columns or not (request.wide or request.drop or request.numbers):
        return columns, origin
    if not (request.drop or request.numbers) and isinstance(columns[value], np.ndarray):
        return columns, origin  # wide columns of numbers
    texts = check_text(columns[value], value, origin)
    if request.drop:
        columns, origin, texts = _without(columns, origin, texts, request, where)
    if value in NUMBERS:
        columns = columns | {value: _numbers(texts, request, origin)}
    return columns, origin


def _without_rivals(
    columns: Columns, origin: Origin, request: ColumnRequest, where: str
) -> Columns:
    """Warn of columns of other numbers that could have been read as the grades, and drop them."""
    rivals = {key: name for key in columns if (name := rival_of(key)) is not None}
    for key, name in rivals.items():
        read, other = (_doubles(columns[column]) for column in (request.value, key))
        if read is None or other is None or read.shape != other.shape:
            continue
        differ = int((read != other).sum())
        if differ:
            errors.warn(
                f"{where}: column {origin.column(request.value)} has the {request.value}s, and "
                f"{name!r}, which is not used, differs from it in {counted(differ, 'row')} of "
                f"{len(read):,}; say which you mean: columns={{{request.value!r}: {name!r}}}",
                errors.UnusedColumnWarning,
            )
    return {key: column for key, column in columns.items() if key not in rivals}


def _doubles(column: Any) -> Floats | None:
    """The numbers of a column; None if it has words, or cells are empty."""
    values = numbers_or_values(column) if hasattr(column, "to_pylist") else column
    try:
        numbers = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        return None
    return numbers if np.isfinite(numbers).all() else None


def _made_long(
    columns: Columns, origin: Origin, request: ColumnRequest, where: str
) -> tuple[Columns, Origin]:
    """A row for each cell of the wide columns that holds an answer."""
    wide = request.wide
    numbers = _wide_numbers(columns, request)
    if numbers is not None:
        values, empty = numbers, np.isnan(numbers)
    else:
        cells = [check_text(columns[kept_key(name)], str(name), origin) for name in wide]
        by_row = np.arange(len(cells[0]) * len(wide)).reshape(len(wide), -1).T.ravel()
        values = take(pa.concat_arrays(cells), by_row)
        empty = _which(values, lambda text: text is None or not text.strip())
    row, which = np.divmod(np.arange(len(empty)), len(wide))
    if empty.any():
        errors.warn(
            f"{where}: {counted(int(empty.sum()), 'cell is', 'cells are')} empty of "
            f"{len(empty):,} in the columns {first_few(map(str, wide))}; they are no judgments",
            errors.LeftOutWarning,
        )
    at = np.flatnonzero(~empty)
    if not len(at):
        raise DataError(f"{where}: all cells of the columns {first_few(map(str, wide))} are empty")
    kept = {kept_key(name) for name in wide}
    long = {name: _taken(column, row[at]) for name, column in columns.items() if name not in kept}
    long[request.value] = _taken(values, at)
    long[request.wide_as] = take(
        pa.array([str(name) for name in wide], pa.large_string()), which[at]
    )
    return long, replace(origin, rows=row[at], wide=(request.value, wide, which[at]))


def _wide_numbers(columns: Columns, request: ColumnRequest) -> Floats | None:
    """The cells of the wide columns, row by row, NaN where empty; None unless all are numbers."""
    if request.drop or request.numbers or request.value not in NUMBERS:
        return None
    cells = [_numbers_of_type(columns[kept_key(name)]) for name in request.wide]
    found = [cell for cell in cells if cell is not None]
    return np.stack(found, axis=1).ravel() if len(found) == len(cells) else None


def _numbers_of_type(column: Any) -> Floats | None:
    """The numbers of a column whose type is one of 64-bit floats or whole numbers; else None."""
    if hasattr(column, "to_pylist"):
        whole = pa.types.is_integer(column.type)
        return numbers_or_values(column) if whole or pa.types.is_float64(column.type) else None
    kind = getattr(column, "dtype", None)
    if isinstance(kind, np.dtype) and (kind.kind in "iu" or kind == np.float64):
        return np.asarray(column, dtype=np.float64)
    return None


def _which(texts: pa.LargeStringArray, matches: Callable[[str | None], bool]) -> Bools:
    """Whether each text matches, asked once of each distinct one: (rows,)."""
    encoded: Any = texts.dictionary_encode()
    found = np.array([*map(matches, encoded.dictionary.to_pylist()), matches(None)], dtype=bool)
    return found[as_numpy(encoded.indices.fill_null(-1), np.int32)]


def _without(
    columns: Columns, origin: Origin, texts: pa.LargeStringArray, request: ColumnRequest, where: str
) -> tuple[Columns, Origin, pa.LargeStringArray]:
    """Without the rows whose answers are to be dropped, of which there may be none."""
    dropped = {id_text(answer) for answer in request.drop}
    if None in dropped:  # an empty cell of a text file is a missing answer, too
        dropped.add("")
    out = _which(texts, dropped.__contains__)
    if not out.any():
        return columns, origin, texts
    column = origin.column(request.value)
    left = counted(int(out.sum()), "row")
    named = first_few(shown(answer) for answer in request.drop)
    errors.warn(
        f"{where}: {left} of {len(out):,} left out, column {column}: {named}", errors.LeftOutWarning
    )
    at = np.flatnonzero(~out)
    if not len(at):
        raise DataError(f"{where}, column {column}: drop= leaves no row; name fewer answers")
    rest = {name: _taken(values, at) for name, values in columns.items()}
    return rest, origin.take(at), take(texts, at)


def _numbers(texts: pa.LargeStringArray, request: ColumnRequest, origin: Origin) -> Floats:
    """The number of each answer: that of its word, or the one it is."""
    encoded: Any = texts.dictionary_encode()
    number_of = {id_text(word): float(number) for word, number in (request.numbers or {}).items()}
    codes = as_numpy(encoded.indices.fill_null(-1), np.int32)
    missing = np.flatnonzero(codes < 0)
    if len(missing):
        place = column_at(origin, int(missing[0]), request.value)
        raise DataError(f"{place}: the answer is missing; drop=[None] leaves such rows out")
    values = np.empty(len(encoded.dictionary))
    for code, text in enumerate(encoded.dictionary.to_pylist()):
        if text in number_of:
            values[code] = number_of[text]
            continue
        try:
            values[code] = parse_number(text)
        except ValueError as error:
            place = column_at(origin, int(np.argmax(codes == code)), request.value)
            raise DataError(_unknown_word(place, text, request, error)) from None
    return values[codes]


def _unknown_word(place: str, text: str, request: ColumnRequest, error: ValueError) -> str:
    """The message about an answer that is no number, nor a word of `grades` or `drop`."""
    near = nearest(text, [str(answer) for answer in request.drop])
    other = f"; this is not among the answers of drop={near}" if near else ""
    if not request.numbers:
        return f"{place}: {error}{words_hint('grade', text)}{other}"
    known = [str(word) for word in request.numbers]
    return (
        f"{place}: value {shown(text)} is not among grades={{{first_few(known, show=repr)}}}"
        f"{nearest(text, known)}; give its number there, or leave such rows out: drop=[{text!r}]"
        f"{other}"
    )


def _taken(column: Any, rows: Ints) -> Any:
    """Some rows of a column of any type."""
    if hasattr(column, "to_pylist"):
        column = column.combine_chunks() if hasattr(column, "combine_chunks") else column
        if pa.types.is_string_view(column.type):  # of polars; Arrow cannot take rows of it
            column = column.cast(pa.large_string())
        return take(column, rows)
    if hasattr(column, "iloc"):
        return column.iloc[rows]
    if hasattr(column, "dtype") and hasattr(column, "ndim"):
        return column[rows]
    listed = list(column)
    return [listed[row] for row in rows.tolist()]
