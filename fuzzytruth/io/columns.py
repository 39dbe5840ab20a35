"""Checks on whole columns at the door: ids are there, numbers are numbers, nothing occurs twice."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fuzzytruth.core.hashing import mix
from fuzzytruth.core.strings import hash_ids, string_array
from fuzzytruth.errors import DataError

if TYPE_CHECKING:
    import pyarrow as pa

#: tells where row j (from 0) of the data stands, such as "a.run, line 12"
Locate = Callable[[int], str]


def rows_of(where: str) -> Locate:
    """Locate by the row's number, for data that have no lines."""
    return lambda row: f"{where}, row {row + 1}"


def check_ids(values: Iterable[Any], name: str, where: str | Locate) -> pa.LargeStringArray:
    """Return the ids as Arrow strings; a missing or empty id is an error."""
    locate = rows_of(where) if isinstance(where, str) else where
    ids = string_array(values)
    if ids.null_count:
        row = int(np.flatnonzero(ids.is_null().to_numpy(zero_copy_only=False))[0])
        raise DataError(f"{locate(row)}, column {name!r}: the id is missing; every row needs one")
    _, offsets = _offsets(ids)
    empty = np.flatnonzero(offsets[1:] == offsets[:-1])
    if len(empty):
        raise DataError(
            f"{locate(int(empty[0]))}, column {name!r}: the id is empty; every row needs one"
        )
    return ids


def _offsets(ids: pa.LargeStringArray) -> tuple[Any, NDArray[np.int64]]:
    from fuzzytruth.core.strings import buffers

    return buffers(ids)


def check_numbers(values: Any, name: str, where: str | Locate) -> NDArray[np.float64]:
    """Return a fresh array of finite doubles; anything else is an error that shows the value."""
    locate = rows_of(where) if isinstance(where, str) else where
    try:
        numbers = np.array(values, dtype=np.float64)
    except (TypeError, ValueError):
        numbers = _one_by_one(values, name, locate)
    if numbers.ndim != 1:
        raise DataError(f"{locate(0)}, column {name!r}: must be one-dimensional")
    bad = np.flatnonzero(~np.isfinite(numbers))
    if len(bad):
        row = int(bad[0])
        raise DataError(
            f"{locate(row)}, column {name!r}: {numbers[row]} is not allowed; "
            "give a finite number or leave the row out"
        )
    return numbers


def _one_by_one(values: Any, name: str, locate: Locate) -> NDArray[np.float64]:
    out = []
    for row, value in enumerate(values):
        try:
            out.append(float(value))
        except (TypeError, ValueError):
            raise DataError(f"{locate(row)}, column {name!r}: {value!r} is not a number") from None
    return np.array(out, dtype=np.float64)


def row_keys(columns: Sequence[pa.LargeStringArray]) -> NDArray[np.uint64]:
    """One 64-bit key a row, from the ids of all `columns`."""
    keys = np.zeros(len(columns[0]), dtype=np.uint64)
    for column in columns:
        keys = mix(keys ^ hash_ids(column))
    return keys


def repeated_rows(keys: NDArray[np.uint64]) -> NDArray[np.int64]:
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
