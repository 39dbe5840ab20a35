"""Numbers of items and categories as they were given: tables of any library, matrices, files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fuzzytruth.errors import DataError, require
from fuzzytruth.io.column_names import find_columns
from fuzzytruth.io.column_request import ColumnRequest
from fuzzytruth.io.columns import Columns
from fuzzytruth.io.files import Source
from fuzzytruth.io.formats import format_of
from fuzzytruth.io.matrices import Ids, Matrix, labelled_matrix
from fuzzytruth.io.matrix_files import holds_matrix, read_matrix
from fuzzytruth.io.objects import NamedColumns, is_table, named_columns
from fuzzytruth.io.origin import Locate, origin_of
from fuzzytruth.io.tables import read_table


@dataclass(frozen=True, slots=True, eq=False)
class CategorySource:
    """Unchecked numbers, either in columns or as a matrix.

    Parameters
    ----------
    where : str
        Names the source in errors.
    matrix : Matrix or None
        Items × categories, with the ids that the source has.
    columns : mapping or None
        item, category and the number, one row for each pair.
    locate : callable or None
        Place of a row of the columns.
    """

    where: str
    matrix: Matrix | None = None
    columns: Columns | None = None
    locate: Locate | None = None

    @classmethod
    def of(
        cls,
        given: Any,
        *,
        where: str,
        column: str,
        columns: Mapping[str, Any] | None = None,
        ids: Ids = (None, None),
    ) -> CategorySource:
        """Read a path, a table or an array; `column` is what the number is called.

        `columns` has the user's own names of the three columns, and `ids` those of the items and
        categories, to name cells of a matrix.

        A table is one of columns item, category and `column` if it has all three, else one of items
        × categories, as `labelled_matrix` reads them.
        """
        request = ColumnRequest(("item", "category", column), (), column, columns=columns)
        if isinstance(given, (str, Path)):
            return cls._of_file(Source.of(given), request)
        if not (is_table(given) or isinstance(given, Mapping)):
            rule = "is for a table with a column of items"
            require("columns", columns, columns is None, rule)
            return cls(where, labelled_matrix(given, where, ids))
        table = named_columns(given, where, request)
        try:
            names = request.match(table.names, where)
        except DataError:
            if columns is not None or _names_categories(table, where):
                raise
            whole = hasattr(given, "iloc") or hasattr(given, "__arrow_c_stream__")
            return cls(where, labelled_matrix(given if whole else table, where, ids))
        found = {name: table.column(own) for name, own in names.items()}
        return cls(where, None, found, origin_of(table.locate(where), names, table.names))

    @classmethod
    def _of_file(cls, source: Source, request: ColumnRequest) -> CategorySource:
        if holds_matrix(source):
            return cls(str(source.path), read_matrix(source))
        if format_of(source.path) == "trec":
            raise DataError(
                f"{source.path}: holds no matrix, and has no named columns "
                f"({', '.join(request.required)}); give a file that ends in .csv, .tsv, .json, "
                ".jsonl or .parquet"
            )
        columns, origin = read_table(source, request)
        return cls(str(source.path), None, columns, origin)


def _names_categories(table: NamedColumns, where: str) -> bool:
    """Whether a table has columns of items and of categories, which are no numbers."""
    try:
        names = find_columns(table.names, ("item", "category"), (), where=where)
    except DataError:
        return False
    return isinstance(next(iter(table.values(names["category"])), None), str)
