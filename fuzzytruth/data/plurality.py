"""The most frequent category of each item."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.segments import ragged
from fuzzytruth.errors import UnjudgedItemWarning, counted, warn

if TYPE_CHECKING:
    from fuzzytruth.data.votes import Votes


@dataclass(frozen=True, slots=True, eq=False)
class MostVoted:
    """The category with most votes of each item, the first of the taxonomy among equal ones.

    Parameters
    ----------
    item, category : (items,) int
        Items to which nobody gave a category are left out.
    share : (items,) float
        The category's share of the weight of the item's votes.
    tied : (items,) int
        How many categories have that share: 1 where there is one winner.
    """

    item: Ints
    category: Ints
    share: Floats
    tied: Ints


def most_voted(votes: Votes) -> MostVoted:
    """The winner of each item; a vote for several categories counts for each."""
    n = len(votes.taxonomy)
    ballot, member = ragged(votes.sets.offsets, votes.label_set)
    named, which = np.unique(votes.item[ballot] * n + votes.sets.label[member], return_inverse=True)
    weight = np.bincount(which.reshape(-1), weights=votes.weight[ballot])
    item, label = np.divmod(named, n)
    order = np.lexsort((label, -weight, item))
    item, label, weight = item[order], label[order], weight[order]
    first = np.diff(item, prepend=-1) > 0
    best = np.flatnonzero(first)
    place = np.cumsum(first) - 1  # of the item of each entry
    tied = np.bincount(place, weights=weight == weight[best][place]).astype(np.int64)
    total = np.bincount(votes.item, weights=votes.weight, minlength=len(votes.items))
    return MostVoted(item[best], label[best], weight[best] / total[item[best]], tied)


def plurality(votes: Votes) -> dict[str, str]:
    """See `Assignments.plurality`."""
    best = most_voted(votes)
    lacking = len(votes.items) - len(best.item)
    if lacking:
        warn(
            f"plurality: left out: {counted(lacking, 'item')} to which nobody gave a category",
            UnjudgedItemWarning,
        )
    ids, nodes = votes.items.to_pylist(), votes.taxonomy.nodes
    pairs = zip(best.item.tolist(), best.category.tolist(), strict=True)
    return {ids[i]: nodes[c] for i, c in pairs}
