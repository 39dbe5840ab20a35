"""Families of measures: of a formula, from which scores, expectations and bounds follow."""

from __future__ import annotations

import dataclasses
from abc import abstractmethod
from typing import Any, ClassVar

import numpy as np

from fuzzytruth._typing import Array
from fuzzytruth.core.arithmetic import divide, sum_in_order
from fuzzytruth.core.lists.measure_bounds import class_depth_bounds
from fuzzytruth.measures import exact
from fuzzytruth.measures.measure import Measure
from fuzzytruth.truth.batch import Batch
from fuzzytruth.truth.inputs import ItemProbabilities, UnjudgedItems


@dataclasses.dataclass(frozen=True, repr=False, kw_only=True)
class OfRelevant(Measure):
    """Base class of measures of the items with a grade of `rel` or more, the relevant ones."""

    rel: float = 1
    needs_relevant = True
    expects_ties = True


class OfCounts(Measure):
    """Base class of formulas of the numbers of relevant items in the list and elsewhere.

    The formula is monotone in each number. While their sum stays, it is linear in that of the list,
    so that it holds for expected numbers over the orders of ties. With `linear`, it is linear in
    both.
    """

    rel: float
    needs_relevant = True
    expects_ties = True
    exact_for_ties = True
    #: whether the formula depends on relevant items that are not in the list
    counts_missed: ClassVar[bool] = True

    @abstractmethod
    def of(self, h: Any, m: Any, n: Any) -> Any:
        """Value of a list of `n` items (at the cut-off), `h` of them relevant, and `m` others."""

    def value(self, h: Any, m: Any, n: Any) -> Array:
        """The same of arrays that broadcast."""
        return np.asarray(self.of(h, m, n), dtype=np.float64)

    def score(self, batch: Batch) -> Array:
        h = batch.hits(self.k, self.rel)
        m = batch.n_relevant(self.rel) - h if self.counts_missed else 0
        return self.value(h, m, batch.listed(self.k))

    def moments(self, probabilities: ItemProbabilities) -> tuple[Array, Array | None] | None:
        if not self.linear:
            return exact.count_moments(probabilities, self.rel, self.k, self.of)
        n, given = exact.listed(probabilities, self.k), (probabilities, self.rel, self.k)
        h, variance = exact.hit_moments(*given)
        m, missed_variance = exact.missed_moments(*given) if self.counts_missed else (0.0, 0.0)
        none = self.of(0, 0, n)
        slopes = self.of(1, 0, n) - none, self.of(0, 1, n) - none
        shared = 2 * slopes[0] * slopes[1] * exact.tie_covariance(*given)
        spread = slopes[0] ** 2 * variance + slopes[1] ** 2 * missed_variance + shared
        return self.value(h, m, n), np.maximum(spread, 0.0)

    def defined_moments(self, probabilities: ItemProbabilities) -> tuple[Array, Array] | None:
        if self.linear or not self.needs_relevant:
            return None
        return exact.count_moments(probabilities, self.rel, self.k, self.of, some=True)

    def exact_distribution(self, probabilities: ItemProbabilities) -> exact.Atoms | None:
        if self.counts_missed:
            return exact.count_distribution(probabilities, self.rel, self.k, self.of)
        atoms = exact.hit_atoms(probabilities, self.rel, self.k)
        if atoms is None:
            return None
        return self.value(atoms[0], 0, exact.listed(probabilities, self.k)), atoms[1]

    def bounds(self, lists: UnjudgedItems) -> tuple[Array, Array]:
        inside = lists.within(self.k)
        h = inside.relevant(self.rel).sum(axis=-1)
        m = lists.n_relevant(self.rel) - h
        ends = [
            self.value(more, missed, inside.length)
            for more in (h, h + inside.n_open)
            for missed in (m, m + inside.outside)
        ]
        return np.minimum.reduce(ends), np.maximum.reduce(ends)


class RankWeighted(Measure):
    """Base class of sums, over the hits, of the worth of a grade times a weight of the rank."""

    linear = True
    expects_ties = True
    exact_for_ties = True

    @abstractmethod
    def worth(self, grade: Array, top_grade: float) -> Array:
        """Of each grade, `top_grade` being the largest of the scale; 0 of a missing one (NaN)."""

    @abstractmethod
    def weight(self, rank: Array) -> Array:
        """Of each rank."""

    @abstractmethod
    def weight_up_to(self, rank: Array) -> Array:
        """Sum of the weights up to each rank, but for a constant."""

    def worth_of_unjudged(self, top_grade: float) -> tuple[Any, Any]:
        """Least and largest worth of an item that nobody judged."""
        return 0.0, self.worth(np.asarray(top_grade), top_grade)

    def list_sum(self, batch: Batch) -> Array:
        """(Expected) sum over the hits of the list: (worlds, queries)."""
        top = batch.top(self.k)
        worth = top.values_of(lambda grade: self.worth(grade, batch.top_grade))
        if not top.tied:
            return top.weighted(worth, self.weight(top.first))
        return top.weighted(worth, self._of_ties(top.first, top.last))

    def _of_ties(self, first: Array, last: Array) -> Array:
        """Mean weight of the ranks from `first` to `last`, 0 beyond the cut-off: (hits,)."""
        end = last if self.k is None else np.minimum(last, self.k)
        before = np.minimum(first - 1, end)
        sums = self.weight_up_to(end) - self.weight_up_to(before)
        return np.asarray(sums / (last - first + 1))

    def mean_weight(self, probabilities: ItemProbabilities) -> Array:
        """Mean weight over the ranks that each hit may have, 0 beyond the cut-off: (hits,)."""
        first, last = probabilities.rank, probabilities.last
        weight = self.weight(first) * exact.inside(probabilities, self.k)
        return (
            weight if last is None else np.where(first < last, self._of_ties(first, last), weight)
        )

    def sum_moments(self, probabilities: ItemProbabilities) -> tuple[Array, Array]:
        """Mean and variance of that sum: (..., queries) both."""
        weight, top_grade = self.mean_weight(probabilities), probabilities.top_grade
        return exact.linear_moments(probabilities, lambda g: self.worth(g, top_grade), weight)

    def score(self, batch: Batch) -> Array:
        return self.list_sum(batch)

    def moments(self, probabilities: ItemProbabilities) -> tuple[Array, Array | None] | None:
        return self.sum_moments(probabilities)

    def bounds(self, lists: UnjudgedItems) -> tuple[Array, Array] | None:
        inside, top_grade = lists.within(self.k), lists.top_grade
        weight = self.weight(np.arange(1, inside.gain.shape[-1] + 1))
        worth = np.where(np.isnan(inside.gain), 0.0, self.worth(inside.gain, top_grade))
        known, unjudged = sum_in_order(worth * weight), sum_in_order(inside.unjudged * weight)
        least, most = self.worth_of_unjudged(top_grade)
        return known + least * unjudged, known + most * unjudged


class AtClassSize(OfRelevant):
    """Base class of shares of relevant items within a depth that goes with their number."""

    cutoff_use = "none"

    @property
    @abstractmethod
    def per_item(self) -> float:
        """Number of ranks for each relevant item, of which the depth has as many or more."""

    @abstractmethod
    def depth_of(self, relevant: Array) -> Array:
        """Depth for each number of relevant items."""

    @abstractmethod
    def norm_of(self, relevant: Array | int, length: Array) -> Array:
        """Denominator from the number of relevant items and the list's length."""

    def score(self, batch: Batch) -> Array:
        relevant = batch.n_relevant(self.rel)  # (worlds, queries)
        hits = batch.hits(self.depth_of(relevant), self.rel)
        return divide(hits, self.norm_of(relevant, batch.length))

    def moments(self, probabilities: ItemProbabilities) -> tuple[Array, None] | None:
        mean = exact.mean_over_class_size(probabilities, self.rel, self.depth_of, self.norm_of)
        return None if mean is None else (mean, None)

    def exact_distribution(self, probabilities: ItemProbabilities) -> exact.Atoms | None:
        return exact.class_size_distribution(probabilities, self.rel, self.depth_of, self.norm_of)

    def bounds(self, lists: UnjudgedItems) -> tuple[Array, Array]:
        depth, norm = self.depth_of, self.norm_of
        return class_depth_bounds(lists.binary(self.rel), depth, norm, self.per_item)
