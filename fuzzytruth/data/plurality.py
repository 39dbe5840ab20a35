"""The most frequent category of each item."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fuzzytruth.core.segments import ragged
from fuzzytruth.errors import UnjudgedItemWarning, counted, warn

if TYPE_CHECKING:
    from fuzzytruth.data.votes import Votes


def plurality(votes: Votes) -> dict[str, str]:
    """See `Assignments.plurality`."""
    n = len(votes.taxonomy)
    ballot, member = ragged(votes.sets.offsets, votes.label_set)
    named, which = np.unique(votes.item[ballot] * n + votes.sets.label[member], return_inverse=True)
    weight = np.bincount(which.reshape(-1), weights=votes.weight[ballot])
    item, label = np.divmod(named, n)
    order = np.lexsort((label, -weight, item))
    item, label = item[order], label[order]
    best = np.flatnonzero(np.diff(item, prepend=-1))
    lacking = len(votes.items) - len(best)
    if lacking:
        warn(
            f"plurality: left out: {counted(lacking, 'item')} to which nobody gave a category",
            UnjudgedItemWarning,
        )
    ids, nodes = votes.items.to_pylist(), votes.taxonomy.nodes
    pairs = zip(item[best].tolist(), label[best].tolist(), strict=True)
    return {ids[i]: nodes[c] for i, c in pairs}
