"""Blocks of whole queries."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from fuzzytruth.core.arithmetic import offsets_of
from fuzzytruth.truth.protocol import cut


@given(st.lists(st.integers(0, 9), min_size=1, max_size=40), st.integers(1, 30))
def test_blocks_cover_all_queries_once(sizes: list[int], size: int) -> None:
    offsets = offsets_of(np.array(sizes))
    blocks = cut(offsets, size)
    assert [q for block in blocks for q in range(block.start, block.stop)] == list(
        range(len(sizes))
    )
    for block in blocks:
        items = int(offsets[block.stop] - offsets[block.start])
        assert items <= size + max(sizes)


def test_small_queries_share_a_block() -> None:
    assert cut(np.arange(11), 5) == [slice(0, 5), slice(5, 10)]
    assert cut(np.array([0, 100, 101]), 10) == [slice(0, 1), slice(1, 2)]
