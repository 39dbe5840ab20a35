"""Input of exact moments and distributions: probabilities of the grades of independent items.

A `Batch` holds drawn truths, this the probabilities they are drawn with. Hits are laid out as in a
batch; the judged items that the system did not retrieve follow the same pattern. Probabilities may
carry leading axes (resamples of the subjects); the items are the last axis.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from fuzzytruth._typing import Array, Bools, Ints
from fuzzytruth.core.lists.relevant_counts import none_and_some
from fuzzytruth.core.segments import offsets_of, ragged, segment_of, segment_sum
from fuzzytruth.truth.batch import reaches

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
        out: Bools = segment_sum(self.rank != self.last, self.hits.offsets) == 0
        return out

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
        out: Bools = np.bincount(owner, minlength=self.n_queries) == 0
        return out

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
        entry = self.entry[kept]
        return replace(self, length=size, rank=rank, hits=hits, entry=entry, last=None)

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
