"""Columns of labels, the categories that systems give to items, checked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fuzzytruth.errors import DataError, shown
from fuzzytruth.io.column_names import COLUMN_ALIASES, columns_of, find_columns
from fuzzytruth.io.columns import Locate, check_ids, first_duplicate_row, locate_by_row
from fuzzytruth.io.ids import string_array

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
    def of(cls, frame: Any, where: str, *, name: str = "system") -> LabelColumns:
        """Check the columns of a frame; without a column of systems, there is one, called `name`.

        Raises
        ------
        DataError
            A column is missing, there is no row, or a row occurs twice.
        """
        columns = columns_of(frame, where, " with columns item, category and system")
        names = find_columns(columns, ("item", "category"), ("system", *_ORDERS), where=where)
        locate = locate_by_row(where)
        item = check_ids(frame[names["item"]], "item", locate)
        category = check_ids(frame[names["category"]], "category", locate)
        if "system" in names:
            system = check_ids(frame[names["system"]], "system", locate)
        else:
            system = string_array([name] * len(item))
        if not len(item):
            raise DataError(f"{where}: the table is empty")
        repeat = first_duplicate_row([system, item, category])
        if repeat is not None:
            first, again = repeat
            raise DataError(
                f"{where}, row {again + 1}: item {shown(item[again].as_py())} is assigned to "
                f"{shown(category[again].as_py())} twice (first: row {first + 1}); remove one"
            )
        order = {given: frame[names[given]] for given in _ORDERS if given in names}
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


def has_labels(columns: Any) -> bool:
    """Whether a table names items and categories, but no queries."""
    names = {str(column).strip().lower() for column in columns}
    item, category, query = (names & {*COLUMN_ALIASES[c]} for c in ("item", "category", "query"))
    return bool(item and category and not query)
