"""Segment operations against a plain loop, and ragged lists side by side."""

import itertools
from functools import reduce
from operator import add

import numpy as np
import pytest

from fuzzytruth.core import segments
from fuzzytruth.core.segments import LONG, column_sums, of_similar_size, offsets_of, padded

OFFSETS = np.array([0, 2, 2, 5])
LENGTHS = [[3, 0, 2], [0, 0], [0, 9, 1, 0, 5], [], [1], [17]]


@pytest.mark.parametrize("size", [0, 1, 7, 9, 130, 1000])
def test_zeros_at_the_end_and_company_change_no_bit(size: int) -> None:
    values = np.random.default_rng(1).normal(size=(20, size))

    def by_column(rows) -> np.ndarray:
        return column_sums(np.ascontiguousarray(rows.T))

    total, columns = segments.sum_in_order(values), by_column(values)
    np.testing.assert_allclose(total, values.sum(axis=-1), atol=1e-12)
    np.testing.assert_allclose(columns, values.sum(axis=-1), atol=1e-12)
    for more in (1, 3, 8, 200):
        wider = np.pad(values, ((0, 0), (0, more)))
        np.testing.assert_array_equal(segments.sum_in_order(wider), total)
        np.testing.assert_array_equal(by_column(wider), columns)
    for lists in (1, 2, 7):
        np.testing.assert_array_equal(by_column(values[:lists]), columns[:lists])


@pytest.mark.parametrize("lengths", LENGTHS)
def test_results_equal_a_loop(lengths: list[int]) -> None:
    rng = np.random.default_rng(0)
    offsets = offsets_of(np.array(lengths, dtype=int))
    whole, real = rng.integers(0, 5, (2, int(offsets[-1]))), rng.random((2, int(offsets[-1])))
    bounds = list(itertools.pairwise(offsets))

    def each(of_part, values) -> np.ndarray:
        return np.array([of_part(values[:, a:b]) for a, b in bounds]).T.reshape(2, len(bounds))

    def running(of_part, values) -> np.ndarray:
        return np.concatenate([np.empty((2, 0)), *(of_part(values[:, a:b]) for a, b in bounds)], 1)

    def equal(found, expected) -> None:
        np.testing.assert_allclose(found, expected, rtol=1e-14)

    equal(segments.segment_sum(whole, offsets), each(lambda p: p.sum(axis=1), whole))
    equal(segments.segment_max(real, offsets), each(lambda p: p.max(axis=1, initial=0), real))
    equal(segments.segment_cumsum(whole, offsets), running(lambda p: p.cumsum(axis=1), whole))
    equal(segments.segment_cumprod(real, offsets), running(lambda p: p.cumprod(axis=1), real))
    equal(segments.segment_float_cumsum(real, offsets), running(lambda p: p.cumsum(axis=1), real))
    in_order = [[reduce(add, row[a:b].tolist(), 0.0) for a, b in bounds] for row in real]
    assert segments.segment_sum_in_order(real, offsets).tolist() == in_order
    assert segments.segment_of(offsets).tolist() == np.repeat(range(len(bounds)), lengths).tolist()


@pytest.mark.parametrize("kind", [bool, np.uint8, np.int32, float])
def test_sums_of_nothing_are_of_the_type_of_other_sums(kind: type) -> None:
    some, none = np.ones((2, 300), dtype=kind), np.ones((2, 0), dtype=kind)
    of_some = segments.segment_sum(some, np.array([0, 1, 300]))
    assert of_some.tolist() == [[1, 299]] * 2
    of_none = segments.segment_sum(none, np.array([0, 0, 0]))
    assert of_none.tolist() == [[0, 0], [0, 0]]
    assert of_none.dtype == of_some.dtype


@pytest.mark.parametrize("seed", range(4))
def test_values_of_chosen_segments(seed: int) -> None:
    offsets = offsets_of(np.array([3, 0, 2, 1]))
    chosen = np.random.default_rng(seed).integers(0, 4, seed)
    owner, index = segments.ragged(offsets, chosen)
    expected = [
        (place, value)
        for place, segment in enumerate(chosen)
        for value in range(offsets[segment], offsets[segment + 1])
    ]
    assert list(zip(owner.tolist(), index.tolist(), strict=True)) == expected


def test_padding_and_columns() -> None:
    table = padded(np.arange(5), np.array([0, 3, 3, 5]))
    assert table.tolist() == [[0, 1, 2], [0, 0, 0], [3, 4, 0]]
    assert table.dtype == np.int64
    wide = padded(np.arange(10.0).reshape(2, 5), np.array([0, 3, 3, 5]), fill=np.inf, width=4)
    assert wide.shape == (2, 3, 4)
    assert wide[1, 2].tolist() == [8, 9, np.inf, np.inf]
    assert padded(np.empty(0), np.array([0])).shape == (0, 0)
    values = np.arange(1.0, 6)
    side_by_side = segments.columns(values, OFFSETS, np.array([2, 0, 1]))
    assert side_by_side.tolist() == [[3, 1, 0], [4, 2, 0], [5, 0, 0]]
    both = segments.columns(np.stack((values, -values)), OFFSETS, np.array([0, 2]), fill=9)
    assert both.tolist() == [[1, 3, -1, -3], [2, 4, -2, -4], [9, 5, 9, -5]]
    none = segments.columns(np.zeros((2, 0)), np.array([0, 0]), np.array([0]))
    assert none.shape == (0, 2)
    some = segments.take_columns(side_by_side, np.array([2, 1]))
    assert some.tolist() == side_by_side[:, [2, 1]].tolist()
    assert some.flags.c_contiguous


def test_lengths_of_runs_and_lists_of_similar_size() -> None:
    assert segments.run_lengths(np.array([3, 3, 1, 3, 3, 3])).tolist() == [2, 2, 1, 3, 3, 3]
    assert segments.run_lengths(np.empty(0, dtype=np.int64)).tolist() == []
    size = np.array([0, 1, 3, 2, LONG, LONG - 1, 5000, LONG])
    groups = [chosen.tolist() for chosen in of_similar_size(size)]
    assert groups == [[0], [1], [2, 3], [5], [4, 7], [6]]
    assert [c.tolist() for c in of_similar_size(size, alone=True)][3:] == [[5], [4], [7], [6]]
