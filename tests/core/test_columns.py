"""Ragged lists side by side."""

from __future__ import annotations

import numpy as np
import pytest

from fuzzytruth.core.segments import LONG, column_sums, columns, of_similar_size, take_columns

OFFSETS = np.array([0, 2, 2, 5])


def test_segments_become_columns() -> None:
    values = np.arange(1.0, 6)
    table = columns(values, OFFSETS, np.array([2, 0, 1]))
    assert table.tolist() == [[3, 1, 0], [4, 2, 0], [5, 0, 0]]
    both = columns(np.stack((values, -values)), OFFSETS, np.array([0, 2]), fill=9)
    assert both.tolist() == [[1, 3, -1, -3], [2, 4, -2, -4], [9, 5, 9, -5]]
    assert columns(np.zeros((2, 0)), np.array([0, 0]), np.array([0])).shape == (0, 2)


@pytest.mark.parametrize("lists", [1, 2, 7, 400])
def test_sums_of_columns_do_not_depend_on_company(lists: int) -> None:
    values = np.random.default_rng(lists).random((1000, lists))
    alone = [column_sums(values[:, [j]]).item() for j in range(lists)]
    assert column_sums(values).tolist() == alone
    padded = np.concatenate((values, np.zeros((99, lists))))
    assert column_sums(padded).tolist() == alone


def test_sums_of_no_rows() -> None:
    assert column_sums(np.zeros((0, 3))).tolist() == [0, 0, 0]
    assert column_sums(np.zeros((0, 1))).tolist() == [0]


def test_taken_columns_are_contiguous() -> None:
    values = np.arange(12.0).reshape(3, 4)
    some = take_columns(values, np.array([3, 1]))
    assert some.tolist() == values[:, [3, 1]].tolist()
    assert some.flags.c_contiguous


def test_lists_of_similar_size() -> None:
    size = np.array([0, 1, 3, 2, LONG, LONG - 1, 5000, LONG])
    groups = [chosen.tolist() for chosen in of_similar_size(size)]
    assert groups == [[0], [1], [2, 3], [5], [4, 7], [6]]
    assert [c.tolist() for c in of_similar_size(size, alone=True)][3:] == [[5], [4], [7], [6]]
