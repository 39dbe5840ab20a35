"""Columns of labels, the categories that systems give to items, checked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fuzzytruth.errors import DataError, shown
from fuzzytruth.io.column_names import has_columns
from fuzzytruth.io.column_request import ColumnRequest, answers_of
from fuzzytruth.io.columns import Columns, check_ids, first_duplicate_row
from fuzzytruth.io.ids import string_array
from fuzzytruth.io.objects import table_of
from fuzzytruth.io.origin import Locate

if TYPE_CHECKING:
    import pyarrow as pa

_ORDERS = ("score", "probability", "rank")


@dataclass(frozen=True, slots=True, eq=False)
class LabelColumns:
    """Systems, items and categories, row by row, no category twice for an item of a system.

    Parameters
    ----------
    system, item, category : Arrow arrays of strings
    order : dict of str to column
        What orders the categories of an item: columns score, probability or rank, if any.
    locate : callable
        Place of a row, for errors.
    """

    system: pa.LargeStringArray
    item: pa.LargeStringArray
    category: pa.LargeStringArray
    order: dict[str, Any]
    locate: Locate

    @classmethod
    def of(
        cls,
        frame: Any,
        where: str,
        *,
        name: str = "system",
        columns: Mapping[str, Any] | None = None,
        drop: Any = (),
    ) -> LabelColumns:
        """Check the columns of a table; without a column of systems, there is one, called `name`.

        `columns` has the user's own names, and rows whose category is one of `drop` are left out.

        Raises
        ------
        DataError
            A column is missing, there is no row, or a row occurs twice.
        """
        otherwise = " with columns item, category and system"
        table, locate = table_of(frame, label_request(columns, drop), where, otherwise)
        return cls.of_table(table, locate, where, name=name)

    @classmethod
    def of_table(
        cls, table: Columns, locate: Locate, where: str, *, name: str = "system"
    ) -> LabelColumns:
        """Check columns that were matched; see `of`."""
        item = check_ids(table["item"], "item", locate)
        category = check_ids(table["category"], "category", locate)
        if "system" in table:
            system = check_ids(table["system"], "system", locate)
        else:
            system = string_array([name] * len(item))
        if not len(item):
            raise DataError(f"{where}: the table is empty")
        lengths = {given: len(column) for given, column in table.items()}
        if len({*lengths.values()}) > 1:
            raise DataError(f"{where}: columns differ in length: {lengths}")
        repeat = first_duplicate_row([system, item, category])
        if repeat is not None:
            first, again = repeat
            raise DataError(
                f"{locate(again)}: item {shown(item[again].as_py())} is assigned to "
                f"{shown(category[again].as_py())} twice (first: {locate(first)}); remove one"
            )
        order = {given: table[given] for given in _ORDERS if given in table}
        return cls(system, item, category, order, locate)

    def check_ordered(self) -> None:
        """Raise if an item has several categories without an order."""
        if self.order:
            return
        repeat = first_duplicate_row([self.system, self.item])
        if repeat is not None:
            first, again = (self.locate(row) for row in repeat)
            raise DataError(
                f"{again}: item {shown(self.item[repeat[1]].as_py())} has another category already "
                f"(first: {first}); give a column score, probability or rank that orders the "
                "categories of an item, or keep one"
            )


def label_request(columns: Mapping[str, Any] | None, drop: Any = ()) -> ColumnRequest:
    """The columns of labels, under any of their usual names or the user's own `columns`."""
    answers = answers_of(None, drop)
    optional = ("system", *_ORDERS)
    return ColumnRequest(
        ("item", "category"), optional, "category", columns=columns, answers=answers
    )


def has_labels(columns: Iterable[Any]) -> bool:
    """Whether a table names items and categories, but no queries."""
    columns = list(columns)
    return has_columns(columns, ("item", "category")) and not has_columns(columns, ("query",))
