"""Bounds of the largest value over the ranks of a list: the maximum of F, interpolated precision.

The value at a rank grows with the hits up to it, so that exchange holds. It falls with the number
R of relevant items while the hits stay the same, and rises when both grow by one.

*Highest.* The maximum over ranks and completions may be taken in any order. At a rank, the best
completion has all unjudged items up to it relevant, and no others.

*Lowest.* All items outside are relevant, which only raises R, and the j worst placed in the list.
As j grows, the values at the ranks above all of these fall, and there are fewer such ranks; those
at the other ranks rise, and there are more of them. The larger of the two maxima is therefore
lowest where they cross.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from fuzzytruth._typing import Array, Floats, Ints
from fuzzytruth.core.open_lists import Ends, OpenLists

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
    return lists.ends(lambda some: _bounds(some, value))


def _bounds(lists: OpenLists, value: AtRank) -> Ends:
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
