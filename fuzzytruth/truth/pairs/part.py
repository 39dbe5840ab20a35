"""A part of judged pairs and lists: all of some queries, aligned where the lists are."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth._typing import Bools, Ints
from fuzzytruth.data.judgments import Judgments
from fuzzytruth.data.parted_judgments import joined_judgments
from fuzzytruth.data.parted_runs import runs_of_part
from fuzzytruth.data.ranks import Ties
from fuzzytruth.data.runs import Runs
from fuzzytruth.truth.pairs.aligned import AlignedPairs, aligned_pairs
from fuzzytruth.truth.pairs.judged_truth import Source
from fuzzytruth.truth.pairs.placement import no_lists
from fuzzytruth.truth.pairs.pool import AllJudgments, make_pool

if TYPE_CHECKING:
    import pandas as pd


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
