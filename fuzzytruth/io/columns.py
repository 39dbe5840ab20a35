"""Checks on whole columns at the door: ids are there, numbers are numbers, nothing occurs twice."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth._typing import U64, Floats, Ints
from fuzzytruth.core.hashing import mix
from fuzzytruth.errors import DataError, shown
from fuzzytruth.io.column_names import find_columns
from fuzzytruth.io.ids import buffers, hash_ids, string_array

if TYPE_CHECKING:
    import pyarrow as pa

#: tells where row j (from 0) of the data stands, such as "a.run, line 12"
Locate = Callable[[int], str]

#: canonical name -> column, of whatever type; see `check_ids` and `check_numbers`
Columns = dict[str, Any]

#: canonical names of columns that hold numbers; all others hold ids
NUMBERS = frozenset(
    {"grade", "probability", "position", "score", "distance", "rank", "weight", "value"}
)


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which columns to look for.

    Parameters
    ----------
    required, optional : tuple of str
        Canonical names.
    value : str
        The column that the innermost numbers of nested objects are.
    any_of : tuple of str
        Canonical names of which one must be there.
    """

    required: tuple[str, ...]
    optional: tuple[str, ...]
    value: str
    any_of: tuple[str, ...] = ()

    @property
    def named(self) -> tuple[str, ...]:
        """What the first line of a table should name, at least."""
        return (*self.required, *self.any_of[:1])

    @property
    def listed(self) -> str:
        """What every record must have, in words."""
        return ", ".join(dict.fromkeys((*self.required, self.value)))

    def found(self, present: Iterable[str], where: str) -> dict[str, str]:
        """Canonical name → the column's own, as `find_columns` has it."""
        return find_columns(present, self.required, self.optional, where=where, any_of=self.any_of)


def rows_of(where: str) -> Locate:
    """Locate by the row's number, for data that have no lines."""
    return lambda row: f"{where}, row {row + 1}"


def check_ids(values: Iterable[Any], name: str, where: str | Locate) -> pa.LargeStringArray:
    """Return the ids as Arrow strings; a missing or empty id is an error."""
    locate = rows_of(where) if isinstance(where, str) else where
    if not isinstance(values, Iterable):
        raise DataError(
            f"{locate(0)}, column {name!r}: must be a column of ids, not {shown(values)}"
        )
    if getattr(values, "ndim", 1) != 1:
        raise DataError(f"{locate(0)}, column {name!r}: must be one-dimensional")
    try:
        ids = string_array(values)
    except UnicodeError as error:
        raise DataError(
            f"{locate(0)} and on, column {name!r}: an id is not UTF-8 ({error})"
        ) from None
    if ids.null_count:
        row = ids.is_null().index(True).as_py()
        raise DataError(f"{locate(row)}, column {name!r}: the id is missing; every row needs one")
    _, offsets = buffers(ids)
    empty = np.flatnonzero(offsets[1:] == offsets[:-1])
    if len(empty):
        row = int(empty[0])
        raise DataError(f"{locate(row)}, column {name!r}: the id is empty; every row needs one")
    return ids


def check_numbers(values: Any, name: str, where: str | Locate) -> Floats:
    """Return a fresh array of finite doubles; anything else is an error that shows the value."""
    locate = rows_of(where) if isinstance(where, str) else where
    try:
        raw = values if hasattr(values, "dtype") else np.asarray(values)
        if raw.dtype.kind in "mMc":  # times and complex numbers, which NumPy would make numbers of
            raise TypeError
        numbers = np.array(raw, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        numbers = _one_by_one(values, name, locate)
    if numbers.ndim != 1:
        raise DataError(f"{locate(0)}, column {name!r}: must be one-dimensional")
    bad = np.flatnonzero(~np.isfinite(numbers))
    if len(bad):
        row = int(bad[0])
        raise DataError(
            f"{locate(row)}, column {name!r}: value {_value(values, row)} is not a finite number; "
            "give one or leave the row out"
        )
    return numbers


def check_probabilities(values: Any, name: str, where: str | Locate) -> Floats:
    """Return a fresh array of numbers in [0, 1]; anything else is an error that shows the value."""
    locate = rows_of(where) if isinstance(where, str) else where
    chance = check_numbers(values, name, locate)
    bad = np.flatnonzero((chance < 0) | (chance > 1))
    if len(bad):
        raise DataError(
            f"{locate(int(bad[0]))}, column {name!r}: value {chance[bad[0]]:g} is not a "
            "probability; give a number from 0 to 1"
        )
    return chance


def parse_number(text: str) -> float:
    """The finite number that `text` writes out.

    Raises
    ------
    ValueError
        There is none; the message goes behind the place.
    """
    try:
        if "_" in text:  # Python's own notation
            raise ValueError
        value = float(text)
    except ValueError:
        raise ValueError(f"value {shown(text)} is not a number; every row needs one") from None
    if math.isfinite(value):
        return value
    what = "beyond the range of a double" if "inf" not in text.lower() and value == value else ""
    raise ValueError(
        f"value {shown(text)} is {what or 'not a finite number'}; give one or leave the row out"
    )


def _value(values: Any, row: int) -> str:
    value = next(itertools.islice(values, row, None))
    return shown(getattr(value, "item", lambda: value)())


def _one_by_one(values: Any, name: str, locate: Locate) -> Floats:
    out = []
    for row, value in enumerate(values):
        try:
            if getattr(getattr(value, "dtype", None), "kind", "f") in "mMc":
                raise TypeError
            out.append(float(value))
        except (TypeError, ValueError, OverflowError):
            raise DataError(
                f"{locate(row)}, column {name!r}: value {shown(value)} is not a number"
            ) from None
    return np.array(out, dtype=np.float64)


def row_keys(columns: Sequence[pa.LargeStringArray]) -> U64:
    """One 64-bit key a row, from the ids of all `columns`."""
    keys = np.zeros(len(columns[0]), dtype=np.uint64)
    for column in columns:
        keys = mix(keys ^ hash_ids(column))
    return keys


def repeated_rows(keys: U64) -> Ints:
    """Rows whose key occurs more than once, equal keys side by side, in order of appearance."""
    ordered = np.sort(keys)
    if not (ordered[1:] == ordered[:-1]).any():
        return np.empty(0, dtype=np.int64)
    order = np.argsort(keys, kind="stable")
    same = keys[order][1:] == keys[order][:-1]
    member = np.zeros(len(keys), dtype=bool)
    member[1:] = same
    member[:-1] |= same
    return order[member]


def first_repeat(columns: Sequence[pa.LargeStringArray]) -> tuple[int, int] | None:
    """The first row that repeats an earlier one in all `columns`: (earlier row, row) or None."""
    seen: dict[tuple[Any, ...], int] = {}
    rows = np.sort(repeated_rows(row_keys(columns)))  # a handful: equal hashes only
    for row in rows.tolist():
        ids = tuple(column[row].as_py() for column in columns)
        if ids in seen:
            return seen[ids], row
        seen[ids] = row
    return None
