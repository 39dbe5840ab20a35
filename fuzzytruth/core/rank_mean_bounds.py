"""Bounds of means of values that grow with the hits up to some rank: the mean of F over ranks, or of
interpolated precision over levels of recall.

Every term grows with the hits and falls with the number R of relevant items, so that exchange holds. Relevant
items outside the list only raise R: there are none of them for the highest value, and all for
the lowest. The number j of relevant items among those in the list remains; the best one is found
with bounds over intervals of j, in which the hits are those of one end and R is that of the other.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from fuzzytruth._typing import Array, Floats, Ints
from fuzzytruth.core.number_search import largest_over_numbers
from fuzzytruth.core.open_lists import Ends, OpenLists

#: value from the lists' lengths (lists,), the hits up to each rank (lists, ranks), and the number
#: of relevant items (lists,)
OfHits = Callable[[Ints, Array, Array], Floats]


def rank_mean_bounds(lists: OpenLists, value: OfHits) -> Ends:
    """Lowest and highest value over all completions: (cells,) both.

    Parameters
    ----------
    lists : OpenLists
    value : callable
        Grows with the hits at any rank, and falls with the number of relevant items.
    """
    return lists.ends(lambda some: _bounds(some, value))


def _bounds(lists: OpenLists, value: OfHits) -> Ends:
    hits = np.cumsum(lists.relevant, axis=-1)
    place = np.cumsum(lists.unjudged, axis=-1)
    n_open = lists.n_open

    def above(cells: Ints, first: Ints, last: Ints) -> Floats:
        more = np.minimum(place[cells], last[:, None])
        return value(lists.length[cells], hits[cells] + more, lists.n_relevant[cells] + first)

    def below(cells: Ints, first: Ints, last: Ints) -> Floats:
        more = np.maximum(place[cells] - (n_open[cells] - first)[:, None], 0)
        relevant = lists.n_relevant[cells] + lists.outside[cells] + last
        return -value(lists.length[cells], hits[cells] + more, relevant)

    return -largest_over_numbers(below, n_open), largest_over_numbers(above, n_open)
