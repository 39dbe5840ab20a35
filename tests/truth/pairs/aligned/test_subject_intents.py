"""Subjects' own judgments by intent: ranks without the items that they did not judge."""

import numpy as np

from fuzzytruth.truth.pairs.aligned import ranks_among_own
from fuzzytruth.truth.pairs.placement import Placement


def test_ranks_move_up_past_hits_of_others() -> None:
    """One query: pairs 2, 0, 1 at ranks 1, 3, 4, unjudged items between; two more queries."""
    rank = np.array([1, 3, 4, 2])
    placement = Placement(
        np.array([5, 0, 2]), np.array([0, 3, 3, 4]), np.array([2, 0, 1, 4]), rank, rank
    )
    # cell 0 judged pair 1, cell 1 pairs 0 and 1, cell 2 pair 3 (not retrieved), cell 3 pair 4
    cell, pair = np.array([0, 1, 1, 2, 3]), np.array([1, 0, 1, 3, 4])
    before = np.array([4, 3, 4, 0, 2])
    assert ranks_among_own(before, cell, pair, placement).tolist() == [2, 2, 3, 0, 2]


def test_no_hits() -> None:
    nothing = np.zeros(0, dtype=np.int64)
    placement = Placement(np.array([3]), np.array([0, 0]), nothing, nothing, nothing)
    zero = np.array([0, 0])
    assert ranks_among_own(zero, zero, np.array([0, 1]), placement).tolist() == [0, 0]
