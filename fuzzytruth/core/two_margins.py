"""Pairs of votes of two subjects, each of whom has totals of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from fuzzytruth._typing import Bools, Floats
from fuzzytruth.core.rounding import ROUNDING
from fuzzytruth.core.unit_votes import Removed, Sums, UnitVotes
from fuzzytruth.core.value_distances import Distances


@dataclass(frozen=True, slots=True, eq=False)
class TwoMargins:
    """The votes of two subjects on the units that both judged, each with totals of its own.

    Parameters
    ----------
    first, second : (units, values) sparse arrays
    distances : Distances
    gaps : (units,) float
    both : (units,) bool
        The units that both judged.
    """

    first: Any
    second: Any
    distances: Distances
    gaps: Floats
    both: Bools

    @classmethod
    def of(cls, votes: UnitVotes, distances: Distances, gaps: Floats, both: Bools) -> TwoMargins:
        """From the votes of subjects 0 and 1, `both` of whom voted on some units (units,)."""
        from scipy.sparse import csr_array

        tables = []
        for subject in (0, 1):
            cell = np.flatnonzero((votes.subject == subject) & both[votes.unit])
            where = (np.ones(len(cell)), (votes.unit[cell], np.arange(len(cell))))
            tables.append(csr_array(where, shape=(len(votes.n), len(cell))) @ votes.votes[cell])
        return cls(tables[0], tables[1], distances, np.where(both, gaps, 0.0), both)

    def all(self) -> Sums:
        """Of all units: one group."""
        n = np.array([float(self.both.sum())])
        squares = np.array([self._toward(self.first) @ _column_sums(self.second)])
        return Sums(np.array([self.gaps.sum()]), n, n, squares, np.zeros(1))

    def without(self, removed: Removed) -> Sums:
        """Without the units of each group."""
        whole, unit = self.all(), removed.unit
        first, second = (removed.added_up(t[unit]).tocsr() for t in (self.first, self.second))
        squares = whole.squares + self.distances.between(first, second)
        squares = squares - first @ self._toward(self.second) - second @ self._toward(self.first)
        n = whole.weight - removed.added_up(self.both[unit].astype(np.float64))
        gaps = whole.gaps - removed.added_up(self.gaps[unit])
        gaps[np.abs(gaps) <= ROUNDING * whole.gaps] = 0.0
        squares[np.abs(squares) <= ROUNDING * whole.squares] = 0.0
        return Sums(gaps, n, n, squares, np.zeros(len(n)))

    def _toward(self, votes: Any) -> Floats:
        return self.distances.toward(_column_sums(votes))


def _column_sums(table: Any) -> Floats:
    return np.asarray(table.sum(axis=0), dtype=np.float64).ravel()
