"""Validation of whole columns: no id missing, all numbers finite, no row twice."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth._typing import U64, Floats
from fuzzytruth.core.checksums import duplicate_key_rows, mix
from fuzzytruth.errors import DataError, shown
from fuzzytruth.io.ids import IdError, buffers, hash_ids, id_text, numbers_or_values, string_array
from fuzzytruth.io.origin import Locate, Origin, column_at, locate_by_row

if TYPE_CHECKING:
    import pyarrow as pa

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


def check_numbers(values: Any, name: str, where: str | Locate) -> Floats:
    """The numbers as a new array of finite doubles.

    Raises
    ------
    DataError
        A value, which the message shows, is not a finite number.
    """
    locate = locate_by_row(where) if isinstance(where, str) else where
    if isinstance(values, Iterator):
        values = list(values)
    elif hasattr(values, "to_pylist"):  # Arrow's
        values = numbers_or_values(values)
    try:
        raw = values if hasattr(values, "dtype") else np.asarray(values)
        if raw.dtype.kind in "mMc":  # times and complex numbers, which NumPy would convert
            raise TypeError
        if raw.dtype.kind in "OUS" and any(
            map(_has_digit_separator, np.asarray(raw).ravel().tolist())
        ):
            raise ValueError
        # asarray first: asked for a copy, pandas 2 hands out its own memory
        numbers = np.array(np.asarray(raw), dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        if not isinstance(values, Iterable):
            raise DataError(
                f"{column_at(locate, 0, name)}: must be a column of numbers, not {shown(values)}"
            ) from None
        numbers = _convert_one_by_one(values, name, locate)
    if numbers.ndim > 1 and isinstance(values, (list, tuple)):  # name the first list among them
        numbers = _convert_one_by_one(values, name, locate)
    if numbers.ndim != 1:
        raise DataError(f"{column_at(locate, 0, name)}: must be one-dimensional")
    bad = np.flatnonzero(~np.isfinite(numbers))
    if len(bad):
        row = int(bad[0])
        droppable = name == "grade" and isinstance(locate, Origin) and np.isnan(numbers[row])
        raise DataError(
            f"{column_at(locate, row, name)}: value {_shown_value(values, row)} is not a "
            f"finite number; give one or leave the row out{': drop=[None]' if droppable else ''}"
        )
    return numbers


def check_probabilities(values: Any, name: str, where: str | Locate) -> Floats:
    """The probabilities as a new array of doubles.

    Raises
    ------
    DataError
        A value, which the message shows, is not a number in [0, 1].
    """
    locate = locate_by_row(where) if isinstance(where, str) else where
    probability = check_numbers(values, name, locate)
    bad = np.flatnonzero((probability < 0) | (probability > 1))
    if len(bad):
        raise DataError(
            f"{column_at(locate, int(bad[0]), name)}: value {probability[bad[0]]:g} is not a "
            "probability; give a number from 0 to 1"
        )
    return probability


def check_weights(
    values: Any, name: str, where: str | Locate, *, above_0: bool = False, hint: str = ""
) -> Floats:
    """The weights as a new array of doubles, from 0 or above it.

    `hint` ends the message about one that is not; without a `name`, places name the cell.

    Raises
    ------
    DataError
        A value, which the message shows, is not such a number.
    """
    locate = locate_by_row(where) if isinstance(where, str) else where
    weight = check_numbers(values, name, locate)
    bad = np.flatnonzero(weight <= 0 if above_0 else weight < 0)
    if len(bad):
        row = int(bad[0])
        rule = "must be above 0" if above_0 else "is negative; give a number from 0"
        raise DataError(f"{_cell_at(locate, row, name)}: value {weight[row]:g} {rule}{hint}")
    return weight


def check_counts(values: Any, name: str, where: str | Locate, *, hint: str = "") -> Floats:
    """The numbers of votes as a new array of doubles that are whole; see `check_weights`."""
    locate = locate_by_row(where) if isinstance(where, str) else where
    count = check_numbers(values, name, locate)
    bad = np.flatnonzero((count < 0) | (count % 1 != 0) | (count >= 2**53))
    if len(bad):
        row = int(bad[0])
        raise DataError(
            f"{_cell_at(locate, row, name)}: value {count[row]:g} is not a number of people; give "
            f"a whole number from 0{hint}"
        )
    return count


def _cell_at(locate: Locate, row: int, name: str) -> str:
    return column_at(locate, row, name) if name else locate(row)


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


def _shown_value(values: Any, row: int) -> str:
    """The value of a row as an error shows it, whatever the type of the column."""
    value = next(itertools.islice(values, row, None))
    return shown(getattr(value, "item", lambda: value)())


def _convert_one_by_one(values: Any, name: str, locate: Locate) -> Floats:
    """Convert values of mixed types, to name the first that is not a number."""
    out = []
    for row, value in enumerate(values):
        try:
            kind = getattr(getattr(value, "dtype", None), "kind", "f")
            if kind in "mMc" or (isinstance(value, np.ndarray) and value.ndim):
                raise TypeError
            if _has_digit_separator(value):
                raise ValueError
            out.append(float(value))
        except (TypeError, ValueError, OverflowError):
            raise DataError(
                f"{column_at(locate, row, name)}: value {shown(value)} is not a number"
                f"{words_hint(name, value, in_table=isinstance(locate, Origin))}"
            ) from None
    return np.array(out, dtype=np.float64)


def _has_digit_separator(value: Any) -> bool:
    """Whether this is text such as 1_0, a number in Python only."""
    return "_" in value if isinstance(value, str) else isinstance(value, bytes) and b"_" in value


def row_keys(columns: Sequence[pa.LargeStringArray]) -> U64:
    """A 64-bit key of each row, from its ids in all `columns`; rows with equal ids share it."""
    keys = np.zeros(len(columns[0]), dtype=np.uint64)
    for column in columns:
        keys = mix(keys ^ hash_ids(column))
    return keys


def first_duplicate_row(columns: Sequence[pa.LargeStringArray]) -> tuple[int, int] | None:
    """The first row whose ids in all `columns` equal an earlier row's: (earlier row, row)."""
    first_row: dict[tuple[Any, ...], int] = {}
    rows = np.sort(duplicate_key_rows(row_keys(columns)))  # few: only these need their ids compared
    for row in rows.tolist():
        ids = tuple(column[row].as_py() for column in columns)
        if ids in first_row:
            return first_row[ids], row
        first_row[ids] = row
    return None


#: how each column is checked, by its canonical name
_CHECKS: dict[str, Callable[[Any, str, Locate], Any]] = {
    **dict.fromkeys(("query", "item", "category", "intent"), check_ids),
    **dict.fromkeys(("subject", "system", "repeat"), check_ids),
    **dict.fromkeys(("grade", "position", "score", "rank"), check_numbers),
    "probability": check_probabilities,
    "count": check_counts,
}


def check_columns(
    columns: Mapping[str, Any],
    where: str,
    locate: Locate,
    *,
    empty: str = "there are no rows in it",
) -> dict[str, Any]:
    """Those columns that are not None, by canonical name: checked, of one length, not empty.

    Raises
    ------
    DataError
        A value is not what the name of its column says, columns differ in length, or there is no
        row; `empty` then ends the message.
    """
    checked = {
        name: _CHECKS[name](column, name, locate)
        for name, column in columns.items()
        if column is not None
    }
    lengths = {name: len(column) for name, column in checked.items()}
    if len({*lengths.values()}) > 1:
        raise DataError(f"{where}: columns differ in length: {lengths}")
    if 0 in lengths.values():
        raise DataError(f"{where}: {empty}")
    return checked
