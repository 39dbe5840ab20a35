"""Named columns of objects in memory, of any library: none is imported that is not there already.

Read are frames of pandas (named levels of the index are columns, too), everything that offers the
Arrow stream (polars, DuckDB, pyarrow, Hugging Face datasets), structured arrays of NumPy, mappings
of columns, and lists or iterators of named tuples, data classes or mappings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth._typing import Bools, Floats, Ints
from fuzzytruth.errors import (
    DataError,
    LeftOutWarning,
    OptionError,
    UnusedColumnWarning,
    counted,
    first_few,
    nearest,
    shown,
    warn,
)
from fuzzytruth.io.column_request import NUMBERS, Answers, ColumnRequest, kept_key, rival_of
from fuzzytruth.io.columns import Columns, check_text, parse_number, words_hint
from fuzzytruth.io.ids import as_numpy, id_text, numbers_or_values, take
from fuzzytruth.io.origin import Locate, Origin, column_at, locate_by_row, origin_of

if TYPE_CHECKING:
    import pyarrow as pa


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
    answers, value = request.answers, request.value
    columns = _without_rivals(columns, origin, request, where)
    if answers.wide:
        columns, origin = _made_long(columns, origin, request, where)
    if value not in columns or not (answers.wide or answers.drop or answers.numbers):
        return columns, origin
    if not (answers.drop or answers.numbers) and isinstance(columns[value], np.ndarray):
        return columns, origin  # wide columns of numbers
    texts = check_text(columns[value], value, origin)
    if answers.drop:
        columns, origin, texts = _without(columns, origin, texts, request, where)
    if value in NUMBERS:
        columns = columns | {value: _numbers(texts, answers, value, origin)}
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
            warn(
                f"{where}: column {origin.column(request.value)} has the {request.value}s, and "
                f"{name!r}, which is not used, differs from it in {counted(differ, 'row')} of "
                f"{len(read):,}; say which you mean: columns={{{request.value!r}: {name!r}}}",
                UnusedColumnWarning,
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
    import pyarrow as pa

    wide = request.answers.wide
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
        warn(
            f"{where}: {counted(int(empty.sum()), 'cell is', 'cells are')} empty of "
            f"{len(empty):,} in the columns {first_few(map(str, wide))}; they are no judgments",
            LeftOutWarning,
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
    answers = request.answers
    if answers.drop or answers.numbers or request.value not in NUMBERS:
        return None
    cells = [_numbers_of_type(columns[kept_key(name)]) for name in answers.wide]
    found = [cell for cell in cells if cell is not None]
    return np.stack(found, axis=1).ravel() if len(found) == len(cells) else None


def _numbers_of_type(column: Any) -> Floats | None:
    """The numbers of a column whose type is one of 64-bit floats or whole numbers; else None."""
    if hasattr(column, "to_pylist"):
        import pyarrow as pa

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
    out: Bools = found[as_numpy(encoded.indices.fill_null(-1), np.int32)]
    return out


def _without(
    columns: Columns, origin: Origin, texts: pa.LargeStringArray, request: ColumnRequest, where: str
) -> tuple[Columns, Origin, pa.LargeStringArray]:
    """Without the rows whose answers are to be dropped, of which there may be none."""
    dropped = {id_text(answer) for answer in request.answers.drop}
    if None in dropped:  # an empty cell of a text file is a missing answer, too
        dropped.add("")
    out = _which(texts, dropped.__contains__)
    if not out.any():
        return columns, origin, texts
    column = origin.column(request.value)
    left = counted(int(out.sum()), "row")
    named = first_few(shown(answer) for answer in request.answers.drop)
    warn(f"{where}: {left} of {len(out):,} left out, column {column}: {named}", LeftOutWarning)
    at = np.flatnonzero(~out)
    if not len(at):
        raise DataError(f"{where}, column {column}: drop= leaves no row; name fewer answers")
    rest = {name: _taken(values, at) for name, values in columns.items()}
    return rest, origin.take(at), take(texts, at)


def _numbers(texts: pa.LargeStringArray, answers: Answers, name: str, origin: Origin) -> Floats:
    """The number of each answer: that of its word, or the one it is."""
    encoded: Any = texts.dictionary_encode()
    number_of = {id_text(word): float(number) for word, number in (answers.numbers or {}).items()}
    codes = as_numpy(encoded.indices.fill_null(-1), np.int32)
    missing = np.flatnonzero(codes < 0)
    if len(missing):
        place = column_at(origin, int(missing[0]), name)
        raise DataError(f"{place}: the answer is missing; drop=[None] leaves such rows out")
    values = np.empty(len(encoded.dictionary))
    for code, text in enumerate(encoded.dictionary.to_pylist()):
        if text in number_of:
            values[code] = number_of[text]
            continue
        try:
            values[code] = parse_number(text)
        except ValueError as error:
            place = column_at(origin, int(np.argmax(codes == code)), name)
            raise DataError(_unknown_word(place, text, answers, error)) from None
    out: Floats = values[codes]
    return out


def _unknown_word(place: str, text: str, answers: Answers, error: ValueError) -> str:
    """The message about an answer that is no number, nor a word of `grades` or `drop`."""
    near = nearest(text, [str(answer) for answer in answers.drop])
    other = f"; this is not among the answers of drop={near}" if near else ""
    if not answers.numbers:
        return f"{place}: {error}{words_hint('grade', text)}{other}"
    known = [str(word) for word in answers.numbers]
    return (
        f"{place}: value {shown(text)} is not among grades={{{first_few(known, show=repr)}}}"
        f"{nearest(text, known)}; give its number there, or leave such rows out: drop=[{text!r}]"
        f"{other}"
    )


def _taken(column: Any, rows: Ints) -> Any:
    """Some rows of a column of any type."""
    if hasattr(column, "to_pylist"):
        import pyarrow as pa

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


_KINDS = (
    "a DataFrame (of pandas, polars, DuckDB, Arrow), a structured array, a mapping of columns, or "
    "a list of named tuples or mappings"
)


@dataclass(frozen=True, slots=True)
class NamedColumns:
    """The columns of an object.

    Parameters
    ----------
    names : tuple
    column : callable
        From a name to its values.
    label : callable or None
        What the object itself calls a row.
    note : str
        What of it has no name, ready to end a message.
    """

    names: tuple[Any, ...]
    column: Callable[[Any], Any]
    label: Callable[[int], Any] | None = None
    note: str = ""

    def values(self, name: Any) -> list[Any]:
        """The values of a column, as Python has them."""
        column = self.column(name)
        convert = getattr(column, "to_pylist", None) or getattr(column, "tolist", None)
        return list(column) if convert is None else list(convert())

    def locate(self, where: str) -> Locate:
        """Locate by the number of the row, and its label if it has one."""
        label = self.label
        if label is None:
            return locate_by_row(where)
        return lambda row: f"{where}, row {row + 1} (index {shown(label(row))})"


def is_parted(given: Any) -> bool:
    """Whether this is a frame of Dask, whose other collections have no divisions."""
    return hasattr(given, "to_delayed") and hasattr(given, "divisions")


def is_table(given: Any) -> bool:
    """Whether an object has named columns; see `named_columns`."""
    if isinstance(given, (str, bytes)) or hasattr(given, "__fspath__"):
        return False
    if _is_frame(given) or hasattr(given, "__arrow_c_stream__"):
        return True
    names = getattr(getattr(given, "dtype", None), "names", None)
    if names or isinstance(given, Iterator):
        return True
    return isinstance(given, (list, tuple)) and bool(given) and _is_record(given[0])


def table_of(
    given: Any, request: ColumnRequest, where: str = "frame", otherwise: str = ""
) -> tuple[Columns, Origin]:
    """Unchecked columns under their canonical names, and where each row comes from.

    As `read_table` gives them for files; `otherwise` ends the message about an object without
    named columns.

    Raises
    ------
    OptionError
        The object has no named columns.
    DataError
        A column is missing or ambiguous.
    """
    return columns_of(named_columns(given, where, request, otherwise), request, where)


def columns_of(
    table: NamedColumns, request: ColumnRequest, where: str = "frame"
) -> tuple[Columns, Origin]:
    """The columns that a request matches; see `table_of`."""
    names = request.match(table.names, where, table.note)
    columns = {name: table.column(own) for name, own in names.items()}
    return settle(columns, origin_of(table.locate(where), names, table.names), request, where)


def named_columns(
    given: Any, where: str, request: ColumnRequest | None = None, otherwise: str = ""
) -> NamedColumns:
    """The columns of an object of any library; see the module."""
    if is_parted(given):
        raise OptionError(f"{where}: Dask frames are for evaluate; elsewhere, give frame.compute()")
    if _is_frame(given):
        return _of_pandas(given, "value" if request is None else request.value)
    if hasattr(given, "__arrow_c_stream__"):
        return _of_arrow(given, where)
    if getattr(getattr(given, "dtype", None), "names", None):
        return NamedColumns(tuple(given.dtype.names), given.__getitem__)
    if isinstance(given, Mapping) and all(map(_is_column, given.values())):
        return NamedColumns(tuple(given), given.__getitem__)
    records = list(given) if isinstance(given, Iterator) else given
    if isinstance(records, (list, tuple)) and records and _is_record(records[0]):
        return _of_records(records, where)
    if isinstance(given, Iterator) and not records:
        raise DataError(f"{where}: there are no rows in it")
    raise OptionError(f"{where}={shown(given)}: must be {_KINDS}{otherwise}")


def _is_frame(given: Any) -> bool:
    """Whether this is a DataFrame or a Series of pandas."""
    return hasattr(given, "iloc") and hasattr(given, "index")


def _of_pandas(given: Any, value: str) -> NamedColumns:
    """Columns of a DataFrame or Series, and the named levels of its index."""
    index = given.index
    columns: dict[Any, Callable[[], Any]] = {}
    for level, name in enumerate(index.names):
        if name is not None:
            columns[name] = partial(index.get_level_values, level)
    if hasattr(given, "columns"):
        for place, name in enumerate(given.columns):
            columns[flat_name(name)] = partial(given.iloc.__getitem__, (slice(None), place))
        if len(columns) < len(given.columns) + sum(name is not None for name in index.names):
            names = [flat_name(name) for name in given.columns] + list(index.names)
            twice = next(name for name in names if names.count(name) > 1)
            raise DataError(f"frame: there are several columns {shown(twice)}; rename one")
    else:
        columns[value if given.name is None else given.name] = lambda: given
    note = ""
    if len(index.names) > 1 and None in index.names:
        note = "; name the levels of its index, such as frame.index.names = ['query', 'item']"
    return NamedColumns(
        tuple(columns), lambda name: columns[name](), lambda row: _plain(index[row]), note
    )


def _plain(label: Any) -> Any:
    """A label as Python shows it, not as NumPy does."""
    return label.item() if hasattr(label, "item") else label


def flat_name(name: Any) -> Any:
    """The name of a column; the levels of a MultiIndex joined, empty ones left out."""
    return "_".join(str(part) for part in name if part != "") if isinstance(name, tuple) else name


def _of_arrow(given: Any, where: str) -> NamedColumns:
    import pyarrow as pa

    try:
        table = pa.table(given)
    except (pa.ArrowException, TypeError, ValueError) as error:
        text = " ".join(str(error).split())
        raise DataError(f"{where}: its Arrow stream cannot be read ({text})") from None
    return NamedColumns(tuple(table.column_names), table.column)


def _is_column(value: Any) -> bool:
    return hasattr(value, "__len__") and not isinstance(value, (str, bytes, Mapping, set))


def _is_record(value: Any) -> bool:
    named = isinstance(value, tuple) and hasattr(value, "_fields")
    return (
        named or isinstance(value, Mapping) or (is_dataclass(value) and not isinstance(value, type))
    )


def _of_records(records: Iterable[Any], where: str) -> NamedColumns:
    """Columns of named tuples, data classes or mappings; None where one lacks a name."""
    rows = []
    for row, record in enumerate(records):
        if not _is_record(record):
            raise DataError(f"{where}, row {row + 1}: {shown(record)} has no named values")
        rows.append(_named_values(record))
    names = dict.fromkeys(name for row in rows for name in row)
    return NamedColumns(tuple(names), lambda name: [row.get(name) for row in rows])


def _named_values(record: Any) -> Mapping[Any, Any]:
    if isinstance(record, Mapping):
        return record
    if isinstance(record, tuple):
        return dict(zip(record._fields, record, strict=True))  # type: ignore[attr-defined]
    return {field.name: getattr(record, field.name) for field in fields(record)}
