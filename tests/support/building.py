"""Batches from plain lists, for tests of measures."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fuzzytruth.core.layouts import EndToEnd
from fuzzytruth.truth.batch import Batch, Levels, ranks

Grades = tuple[float, ...]  # one grade a world


@dataclass(frozen=True)
class Query:
    """One list: grades from the first rank on (None: unjudged), and what it missed.

    `ties` are the sizes of consecutive groups of tied items; without them nothing is tied.
    """

    ranked: tuple[Grades | None, ...] = ()
    missed: tuple[Grades, ...] = ()
    ties: tuple[int, ...] | None = None

    @property
    def groups(self) -> tuple[int, ...]:
        return (1,) * len(self.ranked) if self.ties is None else self.ties


def query(
    ranked: Sequence[float | Grades | None],
    missed: Sequence[float | Grades] = (),
    ties: Sequence[int] | None = None,
) -> Query:
    """A query whose grades may be plain numbers, for a single world."""
    return Query(
        tuple(None if g is None else _in_worlds(g) for g in ranked),
        tuple(map(_in_worlds, missed)),
        None if ties is None else tuple(ties),
    )


def _in_worlds(grade: float | Grades) -> Grades:
    return grade if isinstance(grade, tuple) else (grade,)


def batch_of(*queries: Query, top_grade: float = 3.0) -> Batch:
    """The batch of these queries, all with the same number of worlds."""
    worlds = max((len(g) for q in queries for g in (*q.ranked, *q.missed) if g), default=1)
    first, last, gain, offsets = [], [], [], [0]
    level_grade, level_count, level_offsets = [], [], [0]
    for q in queries:
        rank = 1
        judged = list(q.missed)
        for size in q.groups:
            for grades in q.ranked[rank - 1 : rank - 1 + size]:
                if grades is not None:
                    first.append(rank)
                    last.append(rank + size - 1)
                    gain.append(grades)
                    judged.append(grades)
            rank += size
        offsets.append(len(first))
        for grade in sorted({g for grades in judged for g in grades}, reverse=True):
            level_grade.append(grade)
            level_count.append([sum(g[w] == grade for g in judged) for w in range(worlds)])
        level_offsets.append(len(level_grade))
    return Batch(
        np.array([len(q.ranked) for q in queries], dtype=int),
        EndToEnd(np.array(offsets)),
        *ranks(np.array(first, dtype=int), np.array(last, dtype=int)),
        np.array(gain, dtype=float).reshape(-1, worlds).T,
        Levels(
            np.array(level_offsets),
            np.array(level_grade, dtype=float),
            np.array(level_count, dtype=int).reshape(-1, worlds).T,
        ),
        top_grade,
    )
