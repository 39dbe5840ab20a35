"""Ragged ranked lists, by hand."""

import numpy as np

from fuzzytruth.core.lists.ranked_lists import RankedLists, tied_places

OFFSETS = np.array([0, 3, 3, 5])
RELEVANCE = np.array([1.0, 1.0, 0.5, 0.5, 0.5])
LISTS = RankedLists(OFFSETS, RELEVANCE, *tied_places(OFFSETS, RELEVANCE))


def columns(lists: RankedLists) -> list[list[float]]:
    return [x.tolist() for x in (lists.offsets, lists.relevance, lists.first, lists.last)]


def test_tied_places() -> None:
    assert LISTS.first.tolist() == [1, 1, 3, 1, 1]
    assert LISTS.last.tolist() == [2, 2, 3, 2, 2]
    first, last = tied_places(OFFSETS, RELEVANCE, np.array([1, 2, 3, 7, 7]))
    assert first.tolist() == [1, 2, 3, 1, 1]
    assert last.tolist() == [1, 2, 3, 2, 2]
    assert tied_places(np.array([0, 0]), np.empty(0))[0].tolist() == []


def test_sizes_places_and_some_of_the_lists() -> None:
    assert LISTS.size.tolist() == [3, 0, 2]
    assert LISTS.list_of.tolist() == [0, 0, 0, 2, 2]
    assert LISTS.place.tolist() == [1, 2, 3, 1, 2]
    last_two = [[0, 0, 2], [0.5, 0.5], [1, 1], [2, 2]]
    assert columns(LISTS.between(slice(1, 3))) == last_two
    assert columns(LISTS.take(np.array([1, 2]))) == last_two
    assert columns(LISTS.take(np.array([2]))) == [[0, 2], [0.5, 0.5], [1, 1], [2, 2]]
    assert columns(LISTS.between(slice(0, 9))) == columns(LISTS)
