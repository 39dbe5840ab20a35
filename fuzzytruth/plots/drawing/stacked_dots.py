"""Dots of one row side by side where they would cover one another."""

from __future__ import annotations

import numpy as np

from fuzzytruth._typing import Floats, Ints

_SIZES = (5.0, 4.0, 3.0)  # points


def stacked(
    values: list[Floats], limits: tuple[float, float], width: float, height: float
) -> tuple[list[Floats], float]:
    """Offsets from the middle of each row in points, and the size of dots at which they fit.

    Parameters
    ----------
    values : list of (dots,) float
        Places of the dots of each row on the axis.
    limits : (float, float)
        Ends of the axis.
    width : float
        Of the axis, in points.
    height : float
        Of a row, in points. If the smallest dots do not fit either, those of a high stack overlap.

    Examples
    --------
    >>> offsets, size = stacked([np.array([0.0, 0.0, 1.0])], (0, 1), 100, 20)
    >>> offsets[0].tolist(), size
    ([-2.5, 2.5, 0.0], 5.0)
    """
    span = limits[1] - limits[0]
    offsets: list[Floats] = []
    cells: list[Ints] = []
    size = _SIZES[-1]
    for size in _SIZES:
        cells = [
            np.round((row - limits[0]) / span * width / size).astype(np.int64) for row in values
        ]
        offsets = [_of_cells(row, each) * size for row, each in zip(values, cells, strict=True)]
        if all(2 * np.abs(row).max(initial=0.0) + size <= height for row in offsets):
            return offsets, size
    room = (height - size) / 2
    return [_squeezed(row, each, room) for row, each in zip(offsets, cells, strict=True)], size


def _squeezed(offsets: Floats, cells: Ints, room: float) -> Floats:
    """Offsets of which none is larger than the room; stacks that fit stay as they are."""
    most = np.zeros(int(cells.max(initial=0)) + 1)
    np.maximum.at(most, cells, np.abs(offsets))
    return offsets * np.minimum(1, room / np.maximum(most, 1e-9))[cells]


def _of_cells(values: Floats, cells: Ints) -> Floats:
    """Place in the stack of its cell, the middle being 0."""
    order = np.lexsort((values, cells))
    ordered = cells[order]
    first = np.searchsorted(ordered, ordered, side="left")
    after = np.searchsorted(ordered, ordered, side="right")
    out = np.empty(len(values))
    out[order] = np.arange(len(values)) - first - (after - first - 1) / 2
    return out
