"""Many ranked lists end to end against lists of lists."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fuzzytruth.core.ranked_lists import RankedLists, padded, tied_places
from fuzzytruth.core.segments import offsets_of

relevances = st.lists(
    st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), max_size=5).map(lambda x: sorted(x)[::-1]),
    min_size=1,
    max_size=5,
)


def make(rows) -> RankedLists:
    offsets = offsets_of(np.array([len(row) for row in rows], dtype=int))
    values = np.array([x for row in rows for x in row], dtype=float)
    return RankedLists(offsets, values, *tied_places(offsets, values))


def unpack(lists: RankedLists):
    """(relevance, first, last) of each item of each list."""
    rows = list(zip(lists.relevance, lists.first, lists.last, strict=True))
    return [rows[a:b] for a, b in zip(lists.offsets, lists.offsets[1:], strict=False)]


@settings(max_examples=60)
@given(relevances)
def test_places_and_ties_are_counted(rows) -> None:
    lists = make(rows)
    assert lists.size.tolist() == [len(row) for row in rows]
    assert lists.list_of.tolist() == [j for j, row in enumerate(rows) for _ in row]
    assert lists.place.tolist() == [k + 1 for row in rows for k in range(len(row))]
    for row, items in zip(rows, unpack(lists), strict=True):
        for x, first, last in items:
            assert (first, last) == (1 + sum(y > x for y in row), sum(y >= x for y in row))


@settings(max_examples=60)
@given(relevances, st.data())
def test_parts_of_the_lists(rows, data) -> None:
    lists = make(rows)
    ends = sorted(data.draw(st.tuples(*[st.integers(0, len(rows))] * 2)))
    part = lists.between(slice(*ends))
    assert unpack(part) == unpack(lists)[slice(*ends)]
    assert part.offsets[0] == 0
    chosen = sorted(data.draw(st.sets(st.integers(0, len(rows) - 1))))
    some = lists.take(np.array(chosen, dtype=int))
    assert unpack(some) == [unpack(lists)[j] for j in chosen]
    assert some.list_of.tolist() == [k for k, j in enumerate(chosen) for _ in rows[j]]


def test_ties_by_several_keys() -> None:
    offsets = np.array([0, 4, 4, 6])
    relevance, level = np.array([1.0, 1.0, 1.0, 0.5, 0.5, 0.5]), np.array([1, 1, 2, 2, 2, 2])
    first, last = tied_places(offsets, relevance, level)
    assert first.tolist() == [1, 1, 3, 4, 1, 1]
    assert last.tolist() == [2, 2, 3, 4, 2, 2]
    assert [x.tolist() for x in tied_places(offsets)] == [[1] * 4 + [1] * 2, [4] * 4 + [2] * 2]
    assert [x.tolist() for x in tied_places(np.array([0, 0]), np.empty(0))] == [[], []]


@pytest.mark.parametrize(("width", "columns"), [(None, 3), (3, 3), (5, 5)])
def test_padding_ends_with_zeros(width, columns) -> None:
    table = padded(np.array([7, 8, 9, 4]), np.array([0, 3, 3, 4]), width=width)
    expected = [[7, 8, 9], [0, 0, 0], [4, 0, 0]]
    assert table.tolist() == [row + [0] * (columns - 3) for row in expected]
    assert table.dtype == np.int64
    assert padded(np.empty(0), np.array([0, 0])).shape == (1, 0)
    assert padded(np.empty(0), np.array([0])).shape == (0, 0)
