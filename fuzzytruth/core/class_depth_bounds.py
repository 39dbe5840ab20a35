"""Bounds of measures that look as deep as there are relevant items: first tier, R-precision."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from fuzzytruth._typing import Array, Ints
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.core.open_lists import Ends, OpenLists, at, numbers_between, running_counts


@dataclass(frozen=True, slots=True)
class ClassDepth:
    """A measure (hits within `depth`) / `norm`, both growing with the number of relevant items.

    Parameters
    ----------
    depth : callable
        Depth from the number of relevant items.
    norm : callable
        Denominator from the number of relevant items and the list's length.
    per_item : float
        `depth` is at least ⌊per_item · (number of relevant items)⌋.
    """

    depth: Callable[[Array], Array]
    norm: Callable[[Array, Array], Array]
    per_item: float


def class_depth_bounds(lists: OpenLists, measure: ClassDepth) -> Ends:
    """Lowest and highest value over all completions: (cells,) both.

    If c unjudged items become relevant, the depth d is fixed, and only the number of hits within
    d varies: at most min(c, unjudged within d) are added, and at least what is left of c when all
    other unjudged items are relevant. Every c is tried, but for those that cannot be extreme.
    From the c on with which the depth reaches the end of the list, the most hits are constant
    once c is the number of unjudged items in it, and the least ones until c is the number of
    those outside, while the norm grows: the highest value has no larger c, the lowest no c
    between.
    """
    return lists.ends(lambda some: _bounds(some, measure))


def _bounds(lists: OpenLists, measure: ClassDepth) -> Ends:
    inside, outside = lists.n_open, lists.outside
    most = inside + outside
    to_end = np.ceil(lists.length / measure.per_item).astype(np.int64) + 1 - lists.n_relevant
    to_end = np.clip(to_end, 0, most)
    hits, unjudged = running_counts(lists.relevant), running_counts(lists.unjudged)

    def values(added: Ints, best: bool) -> Array:
        relevant = lists.n_relevant[:, None] + added
        depth = np.minimum(measure.depth(relevant), lists.length[:, None]).astype(np.int64)
        within = at(unjudged, depth)
        if best:
            more = np.minimum(added, within)
        else:
            more = np.maximum(added - (most[:, None] - within), 0)
        return divide(at(hits, depth) + more, measure.norm(relevant, lists.length[:, None]))

    high = values(
        numbers_between(np.zeros_like(most), np.minimum(np.maximum(to_end, inside), most)), True
    )
    low = values(numbers_between(np.zeros_like(most), to_end), False)
    low_full = values(numbers_between(outside, most), False)
    return np.minimum(low.min(axis=-1), low_full.min(axis=-1)), high.max(axis=-1)
