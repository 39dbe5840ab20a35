"""The Poisson-binomial distribution: number of independent events that happen.

Direct convolution: only positive numbers are multiplied and added, so that every probability has
the same relative accuracy however small it is. Fourier transforms are faster for many thousands of
events, but have an absolute error of 1e-16 in the tails (Hong 2013).

Probabilities must be in [0, 1]; this is not checked.

References
----------
Hong, Y. (2013), On computing the distribution function for the Poisson binomial distribution,
Computational Statistics & Data Analysis 59.
"""

from __future__ import annotations

import numpy as np

from fuzzytruth._typing import Floats

_LEAF = 32  # size up to which groups of events are merged side by side, then pair by pair
_FEW_LISTS = 16  # fewer lists are done one by one
_LONG_LIST = 256  # and so are longer ones
_CELLS = 1 << 15  # numbers in a block of lists, which then fits in cache


def pmf(p: Floats) -> Floats:
    """Probability of 0, 1, ..., n events: (n,) → (n + 1,).

    Neighbours are merged pair by pair, n² / 2 multiplications in all. Relative error below 1e-12
    for n = 1,000 wherever the result exceeds 1e-290; smaller ones may underflow to 0.

    Examples
    --------
    >>> pmf(np.array([0.5, 0.5])).tolist()
    [0.25, 0.5, 0.25]
    """
    n = len(p)
    if n == 0:
        return np.ones(1)
    groups = -(-n // _LEAF)
    size = _LEAF if groups > 1 else 1 << (n - 1).bit_length()
    padded = np.zeros(groups * size)  # with events of probability 0
    padded[:n] = p
    columns = np.stack([1 - padded, padded])  # (events + 1, groups)
    while columns.shape[1] > groups:
        columns = _merge_halves(columns)
    return _merge_all(list(np.ascontiguousarray(columns.T)))[: n + 1]


def pmf_each(p: Floats) -> Floats:
    """The pmf of each list, all of the same length: (lists, n) → (lists, n + 1).

    Examples
    --------
    >>> pmf_each(np.array([[0.5, 0.5], [0.0, 1.0]])).tolist()
    [[0.25, 0.5, 0.25], [0.0, 1.0, 0.0]]
    """
    lists, n = p.shape
    out = np.empty((lists, n + 1))
    if lists < _FEW_LISTS or n > _LONG_LIST:
        for at in range(lists):
            out[at] = pmf(p[at])
        return out
    block = max(_FEW_LISTS, _CELLS // (n + 1))
    for at in range(0, lists, block):
        out[at : at + block] = _event_by_event(np.ascontiguousarray(p[at : at + block].T)).T
    return out


def _event_by_event(p: Floats) -> Floats:
    """(n, lists) → (n + 1, lists)."""
    n, lists = p.shape
    none = 1 - p
    out, happens = np.zeros((n + 1, lists)), np.empty((n, lists))
    out[0] = 1
    for i in range(n):
        np.multiply(out[: i + 1], p[i], out=happens[: i + 1])
        out[: i + 1] *= none[i]
        out[1 : i + 2] += happens[: i + 1]
    return out


def _merge_halves(columns: Floats) -> Floats:
    """Convolve the columns of the left half with those of the right: (s, 2m) → (2s - 1, m)."""
    size, half = columns.shape[0], columns.shape[1] // 2
    width = 2 * size - 1
    # Write row j of the outer product j places to the right, then sum the columns.
    flat = np.zeros((size * (width + 1), half))
    slanted = flat.reshape(size, width + 1, half)[:, :size]
    np.multiply(columns[:, None, :half], columns[None, :, half:], out=slanted)
    out: Floats = flat[: size * width].reshape(size, width, half).sum(axis=0)
    return out


def _merge_all(rows: list[Floats]) -> Floats:
    """Convolve all rows, neighbours first, which keeps lengths similar."""
    while len(rows) > 1:
        unpaired = [rows.pop()] if len(rows) % 2 else []
        pairs = zip(rows[::2], rows[1::2], strict=True)
        rows = [np.convolve(left, right) for left, right in pairs] + unpaired
    return rows[0]
