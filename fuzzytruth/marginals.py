"""What exact paths are given: how probable each grade of each judged item is, items independent.

Beside a `Batch`, which holds drawn truths, this holds the chances they are drawn with. Hits are
laid out as in a batch; the judged items that the system did not retrieve follow the same pattern.
Chances may carry leading axes (resamples of the subjects); the items are the last axis.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from fuzzytruth.batch import Array
from fuzzytruth.core.segments import offsets_of


@dataclass(frozen=True, slots=True, eq=False)
class Options:
    """Grades that some items may have, and the chance of each.

    Parameters
    ----------
    offsets : (queries + 1,) int
        Where each query's items start.
    grade : (options, items) float
        Possible grades of each item; NaN for an option the item does not have.
    chance : (..., options, items) float
        Sums to 1 over the options; 0 where the grade is NaN.
    """

    offsets: Array
    grade: Array
    chance: Array

    def at_least(self, rel: float) -> Array:
        """Probability of a grade of `rel` or more: (..., items)."""
        return self.sum_over(lambda grade: grade >= rel)

    def sum_over(self, value: Callable[[Array], Array]) -> Array:
        """Expected `value` of each item's grade: (..., items)."""
        out: Array = (self.chance * np.nan_to_num(value(self.grade))).sum(axis=-2)
        return out

    def moments(self, value: Callable[[Array], Array]) -> tuple[Array, Array]:
        """Mean and variance of `value` of each item's grade: (..., items) both."""
        mean = self.sum_over(value)
        centred = (np.nan_to_num(value(self.grade)) - mean[..., None, :]) ** 2
        return mean, (self.chance * centred).sum(axis=-2)

    def of_query(self, query: int) -> Options:
        """The items of one query only."""
        part = slice(self.offsets[query], self.offsets[query + 1])
        size = self.offsets[query + 1] - self.offsets[query]
        return Options(offsets_of(np.array([size])), self.grade[:, part], self.chance[..., part])


@dataclass(frozen=True, slots=True, eq=False)
class Marginals:
    """One system's lists under an uncertain truth whose items are independent.

    Parameters
    ----------
    length : (queries,) int
        Number of retrieved items, judged or not.
    rank : (hits,) int
        Rank of each retrieved judged item, ascending within a query; ties are resolved.
    hits, rest : Options
        The judged items that are retrieved, and those that are not.
    entry : (hits,) int
        Which item of the truth each hit is; the same number for all systems.
    top_grade : float
        The largest grade of the scale.
    """

    length: Array
    rank: Array
    hits: Options
    rest: Options
    entry: Array
    top_grade: float = 1.0

    @property
    def n_queries(self) -> int:
        """Number of queries."""
        return len(self.length)

    def of_query(self, query: int) -> Marginals:
        """One query only."""
        part = slice(self.hits.offsets[query], self.hits.offsets[query + 1])
        return Marginals(
            self.length[query : query + 1],
            self.rank[part],
            self.hits.of_query(query),
            self.rest.of_query(query),
            self.entry[part],
            self.top_grade,
        )
