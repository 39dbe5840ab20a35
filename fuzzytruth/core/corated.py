"""Units that two subjects both gave a value: every pair of votes on a unit, in blocks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.segments import offsets_of

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
                found = np.unique(subject[a] * n_subjects + subject[b])
                keys = np.union1d(keys, found)
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
    starts = np.flatnonzero(np.concatenate(([True], np.diff(unit) != 0)))
    ends = np.repeat(np.append(starts[1:], n), np.diff(np.append(starts, n)))
    later = ends - np.arange(n) - 1  # votes on the unit after this one
    before = offsets_of(later)
    edges = np.append(np.flatnonzero(np.concatenate(([True], np.diff(cluster) != 0))), n)
    block = before[edges[:-1]] // _BLOCK
    cuts = np.append(edges[:-1][np.concatenate(([True], np.diff(block) != 0))], n)
    for start, stop in zip(cuts[:-1].tolist(), cuts[1:].tolist(), strict=True):
        a = np.repeat(np.arange(start, stop), later[start:stop])
        b = np.arange(before[start], before[stop]) - before[a] + a + 1
        different = subject[a] != subject[b]
        yield (a, b) if different.all() else (a[different], b[different])
