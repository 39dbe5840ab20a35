"""Lowest and highest average precision of lists with unjudged items."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from fuzzytruth._typing import Array, Bools, Floats, Ints
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.core.open_lists import Ends, cell_blocks
from fuzzytruth.core.segments import sum_in_order

#: value from the sum over the relevant items of the list, and the number of all relevant items
OfSum = Callable[[Array, Array], Array]


def average_precision_bounds(
    relevant: Array,
    unjudged: Array,
    n_relevant: Array,
    outside: Array,
    *,
    first: Floats | None = None,
    each: Floats | None = None,
    value: OfSum = divide,
) -> tuple[Array, Array]:
    """Lowest and highest AP over all judgments of the unjudged items: (...) both.

    AP is highest if only the top unjudged items are relevant, and lowest if only the bottom ones
    are, those outside the list first; every number of them is tried.

    Proof: a relevant item at rank r with `a` relevant ones above it adds ``first[r] + a ·
    each[r]``. If, of a given number of relevant items, one moves up past others, none of these
    terms falls as long as neither `first` nor `each` grows with rank.

    Parameters
    ----------
    relevant, unjudged : (..., ranks) bool
        Whether the item at each rank is judged relevant, or unjudged.
    n_relevant, outside : (...) int
        Number of judged relevant items, and of unjudged items that are not in the list.
    first, each : (ranks,) float, optional
        What the items at each rank add, as above; by default 1 / rank both, which is precision.
        Neither may increase.
    value : callable, optional
        The measure from that sum and the number of relevant items; by default the quotient, and 0
        without relevant items. It grows with the sum and falls with the number.
    """
    shape, n_ranks = relevant.shape[:-1], relevant.shape[-1]
    rank = np.arange(1, n_ranks + 1)
    adds = (1 / rank if first is None else first, 1 / rank if each is None else each)
    low, high = np.zeros(n_relevant.size), np.zeros(n_relevant.size)
    lists = relevant.reshape(-1, n_ranks), unjudged.reshape(-1, n_ranks)
    counts = n_relevant.ravel(), outside.ravel()
    for cells in cell_blocks(low.size, n_ranks):
        relevant, unjudged = lists[0][cells], lists[1][cells]
        some = counts[0][cells], counts[1][cells]
        low[cells], high[cells] = _bounds(relevant, unjudged, *some, *adds, value)
    return low.reshape(shape), high.reshape(shape)


def _bounds(
    relevant: Bools,
    unjudged: Bools,
    n_relevant: Ints,
    outside: Ints,
    first: Floats,
    each: Floats,
    value: OfSum,
) -> Ends:
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
    everywhere = n_relevant + outside
    with_listed = value(base[..., None] + worst, everywhere[..., None] + taken)
    low = np.where(unjudged, with_listed, np.inf).min(axis=-1, initial=np.inf)
    return np.minimum(low, value(base, everywhere)), high


def _from_end(values: Array) -> Array:
    """Sum from each rank to the last."""
    out: Array = np.cumsum(values[..., ::-1], axis=-1)[..., ::-1]
    return out
