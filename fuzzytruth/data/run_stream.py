"""Rows of one system's lists as they stand in a file, before lists are made of them."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, Protocol, TypeVar

import numpy as np

from fuzzytruth._lazy import pa
from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.checksums import digest, joined
from fuzzytruth.core.workers import in_order, in_processes
from fuzzytruth.data.ranking import (
    Ranking,
    check_run_columns,
    make_ranking,
    report_self_hits,
    without_hits,
)
from fuzzytruth.data.runs import COLUMNS
from fuzzytruth.errors import DataError, TagWarning, shown, shown_all, warn
from fuzzytruth.io import trec
from fuzzytruth.io.columns import Columns, Locate, Origin, located, settle, string_array
from fuzzytruth.io.files import Source, stem_of
from fuzzytruth.io.ids import as_arrow, as_numpy, encode, hash_ids, take
from fuzzytruth.io.table_files import table_blocks
from fuzzytruth.io.writing import temporary_folder

_NUMBERS = (("score", np.float64), ("rank", np.float64), ("row", np.int64))


@dataclass(frozen=True, slots=True, eq=False)
class RunRows:
    """Checked rows of one system.

    Parameters
    ----------
    system : str
    rows : Ranking
        As they stand in the file.
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
    rows: Ranking
    rank: Floats | None
    row: Ints
    locate: Locate
    tags: tuple[str, ...] = ()

    @classmethod
    def of_trec(
        cls, columns: Mapping[str, Any], system: str, locate: Locate, tags: Iterable[str]
    ) -> RunRows:
        """Parsed lines."""
        query = columns["query"]
        rows = Ranking(
            tuple(query.dictionary.to_pylist()),
            as_numpy(query.indices, np.int32),
            *(columns[name] for name in ("item", "score", "item_hash")),
        )
        return cls(system, rows, columns.get("rank"), np.arange(len(rows)), locate, tuple(tags))

    def ranking(self, duplicates: str) -> Ranking:
        """The lists of these rows, which must hold all rows of their queries."""
        place = located(self.locate, self.row)
        return make_ranking(self.rows, rank=self.rank, duplicates=duplicates, locate=place)


def rows_by_system(
    columns: Mapping[str, Any],
    locate: Locate,
    tags: Mapping[str, Iterable[str]] | None = None,
    *,
    name: str = "",
) -> list[RunRows]:
    """Rows of Arrow columns query, item, score, row and, optionally, rank, by their column system.

    With the tags of each system. Without such a column, there is one, called `name`.
    """
    codes, names = np.zeros(len(columns["item"]), dtype=np.int32), [name]
    if "system" in columns:
        codes, ids = encode(columns["system"])
        names = ids.to_pylist()
    numbers = {one: as_numpy(columns[one], kind) for one, kind in _NUMBERS if one in columns}
    out = []
    for code, system in enumerate(names):
        chosen = np.flatnonzero(codes == code)
        query, queries = encode(take(columns["query"], chosen))
        item = take(columns["item"], chosen)
        score, row = numbers["score"][chosen], numbers["row"][chosen]
        rows = Ranking(tuple(queries.to_pylist()), query, item, score, hash_ids(item))
        rank = numbers["rank"][chosen] if "rank" in numbers else None
        out.append(RunRows(system, rows, rank, row, locate, (*(tags or {}).get(system, ()),)))
    return out


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


def report_tags(path: Path, tags: tuple[str, ...], system: str) -> None:
    """Warn if the tag changes within a TREC run."""
    if len(tags) > 1:
        warn(
            f"{path}: the tag changes within the file ({shown_all(tags)}); it is read as one run "
            f"called {system!r}",
            TagWarning,
        )


# Lists that lie scattered over a file, split by query into files that fit into memory.


class SplitRuns:
    """The rows of a file, split by query into files, each of which is read at once.

    Rows are numbered over the whole file: `part` by `part`, of which each locates its own.

    Parameters
    ----------
    parts : iterable of lists of RunRows
        Of which one at a time is in memory.
    n_files : int
        Files to split into.
    folder : Path
        Where these files go.

    Raises
    ------
    DataError
        The files cannot be written.
    """

    def __init__(self, parts: Iterable[list[RunRows]], n_files: int, folder: Path) -> None:
        self.paths = [folder / f"{number}.arrow" for number in range(n_files)]
        #: the queries of each system, both in order of their first rows
        self.queries: dict[str, dict[str, None]] = {}
        self._tags: dict[str, dict[str, None]] = {}
        self._starts: list[int] = []
        self._parts: list[Any] = []
        try:
            self._write(parts)
        except OSError as error:
            raise DataError(
                f"{folder}: the lists of a run, whose queries lie scattered over its file, cannot "
                f"be written there ({error.strerror or error}); sort the file by query, or set "
                "TMPDIR to a folder with more space"
            ) from None

    def __iter__(self) -> Iterator[list[RunRows]]:
        """All rows of some queries together, in the order of the file within a query."""
        for path in self.paths:
            if path.exists():
                yield self._read(path)
                path.unlink()

    def _write(self, parts: Iterable[list[RunRows]]) -> None:
        """Append each row to the file of its query."""
        n_before = 0
        options = pa.ipc.IpcWriteOptions(compression="lz4")
        with ExitStack() as stack:
            writers: dict[int, Any] = {}
            for part in filter(None, parts):  # blank lines have no rows
                for rows in part:
                    for number, batch in self._batches(rows, n_before):
                        if number not in writers:
                            sink = stack.enter_context(pa.OSFile(str(self.paths[number]), "wb"))
                            writer = pa.ipc.new_stream(sink, batch.schema, options=options)
                            writers[number] = stack.enter_context(writer)
                        writers[number].write_batch(batch)
                self._starts.append(n_before)
                self._parts.append(part[0].locate)
                n_before += 1 + max(int(rows.row.max()) for rows in part)

    def _batches(self, rows: RunRows, n_before: int) -> Iterator[tuple[int, Any]]:
        """Number of each file, and the rows that go there."""
        queries, query = rows.rows.queries, rows.rows.query
        self.queries.setdefault(rows.system, {}).update(dict.fromkeys(queries))
        self._tags.setdefault(rows.system, {}).update(dict.fromkeys(rows.tags))
        file = (hash_ids(string_array(queries)) % np.uint64(len(self.paths)))[query]
        order = np.argsort(file, kind="stable")
        bounds = np.searchsorted(file[order], np.arange(len(self.paths) + 1, dtype=file.dtype))
        for number in np.flatnonzero(np.diff(bounds)).tolist():
            yield number, _batch(rows, order[bounds[number] : bounds[number + 1]], n_before)

    def _read(self, path: Path) -> list[RunRows]:
        """All rows of a file, by system."""
        with pa.OSFile(str(path)) as file:
            table = pa.ipc.open_stream(file).read_all()
        columns = {name: pa.concat_arrays(table.column(name).chunks) for name in table.column_names}
        first = self._parts[0]
        locate = replace(first, place=self._locate) if isinstance(first, Origin) else self._locate
        return rows_by_system(columns, locate, self._tags)

    def _locate(self, row: int) -> str:
        part = int(np.searchsorted(self._starts, row, side="right")) - 1
        place: str = self._parts[part](row - self._starts[part])
        return place


def _batch(rows: RunRows, chosen: Ints, n_before: int) -> Any:
    """Some rows, with their numbers in the file."""
    part = rows.rows.take(chosen)
    columns = {
        "system": take(string_array([rows.system]), np.zeros(len(part), dtype=np.int64)),
        "query": take(string_array(part.queries), part.query),
        "item": part.item,
        "row": as_arrow(rows.row[chosen] + n_before),
        "score": as_arrow(np.ascontiguousarray(part.score)),
    }
    if rows.rank is not None:
        columns["rank"] = as_arrow(np.ascontiguousarray(rows.rank[chosen]))
    return pa.RecordBatch.from_pydict(columns)


Found = TypeVar("Found")


_PART = 1 << 24  # bytes of text that are in memory at once where a file is split
_UNKNOWN = 1 << 32  # bytes of text that a file may have whose size is not known
_MOST_FILES = 256


class ScatteredError(Exception):
    """Rows of a list stand in several blocks."""


@dataclass(slots=True)
class SystemFacts:
    """What is known of a system's lists as they are read; see `Ranking`."""

    queries: dict[str, None] = field(default_factory=dict)
    n_rows: int = 0
    n_self: int = 0
    key_total: int = 0
    tags: dict[str, None] = field(default_factory=dict)

    @property
    def checksum(self) -> str:
        """See `Ranking.checksum`."""
        return digest(self.n_rows, self.key_total)

    def add(self, more: SystemFacts) -> None:
        """Note those of a further block; a `ScatteredError` if it has a list that is known."""
        if not self.queries.keys().isdisjoint(more.queries):
            raise ScatteredError
        self.queries |= more.queries
        self.n_rows += more.n_rows
        self.n_self += more.n_self
        self.key_total = joined((self.key_total, more.key_total))
        self.tags |= more.tags


#: of a part of a file: each system, facts of its lists, and what was asked of them
_Found = list[tuple[str, SystemFacts, Any]]


@dataclass(slots=True, eq=False)
class StreamedFile:
    """A file of ranked lists, which is read block by block, anew for each question.

    Parameters
    ----------
    reader : RunReader
    duplicates : str
        See `read_runs`.
    exclude_self : bool
        See `Runs.exclude_self`.
    facts : dict of system to SystemFacts
        What is known once the file has been read.
    n_threads : int, optional
        By default as many as there are cores, up to four.
    """

    reader: RunReader
    duplicates: str = "error"
    exclude_self: bool = False
    facts: dict[str, SystemFacts] = field(default_factory=dict)
    n_threads: int | None = None
    _is_scattered: bool = field(default=False, repr=False)

    def each_block(self, function: Callable[[Ranking], Found]) -> dict[str, list[Found]]:
        """What a function gives for each block of whole lists, by system.

        A file where rows of a list stand apart is first split to disk, by query.
        """
        if not self._is_scattered:
            try:
                return self._gathered(self._of_blocks(function))
            except ScatteredError:
                self._is_scattered = True
        with temporary_folder() as folder:
            parts = in_order(self.reader.rows, self.reader.pieces(), self.n_threads)
            n_files = min(-(-(self.reader.source.size or _UNKNOWN) // _PART), _MOST_FILES)
            split = SplitRuns(parts, n_files, folder)
            results = self._gathered(self._block(part, function) for part in split)
        return self._in_order_of(split.queries, results)

    def _in_order_of(
        self, known: Mapping[str, Iterable[str]], results: dict[str, list[Any]]
    ) -> dict[str, list[Any]]:
        """Results and facts in the order of the file, whose systems and queries are `known`."""
        self.facts = {
            system: replace(facts, queries={q: None for q in queries if q in facts.queries})
            for system, queries in known.items()
            if (facts := self.facts.get(system)) is not None
        }
        return {system: results[system] for system in self.facts}

    def _gathered(self, blocks: Iterable[_Found]) -> dict[str, list[Any]]:
        """Results, while facts are noted."""
        facts: dict[str, SystemFacts] = {}
        results: dict[str, list[Any]] = {}
        for system, more, result in chain.from_iterable(blocks):
            facts.setdefault(system, SystemFacts()).add(more)
            results.setdefault(system, []).append(result)
        if not results:
            raise self.reader.empty()
        self.facts = facts
        return results

    def _of_blocks(self, function: Callable[[Ranking], Any]) -> Iterator[_Found]:
        return in_order(
            lambda part: self._block(self.reader.rows(part), function),
            self.reader.lists(),
            self.n_threads,
        )

    def _block(self, part: list[RunRows], function: Callable[[Ranking], Any]) -> _Found:
        found: _Found = []
        for rows in part:
            ranking, n_self = rows.ranking(self.duplicates), 0
            if self.exclude_self:
                ranking, n_self = without_hits(ranking)
            facts = SystemFacts(
                dict.fromkeys(ranking.queries),
                len(ranking),
                n_self,
                ranking.key_total,
                dict.fromkeys(rows.tags),
            )
            found.append((rows.system, facts, function(ranking)))
        return found


class StreamedRuns:
    """Runs of several systems in files.

    Parameters
    ----------
    files : iterable of StreamedFile
    n_jobs : int
        Workers that read a file each, as in joblib; a single one uses several threads.
    """

    def __init__(self, files: Iterable[StreamedFile], n_jobs: int = 1) -> None:
        self._files = tuple(files)
        self._n_jobs = n_jobs if len(self._files) > 1 else 1
        self._is_reported = False

    def each_block(self, function: Callable[[Ranking], Found]) -> dict[str, list[Found]]:
        """See `RankedLists.each_block`."""
        if self._n_jobs == 1:
            each = [file.each_block(function) for file in self._files]
        else:  # what workers learn of the files is kept
            tasks = ((replace(file, n_threads=1), function) for file in self._files)
            done = list(in_processes(_asked, tasks, self._n_jobs))
            self._files = tuple(file for file, _ in done)
            each = [results for _, results in done]
        self._report()
        return {system: found for results in each for system, found in results.items()}

    @property
    def systems(self) -> tuple[str, ...]:
        """Names of the systems."""
        return tuple(self._facts())

    @property
    def queries(self) -> Mapping[str, tuple[str, ...]]:
        """Ids of the queries that each system answers."""
        return {system: tuple(facts.queries) for system, facts in self._facts().items()}

    @property
    def checksums(self) -> Mapping[str, str]:
        """Of each system's lists, whatever the order of their rows."""
        return {system: facts.checksum for system, facts in self._facts().items()}

    def _facts(self) -> dict[str, SystemFacts]:
        if not all(file.facts for file in self._files):
            self.each_block(len)
        return {system: facts for file in self._files for system, facts in file.facts.items()}

    def _report(self) -> None:
        """Check and warn once, of what was seen while reading."""
        if self._is_reported:
            return
        self._is_reported = True
        path_of: dict[str, Any] = {}
        for file in self._files:
            path = file.reader.source.path
            for system, facts in file.facts.items():
                note_name(system, path, path_of, several=len(file.facts) > 1)
                report_tags(path, tuple(facts.tags), system)
        facts_of = self._facts()
        report_self_hits(
            {system: facts.n_self for system, facts in facts_of.items()},
            {system: facts.n_rows for system, facts in facts_of.items()},
        )


def _asked(
    file: StreamedFile, function: Callable[[Ranking], Found]
) -> tuple[StreamedFile, dict[str, list[Found]]]:
    """A file after it has been read, and what a function gives for its blocks."""
    results = file.each_block(function)
    return file, results


def note_name(system: str, path: Any, path_of: dict[str, Any], *, several: bool = False) -> None:
    """Note where a system is from; a `DataError` if there is one of this name.

    `several`: the file has other systems, too, and cannot be given a name.
    """
    if system in path_of:
        called = "one of its systems is called" if several else "its system is called"
        remedy = (
            "if these are parts of a table, join them before (pandas.read_parquet reads a folder), "
            "else rename one"
            if several
            else "name the files: read_runs({name: path, ...})"
        )
        raise DataError(
            f"{path}: {called} {shown(system)}, and so is one of {path_of[system]}; {remedy}"
        )
    path_of[system] = path


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
            checked = check_run_columns(
                columns, order_by=self.order_by, where=str(self.source.path), locate=origin
            )
            checked["row"] = np.arange(len(checked["item"])) + n_before
            n_before += len(checked["item"])
            own = json.dumps([dict(origin.names), origin.unused])
            arrays = {
                name: as_arrow(column) if isinstance(column, np.ndarray) else column
                for name, column in checked.items()
            }
            yield pa.table(arrays, metadata={_ORIGIN: own})

    def rows(self, part: pa.Table) -> list[RunRows]:
        """Rows by system."""
        columns = {name: _joined(part.column(name)) for name in part.column_names}
        names, unused = json.loads(part.schema.metadata[_ORIGIN])
        origin = Origin(self.locate, names, tuple(unused))
        return rows_by_system(columns, origin, name=stem_of(self.source.path))

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
        names: set[str] | None = None
        for number, (columns, origin) in enumerate(table_blocks(self.source, COLUMNS)):
            with warnings.catch_warnings():
                if number:
                    warnings.simplefilter("ignore")
                settled, place = settle(columns, origin, COLUMNS, str(self.source.path))
            if names is not None and names != {*settled}:
                raise DataError(
                    f"{place(0)}: from here on the columns read are {', '.join(sorted(settled))}, "
                    f"and before {', '.join(sorted(names))}; all rows of a file as large as this "
                    "must have the same"
                )
            names = {*settled}
            yield settled, place


def _joined(column: Any) -> Any:
    """A column in one piece."""
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


def trec_fields(order_by: str) -> tuple[str, ...]:
    """The fields that are read of each line."""
    return ("query", "item", "score", "tag", *(("rank",) if order_by == "rank" else ()))


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

    def lists(self) -> Iterator[trec.TextBlock]:
        """Whole lines, cut where the query changes."""
        return trec.query_blocks(self.source.blocks())

    def pieces(self) -> Iterator[trec.TextBlock]:
        """Whole lines."""
        start = 0
        for text in self.source.blocks():
            yield trec.TextBlock((text,), start)
            start += len(text)

    def rows(self, part: trec.TextBlock) -> list[RunRows]:
        """Parsed lines."""
        text = part.text
        if text.isspace():
            return []
        try:
            columns = trec.parse_block(trec.RUN, trec_fields(self.order_by), text)
        except trec.LineError as error:
            raise trec.line_error(self.source, error, part.start) from None
        place = partial(self.source.locate, start=part.start)
        return [RunRows.of_trec(columns, self.system, place, columns["tag"].to_pylist())]

    def empty(self) -> DataError:
        """Names what a line should be."""
        return trec.no_rows(self.source, trec.RUN)
