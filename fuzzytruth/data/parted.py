"""Judgments and ranked lists in the partitions of a Dask frame."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, field, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from fuzzytruth import errors
from fuzzytruth._lazy import pa, pd
from fuzzytruth._typing import Floats
from fuzzytruth.core.checksums import digest, joined
from fuzzytruth.core.workers import Workers, dask
from fuzzytruth.data.grading import reached
from fuzzytruth.data.judgments import COLUMNS, IDS, NUMBERS, Design, Judgments, taken
from fuzzytruth.data.ranking import without_hits
from fuzzytruth.data.runs import COLUMNS as RUN_COLUMNS
from fuzzytruth.data.runs import Runs
from fuzzytruth.errors import DataError, counted, shown, shown_all
from fuzzytruth.io.column_names import normalised, report_people
from fuzzytruth.io.columns import Locate, Origin, check_ids, locate_by_row, origin_of, string_array
from fuzzytruth.io.files import as_path
from fuzzytruth.io.ids import encode
from fuzzytruth.io.table_files import table_of
from fuzzytruth.io.tables import ColumnRequest, is_parted

_PLACE = "fuzzytruth_place"  # column of the partition and row that each row came from
_ROWS = 40  # bits of the number of a row
_ENDINGS = (".parquet", ".parq", ".pq")  # those that Dask reads in a folder


def parquet_folder(folder: Path) -> Any:
    """The Dask frame of a folder of Parquet files.

    Columns that names of folders give (`name=value`) are text: 01 and 1 are two ids.

    Raises
    ------
    DataError
        It cannot be read.
    """
    if not folder.is_dir():
        what = "is a file" if folder.exists() else "no such folder"
        raise DataError(f"{folder}: {what}; client= is for folders of Parquet files")
    first = next((file for file in folder.rglob("*") if file.suffix in _ENDINGS), None)
    if first is None:
        raise DataError(f"{folder}: there is no Parquet file (*.parquet) in it")
    inner = [part for part in first.relative_to(folder).parts[:-1] if "=" in part]
    schema = pa.schema([(part.partition("=")[0], pa.string()) for part in inner])
    hive = {"partitioning": {"flavor": "hive", "schema": schema}} if inner else {}
    try:
        return dask().dataframe.read_parquet(str(folder), dataset=hive)
    except Exception as error:  # whatever the readers of Dask and Arrow raise
        text = " ".join(str(error).split())
        raise DataError(
            f"{folder}: cannot be read as a folder of Parquet files ({text})"
        ) from error


@dataclass(frozen=True, slots=True)
class PartIds:
    """What is known of the ids in a partition.

    Parameters
    ----------
    of : mapping of column to ids
        The distinct ones of each column, in order of appearance.
    n_rows : int
    kind : str or None
        Whether those of queries are numbers or text; None without rows.
    """

    of: Mapping[str, tuple[str, ...]]
    n_rows: int
    kind: str | None = None


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
        names = request.match(tuple(frame.columns), what, "")
        frame = frame[list(dict.fromkeys(names.values()))]
        return cls(frame, names, what, workers, _partitions(frame))

    def without(self, name: str) -> PartedTable:
        """The same without the column of this canonical name."""
        names = {key: own for key, own in self.names.items() if key != name}
        frame = self.frame[list(dict.fromkeys(names.values()))]
        return replace(self, frame=frame, names=names, tasks=_partitions(frame))

    def where(self, number: int) -> str:
        """What a partition is called in messages."""
        return partition(self.what, number)

    def ids(self, columns: Iterable[str]) -> list[PartIds]:
        """The ids of each partition."""
        own = {name: self.names[name] for name in columns if name in self.names}
        tasks = [
            self.workers.task(partial(_ids, own=own, what=self.what, number=number), part)
            for number, part in enumerate(self._only([*own.values()]))
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
        with self.workers.chosen():  # or Dask may shuffle by files that workers do not share
            shuffled = frame.shuffle(on=self.names["query"], npartitions=len(self.tasks))
            sorted_parts = [task(_in_order, part) for part in shuffled.to_delayed()]
        tasks = self.workers.held(sorted_parts, self.what)
        return replace(self, frame=frame, tasks=tasks)


def _partitions(frame: Any) -> tuple[Any, ...]:
    """The partitions of a frame as tasks, which read only its columns."""
    # Tuned, partitions of few columns would be joined, and so be numbered otherwise.
    with dask().config.set({"optimization.tune.active": False}):
        return tuple(frame.to_delayed())


def whole_queries(
    table: PartedTable, ids: list[PartIds]
) -> tuple[PartedTable, list[tuple[str, ...]]]:
    """The table with whole queries in each partition, shuffled if need be, and their ids.

    Raises
    ------
    DataError
        The ids of a query differ in type, so that Dask takes them for different ones, or rows were
        lost by the shuffle.
    """
    queries = [part.of["query"] for part in ids]
    if sum(map(len, queries)) == len(set().union(*queries)):
        return table, queries
    if len({part.kind for part in ids if part.kind}) > 1:
        raise _mixed(table, queries)
    table, before = table.by_query(), sum(part.n_rows for part in ids)
    ids = table.ids(["query"])
    after = sum(part.n_rows for part in ids)
    if after != before:
        raise DataError(
            f"{table.what}: Dask's shuffle gave {after:,} of {counted(before, 'row')}; write the "
            "rows so that each partition has whole queries"
        )
    queries = [part.of["query"] for part in ids]
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


def rows_of_part(
    frame: pd.DataFrame, request: ColumnRequest, what: str, number: int
) -> tuple[Any, Origin] | None:
    """Unchecked columns of a partition, and where rows come from; None without rows."""
    if not len(frame):
        return None
    where = partition(what, number)
    if _PLACE not in frame:
        return table_of(frame, request, where)
    found, origin = table_of(frame.drop(columns=_PLACE), request, where)
    return found, replace(origin, place=_place_of(frame, what))


def partition(what: str, number: int) -> str:
    """What a partition is called in messages."""
    return f"{what}, partition {number}"


def _place_of(frame: pd.DataFrame, what: str) -> Locate:
    """Locate rows where they were before they were shuffled."""
    place = frame[_PLACE].to_numpy()

    def locate(row: int) -> str:
        number, row = divmod(int(place[row]), 1 << _ROWS)
        return locate_by_row(partition(what, number))(row)

    return locate


def _ids(frame: pd.DataFrame, *, own: Mapping[str, Any], what: str, number: int) -> PartIds:
    kind = None
    if len(frame) and "query" in own:
        dtype = frame[own["query"]].dtype
        dtype = getattr(getattr(dtype, "categories", None), "dtype", dtype)
        kind = "number" if dtype.kind in "iuf" else "text"
    is_shuffled = _PLACE in frame
    place = _place_of(frame, what) if is_shuffled else locate_by_row(partition(what, number))
    of = {}
    for name, column in own.items():
        _, ids = encode(check_ids(frame[column], name, Origin(place, own)))
        of[name] = tuple(ids.to_pylist())
    return PartIds(of, len(frame), kind)


def _placed(frame: pd.DataFrame, *, number: int) -> pd.DataFrame:
    """Rows with their places."""
    return frame.assign(**{_PLACE: (number << _ROWS) + np.arange(len(frame))})


def _in_order(frame: pd.DataFrame) -> pd.DataFrame:
    """Rows in the order of their places."""
    return frame.sort_values(_PLACE, ignore_index=True)


# Ranked lists in the partitions of a Dask frame.


_NAME = "system"  # of the only system of a frame without names


@dataclass(slots=True, eq=False)
class PartedRuns:
    """Runs of which each partition holds all lists of some queries.

    Parameters
    ----------
    table : PartedTable
    queries : list of tuple of str
        Those of each partition.
    systems : tuple of str
        Of all partitions, in order of appearance.
    exclude_self : bool
        See `Runs.exclude_self`.
    with_unjudged : bool
        Whether it matters how many unjudged items were retrieved.
    checksums : mapping of system to str
        Known once the lists have been read.
    """

    table: PartedTable
    queries: list[tuple[str, ...]]
    systems: tuple[str, ...]
    exclude_self: bool
    with_unjudged: bool
    checksums: Mapping[str, str] = field(default_factory=dict)


def as_parted_runs(
    given: Any, *, exclude_self: bool, with_unjudged: bool, client: Any = None
) -> PartedRuns | None:
    """Runs in a Dask frame, or in a folder of Parquet files for a client's workers; else None.

    Their columns are as in `Runs.from_frame`.

    Raises
    ------
    OptionError
        There is a client, and no such runs; or such a folder, and no client; or it is none of
        Dask.
    DataError
        The folder cannot be read, a column or an id is missing, or there are no rows.
    """
    frame, what = given, "runs"
    if isinstance(given, (str, Path)):
        folder = as_path("path", given)
        if client is not None:
            frame, what = parquet_folder(folder), str(given)
        elif folder.is_dir() and any(map(_is_part, folder.iterdir())):
            raise errors.OptionError(
                f"{given}: is a folder of Parquet files, which the workers of a client read: "
                "client=Client(); or give a pattern of files, such as folder/*.parquet"
            )
    if not is_parted(frame):
        if client is not None:
            raise errors.OptionError(
                f"runs={shown(given)}: a client is for runs in a Dask frame, or in one folder of "
                "Parquet files with all systems; leave client= out"
            )
        return None
    known = all(hasattr(client, name) for name in ("compute", "persist", "gather"))
    is_open = getattr(client, "status", "") != "closed"
    waits = not getattr(client, "asynchronous", False)
    rule = "must be a dask.distributed.Client, such as Client(cluster)"
    errors.require("client", client, client is None or known, rule)
    errors.require("client", client, is_open, "is closed; make a new one")
    errors.require("client", client, waits, "is asynchronous; make one with asynchronous=False")
    whole = PartedTable.of(frame, RUN_COLUMNS, what, Workers(client))
    ids = whole.ids(["query", "system"])
    systems = tuple(dict.fromkeys(chain(*(part.of.get("system", (_NAME,)) for part in ids))))
    if not any(part.of["query"] for part in ids):
        raise DataError(f"{what}: there are no rows in any partition")
    table, queries = whole_queries(whole, ids)
    if frame is not given and table is not whole and "system" not in table.names:
        errors.warn(
            f"{what}: no column names systems, and some queries are in several files (or "
            "parts of one), which count as one system's lists; if each file is of a system, "
            "give a pattern (folder/*.parquet), or add a column 'system'",
            errors.TagWarning,
        )
    return PartedRuns(table, queries, systems, exclude_self, with_unjudged)


def _is_part(path: Path) -> bool:
    """Whether it is a Parquet file, or a folder by the value of a column (`name=value`)."""
    return path.suffix in _ENDINGS or "=" in path.name


def runs_of_part(
    frame: pd.DataFrame, what: str, number: int, *, exclude_self: bool
) -> tuple[Runs, dict[str, int]]:
    """The runs of a partition, and how many rows `exclude_self` left out of each."""
    found = rows_of_part(frame, RUN_COLUMNS, what, number)
    if found is None:
        return Runs({}), {}
    columns, origin = found
    runs = Runs.from_columns(**columns, name=_NAME, where=what, locate=origin)
    if not exclude_self:
        return runs, {}
    left = {system: without_hits(ranking) for system, ranking in runs.items()}
    kept = {system: ranking for system, (ranking, _) in left.items()}
    return Runs(kept), {system: number for system, (_, number) in left.items()}


# The range of some grades, and how many lie where a mistake is likely.


@dataclass(frozen=True, slots=True)
class GradeRange:
    """The range of some grades.

    Parameters
    ----------
    count : int
        How many grades there are.
    low, high : float
        The smallest and the largest.
    between : int
        How many are above 0 and below 1.
    """

    count: int
    low: float
    high: float
    between: int

    @classmethod
    def of(cls, grade: Floats) -> GradeRange:
        """That of one grade or more."""
        between = int(((grade > 0) & (grade < 1)).sum())
        return cls(len(grade), float(grade.min()), float(grade.max()), between)


_WHAT = "judgments"


@dataclass(frozen=True, slots=True, eq=False)
class JudgmentFacts:
    """What is known of the judgments in one partition.

    Parameters
    ----------
    queries : tuple of str
    subjects : tuple of str or None
    columns : tuple of str
        The columns that there are.
    grades : GradeRange
    key_total : int
        See `Judgments.key_total`.
    """

    queries: tuple[str, ...]
    subjects: tuple[str, ...] | None
    columns: tuple[str, ...]
    grades: GradeRange
    key_total: int

    @classmethod
    def of(cls, truth: Judgments | None) -> JudgmentFacts | None:
        """Those of some judgments; None of none."""
        if truth is None:
            return None
        columns = (*truth.present((*IDS, *NUMBERS)),)
        grades = GradeRange.of(truth.grade)
        return cls(truth.queries, truth.subjects, columns, grades, truth.key_total)


@dataclass(frozen=True, slots=True, eq=False)
class PartedJudgments:
    """Judgments that the workers of a cluster hold.

    Parameters
    ----------
    workers : Workers
    tasks : tuple
        Tasks, each of `Judgments`.
    facts : tuple of JudgmentFacts
        Of each.
    numbers : tuple of int
        Number of each task's partition.
    names : mapping
        Own name of each column by its canonical name.
    order : tuple of str or None
        The queries in the order of the rows, where these may have been shuffled.
    """

    #: subjects are known by their ids, in all partitions
    design: ClassVar[Design] = "crossed"

    workers: Workers
    tasks: tuple[Any, ...]
    facts: tuple[JudgmentFacts, ...]
    numbers: tuple[int, ...]
    names: Mapping[str, Any]
    order: tuple[str, ...] | None = None

    @classmethod
    def of(cls, frame: Any, workers: Workers) -> PartedJudgments:
        """The judgments in a Dask frame, whose columns are as in `Judgments.from_frame`.

        Raises
        ------
        DataError
            As there, or there are no rows.
        """
        table = PartedTable.of(frame, COLUMNS, _WHAT, workers)
        if not {"subject", "probability"} & {*table.names}:
            report_people(origin_of(locate_by_row(_WHAT), table.names, frame.columns), _WHAT)
        table = _without_idle_iteration(table)
        order = None
        if "count" in table.names:  # of which those of an item and a query are checked together
            ids = table.ids(["query"])
            order = tuple(dict.fromkeys(chain(*(part.of["query"] for part in ids))))
            table, _ = whole_queries(table, ids)
        tasks = [
            workers.task(partial(_judgments, number=number), part)
            for number, part in enumerate(table.tasks)
        ]
        held = workers.held(tasks, _WHAT, table.where)
        return cls._of_tasks(workers, held, table.names, order)

    @classmethod
    def _of_tasks(
        cls,
        workers: Workers,
        tasks: Sequence[Any],
        names: Mapping[str, Any],
        order: tuple[str, ...] | None,
    ) -> PartedJudgments:
        of_each = [workers.task(JudgmentFacts.of, one) for one in tasks]
        found = workers.results(of_each, _WHAT, partial(partition, _WHAT))
        kept = [number for number, one in enumerate(found) if one is not None]
        if not kept:
            raise DataError("judgments: there are no rows in any partition")
        facts = tuple(found[number] for number in kept)
        for number, one in zip(kept, facts, strict=True):
            if one.columns != facts[0].columns:
                raise DataError(
                    f"judgments, partition {number}: the columns are {shown_all(one.columns)}, and "
                    f"{shown_all(facts[0].columns)} in partition {kept[0]}; all partitions must "
                    "have the same"
                )
        tasks = tuple(tasks[number] for number in kept)
        return cls(workers, tasks, facts, tuple(kept), names, order)

    @property
    def queries(self) -> tuple[str, ...]:
        """Ids of the judged queries, in order of first appearance."""
        if self.order is not None:
            return self.order
        return tuple(dict.fromkeys(chain(*(one.queries for one in self.facts))))

    @property
    def subjects(self) -> tuple[str, ...] | None:
        """Names of the subjects, in order of first appearance; None if there are none."""
        if self.facts[0].subjects is None:
            return None
        return tuple(dict.fromkeys(chain(*(one.subjects or () for one in self.facts))))

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that there are."""
        return self.facts[0].columns

    @property
    def grades(self) -> GradeRange:
        """The range of all grades."""
        count, low, high, between = zip(*(astuple(one.grades) for one in self.facts), strict=True)
        return GradeRange(sum(count), min(low), max(high), sum(between))

    @property
    def checksum(self) -> str:
        """See `Judgments.checksum`."""
        total = joined(one.key_total for one in self.facts)
        return digest(total, self.grades.count, *self.columns, self.design)

    def binary(self, rel: float | Mapping[str, float]) -> PartedJudgments:
        """See `Judgments.binary`."""
        subjects = self.subjects
        reached(np.zeros(len(subjects or ())), string_array(subjects) if subjects else None, rel)
        task = partial(_binary, rel=rel)
        tasks = [self.workers.task(task, one) for one in self.tasks]
        held = self.workers.held(tasks, _WHAT)
        return self._of_tasks(self.workers, held, self.names, self.order)

    def of_groups(
        self, groups: Sequence[tuple[str, ...]]
    ) -> list[tuple[list[Any], list[int]] | None]:
        """Tasks that together give the judgments of each group of queries, and of all others.

        With the numbers of their partitions; None where a group has no judgments.
        """
        group_of = {query: number for number, group in enumerate(groups) for query in group}
        out: list[tuple[list[Any], list[int]]] = [([], []) for _ in range(len(groups) + 1)]
        for task, facts, part in zip(self.tasks, self.facts, self.numbers, strict=True):
            wanted: dict[int, list[str]] = {}
            for query in facts.queries:
                wanted.setdefault(group_of.get(query, len(groups)), []).append(query)
            for number, queries in wanted.items():
                out[number][0].append(
                    task
                    if len(queries) == len(facts.queries)
                    else self.workers.task(partial(Judgments.select, queries=queries), task)
                )
                out[number][1].append(part)
        return [found if found[0] else None for found in out]


def _without_idle_iteration(table: PartedTable) -> PartedTable:
    """Without a column `iteration` that has one value throughout; see `Judgments.from_table`."""
    own = table.names.get("intent", "")
    if normalised(own) != "iteration":
        return table
    values = {value for part in table.ids(["intent"]) for value in part.of["intent"]}
    return table if len(values) > 1 else table.without("intent")


def _judgments(frame: pd.DataFrame, *, number: int) -> Judgments | None:
    found = rows_of_part(frame, COLUMNS, _WHAT, number)
    if found is None:
        return None
    columns, origin = found
    return Judgments.from_columns(**columns, where=partition(_WHAT, number), locate=origin)


def _binary(truth: Judgments, *, rel: float | Mapping[str, float]) -> Judgments:
    if isinstance(rel, Mapping):
        rel = {name: level for name, level in rel.items() if name in (truth.subjects or ())}
    return truth.binary(rel)


def joined_judgments(
    parts: Sequence[Judgments], numbers: Sequence[int], names: Mapping[str, Any]
) -> Judgments:
    """Judgments of several partitions, of which these are the numbers, checked together."""
    if len(parts) == 1:
        return parts[0]
    join: dict[bool, Callable[[Any], Any]] = {True: pa.concat_arrays, False: np.concatenate}
    columns = {
        name: join[name in IDS]([getattr(part, name) for part in parts])
        for name in parts[0].present((*IDS, *NUMBERS))
    }
    part_of_row = np.repeat(numbers, [len(part) for part in parts])
    origin = Origin(lambda row: partition(_WHAT, int(part_of_row[row])), names)
    return Judgments.from_columns(**columns, design=parts[0].design, where=_WHAT, locate=origin)


def split_judgments(truth: Judgments, groups: Sequence[tuple[str, ...]]) -> list[Judgments | None]:
    """The judgments of each group of queries, and at last those of all other queries.

    None where a group has no judgments.
    """
    codes, ids = encode(truth.query)
    group_of = {query: number for number, group in enumerate(groups) for query in group}
    group = np.array([group_of.get(query, len(groups)) for query in ids.to_pylist()])
    of_row = group[codes]
    order = np.argsort(of_row, kind="stable")
    bounds = np.searchsorted(of_row[order], np.arange(len(groups) + 2))
    return [
        taken(truth, order[start:stop]) if start < stop else None
        for start, stop in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True)
    ]
