"""How the values of many queries lie in one array, and sums over each query's own.

Arrays are (worlds, values): the values of all segments (queries), each under many worlds. Two
layouts answer the same questions. End to end, those of a segment adjoin each other: best for few
worlds. As jagged diagonals (`fuzzytruth.core.diagonals`), the first values of all segments come
first, then the second ones: best for many worlds, which then are contiguous in memory.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from fuzzytruth._typing import Array, Bools, Ints
from fuzzytruth.core.segments import (
    offsets_of,
    segment_cumprod,
    segment_cumsum,
    segment_float_cumsum,
    segment_max,
    segment_sum,
)


class Layout(Protocol):
    """Values of segments in an array (worlds, values)."""

    @property
    def sizes(self) -> Ints:
        """Number of values of each segment."""

    def sum(self, values: Array) -> Array:
        """Sum of each segment: (worlds, segments), of 64 bits."""

    def weighted(self, values: Array, weight: Array) -> Array:
        """Sum of values times `weight` (values,): (worlds, segments) float."""

    def sum_of_ratios(self, marked: Bools, divisor: Array) -> Array:
        """Sum, over marked values, of the number of marked ones up to each by its `divisor`."""

    def running(self, counts: Array) -> Array:
        """Cumulative sum of whole numbers within each segment: (worlds, values)."""

    def accumulated(self, values: Array) -> Array:
        """Cumulative sum of fractions within each segment: (worlds, values) float."""

    def product_before(self, values: Array) -> Array:
        """Product of the earlier values of the segment, 1 for the first: (worlds, values)."""

    def largest(self, values: Array) -> Array:
        """Largest value of each segment, 0 for an empty one: (worlds, segments)."""

    def repeated(self, values: Array) -> Array:
        """Give each value that of its segment: (..., segments) → (..., values)."""

    def kept(self, which: Bools) -> tuple[Layout, Ints]:
        """The layout of some values only, and their indices in this one."""

    def taken(self, values: Array, index: Ints) -> Array:
        """Some columns of (worlds, values), laid out in memory as is best here."""


@dataclass(frozen=True, slots=True, eq=False)
class EndToEnd:
    """Segments end to end.

    Parameters
    ----------
    offsets : (segments + 1,) int
        Where each segment starts.
    """

    offsets: Ints

    @property
    def sizes(self) -> Ints:
        """Number of values of each segment."""
        return np.diff(self.offsets)

    def sum(self, values: Array) -> Array:
        """Sum of each segment."""
        return segment_sum(values, self.offsets)

    def weighted(self, values: Array, weight: Array) -> Array:
        """Sum of values times `weight`."""
        return segment_sum(values * weight, self.offsets)

    def sum_of_ratios(self, marked: Bools, divisor: Array) -> Array:
        """Sum, over marked values, of the number of marked ones up to each by its `divisor`."""
        up_to = segment_cumsum(marked, self.offsets)
        up_to *= marked
        return segment_sum(up_to / divisor, self.offsets)

    def running(self, counts: Array) -> Array:
        """Cumulative sum within each segment."""
        return segment_cumsum(counts, self.offsets)

    def accumulated(self, values: Array) -> Array:
        """Cumulative sum of fractions within each segment."""
        return segment_float_cumsum(values, self.offsets)

    def product_before(self, values: Array) -> Array:
        """Product of the earlier values of the segment, 1 for the first."""
        out: Array = np.ones(values.shape)
        out[..., 1:] = segment_cumprod(values, self.offsets)[..., :-1]
        out[..., self.offsets[:-1][self.sizes > 0]] = 1.0
        return out

    def largest(self, values: Array) -> Array:
        """Largest value of each segment, 0 for an empty one."""
        return segment_max(values, self.offsets)

    def repeated(self, values: Array) -> Array:
        """Give each value that of its segment."""
        out: Array = np.repeat(values, self.sizes, axis=-1)
        return out

    def kept(self, which: Bools) -> tuple[EndToEnd, Ints]:
        """The layout of some values only, and their indices."""
        size = segment_sum(which, self.offsets)
        return EndToEnd(offsets_of(size)), np.flatnonzero(which)

    def taken(self, values: Array, index: Ints) -> Array:
        """Some columns of (worlds, values)."""
        return np.take(values, index, axis=-1)
