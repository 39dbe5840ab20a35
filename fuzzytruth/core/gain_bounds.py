"""Bounds of normalised cumulated gain (nDCG, nCG) of lists with unjudged items.

Let an unjudged item have any gain from 0 to the top one. The gain of the list is linear in these
gains. The ideal gain is the largest of linear functions, one for each order of the items, so that
it is convex. Their quotient is quasi-concave: its lowest value is at a corner, where each gain is
0 or the top one; its highest may lie inside.

*Lowest.* Among the corners with c items of top gain, those outside the list come first, which add
nothing to it, and then those with the smallest discounts. As c grows from their number on, the
gain of the list is convex in c and the ideal gain concave, so that the quotient is quasi-convex in
c: its lowest point is where its differences change sign.

*Highest.* By exchange, better placed items have higher gains; those outside have none. Cut gains
into the intervals between the distinct gains of the judged items, 0 and the top one. If in an
interval of width w, n judged items reach above it and j unjudged ones do, it adds w · A(j) to the
gain of the list and w · D(n + j) to the ideal gain, A(j) being the sum of the discounts of the
best placed j, and D that of the first ranks. The quotient is largest where the difference `gain -
λ · ideal` has the maximum 0 (Dinkelbach 1967), and that maximum is found interval by interval:
higher intervals have smaller n, hence steps of D that are no smaller, hence a best j that is no
larger, so that together the choices are possible gains. All of these are gains of judged items,
0, or the top one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fuzzytruth._typing import Bools, Floats, Ints
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.core.open_lists import Ends, cell_blocks
from fuzzytruth.core.segments import offsets_of, padded, segment_of, sum_in_order

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
    offsets = offsets_of(np.bincount(cell, minlength=len(unjudged)))
    side_by_side = padded(weight[rank], offsets)
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
