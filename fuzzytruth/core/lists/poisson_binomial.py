"""The Poisson-binomial distribution: number of independent events that happen.

Direct convolution: only positive numbers are multiplied and added, so that every probability has
the same relative accuracy however small it is. Fourier transforms are faster for many thousands of
events, but have an absolute error of 1e-16 in the tails (Hong 2013).

`pmf_window` leaves out what is negligible, which makes it fast for many events.

Probabilities must be in [0, 1]; this is not checked.

References
----------
Hong, Y. (2013), On computing the distribution function for the Poisson binomial distribution,
Computational Statistics & Data Analysis 59.
"""

from __future__ import annotations

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.core.atoms import merge

_LEAF = 32  # size up to which groups of events are merged side by side, then pair by pair
_CELLS = 1 << 15  # numbers in a block of lists, which then fits in cache
_BLOCK = 256  # events whose pmf is kept whole
_NEGLIGIBLE = 1e-35


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


def pmf_window(p: Floats) -> tuple[int, Floats]:
    """The pmf where it is not negligible: the first number of events, and the pmf from there on.

    Of many events, numbers are left out that are less probable than 1e-35 times the most probable
    one (which is at least 1, so that tiny probabilities of any event are kept).

    Examples
    --------
    >>> pmf_window(np.array([0.5, 0.5]))[1].tolist()
    [0.25, 0.5, 0.25]
    """
    windows = [(0, pmf(p[at : at + _BLOCK])) for at in range(0, max(1, len(p)), _BLOCK)]
    while len(windows) > 1:
        unpaired = [windows.pop()] if len(windows) % 2 else []
        pairs = zip(windows[::2], windows[1::2], strict=True)
        windows = [
            trimmed(start + more, np.convolve(left, right))
            for (start, left), (more, right) in pairs
        ] + unpaired
    return windows[0]


def weighted_counts(weight: Floats, p: Floats, most: int = 1 << 22) -> tuple[Floats, Floats] | None:
    """Distribution of the sum of the weights of the events that happen: values, probabilities.

    Events of one weight are counted first. None: there are more than `most` values.

    Parameters
    ----------
    weight, p : (n,) float

    Examples
    --------
    >>> values, chances = weighted_counts(np.array([1.0, 0.5, 0.5]), np.array([0.5, 0.5, 0.5]))
    >>> values.tolist(), chances.tolist()
    ([0.0, 0.5, 1.0, 1.5, 2.0], [0.125, 0.25, 0.25, 0.25, 0.125])
    """
    values, chances = np.zeros(1), np.ones(1)
    for each in np.unique(weight[(weight != 0) & (p > 0)]):
        first, of_weight = pmf_window(p[weight == each])
        if len(values) * len(of_weight) > most:
            return None
        added = each * np.arange(first, first + len(of_weight))
        sums, joint = np.add.outer(values, added), np.multiply.outer(chances, of_weight)
        values, chances = merge(sums.ravel(), joint.ravel(), float(np.abs(sums).max()))
    return values, chances


def trimmed(start: int, chances: Floats) -> tuple[int, Floats]:
    """A pmf without negligible ends, as `pmf_window` leaves them out.

    Parameters
    ----------
    start : int
        Number of events that the first of `chances` is of.
    chances : (numbers, ...) float
    """
    flat = chances.reshape(len(chances), -1).max(axis=1)
    most = flat[1 if start == 0 else 0 :].max(initial=0.0)
    kept = np.flatnonzero(flat >= _NEGLIGIBLE * most)
    return start + int(kept[0]), chances[kept[0] : kept[-1] + 1]


def pmf_columns(p: Floats, most: int | None = None) -> Floats:
    """The pmf of each list, event by event: (n, lists) → (n + 1, lists).

    The bits of a list do not depend on the lists beside it, nor on events of probability 0.

    Parameters
    ----------
    p : (n, lists) float
    most : int, optional
        Leave out numbers of events above this.

    Examples
    --------
    >>> pmf_columns(np.array([[0.5, 0.0], [0.5, 1.0]])).tolist()
    [[0.25, 0.0], [0.5, 1.0], [0.25, 0.0]]
    """
    n, lists = p.shape
    rows = n + 1 if most is None else min(n, most) + 1
    out = np.zeros((rows, lists))
    step = max(1, _CELLS // rows)
    for at in range(0, lists, step):
        out[:, at : at + step] = _event_by_event(np.ascontiguousarray(p[:, at : at + step]), rows)
    return out


@np.errstate(under="ignore")
def _event_by_event(p: Floats, rows: int) -> Floats:
    """(n, lists) → (rows, lists)."""
    n, lists = p.shape
    none = 1 - p
    out, happens = np.zeros((rows, lists)), np.empty((rows, lists))
    out[0] = 1
    for i in range(n):
        end = min(i + 1, rows)
        np.multiply(out[:end], p[i], out=happens[:end])
        out[:end] *= none[i]
        out[1 : end + 1] += happens[: min(end, rows - 1)]
    return out


@np.errstate(under="ignore")
def one_more(chances: Floats, p: Floats | float) -> Floats:
    """The pmf with one more event: (numbers, ...) → (numbers + 1, ...)."""
    out = np.zeros((len(chances) + 1, *chances.shape[1:]))
    np.multiply(chances, 1 - p, out=out[:-1])
    out[1:] += chances * p
    return out


@np.errstate(under="ignore")
def _merge_halves(columns: Floats) -> Floats:
    """Convolve the columns of the left half with those of the right: (s, 2m) → (2s - 1, m)."""
    size, half = columns.shape[0], columns.shape[1] // 2
    width = 2 * size - 1
    # Write row j of the outer product j places to the right, then sum the columns.
    flat = np.zeros((size * (width + 1), half))
    slanted = flat.reshape(size, width + 1, half)[:, :size]
    np.multiply(columns[:, None, :half], columns[None, :, half:], out=slanted)
    return np.asarray(flat[: size * width].reshape(size, width, half).sum(axis=0))


def _merge_all(rows: list[Floats]) -> Floats:
    """Convolve all rows, neighbours first, which keeps lengths similar."""
    while len(rows) > 1:
        unpaired = [rows.pop()] if len(rows) % 2 else []
        pairs = zip(rows[::2], rows[1::2], strict=True)
        rows = [np.convolve(left, right) for left, right in pairs] + unpaired
    return rows[0]
