"""Lists without the items that a world lacks, against cutting each list by hand."""

from dataclasses import replace

import numpy as np
import pytest
from support.building import batch_of, query

from fuzzytruth.truth.inputs import all_judged, judged_only, without_missing


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


def test_judged_only() -> None:
    """Unjudged, of grade below 0, and missing in this world: all are gone."""
    short = judged_only(batch_of(query([None, 1, None, 0, -1, np.nan, 2]), query([None])))
    assert short.length.tolist() == [3, 0]
    assert short.first.tolist() == [1, 2, 3]
    assert short.gain.tolist() == [[1, 0, 2]]


def test_worlds_share_lists_in_which_all_hits_are_judged() -> None:
    batch = batch_of(query([None, (1, 0), None, None, (2, 3)], ties=[1, 2, 2]), query([]))
    short = judged_only(batch)
    assert (short.n_worlds, short.n_queries) == (2, 2)
    assert short.length.tolist() == [2, 0]
    assert (short.first.tolist(), short.last.tolist()) == ([1, 2], [1, 2])
    assert short.gain.tolist() == batch.gain.tolist()
    assert not short.open.any()


@pytest.mark.parametrize("scale", [[-1.0, 0.0], [-1.0, 0.0, 2.0], [0.0, 1.0], [0.0], [-2.0, -1.0]])
def test_hits_are_judged_where_their_grades_in_a_scale_are_0_or_more(scale: list[float]) -> None:
    """Two worlds and two queries, the second without hits."""
    grade = np.array([[scale[0], scale[-1]], [scale[-1], scale[-1]]])
    batch = batch_of(query([tuple(grade[:, 0]), None, tuple(grade[:, 1])]), query([None]))
    coded = replace(batch, code=np.searchsorted(scale, grade), scale=np.array(scale))
    expected = np.stack(((grade >= 0).all(axis=1), [True, True]), axis=1)
    assert all_judged(batch).tolist() == all_judged(coded).tolist() == expected.tolist()
