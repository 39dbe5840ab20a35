"""All judged items of some queries, retrieved or not, by grade: the same for every system."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from fuzzytruth._typing import Array, Bools
from fuzzytruth.core.lazy import Memo
from fuzzytruth.core.segments import segment_cumsum, segment_sum, segment_sum_in_order

#: gains of grades, for measures of gain
Gains = Callable[[Array], Array]


def reaches(grade: Array, rel: float | None) -> Array:
    """Whether grades are relevant: `rel` or more (None: above 0)."""
    out: Array = grade > 0 if rel is None else grade >= rel
    return out


class Judged(Protocol):
    """All judged items of some queries in some worlds.

    Results are remembered: all systems ask for the same ones.
    """

    @property
    def levels(self) -> Levels:
        """Number of items by grade."""

    @property
    def grades(self) -> Array:
        """Grades that items may have, in any order."""

    @property
    def most(self) -> int:
        """Largest number of judged items of a query."""

    def n_relevant(self, rel: float | None) -> Array:
        """Number of items with a grade of `rel` or more (None: above 0): (worlds, queries)."""

    def n_where(self, which: Callable[[Array], Bools]) -> Array:
        """Number of items with a grade for which `which` is true: (worlds, queries)."""

    def best_gain(self, name: Hashable, gains: Gains, cumulative: Array) -> Array:
        """Discounted gain of the best order of all items: (worlds, queries).

        Parameters
        ----------
        name : hashable
            Tells gains and discounts apart.
        gains : callable
            Gain of each grade, 0 or more, the same order as the grades.
        cumulative : (ranks + 1,) float
            Sum of the discounts of the first 0, 1, 2, ... ranks; constant after the end.
        """


@dataclass(frozen=True, slots=True, eq=False)
class Levels:
    """How many judged items of each query have each grade, retrieved or not.

    Parameters
    ----------
    offsets : (queries + 1,) int
    grade : (levels,) float
        Distinct grades of each query, descending.
    count : (worlds, levels) int
    """

    offsets: Array
    grade: Array
    count: Array
    _known: Memo = field(default_factory=Memo, init=False, repr=False)

    @property
    def levels(self) -> Levels:
        """Number of items by grade: these."""
        return self

    @property
    def grades(self) -> Array:
        """Grades that items may have."""
        return self.grade

    @property
    def most(self) -> int:
        """Largest number of judged items of a query."""
        return int(segment_sum(self.count, self.offsets).max(initial=0))

    def n_relevant(self, rel: float | None) -> Array:
        """Number of items with a grade of `rel` or more (None: above 0): (worlds, queries)."""
        return self._known.once(("relevant", rel), lambda: self.n_where(lambda g: reaches(g, rel)))

    def n_where(self, which: Callable[[Array], Bools]) -> Array:
        """Number of items with a grade for which `which` is true: (worlds, queries)."""
        return segment_sum(self.count * which(self.grade), self.offsets)

    def best_gain(self, name: Hashable, gains: Gains, cumulative: Array) -> Array:
        """Discounted gain of the best order of all items; see `Judged`."""

        def compute() -> Array:
            end = len(cumulative) - 1
            to = segment_cumsum(self.count, self.offsets)
            weight = cumulative[np.minimum(to, end)]
            weight -= cumulative[np.minimum(to - self.count, end)]
            return segment_sum_in_order(gains(self.grade) * weight, self.offsets)

        return self._known.once(("gain", name), compute)
