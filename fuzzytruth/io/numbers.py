"""Validation of columns: numbers that are finite and of their kind, and whole tables."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from fuzzytruth._typing import Bools, Floats
from fuzzytruth.errors import DataError, shown
from fuzzytruth.io.columns import (
    Locate,
    Origin,
    check_ids,
    column_at,
    locate_by_row,
    numbers_or_values,
    words_hint,
)


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
    rule = "is not a probability; give a number from 0 to 1"
    return _checked(values, name, where, lambda number: (number < 0) | (number > 1), rule)


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
    if above_0:
        return _checked(values, name, where, lambda number: number <= 0, f"must be above 0{hint}")
    rule = f"is negative; give a number from 0{hint}"
    return _checked(values, name, where, lambda number: number < 0, rule)


def check_counts(values: Any, name: str, where: str | Locate, *, hint: str = "") -> Floats:
    """The numbers of votes as a new array of doubles that are whole; see `check_weights`."""
    rule = f"is not a number of people; give a whole number from 0{hint}"
    return _checked(
        values, name, where, lambda count: (count < 0) | (count % 1 != 0) | (count >= 2**53), rule
    )


def _checked(
    values: Any, name: str, where: str | Locate, breaks: Callable[[Floats], Bools], rule: str
) -> Floats:
    """The numbers as a new array; the first that breaks the rule is an error."""
    locate = locate_by_row(where) if isinstance(where, str) else where
    numbers = check_numbers(values, name, locate)
    bad = np.flatnonzero(breaks(numbers))
    if len(bad):
        row = int(bad[0])
        place = column_at(locate, row, name) if name else locate(row)
        raise DataError(f"{place}: value {numbers[row]:g} {rule}")
    return numbers


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


#: how each column is checked, by its canonical name
_CHECKS: dict[str, Callable[[Any, str, Locate], Any]] = {
    **dict.fromkeys(("query", "item", "category", "intent"), check_ids),
    **dict.fromkeys(("subject", "system", "repeat"), check_ids),
    **dict.fromkeys(("grade", "position", "score", "rank", "weight"), check_numbers),
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
