"""Dask frames as partitions of whole queries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth.core.workers import Workers, dask
from fuzzytruth.errors import DataError, shown
from fuzzytruth.io.column_request import ColumnRequest
from fuzzytruth.io.columns import check_ids
from fuzzytruth.io.ids import encode
from fuzzytruth.io.objects import columns_of, named_columns
from fuzzytruth.io.origin import locate_by_row
from fuzzytruth.io.paths import as_path

if TYPE_CHECKING:
    import pandas as pd

_PLACE = "fuzzytruth_place"  # column of the partition and row that each row came from
_KIND = "kind of query"  # beside ids: whether those of queries are numbers or text
_ROWS = 40  # bits of the number of a row


def holds_parquet(path: str | Path) -> bool:
    """Whether this is a folder with Parquet files, maybe in folders of its own."""
    folder = as_path("path", path)
    return folder.is_dir() and any(folder.rglob("*.parq*"))


def parquet_folder(path: str | Path) -> Any:
    """The Dask frame of a folder of Parquet files.

    Raises
    ------
    DataError
        It cannot be read.
    """
    folder = as_path("path", path)
    if not folder.is_dir():
        what = "is a file" if folder.exists() else "no such folder"
        raise DataError(f"{folder}: {what}; client= is for folders of Parquet files")
    if not holds_parquet(folder):
        raise DataError(f"{folder}: there is no Parquet file (*.parquet) in it")
    try:
        return dask().dataframe.read_parquet(str(folder))
    except Exception as error:  # whatever the readers of Dask and Arrow raise
        text = " ".join(str(error).split())
        raise DataError(
            f"{folder}: cannot be read as a folder of Parquet files ({text})"
        ) from error


@dataclass(frozen=True, slots=True, eq=False)
class PartedTable:
    """A Dask frame, as a table of partitions that are worked on where they are.

    Parameters
    ----------
    frame : dask.dataframe.DataFrame
        The columns that are used, under their own names.
    names : mapping
        Own name of each column by its canonical name.
    what : str
        What the table is called in messages.
    workers : Workers
    tasks : tuple
        Tasks, each of a partition as a frame of pandas.
    """

    frame: Any
    names: Mapping[str, Any]
    what: str
    workers: Workers
    tasks: tuple[Any, ...]

    @classmethod
    def of(cls, frame: Any, request: ColumnRequest, what: str, workers: Workers) -> PartedTable:
        """The columns of a frame that a request matches.

        Raises
        ------
        DataError
            A column is missing or ambiguous.
        """
        index = frame._meta.index.name
        if index is not None:
            if index in frame._meta:
                raise DataError(f"{what}: there are several columns {shown(index)}; rename one")
            frame = frame.reset_index()
        names = request.match(tuple(frame.columns), what)
        frame = frame[list(dict.fromkeys(names.values()))]
        return cls(frame, names, what, workers, _partitions(frame))

    def without(self, name: str) -> PartedTable:
        """The same without the column of this canonical name."""
        names = {key: own for key, own in self.names.items() if key != name}
        frame = self.frame[list(dict.fromkeys(names.values()))]
        return replace(self, frame=frame, names=names, tasks=_partitions(frame))

    def where(self, number: int) -> str:
        """What a partition is called in messages."""
        return f"{self.what}, partition {number}"

    def ids(self, columns: Iterable[str]) -> list[dict[str, tuple[str, ...]]]:
        """The distinct ids of each partition, by column, in order of appearance."""
        own = {name: self.names[name] for name in columns if name in self.names}
        tasks = [
            self.workers.task(partial(_ids, own=own, where=self.where(number)), part)
            for number, part in enumerate(self._only(list(own.values())))
        ]
        return self.workers.results(tasks, self.what, self.where)

    def _only(self, columns: list[Any]) -> tuple[Any, ...]:
        """Partitions of some columns: files need not be read for the others."""
        if _PLACE in self.frame.columns:  # shuffled, and held by the workers
            return self.tasks
        return _partitions(self.frame[columns])

    def by_query(self) -> PartedTable:
        """The same rows, all those of a query in one partition, in their order."""
        task, meta = self.workers.task, self.frame._meta
        placed = [task(partial(_placed, number=n), part) for n, part in enumerate(self.tasks)]
        meta = meta.assign(**{_PLACE: np.int64(0)})
        frame = dask().dataframe.from_delayed(placed, meta=meta, verify_meta=False)
        shuffled = frame.shuffle(on=self.names["query"], npartitions=len(self.tasks))
        tasks = self.workers.held([task(_in_order, part) for part in shuffled.to_delayed()])
        return replace(self, frame=frame, tasks=tasks)


def _partitions(frame: Any) -> tuple[Any, ...]:
    """The partitions of a frame as tasks, which read only its columns."""
    # Tuned, partitions of few columns would be joined, and so be numbered otherwise.
    with dask().config.set({"optimization.tune.active": False}):
        return tuple(frame.to_delayed())


def whole_queries(
    table: PartedTable, ids: list[dict[str, tuple[str, ...]]]
) -> tuple[PartedTable, list[tuple[str, ...]]]:
    """The table with whole queries in each partition, shuffled if need be, and their ids.

    Raises
    ------
    DataError
        The ids of a query differ in type, so that Dask takes them for different ones.
    """
    queries = [part["query"] for part in ids]
    if sum(map(len, queries)) == len(set().union(*queries)):
        return table, queries
    if len({kind for part in ids for kind in part.get(_KIND, ())}) > 1:
        raise _mixed(table, queries)
    table = table.by_query()
    queries = [part["query"] for part in table.ids(["query"])]
    if len(set().union(*queries)) < sum(map(len, queries)):
        raise _mixed(table, queries)
    return table, queries


def _mixed(table: PartedTable, queries: list[tuple[str, ...]]) -> DataError:
    """Ids of one query that differ in type are different ones for Dask."""
    commonest = Counter(chain(*queries)).most_common(1)[0][0]
    return DataError(
        f"{table.what}: query {shown(commonest)} is a number in some partitions or rows and a text "
        f"in others; make column {shown(table.names['query'])} one of strings"
    )


def rows_of_part(frame: pd.DataFrame, request: ColumnRequest, where: str) -> tuple[Any, Any] | None:
    """Unchecked columns of a partition, and where rows come from; None without rows."""
    if not len(frame):
        return None
    if _PLACE in frame:
        frame = frame.drop(columns=_PLACE)
    return columns_of(named_columns(frame, where, request), request, where)


def _ids(frame: pd.DataFrame, *, own: Mapping[str, Any], where: str) -> dict[str, tuple[str, ...]]:
    out: dict[str, tuple[str, ...]] = {}
    if len(frame) and "query" in own:
        kind = frame[own["query"]].dtype
        kind = getattr(getattr(kind, "categories", None), "dtype", kind)
        out[_KIND] = ("number" if kind.kind in "iuf" else "text",)
    for name, column in own.items():
        _, ids = encode(check_ids(frame[column], name, locate_by_row(where)))
        out[name] = tuple(ids.to_pylist())
    return out


def _placed(frame: pd.DataFrame, *, number: int) -> pd.DataFrame:
    """Rows with their places."""
    return frame.assign(**{_PLACE: (number << _ROWS) + np.arange(len(frame))})


def _in_order(frame: pd.DataFrame) -> pd.DataFrame:
    """Rows in the order of their places."""
    return frame.sort_values(_PLACE, ignore_index=True)
