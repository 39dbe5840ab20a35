"""Lists side by side: the items of many ragged lists as rows, each list a column.

Every step over the rows is then elementwise over the lists, so that a list's result has the same
bits whatever lists lie beside it: padding has probability 0, and 0 is added and 1 is multiplied
exactly.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from fuzzytruth._typing import Array, Floats, Ints
from fuzzytruth.core.segments import ragged

#: lists of this many items or more are treated one by one
LONG = 1024


def columns(values: Array, offsets: Ints, chosen: Ints, *, fill: float = 0.0) -> Floats:
    """The `chosen` segments side by side: (longest, lists).

    Parameters
    ----------
    values : (..., values)
    offsets : (segments + 1,) int
    chosen : (chosen,) int
    fill : float
        Value beyond the end of a segment.

    Returns
    -------
    (longest, lists) float
        A list for each of the leading axes and chosen segments, segments fastest.
    """
    owner, index = ragged(offsets, chosen)
    size = offsets[chosen + 1] - offsets[chosen]
    place = np.arange(len(index)) - np.repeat(np.cumsum(size) - size, size)
    flat = values.reshape(math.prod(values.shape[:-1]), values.shape[-1])
    out = np.full((int(size.max(initial=0)), len(flat), len(chosen)), fill)
    out[place, :, owner] = flat[:, index].T
    return out.reshape(len(out), len(flat) * len(chosen))


def take_columns(values: Floats, chosen: Ints) -> Floats:
    """Some of the lists, each row contiguous in memory: (items, chosen)."""
    return values if len(chosen) == values.shape[1] else np.take(values, chosen, axis=1)


def column_sums(values: Array) -> Floats:
    """Sum over the first axis, one row after the other; NumPy adds a single column pairwise."""
    if values[:1].size == 1:
        return np.asarray(np.cumsum(values, axis=0, dtype=np.float64)[-1])
    return np.asarray(values.sum(axis=0, dtype=np.float64))


def of_similar_size(size: Ints, *, alone: bool = False) -> Iterator[Ints]:
    """Indices of lists whose sizes have equally many binary digits: (chosen,) each.

    With `alone`, lists of `LONG` items or more come one by one.
    """
    digits = np.frexp(size)[1]
    for digit in np.unique(digits).tolist():
        chosen = np.flatnonzero(digits == digit)
        if alone and digit >= LONG.bit_length():
            yield from chosen[:, None]
        else:
            yield chosen
