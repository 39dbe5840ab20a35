"""Lowest and highest values of measures of lists with unjudged items."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields

import numpy as np

from fuzzytruth._typing import Array, Bools, Floats, Ints
from fuzzytruth.core.arithmetic import divide, offsets_of, padded, segment_of, sum_in_order

# Lists of relevant, non-relevant and unjudged items, for bounds of binary measures.
#
# How the proofs of the modules that use them go. A way to judge the unjudged items is a
# *completion*. Fix the number c of unjudged items that become relevant, so that the number of
# relevant items, and with it every norm, is fixed. An *exchange* makes one unjudged item relevant
# instead of another; if no exchange for a better place can lower a measure, then among the
# completions with c
#
# - the highest value has the best placed items relevant, those outside the list last;
# - the lowest value has the worst placed items relevant, those outside the list first.
#
# It remains to find the best c.


#: lowest and highest values: (cells,) both
Ends = tuple[Floats, Floats]

_BLOCK = 2**13  # numbers in an intermediate array, which then stays in the cache


@dataclass(frozen=True, slots=True, eq=False)
class OpenLists:
    """Some lists with the places of relevant and of unjudged items.

    Parameters
    ----------
    relevant, unjudged : (cells, ranks) bool
        Whether the item at each rank is judged relevant, or unjudged; False past a list's end.
    n_relevant : (cells,) int
        Judged relevant items, in the list or not.
    n_nonrelevant : (cells,) int
        Judged items that are not relevant.
    outside : (cells,) int
        Unjudged items that are not in the list.
    length : (cells,) int
        Items in each list.
    """

    relevant: Bools
    unjudged: Bools
    n_relevant: Ints
    n_nonrelevant: Ints
    outside: Ints
    length: Ints

    @property
    def n_open(self) -> Ints:
        """Unjudged items in each list: (cells,)."""
        return np.asarray(self.unjudged.sum(axis=-1))

    @property
    def n_hits(self) -> Ints:
        """Judged relevant items in each list: (cells,)."""
        return np.asarray(self.relevant.sum(axis=-1))

    def taken(self, cells: slice | Ints) -> OpenLists:
        """Some of the lists."""
        return OpenLists(*(getattr(self, field.name)[cells] for field in fields(self)))

    def ends(self, kernel: Callable[[OpenLists], Ends]) -> Ends:
        """Lowest and highest values by a kernel that takes many lists: (cells,) both."""
        n_cells, n_ranks = self.relevant.shape
        low, high = np.zeros(n_cells), np.zeros(n_cells)
        for cells in cell_blocks(n_cells, n_ranks):
            low[cells], high[cells] = kernel(self.taken(cells))
        return low, high


def cell_blocks(n_cells: int, width: int) -> list[slice]:
    """Slices of cells with arrays of `width` numbers for each, that fit into the cache."""
    step = max(1, _BLOCK // max(1, width))
    return [slice(start, start + step) for start in range(0, n_cells, step)]


def running_counts(marked: Bools) -> Ints:
    """Number of marked items among the first 0, 1, 2, ... ranks: (cells, ranks + 1)."""
    out = np.zeros((marked.shape[0], marked.shape[1] + 1), dtype=np.int64)
    np.cumsum(marked, axis=-1, out=out[:, 1:])
    return out


def at(table: Array, index: Array) -> Array:
    """Entries of each cell's row: (cells, entries) and (cells, n) → (cells, n)."""
    row = np.arange(0, table.size, table.shape[-1])[:, None]
    return np.take(table, index + row)


def numbers_between(first: Ints, last: Ints) -> Ints:
    """The numbers from `first` to `last`, which is repeated: (cells, n)."""
    width = int((last - first).max(initial=0)) + 1
    return np.asarray(np.minimum(first[:, None] + np.arange(width), last[:, None]))


# Bounds of average precision.


#: value from the sum over the relevant items of the list, and the number of all relevant items
OfSum = Callable[[Array, Array], Array]


def average_precision_bounds(
    lists: OpenLists, first: Floats | None = None, each: Floats | None = None, value: OfSum = divide
) -> Ends:
    """Lowest and highest AP over all judgments of the unjudged items: (cells,) both.

    AP is highest if only the top unjudged items are relevant, and lowest if only the bottom ones
    are, those outside the list first; every number of them is tried.

    Proof: a relevant item at rank r with `a` relevant ones above it adds ``first[r] + a ·
    each[r]``. If, of a given number of relevant items, one moves up past others, none of these
    terms falls as long as neither `first` nor `each` grows with rank.

    Parameters
    ----------
    lists : OpenLists
    first, each : (ranks,) float, optional
        What the items at each rank add, as above; by default 1 / rank both, which is precision.
        Neither may increase.
    value : callable, optional
        The measure from that sum and the number of relevant items; by default the quotient, and 0
        without relevant items. It grows with the sum and falls with the number.
    """
    share = 1 / np.arange(1, lists.relevant.shape[-1] + 1)
    first, each = (share if adds is None else adds for adds in (first, each))
    return lists.ends(lambda some: _bounds_of_precision(some, first, each, value))


def _bounds_of_precision(lists: OpenLists, first: Floats, each: Floats, value: OfSum) -> Ends:
    relevant, unjudged, n_relevant = lists.relevant, lists.unjudged, lists.n_relevant
    hits, place = np.cumsum(relevant, axis=-1), np.cumsum(unjudged, axis=-1)
    # How much the sum grows when the item at an unjudged rank becomes relevant: at that rank, and
    # at all relevant ranks below it.
    base = sum_in_order(relevant * (first + (hits - 1) * each))
    below = _from_end(relevant * each)
    own = first + hits * each
    counted = own + (place - 1) * each  # there, if all unjudged above are relevant
    best = np.cumsum(np.where(unjudged, counted + below, 0.0), axis=-1)
    with_any = value(base[..., None] + best, n_relevant[..., None] + place)
    high = np.where(unjudged, with_any, -np.inf).max(axis=-1, initial=-np.inf)
    high = np.maximum(high, value(base, n_relevant))
    # From the end: all unjudged items below are relevant already.
    gain = own + below + _from_end(unjudged * each) - each
    worst = _from_end(np.where(unjudged, gain, 0.0))
    taken = _from_end(unjudged)
    everywhere = n_relevant + lists.outside
    with_listed = value(base[..., None] + worst, everywhere[..., None] + taken)
    low = np.where(unjudged, with_listed, np.inf).min(axis=-1, initial=np.inf)
    return np.minimum(low, value(base, everywhere)), high


def _from_end(values: Array) -> Array:
    """Sum from each rank to the last."""
    return np.cumsum(values[..., ::-1], axis=-1)[..., ::-1]


# Bounds of measures that look as deep as there are relevant items: first tier, R-precision.


#: depth from the number of relevant items
Depth = Callable[[Array], Array]
#: denominator from the number of relevant items and the list's length
Norm = Callable[[Array, Array], Array]


def class_depth_bounds(lists: OpenLists, depth: Depth, norm: Norm, per_item: float) -> Ends:
    """Lowest and highest (hits within `depth`) / `norm` over all completions: (cells,) both.

    Both grow with the number of relevant items; the depth is at least ⌊per_item · (number of
    relevant items)⌋.

    If c unjudged items become relevant, the depth d is fixed, and only the number of hits within
    d varies: at most min(c, unjudged within d) are added, and at least what is left of c when all
    other unjudged items are relevant. Every c is tried, but for those that cannot be extreme.
    From the c on with which the depth reaches the end of the list, the most hits are constant
    once c is the number of unjudged items in it, and the least ones until c is the number of
    those outside, while the norm grows: the highest value has no larger c, the lowest no c
    between.
    """
    return lists.ends(lambda some: _bounds_at_depth(some, depth, norm, per_item))


def _bounds_at_depth(lists: OpenLists, depth: Depth, norm: Norm, per_item: float) -> Ends:
    inside, outside = lists.n_open, lists.outside
    most = inside + outside
    to_end = np.ceil(lists.length / per_item).astype(np.int64) + 1 - lists.n_relevant
    to_end = np.clip(to_end, 0, most)
    hits, unjudged = running_counts(lists.relevant), running_counts(lists.unjudged)

    def values(added: Ints, best: bool) -> Array:
        relevant = lists.n_relevant[:, None] + added
        deepest = np.minimum(depth(relevant), lists.length[:, None]).astype(np.int64)
        within = at(unjudged, deepest)
        if best:
            more = np.minimum(added, within)
        else:
            more = np.maximum(added - (most[:, None] - within), 0)
        return divide(at(hits, deepest) + more, norm(relevant, lists.length[:, None]))

    high = values(
        numbers_between(np.zeros_like(most), np.minimum(np.maximum(to_end, inside), most)), True
    )
    low = values(numbers_between(np.zeros_like(most), to_end), False)
    low_full = values(numbers_between(outside, most), False)
    return np.minimum(low.min(axis=-1), low_full.min(axis=-1)), high.max(axis=-1)


# Bounds of normalised cumulated gain (nDCG, nCG) of lists with unjudged items.
#
# Let an unjudged item have any gain from 0 to the top one. The gain of the list is linear in these
# gains. The ideal gain is the largest of linear functions, one for each order of the items, so that
# it is convex. Their quotient is quasi-concave: its lowest value is at a corner, where each gain is
# 0 or the top one; its highest may lie inside.
#
# *Lowest.* Among the corners with c items of top gain, those outside the list come first, which add
# nothing to it, and then those with the smallest discounts. As c grows from their number on, the
# gain of the list is convex in c and the ideal gain concave, so that the quotient is quasi-convex
# in c: its lowest point is where its differences change sign.
#
# *Highest.* By exchange, better placed items have higher gains; those outside have none. Cut gains
# into the intervals between the distinct gains of the judged items, 0 and the top one. If in an
# interval of width w, n judged items reach above it and j unjudged ones do, it adds w · A(j) to the
# gain of the list and w · D(n + j) to the ideal gain, A(j) being the sum of the discounts of the
# best placed j, and D that of the first ranks. The quotient is largest where the difference `gain -
# λ · ideal` has the maximum 0 (Dinkelbach 1967), and that maximum is found interval by interval:
# higher intervals have smaller n, hence steps of D that are no smaller, hence a best j that is no
# larger, so that together the choices are possible gains. All of these are gains of judged items,
# 0, or the top one.


_CONVERGED = 1e-14


@dataclass(frozen=True, slots=True, eq=False)
class GainLevels:
    """The gains of the judged items of each cell, as intervals between distinct ones.

    Parameters
    ----------
    width : (cells, levels) float
        Of each interval, from the top gain down; 0 where a cell has fewer.
    count : (cells, levels) int
        Judged items that reach above the interval.
    """

    width: Floats
    count: Ints


def gain_levels(gains: Floats, offsets: Ints, top: float) -> GainLevels:
    """Intervals between the distinct gains of each cell.

    Parameters
    ----------
    gains : (items,) float
        Of all judged items, those of cell j at ``offsets[j]:offsets[j + 1]``.
    offsets : (cells + 1,) int
    top : float
        The largest gain that an item may have.
    """
    n_cells = len(offsets) - 1
    positive = gains > 0
    cell, gain = segment_of(offsets)[positive], gains[positive]
    # The top one first, with no item, and so that each interval ends at the next gain.
    cell = np.concatenate((np.arange(n_cells), cell))
    gain = np.concatenate((np.full(n_cells, top), gain))
    order = np.lexsort((-gain, cell))
    cell, gain = cell[order], gain[order]
    last = np.append((np.diff(cell) != 0) | (np.diff(gain) != 0), True)  # of an equal gain
    place = np.arange(len(cell)) - np.searchsorted(cell, cell)  # items above, the first not counted
    cell, gain, count = cell[last], gain[last], place[last]
    below = np.append(np.where(np.diff(cell) == 0, gain[1:], 0.0), 0.0)
    of_cell = offsets_of(np.bincount(cell, minlength=n_cells))
    return GainLevels(padded(gain - below, of_cell), padded(count, of_cell, fill=0))


def normalised_gain_bounds(
    gain: Floats,
    unjudged: Bools,
    outside: Ints,
    levels: GainLevels,
    weight: Floats,
    cutoff: int | None,
) -> Ends:
    """Lowest and highest normalised gain over all gains of the unjudged items: (cells,) both.

    Parameters
    ----------
    gain : (cells, ranks) float
        Of the item at each rank, 0 where it has none.
    unjudged : (cells, ranks) bool
    outside : (cells,) int
        Unjudged items that are not among these ranks.
    levels : GainLevels
    weight : (depth,) float
        Discount of each rank, not increasing; for as many ranks as there are here, and as items may
        have a gain.
    cutoff : int or None
        Number of ranks of the ideal order.
    """
    n_cells, n_ranks = gain.shape
    ideal = np.concatenate(([0.0], np.cumsum(weight[:cutoff])))
    low, high = np.zeros(n_cells), np.zeros(n_cells)
    for cells in cell_blocks(n_cells, n_ranks):
        some = GainLevels(levels.width[cells], levels.count[cells])
        base = sum_in_order(gain[cells] * weight[:n_ranks])
        placed = _placed(unjudged[cells], weight)
        high[cells] = _highest(base, placed, some, ideal)
        low[cells] = _lowest(base, placed, outside[cells], some, ideal)
    return low, high


def _placed(unjudged: Bools, weight: Floats) -> Floats:
    """Sum of the discounts of the best placed 0, 1, 2, ... unjudged items: (cells, most + 1)."""
    cell, rank = np.nonzero(unjudged)
    side_by_side = padded(weight[rank], offsets_of(np.bincount(cell, minlength=len(unjudged))))
    return np.cumsum(np.pad(side_by_side, ((0, 0), (1, 0))), axis=-1)


def _ideal_gain(levels: GainLevels, more: Ints, ideal: Floats) -> Floats:
    """Ideal gain with `more` (cells,) items of top gain: (cells,)."""
    depth = np.minimum(levels.count + more[:, None], len(ideal) - 1)
    return np.asarray(np.einsum("cl,cl->c", levels.width, ideal[depth]))


def _highest(base: Floats, placed: Floats, levels: GainLevels, ideal: Floats) -> Floats:
    numbers = placed.shape[-1]
    # Row n: the ideal gain of n, n + 1, ... items.
    constant = np.full(numbers + int(levels.count.max(initial=0)), ideal[-1])
    rows = np.lib.stride_tricks.sliding_window_view(np.concatenate((ideal, constant)), numbers)
    out = divide(base, _ideal_gain(levels, np.zeros(len(base), dtype=np.int64), ideal))
    active = np.arange(len(base))
    while len(active):
        width, count = levels.width[active], levels.count[active]
        own, share = placed[active], out[active]
        total, best = base[active].copy(), np.zeros(len(active))
        row = np.arange(len(active))
        for level in range(width.shape[-1]):
            other = rows[count[:, level]]  # (active, numbers)
            # Past a cell's last unjudged item, `own` is constant, so that none is chosen.
            number = np.argmax(own - share[:, None] * other, axis=-1)
            total += width[:, level] * own[row, number]
            best += width[:, level] * other[row, number]
        found = divide(total, best)
        out[active] = np.maximum(share, found)
        active = active[found > share + _CONVERGED]
    return np.minimum(out, 1.0)


def _lowest(
    base: Floats, placed: Floats, outside: Ints, levels: GainLevels, ideal: Floats
) -> Floats:
    row, top = np.arange(len(base)), levels.width.sum(axis=-1)
    last = placed[:, -1]
    # `placed` is constant past a cell's last item; the worst placed ones end there.
    n_open = (np.diff(placed, axis=-1) > 0).sum(axis=-1)

    def parts(number: Ints) -> tuple[Floats, Floats]:
        added = last - placed[row, n_open - number]
        return base + top * added, _ideal_gain(levels, outside + number, ideal)

    first, end = np.zeros_like(n_open), n_open.copy()
    while (first < end).any():  # the first number after which the quotient does not fall
        middle = (first + end) // 2
        total, best = parts(middle)
        next_total, next_best = parts(np.minimum(middle + 1, n_open))
        falls = next_total * best < total * next_best
        first = np.where(falls, middle + 1, first)
        end = np.where(falls, end, middle)
    return np.minimum(divide(*parts(first)), 1.0)


# Bounds of the largest value over the ranks of a list: the maximum of F, interpolated precision.
#
# The value at a rank grows with the hits up to it, so that exchange holds. It falls with the number
# R of relevant items while the hits stay the same, and rises when both grow by one.
#
# *Highest.* The maximum over ranks and completions may be taken in any order. At a rank, the best
# completion has all unjudged items up to it relevant, and no others.
#
# *Lowest.* All items outside are relevant, which only raises R, and the j worst placed in the list.
# As j grows, the values at the ranks above all of these fall, and there are fewer such ranks; those
# at the other ranks rise, and there are more of them. The larger of the two maxima is therefore
# lowest where they cross.


#: value at each rank from the hits up to it and the number of relevant items: (cells, ranks) all
AtRank = Callable[[Array, Array], Array]


def peak_bounds(lists: OpenLists, value: AtRank) -> Ends:
    """Lowest and highest value over all completions: (cells,) both.

    Parameters
    ----------
    lists : OpenLists
    value : callable
        Value at each rank, 0 or more; hits and relevant items broadcast to (cells, ranks).
    """
    return lists.ends(lambda some: _bounds_of_peak(some, value))


def _bounds_of_peak(lists: OpenLists, value: AtRank) -> Ends:
    hits = np.cumsum(lists.relevant, axis=-1)
    place = np.cumsum(lists.unjudged, axis=-1)
    high = value(hits + place, lists.n_relevant[:, None] + place).max(axis=-1, initial=0.0)
    n_open = lists.n_open

    def sides(number: Ints) -> tuple[Floats, Floats]:
        """Largest values above and from the first of the `number` worst placed items on."""
        more = place - (n_open - number)[:, None]
        relevant = (lists.n_relevant + lists.outside + number)[:, None]
        values = value(hits + np.maximum(more, 0), relevant)
        above = np.where(more <= 0, values, 0.0).max(axis=-1, initial=0.0)
        return above, np.where(more > 0, values, 0.0).max(axis=-1, initial=0.0)

    first, end = np.zeros_like(n_open), n_open.copy()
    while (first < end).any():  # the first number with which the lower side is no smaller
        middle = (first + end) // 2
        above, rest = sides(middle)
        first = np.where(rest < above, np.minimum(middle + 1, end), first)
        end = np.where(rest < above, end, middle)
    low = np.minimum(np.maximum(*sides(first)), np.maximum(*sides(np.maximum(first - 1, 0))))
    return low, high


# The best of many numbers, by bounds of a function over intervals (branch and bound).


_EQUAL = 1e-14  # of values of at most about 1

#: (cells, first, last), all (intervals,) → no less than the function on each interval
Above = Callable[[Ints, Ints, Ints], Floats]


def largest_over_numbers(above: Above, last: Ints) -> Floats:
    """Largest value of a function of a whole number, for many cells at once: (cells,).

    An interval is halved as long as the function may exceed the largest value found so far on
    it. The result is that of trying every number, up to a rounding error.

    Parameters
    ----------
    above : callable
        No less than the function of `cells` anywhere from `first` to `last`; its value if these are
        equal. Smaller intervals must not have larger bounds.
    last : (cells,) int
        The largest number of each cell; the smallest is 0.

    Examples
    --------
    >>> square = np.array([0.0, 0.3, 0.7, 0.2])
    >>> def above(cells, first, last):
    ...     return np.array([square[a : b + 1].max() for a, b in zip(first, last, strict=True)])
    >>> largest_over_numbers(above, np.array([3, 1])).tolist()
    [0.7, 0.3]
    """
    cells = np.arange(len(last))
    first, end = np.zeros_like(last), last.copy()
    found = above(cells, first, first)
    while len(cells):
        middle = (first + end) // 2
        np.maximum.at(found, cells, above(cells, middle, middle))
        # The middle is done; left and right of it remain.
        cells = np.concatenate((cells, cells))
        first, end = np.concatenate((first, middle + 1)), np.concatenate((middle - 1, end))
        some = first <= end
        cells, first, end = cells[some], first[some], end[some]
        promising = above(cells, first, end) > found[cells] + _EQUAL
        cells, first, end = cells[promising], first[promising], end[promising]
    return found


# Bounds of means of F over ranks, or of interpolated precision over levels of recall.
#
# Every term grows with the hits and falls with the number R of relevant items, so that exchange
# holds. Relevant items outside the list only raise R: there are none of them for the highest value,
# and all for the lowest. The number j of relevant items among those in the list remains; the best
# one is found with bounds over intervals of j. At a rank, a value grows with j as long as new hits
# are at or above it (one more relevant item and one more hit), and falls otherwise, so that a bound
# at each rank is its value for the j of the interval that is nearest to the turn.


#: value from the lists' lengths (lists,), the hits up to each rank (lists, ranks), and the number
#: of relevant items (lists, ranks), the same at all ranks or, for a bound, extreme at the first
OfHits = Callable[[Ints, Array, Array], Floats]


def rank_mean_bounds(lists: OpenLists, value: OfHits) -> Ends:
    """Lowest and highest value over all completions: (cells,) both.

    Parameters
    ----------
    lists : OpenLists
    value : callable
        Grows with the hits at any rank, and falls with the number of relevant items.
    """
    return lists.ends(lambda some: _bounds_of_rank_mean(some, value))


def _bounds_of_rank_mean(lists: OpenLists, value: OfHits) -> Ends:
    hits = np.cumsum(lists.relevant, axis=-1, dtype=np.float64)
    place = np.cumsum(lists.unjudged, axis=-1, dtype=np.float64)
    n_open = lists.n_open
    below = n_open[:, None] - place  # unjudged items below each rank
    least = lists.n_relevant[:, None].astype(np.float64)
    most = least + lists.outside[:, None]

    def above_value(cells: Ints, first: Ints, last: Ints) -> Floats:
        more = np.minimum(place[cells], last[:, None])
        relevant = np.maximum(more, first[:, None])  # the number that is nearest to the turn
        relevant += least[cells]
        more += hits[cells]
        return value(lists.length[cells], more, relevant)

    def below_value(cells: Ints, first: Ints, last: Ints) -> Floats:
        relevant = np.maximum(below[cells], first[:, None])
        more = first[:, None] - below[cells]
        np.maximum(more, 0.0, out=more)
        np.minimum(relevant, last[:, None], out=relevant)
        relevant += most[cells]
        more += hits[cells]
        return -value(lists.length[cells], more, relevant)

    return -largest_over_numbers(below_value, n_open), largest_over_numbers(above_value, n_open)


# Bounds of binary preference (bpref) of lists with unjudged items.
#
# With R relevant and N non-relevant items, bpref is the sum, over the relevant items in the list,
# of 1 - min(non-relevant items above, P) / P with P = min(R, N), divided by R. After a completion
# every item of the list is judged. With c unjudged items relevant, R, N and P are fixed, no term is
# negative, and a better place of a relevant item takes it, or those between, no further down:
# exchange holds.
#
# Every c is tried, but for those that cannot be extreme. P is R as long as R ≤ N, and then N. Where
# only the number of relevant items outside the list varies, the items above each hit are fixed, and
# bpref falls with c where P is N: P falls, and R grows. Where P is R, each hit adds max(1/R -
# above/R², 0), which
#
# - falls from R = 2 · above on: the highest value has no larger R, if all in the list are relevant;
# - is concave in 1/R from R = above on, so that between the largest `above` and the last c without
# a
#   relevant item in the list, the lowest value is at an end.


@dataclass(frozen=True, slots=True, eq=False)
class _Counts:
    """Ascending whole numbers of each cell, for sums of their minimum with a limit.

    Parameters
    ----------
    up_to : (cells, limits + 1) int
        How many are at most -1 (none), 0, 1, 2, ...
    sums : (cells, most + 1) int
        Sums of the first 0, 1, 2, ...
    """

    up_to: Ints
    sums: Ints

    def capped(self, start: Ints, stop: Ints, shift: Ints, limit: Ints) -> Ints:
        """Sum of min(number + shift, limit) over those from `start` up to `stop`: (cells, n)."""
        last = self.up_to.shape[-1] - 1
        below = at(self.up_to, np.minimum(np.maximum(limit - shift + 1, 0), last))
        free = np.minimum(np.maximum(below, start), stop)
        total: Ints = at(self.sums, free) - at(self.sums, start)
        return total + shift * (free - start) + (stop - free) * limit


def _counts_of(above: Ints, marked: Bools) -> _Counts:
    """The numbers `above` at the marked ranks, which ascend."""
    n_cells, n_ranks = marked.shape
    cell, rank = np.nonzero(marked)
    values = above[cell, rank]
    width = n_ranks + 2
    key = cell * width + values + 1
    up_to = np.bincount(key, minlength=n_cells * width).reshape(n_cells, width).cumsum(axis=-1)
    side_by_side = padded(values, offsets_of(np.bincount(cell, minlength=n_cells)))
    return _Counts(up_to, np.cumsum(np.pad(side_by_side, ((0, 0), (1, 0))), axis=-1))


def preference_bounds(lists: OpenLists) -> Ends:
    """Lowest and highest bpref over all completions: (cells,) both."""
    return lists.ends(_bounds_of_preference)


def _bounds_of_preference(lists: OpenLists) -> Ends:
    listed = np.arange(lists.relevant.shape[-1]) < lists.length[:, None]
    wrong = running_counts(listed & ~lists.relevant & ~lists.unjudged)[:, :-1]
    either = running_counts(listed & ~lists.relevant)[:, :-1]
    places = _Places(
        lists,
        _counts_of(wrong, lists.relevant),
        _counts_of(either, lists.relevant),
        _counts_of(wrong, lists.unjudged),
        _counts_of(either - wrong, lists.relevant),
    )
    most = lists.n_open + lists.outside
    deepest = np.asarray(wrong.max(axis=-1, initial=0))
    last = np.clip(2 * deepest - lists.n_relevant, lists.n_open, most)
    high = places.highest(numbers_between(np.zeros_like(most), last))
    to_deepest = np.clip(either.max(axis=-1, initial=0) - lists.n_relevant, 0, lists.outside)
    low = places.lowest(numbers_between(np.zeros_like(most), to_deepest))
    low_full = places.lowest(numbers_between(lists.outside, most))
    return np.minimum(low.min(axis=-1), low_full.min(axis=-1)), high.max(axis=-1)


@dataclass(frozen=True, slots=True, eq=False)
class _Places:
    """Numbers of items above the hits.

    Parameters
    ----------
    lists : OpenLists
    relevant : _Counts
        Judged non-relevant items above each judged relevant one.
    relevant_all : _Counts
        The same with the unjudged items.
    unjudged : _Counts
        Judged non-relevant items above each unjudged one.
    open_above : _Counts
        Unjudged items above each judged relevant one.
    """

    lists: OpenLists
    relevant: _Counts
    relevant_all: _Counts
    unjudged: _Counts
    open_above: _Counts

    def highest(self, added: Ints) -> Array:
        """Bpref with so many items relevant, the best placed ones: (cells, n)."""
        limit, hits = self._limit(added), self.lists.n_hits[:, None]
        top = np.minimum(added, self.lists.n_open[:, None])
        none = np.zeros_like(top)
        # Hits above the last new one have new relevant items above them, the others also the rest.
        turn = at(self.open_above.up_to, top + 1)
        wrong = self.unjudged.capped(none, top, none, limit)
        wrong += self.relevant.capped(none, turn, none, limit)
        wrong += self.relevant_all.capped(turn, hits, -top, limit)
        return self._value(added, hits + top, wrong, limit)

    def lowest(self, added: Ints) -> Array:
        """Bpref with so many items relevant, the worst placed ones: (cells, n)."""
        limit, hits = self._limit(added), self.lists.n_hits[:, None]
        n_open = self.lists.n_open[:, None]
        rest = n_open - np.maximum(added - self.lists.outside[:, None], 0)  # not relevant, on top
        none = np.zeros_like(rest)
        turn = at(self.open_above.up_to, rest + 1)
        wrong = self.relevant_all.capped(none, turn, none, limit)
        wrong += self.relevant.capped(turn, hits, rest, limit)
        wrong += self.unjudged.capped(rest, n_open, rest, limit)
        return self._value(added, hits + n_open - rest, wrong, limit)

    def _limit(self, added: Ints) -> Ints:
        lists = self.lists
        relevant = lists.n_relevant[:, None] + added
        items = lists.n_relevant + lists.n_nonrelevant + lists.n_open + lists.outside
        return np.asarray(np.minimum(relevant, items[:, None] - relevant))

    def _value(self, added: Ints, hits: Ints, wrong: Ints, limit: Ints) -> Floats:
        return divide(hits - divide(wrong, limit), self.lists.n_relevant[:, None] + added)
