"""Lists with unjudged items: counts, parts and blocks."""

from __future__ import annotations

import numpy as np
from support.completions import Case, cases, open_lists

from fuzzytruth.core.lists.measure_bounds import at, cell_blocks, numbers_between, running_counts


def test_counts_and_parts() -> None:
    lists = open_lists([Case((True, None, False), 1, 2, 3), Case((None, None), 0, 0, 0)])
    assert lists.n_open.tolist() == [1, 2]
    assert lists.n_hits.tolist() == [1, 0]
    assert lists.n_relevant.tolist() == [2, 0]
    assert lists.n_nonrelevant.tolist() == [3, 0]
    second = lists.taken(np.array([1]))
    assert (second.length.item(), second.outside.item()) == (2, 0)
    assert running_counts(lists.unjudged).tolist() == [[0, 0, 1, 1], [0, 1, 2, 2]]


def test_a_kernel_sees_blocks_and_the_result_is_whole() -> None:
    lists = open_lists(cases(9000, seed=1))
    sizes: list[int] = []

    def kernel(some):
        sizes.append(len(some.length))
        return some.n_hits * 1.0, some.n_open * 1.0

    low, high = lists.ends(kernel)
    assert len(sizes) > 1
    np.testing.assert_array_equal(low, lists.n_hits)
    np.testing.assert_array_equal(high, lists.n_open)


def test_blocks_cover_all_cells() -> None:
    for n_cells, width in [(0, 5), (10, 0), (100, 10**7), (10**5, 3)]:
        cells = [j for block in cell_blocks(n_cells, width) for j in range(n_cells)[block]]
        assert cells == list(range(n_cells))


def test_ranges_and_entries() -> None:
    numbers = numbers_between(np.array([0, 4]), np.array([2, 5]))
    assert numbers.tolist() == [[0, 1, 2], [4, 5, 5]]
    table = np.array([[10, 11, 12], [20, 21, 22]])
    assert at(table, np.array([[2, 0], [1, 1]])).tolist() == [[12, 10], [21, 21]]
