"""Rows of a table of inference: single systems, or differences of pairs, of one measure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fuzzytruth._typing import Bools, Floats, Ints
from fuzzytruth.core.samples import difference, mean_where_there

if TYPE_CHECKING:
    from fuzzytruth.evaluation.scores import Scores


_CELLS = 2**22  # numbers of a table of cells at a time


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Systems, or pairs of systems.

    Parameters
    ----------
    first : (rows,) int
        Ints of systems.
    second : (rows,) int or None
        Ints of what is subtracted from them.
    """

    first: Ints
    second: Ints | None = None

    def __len__(self) -> int:
        return len(self.first)

    def of(self, values: Floats) -> Floats:
        """Values of the rows: (systems, ...) → (rows, ...)."""
        if self.second is None:
            return values[self.first]
        return difference(values[self.first], values[self.second])

    def part(self, start: int, size: int) -> Rows:
        """Some of the rows."""
        some = slice(start, start + size)
        return Rows(self.first[some], None if self.second is None else self.second[some])

    def parts(self, each: int) -> list[Rows]:
        """The rows in lots, a row having `each` numbers, so that a lot takes bounded memory."""
        size = max(1, _CELLS // max(each, 1))
        return [self.part(start, size) for start in range(0, len(self), size)]


def systems(scores: Scores) -> Rows:
    """One row a system."""
    return Rows(np.arange(len(scores.systems)))


def all_pairs(n_systems: int) -> Rows:
    """One row for each pair of systems, in their order."""
    return Rows(*np.triu_indices(n_systems, 1))


def against(baseline: int, n_systems: int) -> Rows:
    """One row for each other system, the baseline subtracted."""
    others = np.delete(np.arange(n_systems), baseline)
    return Rows(others, np.full(len(others), baseline))


def cells(scores: Scores, measure: int, rows: Rows) -> Floats:
    """(rows, queries, subjects); NaN where a value is missing, or one of a pair's is."""
    return rows.of(scores.values[:, measure].swapaxes(1, 2))


def per_query(scores: Scores, measure: int, rows: Rows) -> Floats:
    """Mean over the subjects there are: (rows, queries); a pair's subjects are those of both."""
    values = scores.values[:, measure]  # (systems, subjects, queries)
    there = ~np.isnan(values)
    if (there == there[:1]).all():
        return rows.of(mean_where_there(values, axis=1))
    lots = rows.parts(values[0].size)
    return np.concatenate([mean_where_there(cells(scores, measure, lot), -1) for lot in lots])


def per_subject(scores: Scores, measure: int, rows: Rows) -> Floats:
    """Mean over the queries there are: (rows, subjects)."""
    values = scores.values[:, measure]
    there = ~np.isnan(values)
    if (there == there[:1]).all():
        return rows.of(mean_where_there(values, axis=2))
    lots = rows.parts(values[0].size)
    return np.concatenate([mean_where_there(cells(scores, measure, lot), -2) for lot in lots])


def by_holes(there: Bools) -> Iterator[tuple[Bools, Ints]]:
    """Patterns of what is there (rows, ...), and which rows have each; empty ones are left out."""
    packed = np.packbits(there.reshape(len(there), -1), axis=1)
    _, first, kind = np.unique(packed, axis=0, return_index=True, return_inverse=True)
    for number, example in enumerate(first):
        if there[example].any():
            yield there[example], np.flatnonzero(kind.ravel() == number)
