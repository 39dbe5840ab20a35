"""Distances between values: sums over pairs of them, without a table of all pairs where possible.

Weights of values come as sparse arrays (rows, values): how often each value occurs in each row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from fuzzytruth._lazy import sparse
from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.arithmetic import begins, offsets_of, ragged, without_rounding
from fuzzytruth.core.shares import LabelSets

_ROWS = 2**16  # rows of a block of sparse products
_NUMBERS = 2**22  # doubles of a block of a table
_PAIR = 50  # time of a single pair over that of a number of a block


@dataclass(frozen=True, slots=True, eq=False)
class FeatureDistances:
    """Squared Euclidean distances of features, so that sums over pairs are sums over features.

    Parameters
    ----------
    features : (values, features) sparse array
    square : (values,) float
        Squared length of each value's features.
    n_values : int
    factor : float
        By which all distances are multiplied.
    """

    features: Any
    square: Floats
    n_values: int
    factor: float = 1.0

    @classmethod
    def of(cls, features: Any) -> FeatureDistances:
        """From a sparse or dense array (values, features)."""
        table = sparse.csr_array(features)
        square = np.asarray(table.multiply(table).sum(axis=1), dtype=np.float64).ravel()
        return cls(table, square, table.shape[0])

    def between(self, a: Any, b: Any) -> Floats:
        """Sum over pairs of values, one of each row of `a` and one of that of `b`: (rows,).

        Rounding errors are 0.
        """
        out = np.zeros(a.shape[0])
        for start in range(0, a.shape[0], _ROWS):
            part = slice(start, start + _ROWS)
            first = a[part]
            same = a is b
            second = first if same else b[part]
            from_a = first @ self.features
            from_b = from_a if same else second @ self.features
            inner = np.asarray(from_a.multiply(from_b).sum(axis=1)).ravel()
            whole = _row_sums(first) * (second @ self.square)
            whole = whole + _row_sums(second) * (first @ self.square)
            out[part] = without_rounding(whole - 2 * inner, np.abs(whole))
        return self.factor * out

    def toward(self, weights: Floats) -> Floats:
        """Sum of the distances from each value to all, by their weights: (values,)."""
        total = weights @ self.features
        whole = weights.sum() * self.square + weights @ self.square
        gap: Floats = np.asarray(whole - 2 * (self.features @ total), dtype=np.float64)
        return self.factor * without_rounding(gap, np.abs(whole))

    def largest(self) -> float:
        """The largest of all distances."""
        largest = 0.0
        for part in _blocks(self.n_values):
            inner = (self.features @ self.features[part].T).toarray()
            gap = self.square[:, None] + self.square[part] - 2 * inner
            largest = max(largest, float(gap.max(initial=0.0)))
        return self.factor * largest


@dataclass(frozen=True, slots=True, eq=False)
class TableDistances:
    """Distances that are computed by blocks of columns of their table, or pair by pair.

    Parameters
    ----------
    columns : callable
        Gives the columns of a slice of values: (values, columns).
    at : callable
        Gives the distances of pairs of values, two arrays of which it takes: (pairs,).
    n_values : int
    """

    columns: Callable[[slice], Floats]
    at: Callable[[Ints, Ints], Floats]
    n_values: int

    @classmethod
    def of(cls, table: Floats) -> TableDistances:
        """From the whole table (values, values)."""
        return cls(lambda part: table[:, part], lambda v, w: table[v, w], len(table))

    @classmethod
    def of_numbers(
        cls, distance: Callable[[Floats, Floats], Floats], numbers: Floats
    ) -> TableDistances:
        """From a function of two arrays of numbers that are broadcast."""
        return cls(
            lambda part: distance(numbers[:, None], numbers[part]),
            lambda v, w: distance(numbers[v], numbers[w]),
            len(numbers),
        )

    def between(self, a: Any, b: Any) -> Floats:
        """Sum over pairs of values, one of each row of `a` and one of that of `b`: (rows,)."""
        a, b = a.tocsr(), b.tocsr()
        pairs = np.diff(a.indptr).astype(np.int64) * np.diff(b.indptr)
        if _PAIR * int(pairs.sum()) < a.nnz * self.n_values:
            return self._by_pair(a, b, pairs)
        out = np.zeros(a.shape[0])
        for part in _blocks(self.n_values):
            table = self.columns(part)
            size = max(1, _NUMBERS // max(table.shape[1], 1))
            for start in range(0, a.shape[0], size):
                rows = slice(start, start + size)
                reached = a[rows] @ table  # (rows, columns)
                out[rows] += np.asarray(b[rows][:, part].multiply(reached).sum(axis=1)).ravel()
        return out

    def _by_pair(self, a: Any, b: Any, pairs: Ints) -> Floats:
        """The same by the pairs of values in each row, by blocks of rows with some of them."""
        out = np.zeros(a.shape[0])
        ends = np.cumsum(pairs)
        start = 0
        while start < len(pairs):
            done = ends[start - 1] if start else 0
            stop = max(start + 1, int(np.searchsorted(ends, done + _NUMBERS, side="right")))
            rows = np.arange(start, stop)
            owner, first = ragged(a.indptr, rows)
            which, second = ragged(b.indptr, rows[owner])
            first = first[which]
            gap = self.at(a.indices[first], b.indices[second]) * a.data[first] * b.data[second]
            out[start:stop] = np.bincount(owner[which], weights=gap, minlength=len(rows))
            start = stop
        return out

    def toward(self, weights: Floats) -> Floats:
        """Sum of the distances from each value to all, by their weights: (values,)."""
        parts = [weights @ self.columns(part) for part in _blocks(self.n_values)]
        return np.concatenate(parts) if parts else np.zeros(0)

    def largest(self) -> float:
        """The largest of all distances."""
        every = (float(self.columns(part).max(initial=0.0)) for part in _blocks(self.n_values))
        return max(every, default=0.0)


#: symmetric distances between values, 0 from each to itself
Distances = FeatureDistances | TableDistances


def nominal_distances(n_values: int) -> FeatureDistances:
    """1 between different values."""
    one = np.ones(n_values)
    return FeatureDistances(sparse.diags_array(one, format="csr"), one, n_values, 0.5)


def squared_distances(places: Floats) -> FeatureDistances:
    """The squared difference of numbers."""
    return FeatureDistances.of((places - places.mean())[:, None])


def set_distances(closures: Any) -> FeatureDistances:
    """The number of elements in one set and not in the other; sets are sparse rows of ones."""
    return FeatureDistances.of(closures)


def masi_distances(sets: LabelSets, n_labels: int) -> TableDistances:
    """1 - MASI: one minus Jaccard's coefficient times a factor of monotonicity.

    The factor is 1 for equal sets, 2/3 where one holds the other, 1/3 where they overlap.

    References
    ----------
    Passonneau, R. (2006), Measuring agreement on set-valued items (MASI) for semantic and
    pragmatic annotation, LREC.
    """
    members = sets.members(n_labels)
    size = np.diff(sets.offsets).astype(np.float64)

    def of(both: Floats, first: Floats, second: Floats) -> Floats:
        either = first + second - both
        factor = np.where(both == np.minimum(first, second), 2 / 3, np.where(both > 0, 1 / 3, 0.0))
        factor[both == either] = 1.0
        share = np.divide(both, either, out=np.ones_like(both), where=either > 0)
        return 1 - share * factor

    def columns(part: slice) -> Floats:
        return of((members @ members[part].T).toarray(), size[:, None], size[part])

    def at(v: Ints, w: Ints) -> Floats:
        both = np.asarray(members[v].multiply(members[w]).sum(axis=1), dtype=np.float64).ravel()
        return of(both, size[v], size[w])

    return TableDistances(columns, at, len(sets))


def ratio_distances(grades: Floats) -> TableDistances:
    """((a - b) / (a + b))², 0 between two zeros."""

    def distance(a: Floats, b: Floats) -> Floats:
        total = a + b
        return np.divide(a - b, total, out=np.zeros_like(total), where=total != 0) ** 2

    return TableDistances.of_numbers(distance, grades)


def linear_distances(grades: Floats) -> TableDistances:
    """The size of the difference."""
    return TableDistances.of_numbers(lambda a, b: np.abs(a - b), grades)


def rank_gap_table(n_values: int) -> Floats:
    """Pairs among the categories from one to the other, over all pairs: (values, values).

    References
    ----------
    Gwet, K. L. (2014), Handbook of Inter-Rater Reliability, §3 (ordinal weights).
    """
    gap = np.abs(np.subtract.outer(np.arange(n_values), np.arange(n_values))).astype(np.float64)
    return gap * (gap + 1) / max(n_values * (n_values - 1), 1)


def mid_ranks(totals: Floats) -> Floats:
    """Share of votes below each value and half of those for it: (..., values)."""
    n = totals.sum(axis=-1, keepdims=True)
    share = np.divide(totals, n, out=np.zeros_like(totals), where=n > 0)
    return np.asarray(np.cumsum(share, axis=-1) - share / 2)


def _row_sums(table: Any) -> Floats:
    return np.asarray(table.sum(axis=1), dtype=np.float64).ravel()


def _blocks(n_values: int) -> list[slice]:
    """Slices of values, whose columns fit in memory."""
    size = max(1, _NUMBERS // max(n_values, 1))
    return [slice(start, min(start + size, n_values)) for start in range(0, n_values, size)]


# Units that two subjects both gave a value: every pair of votes on a unit, in blocks.


_BLOCK = 2**19  # pairs of votes
_ALL_PAIRS = 2**20  # up to which every pair of subjects is kept, whether or not it shares units


@dataclass(frozen=True, slots=True, eq=False)
class CoratedVotes:
    """Pairs of votes of two subjects on one unit, of whole clusters.

    Parameters
    ----------
    cluster : (votes,) int
        Ascending.
    pair : (votes,) int
        The pair of subjects.
    left, right : (votes,) int
        The values that the first and the second subject of the pair gave.
    weight : (votes,) float
        1, or the product of the votes' shares where subjects repeated theirs; those of one unit and
        pair add up to 1.
    """

    cluster: Ints
    pair: Ints
    left: Ints
    right: Ints
    weight: Floats


@dataclass(frozen=True, slots=True, eq=False)
class PairDesign:
    """Votes sorted by cluster, unit and subject, and the pairs of subjects among them.

    Parameters
    ----------
    unit, subject, value : (votes,) int
    weight : (votes,) float
    cluster : (votes,) int
        Of the vote's unit, from 0.
    first, second : (pairs,) int
        Subjects of each pair, the first below the second.
    n_subjects, n_values : int
    """

    unit: Ints
    subject: Ints
    value: Ints
    weight: Floats
    cluster: Ints
    first: Ints
    second: Ints
    n_subjects: int
    n_values: int

    @classmethod
    def of(
        cls,
        unit: Ints,
        subject: Ints,
        value: Ints,
        weight: Floats,
        cluster: Ints,
        n_subjects: int,
        n_values: int | None = None,
    ) -> PairDesign:
        """The design of votes sorted by unit, then subject; `cluster` (units,) is from 0.

        `n_values`: how many values there are, by default those up to the largest.
        """
        of_vote = cluster[unit]
        order = np.argsort(of_vote, kind="stable")
        unit, subject, of_vote = unit[order], subject[order], of_vote[order]
        if n_subjects * (n_subjects - 1) // 2 <= _ALL_PAIRS:
            first, second = np.triu_indices(n_subjects, 1)
        else:
            keys: Ints = np.zeros(0, dtype=np.int64)
            for a, b in _votes_side_by_side(unit, subject, of_vote):
                keys = np.union1d(keys, np.unique(subject[a] * n_subjects + subject[b]))
            first, second = np.divmod(keys, n_subjects)
        value, weight = value[order], weight[order]
        if n_values is None:
            n_values = int(value.max(initial=-1)) + 1
        return cls(unit, subject, value, weight, of_vote, first, second, n_subjects, n_values)

    @property
    def n_pairs(self) -> int:
        """Number of pairs."""
        return len(self.first)

    def blocks(self) -> Iterator[CoratedVotes]:
        """All pairs of votes, in blocks of whole clusters."""
        keys = self.first * self.n_subjects + self.second
        whole = len(keys) == self.n_subjects * (self.n_subjects - 1) // 2
        for a, b in _votes_side_by_side(self.unit, self.subject, self.cluster):
            one, two = self.subject[a], self.subject[b]
            if whole:
                pair = one * (2 * self.n_subjects - one - 1) // 2 + two - one - 1
            else:
                pair = np.searchsorted(keys, one * self.n_subjects + two)
            weight = self.weight[a] * self.weight[b]
            yield CoratedVotes(self.cluster[a], pair, self.value[a], self.value[b], weight)


def n_pairs_of_votes(unit: Ints) -> int:
    """Pairs of votes on one unit, as an estimate of the work."""
    size = np.bincount(unit)
    return int((size * (size - 1) // 2).sum())


def _votes_side_by_side(unit: Ints, subject: Ints, cluster: Ints) -> Iterator[tuple[Ints, Ints]]:
    """Indices of two votes on a unit by two subjects, in blocks of whole clusters."""
    n = len(unit)
    if not n:
        return
    starts = np.flatnonzero(begins(unit))
    ends = np.repeat(np.append(starts[1:], n), np.diff(np.append(starts, n)))
    later = ends - np.arange(n) - 1  # votes on the unit after this one
    before = offsets_of(later)
    edges = np.append(np.flatnonzero(begins(cluster)), n)
    block = before[edges[:-1]] // _BLOCK
    cuts = np.append(edges[:-1][begins(block)], n)
    for start, stop in zip(cuts[:-1].tolist(), cuts[1:].tolist(), strict=True):
        a = np.repeat(np.arange(start, stop), later[start:stop])
        b = np.arange(before[start], before[stop]) - before[a] + a + 1
        different = subject[a] != subject[b]
        yield (a, b) if different.all() else (a[different], b[different])
