"""Lists without the items that a world lacks, against cutting each list by hand."""

from __future__ import annotations

import numpy as np
import pytest
from support.building import batch_of, query

from fuzzytruth.truth.without_missing import without_missing


def test_ranks_move_up() -> None:
    batch = batch_of(query([1, np.nan, None, 0, np.nan, 2]), query([np.nan]), query([]))
    short = without_missing(batch)
    assert short.length.tolist() == [4, 0, 0]
    assert short.offsets.tolist() == [0, 3, 3, 3]
    assert short.first.tolist() == [1, 3, 4]
    assert short.gain.tolist() == [[1, 0, 2]]


def test_worlds_become_queries() -> None:
    batch = batch_of(query([1, 0, 2]))
    gain = np.array([[1.0, np.nan, 2.0], [np.nan, 0.0, np.nan]])
    levels = type(batch.levels)(
        batch.levels.offsets, batch.levels.grade, np.repeat(batch.levels.count, 2, axis=0)
    )
    two = type(batch)(batch.length, batch.layout, batch.first, batch.last, gain, levels, 2.0)
    short = without_missing(two)
    assert (short.n_worlds, short.n_queries) == (1, 2)
    assert short.length.tolist() == [2, 1]
    assert short.first.tolist() == [1, 2, 1]
    assert short.gain.tolist() == [[1, 2, 0]]


@pytest.mark.parametrize("ties", [[1, 3], [2, 2], [4]])
def test_ties_lose_their_missing_members(ties: list[int]) -> None:
    batch = batch_of(query([1, np.nan, 0, 2], ties=ties))
    short = without_missing(batch)
    order = np.argsort(short.first, kind="stable")
    grades = batch.gain[0][~np.isnan(batch.gain[0])]
    assert sorted(short.gain[0].tolist()) == sorted(grades.tolist())
    assert short.length.tolist() == [3]
    assert (short.first[order] >= 1).all()
    assert (short.last <= 3).all()
    assert (short.last >= short.first).all()


def test_no_hits_at_all() -> None:
    short = without_missing(batch_of(query([None, None]), query([])))
    assert short.length.tolist() == [2, 0]
    assert short.first.tolist() == []
