"""Inputs of measures beside batches: lists with unjudged items, subjects' lists, probabilities.

How far a score could be off because items were never judged is the input of `Measure.bounds`.

The unjudged items are those that some run retrieved, or that the judgments list with a negative
grade, and that have no judgment. Each may have any grade of the scale, from 0 to the top one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from fuzzytruth._lazy import pa
from fuzzytruth._typing import Array, Bools, Floats, Ints
from fuzzytruth.core import arithmetic
from fuzzytruth.core.arithmetic import offsets_of, ragged, segment_of, segment_sum
from fuzzytruth.core.cells import Cells
from fuzzytruth.core.layouts import EndToEnd
from fuzzytruth.core.lists.measure_bounds import OpenLists
from fuzzytruth.core.lists.ranked_lists import RankedLists, tied_places
from fuzzytruth.core.lists.relevant_counts import none_and_some
from fuzzytruth.core.order import tie_bounds
from fuzzytruth.truth.batch import Batch, Levels, ranks, reaches


@dataclass(frozen=True, slots=True, eq=False)
class UnjudgedItems:
    """One system's lists with the places of the unjudged items, padded to one length.

    There is a list for each cell (a query and a subject who judged it), so that in the methods of
    this class there is one world, and each cell counts as a query.

    Parameters
    ----------
    gain : (1, cells, ranks) float
        Grade at each rank; NaN where the item is not judged, or past the end of the list.
    unjudged : (1, cells, ranks) bool
        Where there is an item without judgment.
    outside : (1, cells) int
        Unjudged items that are not in the list.
    length : (cells,) int
    grades : (1, items) float
        Of all judged items; NaN where not judged.
    offsets : (cells + 1,) int
        Where each cell's items start.
    top_grade : float
        The largest grade that an item may have: that of the judgments, or 1 if all are 0.
    """

    gain: Floats
    unjudged: Bools
    outside: Ints
    length: Ints
    grades: Floats
    offsets: Ints
    top_grade: float

    def relevant(self, rel: float) -> Bools:
        """Where a judged relevant item stands: (1, cells, ranks)."""
        return self.gain >= rel

    def n_relevant(self, rel: float) -> Ints:
        """Number of judged relevant items, retrieved or not: (1, cells)."""
        return arithmetic.segment_sum(self.grades >= rel, self.offsets)

    def binary(self, rel: float, cutoff: int | None = None) -> OpenLists:
        """Relevant, non-relevant and unjudged items of the lists, cut at a rank."""
        inside = self.within(cutoff)
        relevant = self.n_relevant(rel)[0]
        return OpenLists(
            inside.relevant(rel)[0],
            inside.unjudged[0],
            relevant,
            self.n_relevant(0)[0] - relevant,
            inside.outside[0],
            inside.length,
        )

    def as_nonrelevant(self) -> UnjudgedItems:
        """The same with grade 0 for every unjudged item."""
        n_items = np.diff(self.offsets)
        n_zero = (self.n_open + self.outside)[0]
        width = int((n_items + n_zero).max(initial=0))
        filled = arithmetic.padded(self.grades, self.offsets, width=width)[0]  # (cells, width)
        kept = np.arange(width) < (n_items + n_zero)[:, None]
        return replace(
            self,
            gain=np.where(self.unjudged, 0.0, self.gain),
            unjudged=np.zeros_like(self.unjudged),
            outside=np.zeros_like(self.outside),
            grades=filled[kept][None],
            offsets=arithmetic.offsets_of(n_items + n_zero),
        )

    @property
    def n_open(self) -> Ints:
        """Number of unjudged items in the list: (1, cells)."""
        return np.asarray(self.unjudged.sum(axis=-1))

    def within(self, cutoff: int | None) -> UnjudgedItems:
        """The lists cut at a rank; unjudged items beyond it are outside."""
        if cutoff is None or cutoff >= self.gain.shape[-1]:
            return self
        return replace(
            self,
            gain=self.gain[..., :cutoff],
            unjudged=self.unjudged[..., :cutoff],
            outside=self.outside + self.unjudged[..., cutoff:].sum(axis=-1),
            length=np.minimum(self.length, cutoff),
        )


# Lists without the items that a subject, or nobody, judged.


def without_missing(batch: Batch) -> Batch:
    """Lists from which each world's missing items (gain NaN) are taken out.

    Lists then differ between worlds, so that each (world, query) becomes a query of its own, in a
    batch of a single world.
    """
    batch = batch.end_to_end()
    return _without(np.isnan(batch.gain), batch)


def judged_only(batch: Batch) -> Batch:
    """Lists of which only items judged in each world are left: with a grade of 0 or more.

    Where all hits are judged in all worlds, these share their lists as before. Else each (world,
    query) becomes a query of its own, in a batch of a single world.
    """
    return among_hits(batch) if all_judged(batch).all() else hits_judged(batch)


def all_judged(batch: Batch) -> Bools:
    """Whether all hits of a query are judged in a world: (worlds, queries)."""
    if batch.scale is not None and bool((batch.scale >= 0).all()):
        return np.ones((batch.n_worlds, batch.n_queries), dtype=bool)
    # NaN is no grade
    is_judged = batch.code >= 0 if batch.scale is None else batch.values_of(lambda g: g >= 0)
    return np.asarray(batch.per_query(~is_judged.astype(bool)) == 0)


def among_hits(batch: Batch) -> Batch:
    """Lists without the items that nobody judged."""
    among = batch.among_hits()
    return _with_ranks(among, batch, among.first)


def hits_judged(batch: Batch) -> Batch:
    """Lists of the items judged in each world; each (world, query) is a query of its own."""
    batch, among = batch.end_to_end(), batch.among_hits().end_to_end()
    missing = ~(among.gain >= 0)
    above, _ = _count_in_order(missing, among)
    return _with_ranks(_without(missing, among), batch, among.first - above)


def _with_ranks(lists: Batch, batch: Batch, rank: Ints) -> Batch:
    """Lists with the intents of a batch whose hits now have these ranks."""
    if batch.intents is None:
        return lists
    query = batch.per_hit(np.arange(batch.n_queries))
    return replace(lists, intents=batch.intents.reranked(query, batch.first, rank))


def _without(missing: Bools, batch: Batch) -> Batch:
    """Lists without the hits marked (worlds, hits)."""
    above, up_to = _count_in_order(missing, batch)
    judged = ~missing
    world, hit = np.nonzero(judged)
    query = arithmetic.segment_of(batch.offsets)[hit]
    n_worlds, n_queries = batch.n_worlds, batch.n_queries
    own = world * n_queries + query
    length = batch.length - arithmetic.segment_sum(missing, batch.offsets)
    levels = batch.levels
    return Batch(
        length.ravel(),
        EndToEnd(arithmetic.offsets_of(np.bincount(own, minlength=n_worlds * n_queries))),
        *ranks(batch.first[hit] - above[judged], batch.last[hit] - up_to[judged]),
        batch.gain[judged][None, :],
        Levels(
            arithmetic.offsets_of(np.tile(np.diff(levels.offsets), n_worlds)),
            np.tile(levels.grade, n_worlds),
            levels.count.reshape(1, -1),
        ),
        batch.top_grade,
    )


def _count_in_order(marked: Bools, batch: Batch) -> tuple[Ints, Ints]:
    """Marked hits on better ranks than each hit, and marked hits up to the end of its tie.

    Both (worlds, hits).
    """
    running = arithmetic.segment_cumsum(marked, batch.offsets)
    # tied hits share `first` within a query
    every = np.arange(len(batch.first))
    start, end = tie_bounds(arithmetic.segment_of(batch.offsets), batch.first, every)
    return running[:, start] - marked[:, start], running[:, end]


# Lists with tied items ordered by grade: best first, and best last.


@dataclass(frozen=True, slots=True, eq=False)
class TiedLists:
    """One system's lists by one truth, whose ties are resolved.

    Parameters
    ----------
    batch : Batch
        Of one world, its hits end to end.
    low, high : (hits,) int
        First and last rank of each hit's tie.
    """

    batch: Batch
    low: Ints
    high: Ints

    def changing(self) -> Ints:
        """Queries with a tie of items of different grades, or of judged and unjudged ones."""
        hit = np.flatnonzero(self.low != self.high)
        query = arithmetic.segment_of(self.batch.offsets)[hit]
        start = np.flatnonzero(_new(query, self.low[hit]))
        if not len(start):
            return start
        size = np.diff(start, append=len(hit))
        gain = self.batch.gain[0, hit]
        grade = np.where(np.isnan(gain), -np.inf, gain)  # unknown ones are worst
        differ = np.minimum.reduceat(grade, start) < np.maximum.reduceat(grade, start)
        differ |= size <= (self.high - self.low)[hit[start]]
        return np.flatnonzero(np.bincount(query[start[differ]]))


def _new(query: Ints, low: Ints) -> Bools:
    """Which hits begin a tie, or are not tied."""
    new = np.ones(len(low), dtype=bool)
    new[1:] = (low[1:] != low[:-1]) | (query[1:] != query[:-1])
    return new


def _by_grade(tie: Ints, gain: Floats) -> Ints:
    """Hits by tie, then best first; grades as good as equal in any order."""
    least, most = np.nanmin(gain), np.nanmax(gain)
    grade = np.where(np.isnan(gain), least - 1, gain)
    return np.argsort(tie * (most - least + 2) - grade, kind="stable")  # quick: nearly sorted


def both_orders(lists: Sequence[TiedLists], queries: Sequence[Ints]) -> Batch:
    """Some queries of each of several systems, ties best first, and then once more, best last.

    Items that nobody judged come behind all others, or before them.
    """
    parts: list[tuple[Ints | Floats, ...]] = []
    for one, some in zip(lists, queries, strict=True):
        owner, hit = arithmetic.ragged(one.batch.offsets, some)
        hits = np.bincount(owner, minlength=len(some))
        gain, length = one.batch.gain[0, hit], one.batch.length[some]
        parts.append((one.low[hit], one.high[hit], gain, hits, length, some))
    low, high, gain, hits, length, some = map(np.concatenate, zip(*parts, strict=True))
    query = arithmetic.segment_of(arithmetic.offsets_of(hits))
    start = np.flatnonzero(_new(query, low))
    size = np.diff(start, append=len(low))
    tie = np.repeat(np.arange(len(size)), size)
    place = np.arange(len(low)) - start[tie]
    best_first = _by_grade(tie, gain)
    best_last = best_first[(2 * start + size - 1)[tie] - np.arange(len(low))]
    rank = np.concatenate((low + place, high - size[tie] + 1 + place))
    levels = lists[0].batch.levels
    owner, level = arithmetic.ragged(levels.offsets, np.tile(some, 2))
    of_query = arithmetic.offsets_of(np.bincount(owner, minlength=2 * len(some)))
    return replace(
        lists[0].batch,
        length=np.tile(length, 2),
        layout=EndToEnd(arithmetic.offsets_of(np.tile(hits, 2))),
        first=rank,
        last=rank,
        code=gain[np.concatenate((best_first, best_last))][None, :],
        judged=Levels(of_query, levels.grade[level], levels.count[:, level]),
        scale=None,
        largest_code=None,
        parts={},
        intents=None,
        resolved=None,
    )


# Whole ranked lists of subjects, to be compared with a system's.
#
# Measures that compare lists (`Measure.compare_lists`) get these instead of a batch. An item that a
# subject did not list is no missing judgment.


@dataclass(frozen=True, slots=True, eq=False)
class SubjectLists:
    """One list for each cell, a query and a subject.

    Parameters
    ----------
    cells : Cells
    queries : tuple of str
    subjects : tuple of str or None
    item_ids : Arrow array of strings, (pairs,)
        Item of each judged pair.
    offsets : (cells + 1,) int
        Where each list's rows start.
    entry : (rows,) int
        Pair of each item, in the subject's order: by position, and by relevance where positions
        are equal or not given.
    relevance : (rows,) float
    position : (rows,) float or None
    """

    cells: Cells
    queries: tuple[str, ...]
    subjects: tuple[str, ...] | None
    item_ids: pa.LargeStringArray
    offsets: Ints
    entry: Ints
    relevance: Floats
    position: Floats | None = None

    def name(self, cell: int) -> str:
        """Query and subject of a list, for messages."""
        query = f"query {self.queries[self.cells.query[cell]]!r}"
        if self.subjects is None or self.cells.subject is None:
            return query
        return f"{query}, subject {self.subjects[self.cells.subject[cell]]!r}"

    def item(self, row: int) -> str:
        """Item of a row, for messages."""
        return str(self.item_ids[int(self.entry[row])].as_py())

    def by_position(self) -> tuple[RankedLists, Ints]:
        """The lists as the subjects order them, by position or else by grade, whatever the grades.

        Equal positions are ties, or equal grades where there are no positions.
        """
        key = self.relevance if self.position is None else self.position
        first, last = tied_places(self.offsets, key)
        return RankedLists(self.offsets, self.relevance, first, last), self.entry


@dataclass(frozen=True, slots=True, eq=False)
class AlignedLists:
    """The lists of all cells, and where one system ranks their items.

    Parameters
    ----------
    lists : SubjectLists
    rank_of : (pairs,) int
        Rank of each judged pair's item in the system's list for its query; 0 where it is not
        retrieved.
    length : (lists,) int
        Length of the system's list.
    """

    lists: SubjectLists
    rank_of: Ints
    length: Ints

    def within(self, cutoff: int | None) -> AlignedLists:
        """The system's lists cut at a rank."""
        if cutoff is None:
            return self
        rank_of = np.where(self.rank_of > cutoff, 0, self.rank_of)
        return replace(self, rank_of=rank_of, length=np.minimum(self.length, cutoff))


# Input of exact moments and distributions: probabilities of the grades of independent items.

_CERTAIN = 1e-12  # chances this close to 0 or 1 are those


@dataclass(frozen=True, slots=True, eq=False)
class GradeProbabilities:
    """Possible grades of some items, and the probability of each.

    Parameters
    ----------
    offsets : (queries + 1,) int
        Where each query's items start.
    grade : (grades, items) float
        Possible grades of each item; NaN fills up items that have fewer.
    probability : (..., grades, items) float
        Sums to 1 over the grades; 0 where the grade is NaN.
    count : (items,) or (..., items) float, or None
        How many items each one stands for, all with these probabilities; None: one.
    """

    offsets: Array
    grade: Array
    probability: Array
    count: Array | None = None
    _at_least: dict[float | None, Array] = field(default_factory=dict, init=False)

    @property
    def sizes(self) -> Array:
        """Number of items of each query: (queries,)."""
        if self.count is None:
            return np.diff(self.offsets)
        total = segment_sum(self.count, self.offsets)
        return np.asarray(total.reshape(-1, total.shape[-1])[0])

    def at_least(self, rel: float | None) -> Array:
        """Probability of a grade of `rel` or more (None: above 0): (..., items)."""
        if rel not in self._at_least:
            self._at_least[rel] = self._expected(reaches(self.grade, rel))
        return self._at_least[rel]

    def none_and_some(self, rel: float | None) -> tuple[Array, Array]:
        """Probability that no item has a grade of `rel`, and that some has: (..., queries) both."""
        return none_and_some(self.at_least(rel), self.offsets, self.count)

    def sum_over(self, value: Callable[[Array], Array]) -> Array:
        """Expected `value` of each item's grade: (..., items)."""
        return self._expected(np.nan_to_num(value(self.grade)))

    def _expected(self, values: Array) -> Array:
        """Expectation of values of the possible grades, (grades, items): (..., items)."""
        out = np.zeros((*self.probability.shape[:-2], self.probability.shape[-1]))
        for grade, each in enumerate(values):
            out += self.probability[..., grade, :] * each
        return out

    def moments(self, value: Callable[[Array], Array]) -> tuple[Array, Array]:
        """Mean and variance of `value` of each item's grade: (..., items) both."""
        mean = self.sum_over(value)
        centred = (np.nan_to_num(value(self.grade)) - mean[..., None, :]) ** 2
        return mean, (self.probability * centred).sum(axis=-2)

    def take(self, items: Array) -> GradeProbabilities:
        """Some items only, in the same order."""
        return self._some(np.searchsorted(items, self.offsets), items)

    def of_queries(self, queries: Ints) -> GradeProbabilities:
        """The items of some queries only, in this order."""
        owner, items = ragged(self.offsets, queries)
        return self._some(offsets_of(np.bincount(owner, minlength=len(queries))), items)

    def _some(self, offsets: Array, items: Array) -> GradeProbabilities:
        count = None if self.count is None else self.count[..., items]
        probability = self.probability[..., items]
        return GradeProbabilities(offsets, self.grade[:, items], probability, count)


@dataclass(frozen=True, slots=True, eq=False)
class ItemProbabilities:
    """One system's lists under an uncertain truth whose items are independent.

    Parameters
    ----------
    length : (queries,) int
        Number of retrieved items, judged or not.
    rank : (hits,) int
        Rank of each retrieved judged item, ascending within a query; of tied ones, the first.
    hits : GradeProbabilities
        The judged items that are retrieved.
    others : GradeProbabilities, or what makes them
        The judged items that are not; see `rest`.
    entry : (hits,) int
        Which item of the truth each hit is; the same number for all systems.
    top_grade : float
        The largest grade of the scale.
    countable : bool
        Whether there is room for the distribution of the number of relevant items, beside each
        hit. Not if the judged items are a large collection, in which `rest` has counts.
    last : (hits,) int or None
        Last rank that each hit may have, tied items being in any order; None: nothing is tied.
    means_only : bool
        Whether variances are not used, so that those that take long may be NaN.
    """

    length: Array
    rank: Array
    hits: GradeProbabilities
    others: GradeProbabilities | Callable[[], GradeProbabilities]
    entry: Array
    top_grade: float = 1.0
    countable: bool = True
    last: Array | None = None
    means_only: bool = False

    @property
    def ranked(self) -> Bools:
        """Whether each hit of a query has one rank: (queries,)."""
        if self.last is None:
            return np.ones(self.n_queries, dtype=bool)
        return np.asarray(segment_sum(self.rank != self.last, self.hits.offsets) == 0)

    @property
    def rest(self) -> GradeProbabilities:
        """The judged items that are not retrieved; made when first asked for."""
        if not isinstance(self.others, GradeProbabilities):
            object.__setattr__(self, "others", self.others())
        assert isinstance(self.others, GradeProbabilities)
        return self.others

    @property
    def n_queries(self) -> int:
        """Number of queries."""
        return len(self.length)

    def none_and_some(self, rel: float | None) -> tuple[Array, Array]:
        """Probability that no judged item has a grade of `rel`, and that some has.

        Returns
        -------
        none, some : (..., queries) float
            Each with full relative accuracy.
        """
        no_hit, hit = self.hits.none_and_some(rel)
        no_other, other = self.rest.none_and_some(rel)
        return no_hit * no_other, hit + no_hit * other

    @property
    def are_judged(self) -> Bools:
        """Whether each hit of a query is judged in all worlds, or in none: (queries,).

        A grade below 0 marks an item that is not judged.
        """
        always, never = self._judged
        open_hits = np.flatnonzero(~(always | never))
        owner = segment_of(self.hits.offsets)[open_hits]
        return np.asarray(np.bincount(owner, minlength=self.n_queries) == 0)

    @property
    def _judged(self) -> tuple[Bools, Bools]:
        """Which hits are judged in all worlds, and which in none.

        Where some votes say that a hit is judged, and some that it is not, it is neither, even if
        each subject's own vote decides: so it does not matter which subjects are looked at.
        """
        judged, grade = self.hits.at_least(0.0), self.hits.grade
        resamples = tuple(range(judged.ndim - 1))
        always = (judged > 1 - _CERTAIN).all(axis=resamples) & ~(grade < 0).any(axis=0)
        never = (judged < _CERTAIN).all(axis=resamples) & ~(grade >= 0).any(axis=0)
        return np.asarray(always), np.asarray(never)

    def judged_only(self) -> ItemProbabilities:
        """Lists of the hits that are judged, of queries that `are_judged` and `ranked`."""
        kept = self._judged[0]
        hits = self.hits.take(np.flatnonzero(kept))
        size = np.diff(hits.offsets)
        rank = np.arange(1, len(hits.grade.T) + 1) - np.repeat(hits.offsets[:-1], size)
        return replace(self, length=size, rank=rank, hits=hits, entry=self.entry[kept], last=None)

    def of_queries(self, queries: Ints) -> ItemProbabilities:
        """Some queries only, in this order."""
        _, hits = ragged(self.hits.offsets, queries)
        return replace(
            self,
            length=self.length[queries],
            rank=self.rank[hits],
            hits=self.hits.of_queries(queries),
            others=lambda: self.rest.of_queries(queries),
            entry=self.entry[hits],
            last=None if self.last is None else self.last[hits],
        )

    def of_query(self, query: int) -> ItemProbabilities:
        """One query only."""
        return self.of_queries(np.array([query]))
