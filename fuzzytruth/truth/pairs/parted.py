"""Judged pairs and lists in parts of whole queries, held by the workers of a cluster."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from operator import attrgetter
from typing import Any, NoReturn, TypeVar

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth._typing import Ints
from fuzzytruth.core.arithmetic import offsets_of
from fuzzytruth.core.cells import Cells
from fuzzytruth.core.checksums import digest, joined
from fuzzytruth.core.workers import Workers
from fuzzytruth.data import parted
from fuzzytruth.data.judgments import NUMBERS, Judgments
from fuzzytruth.data.ranking import Ties, report_self_hits
from fuzzytruth.data.runs import Runs
from fuzzytruth.truth.pairs.aligned import AlignedPairs, Source, aligned_pairs, source_of
from fuzzytruth.truth.pairs.placement import no_lists
from fuzzytruth.truth.pairs.pool import make_pool
from fuzzytruth.truth.protocol import AlignedTruth, Coverage, Facts, coverage_of

# A part of judged pairs and lists: all of some queries, aligned where the lists are.


@dataclass(frozen=True, slots=True, eq=False)
class SystemInPart:
    """What is known of a system's lists in one part, beside `Coverage`.

    Parameters
    ----------
    n_rows, n_self, key_total : int
        Rows (without self hits), self hits left out, and see `Ranking.key_total`.
    n_hits : int
        Judged items that it retrieved.
    """

    n_rows: int
    n_self: int
    key_total: int
    n_hits: int


@dataclass(frozen=True, slots=True, eq=False)
class KnownPart:
    """What is known of a part as a whole; `facts` are None where nobody judged any query."""

    facts: Facts | None
    coverage: Coverage
    systems: Mapping[str, SystemInPart]


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """Judged pairs of some queries with the lists of all systems; None where nobody judged any."""

    aligned: AlignedPairs | None
    known: KnownPart

    def map(self, function: Callable[[AlignedPairs], AlignedPairs]) -> Part:
        """The same with other aligned pairs."""
        return self if self.aligned is None else replace(self, aligned=function(self.aligned))


@dataclass(frozen=True, slots=True, eq=False)
class Alignment:
    """How parts are aligned.

    Parameters
    ----------
    systems : tuple of str
        Of all parts.
    subjects : tuple of str or None
        Of all parts.
    highest : float
        The largest grade of all parts, 0 or more.
    source : Source
    ties : {"trec", "order", "expected"}
    exclude_self : bool
        See `Runs.exclude_self`.
    with_unjudged : bool
        Whether to count unjudged items, for which lists are read again.
    names : mapping
        Own names of the columns of judgments by their canonical names.
    """

    systems: tuple[str, ...]
    subjects: tuple[str, ...] | None
    highest: float
    source: Source
    ties: Ties
    exclude_self: bool
    with_unjudged: bool
    names: Mapping[str, Any]

    def part(
        self,
        frame: pd.DataFrame | None,
        given: list[Judgments] | None,
        *,
        what: str,
        number: int,
        parts: Sequence[int] = (),
    ) -> Part:
        """Align the judgments and the lists of some queries.

        Parameters
        ----------
        frame : DataFrame or None
            The rows of a partition of runs.
        given : list of Judgments or None
        what, number
            What the runs are called in messages, and the number of their partition.
        parts : sequence of int
            The partition of each of the judgments.
        """
        runs, n_self = Runs({}), dict[str, int]()
        if frame is not None:
            runs, n_self = parted.runs_of_part(frame, what, number, exclude_self=self.exclude_self)
        if given is None:
            systems = _systems(runs, n_self, [0] * len(runs))
            return Part(None, KnownPart(None, coverage_of((), runs), systems))
        judgments = parted.joined_judgments(given, parts, self.names)
        pool = replace(make_pool(judgments, self.subjects), highest=self.highest)
        aligned = aligned_pairs(pool, runs, self.ties, design=judgments.design, source=self.source)
        facts, n_hits = aligned.facts, [len(each.entry) for each in aligned.placements]
        elsewhere = np.zeros(len(pool.queries), dtype=np.int64)
        if self.with_unjudged and runs:
            elsewhere = aligned.elsewhere() if callable(aligned.elsewhere) else aligned.elsewhere
        placed = dict(zip(runs, aligned.placements, strict=True))
        nothing = no_lists(len(pool.queries))
        whole = AlignedPairs(
            replace(facts, systems=self.systems),
            tuple(placed.get(name, nothing) for name in self.systems),
            pool,
            elsewhere,
        )
        return Part(whole, KnownPart(facts, facts.coverage, _systems(runs, n_self, n_hits)))


def _systems(
    runs: Runs, n_self: Mapping[str, int], n_hits: Sequence[int]
) -> dict[str, SystemInPart]:
    """What is known of each system's lists, which have so many hits."""
    return {
        name: SystemInPart(len(ranking), n_self.get(name, 0), ranking.key_total, n)
        for (name, ranking), n in zip(runs.items(), n_hits, strict=True)
    }


Result = TypeVar("Result")
_WHAT = "runs"
_TOGETHER = 8  # results of parts that are merged by a worker


@dataclass(frozen=True, slots=True, eq=False)
class PartedPairs:
    """What is known of judged pairs and lists that are held in parts of whole queries.

    It has what `AlignedTruth` has that needs no part.

    Parameters
    ----------
    facts : Facts
    workers : Workers
    tasks : tuple
        Tasks, each of a `Part` with judged pairs.
    starts : (parts + 1,) int
        Where the queries of each part start among those of all parts, one after the other.
    cell_starts : (parts + 1,) int
    query_order : (queries,) int
        Where each query stands among those of all parts, these one after the other.
    cell_order : (cells,) int
        The same of cells.
    """

    facts: Facts
    workers: Workers
    tasks: tuple[Any, ...] = field(repr=False)
    starts: Ints
    cell_starts: Ints
    query_order: Ints = field(repr=False)
    cell_order: Ints = field(repr=False)

    def __reduce__(self) -> NoReturn:
        """Never pickled, for it would be useless where its parts are not known."""
        raise TypeError("the parts of this truth are held elsewhere")

    def each(
        self,
        function: Callable[[AlignedTruth], Result],
        merge: Callable[[Sequence[Result]], Result] | None = None,
    ) -> list[Result]:
        """What a function gives for each part; called by the workers.

        With `merge`, which makes one result of those of neighbouring parts, only a few come here.
        """
        of_part, task = partial(_of_aligned, function), self.workers.task
        tasks = [task(of_part, part) for part in self.tasks]
        while merge is not None and len(tasks) > _TOGETHER:
            tasks = [
                task(merge, tasks[start : start + _TOGETHER])
                for start in range(0, len(tasks), _TOGETHER)
            ]
        return self.workers.results(tasks, _WHAT)

    def part_of(self, query: int) -> tuple[AlignedTruth, slice, slice]:
        """The part with a query, brought here; its queries and cells among those of all parts."""
        place = int(self.query_order[query])
        number = int(np.searchsorted(self.starts, place, side="right")) - 1
        part: Part = self.workers.results([self.tasks[number]], _WHAT)[0]
        assert part.aligned is not None
        queries, cells = (
            slice(int(starts[number]), int(starts[number + 1]))
            for starts in (self.starts, self.cell_starts)
        )
        return part.aligned, queries, cells

    def top(self, depth: int) -> PartedPairs:
        """The same with lists of which only the items within `depth` are known."""
        return self._map(partial(AlignedPairs.top, depth=depth))

    def filled(self) -> PartedPairs:
        """The same with a grade 0 for each missing judgment."""
        return replace(self._map(AlignedPairs.filled), facts=self.facts.complete())

    def _map(self, function: Callable[[AlignedPairs], Any]) -> PartedPairs:
        tasks = [self.workers.task(partial(Part.map, function=function), p) for p in self.tasks]
        return replace(self, tasks=self.workers.held(tasks, _WHAT))


def _of_aligned(function: Callable[[AlignedTruth], Result], part: Part) -> Result:
    assert part.aligned is not None
    return function(part.aligned)


def align_parts(
    truth: Judgments | parted.PartedJudgments, runs: parted.PartedRuns, ties: Ties
) -> PartedPairs:
    """Align judgments with the partitions of runs, each where it is.

    Warns of self hits if these are left out, and notes the checksums of the runs.
    """
    workers, table = runs.table.workers, runs.table
    subjects, queries = truth.subjects, truth.queries
    if isinstance(truth, Judgments):
        sent = parted.split_judgments(truth, runs.queries)
        judged = [None if one is None else ([workers.given(one)], [0]) for one in sent]
        highest = float(truth.grade.max(initial=0.0))
        source, names = source_of(truth.present(NUMBERS)), dict[str, Any]()
    else:
        judged, names = truth.of_groups(runs.queries), dict(truth.names)
        highest, source = max(truth.grades.high, 0.0), source_of(truth.columns)
    alignment = Alignment(
        runs.systems, subjects, highest, source, ties, runs.exclude_self, runs.with_unjudged, names
    )
    frames: list[Any] = [*table.tasks, None]  # queries that no run answers have no lists
    tasks = []
    for number, (frame, some) in enumerate(zip(frames, judged, strict=True)):
        if frame is not None or some is not None:
            votes, parts = some or (None, ())
            work = partial(alignment.part, what=table.what, number=number, parts=parts)
            tasks.append(workers.task(work, frame, votes))
    held = workers.held(tasks, table.what, table.where)
    of_each = [workers.task(attrgetter("known"), part) for part in held]
    known: list[KnownPart] = workers.results(of_each, table.what, table.where)
    _note(runs, known)
    with_pairs = [(task, part.facts) for task, part in zip(held, known, strict=True) if part.facts]
    coverage = _coverage(queries, runs.systems, known)
    return _joined(workers, with_pairs, runs.systems, truth, coverage)


def _joined(
    workers: Workers,
    parts: Sequence[tuple[Any, Facts]],
    systems: tuple[str, ...],
    truth: Judgments | parted.PartedJudgments,
    coverage: Coverage,
) -> PartedPairs:
    """The whole of some parts, given by their tasks and what is known of each."""
    tasks, facts = zip(*parts, strict=True)
    queries, subjects = truth.queries, truth.subjects
    starts = offsets_of(np.array([len(part.queries) for part in facts]))
    number = {query: j for j, query in enumerate(queries)}
    # of each query, in the order of the parts: its place among all
    place = np.array([number[query] for part in facts for query in part.queries])
    query = np.concatenate([part.cells.query + s for part, s in zip(facts, starts, strict=False)])
    cells, cell_order = Cells.from_pairs(
        place[query],
        None if subjects is None else np.concatenate([part.cells.subject_codes for part in facts]),
        n_queries=len(queries),
        n_subjects=len(subjects or ("",)),
    )
    lacks = _lacking(facts)
    whole = replace(
        facts[0],
        systems=systems,
        queries=queries,
        design=truth.design,
        cells=cells,
        missing=np.concatenate([part.missing for part in facts])[cell_order],
        n_missing=sum(part.n_missing for part in facts),
        uncertain=np.concatenate([part.uncertain for part in facts])[cell_order],
        n_items=sum(part.n_items for part in facts),
        coverage=coverage,
        lacks=lacks,
        default="independent" if "crisp" in lacks else "crisp",
    )
    cell_starts = offsets_of(np.array([len(part.cells) for part in facts]))
    return PartedPairs(whole, workers, tasks, starts, cell_starts, np.argsort(place), cell_order)


def _lacking(facts: Sequence[Facts]) -> dict[str, str]:
    """What the whole lacks: what some part lacks; intents, if no part has any."""
    lacks = {what: reason for part in facts for what, reason in part.lacks.items()}
    if any("intents" not in part.lacks for part in facts):
        lacks.pop("intents", None)
    return lacks


def _note(runs: parted.PartedRuns, parts: Sequence[KnownPart]) -> None:
    """Keep the checksums of the runs, and report self hits."""
    known = {
        system: [part.systems[system] for part in parts if system in part.systems]
        for system in runs.systems
    }
    n_rows = {system: sum(one.n_rows for one in each) for system, each in known.items()}
    if runs.exclude_self:
        n_self = {system: sum(one.n_self for one in each) for system, each in known.items()}
        report_self_hits(n_self, n_rows)
    runs.checksums = {
        system: digest(n_rows[system], joined(one.key_total for one in each))
        for system, each in known.items()
    }


def _coverage(
    judged: tuple[str, ...], systems: tuple[str, ...], parts: Sequence[KnownPart]
) -> Coverage:
    """What judgments and runs do not share, of all parts."""
    missing: dict[str, list[str]] = {}
    unjudged: dict[str, list[str]] = {}
    disjoint: dict[str, tuple[str, ...]] = {}
    unjudged_lists: dict[str, tuple[str, str]] = {}
    number = {query: j for j, query in enumerate(judged)}
    for system in systems:
        known = [part.coverage for part in parts if system in part.systems]
        lacking = chain(
            *(
                part.coverage.missing.get(system, ())
                if system in part.systems
                else part.coverage.judged
                for part in parts
            )
        )
        if queries := sorted(lacking, key=number.__getitem__):
            missing[system] = queries
        if queries := list(chain(*(one.unjudged.get(system, ()) for one in known))):
            unjudged[system] = queries
        if not any(one.judged and system not in one.disjoint for one in known):
            disjoint[system] = tuple(unjudged.get(system, ()))
        examples = [one.unjudged_lists[system] for one in known if system in one.unjudged_lists]
        n_hits = sum(part.systems[system].n_hits for part in parts if system in part.systems)
        if examples and not n_hits:
            unjudged_lists[system] = examples[0]
    return Coverage(judged, missing, unjudged, disjoint, unjudged_lists=unjudged_lists)
