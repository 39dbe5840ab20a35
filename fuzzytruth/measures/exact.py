"""Exact moments and distributions under independent items: what measures are made of.

Each function takes the item probabilities of one system. Expectations are for all queries,
(..., queries), with resamples as leading axes; distributions are for a single query without them.

References
----------
Santini, "Benchmarking without ground truth", section 4, for hits and precision; the rest follows
from the generating function of the number of relevant items.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from fuzzytruth._typing import Array
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.core.exact import expected_average_precision, expected_recall, leave_one_out
from fuzzytruth.core.poisson_binomial import pmf, pmf_each
from fuzzytruth.core.segments import segment_cumprod, segment_sum
from fuzzytruth.truth.item_probabilities import ItemProbabilities

Law = tuple[Array, Array]


def inside(m: ItemProbabilities, cutoff: int | None) -> Array:
    """Which hits are within the cut-off: (hits,) bool."""
    return np.ones(len(m.rank), dtype=bool) if cutoff is None else m.rank <= cutoff


def padded(values: Array, offsets: Array, fill: float = 0.0) -> Array:
    """Ragged lists side by side: (..., items) → (..., queries, longest)."""
    size = np.diff(offsets)
    out = np.full((*values.shape[:-1], len(size), int(size.max(initial=0))), fill)
    query = np.repeat(np.arange(len(size)), size)
    out[..., query, np.arange(len(query)) - np.repeat(offsets[:-1], size)] = values
    return out


def _split(
    m: ItemProbabilities, rel: float, cutoff: int | None
) -> tuple[Array, Array, Array, Array | None]:
    """Chances inside, ranks there, chances of all other judged items and their counts, padded."""
    p, within = m.hits.at_least(rel), inside(m, cutoff)
    deeper = padded(np.where(within, 0.0, p), m.hits.offsets)
    others = padded(m.rest.at_least(rel), m.rest.offsets)
    found = padded(np.where(within, p, 0.0), m.hits.offsets)
    rank = padded(m.rank.astype(np.float64), m.hits.offsets, fill=np.inf)
    count = None
    if m.rest.count is not None:
        together = padded(m.rest.count, m.rest.offsets)
        alone = np.ones((*together.shape[:-1], deeper.shape[-1]))
        count = np.concatenate((alone, together), axis=-1)
    return found, rank, np.concatenate(_alike(deeper, others), axis=-1), count


def _alike(one: Array, two: Array) -> tuple[Array, Array]:
    """Both with the same leading axes: chances that no resample changes may lack them."""
    lead = np.broadcast_shapes(one.shape[:-1], two.shape[:-1])
    return (
        np.broadcast_to(one, (*lead, one.shape[-1])),
        np.broadcast_to(two, (*lead, two.shape[-1])),
    )


def hit_moments(m: ItemProbabilities, rel: float, cutoff: int | None) -> tuple[Array, Array]:
    """Mean and variance of the number of relevant items inside."""
    p = m.hits.at_least(rel) * inside(m, cutoff)
    return segment_sum(p, m.hits.offsets), segment_sum(p * (1 - p), m.hits.offsets)


def hit_law(m: ItemProbabilities, rel: float, cutoff: int | None) -> Array:
    """Pmf of the number of relevant items inside, eq. (10)."""
    return pmf(m.hits.at_least(rel)[inside(m, cutoff)])


def any_hit(m: ItemProbabilities, rel: float, cutoff: int | None) -> Array:
    """Probability of a relevant item inside."""
    none = 1 - m.hits.at_least(rel) * inside(m, cutoff)
    out: Array = 1 - padded(none, m.hits.offsets, fill=1.0).prod(axis=-1)
    return out


def first_hit(m: ItemProbabilities, rel: float, cutoff: int | None) -> Array:
    """Probability that each hit is the first relevant one, 0 if outside: (..., hits)."""
    p = m.hits.at_least(rel) * inside(m, cutoff)
    so_far = segment_cumprod(1 - p, m.hits.offsets)
    before = np.ones_like(so_far)
    before[..., 1:] = so_far[..., :-1]
    starts = m.hits.offsets[:-1]
    before[..., starts[starts < before.shape[-1]]] = 1.0
    return p * before


def mean_recall(m: ItemProbabilities, rel: float, cutoff: int | None) -> Array:
    """E[X / R], 0 without relevant items."""
    found, _, rest, count = _split(m, rel, cutoff)
    return expected_recall(found, rest, count)


def mean_average_precision(m: ItemProbabilities, rel: float, cutoff: int | None) -> Array:
    """E[AP]."""
    return expected_average_precision(*_split(m, rel, cutoff))


def pair_moments(
    m: ItemProbabilities, rel: float, cutoff: int | None, value: Callable[[Array, Array], Array]
) -> tuple[Array, Array] | None:
    """Mean and variance of a value of the counts inside and elsewhere, from their two pmfs.

    None for a large collection, whose pmf would be too long for each list.
    """
    if not m.countable:
        return None
    found, _, rest, _ = _split(m, rel, cutoff)
    one, two = _pmfs(found), _pmfs(rest)
    table = value(np.arange(one.shape[-1])[:, None], np.arange(two.shape[-1]))
    if table.ndim == 2:
        table = table[None]
    mean = np.einsum("...i,...ij,...j->...", one, table, two, optimize=True)
    square = np.einsum("...i,...ij,...j->...", one, table**2, two, optimize=True)
    return mean, square - mean**2


def pair_law(
    m: ItemProbabilities, rel: float, cutoff: int | None, value: Callable[[Array, Array], Array]
) -> Law:
    """Values of the counts inside and elsewhere, and their probabilities, for one query."""
    found, _, rest, count = _split(m, rel, cutoff)
    others = rest[0] if count is None else np.repeat(rest[0], count[0].astype(np.int64))
    one, two = pmf(found[0]), pmf(others)
    table = value(np.arange(len(one))[:, None], np.arange(len(two)))
    return table.reshape(-1, len(one) * len(two))[0], (one[:, None] * two).ravel()


def _pmfs(p: Array) -> Array:
    """Pmf of each padded list: (..., queries, items) → (..., queries, items + 1)."""
    flat = pmf_each(p.reshape(math.prod(p.shape[:-1]), p.shape[-1]))
    return flat.reshape(*p.shape[:-1], p.shape[-1] + 1)


def _others(m: ItemProbabilities, p: Array, rest: Array) -> tuple[Array, Array]:
    """Padded chances of the hits, and the pmf of all other judged items for each of them."""
    whole = _pmfs(
        np.concatenate((padded(p, m.hits.offsets), padded(rest, m.rest.offsets)), axis=-1)
    )
    chance = padded(p, m.hits.offsets)
    return chance, leave_one_out(chance, whole)


def mean_over_class_size(
    m: ItemProbabilities, rel: float, share: Callable[[Array, Array], Array]
) -> Array | None:
    """Expected sum over relevant hits of `share` (rank, number of relevant items).

    For values that look as deep as there are relevant items: P@R, first and second tier. `share`
    receives ranks (queries, hits, 1) and numbers (counts,), and the lists' lengths by closure.
    None for a large collection.
    """
    if not m.countable:
        return None
    chance, others = _others(m, m.hits.at_least(rel), m.rest.at_least(rel))
    rank = padded(m.rank.astype(np.float64), m.hits.offsets, fill=np.inf)
    number = np.arange(1, others.shape[-1] + 1)
    weight = share(rank[..., None], number)
    out: Array = (chance * (others * weight).sum(axis=-1)).sum(axis=-1)
    return out


def class_size_law(m: ItemProbabilities, rel: float, depth: Array, norm: Array) -> Law:
    """Values h / norm and probabilities, h the hits within the depth of each class size.

    Parameters
    ----------
    depth, norm : (judged items,) float
        How deep to look, and what to divide by, if 1, 2, ... items are relevant.
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
    """Expected gain over the ideal one, where items have gain 0 or one common gain only.

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
        return np.zeros((*m.hits.chance.shape[:-2], m.n_queries))
    p = m.hits.sum_over(lambda grade: (value(grade) > 0).astype(np.float64))
    rest = m.rest.sum_over(lambda grade: (value(grade) > 0).astype(np.float64))
    chance, others = _others(m, p, rest)
    ideal = np.cumsum(discount)
    number = np.arange(1, others.shape[-1] + 1)
    inverse = divide(1.0, ideal[np.minimum(number, len(ideal)) - 1])
    expected = (others * inverse).sum(axis=-1)
    out: Array = (chance * padded(weight, m.hits.offsets) * expected).sum(axis=-1)
    return out
