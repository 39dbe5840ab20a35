"""Runs in tables (CSV, TSV, JSON lines, Parquet), read some rows at a time."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth.data.run_rows import RunColumns, RunRows, rows_by_system, rows_of
from fuzzytruth.data.runs import run_request
from fuzzytruth.errors import DataError
from fuzzytruth.io.arrow import as_arrow, as_numpy
from fuzzytruth.io.columns import Columns
from fuzzytruth.io.files import Source
from fuzzytruth.io.formats import stem_of
from fuzzytruth.io.ids import encode
from fuzzytruth.io.objects import settle
from fuzzytruth.io.origin import Origin
from fuzzytruth.io.query_blocks import TextBlock, query_blocks
from fuzzytruth.io.table_blocks import table_blocks
from fuzzytruth.io.trec import line_error, no_rows, parse_block
from fuzzytruth.io.trec_lines import RUN, LineError

if TYPE_CHECKING:
    import pyarrow as pa


_ORIGIN = b"origin"  # names of columns, as metadata of a part


@dataclass(frozen=True, slots=True)
class TableReader:
    """See `RunReader`; `order_by` as in `read_runs`.

    Parts are checked Arrow tables of columns query, item, score, row and, optionally, rank and
    system.
    """

    source: Source
    order_by: str = "score"

    def lists(self) -> Iterator[pa.Table]:
        """Rows cut where the list changes."""
        import pyarrow as pa

        held: list[pa.Table] = []  # of one list
        for piece in filter(len, self.pieces()):
            cut = _last_change(piece)
            if cut or (held and _list_of(held[-1], -1) != _list_of(piece, 0)):
                yield pa.concat_tables([*held, piece.slice(0, cut)])
                held = []
            held.append(piece.slice(cut).combine_chunks())
        if held:
            yield pa.concat_tables(held)

    def pieces(self) -> Iterator[pa.Table]:
        """Rows as they come, checked."""
        n_before = 0
        for columns, origin in self._blocks():
            checked = RunColumns.of(
                **columns, order_by=self.order_by, where=str(self.source.path), locate=origin
            )
            yield _table(checked, n_before, origin)
            n_before += len(checked.item)

    def rows(self, part: pa.Table) -> list[RunRows]:
        """Rows by system."""
        columns = {name: _joined(part.column(name)) for name in part.column_names}
        names, unused = json.loads(part.schema.metadata[_ORIGIN])
        origin = Origin(self.locate, names, tuple(unused))
        if "system" not in columns:
            every = np.arange(len(part))
            return [rows_of(columns, every, stem_of(self.source.path), origin)]
        return rows_by_system(columns, origin)

    def locate(self, row: int) -> str:
        """Name the place of a row; reads the file up to there."""
        for columns, origin in self._blocks():
            n_rows = len(next(iter(columns.values())))
            if row < n_rows:
                return origin(row)
            row -= n_rows
        return str(self.source.path)

    def empty(self) -> DataError:
        """There are no rows."""
        return DataError(f"{self.source.path}: there are no rows in it")

    def _blocks(self) -> Iterator[tuple[Columns, Origin]]:
        """Columns of some rows at a time; what each of them warns of is said once."""
        request = run_request(None)
        names: set[str] | None = None
        for number, (columns, origin) in enumerate(table_blocks(self.source, request)):
            with warnings.catch_warnings():
                if number:
                    warnings.simplefilter("ignore")
                settled, place = settle(columns, origin, request, str(self.source.path))
            if names is not None and names != {*settled}:
                raise DataError(
                    f"{place(0)}: from here on the columns read are {', '.join(sorted(settled))}, "
                    f"and before {', '.join(sorted(names))}; all rows of a file as large as this "
                    "must have the same"
                )
            names = {*settled}
            yield settled, place


def _table(checked: RunColumns, n_before: int, origin: Origin) -> Any:
    """Checked columns, with the numbers of their rows and what columns are called in the file."""
    import pyarrow as pa

    columns = {
        "query": checked.query,
        "item": checked.item,
        "score": as_arrow(checked.score),
        "row": as_arrow(np.arange(len(checked.item)) + n_before),
    }
    if checked.rank is not None:
        columns["rank"] = as_arrow(checked.rank)
    if checked.system is not None:
        columns["system"] = checked.system
    own = json.dumps([dict(origin.names), origin.unused])
    return pa.Table.from_arrays([*columns.values()], names=[*columns], metadata={_ORIGIN: own})


def _joined(column: Any) -> Any:
    """A column in one piece."""
    import pyarrow as pa

    return pa.concat_arrays(column.chunks)


def _list_of(table: Any, row: int) -> tuple[str, ...]:
    """Query and system of a row."""
    ids = [name for name in ("query", "system") if name in table.column_names]
    return tuple(table.column(name)[row].as_py() for name in ids)


def _last_change(table: Any) -> int:
    """The row at which the last list starts."""
    change = np.zeros(len(table), dtype=bool)
    for name in ("query", "system"):
        if name in table.column_names:
            codes, _ = encode(_joined(table.column(name)))
            change[1:] |= codes[1:] != codes[:-1]
    rows = np.flatnonzero(change)
    return int(rows[-1]) if len(rows) else 0


# TREC runs, read some lines at a time.


@dataclass(frozen=True, slots=True)
class TrecReader:
    """See `RunReader`.

    Parameters
    ----------
    source : Source
    system : str
    order_by : str
        See `read_runs`.
    """

    source: Source
    system: str
    order_by: str = "score"

    def lists(self) -> Iterator[TextBlock]:
        """Whole lines, cut where the query changes."""
        return (block for block in query_blocks(self.source.blocks()) if not block.text.isspace())

    def pieces(self) -> Iterator[TextBlock]:
        """Whole lines."""
        start = 0
        for text in self.source.blocks():
            if not text.isspace():
                yield TextBlock(text, start)
            start += len(text)

    def rows(self, part: TextBlock) -> list[RunRows]:
        """Parsed lines."""
        rank = ("rank",) if self.order_by == "rank" else ()
        names = ("query", "item", "score", "tag", *rank)
        try:
            columns = parse_block(RUN, names, part.text)
        except LineError as error:
            raise line_error(self.source, error, part.start) from None
        query = columns["query"]
        codes = as_numpy(query.indices, np.int32)
        rows = RunRows(
            self.system,
            tuple(query.dictionary.to_pylist()),
            codes,
            columns["item"],
            columns["item_hash"],
            columns["score"],
            columns.get("rank"),
            np.arange(len(codes)),
            partial(self.source.locate, start=part.start),
            tuple(columns["tag"].to_pylist()),
        )
        return [rows]

    def empty(self) -> DataError:
        """Names what a line should be."""
        return no_rows(self.source, RUN)
