"""Judgments in the partitions of a Dask frame."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from itertools import chain
from operator import or_
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.core.checksums import digest, joined
from fuzzytruth.core.workers import Workers
from fuzzytruth.data.judgment_columns import IDS, NUMBERS, Design, reached, taken
from fuzzytruth.data.judgments import Judgments, judgment_request
from fuzzytruth.data.parted_table import PartedTable, partition, rows_of_part, whole_queries
from fuzzytruth.errors import DataError, shown_all
from fuzzytruth.io.column_names import normalised, report_people
from fuzzytruth.io.columns import Origin, encode, locate_by_row, origin_of, string_array

if TYPE_CHECKING:
    import pandas as pd


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

    def __or__(self, other: GradeRange) -> GradeRange:
        """That of both."""
        return GradeRange(
            self.count + other.count,
            min(self.low, other.low),
            max(self.high, other.high),
            self.between + other.between,
        )


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
        See `JudgmentColumns.key_total`.
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


@dataclass(frozen=True, eq=False)
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
        table = PartedTable.of(frame, judgment_request(None, None, (), ()), _WHAT, workers)
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
        return reduce(or_, (one.grades for one in self.facts))

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
    found = rows_of_part(frame, judgment_request(None, None, (), ()), _WHAT, number)
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
    import pyarrow as pa

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
