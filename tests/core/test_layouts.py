"""Jagged diagonals against segments end to end, and both against loops."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fuzzytruth.core import layouts as module
from fuzzytruth.core.layouts import Diagonals, EndToEnd
from fuzzytruth.core.segments import offsets_of

sizes = st.lists(st.integers(0, 5), min_size=1, max_size=6)
N_WORLDS = 3


def example(size: list[int], seed: int = 0):
    """Both layouts, marks and numbers laid out for each, and the order of the diagonals."""
    offsets = offsets_of(np.array(size))
    flat, jagged = EndToEnd(offsets), Diagonals.of(offsets)
    rng = np.random.default_rng(seed)
    marks, values = rng.random((N_WORLDS, offsets[-1])) < 0.5, rng.random((N_WORLDS, offsets[-1]))
    return flat, jagged, marks, values


def contiguous(values):
    """As drawn worlds are: contiguous along worlds."""
    return np.ascontiguousarray(values.T).T


@given(sizes)
def test_diagonals_lie_by_position(size: list[int]) -> None:
    _, jagged, _, _ = example(size)
    position = np.concatenate([np.arange(n) for n in size])
    segment = np.repeat(np.arange(len(size)), size)
    assert (np.diff(position[jagged.source]) >= 0).all()
    for j, (a, b) in enumerate(zip(jagged.starts[:-1], jagged.starts[1:], strict=True)):
        assert set(position[jagged.source[a:b]]) == {j}
        assert segment[jagged.source[a:b]].tolist() == jagged.order[: b - a].tolist()
    np.testing.assert_array_equal(jagged.source[jagged.place], np.arange(len(position)))
    assert jagged.sizes.tolist() == size


@given(sizes)
def test_sums_and_products_by_loops(size: list[int]) -> None:
    flat, _, marks, values = example(size)
    divisor = np.arange(1, values.shape[1] + 1) * 1.0
    bounds = list(zip(flat.offsets[:-1], flat.offsets[1:], strict=True))
    for w in range(N_WORLDS):
        for q, (a, b) in enumerate(bounds):
            m, v = marks[w, a:b], values[w, a:b]
            assert flat.sum(marks)[w, q] == m.sum()
            assert flat.weighted(values, divisor)[w, q] == pytest.approx((v * divisor[a:b]).sum())
            ratios = (np.cumsum(m) * m / divisor[a:b]).sum()
            assert flat.sum_of_ratios(marks, divisor)[w, q] == pytest.approx(ratios)
            assert flat.largest(values)[w, q] == max(v, default=0)
            assert flat.running(marks)[w, a:b].tolist() == np.cumsum(m).tolist()
            assert flat.accumulated(values)[w, a:b] == pytest.approx(np.cumsum(v))
            before = np.concatenate(([1.0], np.cumprod(v)))[: len(v)]
            np.testing.assert_allclose(flat.product_before(values)[w, a:b], before)


@given(sizes)
def test_both_layouts_agree(size: list[int]) -> None:
    flat, jagged, marks, values = example(size)
    mine = contiguous(marks[:, jagged.source]), contiguous(values[:, jagged.source])
    divisor = np.arange(1, values.shape[1] + 1) * 1.0
    own = divisor[jagged.source]
    for one, two in (
        (flat.sum(marks), jagged.sum(mine[0])),
        (flat.sum(values), jagged.sum(mine[1])),
        (flat.sum(marks * 3), jagged.sum(mine[0] * 3)),
        (flat.weighted(values, divisor), jagged.weighted(mine[1], own)),
        (flat.weighted(marks, divisor), jagged.weighted(mine[0], own)),
        (flat.sum_of_ratios(marks, divisor), jagged.sum_of_ratios(mine[0], own)),
        (flat.largest(values), jagged.largest(mine[1])),
        (flat.running(marks)[:, jagged.source], jagged.running(mine[0])),
        (flat.running(marks * 2)[:, jagged.source], jagged.running(mine[0] * 2)),
        (flat.product_before(values)[:, jagged.source], jagged.product_before(mine[1])),
        (flat.repeated(np.arange(len(size)))[jagged.source], jagged.repeated(np.arange(len(size)))),
    ):
        np.testing.assert_allclose(one, two, rtol=1e-14)
    by_world = np.arange(N_WORLDS * len(size)).reshape(N_WORLDS, -1)
    np.testing.assert_array_equal(
        flat.repeated(by_world)[:, jagged.source], jagged.repeated(by_world)
    )


@given(sizes, st.integers(0, 99))
def test_some_values_only(size: list[int], seed: int) -> None:
    flat, jagged, _, values = example(size)
    which = np.random.default_rng(seed).random(values.shape[1]) < 0.5
    less, index = flat.kept(which)
    np.testing.assert_array_equal(index, np.flatnonzero(which))
    fewer, places = jagged.kept(which[jagged.source])
    np.testing.assert_array_equal(fewer.sizes, less.sizes)
    mine = contiguous(values[:, jagged.source])
    np.testing.assert_array_equal(
        fewer.sum(fewer.taken(mine, places)), fewer.sum(values[:, index][:, fewer.source])
    )
    np.testing.assert_allclose(
        less.sum(less.taken(values, index)), fewer.sum(fewer.taken(mine, places))
    )


@settings(max_examples=5)
@given(st.sampled_from([1, 2, 7]))
def test_counts_beyond_eight_bits(most: int) -> None:
    """A run of marks is counted in 8 bits, some positions at a time."""
    size = [600, 3, 511, 0, 255]
    _, jagged, marks, _ = example(size)
    marks[:] = True
    before = module._MOST_ADDED
    module._MOST_ADDED = most
    try:
        assert jagged.sum(contiguous(marks)).tolist() == [size] * N_WORLDS
    finally:
        module._MOST_ADDED = before
    assert jagged.sum(contiguous(marks)).tolist() == [size] * N_WORLDS
    assert jagged.running(contiguous(marks)).max() == 600


def test_counts_beyond_32_bits() -> None:
    counts, offsets = np.full((1, 3), 2**31), np.array([0, 3])
    for layout in (EndToEnd(offsets), Diagonals.of(offsets)):
        assert layout.running(counts).tolist() == [[2**31, 2 * 2**31, 3 * 2**31]]


def test_a_segment_has_the_same_bits_beside_others() -> None:
    rng = np.random.default_rng(1)
    values, divisor = rng.random((50, 40)), rng.random(40)
    marks = values < 0.4
    alone = Diagonals.of(np.array([0, 40]))
    both = Diagonals.of(np.array([0, 25, 65]))
    together = contiguous(np.concatenate((rng.random((50, 25)), values), axis=1)[:, both.source])
    together_marks = contiguous(
        np.concatenate((rng.random((50, 25)) < 0.5, marks), axis=1)[:, both.source]
    )
    weight = np.concatenate((np.ones(25), divisor))[both.source]
    np.testing.assert_array_equal(both.sum(together)[:, 1], alone.sum(contiguous(values))[:, 0])
    np.testing.assert_array_equal(
        both.weighted(together, weight)[:, 1], alone.weighted(contiguous(values), divisor)[:, 0]
    )
    np.testing.assert_array_equal(
        both.sum_of_ratios(together_marks, weight)[:, 1],
        alone.sum_of_ratios(contiguous(marks), divisor)[:, 0],
    )


@given(sizes)
def test_cumulative_sums_of_fractions_agree(size: list[int]) -> None:
    flat, jagged, _, values = example(size)
    given = contiguous(values[:, jagged.source])
    result = jagged.accumulated(given)[:, jagged.place]
    np.testing.assert_allclose(result, flat.accumulated(values), rtol=1e-14)
