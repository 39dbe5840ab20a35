"""Values that depend on numbers of relevant items, items being independent: exact means and atoms.

Lists lie side by side, (items, lists), padding having probability 0. All sums are of positive
numbers, so that results keep their relative accuracy however small the probabilities are. Of a
`long` list, which must come alone, negligible numbers of relevant items are left out; see
`pmf_window`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from fuzzytruth._typing import Array, Bools, Floats, Ints
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.core.columns import column_sums, take_columns
from fuzzytruth.core.poisson_binomial import one_more, pmf_columns, pmf_window, trimmed
from fuzzytruth.core.quadrature import generating

#: number of relevant items, numbers of hits among them, and their joint chances, (hits, lists)
ClassSizes = Iterator[tuple[int, Ints, Floats]]
#: a value from the numbers of relevant items inside and outside the cut-off
OfCounts = Callable[[Array, Array], Array]

_TRIM = 32  # events between two looks for negligible ends
_NEGLIGIBLE = 1e-18
_TILTS = np.array([0.3, 0.5, 0.7, 0.85, 0.95])[:, None]  # u = 1 - t of Chernoff's bound


class Counts(NamedTuple):
    """Pmf of a number: the first number, and the probabilities from there on, (numbers, lists)."""

    first: int
    chances: Floats

    @property
    def last(self) -> int:
        """The last number."""
        return self.first + len(self.chances) - 1

    def between(self, low: int, high: int) -> Floats:
        """Probabilities of the numbers low, ..., high, all of which it must have."""
        return self.chances[low - self.first : high - self.first + 1]


def counts(p: Floats, *, long: bool) -> Counts:
    """Pmf of the number of relevant items."""
    if not long:
        return Counts(0, pmf_columns(p))
    first, chances = pmf_window(p[:, 0])
    return Counts(first, chances[:, None])


class _Growing:
    """Pmf of the number of relevant items, to which items are added one after the other."""

    def __init__(self, start: Counts, *, long: bool) -> None:
        self.now = start
        self._long, self._added = long, 0

    def add(self, p: Floats, most: int) -> None:
        """Add an item with these probabilities, (lists,); forget numbers above `most`."""
        first, chances = self.now
        chances = one_more(chances, p)[: max(1, most - first + 1)]
        self._added += 1
        if self._long and self._added % _TRIM == 0:
            first, chances = trimmed(first, chances)
        self.now = Counts(first, chances)


@np.errstate(under="ignore")
def count_moments(
    inside: Floats, others: Floats, value: OfCounts, *, long: bool, some: bool = False
) -> tuple[Floats, Floats]:
    """Mean and variance of a value of the two numbers of relevant items: (lists,) both.

    Parameters
    ----------
    inside, others : (items, lists)
        Probabilities of the items inside the cut-off, and of all others.
    value : callable
        Of a number inside and of numbers of the others, (numbers, 1).
    long : bool
        Whether to leave out what is negligible.
    some : bool
        Given that some item is relevant; NaN where none can be.
    """
    one, two = counts(inside, long=long), counts(others, long=long)
    elsewhere = np.arange(two.first, two.last + 1)[:, None]
    without = two.chances
    if some and two.first == 0:
        without = two.chances.copy()
        without[0] = 0

    def expected(of: Callable[[Array], Array] | None) -> Floats:
        total: Floats = np.zeros(inside.shape[1])
        for number, chance in enumerate(one.chances, start=one.first):
            each = without if number == 0 else two.chances
            if of is not None:
                each = each * of(value(np.asarray(number), elsewhere))
            total += chance * column_sums(each)
        return total

    mass = expected(None) if some else np.ones(inside.shape[1])
    mean = divide(expected(lambda values: values), mass, fill=np.nan)
    return mean, divide(expected(lambda values: (values - mean) ** 2), mass, fill=np.nan)


@np.errstate(under="ignore")
def count_atoms(
    inside: Floats, others: Floats, value: OfCounts, *, long: bool
) -> tuple[Floats, Floats, Bools]:
    """Values of the two numbers for a single list, their probabilities, and which is of no item."""
    one, two = counts(inside, long=long), counts(others, long=long)
    numbers = np.arange(one.first, one.last + 1)[:, None], np.arange(two.first, two.last + 1)
    chances = one.chances * two.chances[:, 0]
    values = np.broadcast_to(value(*numbers), chances.shape)
    return values.ravel(), chances.ravel(), ((numbers[0] == 0) & (numbers[1] == 0)).ravel()


def by_class_size(ranked: Floats, beyond: Floats, depth: Ints, *, long: bool) -> ClassSizes:
    """Joint pmf of the number of relevant items and of those within a depth that goes with it.

    Parameters
    ----------
    ranked : (ranks, lists)
        Probability that the item at each rank is relevant.
    beyond : (items, lists)
        Those of all other items.
    depth : (sizes,) int
        Depth if 1, 2, ... items are relevant; ascending, at most the number of ranks.
    long : bool
        Whether to leave out what is negligible.

    Yields
    ------
    size : int
        Number of relevant items, from 1.
    hits : (hits,) int
        Numbers of these within the depth.
    chances : (hits, lists)
    """
    first, last = 1, len(depth)
    if long:
        total = counts(np.concatenate((ranked, beyond)), long=True)
        first, last = max(1, total.first), min(last, total.last)
    end, possible = [0, *depth.tolist()], set(np.flatnonzero(ranked.any(axis=1)).tolist())
    deepest = np.concatenate((beyond, ranked[end[last] :][::-1]))
    growing = _Growing(counts(deepest, long=long), long=long)
    below = {}
    for size in range(last, first - 1, -1):
        for rank in range(end[min(size + 1, last)], end[size], -1):
            if rank - 1 in possible:
                growing.add(ranked[rank - 1], last)
        below[size] = growing.now
    growing = _Growing(counts(ranked[: end[first]], long=long), long=long)
    for size in range(first, last + 1):
        for rank in range(end[max(size - 1, first)] + 1, end[size] + 1):
            if rank - 1 in possible:
                growing.add(ranked[rank - 1], last)
        above, others = growing.now, below.pop(size)
        low, high = max(above.first, size - others.last), min(above.last, size - others.first)
        if low <= high:
            chances = above.between(low, high) * others.between(size - high, size - low)[::-1]
            yield size, np.arange(low, high + 1), chances


def expected_over_number(
    p: Floats, weight: Floats, others: Floats, factor: Floats, *, limit: bool, long: bool
) -> Floats:
    """Expected sum, over the relevant items inside, of a weight times a factor of their number.

    Parameters
    ----------
    p, weight : (items, lists)
        Probability and weight of each item inside.
    others : (items, lists)
        Probabilities of all other items.
    factor : (numbers,) float
        Factor if 1, 2, ... items are relevant; falling.
    limit : bool
        Whether its last entry holds for all larger numbers, too.
    long : bool
        Whether to leave out what is negligible.

    Returns
    -------
    (lists,) float
    """
    rest = float(factor[-1]) if limit else 0.0
    gap = factor[:-1] - rest if limit else factor
    out = rest * column_sums(p * weight)
    matters = np.full(p.shape[1], len(gap) > 0)
    if limit:
        matters &= ~_surely_reach(len(gap), p, others)
    some = np.flatnonzero(matters)
    if len(some):
        p, weight, others = (take_columns(each, some) for each in (p, weight, others))
        out[some] += _over_gap(p, weight, others, gap, long=long)
    return out


def _surely_reach(number: int, p: Floats, others: Floats) -> Bools:
    """Which lists have `number` relevant items almost surely, without any one item: (lists,) bool.

    By Chernoff's bound P(R ≤ n) ≤ E[t^R] / t^n for any t in (0, 1].
    """
    u = np.broadcast_to(_TILTS, (len(_TILTS), p.shape[1]))
    bound = generating(others, u) * generating(p, u) / (1 - _TILTS) ** max(number, 1)
    return np.asarray(bound.min(axis=0) < _NEGLIGIBLE)


def _over_gap(p: Floats, weight: Floats, others: Floats, gap: Floats, *, long: bool) -> Floats:
    """`expected_over_number` for a factor that is 0 for larger numbers than it has."""
    most = len(gap) - 1  # of the relevant items beside the one that is weighted
    last = counts(others, long=True) if long else Counts(0, pmf_columns(others, most))
    growing = _Growing(Counts(0, np.ones((1, p.shape[1]))), long=long)
    above = []
    for chance in p:
        above.append(growing.now)
        growing.add(chance, most)
    if not above:
        return np.zeros(p.shape[1])
    # The expected gap if so many items up to this one are relevant: of the later ones and others.
    expected = Counts(above[-1].first, _correlated(gap, last, above[-1]))
    out = np.zeros(p.shape[1])
    for j in range(len(p) - 1, -1, -1):
        first, chances = above[j]
        expected = Counts(first, _between(expected, first, first + len(chances) - 1))
        out += p[j] * weight[j] * column_sums(chances * expected.chances)
        if j:
            low, high = above[j - 1].first, above[j - 1].last
            more = _between(expected, low, high + 1)
            before = more[:-1] * (1 - p[j]) + more[1:] * p[j]
            expected = Counts(low, before)
    return out


def _correlated(gap: Floats, others: Counts, inside: Counts) -> Floats:
    """Expected gap with each number of items inside, over those of others: (numbers, lists)."""
    out = np.zeros_like(inside.chances)
    for row, number in enumerate(range(inside.first, inside.last + 1)):
        part = gap[number + others.first : number + others.last + 1, None]
        out[row] = column_sums(part * others.chances[: len(part)])
    return out


def _between(values: Counts, low: int, high: int) -> Floats:
    """Values from low to high, 0 where there are none."""
    if low == values.first and high == values.last:
        return values.chances
    out = np.zeros((high - low + 1, *values.chances.shape[1:]))
    start, stop = max(low, values.first), min(high, values.last)
    if start <= stop:
        out[start - low : stop - low + 1] = values.between(start, stop)
    return out
