"""What a measure is given: ranks and gains of the retrieved judged items, for many queries at once.

Arrays over the retrieved judged items ("hits") carry a leading axis of worlds (crisp truths); lists
are the same in all of them. How the hits of all queries lie in these arrays is the batch's
`layout`: the methods know it, and a measure that uses nothing else works with any layout.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from fuzzytruth._typing import Array, Bools, Floats, Ints
from fuzzytruth.core.arithmetic import segment_cumsum, segment_of, segment_sum, segment_sum_in_order
from fuzzytruth.core.layouts import Diagonals, EndToEnd, Layout
from fuzzytruth.core.lazy import Memo
from fuzzytruth.core.order import tie_bounds
from fuzzytruth.truth.intents import Intents

if TYPE_CHECKING:
    from fuzzytruth.truth.pairs.outcomes import DrawnPairs


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """Some hits of a batch: how they lie, which they are, and parts of them."""

    layout: Layout
    index: Ints
    first: Array
    last: Array
    largest_code: Array | None
    parts: dict[Hashable, _Part] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """One system's answers to a set of queries, under one or more crisp truths.

    Parameters
    ----------
    length : (queries,) int
        Number of retrieved items, judged or not.
    layout : Layout
        How hits lie in the arrays below: best rank first within a query.
    first, last : (hits,) int
        Ranks from 1 over which a hit is tied; equal where ties are resolved.
    code : (worlds, hits)
        Grade of each hit in each world, NaN where the world has none (counts as not relevant);
        or its place in `scale`.
    judged : Judged
        All judged items by grade.
    top_grade : float
        The largest grade of the scale.
    scale : (grades,) float or None
        Distinct grades, ascending; None: `code` holds the grades themselves.
    largest_code : (hits,) or None
        The largest code that a hit may have in any world; None: not known.
    parts : dict
        Hits that were kept before, under the same lists: see `top` and `able`.
    intents : Intents or None
        The same lists by intent of the query; None: the truth has no intents.
    resolved : Batch or None
        The same lists laid out as those without ties are, each hit with its first rank, for the
        queries that have none; None: as here.
    tied : bool
        Whether hits may share their ranks with other items: `last` is not `first` itself
        (derived). A part of tied lists is tied, whichever hits it has.
    """

    length: Array
    layout: Layout
    first: Array
    last: Array
    code: Array
    judged: Judged
    top_grade: float = 1.0
    scale: Floats | None = None
    largest_code: Array | None = None
    parts: dict[Hashable, _Part] = field(default_factory=dict, repr=False)
    intents: Intents | None = None
    resolved: Batch | None = None
    tied: bool = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "tied", self.first is not self.last)
        if isinstance(self.layout, EndToEnd):
            # Kernels go along the hits of a world; indexing columns gives the other order.
            object.__setattr__(self, "code", np.ascontiguousarray(self.code))

    @property
    def n_worlds(self) -> int:
        """Number of crisp truths."""
        return int(self.code.shape[0])

    @property
    def n_queries(self) -> int:
        """Number of queries."""
        return len(self.length)

    @property
    def offsets(self) -> Array:
        """Where each query's hits start, these lying end to end: (queries + 1,) int."""
        assert isinstance(self.layout, EndToEnd)
        return self.layout.offsets

    @property
    def gain(self) -> Array:
        """Grade of each hit in each world: (worlds, hits) float."""
        # Never small unsigned codes, which a kernel's arithmetic would overflow.
        return self.values_of(lambda grade: grade).astype(np.float64, copy=False)

    def values_of(self, value: Callable[[Array], Array]) -> Array:
        """A function of the grade of each hit: (worlds, hits)."""
        if self.scale is None:
            return value(self.code)
        table = value(self.scale)
        if np.array_equal(table, np.arange(len(table))):
            return self.code
        return np.take(table, self.code.T).T

    @property
    def levels(self) -> Levels:
        """How many judged items of each query have each grade."""
        return self.judged.levels

    @property
    def open(self) -> Bools:
        """Queries with a hit that shares its rank with other items: (queries,)."""
        if not self.tied:
            return np.zeros(self.n_queries, dtype=bool)
        shared = (self.first != self.last)[None, :]
        return np.asarray(self.layout.sum(shared)[0] > 0)

    def without_ties(self) -> Batch:
        """The same with the first rank of each hit."""
        return self.resolved or replace(self, last=self.first, parts={})

    def end_to_end(self) -> Batch:
        """The same with the hits of all queries end to end."""
        if not isinstance(self.layout, Diagonals):
            return self
        place = self.layout.place
        first = self.first[place]
        return replace(
            self,
            layout=EndToEnd(self.layout.offsets),
            first=first,
            last=self.last[place] if self.tied else first,
            code=self.gain[:, place],
            scale=None,
            largest_code=None,
            parts={},
        )

    def top(self, cutoff: int | None) -> Batch:
        """The same lists with only the hits that may lie within the first `cutoff` ranks."""
        return self if cutoff is None else self._kept(("top", cutoff), lambda: self.first <= cutoff)

    def able(self, rel: float) -> Batch:
        """The same lists with only the hits that have a grade of `rel` or more in some world.

        All hits, where that is not known.
        """
        largest = self.largest_code
        if largest is None:
            return self
        least = self._least_code(rel)
        return self._kept(("able", least), lambda: largest >= least)

    def among_hits(self) -> Batch:
        """The same hits, ranked among themselves: lists without the items that nobody judged."""
        name = "among hits"
        if name not in self.parts:
            self.parts[name] = self._renumbered()
        part = self.parts[name]
        return replace(
            self,
            length=self.layout.sizes,
            first=part.first,
            last=part.last,
            parts=part.parts,
            resolved=None,
        )

    def _renumbered(self) -> _Part:
        every = np.ones((1, len(self.first)), dtype=bool)
        place = self.layout.running(every)[0].astype(np.int64)
        first = last = place
        index = np.arange(len(first))
        if self.tied:  # hits lie end to end, and those of a tie share their first rank
            start, end = tie_bounds(segment_of(self.offsets), self.first, index)
            first, last = place[start], place[end]
        return _Part(self.layout, index, first, last, self.largest_code)

    def _kept(self, name: Hashable, which: Callable[[], Bools]) -> Batch:
        """Some hits only; `name` tells them apart from others of the same lists."""
        if name not in self.parts:
            self.parts[name] = self._part(which())
        part = self.parts[name]
        if part.layout is self.layout:
            return self
        return replace(
            self,
            layout=part.layout,
            first=part.first,
            last=part.last,
            code=part.layout.taken(self.code, part.index),
            largest_code=part.largest_code,
            parts=part.parts,
            resolved=None,
        )

    def _part(self, which: Bools) -> _Part:
        if which.all():
            return _Part(self.layout, np.arange(len(which)), self.first, self.last, None)
        layout, index = self.layout.kept(which)
        first = self.first[index]
        last = self.last[index] if self.tied else first
        largest = None if self.largest_code is None else self.largest_code[index]
        return _Part(layout, index, first, last, largest)

    def _least_code(self, rel: float) -> Any:
        """The smallest code whose grade is `rel` or more."""
        return rel if self.scale is None else int(np.searchsorted(self.scale, rel))

    def per_query(self, values: Array) -> Array:
        """Sum over the hits of each query: (worlds, hits) → (worlds, queries)."""
        return self.layout.sum(values)

    def weighted(self, values: Array, weight: Array) -> Array:
        """Sum over the hits of each query of values (worlds, hits) times `weight` (hits,)."""
        return self.layout.weighted(values, weight)

    def largest(self, values: Array) -> Array:
        """Largest value of each query's hits, 0 without any: (worlds, queries)."""
        return self.layout.largest(values)

    def running(self, counts: Array) -> Array:
        """Running sum over the hits of each query, from the best rank on (whole numbers)."""
        return self.layout.running(counts)

    def accumulated(self, values: Array) -> Array:
        """Running sum over the hits of each query, from the best rank on: (worlds, hits) float."""
        return self.layout.accumulated(values)

    def product_before(self, values: Array) -> Array:
        """Product of the values of the better hits of the query; 1 for the best one."""
        return self.layout.product_before(values)

    def sum_of_precisions(self, relevant: Bools) -> Array:
        """Sum of the precision at the ranks of the relevant hits: (worlds, queries)."""
        return self.layout.sum_of_ratios(relevant, self.first.astype(np.float64))

    def per_hit(self, values: Any) -> Array:
        """Give each hit its query's value: (..., queries) → (..., hits); a scalar stays one."""
        array: Array = np.asarray(values)
        return array if array.ndim == 0 else self.layout.repeated(array)

    def relevant(self, rel: float) -> Bools:
        """Which hits have a grade of `rel` or more, in each world: (worlds, hits)."""
        least = self._least_code(rel)
        if self.scale is not None and len(self.scale) == 2 and least == 1:
            return self.code.view(np.bool_)  # the codes are 0 and 1
        return np.asarray(self.code >= least)

    def n_relevant(self, rel: float | None) -> Array:
        """Number of judged items with a grade of `rel` or more (None: above 0).

        (worlds, queries) int.
        """
        return self.judged.n_relevant(rel)

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
        return np.asarray(np.clip(np.floor(limit) - self.first + 1, 0, width) / width)

    def hits(self, cutoff: Any, rel: float) -> Array:
        """(Expected) number of relevant items within the first `cutoff` ranks."""
        if cutoff is None:
            return self.per_query(self.relevant(rel))
        if np.ndim(cutoff):
            relevant = self.relevant(rel)
            if self.tied:
                return self.per_query(relevant * self.inside(cutoff))
            return self.per_query(relevant & (self.first <= self.per_hit(cutoff)))
        top = self.top(int(cutoff))
        relevant = top.relevant(rel)
        return top.per_query(relevant * top.inside(cutoff) if top.tied else relevant)

    def listed(self, cutoff: int | None) -> Array:
        """Number of items among the first `cutoff`, fewer where a list is shorter: (queries,)."""
        return self.length if cutoff is None else np.minimum(self.length, cutoff)

    def depth(self, cutoff: int | None) -> int:
        """How many ranks matter: the longest list, ranking or pool, up to `cutoff`."""
        longest = max(int(self.length.max(initial=0)), self.judged.most)
        return longest if cutoff is None else min(longest, cutoff)


def ranks(first: Array, last: Array) -> tuple[Array, Array]:
    """First and last ranks for a `Batch`: one array if no hit shares its rank."""
    return (first, first) if np.array_equal(first, last) else (first, last)


# All judged items of some queries, retrieved or not, by grade: the same for every system.


#: gains of grades, for measures of gain
Gains = Callable[[Array], Array]


def reaches(grade: Array, rel: float | None) -> Array:
    """Whether grades are relevant: `rel` or more (None: above 0)."""
    return grade > 0 if rel is None else grade >= rel


#: all judged items of some queries in some worlds; results are remembered, for all systems ask
#: for the same ones
Judged: TypeAlias = "Levels | DrawnPairs"


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

        def compute() -> Array:
            end = len(cumulative) - 1
            to = segment_cumsum(self.count, self.offsets)
            weight = cumulative[np.minimum(to, end)]
            weight -= cumulative[np.minimum(to - self.count, end)]
            return segment_sum_in_order(gains(self.grade) * weight, self.offsets)

        return self._known.once(("gain", name), compute)
