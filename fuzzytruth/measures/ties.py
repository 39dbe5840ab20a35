"""Expectations over all orders of tied items, in closed form.

A hit tied over the ranks ``first``..``last`` belongs to a group of as many items, all orders of
which are equally likely. Unjudged items of the group are not among the hits; they only make the
group larger.

References
----------
McSherry & Najork 2008, "Computing information retrieval performance measures efficiently in the
presence of tied scores".
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fuzzytruth._typing import Array
from fuzzytruth.core import arithmetic
from fuzzytruth.core.arithmetic import divide, harmonic, offsets_of, segment_of, segment_sum
from fuzzytruth.truth.batch import Batch


@dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """Groups of tied items with at least one judged item; an untied hit is a group of one.

    Parameters
    ----------
    offsets : (groups + 1,) int
        Start of each group's hits.
    query_offsets : (queries + 1,) int
        Start of each query's groups.
    first : (groups,) int
        First rank of each group.
    size : (groups,) int
        Number of tied items, judged or not.
    """

    offsets: Array
    query_offsets: Array
    first: Array
    size: Array

    def count(self, which: Array) -> Array:
        """Number of hits among `which` in each group: (worlds, hits) → (worlds, groups)."""
        return segment_sum(which, self.offsets)

    def before(self, count: Array) -> Array:
        """Sum of `count` over the earlier groups of the query: (worlds, groups) both."""
        return arithmetic.segment_cumsum(count, self.query_offsets) - count

    def per_query(self, values: Array) -> Array:
        """Sum over the groups of each query."""
        return segment_sum(values, self.query_offsets)

    def per_group(self, values: Array) -> Array:
        """Repeat each query's value for its groups: (..., queries) → (..., groups)."""
        return np.repeat(values, np.diff(self.query_offsets), axis=-1)


def tied_groups(batch: Batch) -> Groups:
    """Groups of a batch: neighbouring hits of a query with the same first rank."""
    start = np.flatnonzero(arithmetic.begins(segment_of(batch.offsets), batch.first))
    first = batch.first[start]
    return Groups(
        offsets=np.append(start, len(batch.first)),
        query_offsets=np.searchsorted(start, batch.offsets),
        first=first,
        size=batch.last[start] - first + 1,
    )


def chance_of_none(batch: Batch, relevant: Array, cutoff: int | None) -> Array:
    """Probability that no relevant item is within the first `cutoff` ranks: (worlds, queries)."""
    groups = tied_groups(batch)
    count = groups.count(relevant)  # (worlds, groups)
    inside = groups.size if cutoff is None else cutoff - groups.first + 1
    drawn = np.clip(inside, 0, groups.size)  # (groups,) ranks within the cut-off
    surely_none = groups.per_query(count * (drawn == groups.size)) == 0
    chance: Array = surely_none.astype(np.float64)
    # At most one group of a query is cut in two.
    cut = np.flatnonzero((drawn > 0) & (drawn < groups.size))
    query = segment_of(groups.query_offsets)[cut]
    chance[:, query] *= _draw_none(groups.size[cut], count[:, cut], drawn[cut])
    return chance


def _draw_none(size: Array, count: Array, drawn: Array) -> Array:
    """Probability that none of `drawn` out of `size` items is one of the `count` relevant ones."""
    (size, count, drawn), inverse = _distinct(size, count, drawn)
    # C(size - count, drawn) / C(size, drawn) is symmetric in count and drawn.
    fewer, more = np.minimum(count, drawn), np.maximum(count, drawn)
    owner, step = _expand(fewer)
    # With more draws than other items a factor is 0, and so is the product.
    factor = np.maximum((size - more)[owner] - step, 0) / (size[owner] - step)
    chance = np.ones(len(size))
    some = np.flatnonzero(fewer)
    if len(some):
        chance[some] = np.multiply.reduceat(factor, offsets_of(fewer)[some])
    return chance[inverse]


def expected_precision_sum(batch: Batch, relevant: Array, cutoff: int | None) -> Array:
    """Expected sum of the precision at relevant ranks up to `cutoff`: (worlds, queries).

    In a group of m items from rank a on, c of them relevant, after r relevant items: the item at
    rank j is relevant with probability c/m, and then r + 1 + (j - a)(c - 1)/(m - 1) relevant items
    are expected up to j. Divided by j and summed, that is a difference of harmonic numbers.
    """
    groups = tied_groups(batch)
    count = groups.count(relevant)  # (worlds, groups)
    first, size = groups.first, groups.size
    last = first + size - 1
    if cutoff is not None:
        last = np.minimum(last, cutoff)
    ranks = np.maximum(last - first + 1, 0)
    sums = harmonic(int(last.max(initial=0)))
    end = len(sums) - 1
    reciprocals = sums[np.minimum(last, end)] - sums[np.minimum(first - 1, end)]
    reciprocals = np.where(size == 1, 1 / first, reciprocals) * (ranks > 0)
    slope = divide(count - 1, size - 1)
    precisions = (groups.before(count) + 1 - first * slope) * reciprocals + slope * ranks
    return groups.per_query(count / size * precisions)


def expected_reciprocal_rank(batch: Batch, relevant: Array, cutoff: int | None) -> Array:
    """Expected 1 / rank of the first relevant item, 0 beyond `cutoff`: (worlds, queries)."""
    groups = tied_groups(batch)
    count = groups.count(relevant)  # (worlds, groups)
    # The first relevant item is in the first group that has any.
    world, group = np.nonzero((count > 0) & (groups.before(count) == 0))
    value = _mean_reciprocal(groups.first[group], groups.size[group], count[world, group], cutoff)
    out = np.zeros((batch.n_worlds, batch.n_queries))
    out[world, segment_of(groups.query_offsets)[group]] = value
    return out


def _mean_reciprocal(first: Array, size: Array, count: Array, cutoff: int | None) -> Array:
    """Expected 1 / rank of the first of `count` relevant among `size` items from `first` on.

    The first relevant item is t places into the group with probability
    S(t)·count / (size - t), where S(t), the chance of none in t places, is a running product.
    """
    (first, size, count), inverse = _distinct(first, size, count)
    places = size - count + 1  # where the first relevant item may be
    if cutoff is not None:
        places = np.clip(cutoff - first + 1, 0, places)
    owner, step = _expand(places)
    total = size[owner]
    factor = np.where(step == 0, 1.0, (total - count[owner] - step + 1) / (total - step + 1))
    offsets = offsets_of(places)
    none_yet = arithmetic.segment_cumprod(factor, offsets)
    chance = none_yet * count[owner] / (total - step)
    return segment_sum(chance / (first[owner] + step), offsets)[inverse]


def _distinct(*columns: Array) -> tuple[tuple[Array, ...], Array]:
    """Distinct rows of integer columns of equal shape, and the index of each row among them.

    Sums over a group's places are then computed once for all worlds and queries that share them.
    """
    columns = tuple(np.broadcast_arrays(*columns))
    base = max(int(c.max(initial=0)) for c in columns) + 1
    if base ** len(columns) >= 2**63:  # lists of millions: one integer key for a row would overflow
        rows, inverse = np.unique(
            np.stack([c.ravel() for c in columns]), axis=1, return_inverse=True
        )
        return tuple(rows), inverse.reshape(columns[0].shape)
    key = np.zeros(columns[0].shape, dtype=np.int64)
    for column in columns:
        key = key * base + column
    distinct, inverse = np.unique(key, return_inverse=True)
    parts = []
    for _ in columns:
        distinct, part = np.divmod(distinct, base)
        parts.append(part)
    return tuple(reversed(parts)), inverse.reshape(key.shape)


def _expand(lengths: Array) -> tuple[Array, Array]:
    """Ragged ranges: owner and value of each entry of 0..length-1."""
    offsets = offsets_of(lengths)
    owner = segment_of(offsets)
    return owner, np.arange(len(owner)) - offsets[owner]
