"""What a measure is given: ranks and gains of the retrieved judged items, for many queries at once.

Arrays over the retrieved judged items ("hits") are ragged: the hits of all queries lie end to end,
those of query j at ``offsets[j]:offsets[j + 1]``, best rank first. Gains carry a leading axis of
worlds (crisp truths); lists are the same in all of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from fuzzytruth._typing import Array
from fuzzytruth.core.segments import offsets_of, segment_cumsum, segment_sum


def reaches(grade: Array, rel: float | None) -> Array:
    """Whether grades are relevant: `rel` or more (None: above 0)."""
    out: Array = grade > 0 if rel is None else grade >= rel
    return out


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


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """One system's answers to a set of queries, under one or more crisp truths.

    Parameters
    ----------
    length : (queries,) int
        Number of retrieved items, judged or not.
    offsets : (queries + 1,) int
        Where each query's hits start.
    first, last : (hits,) int
        Ranks from 1 over which a hit is tied; equal where ties are resolved.
    gain : (worlds, hits) float
        Grade of each hit in each world; NaN where the world has none (counts as not relevant).
    levels : Levels
        All judged items by grade.
    top_grade : float
        The largest grade of the scale.
    tied : bool
        Whether some hits share their ranks with other items (derived).
    """

    length: Array
    offsets: Array
    first: Array
    last: Array
    gain: Array
    levels: Levels
    top_grade: float = 1.0
    tied: bool = field(init=False)

    def __post_init__(self) -> None:
        tied = self.first is not self.last and bool((self.first != self.last).any())
        object.__setattr__(self, "tied", tied)
        if not tied:
            object.__setattr__(self, "last", self.first)
        # Kernels go along the hits of a world; indexing columns gives the other order.
        object.__setattr__(self, "gain", np.ascontiguousarray(self.gain))

    @property
    def n_worlds(self) -> int:
        """Number of crisp truths."""
        return int(self.gain.shape[0])

    @property
    def n_queries(self) -> int:
        """Number of queries."""
        return len(self.offsets) - 1

    def top(self, cutoff: int | None) -> Batch:
        """The same lists with only the hits that may lie within the first `cutoff` ranks."""
        if cutoff is None:
            return self
        within = self.first <= cutoff
        keep = np.flatnonzero(within)
        if len(keep) == len(within):
            return self
        first = self.first[keep]
        return Batch(
            self.length,
            offsets_of(self.per_query(within)),
            first,
            self.last[keep] if self.tied else first,
            np.take(self.gain, keep, axis=1),
            self.levels,
            self.top_grade,
        )

    def per_query(self, values: Array) -> Array:
        """Sum over the hits of each query: (..., hits) → (..., queries)."""
        return segment_sum(values, self.offsets)

    def running(self, counts: Array) -> Array:
        """Running sum over the hits of each query, from the best rank on (whole numbers)."""
        return segment_cumsum(counts, self.offsets)

    def per_hit(self, values: Any) -> Array:
        """Give each hit its query's value: (..., queries) → (..., hits); a scalar stays one."""
        array: Array = np.asarray(values)
        if array.ndim == 0:
            return array
        return np.repeat(array, np.diff(self.offsets), axis=-1)

    def relevant(self, rel: float) -> Array:
        """Which hits have a grade of `rel` or more, in each world: (worlds, hits) bool."""
        return self.gain >= rel

    def n_relevant(self, rel: float | None) -> Array:
        """Number of judged items with a grade of `rel` or more (None: above 0).

        (worlds, queries) int.
        """
        return self.n_graded(reaches(self.levels.grade, rel))

    def n_graded(self, which: Array) -> Array:
        """Number of judged items whose level is among `which` (levels,) bool."""
        return segment_sum(self.levels.count * which, self.levels.offsets)

    def inside(self, cutoff: Any) -> Array:
        """Share of each hit that lies within the first `cutoff` ranks.

        0 or 1 for a resolved rank; for a tied one, the share of its ranks that are in.

        Parameters
        ----------
        cutoff : number, (queries,) or (worlds, queries), or None
            None: the whole list.
        """
        if cutoff is None:
            return np.ones(1)
        limit = self.per_hit(cutoff)
        if not self.tied:
            return (self.first <= limit).astype(np.float64)
        width = self.last - self.first + 1
        share: Array = np.clip(np.floor(limit) - self.first + 1, 0, width) / width
        return share

    def hits(self, cutoff: Any, rel: float) -> Array:
        """(Expected) number of relevant items within the first `cutoff` ranks."""
        if cutoff is None:
            return self.per_query(self.relevant(rel))
        if np.ndim(cutoff):
            return self.per_query(self.relevant(rel) * self.inside(cutoff))
        top = self.top(int(cutoff))
        relevant = top.relevant(rel)
        return top.per_query(relevant * top.inside(cutoff) if top.tied else relevant)

    def listed(self, cutoff: int | None) -> Array:
        """Number of items among the first `cutoff`, fewer where a list is shorter: (queries,)."""
        return self.length if cutoff is None else np.minimum(self.length, cutoff)

    def mean_weight(self, cumulative: Array) -> Array:
        """Mean weight of the ranks of each hit, given the sums of weights of the first ranks.

        Parameters
        ----------
        cumulative : (ranks + 1,) float
            Sum of the weights of the first 0, 1, 2, ... ranks; constant after the end.
        """
        end = len(cumulative) - 1
        total = cumulative[np.minimum(self.last, end)] - cumulative[np.minimum(self.first - 1, end)]
        mean: Array = total / (self.last - self.first + 1)
        return mean

    def depth(self, cutoff: int | None) -> int:
        """How many ranks matter: the longest list, ranking or pool, up to `cutoff`."""
        longest = max(
            int(self.length.max(initial=0)),
            int(segment_sum(self.levels.count, self.levels.offsets).max(initial=0)),
        )
        return longest if cutoff is None else min(longest, cutoff)
