"""Cutting queries into blocks of bounded size."""

from __future__ import annotations

import numpy as np

from fuzzytruth._typing import Array


def cut(offsets: Array, size: int) -> list[slice]:
    """Cut queries into blocks of about `size` items, whose offsets are given."""
    count = np.diff(offsets)
    block = (offsets[:-1] + count // 2) // size
    starts = np.flatnonzero(np.diff(block, prepend=-1))
    return [slice(int(a), int(b)) for a, b in zip(starts, [*starts[1:], len(count)], strict=True)]
