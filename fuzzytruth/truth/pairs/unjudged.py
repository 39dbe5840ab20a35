"""Places of unjudged items in one system's lists, a list for each cell."""

from __future__ import annotations

import numpy as np

from fuzzytruth._typing import Ints
from fuzzytruth.core.segments import offsets_of
from fuzzytruth.truth.pairs.placement import Placement
from fuzzytruth.truth.pairs.subject_truths import JudgedBlock, ranks_of_pairs
from fuzzytruth.truth.unjudged import UnjudgedItems


def unjudged_items(block: JudgedBlock, placement: Placement, elsewhere: Ints) -> UnjudgedItems:
    """Lay out one system's lists, cells being queries of a single world.

    Parameters
    ----------
    block : JudgedBlock
    placement : Placement
        With ties resolved.
    elsewhere : (queries,) int
        Items outside the pool that any run retrieved.
    """
    # A negative grade marks an item of the pool that was not judged.
    judged = np.flatnonzero(block.grade >= 0)
    judged = judged[np.argsort(block.cell[judged], kind="stable")]
    cell, pair, grade = block.cell[judged], block.pair[judged], block.grade[judged]
    query, n_cells = block.query_of_cell, block.n_cells
    length = placement.length[query]
    n_ranks = max(1, int(length.max(initial=0)))
    rank = ranks_of_pairs(placement, int(block.offsets[-1]))[0][pair]
    listed = rank > 0
    gain = np.full((n_cells, n_ranks), np.nan)
    gain[cell[listed], rank[listed] - 1] = grade[listed]
    unjudged = np.isnan(gain) & (np.arange(1, n_ranks + 1) <= length[:, None])
    n_judged = np.bincount(cell, minlength=n_cells)
    hits = np.diff(placement.offsets)[query]
    in_pool = np.diff(block.offsets)[query] - n_judged
    in_pool -= hits - np.bincount(cell[listed], minlength=n_cells)  # those in the list
    outside = in_pool + elsewhere[query] - (length - hits)
    return UnjudgedItems(
        gain[None],
        unjudged[None],
        outside[None],
        length,
        grade[None],
        offsets_of(n_judged),
        block.top_grade or 1.0,
    )
