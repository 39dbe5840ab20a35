"""Building blocks of exact moments and distributions, items being independent.

Each function takes one system's `ItemProbabilities`. Moments are for all queries, (..., queries),
with resamples as leading axes; distributions are for a single query without resamples.

References
----------
Santini, Benchmarking without ground truth, section 4, for hits and precision; the rest follows from
the probability generating function of the number of relevant items.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from fuzzytruth._typing import Array
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.core.exact import expected_average_precision, expected_recall, leave_one_out
from fuzzytruth.core.poisson_binomial import pmf, pmf_each
from fuzzytruth.core.segments import padded, segment_cumprod, segment_sum
from fuzzytruth.truth.item_probabilities import ItemProbabilities

#: values of a discrete distribution and their probabilities, (atoms,) both
Atoms = tuple[Array, Array]
#: a value from the numbers of relevant items inside and outside the cut-off
OfCounts = Callable[[Array, Array], Array]


def inside(m: ItemProbabilities, cutoff: int | None) -> Array:
    """Which hits are within the cut-off: (hits,) bool."""
    return np.ones(len(m.rank), dtype=bool) if cutoff is None else m.rank <= cutoff


def bernoulli(p: float) -> Atoms:
    """Distribution of a value that is 1 with probability p, else 0."""
    return np.array([0.0, 1.0]), np.array([1 - p, p])


def bernoulli_moments(p: Array) -> tuple[Array, Array]:
    """Mean and variance of values that are 1 with probability p, else 0."""
    return p, p * (1 - p)


def hit_moments(m: ItemProbabilities, rel: float, cutoff: int | None) -> tuple[Array, Array]:
    """Mean and variance of the number of relevant items inside the cut-off."""
    p = m.hits.at_least(rel) * inside(m, cutoff)
    return segment_sum(p, m.hits.offsets), segment_sum(p * (1 - p), m.hits.offsets)


def hit_pmf(m: ItemProbabilities, rel: float, cutoff: int | None) -> Array:
    """Pmf of the number of relevant items inside the cut-off, eq. (10)."""
    return pmf(m.hits.at_least(rel)[inside(m, cutoff)])


def any_hit(m: ItemProbabilities, rel: float, cutoff: int | None) -> Array:
    """Probability of a relevant item inside the cut-off."""
    none = 1 - m.hits.at_least(rel) * inside(m, cutoff)
    out: Array = 1 - padded(none, m.hits.offsets, fill=1.0).prod(axis=-1)
    return out


def first_hit(m: ItemProbabilities, rel: float, cutoff: int | None) -> Array:
    """Probability that each hit is the first relevant item; 0 beyond the cut-off: (..., hits)."""
    p = m.hits.at_least(rel) * inside(m, cutoff)
    up_to = segment_cumprod(1 - p, m.hits.offsets)
    before = np.ones_like(up_to)
    before[..., 1:] = up_to[..., :-1]
    starts = m.hits.offsets[:-1]
    before[..., starts[starts < before.shape[-1]]] = 1.0
    return p * before


def recall_moments(
    m: ItemProbabilities, rel: float, cutoff: int | None, recall: OfCounts
) -> tuple[Array, Array | None]:
    """Mean and variance of recall (0 without relevant items).

    The mean is by quadrature, for large collections too; the variance of these is not known.
    """
    listed, _, others, count = _split(m, rel, cutoff)
    mean = expected_recall(listed, others, count)
    return mean, _count_moments(listed, others, recall)[1] if m.countable else None


def mean_average_precision(m: ItemProbabilities, rel: float, cutoff: int | None) -> Array:
    """E[AP]."""
    return expected_average_precision(*_split(m, rel, cutoff))


def count_moments(
    m: ItemProbabilities, rel: float, cutoff: int | None, value: OfCounts
) -> tuple[Array, Array] | None:
    """Mean and variance of a value of the two counts, from their pmfs.

    None for a large collection, for which pmfs would be too long.
    """
    if not m.countable:
        return None
    listed, _, others, _ = _split(m, rel, cutoff)
    return _count_moments(listed, others, value)


def count_distribution(
    m: ItemProbabilities, rel: float, cutoff: int | None, value: OfCounts
) -> Atoms:
    """Distribution of a value of the two counts, for one query."""
    listed, _, others, count = _split(m, rel, cutoff)
    each = others[0] if count is None else np.repeat(others[0], count[0].astype(np.int64))
    of_listed, of_others = pmf(listed[0]), pmf(each)
    table = value(np.arange(len(of_listed))[:, None], np.arange(len(of_others)))
    values = table.reshape(-1, len(of_listed) * len(of_others))[0]
    return values, (of_listed[:, None] * of_others).ravel()


def mean_over_class_size(
    m: ItemProbabilities, rel: float, share: Callable[[Array, Array], Array]
) -> Array | None:
    """Expected sum over relevant hits of `share` (rank, number of relevant items).

    For measures whose depth is the number of relevant items: P@R, first and second tier. `share`
    receives ranks (queries, hits, 1) and numbers (counts,). None for a large collection.
    """
    if not m.countable:
        return None
    chance, others = _each_hit_and_others(m, m.hits.at_least(rel), m.rest.at_least(rel))
    rank = padded(m.rank.astype(np.float64), m.hits.offsets, fill=np.inf)
    number = np.arange(1, others.shape[-1] + 1)
    weight = share(rank[..., None], number)
    out: Array = (chance * (others * weight).sum(axis=-1)).sum(axis=-1)
    return out


def class_size_distribution(m: ItemProbabilities, rel: float, depth: Array, norm: Array) -> Atoms:
    """Distribution of h / norm, h the hits within the depth that goes with the class size.

    Parameters
    ----------
    depth, norm : (judged items,) float
        Depth and denominator if 1, 2, ... items are relevant.
    """
    p, rest = m.hits.at_least(rel), m.rest.at_least(rel)
    values, chances = [np.zeros(1)], [np.atleast_1d(np.prod(1 - p) * np.prod(1 - rest))]
    for size in range(1, len(depth) + 1):
        within = m.rank <= depth[size - 1]
        one = pmf(p[within])
        two = pmf(np.concatenate((p[~within], rest)))
        hits = np.arange(max(0, size - len(two) + 1), min(size, len(one) - 1) + 1)
        values.append(hits / norm[size - 1])
        chances.append(one[hits] * two[size - hits])
    return np.concatenate(values), np.concatenate(chances)


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
    m: ItemProbabilities, value: Callable[[Array], Array], weight: Array, discount: Array
) -> Array | None:
    """Expected gain over the ideal gain, where gains are 0 or one common number; else None.

    Parameters
    ----------
    weight : (hits,) float
        Discount of each hit, 0 beyond the cut-off.
    discount : (ranks,) float
        Discounts of all ranks up to the cut-off or the number of judged items.
    """
    gains = np.concatenate((value(m.hits.grade).ravel(), value(m.rest.grade).ravel()))
    positive = np.unique(gains[gains > 0])
    if len(positive) > 1:
        return None
    if not len(positive):
        return np.zeros((*m.hits.probability.shape[:-2], m.n_queries))
    p = m.hits.sum_over(lambda grade: (value(grade) > 0).astype(np.float64))
    rest = m.rest.sum_over(lambda grade: (value(grade) > 0).astype(np.float64))
    chance, others = _each_hit_and_others(m, p, rest)
    ideal = np.cumsum(discount)
    number = np.arange(1, others.shape[-1] + 1)
    inverse = divide(1.0, ideal[np.minimum(number, len(ideal)) - 1])
    expected = (others * inverse).sum(axis=-1)
    out: Array = (chance * padded(weight, m.hits.offsets) * expected).sum(axis=-1)
    return out


def _split(
    m: ItemProbabilities, rel: float, cutoff: int | None
) -> tuple[Array, Array, Array, Array | None]:
    """Probabilities inside the cut-off, their ranks, those outside, and their counts; padded.

    Outside are the hits beyond the cut-off, then the judged items that are not retrieved.
    """
    p, within = m.hits.at_least(rel), inside(m, cutoff)
    deeper = padded(np.where(within, 0.0, p), m.hits.offsets)
    rest = padded(m.rest.at_least(rel), m.rest.offsets)
    listed = padded(np.where(within, p, 0.0), m.hits.offsets)
    rank = padded(m.rank.astype(np.float64), m.hits.offsets, fill=np.inf)
    count = None
    if m.rest.count is not None:
        together = padded(m.rest.count, m.rest.offsets)
        alone = np.ones((*together.shape[:-1], deeper.shape[-1]))
        count = np.concatenate((alone, together), axis=-1)
    return listed, rank, np.concatenate(_same_lead(deeper, rest), axis=-1), count


def _same_lead(one: Array, two: Array) -> tuple[Array, Array]:
    """Both with the same leading axes; probabilities that no resample changes may lack them."""
    lead = np.broadcast_shapes(one.shape[:-1], two.shape[:-1])
    return (
        np.broadcast_to(one, (*lead, one.shape[-1])),
        np.broadcast_to(two, (*lead, two.shape[-1])),
    )


def _count_moments(listed: Array, others: Array, value: OfCounts) -> tuple[Array, Array]:
    """Mean and variance of a value of two counts with these probabilities: (..., queries) both."""
    one, two = _pmfs(listed), _pmfs(others)
    table = value(np.arange(one.shape[-1])[:, None], np.arange(two.shape[-1]))
    if table.ndim == 2:
        table = table[None]
    mean = np.einsum("...i,...ij,...j->...", one, table, two, optimize=True)
    square = np.einsum("...i,...ij,...j->...", one, table**2, two, optimize=True)
    return mean, square - mean**2


def _pmfs(p: Array) -> Array:
    """Pmf of each padded list: (..., queries, items) → (..., queries, items + 1)."""
    flat = pmf_each(p.reshape(math.prod(p.shape[:-1]), p.shape[-1]))
    return flat.reshape(*p.shape[:-1], p.shape[-1] + 1)


def _each_hit_and_others(m: ItemProbabilities, p: Array, rest: Array) -> tuple[Array, Array]:
    """Padded probabilities of the hits, and for each the pmf of all other judged items."""
    chance = padded(p, m.hits.offsets)
    both = _same_lead(chance, padded(rest, m.rest.offsets))
    whole = _pmfs(np.concatenate(both, axis=-1))
    return chance, leave_one_out(chance, whole)
