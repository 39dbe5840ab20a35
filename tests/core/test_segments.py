"""Segment operations against a plain loop."""

import itertools
from functools import reduce
from operator import add

import numpy as np
import pytest

from fuzzytruth.core.segments import (
    offsets_of,
    padded,
    ragged,
    run_lengths,
    segment_cumprod,
    segment_cumsum,
    segment_float_cumsum,
    segment_max,
    segment_of,
    segment_sum,
    segment_sum_in_order,
    sum_in_order,
)


@pytest.mark.parametrize("size", [0, 1, 7, 9, 130, 1000])
def test_zeros_at_the_end_change_no_bit(size: int) -> None:
    values = np.random.default_rng(1).normal(size=(20, size))
    total = sum_in_order(values)
    assert total.shape == (20,)
    np.testing.assert_allclose(total, values.sum(axis=-1), atol=1e-12)
    for more in (1, 3, 8, 200):
        wider = np.pad(values, ((0, 0), (0, more)))
        np.testing.assert_array_equal(sum_in_order(wider), total)


@pytest.mark.parametrize("lengths", [[3, 0, 2], [0, 0], [0, 4, 0], [], [1], [2, 0]])
def test_sum_and_cumsum_equal_a_loop(lengths: list[int]) -> None:
    rng = np.random.default_rng(0)
    offsets = offsets_of(np.array(lengths, dtype=int))
    values = rng.integers(0, 5, (2, int(offsets[-1])))
    parts = [values[:, a:b] for a, b in itertools.pairwise(offsets)]
    expected = np.array([p.sum(axis=1) for p in parts]).T.reshape(2, len(parts))
    np.testing.assert_array_equal(segment_sum(values, offsets), expected)
    running = [np.cumsum(p, axis=1) for p in parts]
    joined = np.concatenate(running, axis=1) if running else np.empty((2, 0))
    np.testing.assert_array_equal(segment_cumsum(values, offsets), joined)
    np.testing.assert_array_equal(segment_of(offsets), np.repeat(range(len(parts)), lengths))


def test_booleans_are_counted() -> None:
    assert segment_sum(np.ones(300, dtype=bool), np.array([0, 300])).tolist() == [300]


@pytest.mark.parametrize("lengths", [[3, 0, 2], [0, 9, 1, 0, 5], [], [0], [17]])
def test_cumprod_and_max_equal_a_loop(lengths: list[int]) -> None:
    offsets = offsets_of(np.array(lengths, dtype=int))
    values = np.random.default_rng(1).random((2, int(offsets[-1])))
    parts = [values[:, a:b] for a, b in itertools.pairwise(offsets)]
    running = np.concatenate([np.cumprod(p, axis=1) for p in parts] or [np.empty((2, 0))], axis=1)
    np.testing.assert_allclose(segment_cumprod(values, offsets), running, rtol=1e-14)
    added = segment_float_cumsum(values, offsets)
    for part, (a, b) in zip(parts, itertools.pairwise(offsets), strict=True):
        np.testing.assert_allclose(added[:, a:b], part.cumsum(axis=1), rtol=1e-14)
    largest = np.array([p.max(axis=1, initial=0) for p in parts]).T.reshape(2, len(parts))
    np.testing.assert_array_equal(segment_max(values, offsets), largest)


@pytest.mark.parametrize("lengths", [[3, 0, 2, 1], [0], [4]])
@pytest.mark.parametrize("seed", range(4))
def test_values_of_chosen_segments(lengths: list[int], seed: int) -> None:
    offsets = offsets_of(np.array(lengths))
    chosen = np.random.default_rng(seed).integers(0, len(lengths), seed)
    owner, index = ragged(offsets, chosen)
    expected = [
        (place, value)
        for place, segment in enumerate(chosen)
        for value in range(offsets[segment], offsets[segment + 1])
    ]
    assert list(zip(owner.tolist(), index.tolist(), strict=True)) == expected


def test_padding() -> None:
    offsets = np.array([0, 3, 3, 5])
    table = padded(np.arange(5), offsets)
    assert table.tolist() == [[0, 1, 2], [0, 0, 0], [3, 4, 0]]
    assert table.dtype == np.int64
    wide = padded(np.arange(10.0).reshape(2, 5), offsets, fill=np.inf, width=4)
    assert wide.shape == (2, 3, 4)
    assert wide[1, 2].tolist() == [8, 9, np.inf, np.inf]
    assert padded(np.empty(0), np.array([0])).shape == (0, 0)


def test_lengths_of_runs() -> None:
    assert run_lengths(np.array([3, 3, 1, 3, 3, 3])).tolist() == [2, 2, 1, 3, 3, 3]
    assert run_lengths(np.array([0])).tolist() == [1]
    assert run_lengths(np.empty(0, dtype=np.int64)).tolist() == []


def test_sums_in_order_are_those_of_a_loop() -> None:
    rng = np.random.default_rng(0)
    offsets = np.array([0, 0, 3, 40, 40])
    values = rng.random((2, 40))
    found = segment_sum_in_order(values, offsets)
    parts = [[row[s:e].tolist() for s, e in itertools.pairwise(offsets)] for row in values]
    expected = [[reduce(add, part, 0.0) for part in row] for row in parts]
    assert found.tolist() == expected
    with_zeros = segment_sum_in_order(np.insert(values, 5, 0.0, axis=1), offsets + (offsets > 5))
    assert with_zeros.tolist() == expected
    assert segment_sum_in_order(np.zeros((2, 0)), np.zeros(3, dtype=int)).tolist() == [[0, 0]] * 2


@pytest.mark.parametrize("kind", [bool, np.uint8, np.int32, float])
def test_sums_of_nothing_are_of_the_type_of_other_sums(kind: type) -> None:
    some, none = np.ones((2, 3), dtype=kind), np.ones((2, 0), dtype=kind)
    of_none = segment_sum(none, np.array([0, 0, 0]))
    assert of_none.tolist() == [[0, 0], [0, 0]]
    assert of_none.dtype == segment_sum(some, np.array([0, 1, 3])).dtype
