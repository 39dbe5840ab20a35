"""Checks of columns of judgments against each other."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth._typing import Array, Bools, Floats
from fuzzytruth.data.repeats import codes_of, groups_of, groups_of_codes
from fuzzytruth.errors import DataError, OptionError, counted, first_few, nearest, shown
from fuzzytruth.io.column_names import normalised
from fuzzytruth.io.columns import check_text
from fuzzytruth.io.ids import encode, find_items
from fuzzytruth.io.origin import Locate, Origin, column_at

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


def is_idle_iteration(intents: Any, origin: Origin) -> bool:
    """Whether a column of intents is `iteration`, the same throughout as in most TREC judgments."""
    if normalised(origin.names.get("intent", "")) != "iteration":
        return False
    return len(check_text(intents, "intent", origin).unique()) < 2


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
    group = groups_of(columns)
    _, first, counted_grade = np.unique(
        groups_of_codes([group, codes_of(grade)]), return_index=True, return_inverse=True
    )
    again = np.flatnonzero(first[counted_grade] < np.arange(len(grade)))
    if len(again):
        second = int(again[0])
        raise DataError(
            f"{column_at(locate, second, 'count')}: {_named(columns, second)} has two counts of "
            f"grade {grade[second]:g} (first: {locate(int(first[counted_grade[second]]))}); give "
            "their sum"
        )
    none = np.bincount(group, weights=count) == 0
    if none.any():
        row = int(np.flatnonzero(none[group])[0])
        raise DataError(
            f"{column_at(locate, row, 'count')}: {_named(columns, row)} has no votes at all "
            f"({counted(int(none.sum()), 'such item')}); leave its rows out"
        )


def _named(columns: list[pa.LargeStringArray], row: int) -> str:
    """The item and the query of a row."""
    query, item = (shown(column[row].as_py()) for column in columns[:2])
    return f"item {item} of query {query}"


def first_rows_and_sums(columns: list[Array], count: Floats) -> tuple[Array, Floats]:
    """First row of each group of rows that are equal in all columns, ascending, and its count."""
    group = groups_of_codes([codes_of(column) for column in columns])
    _, first = np.unique(group, return_index=True)
    total: Any = np.bincount(group, weights=count)
    order = np.argsort(first)
    return first[order], total[order]


def rows_named(axis: str, column: pa.LargeStringArray, names: Any) -> Bools:
    """Which rows have one of the names: (rows,).

    Raises
    ------
    OptionError
        There are no names, or one is unknown; it begins with the `axis`.
    """
    given = [names] if isinstance(names, str) or not isinstance(names, Iterable) else [*names]
    wanted = [str(name) for name in given]
    if not wanted:
        raise OptionError(f"{axis}=(): name at least one")
    code, known = encode(column)
    place = find_items(wanted, known)
    unknown = [
        shown(name) + nearest(name, known.to_pylist())
        for name, at in zip(wanted, place.tolist(), strict=True)
        if at < 0
    ]
    if unknown:
        raise OptionError(
            f"{axis}: not among these judgments: {first_few(unknown, separator='; ')}"
        )
    chosen = np.zeros(len(known), dtype=bool)
    chosen[place] = True
    return chosen[code]
