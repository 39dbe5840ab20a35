"""Building blocks of exact moments and distributions, items being independent.

Each function takes one system's `ItemProbabilities`. Moments are for all queries, (..., queries),
with resamples as leading axes; distributions are for a single query without resamples. A query's
numbers have the same bits whatever queries are evaluated with it.

References
----------
Santini, Benchmarking without ground truth, section 4, for hits and precision; the rest follows from
the probability generating function of the number of relevant items.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Any

import numpy as np

from fuzzytruth._typing import Array
from fuzzytruth.core import arithmetic
from fuzzytruth.core.arithmetic import LONG, divide, offsets_of, segment_of, segment_sum
from fuzzytruth.core.lists import relevant_counts
from fuzzytruth.core.lists.poisson_binomial import pmf, weighted_counts
from fuzzytruth.core.lists.relevant_counts import none_and_some
from fuzzytruth.truth.inputs import ItemProbabilities

# The items of one system's lists side by side, as exact kernels take them.


_CELLS = 1 << 22  # numbers that kernels keep for lists side by side


@dataclass(frozen=True, slots=True, eq=False)
class Lists:
    """Items of some queries' lists in some resamples, each list a column.

    Parameters
    ----------
    query : (lists,) int
    length : (lists,) int
        Number of retrieved items.
    inside : (items, lists) float
        Probabilities of the items inside the cut-off.
    attached : (items, lists) float
        A number attached to each of them, such as its rank; 0 in the padding. No rows if nothing
        is attached.
    others : (items, lists) float
        Probabilities of all other judged items.
    count : (items, lists) float or None
        How many items each of these stands for.
    long : bool
        Whether it is a single list of very many items.
    """

    query: Array
    length: Array
    inside: Array
    attached: Array
    others: Array
    count: Array | None
    long: bool

    def part(self, some: slice) -> Lists:
        """Some of the lists."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        arrays = {name: x for name, x in values.items() if isinstance(x, np.ndarray)}
        cut: dict[str, Any] = {name: x[..., some] for name, x in arrays.items()}
        return replace(self, **cut)


@dataclass(frozen=True, slots=True, eq=False)
class SplitLists:
    """Items inside and outside a cut-off, ragged by query.

    Parameters
    ----------
    length : (queries,) int
    p : (..., items) float
        Probabilities of the items inside.
    attached : (items,) float or None
        A number attached to each of them.
    offsets : (queries + 1,) int
        Where each query's items inside start.
    others, others_offsets
        The same of all other judged items: first those that are not retrieved, then the hits
        beyond the cut-off, the deepest first.
    count : (..., other items) float or None
        How many items each of these stands for.
    """

    length: Array
    p: Array
    attached: Array | None
    offsets: Array
    others: Array
    others_offsets: Array
    count: Array | None

    @property
    def n_judged(self) -> Array:
        """Number of items of each query, those with a common count as one: (queries,)."""
        return np.diff(self.offsets) + np.diff(self.others_offsets)

    def compute(
        self,
        kernel: Callable[[Lists], tuple[Array, ...]],
        *,
        alone: bool = True,
        cells: Callable[[int], int] = lambda size: size,
        by_inside: bool = False,
    ) -> tuple[Array, ...]:
        """What a kernel gives for each list: (..., queries) each.

        Parameters
        ----------
        kernel : callable
            Numbers of each list, (lists,) each.
        alone, cells, by_inside
            See `groups`.
        """
        lead, n_queries = self.p.shape[:-1], len(self.length)
        out: list[Array] = []
        for where, lists in self.groups(alone=alone, cells=cells, by_inside=by_inside):
            given = kernel(lists)
            out = out or [np.zeros(math.prod(lead) * n_queries) for _ in given]
            for whole, part in zip(out, given, strict=True):
                whole[where] = part
        return tuple(whole.reshape(*lead, n_queries) for whole in out)

    def groups(
        self,
        *,
        alone: bool = True,
        cells: Callable[[int], int] = lambda size: size,
        by_inside: bool = False,
    ) -> Iterator[tuple[Array, Lists]]:
        """Lists of similar size, and where their values go in an array (..., queries), flat.

        Parameters
        ----------
        alone : bool
            Whether lists of very many items come one by one.
        cells : callable
            How many numbers are kept for a list of that many items.
        by_inside : bool
            Whether numbers of items inside are similar, too.
        """
        n_judged, n_queries = self.n_judged, len(self.length)
        n_lead = math.prod(self.p.shape[:-1])
        alike = arithmetic.of_similar_size(n_judged, alone=alone)
        if by_inside:
            n_inside = np.diff(self.offsets)
            alike = (
                some[part] for some in alike for part in arithmetic.of_similar_size(n_inside[some])
            )
        for chosen in alike:
            where = (np.arange(n_lead)[:, None] * n_queries + chosen).ravel()
            size = int(n_judged[chosen].max())
            lists = self._columns(chosen, n_lead, alone and size >= LONG)
            step = 1 if lists.long else max(1, _CELLS // max(1, cells(size)))
            for at in range(0, len(where), step):
                some = slice(at, at + step)
                yield where[some], lists if step >= len(where) else lists.part(some)

    def _columns(self, chosen: Array, n_lead: int, long: bool) -> Lists:
        """Some queries in all resamples."""
        attached, count = np.zeros((0, n_lead * len(chosen))), None
        if self.attached is not None:
            attached = np.tile(arithmetic.columns(self.attached, self.offsets, chosen), (1, n_lead))
        if self.count is not None:
            count = arithmetic.columns(self.count, self.others_offsets, chosen)
            count = np.tile(count, (1, n_lead * len(chosen) // count.shape[1]))
        return Lists(
            np.tile(chosen, n_lead),
            np.tile(self.length[chosen], n_lead),
            arithmetic.columns(self.p, self.offsets, chosen),
            attached,
            arithmetic.columns(self.others, self.others_offsets, chosen),
            count,
            long,
        )


def split_lists(
    m: ItemProbabilities, p: Array, rest: Array, within: Array, attached: Array | None = None
) -> SplitLists:
    """Items inside and outside a cut-off.

    Parameters
    ----------
    p : (..., hits) float
        Probability that each hit is relevant.
    rest : (..., items) float
        Those of the judged items that are not retrieved.
    within : (hits,) bool
        Which hits are inside.
    attached : (hits,) float, optional
        A number attached to each of them.
    """
    lead = np.broadcast_shapes(p.shape[:-1], rest.shape[:-1])
    p = np.broadcast_to(p, (*lead, p.shape[-1]))
    rest = np.broadcast_to(rest, (*lead, rest.shape[-1]))
    count, offsets, others_offsets = m.rest.count, m.hits.offsets, m.rest.offsets
    if not within.all():
        query = segment_of(offsets)
        beyond = np.flatnonzero(~within)[::-1]
        owner = np.concatenate((segment_of(others_offsets), query[beyond]))
        order = np.argsort(owner, kind="stable")
        rest = np.concatenate((rest, p[..., beyond]), axis=-1)[..., order]
        if count is not None:
            one = np.ones((*count.shape[:-1], len(beyond)))
            count = np.concatenate((count, one), axis=-1)[..., order]
        others_offsets = offsets_of(np.bincount(owner, minlength=m.n_queries))
        offsets = offsets_of(np.bincount(query[within], minlength=m.n_queries))
        p, attached = p[..., within], None if attached is None else attached[within]
    return SplitLists(m.length, p, attached, offsets, rest, others_offsets, count)


#: values of a discrete distribution and their probabilities, (atoms,) both
Atoms = tuple[Array, Array]
#: a value from the numbers of relevant items inside and outside the cut-off, and of items inside
OfCounts = Callable[[Any, Any, Any], Any]
#: depth of each number of relevant items
Depth = Callable[[Array], Array]
#: denominator from the number of relevant items and the length of each list
Norm = Callable[[int, Array], Array]

_TINY = 1e-18  # atoms of distributions of many items that are left out
_MOST_ATOMS = 1 << 22  # of a distribution of tied items
_WINDOW = 14.0  # width of a `pmf_window`, at most, over the root of the number of items


def inside(m: ItemProbabilities, cutoff: int | None) -> Array:
    """Share of the ranks of each hit that are within the cut-off: (hits,), 0 or 1 without ties."""
    if cutoff is None:
        return np.ones(len(m.rank))
    if m.last is None:
        return (m.rank <= cutoff).astype(np.float64)
    size = m.last - m.rank + 1
    return np.asarray(np.clip(cutoff - m.rank + 1, 0, size) / size)


def listed(m: ItemProbabilities, cutoff: int | None) -> Array:
    """Number of items within the cut-off: (queries,)."""
    return _cut(m.length, cutoff)


def _cut(length: Array, cutoff: int | None) -> Array:
    return length if cutoff is None else np.minimum(length, cutoff)


def hit_moments(m: ItemProbabilities, rel: float, cutoff: int | None) -> tuple[Array, Array]:
    """Mean and variance of the number of relevant items inside the cut-off."""
    return _weighted_moments(m, rel, inside(m, cutoff))


def _weighted_moments(m: ItemProbabilities, rel: float, weight: Array) -> tuple[Array, Array]:
    """Mean and variance of the sum of the weights of the relevant hits."""
    p, offsets = m.hits.at_least(rel), m.hits.offsets
    return segment_sum(p * weight, offsets), segment_sum(p * (1 - p) * weight**2, offsets)


def tie_covariance(m: ItemProbabilities, rel: float, cutoff: int | None) -> Array | float:
    """Covariance of the two numbers of `hit_moments` and `missed_moments`, which share ties."""
    if m.last is None:
        return 0.0
    p, share = m.hits.at_least(rel), inside(m, cutoff)
    return segment_sum(p * (1 - p) * share * (1 - share), m.hits.offsets)


def missed_moments(m: ItemProbabilities, rel: float, cutoff: int | None) -> tuple[Array, Array]:
    """Mean and variance of the number of relevant items that are not inside the cut-off."""
    mean, variance = _weighted_moments(m, rel, 1 - inside(m, cutoff))
    rest, each = m.rest.at_least(rel), 1.0 if m.rest.count is None else m.rest.count
    return (
        mean + segment_sum(each * rest, m.rest.offsets),
        variance + segment_sum(each * rest * (1 - rest), m.rest.offsets),
    )


def hit_atoms(m: ItemProbabilities, rel: float, cutoff: int | None) -> Atoms | None:
    """Distribution of the number of relevant items inside the cut-off, eq. (10), for one query.

    With ties, of its mean over their orders: items count by their share of ranks inside. None: it
    has too many values.
    """
    p, share = m.hits.at_least(rel), inside(m, cutoff)
    if not m.ranked.all():
        return weighted_counts(share, p)
    chances = pmf(p[share > 0])
    return np.arange(len(chances)) * 1.0, chances


def any_hit(m: ItemProbabilities, rel: float, cutoff: int | None) -> tuple[Array, Array]:
    """Probability of no relevant item inside the cut-off, and of some."""
    return none_and_some(m.hits.at_least(rel) * inside(m, cutoff), m.hits.offsets)


def first_hit(m: ItemProbabilities, rel: float, cutoff: int | None) -> Array:
    """Probability that each hit is the first relevant item; 0 beyond the cut-off: (..., hits)."""
    p = m.hits.at_least(rel) * inside(m, cutoff)
    up_to = arithmetic.segment_cumprod(1 - p, m.hits.offsets)
    before = np.ones_like(up_to)
    before[..., 1:] = up_to[..., :-1]
    starts = m.hits.offsets[:-1]
    before[..., starts[starts < before.shape[-1]]] = 1.0
    return p * before


def first_hit_moments(
    m: ItemProbabilities, rel: float, cutoff: int | None, *, some: bool = False
) -> tuple[Array, Array]:
    """Mean and variance of 1 / the rank of the first relevant item, 0 if there is none.

    With `some`, given that some judged item is relevant, retrieved or not.
    """
    first, offsets = first_hit(m, rel, cutoff), m.hits.offsets
    none, _ = any_hit(m, rel, cutoff)
    mass = np.ones_like(none)
    if some:
        mass = m.none_and_some(rel)[1]
        beyond = none_and_some(m.hits.at_least(rel) * (1 - inside(m, cutoff)), offsets)
        rest = none_and_some(m.rest.at_least(rel), m.rest.offsets, m.rest.count)
        none = none * (beyond[1] + beyond[0] * rest[1])
    value = 1 / m.rank
    mean = divide(segment_sum(first * value, offsets), mass, fill=np.nan)
    gap = value - np.repeat(mean, np.diff(offsets), axis=-1)
    squares = segment_sum(first * gap**2, offsets) + none * mean**2
    return mean, divide(squares, mass, fill=np.nan)


def recall_moments(
    m: ItemProbabilities, rel: float, cutoff: int | None, recall: OfCounts
) -> tuple[Array, Array | None]:
    """Mean and variance of recall (0 without relevant items).

    The mean is by quadrature, for large collections too; the variance of these is not known.
    """

    def kernel(lists: Lists) -> tuple[Array]:
        share = _share(lists)
        return (relevant_counts.expected_recall(lists.inside, lists.others, lists.count, share),)

    (mean,) = _split_ties(m, rel, cutoff).compute(kernel, alone=False)
    of_counts = None if m.means_only else count_moments(m, rel, cutoff, recall)
    return mean, None if of_counts is None else of_counts[1]


def mean_average_precision(m: ItemProbabilities, rel: float, cutoff: int | None) -> Array:
    """E[AP]."""

    def kernel(lists: Lists) -> tuple[Array]:
        mean = relevant_counts.expected_average_precision(
            lists.inside, lists.attached, lists.others, lists.count
        )
        return (mean,)

    return _split(m, rel, cutoff, 1 / m.rank).compute(kernel, alone=False)[0]


def count_moments(
    m: ItemProbabilities, rel: float, cutoff: int | None, value: OfCounts, *, some: bool = False
) -> tuple[Array, Array] | None:
    """Mean and variance of a value of the two counts, from their pmfs.

    With `some`, given that some item is relevant. None for a large collection, for which pmfs
    would be too long. Variances that are not used are NaN. With ties, the value is as in
    `relevant_counts.count_moments`.
    """
    if not m.countable:
        return None

    def kernel(lists: Lists) -> tuple[Array, Array]:
        return relevant_counts.count_moments(
            lists.inside,
            lists.others,
            partial(_of_counts, value, _cut(lists.length, cutoff)),
            long=lists.long,
            some=some,
            share=_share(lists),
            variance=not m.means_only,
        )

    mean, variance = _split_ties(m, rel, cutoff).compute(kernel, by_inside=m.last is not None)
    return mean, variance


def _split_ties(m: ItemProbabilities, rel: float, cutoff: int | None) -> SplitLists:
    """Relevant items inside and outside the cut-off, those of ties with their share of it."""
    return _split(m, rel, cutoff, None if m.last is None else inside(m, cutoff))


def _share(lists: Lists) -> Array | None:
    """Share of each item that is inside; None where nothing is tied."""
    return lists.attached if len(lists.attached) == len(lists.inside) else None


def _of_counts(value: OfCounts, length: Array, hits: Array, others: Array) -> Array:
    return np.asarray(value(hits, others, length))


def count_distribution(
    m: ItemProbabilities, rel: float, cutoff: int | None, value: OfCounts
) -> Atoms | None:
    """Distribution of a value of the two counts, for one query; None: it has too many values."""
    split = _split_ties(m, rel, cutoff)
    others, share = split.others, None
    if split.attached is not None and not m.ranked.all():
        share = split.attached[:, None]
    if split.count is not None:
        others = np.repeat(others, split.count.astype(np.int64))
    long = len(split.p) + len(others) >= LONG
    if share is not None:
        sizes = np.array([(share == 1).sum(), (share < 1).sum(), len(others)]) + 1.0
        if np.minimum(sizes, _WINDOW * np.sqrt(sizes) if long else np.inf).prod() > _MOST_ATOMS:
            return None
    of_counts = partial(_of_counts, value, listed(m, cutoff))
    values, chances, _ = relevant_counts.count_atoms(
        split.p[:, None], others[:, None], of_counts, long=long, share=share
    )
    return _likely(values, chances) if long else (values, chances)


def _likely(values: Array, chances: Array) -> Atoms:
    """Atoms that are not negligible."""
    kept = chances >= _TINY
    return values[kept], chances[kept]


def mean_over_class_size(
    m: ItemProbabilities, rel: float, depth: Depth, norm: Norm
) -> Array | None:
    """Expected number of relevant items within a depth that goes with their number, normalised.

    For measures whose depth is the number of relevant items: P@R, first and second tier. None for
    a large collection.
    """
    if not m.countable:
        return None

    def kernel(lists: Lists) -> tuple[Array]:
        out = np.zeros(len(lists.query))
        for size, hits, chances in _class_sizes(lists, depth):
            total = arithmetic.column_sums(hits[:, None] * chances)
            out += divide(total, norm(size, lists.length))
        return (out,)

    return _split_by_size(m, rel, depth).compute(kernel, cells=lambda size: size * size // 2)[0]


def class_size_distribution(
    m: ItemProbabilities, rel: float, depth: Depth, norm: Norm
) -> Atoms | None:
    """Distribution of the same for one query."""
    if not m.countable:
        return None
    none, _ = m.none_and_some(rel)
    values, chances = [np.zeros(1)], [none]
    ((_, lists),) = _split_by_size(m, rel, depth).groups()
    for size, hits, joint in _class_sizes(lists, depth):
        values.append(divide(hits, norm(size, lists.length)))
        chances.append(joint[:, 0])
    atoms = np.concatenate(values), np.concatenate(chances)
    return _likely(*atoms) if lists.long else atoms


def _split_by_size(m: ItemProbabilities, rel: float, depth: Depth) -> SplitLists:
    """Hits within the depth that all judged items would give, and all other items."""
    n_judged = np.diff(m.hits.offsets) + np.diff(m.rest.offsets)
    within = m.rank <= np.repeat(depth(np.maximum(n_judged, 1)), np.diff(m.hits.offsets))
    return split_lists(m, m.hits.at_least(rel), m.rest.at_least(rel), within, m.rank * 1.0)


def _class_sizes(lists: Lists, depth: Depth) -> relevant_counts.ClassSizes:
    """Joint pmfs of the number of relevant items and of those within the depth."""
    hit, column = np.nonzero(lists.attached)
    rank, row = np.unique(lists.attached[hit, column], return_inverse=True)
    ranked = np.zeros((len(rank), len(lists.query)))
    ranked[row, column] = lists.inside[hit, column]
    possible = arithmetic.column_sums(lists.inside > 0) + arithmetic.column_sums(lists.others > 0)
    size = np.arange(1, max(1, possible.max(initial=0)) + 1)
    deepest = np.searchsorted(rank, depth(size), side="right")
    return relevant_counts.by_class_size(ranked, lists.others, deepest, long=lists.long)


def linear_moments(
    m: ItemProbabilities, value: Callable[[Array], Array], weight: Array
) -> tuple[Array, Array]:
    """Mean and variance of the sum over hits of `value` (grade) times `weight` (hits,)."""
    mean, variance = m.hits.moments(value)
    return (
        segment_sum(mean * weight, m.hits.offsets),
        segment_sum(variance * weight**2, m.hits.offsets),
    )


def mean_normalised_gain(
    m: ItemProbabilities,
    value: Callable[[Array], Array],
    weight: Array,
    cutoff: int | None,
    ideal: Callable[[int], Array],
) -> Array | None:
    """Expected gain over the ideal gain, where gains of a query are 0 or one common number.

    NaN for other queries, and None without any.

    Parameters
    ----------
    weight : (hits,) float
        Discount of each hit.
    ideal : callable
        Ideal gain of 1, 2, ... relevant items up to a number, each item having gain 1.
    """
    low, high = _ends_of_gains(m, value)
    known = low >= high  # none is positive, or all are equal
    if not known.any():
        return None
    if not known.all():
        queries = np.flatnonzero(known)
        _, hits = arithmetic.ragged(m.hits.offsets, queries)
        some = mean_normalised_gain(m.of_queries(queries), value, weight[hits], cutoff, ideal)
        return None if some is None else arithmetic.spread_over(some, known)
    if np.isinf(low).all():
        return np.zeros((*m.hits.probability.shape[:-2], m.n_queries))
    limit = cutoff is not None and cutoff <= LONG

    def kernel(lists: Lists) -> tuple[Array]:
        size = len(lists.inside) + len(lists.others)
        factor = 1 / ideal(cutoff if limit and cutoff is not None else max(1, size))
        mean = relevant_counts.expected_over_number(
            lists.inside, lists.attached, lists.others, factor, limit=limit, long=lists.long
        )
        return (mean,)

    def has_gain(grade: Array) -> Array:
        return (value(grade) > 0).astype(np.float64)

    p, rest = m.hits.sum_over(has_gain), m.rest.sum_over(has_gain)
    split = split_lists(m, p, rest, inside(m, cutoff) > 0, weight)
    return split.compute(kernel, cells=lambda size: size * min(size, cutoff or size))[0]


def _ends_of_gains(m: ItemProbabilities, value: Callable[[Array], Array]) -> tuple[Array, Array]:
    """The smallest and the largest positive gain of each query; infinite without any."""
    low, high = np.full(m.n_queries, np.inf), np.full(m.n_queries, -np.inf)
    for part in (m.hits, m.rest):
        gains, query = value(part.grade), segment_of(part.offsets)
        np.minimum.at(low, query, np.where(gains > 0, gains, np.inf).min(axis=0))
        np.maximum.at(high, query, np.where(gains > 0, gains, -np.inf).max(axis=0))
    return low, high


def _split(
    m: ItemProbabilities, rel: float, cutoff: int | None, attached: Array | None = None
) -> SplitLists:
    """Relevant items inside and outside the cut-off."""
    within = inside(m, cutoff) > 0
    return split_lists(m, m.hits.at_least(rel), m.rest.at_least(rel), within, attached)
