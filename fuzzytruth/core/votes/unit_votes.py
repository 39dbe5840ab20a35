"""Votes of subjects on units, and what is left of them without some."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from fuzzytruth._lazy import sparse
from fuzzytruth._typing import Bools, Floats, Ints
from fuzzytruth.core.arithmetic import ROUNDING, begins, divide, offsets_of
from fuzzytruth.core.votes.value_distances import Distances


@dataclass(frozen=True, slots=True, eq=False)
class UnitVotes:
    """How often each value was given to each unit, and by whom.

    Parameters
    ----------
    counts : (units, values) sparse array
        Votes, of which a person has one for a unit.
    n : (units,) float
        People who voted.
    votes : (cells, values) sparse array or None
        The vote of each pair of a unit and a subject, whose repetitions share it; None where
        nobody is named.
    unit, subject : (cells,) int
    """

    counts: Any
    n: Floats
    votes: Any
    unit: Ints
    subject: Ints

    @classmethod
    def of(
        cls,
        unit: Ints,
        subject: Ints | None,
        value: Ints,
        weight: Floats,
        n_units: int,
        n_values: int,
    ) -> UnitVotes:
        """From votes by coordinates, sorted by unit and subject."""
        counts = sparse.csr_array((weight, (unit, value)), shape=(n_units, n_values))
        n = np.rint(np.bincount(unit, weights=weight, minlength=n_units))
        none = np.zeros(0, dtype=np.int64)
        if subject is None:
            return cls(counts, n, None, none, none)
        starts = np.flatnonzero(begins(unit, subject))
        offsets = offsets_of(np.diff(np.append(starts, len(unit))))
        votes = sparse.csr_array((weight, value, offsets), shape=(len(starts), n_values))
        return cls(counts, n, votes, unit[starts], subject[starts])

    @property
    def repeated(self) -> bool:
        """Whether a subject has several votes on a unit."""
        return self.votes is not None and self.votes.nnz > self.votes.shape[0]

    def own(self, distances: Distances) -> Floats:
        """Disagreement of each subject's repetitions on a unit with one another: (cells,)."""
        if not self.repeated:
            return np.zeros(len(self.unit))
        return distances.between(self.votes, self.votes)


@dataclass(frozen=True, slots=True, eq=False)
class Removed:
    """Votes that are taken away, a group at a time.

    Parameters
    ----------
    group : (rows,) int
    n_groups : int
    unit : (rows,) int
        Where each row's votes were.
    cell : (rows,) int or None
        Which vote; None: all of the unit.
    """

    group: Ints
    n_groups: int
    unit: Ints
    cell: Ints | None

    def n_groups_with(self, units: Bools) -> int:
        """Number of groups with votes on some `units` (units,)."""
        return len(np.unique(self.group[units[self.unit]]))

    def added_up(self, rows: Any) -> Any:
        """Sums over the rows of each group: (groups, ...)."""
        n = len(self.group)
        ones = (np.ones(n), (self.group, np.arange(n)))
        return sparse.csr_array(ones, shape=(self.n_groups, n)) @ rows


@dataclass(frozen=True, slots=True, eq=False)
class Sums:
    """What coefficients are computed from, of all votes or without those of each group.

    Parameters
    ----------
    gaps : (groups,) float
        Disagreement over pairs of people within units, each unit by its weight.
    weight : (groups,) float
        Sum of the weights of units with pairs.
    size : (groups,) float
        Sum of `totals`.
    squares : (groups,) float
        Sum of distances over pairs of values by their totals.
    own : (groups,) float
        The part of `squares` that is of one person's vote with itself.
    """

    gaps: Floats
    weight: Floats
    size: Floats
    squares: Floats
    own: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Paired:
    """Votes with the disagreement of each unit's pairs, and how units are weighted.

    Parameters
    ----------
    votes : UnitVotes
    distances : Distances
    spread : Distances
        Those in `squares`.
    by_vote : bool
        Whether a unit weighs as much as it has votes, and those with one vote count nowhere;
        otherwise all weigh the same, those with one vote in the totals only.
    gaps : (units,) float
        Sum of the distances of all ordered pairs of different people.
    own : (units,) float
    own_of_cell : (cells,) float
    totals : (values,) float
        Votes for each value, or shares of units.
    """

    votes: UnitVotes
    distances: Distances
    spread: Distances
    by_vote: bool
    gaps: Floats
    own: Floats
    own_of_cell: Floats
    totals: Floats

    @classmethod
    def of(
        cls,
        votes: UnitVotes,
        distances: Distances,
        *,
        by_vote: bool,
        spread: Distances | None = None,
    ) -> Paired:
        """With the sums over pairs within each unit."""
        own_of_cell = votes.own(distances)
        own = np.zeros(len(votes.n))
        np.add.at(own, votes.unit, own_of_cell)
        gaps = distances.between(votes.counts, votes.counts) - own
        gaps[gaps < 0] = 0.0
        totals = share_of_unit(votes.n, by_vote=by_vote) @ votes.counts
        return cls(votes, distances, spread or distances, by_vote, gaps, own, own_of_cell, totals)

    def all(self) -> Sums:
        """Of all votes: one group."""
        gaps, weight, size = _of_units(self.gaps, self.votes.n, by_vote=self.by_vote)
        own = (self.own * (self.votes.n >= 2)).sum() if self.by_vote else 0.0
        return Sums(
            gaps=np.array([gaps.sum()]),
            weight=np.array([weight.sum()]),
            size=np.array([size.sum()]),
            squares=np.array([self.totals @ self.spread.toward(self.totals)]),
            own=np.array([own]),
        )

    def without(self, removed: Removed) -> Sums:
        """Without the votes of each group."""
        whole, votes, unit, cell = self.all(), self.votes, removed.unit, removed.cell
        before = np.stack(_of_units(self.gaps[unit], votes.n[unit], by_vote=self.by_vote))
        if cell is None:
            change = before
            lost = self.own[unit] * (votes.n[unit] >= 2)
        else:
            mine = votes.votes[cell]
            rest = self.gaps[unit] - 2 * self.distances.between(mine, votes.counts[unit])
            # Of one person's vote, the distances to itself are in both terms.
            rest = rest + 2 * self.own_of_cell[cell]
            n = votes.n[unit] - 1
            change = before - np.stack(_of_units(rest, n, by_vote=self.by_vote))
            lost = np.where(n >= 2, self.own_of_cell[cell], self.own[unit] * (n >= 1))
        gone = self.lost(removed)  # (groups, values)
        squares = whole.squares - 2 * (gone @ self.spread.toward(self.totals))
        squares = squares + self.spread.between(gone, gone)
        left = np.stack([whole.gaps, whole.weight, whole.size]) - removed.added_up(change.T).T
        tiny = np.abs(left[0]) <= ROUNDING * whole.gaps
        return Sums(
            np.where(tiny, 0.0, left[0]),
            left[1],
            left[2],
            np.where(np.abs(squares) <= ROUNDING * whole.squares, 0.0, squares),
            whole.own - removed.added_up(lost if self.by_vote else np.zeros(len(unit))),
        )

    def lost(self, removed: Removed) -> Any:
        """What each group takes away from the totals: (groups, values), sparse."""
        return removed.added_up(self._lost_rows(removed.unit, removed.cell)).tocsr()

    def _lost_rows(self, unit: Ints, cell: Ints | None) -> Any:
        """What each row takes away from the totals: (rows, values), sparse."""
        n = self.votes.n[unit]
        before = share_of_unit(n, by_vote=self.by_vote)
        counts = self.votes.counts[unit]
        if cell is None:
            return sparse.diags_array(before) @ counts
        after = share_of_unit(n - 1, by_vote=self.by_vote)
        rows = np.flatnonzero(before != after)
        mine = sparse.diags_array(after) @ self.votes.votes[cell]
        if not len(rows):
            return mine
        changed = np.where(before != after, before - after, 0.0)
        return mine + sparse.diags_array(changed) @ counts


def share_of_unit(n: Floats, *, by_vote: bool) -> Floats:
    """Weight of a vote in the totals, of units with n people: (units,)."""
    if by_vote:
        return np.asarray(n >= 2, dtype=np.float64)
    return np.divide(1.0, n, out=np.zeros_like(n), where=n >= 1)


def _of_units(gaps: Floats, n: Floats, *, by_vote: bool) -> tuple[Floats, Floats, Floats]:
    """Each unit's part of the gaps, of the weight, and of the size: (units,) each."""
    pairs = n >= 2
    divisor = np.where(pairs, (n - 1) * (1.0 if by_vote else n), 1.0)
    part = np.where(pairs, gaps / divisor, 0.0)
    if by_vote:
        weight = np.where(pairs, n, 0.0)
        return part, weight, weight
    return part, pairs.astype(np.float64), (n >= 1).astype(np.float64)


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
        counts = (votes.counts @ belongs).tocsr()
        if votes.votes is None:
            return cls(votes.n, counts, counts, None)
        mine = (votes.votes @ belongs).tocsr()
        cells = len(votes.unit)
        where = (np.ones(cells), (votes.unit, np.arange(cells)))
        squares = sparse.csr_array(where, shape=(len(votes.n), cells)) @ mine.multiply(mine)
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
        used = sparse.diags_array((n >= 2).astype(np.float64))
        inverse = sparse.diags_array(np.where(n >= 2, 1.0 / np.where(n >= 2, n - 1, 1.0), 0.0))
        same = used @ (counts.multiply(counts) - squares)
        pairs = used @ (sparse.diags_array(n - 1) @ counts)
        votes = used @ counts
        return [same, pairs, 2 * (inverse @ (pairs - same)), votes, 2 * (votes - used @ squares)]


def _used(n: Floats) -> Floats:
    """Votes on units that have two or more: (units,)."""
    return np.where(n >= 2, n, 0.0)
