"""Ranked lists from matrices of scores or distances between queries and items."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth._typing import Array, Bools, Ints
from fuzzytruth.core.validation import option_flag
from fuzzytruth.data.ranking import Ranking
from fuzzytruth.errors import DataError, DistanceWarning, require, shown, warn
from fuzzytruth.io.column_names import has_columns
from fuzzytruth.io.columns import (
    Columns,
    Locate,
    check_id,
    check_ids,
    first_duplicate_row,
    hash_ids,
    string_array,
    take,
)
from fuzzytruth.io.matrices import Matrix, given_ids, labelled_matrix, row_blocks, with_ids
from fuzzytruth.io.tables import ColumnRequest, answers_of, table_of

if TYPE_CHECKING:
    import pyarrow as pa


Ids = Iterable[Any] | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MatrixOptions:
    """How matrices become ranked lists; see `Runs.from_matrix`.

    Parameters
    ----------
    queries, items : list of ids or None
        None: those that the matrix names.
    exclude_self : bool
    larger_is_better : bool or None
        None: unless the file calls it distances.
    depth : int or None
    otherwise : tuple of str or None
        Ids of rows and columns that have none otherwise.
    otherwise_of : str
        The file that those are from, for messages.
    """

    queries: Ids = None
    items: Ids = None
    exclude_self: bool = False
    larger_is_better: bool | None = None
    depth: int | None = None
    otherwise: tuple[str, ...] | None = None
    otherwise_of: str = ""

    def __post_init__(self) -> None:
        for axis in ("queries", "items"):
            given = getattr(self, axis)
            if given is not None:
                require(axis, given, isinstance(given, Iterable), "must be a list of ids")
                object.__setattr__(self, axis, list(given))
        whole = isinstance(self.depth, (int, np.integer)) and not isinstance(self.depth, bool)
        valid = self.depth is None or (whole and int(self.depth) >= 1)
        option_flag("exclude_self", self.exclude_self)
        if self.larger_is_better is not None:
            option_flag("larger_is_better", self.larger_is_better)
        require("depth", self.depth, valid, "must be a whole number from 1")

    @property
    def ids(self) -> tuple[list[Any] | None, list[Any] | None]:
        """Those of rows and columns that are given."""
        queries, items = (
            None if axis is None else list(axis) for axis in (self.queries, self.items)
        )
        return queries, items

    @property
    def given(self) -> list[str]:
        """Names of the options that differ from their defaults."""
        defaults = {field.name: field.default for field in fields(self)}
        return [
            name
            for name, value in defaults.items()
            if not name.startswith("otherwise") and getattr(self, name) is not value
        ]


def rankings_of_matrices(given: Any, name: str, options: MatrixOptions) -> dict[str, Ranking]:
    """The lists of one matrix, or of each of ``{name: matrix}``; see `Runs.from_matrix`."""
    if not isinstance(given, Mapping):
        label = check_id(name, "name", "matrix")
        return {label: _ranking(given, "matrix", options)}
    require("name", name, name == "system", "the keys of the dict already name the systems")
    if not given:
        raise DataError("matrix: there are no matrices in it; give {name: matrix}")
    rankings = {}
    for key, matrix in given.items():
        where = f"matrix {shown(key)}"
        if isinstance(matrix, Mapping):
            raise DataError(
                f"{where}: is a dict; Runs.from_dict takes {{system: {{query: {{item: score}}}}}}"
            )
        rankings[key] = _ranking(matrix, where, options)
    return rankings


def _ranking(given: Any, where: str, options: MatrixOptions) -> Ranking:
    """The lists of a matrix of any library."""
    if getattr(given, "ndim", 2) == 3:
        raise DataError(
            f"{where}: must be a matrix, queries × items, but its shape is {tuple(given.shape)}; "
            "give those of several systems by name: {name: matrix}"
        )
    matrix = labelled_matrix(given, where, options.ids)
    return ranking_of_matrix(matrix, where, options)


def ranking_of_matrix(matrix: Matrix, where: str, options: MatrixOptions) -> Ranking:
    """The lists of one matrix; `where` names it in errors."""
    matrix, queries, items = _identified(matrix, where, options)
    larger = options.larger_is_better
    sign = 1.0 if (not matrix.distances if larger is None else larger) else -1.0
    columns = _own_columns(queries, items)
    if larger is None and not matrix.distances:
        _warn_of_distances(matrix.values, columns, where)
    own = columns if options.exclude_self else None
    parts = list(_listed(matrix.values, sign, own, options.depth))
    code, place, score = (np.concatenate([part[j] for part in parts]) for j in range(3))
    return Ranking(
        tuple(queries.to_pylist()), code, take(items, place), score, hash_ids(items)[place]
    )


def _identified(
    matrix: Matrix, where: str, options: MatrixOptions
) -> tuple[Matrix, pa.LargeStringArray, pa.LargeStringArray]:
    """The matrix in the order of the ids that are given, its queries and its items."""
    nouns = ("query", "item")
    queries, items = options.ids
    source = ""
    if options.otherwise is not None:
        if queries is None and matrix.rows is None:
            queries, source = list(options.otherwise), options.otherwise_of
        if items is None and matrix.columns is None:
            items, source = list(options.otherwise), options.otherwise_of
    given = given_ids(queries, items, nouns)
    matrix = with_ids(matrix, where, given, nouns, source=source)
    for ids, axis, lines in (
        (matrix.rows, "queries", "rows"),
        (matrix.columns, "items", "columns"),
    ):
        if ids is None:
            n_rows, n_columns = matrix.values.shape
            raise DataError(
                f"{where}: is {n_rows:,} × {n_columns:,} numbers and does not name its {axis}; "
                f"give the ids of the {lines} by {axis}="
            )
    return matrix, string_array(matrix.rows or []), string_array(matrix.columns or [])


def _warn_of_distances(values: Array, own: Ints, where: str) -> None:
    """Warn if every query has 0 with itself, and more with all other items."""
    known = own >= 0
    if known.sum() < 2 or values[known, own[known]].any():
        return
    not_above_0 = ((rows, (block <= 0).sum(axis=1)) for rows, block in row_blocks(values))
    if all((n[known[rows]] == 1).all() for rows, n in not_above_0):
        warn(
            f"{where}: is read as similarities, but every query has 0 with itself and more with "
            "all other items, as distances have; if they are distances, give "
            "larger_is_better=False",
            DistanceWarning,
        )


def _own_columns(queries: pa.LargeStringArray, items: pa.LargeStringArray) -> Ints:
    """The column of each query among the items, -1 if it is none: (queries,)."""
    column_of = {item: j for j, item in enumerate(items.to_pylist())}
    return np.array([column_of.get(query, -1) for query in queries.to_pylist()])


def _best(scores: Array, listed: Bools | None, depth: int | None) -> Bools | None:
    """The best of the cells that are `listed`, and all that tie with the last: (rows, items).

    None stands for all cells. Ties are those of trec_eval, of 32-bit scores, which include exact
    ones, so that lists are the same up to `depth` whatever becomes of ties.
    """
    if depth is None or depth >= scores.shape[1]:
        return listed
    with np.errstate(over="ignore", under="ignore"):  # scores out of range become infinite, and tie
        key = scores.astype(np.float32)
    if listed is not None:
        key[~listed] = -np.inf
    best: Bools = key >= np.partition(key, -depth, axis=1)[:, -depth, None]
    return best if listed is None else best & listed


def _listed(
    values: Array, sign: float, own: Ints | None, depth: int | None
) -> Iterator[tuple[Array, Ints, Array]]:
    """Query, column and score of the cells in lists, block by block."""
    for rows, block in row_blocks(values):
        scores = sign * block.astype(np.float64)
        keep = None
        if own is not None:
            keep = own[rows, None] != np.arange(scores.shape[1])
        keep = _best(scores, keep, depth)
        if keep is None:
            keep = np.ones(scores.shape, dtype=bool)
        row, column = np.nonzero(keep)
        yield (row + rows.start).astype(np.int32), column, scores[keep]


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
