"""Rows of one system's lists as they stand in a file, before lists are made of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from fuzzytruth._typing import U64, Floats, Ints
from fuzzytruth.data.ranking import Ranking, make_ranking, missing_order
from fuzzytruth.errors import DataError
from fuzzytruth.io.columns import Locate, as_numpy, check_ids, encode, hash_ids, located, take
from fuzzytruth.io.files import Source
from fuzzytruth.io.numbers import check_numbers

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, slots=True, eq=False)
class RunRows:
    """Checked columns of some rows.

    Parameters
    ----------
    system : str
    queries : tuple of str
    query : (rows,) int32
        Index into `queries`.
    item : Arrow array of strings, (rows,)
    item_hash : (rows,) uint64
    score : (rows,) float
    rank : (rows,) float or None
        Orders the lists, if given.
    row : (rows,) int
        Numbers that `locate` knows the rows by.
    locate : callable
        Names the place of a row.
    tags : tuple of str
        The distinct tags of these rows.
    """

    system: str
    queries: tuple[str, ...]
    query: NDArray[np.int32]
    item: pa.LargeStringArray
    item_hash: U64
    score: Floats
    rank: Floats | None
    row: Ints
    locate: Locate
    tags: tuple[str, ...] = ()

    def ranking(self, duplicates: str) -> Ranking:
        """The lists of these rows, which must hold all rows of their queries."""
        return make_ranking(
            (self.query, self.queries),
            self.item,
            self.score,
            item_hash=self.item_hash,
            rank=self.rank,
            duplicates=duplicates,
            locate=located(self.locate, self.row),
        )


def rows_of(
    columns: Mapping[str, Any],
    chosen: Ints,
    system: str,
    locate: Locate,
    tags: tuple[str, ...] = (),
) -> RunRows:
    """Some rows of Arrow columns query, item, score, row and, optionally, rank."""
    query, queries = encode(take(columns["query"], chosen))
    item = take(columns["item"], chosen)
    numbers = {
        name: as_numpy(columns[name], kind)[chosen]
        for name, kind in (("score", np.float64), ("rank", np.float64), ("row", np.int64))
        if name in columns
    }
    return RunRows(
        system,
        tuple(queries.to_pylist()),
        query,
        item,
        hash_ids(item),
        numbers["score"],
        numbers.get("rank"),
        numbers["row"],
        locate,
        tags,
    )


def rows_by_system(
    columns: Mapping[str, Any],
    locate: Locate,
    tags: Mapping[str, Iterable[str]] | None = None,
) -> list[RunRows]:
    """Rows of Arrow columns as for `rows_of` by their column system, with tags of each system."""
    codes, systems = encode(columns["system"])
    return [
        rows_of(
            columns, np.flatnonzero(codes == code), system, locate, (*(tags or {}).get(system, ()),)
        )
        for code, system in enumerate(systems.to_pylist())
    ]


class RunReader(Protocol):
    """A file of ranked lists, read some rows at a time."""

    @property
    def source(self) -> Source:
        """The file."""

    def lists(self) -> Iterator[Any]:
        """Parts of the file, each for `rows`, in which neighbouring rows of a list are together."""

    def pieces(self) -> Iterator[Any]:
        """Parts of the file of some rows each."""

    def rows(self, part: Any) -> list[RunRows]:
        """Rows of a part, by system; called by several threads."""

    def empty(self) -> DataError:
        """The error of a file without rows."""


# Columns of ranked lists, checked.


@dataclass(frozen=True, slots=True, eq=False)
class RunColumns:
    """Checked columns, one row an item of a list.

    Parameters
    ----------
    query, item : Arrow arrays of strings, (rows,)
    score : (rows,) float
        Larger is better; 0 where lists are ordered by rank and there are no scores.
    rank : (rows,) float or None
        Orders the lists, if given.
    system : Arrow array of strings, (rows,), or None
        None: one system.
    """

    query: pa.LargeStringArray
    item: pa.LargeStringArray
    score: Floats
    rank: Floats | None
    system: pa.LargeStringArray | None

    @classmethod
    def of(
        cls,
        query: Iterable[Any],
        item: Iterable[Any],
        *,
        score: Any = None,
        distance: Any = None,
        rank: Any = None,
        system: Iterable[Any] | None = None,
        order_by: str,
        where: str,
        locate: Locate,
    ) -> RunColumns:
        """Check columns; see `Runs.from_columns`."""
        if score is None and distance is not None:
            score = -check_numbers(distance, "distance", locate)
        if (score if order_by == "score" else rank) is None:
            raise missing_order(where, order_by)
        items = check_ids(item, "item", locate)
        if not len(items):
            raise DataError(f"{where}: there are no rows in it")
        queries = check_ids(query, "query", locate)
        scores = np.zeros(len(items)) if score is None else check_numbers(score, "score", locate)
        ranks = None if order_by == "score" else check_numbers(rank, "rank", locate)
        systems = None if system is None else check_ids(system, "system", locate)
        columns = [items, queries, scores, ranks, systems]
        if len({len(column) for column in columns if column is not None}) > 1:
            raise DataError(f"{where}: the columns differ in length")
        return cls(queries, items, scores, ranks, systems)
