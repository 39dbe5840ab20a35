"""Values that depend on numbers of relevant items, items being independent: exact means and atoms.

Lists lie side by side, (items, lists), padding having probability 0. All sums are of positive
numbers, so that results keep their relative accuracy however small the probabilities are. Of a
`long` list, which must come alone, negligible numbers of relevant items are left out; see
`pmf_window`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from fuzzytruth._typing import Array, Bools, Floats, Ints
from fuzzytruth.core.arithmetic import column_sums, divide, segment_sum, take_columns
from fuzzytruth.core.lists.poisson_binomial import one_more, pmf, pmf_columns, pmf_window, trimmed

# Expectations of 1/R, R the number of relevant items, by Gauss–Legendre quadrature.
#
# Items are independent: Π (1 - p + p·t) generates their number, and 1/R = ∫₀¹ t^(R - 1) dt. With
# u = 1 - t the integrand is a polynomial in u of a degree below the number of items that can be
# relevant, and falls off at least as fast as exp(-μ·u), μ = E[R]. Where that reaches exp(-33)
# within [0, 1], the integral is cut off there.
#
# Quadrature is exact with half as many nodes as items, and 20 nodes have a relative error below
# 3e-13 for any number of items. (The integrand is below exp(μ·c·(a - 1) / 2) on the ellipse around
# [0, c] with half-axes sum ρ = a + √(a² - 1), and 1/(2 + μ) bounds the integral from below:
# Trefethen 2013, theorem 19.3.)
#
# References
# ----------
# Trefethen (2013), Approximation theory and approximation practice, SIAM.


#: numbers of nodes; a list takes the first that is exact, or else the last
N_NODES = (2, 4, 8, 12, 20)
_DECAY = 33.0  # μ·u at which the integral is cut off
_MANY = 512
_CELLS = 1 << 14  # nodes × lists that are treated together
_ROWS = 160  # nodes × items that are


class Nodes(NamedTuple):
    """Nodes of some lists.

    Parameters
    ----------
    lists : (lists,) int
        Which lists.
    u, weight : (nodes, lists) float
    many : bool
        Whether the lists have so many items that the rounding of 1 - p·u adds up.
    """

    lists: Ints
    u: Floats
    weight: Floats
    many: bool


@lru_cache(maxsize=len(N_NODES))
def gauss_legendre(n: int) -> tuple[Floats, Floats]:
    """Nodes and weights on [0, 1]: (n, 1) each."""
    node, weight = np.polynomial.legendre.leggauss(n)
    return ((node + 1) / 2)[:, None], (weight / 2)[:, None]


def nodes_for(parts: list[tuple[Floats, Floats | None]]) -> Iterator[Nodes]:
    """Nodes for lists of independent items, a few lists at a time.

    Parameters
    ----------
    parts : list of (p, count)
        Items of the lists, in parts: probabilities, (items, lists), and how many items each of
        these stands for, (items, lists) or None.
    """
    mean, possible = np.zeros(parts[0][0].shape[1]), np.zeros(parts[0][0].shape[1])
    for p, count in parts:
        each = np.ones_like(p) if count is None else count
        mean += column_sums(p * each)
        possible += column_sums((p > 0) * each)
    number = np.searchsorted([*(2 * n for n in N_NODES[:-1]), _MANY], possible)
    end = np.minimum(1.0, _DECAY / np.maximum(mean, 1.0))
    for which in np.unique(number).tolist():
        many = which == len(N_NODES)
        u, weight = gauss_legendre(N_NODES[-1 if many else which])
        lists, step = np.flatnonzero(number == which), max(1, _CELLS // len(u))
        for at in range(0, len(lists), step):
            some = lists[at : at + step]
            yield Nodes(some, u * end[some], weight * end[some], many)


def rows_of(u: Floats) -> int:
    """How many items are treated together: the more, the fewer nodes there are."""
    return max(1, _ROWS // len(u))


def in_rows(p: Floats, u: Floats) -> Iterator[tuple[slice, Floats]]:
    """A few items at a time: which, and their probabilities, (items, 1, lists)."""
    rows = rows_of(u)
    for at in range(0, len(p), rows):
        some = slice(at, at + rows)
        yield some, p[some, None]


def factors(p: Floats, u: Floats) -> Floats:
    """Generating functions 1 - p·u of single items: (items, nodes, lists)."""
    out = p * -u
    out += 1
    return out


@np.errstate(under="ignore")
def generating(
    p: Floats,
    u: Floats,
    lists: Ints | None = None,
    count: Floats | None = None,
    *,
    many: bool = False,
) -> Floats:
    """Product of the generating functions of all items: (nodes, lists).

    Parameters
    ----------
    p, count : (items, all lists) float
    u : (nodes, lists) float
    lists : (lists,) int, optional
        Which lists; by default all.
    many : bool
        Whether to add up logarithms, which do not round 1 - p·u.
    """
    if lists is not None:
        p, count = take_columns(p, lists), None if count is None else take_columns(count, lists)
    product = np.zeros_like(u) if many else np.ones_like(u)
    for some, chance in in_rows(p, u):
        if many:
            log = np.log1p(chance * -u)
            product += column_sums(log if count is None else log * count[some, None])
            continue
        factor = factors(chance, u)
        if count is not None:
            np.power(factor, count[some, None], out=factor)
        product *= np.multiply.reduce(factor, axis=0)
    return np.exp(product) if many else product


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


def numbers_of(given: Counts) -> Floats:
    """The numbers that a pmf is of: (numbers,)."""
    return np.arange(given.first, given.last + 1, dtype=np.float64)


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


class Inside(NamedTuple):
    """Relevant items that are or may be inside the cut-off.

    Parameters
    ----------
    number : Counts
        Of all of them.
    hits, variance : (numbers, lists or 1)
        Mean and variance of those inside (expected over the orders of ties), given their number.
    """

    number: Counts
    hits: Floats
    variance: Floats


def _apart(inside: Floats, share: Floats, *, long: bool) -> tuple[Counts, Counts, Floats]:
    """Counts of the items that are surely inside and of those tied, and the share of these."""
    tied = share < 1  # or padding
    open_share = np.where(tied, share, 0.0)
    sure, tie = (
        counts(np.where(which, inside, 0.0)[which.any(axis=1)], long=long)
        for which in (~tied, open_share > 0)
    )
    return sure, tie, open_share.max(axis=0, initial=0.0)


def _inside(inside: Floats, share: Floats | None, *, long: bool) -> Inside:
    """See `count_moments`."""
    if share is None:
        number = counts(inside, long=long)
        hits = numbers_of(number)[:, None]
        return Inside(number, hits, np.zeros(hits.shape))
    sure, tie, share = _apart(inside, share, long=long)
    of_tie, size = numbers_of(tie)[:, None], len(sure.chances) + len(tie.chances) - 1
    chances, total, squares = np.zeros((3, size, inside.shape[1]))
    parts = [slice(a, a + len(of_tie)) for a in range(len(sure.chances))]
    for rows, each in zip(parts, sure.chances, strict=True):
        chances[rows] += each * tie.chances
        total[rows] += each * tie.chances * of_tie
    mean = divide(total, chances)  # of the tied ones, given the number of all
    for rows, each in zip(parts, sure.chances, strict=True):
        squares[rows] += each * tie.chances * (of_tie - mean[rows]) ** 2
    number = Counts(sure.first + tie.first, chances)
    hits = numbers_of(number)[:, None] - (1 - share) * mean
    return Inside(number, hits, (1 - share) ** 2 * divide(squares, chances))


@np.errstate(under="ignore")
def count_moments(
    inside: Floats,
    others: Floats,
    value: OfCounts,
    *,
    long: bool,
    some: bool = False,
    share: Floats | None = None,
    variance: bool = True,
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
    share : (items, lists), optional
        Share of the orders of ties in which an item is inside, below 1 for those of one tie; the
        value is linear in the number inside while the sum of both numbers stays.
    variance : bool
        Whether it is wanted; NaN otherwise.
    """
    (one, hits, spread), two = _inside(inside, share, long=long), counts(others, long=long)
    elsewhere = numbers_of(two)[:, None]
    without = two.chances
    if some and two.first == 0:
        without = two.chances.copy()
        without[0] = 0

    def expected(of: Callable[[int], Array] | None) -> Floats:
        total: Floats = np.zeros(inside.shape[1])
        for row, chance in enumerate(one.chances):
            each = without if one.first + row == 0 else two.chances
            total += chance * column_sums(each if of is None else each * of(row))
        return total

    def values(row: int) -> Array:
        return value(hits[row], elsewhere + (one.first + row - hits[row]))

    def squares(row: int) -> Array:
        here = values(row)
        out: Array = (here - mean) ** 2
        if spread[row].any():
            none = value(np.asarray(0), elsewhere + (one.first + row))
            out += divide(here - none, hits[row]) ** 2 * spread[row]
        return out

    mass = expected(None) if some else np.ones(inside.shape[1])
    mean = divide(expected(values), mass, fill=np.nan)
    if not variance:
        return mean, np.full_like(mean, np.nan)
    return mean, divide(expected(squares), mass, fill=np.nan)


@np.errstate(under="ignore")
def count_atoms(
    inside: Floats, others: Floats, value: OfCounts, *, long: bool, share: Floats | None = None
) -> tuple[Floats, Floats, Bools]:
    """Values of the two numbers for a single list, their probabilities, and which is of no item.

    `share` is as in `count_moments`.
    """
    if share is None:
        one = counts(inside, long=long)
        number, chance = numbers_of(one), one.chances
        hits = number
    else:
        sure, tie, of_tie = _apart(inside, share, long=long)
        both = numbers_of(sure)[:, None], numbers_of(tie)
        number, hits = (both[0] + both[1]).ravel(), (both[0] + of_tie * both[1]).ravel()
        chance = (sure.chances * tie.chances[:, 0]).reshape(-1, 1)
    two = counts(others, long=long)
    elsewhere, chances = numbers_of(two), chance * two.chances[:, 0]
    values = value(hits[:, None], elsewhere + (number - hits)[:, None])
    none = np.logical_and.outer(number == 0, elsewhere == 0)
    return np.broadcast_to(values, chances.shape).ravel(), chances.ravel(), none.ravel()


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
            expected = Counts(low, more[:-1] * (1 - p[j]) + more[1:] * p[j])
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


# Probability that none, or some, of independent events happens, segment by segment.


def log_none(p: Floats, count: Floats | None = None) -> Floats:
    """Logarithm of the probability that each event does not happen; -inf where it surely does.

    Parameters
    ----------
    p : (..., events) float
    count : (events,) or (..., events) float, optional
        How many events each one stands for.
    """
    with np.errstate(divide="ignore"):
        out = np.log1p(-p)
    return (
        out if count is None else np.multiply(out, count, out=np.zeros_like(out), where=count > 0)
    )


@np.errstate(under="ignore")
def none_and_some(p: Floats, offsets: Ints, count: Floats | None = None) -> tuple[Floats, Floats]:
    """Probability that no event of a segment happens, and that some does: (..., segments) both.

    Each has full relative accuracy: 1 minus the other would lose all digits of a small one.

    Examples
    --------
    >>> none, some = none_and_some(np.array([1e-20, 3e-20]), np.array([0, 2]))
    >>> float(none[0]), round(float(some[0]) / 4e-20, 12)
    (1.0, 1.0)
    """
    log = segment_sum(log_none(p, count), offsets)
    none = np.exp(log)
    return none, np.where(none < 0.5, 1 - none, -np.expm1(log))


# Number of relevant items among the first 1, 2, ... ranks of many lists, items independent.


def packed_size(depth: int) -> int:
    """Length of the packed pmfs of the first 1, ..., `depth` ranks: 2 + 3 + ... + (depth + 1)."""
    return depth * (depth + 3) // 2


def packed_rank(rank: int) -> slice:
    """Slice of the packed pmfs that is the pmf of the first `rank` ranks."""
    start = packed_size(rank - 1)
    return slice(start, start + rank + 1)


@np.errstate(under="ignore")
def packed_prefix_pmfs(p: Floats) -> Floats:
    """Pmfs of the number of relevant items among the first 1, ..., depth ranks, end to end.

    Parameters
    ----------
    p : (lists, depth) float
        Probability that the item at each rank is relevant.

    Returns
    -------
    (packed_size(depth), lists) float
        Lists are the last axis, so that every step is contiguous in memory.
    """
    lists, depth = p.shape
    out = np.empty((packed_size(depth), lists))
    p = np.ascontiguousarray(p.T)
    before = np.ones((1, lists))
    for rank in range(1, depth + 1):
        now = out[packed_rank(rank)]
        np.multiply(before, 1 - p[rank - 1], out=now[:-1])
        now[-1] = 0
        now[1:] += before * p[rank - 1]
        before = now
    return out


def expected_recalls(p: Floats, rest: Floats, count: Floats | None = None) -> Floats:
    """Expected recall E[X_n / R] at ranks n = 1, ..., depth: (lists, depth).

    The cumulative sum of E[X_i / R] over items, each by quadrature.

    Parameters
    ----------
    p : (lists, depth) float
    rest, count : (lists, items) float
        Probabilities of the items beyond these ranks, and how many items each stands for.
    """
    ranked, others = np.ascontiguousarray(p.T), np.ascontiguousarray(rest.T)
    number = None if count is None else np.ascontiguousarray(count.T)
    share = np.zeros(ranked.shape)
    for lists, u, weight, many in nodes_for([(ranked, None), (others, number)]):
        some = take_columns(ranked, lists)
        product = generating(others, u, lists, number, many=many)
        product *= weight * generating(some, u, many=many)
        for items, chance in in_rows(some, u):
            ratio = product * chance / factors(chance, u)  # (items, nodes, lists)
            share[items, lists] = column_sums(np.ascontiguousarray(ratio.swapaxes(0, 1)))
    return np.cumsum(share, axis=0).T


def joint_pmfs(p: Floats, rest: Floats) -> Iterator[tuple[Floats, Floats]]:
    """For each rank of one list: pmf of the relevant items up to it, and of all others.

    Parameters
    ----------
    p : (depth,) float
    rest : (items,) float
        Probabilities of the items beyond these ranks.
    """
    below = [pmf(rest)]
    for chance in p[:0:-1]:  # from the last rank to the second
        below.append(one_more(below[-1], float(chance)))
    above = np.ones(1)
    for chance, others in zip(p, reversed(below), strict=True):
        above = one_more(above, float(chance))
        yield above, others


# Exact expectations of recall and average precision over independent items, by quadrature.
#
# Kernels take lists side by side, (items, lists); padding has probability 0. See
# `fuzzytruth.core.lists.relevant_counts` for the method and its error.


def expected_recall(
    inside: Floats, rest: Floats, count: Floats | None = None, share: Floats | None = None
) -> Floats:
    """E[X / R], X the number of relevant items inside, 0/0 being 0: (lists,).

    Parameters
    ----------
    inside, rest : (items, lists)
        Probabilities of the items inside the cut-off, and of all others.
    count : (items, lists), optional
        Number of items that each of `rest` stands for.
    share : (items, lists), optional
        Share of each item inside that counts.
    """
    out = np.zeros(inside.shape[1])
    for lists, u, weight, many in nodes_for([(inside, None), (rest, count)]):
        product = generating(rest, u, lists, count, many=many)
        if many:
            product *= generating(inside, u, lists, many=True)
        total = np.zeros_like(u)
        each = None if share is None else take_columns(share, lists)
        for some, p in in_rows(take_columns(inside, lists), u):
            factor = factors(p, u)
            if not many:
                product *= np.multiply.reduce(factor, axis=0)
            np.divide(p, factor, out=factor)
            total += column_sums(factor if each is None else factor * each[some, None])
        out[lists] = column_sums(weight * product * total)
    return out


def expected_average_precision(
    inside: Floats, weight: Floats, rest: Floats, count: Floats | None = None
) -> Floats:
    """E[AP], 0 without relevant items: (lists,).

    Parameters
    ----------
    inside, weight : (items, lists)
        Probabilities of the items inside the cut-off, by rank, and 1 / their ranks.
    rest, count
        As in `expected_recall`.
    """
    out = np.zeros(inside.shape[1])
    for lists, u, measure, many in nodes_for([(inside, None), (rest, count)]):
        product = generating(rest, u, lists, count, many=many)
        if many:
            product *= generating(inside, u, lists, many=True)
        total, share, t = np.zeros_like(u), take_columns(weight, lists), 1 - u
        above = np.ones((rows_of(u) + 1, *u.shape))  # 1 + the relevant items above each
        for some, p in in_rows(take_columns(inside, lists), u):
            factor = factors(p, u)
            if not many:
                product *= np.multiply.reduce(factor, axis=0)
            np.divide(p, factor, out=factor)  # (items, nodes, lists)
            for i, each in enumerate(factor * t):
                np.add(above[i], each, out=above[i + 1])
            factor *= above[: len(factor)]
            factor *= share[some, None]
            total += column_sums(factor)
            above[0] = above[len(factor)]
        out[lists] = column_sums(measure * product * total)
    return out
