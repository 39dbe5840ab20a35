"""Judged pairs and lists in parts of whole queries, held by the workers of a cluster."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from fuzzytruth._typing import Bools, Ints
from fuzzytruth.core.cells import Cells
from fuzzytruth.core.checksums import digest, joined
from fuzzytruth.core.segments import offsets_of
from fuzzytruth.core.workers import Workers
from fuzzytruth.data.by_example import report_self_hits
from fuzzytruth.data.judgment_columns import NUMBERS, Design
from fuzzytruth.data.judgments import Judgments
from fuzzytruth.data.parted_judgments import PartedJudgments, joined_judgments, split_judgments
from fuzzytruth.data.parted_table import PartedRuns, runs_of_part
from fuzzytruth.data.ranking import Ties
from fuzzytruth.data.runs import Runs
from fuzzytruth.truth.blocks import PartedTruth
from fuzzytruth.truth.pairs.aligned import AlignedPairs, aligned_pairs, source_of
from fuzzytruth.truth.pairs.judged_truth import JudgedTruth, Source
from fuzzytruth.truth.pairs.placement import no_lists
from fuzzytruth.truth.pairs.pool import AllJudgments, make_pool
from fuzzytruth.truth.protocol import AlignedTruth, Coverage

if TYPE_CHECKING:
    import pandas as pd


# A part of judged pairs and lists: all of some queries, aligned where the lists are.


@dataclass(frozen=True, slots=True, eq=False)
class SystemInPart:
    """What is known of a system's lists in one part.

    Parameters
    ----------
    n_rows, n_self, key_total : int
        Rows (without self hits), self hits left out, and see `Ranking.key_total`.
    n_judged : int
        Judged queries that it answers.
    n_hits : int
        Judged items that it retrieved.
    missing, unjudged : list of str
        Judged queries that it does not answer, and answered ones that nobody judged.
    example : (retrieved item, judged item) or None
        Of a system without hits.
    """

    n_rows: int
    n_self: int
    key_total: int
    n_judged: int
    n_hits: int
    missing: list[str]
    unjudged: list[str]
    example: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class PairsInPart:
    """What is known of the judged pairs in one part.

    Parameters
    ----------
    queries : tuple of str
    query, subject : (cells,) int
        The number of each cell's query in the part, and of its subject among all.
    missing : (cells,) int
    uncertain : (cells,) bool
    n_items : int
    has_repeats, has_intents : bool
    """

    queries: tuple[str, ...] = ()
    query: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    subject: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    missing: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    uncertain: Bools = field(default_factory=lambda: np.zeros(0, dtype=bool))
    n_items: int = 0
    has_repeats: bool = False
    has_intents: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """Judged pairs of some queries with the lists of all systems; None where nobody judged any."""

    aligned: AlignedPairs | None
    pairs: PairsInPart
    systems: Mapping[str, SystemInPart]

    @property
    def facts(self) -> tuple[PairsInPart, Mapping[str, SystemInPart]]:
        """All that is known of the part as a whole."""
        return self.pairs, self.systems

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
    of : AllJudgments
        What is known of the judgments of all parts.
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
    of: AllJudgments
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
            runs, n_self = runs_of_part(frame, what, number, exclude_self=self.exclude_self)
        if given is None:
            return Part(None, PairsInPart(), _without_judgments(runs, n_self))
        judgments = joined_judgments(given, parts, self.names)
        pool = make_pool(judgments, self.of)
        aligned = aligned_pairs(pool, runs, self.ties, design=judgments.design, source=self.source)
        systems = {
            name: _system(aligned, runs, number, n_self.get(name, 0))
            for number, name in enumerate(runs)
        }
        elsewhere = np.zeros(len(pool.queries), dtype=np.int64)
        if self.with_unjudged and runs:
            elsewhere = aligned.elsewhere() if callable(aligned.elsewhere) else aligned.elsewhere
        place = {name: number for number, name in enumerate(runs)}
        nothing = no_lists(len(pool.queries))
        whole = replace(
            aligned,
            systems=self.systems,
            placements=tuple(
                aligned.placements[place[name]] if name in place else nothing
                for name in self.systems
            ),
            elsewhere=elsewhere,
        )
        return Part(whole, _pairs(aligned), systems)


def _pairs(aligned: AlignedPairs) -> PairsInPart:
    cells = aligned.cells
    return PairsInPart(
        aligned.queries,
        cells.query,
        cells.subject_codes,
        aligned.missing,
        aligned.uncertain,
        aligned.n_items,
        aligned.has_repeats,
        aligned.has_intents,
    )


def _system(aligned: AlignedPairs, runs: Runs, number: int, n_self: int) -> SystemInPart:
    """What is known of one system's lists."""
    name, ranking = runs.systems[number], runs[runs.systems[number]]
    coverage = aligned.coverage
    missing = coverage.missing.get(name, [])
    return SystemInPart(
        len(ranking),
        n_self,
        ranking.key_total,
        len(aligned.queries) - len(missing),
        len(aligned.placements[number].entry),
        missing,
        coverage.unjudged.get(name, []),
        coverage.unjudged_lists.get(name),
    )


def _without_judgments(runs: Runs, n_self: Mapping[str, int]) -> dict[str, SystemInPart]:
    """Systems whose queries nobody judged."""
    return {
        name: SystemInPart(
            len(ranking), n_self.get(name, 0), ranking.key_total, 0, 0, [], [*ranking.queries]
        )
        for name, ranking in runs.items()
    }


Result = TypeVar("Result")
_WHAT = "runs"
_TOGETHER = 8  # results of parts that are merged by a worker


@dataclass(frozen=True, slots=True, eq=False)
class PartedPairs(JudgedTruth, PartedTruth):
    """What is known of judged pairs and lists that are held in parts.

    Parameters
    ----------
    workers : Workers
    tasks : tuple
        Tasks, each of a `Part` with judged pairs.
    starts : (parts + 1,) int
        Where the queries of each part start among those of all parts, one after the other.
    cell_starts : (parts + 1,) int
    systems, queries, subjects, design, source, cells, missing, uncertain, n_items, top_grade,
    coverage, has_repeats, has_intents
        See `AlignedTruth` and `JudgedTruth`.
    query_order, cell_order
        See `PartedTruth`.
    """

    workers: Workers
    tasks: tuple[Any, ...] = field(repr=False)
    starts: Ints
    cell_starts: Ints
    systems: tuple[str, ...]
    queries: tuple[str, ...] = field(repr=False)
    subjects: tuple[str, ...] | None
    design: Design
    source: Source
    cells: Cells = field(repr=False)
    missing: Ints = field(repr=False)
    uncertain: Bools = field(repr=False)
    n_items: int
    top_grade: float
    coverage: Coverage = field(repr=False)
    has_repeats: bool
    has_intents: bool
    query_order: Ints = field(repr=False)
    cell_order: Ints = field(repr=False)

    def each(
        self,
        function: Callable[[AlignedTruth], Result],
        merge: Callable[[Sequence[Result]], Result] | None = None,
    ) -> list[Result]:
        """What a function gives for each part, or for some together; called by the workers."""
        of_part, task = partial(_of_aligned, function), self.workers.task
        tasks = [task(of_part, part) for part in self.tasks]
        while merge is not None and len(tasks) > _TOGETHER:
            tasks = [
                task(merge, tasks[start : start + _TOGETHER])
                for start in range(0, len(tasks), _TOGETHER)
            ]
        return self.workers.results(tasks, _WHAT)

    def part_of(self, query: int) -> tuple[AlignedTruth, slice, slice]:
        """The part with a query, brought here."""
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
        return replace(self._map(AlignedPairs.filled), missing=np.zeros_like(self.missing))

    def _map(self, function: Callable[[AlignedPairs], Any]) -> PartedPairs:
        tasks = [self.workers.task(partial(Part.map, function=function), p) for p in self.tasks]
        return replace(self, tasks=self.workers.held(tasks, _WHAT))


def _of_aligned(function: Callable[[AlignedTruth], Result], part: Part) -> Result:
    assert part.aligned is not None
    return function(part.aligned)


def align_parts(truth: Judgments | PartedJudgments, runs: PartedRuns, ties: Ties) -> PartedPairs:
    """Align judgments with the partitions of runs, each where it is.

    Warns of self hits if these are left out, and notes the checksums of the runs.
    """
    workers, table = runs.table.workers, runs.table
    subjects, queries = truth.subjects, truth.queries
    if isinstance(truth, Judgments):
        judged = _sent(truth, runs, workers)
        highest = float(truth.grade.max(initial=0.0))
        source, names = source_of(truth.present(NUMBERS)), dict[str, Any]()
    else:
        judged, names = truth.of_groups(runs.queries), dict(truth.names)
        highest, source = max(truth.grades.high, 0.0), source_of(truth.columns)
    alignment = Alignment(
        runs.systems,
        AllJudgments(subjects, highest),
        source,
        ties,
        runs.exclude_self,
        runs.with_unjudged,
        names,
    )
    frames: list[Any] = [*table.tasks, None]  # queries that no run answers have no lists
    tasks = []
    for number, (frame, some) in enumerate(zip(frames, judged, strict=True)):
        if frame is not None or some is not None:
            votes, parts = some or (None, ())
            work = partial(alignment.part, what=table.what, number=number, parts=parts)
            tasks.append(workers.task(work, frame, votes))
    held = workers.held(tasks, table.what, table.where)
    of_each = [workers.task(attrgetter("facts"), part) for part in held]
    facts = workers.results(of_each, table.what, table.where)
    with_pairs = [number for number, (pairs, _) in enumerate(facts) if pairs.queries]
    of_systems = [systems for _, systems in facts]
    _note(runs, of_systems)
    return _joined(
        workers,
        [held[number] for number in with_pairs],
        [facts[number][0] for number in with_pairs],
        queries,
        subjects,
        systems=runs.systems,
        design=truth.design,
        source=source,
        top_grade=highest,
        coverage=_coverage(queries, runs.systems, [pairs for pairs, _ in facts], of_systems),
    )


def _sent(
    truth: Judgments, runs: PartedRuns, workers: Workers
) -> list[tuple[list[Any], list[int]] | None]:
    """Judgments from here, as of `PartedJudgments.of_groups`."""
    parts = split_judgments(truth, runs.queries)
    return [None if some is None else ([workers.given(some)], [0]) for some in parts]


def _joined(
    workers: Workers,
    tasks: Sequence[Any],
    pairs: Sequence[PairsInPart],
    queries: tuple[str, ...],
    subjects: tuple[str, ...] | None,
    **known: Any,
) -> PartedPairs:
    """The whole of some parts."""
    starts = offsets_of(np.array([len(part.queries) for part in pairs]))
    number = {query: j for j, query in enumerate(queries)}
    # of each query, in the order of the parts: its place among all
    place = np.array([number[query] for part in pairs for query in part.queries])
    query = np.concatenate([part.query + s for part, s in zip(pairs, starts, strict=False)])
    subject = np.concatenate([part.subject for part in pairs])
    cells, cell_order = Cells.from_pairs(
        place[query],
        None if subjects is None else subject,
        n_queries=len(queries),
        n_subjects=len(subjects or ("",)),
    )
    return PartedPairs(
        workers,
        tuple(tasks),
        starts,
        offsets_of(np.array([len(part.query) for part in pairs])),
        queries=queries,
        subjects=subjects,
        cells=cells,
        missing=np.concatenate([part.missing for part in pairs])[cell_order],
        uncertain=np.concatenate([part.uncertain for part in pairs])[cell_order],
        n_items=sum(part.n_items for part in pairs),
        has_repeats=any(part.has_repeats for part in pairs),
        has_intents=any(part.has_intents for part in pairs),
        query_order=np.argsort(place),
        cell_order=cell_order,
        **known,
    )


def _note(runs: PartedRuns, parts: Sequence[Mapping[str, SystemInPart]]) -> None:
    """Keep the checksums of the runs, and report self hits."""
    known = {system: [part[system] for part in parts if system in part] for system in runs.systems}
    n_rows = {system: sum(one.n_rows for one in each) for system, each in known.items()}
    if runs.exclude_self:
        n_self = {system: sum(one.n_self for one in each) for system, each in known.items()}
        report_self_hits(n_self, n_rows)
    runs.checksums = {
        system: digest(n_rows[system], joined(one.key_total for one in each))
        for system, each in known.items()
    }


def _coverage(
    judged: tuple[str, ...],
    systems: tuple[str, ...],
    pairs: Sequence[PairsInPart],
    parts: Sequence[Mapping[str, SystemInPart]],
) -> Coverage:
    """What judgments and runs do not share, of all parts."""
    missing: dict[str, list[str]] = {}
    unjudged: dict[str, list[str]] = {}
    disjoint: dict[str, tuple[str, ...]] = {}
    unjudged_lists: dict[str, tuple[str, str]] = {}
    number = {query: j for j, query in enumerate(judged)}
    for system in systems:
        known = [part[system] for part in parts if system in part]
        lacking = chain(
            *(
                part[system].missing if system in part else own.queries
                for own, part in zip(pairs, parts, strict=True)
            )
        )
        if queries := sorted(lacking, key=number.__getitem__):
            missing[system] = queries
        if queries := list(chain(*(one.unjudged for one in known))):
            unjudged[system] = queries
        if not any(one.n_judged for one in known):
            disjoint[system] = tuple(unjudged.get(system, ()))
        examples = [one.example for one in known if one.example is not None]
        if examples and not any(one.n_hits for one in known):
            unjudged_lists[system] = examples[0]
    return Coverage(judged, missing, unjudged, disjoint, unjudged_lists=unjudged_lists)
