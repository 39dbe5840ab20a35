"""The best of many numbers, by bounds of a function over intervals (branch and bound)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from fuzzytruth._typing import Floats, Ints

_EQUAL = 1e-14  # of values of at most about 1

#: (cells, first, last), all (intervals,) → no less than the function on each interval
Above = Callable[[Ints, Ints, Ints], Floats]


def largest_over_numbers(above: Above, last: Ints) -> Floats:
    """Largest value of a function of a whole number, for many cells at once: (cells,).

    An interval is halved as long as the function may exceed the largest value found so far on
    it. The result is that of trying every number, up to a rounding error.

    Parameters
    ----------
    above : callable
        No less than the function of `cells` anywhere from `first` to `last`; its value if these are
        equal. Smaller intervals must not have larger bounds.
    last : (cells,) int
        The largest number of each cell; the smallest is 0.

    Examples
    --------
    >>> square = np.array([0.0, 0.3, 0.7, 0.2])
    >>> def above(cells, first, last):
    ...     return np.array([square[a : b + 1].max() for a, b in zip(first, last, strict=True)])
    >>> largest_over_numbers(above, np.array([3, 1])).tolist()
    [0.7, 0.3]
    """
    cells = np.arange(len(last))
    first, end = np.zeros_like(last), last.copy()
    found = above(cells, first, first)
    while len(cells):
        middle = (first + end) // 2
        np.maximum.at(found, cells, above(cells, middle, middle))
        # The middle is done; left and right of it remain.
        cells = np.concatenate((cells, cells))
        first, end = np.concatenate((first, middle + 1)), np.concatenate((middle - 1, end))
        some = first <= end
        cells, first, end = cells[some], first[some], end[some]
        promising = above(cells, first, end) > found[cells] + _EQUAL
        cells, first, end = cells[promising], first[promising], end[promising]
    return found
