"""Kendall's distance and the footrule between partial rankings (Fagin et al. 2003, 2006).

A list ranks all items of the two lists: those that it lacks are tied behind those that it has.
"""

from __future__ import annotations

import numpy as np

from fuzzytruth._typing import Array

_CELLS = 4_000_000  # pairs of items at a time


def disagreements(one: Array, two: Array, size: Array, penalty: float) -> Array:
    """Pairs of items that two rankings order differently: (lists,).

    Parameters
    ----------
    one, two : (lists, items)
        Positions; equal ones are ties.
    size : (lists,)
        How many of the items there are; the rest is padding.
    penalty : float
        What a pair counts that is tied in one ranking only.
    """
    n_lists, width = one.shape
    out = np.zeros(n_lists)
    step = max(1, _CELLS // max(1, width * width))
    later = np.triu(np.ones((width, width), dtype=bool), 1)
    for at in range(0, n_lists, step):
        rows = slice(at, at + step)
        a, b = (np.sign(x[rows, :, None] - x[rows, None, :]).astype(np.int8) for x in (one, two))
        there = np.arange(width) < size[rows, None]
        pairs = later & there[:, :, None] & there[:, None, :]
        opposite = ((a * b < 0) & pairs).sum(axis=(1, 2))
        tied_once = (((a == 0) != (b == 0)) & pairs).sum(axis=(1, 2))
        out[rows] = opposite + penalty * tied_once
    return out


def disjoint_disagreements(untied: Array, sizes: tuple[Array, Array], penalty: float) -> Array:
    """The same of two lists without common items, `untied` pairs being apart within a list."""
    out: Array = sizes[0] * sizes[1] + penalty * untied
    return out


def distance_to_all(length: Array, x: Array) -> Array:
    """Sum over j = 1..length of |j - x|, for any x: (...)."""
    below = np.clip(np.floor(x), 0, length)
    lower = below * x - below * (below + 1) / 2
    upper = (length - below) * (length + below + 1) / 2 - (length - below) * x
    out: Array = lower + upper
    return out
