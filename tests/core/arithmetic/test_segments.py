"""Segment operations against a plain loop, and ragged lists side by side."""

import itertools
from functools import reduce
from operator import add

import numpy as np
import pytest

from fuzzytruth.core import arithmetic
from fuzzytruth.core.arithmetic import LONG, column_sums, of_similar_size, offsets_of

LENGTHS = [[3, 0, 2], [0, 0], [0, 9, 1, 0, 5], [], [1], [17]]


@pytest.mark.parametrize("size", [0, 1, 7, 9, 130, 1000])
def test_zeros_at_the_end_and_company_change_no_bit(size: int) -> None:
    values = np.random.default_rng(1).normal(size=(20, size))

    def by_column(rows) -> np.ndarray:
        return column_sums(np.ascontiguousarray(rows.T))

    total, columns = arithmetic.sum_in_order(values), by_column(values)
    np.testing.assert_allclose(total, values.sum(axis=-1), atol=1e-12)
    np.testing.assert_allclose(columns, values.sum(axis=-1), atol=1e-12)
    for more in (1, 3, 8, 200):
        wider = np.pad(values, ((0, 0), (0, more)))
        np.testing.assert_array_equal(arithmetic.sum_in_order(wider), total)
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

    equal(arithmetic.segment_sum(whole, offsets), each(lambda p: p.sum(axis=1), whole))
    equal(arithmetic.segment_max(real, offsets), each(lambda p: p.max(axis=1, initial=0), real))
    equal(arithmetic.segment_cumsum(whole, offsets), running(lambda p: p.cumsum(axis=1), whole))
    equal(arithmetic.segment_cumprod(real, offsets), running(lambda p: p.cumprod(axis=1), real))
    equal(arithmetic.segment_float_cumsum(real, offsets), running(lambda p: p.cumsum(axis=1), real))
    in_order = [[reduce(add, row[a:b].tolist(), 0.0) for a, b in bounds] for row in real]
    assert arithmetic.segment_sum_in_order(real, offsets).tolist() == in_order
    assert (
        arithmetic.segment_of(offsets).tolist() == np.repeat(range(len(bounds)), lengths).tolist()
    )


def test_lengths_of_runs_and_lists_of_similar_size() -> None:
    assert arithmetic.run_lengths(np.array([3, 3, 1, 3, 3, 3])).tolist() == [2, 2, 1, 3, 3, 3]
    assert arithmetic.run_lengths(np.empty(0, dtype=np.int64)).tolist() == []
    size = np.array([0, 1, 3, 2, LONG, LONG - 1, 5000, LONG])
    groups = [chosen.tolist() for chosen in of_similar_size(size)]
    assert groups == [[0], [1], [2, 3], [5], [4, 7], [6]]
    assert [c.tolist() for c in of_similar_size(size, alone=True)][3:] == [[5], [4], [7], [6]]
