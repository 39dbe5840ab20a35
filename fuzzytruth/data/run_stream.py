"""Runs that are read block by block, so that a file need not fit into memory."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeVar

import numpy as np

from fuzzytruth.core.checksums import digest
from fuzzytruth.core.threads import in_order
from fuzzytruth.data.ranking import Ranking
from fuzzytruth.data.run_files import report_tags
from fuzzytruth.data.run_rows import RunRows
from fuzzytruth.data.self_hits import report_self_hits, self_hits
from fuzzytruth.data.split_runs import split_by_query
from fuzzytruth.io.arrow import as_numpy
from fuzzytruth.io.files import Source
from fuzzytruth.io.query_blocks import TextBlock, query_blocks
from fuzzytruth.io.trec import line_error, no_rows, parse_block
from fuzzytruth.io.trec_lines import RUN, LineError

Result = TypeVar("Result")

_PART = 1 << 26  # bytes of text that are in memory at once where a file is split
_UNKNOWN = 1 << 32  # bytes of text that a file may have whose size is not known
_MOST_PARTS = 256
_MASK = (1 << 64) - 1


class ScatteredError(Exception):
    """Lines of a query stand in several blocks."""


@dataclass(frozen=True, slots=True)
class ListFacts:
    """What is known of a system's lists once they have been read; see `Ranking`."""

    queries: tuple[str, ...]
    n_rows: int
    checksum: str


@dataclass(frozen=True, slots=True)
class _Read:
    """What is known of some whole lists that have been read."""

    queries: tuple[str, ...]
    n_rows: int
    n_self: int
    key_total: int
    tags: tuple[str, ...]


@dataclass(slots=True, eq=False)
class StreamedRun:
    """A TREC run in a file, which is read block by block, anew for each question.

    Parameters
    ----------
    source : Source
    system : str
    order_by, duplicates : str
        See `read_runs`.
    exclude_self : bool
        See `Runs.exclude_self`.
    facts : ListFacts or None
        What is known once the file has been read.
    n_self : int
        Items left out by `exclude_self`.
    tags : tuple of str
    n_threads : int, optional
        By default as many as there are cores, up to four.
    """

    source: Source
    system: str
    order_by: str = "score"
    duplicates: str = "error"
    exclude_self: bool = False
    facts: ListFacts | None = None
    n_self: int = 0
    tags: tuple[str, ...] = ()
    n_threads: int | None = None
    _is_scattered: bool = field(default=False, repr=False)

    def each_block(self, function: Callable[[Ranking], Result]) -> list[Result]:
        """What a function gives for each block of whole lists.

        A file where lines of a query stand apart is first split to disk, by query.
        """
        if not self._is_scattered:
            try:
                return self._gathered(self._of_blocks(function))
            except ScatteredError:
                self._is_scattered = True
        return self._gathered(self._of_parts(function))

    def _gathered(self, parts: Iterator[tuple[Result, _Read]]) -> list[Result]:
        """Results, while facts are noted."""
        results: list[Result] = []
        queries: dict[str, None] = {}
        tags: dict[str, None] = {}
        n_rows = n_self = key_total = 0
        for result, read in parts:
            if not queries.keys().isdisjoint(read.queries):
                raise ScatteredError
            results.append(result)
            queries |= dict.fromkeys(read.queries)
            tags |= dict.fromkeys(read.tags)
            n_rows, n_self = n_rows + read.n_rows, n_self + read.n_self
            key_total += read.key_total
        if not n_rows + n_self:
            raise no_rows(self.source, RUN)
        if self.facts is None:
            checksum = digest(n_rows, key_total & _MASK)
            self.facts = ListFacts(tuple(queries), n_rows, checksum)
            self.n_self, self.tags = n_self, tuple(tags)
        return results

    def _of_blocks(self, function: Callable[[Ranking], Result]) -> Iterator[tuple[Result, _Read]]:
        blocks = (block for block in query_blocks(self.source.blocks()) if not block.text.isspace())
        return in_order(
            lambda block: self._result(self._rows(block), function), blocks, self.n_threads
        )

    def _of_parts(self, function: Callable[[Ranking], Result]) -> Iterator[tuple[Result, _Read]]:
        n_parts = min(-(-(self.source.size or _UNKNOWN) // _PART), _MOST_PARTS)
        blocks = in_order(self._rows, self._line_blocks(), self.n_threads)
        with tempfile.TemporaryDirectory(prefix="fuzzytruth-") as folder:
            for rows in split_by_query(blocks, n_parts, folder, self.source.locate):
                yield self._result(rows, function)

    def _line_blocks(self) -> Iterator[TextBlock]:
        start = 0
        for text in self.source.blocks():
            if not text.isspace():
                yield TextBlock(text, start)
            start += len(text)

    def _rows(self, block: TextBlock) -> RunRows:
        rank = ("rank",) if self.order_by == "rank" else ()
        names = ("query", "item", "score", "tag", *rank)
        try:
            columns = parse_block(RUN, names, block.text)
        except LineError as error:
            before = self.source.lines_within(block.start)
            raise line_error(self.source, error, before) from None
        query = columns["query"]
        return RunRows(
            tuple(query.dictionary.to_pylist()),
            as_numpy(query.indices, np.int32),
            columns["item"],
            columns["item_hash"],
            columns["score"],
            columns.get("rank"),
            partial(self.source.locate, start=block.start),
            tuple(columns["tag"].to_pylist()),
        )

    def _result(self, rows: RunRows, function: Callable[[Ranking], Result]) -> tuple[Result, _Read]:
        ranking = rows.ranking(self.duplicates)
        n_self = 0
        if self.exclude_self:
            hits = self_hits(ranking)
            n_self = len(hits)
            ranking = ranking.take(np.delete(np.arange(len(ranking)), hits))
        read = _Read(ranking.queries, len(ranking), n_self, ranking.key_total, rows.tags)
        return function(ranking), read


def _asked(
    run: StreamedRun, function: Callable[[Ranking], Result]
) -> tuple[StreamedRun, list[Result]]:
    """A run after it has been read, and what a function gives for its blocks."""
    results = run.each_block(function)
    return run, results


class StreamedRuns:
    """Runs of several systems in TREC files.

    Parameters
    ----------
    runs : iterable of StreamedRun
    n_jobs : int
        Workers that read a file each, as in joblib; a single one uses several threads.
    """

    def __init__(self, runs: Iterable[StreamedRun], n_jobs: int = 1) -> None:
        self._runs = tuple(runs)
        self._n_jobs = n_jobs if len(self._runs) > 1 else 1
        self._is_reported = False

    def each_block(self, function: Callable[[Ranking], Result]) -> dict[str, list[Result]]:
        """See `RankedLists.each_block`."""
        if self._n_jobs == 1:
            results = {run.system: run.each_block(function) for run in self._runs}
        else:
            results = self._each_by_workers(function)
        self._report()
        return results

    def _each_by_workers(self, function: Callable[[Ranking], Result]) -> dict[str, list[Result]]:
        """The same by several processes; what they learn of the runs is kept."""
        from joblib import Parallel, delayed

        tasks = (delayed(_asked)(replace(run, n_threads=1), function) for run in self._runs)
        done = Parallel(n_jobs=self._n_jobs)(tasks)
        self._runs = tuple(run for run, _ in done)
        return {run.system: results for run, results in done}

    @property
    def systems(self) -> tuple[str, ...]:
        """Names of the systems."""
        return tuple(run.system for run in self._runs)

    @property
    def queries(self) -> Mapping[str, tuple[str, ...]]:
        """Ids of the queries that each system answers."""
        return {system: facts.queries for system, facts in self._facts().items()}

    @property
    def checksums(self) -> Mapping[str, str]:
        """Of each system's lists, whatever the order of their rows."""
        return {system: facts.checksum for system, facts in self._facts().items()}

    def _facts(self) -> Mapping[str, ListFacts]:
        if any(run.facts is None for run in self._runs):
            self.each_block(len)
        return {run.system: run.facts for run in self._runs if run.facts is not None}

    def _report(self) -> None:
        """Warn once, of what was seen while reading."""
        if self._is_reported:
            return
        self._is_reported = True
        for run in self._runs:
            report_tags(run.source.path, run.tags, run.system)
        report_self_hits(
            {run.system: run.n_self for run in self._runs},
            {run.system: run.facts.n_rows for run in self._runs if run.facts is not None},
        )
