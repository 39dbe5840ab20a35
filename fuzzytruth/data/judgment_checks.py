"""Checks of columns of judgments against each other, and of counts of votes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth._typing import Array, Floats
from fuzzytruth.data.repeats import groups_of
from fuzzytruth.errors import DataError, counted, shown
from fuzzytruth.io.columns import Locate, check_numbers, first_duplicate_row
from fuzzytruth.io.ids import string_array

if TYPE_CHECKING:
    import pyarrow as pa

#: column -> what it stands for, and the columns that cannot stand beside it
_ALONE = {
    "probability": (
        "a probability already stands for the disagreement of subjects",
        ("subject", "position", "count", "repeat"),
    ),
    "count": (
        "a count is of people whose names are not known",
        ("subject", "position", "repeat"),
    ),
}


def check_together(where: str, columns: dict[str, Any]) -> None:
    """Raise if two columns exclude each other, or repeats have no subject."""
    for name, (reason, others) in _ALONE.items():
        for other in others:
            if columns[name] is not None and columns[other] is not None:
                raise DataError(
                    f"{where}: has columns for {name!r} and for {other!r}; {reason}, so leave one "
                    "of them out"
                )
    if columns["repeat"] is not None and columns["subject"] is None:
        raise DataError(
            f"{where}: has a column for 'repeat' and none for 'subject'; add one that names whose "
            "repeats they are, if only one person's or model's"
        )


def check_counts(values: Any, locate: Locate) -> Floats:
    """Numbers of votes as doubles; one that is no whole number from 0 is a `DataError`."""
    count = check_numbers(values, "count", locate)
    bad = np.flatnonzero((count < 0) | (count % 1 != 0) | (count >= 2**53))
    if len(bad):
        raise DataError(
            f"{locate(int(bad[0]))}, column 'count': value {count[bad[0]]:g} is not a number of "
            "people; give a whole number from 0"
        )
    return count


def check_counted(
    columns: list[pa.LargeStringArray], grade: Floats, count: Floats, locate: Locate
) -> None:
    """Raise unless each grade of an item has one count, and each item some vote.

    Parameters
    ----------
    columns : list of (rows,)
        Query and item, and the intent if any.
    grade, count : (rows,) float
    locate : callable
    """
    grade = grade + 0.0  # -0 is 0
    duplicate = first_duplicate_row([*columns, string_array(grade.tolist())])
    if duplicate is not None:
        first, second = duplicate
        raise DataError(
            f"{locate(second)}, column 'count': {_named(columns, second)} has two counts of grade "
            f"{grade[second]:g} (first: {locate(first)}); give their sum"
        )
    group = groups_of(columns)
    none = np.bincount(group, weights=count) == 0
    if none.any():
        row = int(np.flatnonzero(none[group])[0])
        raise DataError(
            f"{locate(row)}, column 'count': {_named(columns, row)} has no votes at all "
            f"({counted(int(none.sum()), 'such item')}); leave its rows out"
        )


def _named(columns: list[pa.LargeStringArray], row: int) -> str:
    """The item and the query of a row."""
    query, item = (shown(column[row].as_py()) for column in columns[:2])
    return f"item {item} of query {query}"


def first_rows_and_sums(columns: list[Array], count: Floats) -> tuple[Array, Floats]:
    """First row of each group of rows that are equal in all columns, ascending, and its count."""
    table = np.stack([np.unique(column, return_inverse=True)[1].reshape(-1) for column in columns])
    _, first, group = np.unique(table, axis=1, return_index=True, return_inverse=True)
    total: Any = np.bincount(group.reshape(-1), weights=count)
    order = np.argsort(first)
    return first[order], total[order]
