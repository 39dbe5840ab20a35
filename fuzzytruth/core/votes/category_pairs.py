"""Pairs of votes for and against each category, of all votes and without some."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.core.votes.unit_votes import Removed, UnitVotes

_NUMBERS = 2**20  # doubles of a block of groups


@dataclass(frozen=True, slots=True, eq=False)
class CategorySums:
    """Sums over units with two votes or more; each (groups, categories) but the last.

    Parameters
    ----------
    same : float
        Ordered pairs of people of whom both give the category.
    pairs : float
        Those of whom the first does.
    gaps : float
        Those of whom one does, each unit's over n - 1.
    votes : float
        Votes for the category.
    own : float
        Of votes that are shared among repetitions: the part that differs from itself.
    weight : (groups, 1) float
        All votes.
    """

    same: Floats
    pairs: Floats
    gaps: Floats
    votes: Floats
    own: Floats
    weight: Floats

    def specific(self) -> Floats:
        """Specific agreement; NaN without pairs."""
        return divide(self.same, self.pairs, fill=np.nan)

    def alpha(self) -> Floats:
        """Krippendorff's alpha of each category against all others; NaN without variation."""
        n = self.weight
        chance = 2 * self.votes * (n - self.votes) - self.own
        expected = divide(chance, n * (n - 1), fill=np.nan)
        return 1 - divide(divide(self.gaps, n), expected, fill=np.nan)


@dataclass(frozen=True, slots=True, eq=False)
class CategoryPairs:
    """Votes for categories, by unit and by voter.

    Parameters
    ----------
    n : (units,) float
        People who voted.
    counts : (units, categories) sparse array
        Votes for each category.
    squares : (units, categories) sparse array
        Sum of the squared votes of single people.
    mine : (cells, categories) sparse array or None
        The vote of each pair of a unit and a person; None where nobody is named.
    """

    n: Floats
    counts: Any
    squares: Any
    mine: Any

    @classmethod
    def of(cls, votes: UnitVotes, belongs: Any) -> CategoryPairs:
        """From the categories (values, categories) that each value stands for, sparse."""
        from scipy.sparse import csr_array

        counts = (votes.counts @ belongs).tocsr()
        if votes.votes is None:
            return cls(votes.n, counts, counts, None)
        mine = (votes.votes @ belongs).tocsr()
        cells = len(votes.unit)
        where = (np.ones(cells), (votes.unit, np.arange(cells)))
        squares = csr_array(where, shape=(len(votes.n), cells)) @ mine.multiply(mine)
        return cls(votes.n, counts, squares.tocsr(), mine)

    def all(self) -> CategorySums:
        """Of all votes: one group."""
        parts = self._parts(self.counts, self.squares, self.n)
        sums = [np.asarray(part.sum(axis=0), dtype=np.float64).reshape(1, -1) for part in parts]
        weight = np.array([[_used(self.n).sum()]])
        return CategorySums(sums[0], sums[1], sums[2], sums[3], sums[4], weight)

    def without(self, removed: Removed) -> Iterator[CategorySums]:
        """Without the votes of each group, by blocks of groups."""
        whole = self.all()
        unit, cell = removed.unit, removed.cell
        counts, squares, n = self.counts[unit], self.squares[unit], self.n[unit]
        lost = self._parts(counts, squares, n)
        taken = _used(n)
        if cell is not None:
            mine = self.mine[cell]
            kept = self._parts(counts - mine, squares - mine.multiply(mine), n - 1)
            lost = [before - after for before, after in zip(lost, kept, strict=True)]
            taken = taken - _used(n - 1)
        parts = [removed.added_up(part).tocsr() for part in lost]
        gone = removed.added_up(taken)[:, None]
        size = max(1, _NUMBERS // max(self.counts.shape[1], 1))
        totals = (whole.same, whole.pairs, whole.gaps, whole.votes, whole.own)
        for start in range(0, removed.n_groups, size):
            rows = slice(start, start + size)
            left = [t - part[rows].toarray() for t, part in zip(totals, parts, strict=True)]
            clean = [np.where(x <= 1e-9, 0.0, x) for x in left]
            weight = whole.weight - gone[rows]
            yield CategorySums(clean[0], clean[1], clean[2], clean[3], clean[4], weight)

    def _parts(self, counts: Any, squares: Any, n: Floats) -> list[Any]:
        """What each row adds to the sums: (rows, categories) each, sparse."""
        from scipy.sparse import diags_array

        used = diags_array((n >= 2).astype(np.float64))
        inverse = diags_array(np.where(n >= 2, 1.0 / np.where(n >= 2, n - 1, 1.0), 0.0))
        same = used @ (counts.multiply(counts) - squares)
        pairs = used @ (diags_array(n - 1) @ counts)
        votes = used @ counts
        return [same, pairs, 2 * (inverse @ (pairs - same)), votes, 2 * (votes - used @ squares)]


def _used(n: Floats) -> Floats:
    """Votes on units that have two or more: (units,)."""
    return np.where(n >= 2, n, 0.0)
