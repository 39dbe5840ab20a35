"""Batches: cutting, repeating, counting."""

import numpy as np
import pytest
from support.building import batch_of, query

from fuzzytruth.core.arithmetic import divide

BATCH = batch_of(query([1, None, 0, 2], [3]), query([]), query([None, 1, 1], [-1, 1]))
TIED = batch_of(query([1, 0, None, 1], ties=[1, 3]))


def test_hits_are_inside_a_cutoff_or_not() -> None:
    assert BATCH.inside(None).tolist() == [1]
    assert BATCH.inside(2).tolist() == [1, 0, 0, 1, 0]
    assert BATCH.inside(np.array([3, 1, 3])).tolist() == [1, 1, 0, 1, 1]


def test_ties() -> None:
    assert not BATCH.tied
    assert TIED.tied
    assert TIED.inside(2).tolist() == [1, 1 / 3, 1 / 3]
    assert TIED.inside(4).tolist() == [1, 1, 1]
    assert TIED.hits(3, 1).tolist() == [[1 + 2 / 3]]
    assert TIED.top(1).first.tolist() == [1]
    assert TIED.top(1).tied  # as the lists are that it is of
    assert (BATCH.open.any(), TIED.open.tolist()) == (False, [True])
    resolved = TIED.without_ties()
    assert (resolved.tied, resolved.top(2).tied) == (False, False)
    assert resolved.last.tolist() == TIED.first.tolist()


def test_quotients_of_zero_are_zero() -> None:
    assert divide([[1, 0], [3, 4]], [2, 0]).tolist() == [[0.5, 0], [1.5, 0]]


def test_depths_that_cut_ties_count_as_the_depth_of_each_query() -> None:
    batch = batch_of(query([1, 0, None, 1], ties=[1, 3]), query([1, 1, 0], ties=[3]))
    together = batch.hits(np.array([3, 2]), 1)[0]
    assert together.tolist() == pytest.approx([batch.hits(3, 1)[0, 0], batch.hits(2, 1)[0, 1]])
    assert together.tolist() == pytest.approx([1 + 2 / 3, 4 / 3])
