"""Votes for classes by coordinates, and as a sparse matrix."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from fuzzytruth._lazy import sparse
from fuzzytruth._typing import Bools, Floats, Ints


@dataclass(frozen=True, slots=True, eq=False)
class VoteTable:
    """Votes for classes by coordinates, (votes,) each.

    Parameters
    ----------
    unit, subject, value : int
    n_units, n_subjects, n_classes : int
    weight : float
        How much each vote counts.
    matrix : sparse (units, subjects × classes)
        The sums of weights.
    """

    unit: Ints
    subject: Ints
    value: Ints
    n_units: int
    n_subjects: int
    n_classes: int
    weight: Floats
    matrix: Any = field(repr=False)

    @classmethod
    def of(
        cls,
        unit: Ints,
        subject: Ints,
        value: Ints,
        sizes: tuple[int, int, int],
        weight: Floats | None = None,
    ) -> Self:
        """From coordinates, and the numbers of units, subjects and classes."""
        weight = np.ones(len(unit)) if weight is None else weight
        column = subject.astype(np.int64) * sizes[2] + value
        matrix = sparse.csr_array((weight, (unit, column)), shape=(sizes[0], sizes[1] * sizes[2]))
        matrix.sum_duplicates()
        return cls(unit, subject, value, *sizes, weight, matrix)

    @property
    def sizes(self) -> tuple[int, int, int]:
        """Numbers of units, subjects and classes."""
        return self.n_units, self.n_subjects, self.n_classes

    @property
    def counts(self) -> Floats:
        """Votes for each class: (units, classes)."""
        key = self.unit.astype(np.int64) * self.n_classes + self.value
        found = np.asarray(np.bincount(key, self.weight, self.n_units * self.n_classes), float)
        return found.reshape(self.n_units, self.n_classes)

    def by_unit(self, group: Ints) -> Ints:
        """Code of the unit and of the subject's group (subjects,): (votes,)."""
        return self.unit.astype(np.int64) * (int(group.max(initial=0)) + 1) + group[self.subject]

    def take(self, votes: Bools | Ints) -> VoteTable:
        """Some of the votes, of the same units."""
        some = self.unit[votes], self.subject[votes], self.value[votes]
        return VoteTable.of(*some, self.sizes, self.weight[votes])

    def of_units(self, units: Ints) -> VoteTable:
        """The votes on some units (ascending), these numbered anew."""
        place = np.full(self.n_units, -1)
        place[units] = np.arange(len(units))
        kept = place[self.unit] >= 0
        some = place[self.unit[kept]], self.subject[kept], self.value[kept]
        return VoteTable.of(*some, (len(units), *self.sizes[1:]), self.weight[kept])

    def revoted(self, value: Ints) -> VoteTable:
        """Other votes by the same people on the same units."""
        return VoteTable.of(self.unit, self.subject, value, self.sizes, self.weight)


@np.errstate(under="ignore")
def softmax(joint: Floats) -> tuple[Floats, float]:
    """Probabilities of each row, and the sum of the logarithms of their totals."""
    largest = joint.max(axis=1, keepdims=True)
    scaled = np.exp(joint - largest)
    total = scaled.sum(axis=1, keepdims=True)
    return scaled / total, float((np.log(total) + largest).sum())
