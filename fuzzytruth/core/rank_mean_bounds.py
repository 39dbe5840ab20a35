"""Bounds of means of F over ranks, or of interpolated precision over levels of recall.

Every term grows with the hits and falls with the number R of relevant items, so that exchange
holds. Relevant items outside the list only raise R: there are none of them for the highest value,
and all for the lowest. The number j of relevant items among those in the list remains; the best
one is found with bounds over intervals of j. At a rank, a value grows with j as long as new hits
are at or above it (one more relevant item and one more hit), and falls otherwise, so that a bound
at each rank is its value for the j of the interval that is nearest to the turn.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from fuzzytruth._typing import Array, Floats, Ints
from fuzzytruth.core.number_search import largest_over_numbers
from fuzzytruth.core.open_lists import Ends, OpenLists

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
    return lists.ends(lambda some: _bounds(some, value))


def _bounds(lists: OpenLists, value: OfHits) -> Ends:
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
