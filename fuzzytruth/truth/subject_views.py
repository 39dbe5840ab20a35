"""From the pool and a system's placement to the batches that measures score.

A row of the pool's grades is one crisp truth. A subject who did not judge an item that others
judged has NaN there: a hole, which `unseen` says how to treat.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from fuzzytruth._typing import Array, Bools
from fuzzytruth.core.segments import offsets_of, segment_cumsum, segment_of, segment_sum
from fuzzytruth.truth.batch import Batch, Levels, reaches
from fuzzytruth.truth.pool import Placement, Pool

Unseen = Literal["error", "nonrelevant", "exclude", "pooled"]


@dataclass(frozen=True, slots=True, eq=False)
class Truths:
    """Crisp truths over one pool, one for each subject (or a single one).

    Parameters
    ----------
    pool : Pool
    levels : Levels
        Judged items by grade, of all subjects.
    judged : (subjects, queries) bool
        Whether the subject judged anything for the query; without that there is no value.
    holes : int
        Items that some subject left out for a query of which he or she judged others.
    """

    pool: Pool
    levels: Levels
    judged: Bools
    holes: int

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of subjects and of queries."""
        return len(self.pool.grade), len(self.pool.queries)

    def n_relevant(self, rel: float | None) -> Array:
        """Judged items with a grade of `rel` or more (None: above 0): (subjects, queries)."""
        which = reaches(self.levels.grade, rel)
        return segment_sum(self.levels.count * which, self.levels.offsets)

    def batches(self, placement: Placement, *, unseen: Unseen) -> Batch:
        """What the measures need of one system; its values reshape to `shape`."""
        gain = np.take(self.pool.grade, placement.entry, axis=1)  # (subjects, hits)
        batch = Batch(
            placement.length,
            placement.offsets,
            placement.first,
            placement.last,
            gain,
            self.levels,
            self._top_grade,
        )
        return without_unseen(batch) if unseen == "exclude" and self.holes else batch

    def filled(self) -> Truths:
        """The same with grade 0 where a subject left out an item of a query he or she judged."""
        judged = np.repeat(self.judged, np.diff(self.pool.offsets), axis=1)
        grade = np.where(np.isnan(self.pool.grade) & judged, 0.0, self.pool.grade)
        return make_truths(replace(self.pool, grade=grade))

    @property
    def _top_grade(self) -> float:
        return float(self.levels.grade.max(initial=0))


def without_unseen(batch: Batch) -> Batch:
    """Lists from which each subject's unseen items (gain NaN) are taken out.

    Lists then differ between subjects, so that each (subject, query) becomes a query of its own, in
    a batch of a single world.
    """
    unseen = np.isnan(batch.gain)
    above, up_to = _count_in_order(unseen, batch)
    seen = ~unseen
    subject, hit = np.nonzero(seen)
    query = segment_of(batch.offsets)[hit]
    n_subjects, n_queries = batch.n_worlds, batch.n_queries
    own = subject * n_queries + query
    length = batch.length - segment_sum(unseen, batch.offsets)
    levels = batch.levels
    return Batch(
        length.ravel(),
        offsets_of(np.bincount(own, minlength=n_subjects * n_queries)),
        batch.first[hit] - above[seen],
        batch.last[hit] - up_to[seen],
        batch.gain[seen][None, :],
        Levels(
            offsets_of(np.tile(np.diff(levels.offsets), n_subjects)),
            np.tile(levels.grade, n_subjects),
            levels.count.reshape(1, -1),
        ),
        batch.top_grade,
    )


def make_truths(pool: Pool) -> Truths:
    """Count the judged items of each query by grade, for all subjects at once."""
    grade = pool.grade  # (subjects, items)
    query_of = pool.query_of
    present = ~np.isnan(grade)
    subject, entry = np.nonzero(present)
    value, query = grade[present], query_of[entry]
    order = np.lexsort((-value, query))
    new = np.ones(len(order), dtype=bool)
    new[1:] = (np.diff(query[order]) != 0) | (np.diff(value[order]) != 0)
    level = np.empty(len(order), dtype=np.int64)
    level[order] = np.cumsum(new) - 1
    first_of = order[new]
    n_levels = len(first_of)
    count = np.bincount(subject * n_levels + level, minlength=len(grade) * n_levels)
    offsets = offsets_of(np.bincount(query[first_of], minlength=len(pool.queries)))
    levels = Levels(offsets, value[first_of], count.reshape(len(grade), n_levels))
    size = np.diff(pool.offsets)
    n_judged = segment_sum(present, pool.offsets)  # (subjects, queries)
    judged = n_judged > 0
    holes = int((size - n_judged)[judged].sum())
    return Truths(pool, levels, judged, holes)


def _count_in_order(marked: Array, batch: Batch) -> tuple[Array, Array]:
    """Marked hits on better ranks than each hit, and marked hits up to the end of its tie.

    Both (subjects, hits).
    """
    offsets, first = batch.offsets, batch.first
    running = segment_cumsum(marked, offsets)
    # Tied hits share `first` within a query; the last of them has the count up to its end.
    query = segment_of(offsets)
    new = np.ones(len(first), dtype=bool)
    new[1:] = (np.diff(first) != 0) | (np.diff(query) != 0)
    start = np.flatnonzero(new)
    tie = np.cumsum(new) - 1
    end = np.append(start[1:], len(first)) - 1
    above = running[:, start] - marked[:, start]
    return above[:, tie], running[:, end][:, tie]
