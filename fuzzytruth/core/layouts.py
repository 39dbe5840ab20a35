"""How the values of many queries lie in one array, and sums over each query's own.

Arrays are (worlds, values): the values of all segments (queries), each under many worlds. Two
layouts answer the same questions. End to end, those of a segment adjoin each other: best for few
worlds. As jagged diagonals (`fuzzytruth.core.layouts`), the first values of all segments come
first, then the second ones: best for many worlds, which then are contiguous in memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from fuzzytruth._typing import Array, Bools, Floats, Ints
from fuzzytruth.core import arithmetic
from fuzzytruth.core.arithmetic import offsets_of, segment_of


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
        return arithmetic.segment_sum(values, self.offsets)

    def weighted(self, values: Array, weight: Array) -> Array:
        """Sum of values times `weight`."""
        return arithmetic.segment_sum(values * weight, self.offsets)

    def sum_of_ratios(self, marked: Bools, divisor: Array) -> Array:
        """Sum, over marked values, of the number of marked ones up to each by its `divisor`."""
        up_to = arithmetic.segment_cumsum(marked, self.offsets)
        up_to *= marked
        return arithmetic.segment_sum(up_to / divisor, self.offsets)

    def running(self, counts: Array) -> Array:
        """Cumulative sum within each segment."""
        return arithmetic.segment_cumsum(counts, self.offsets)

    def accumulated(self, values: Array) -> Array:
        """Cumulative sum of fractions within each segment."""
        return arithmetic.segment_float_cumsum(values, self.offsets)

    def product_before(self, values: Array) -> Array:
        """Product of the earlier values of the segment, 1 for the first."""
        out: Array = np.ones(values.shape)
        out[..., 1:] = arithmetic.segment_cumprod(values, self.offsets)[..., :-1]
        out[..., self.offsets[:-1][self.sizes > 0]] = 1.0
        return out

    def largest(self, values: Array) -> Array:
        """Largest value of each segment, 0 for an empty one."""
        return arithmetic.segment_max(values, self.offsets)

    def repeated(self, values: Array) -> Array:
        """Give each value that of its segment."""
        return np.repeat(values, self.sizes, axis=-1)

    def kept(self, which: Bools) -> tuple[EndToEnd, Ints]:
        """The layout of some values only, and their indices."""
        size = arithmetic.segment_sum(which, self.offsets)
        return EndToEnd(offsets_of(size)), np.flatnonzero(which)

    def taken(self, values: Array, index: Ints) -> Array:
        """Some columns of (worlds, values)."""
        return np.take(values, index, axis=-1)


# Segments as jagged diagonals: all first values, then all second ones, and so on.
#
# Segments are sorted by falling size, so that those which have a value at a position are the first
# ones. With worlds contiguous in memory, a running count is one addition of long rows a position,
# whatever the sizes are, and nothing is padded.


_MOST_ADDED = 255  # marks that fit into 8 bits
_TOGETHER = 16  # positions multiplied and added in one call


@dataclass(frozen=True, eq=False)
class Diagonals:
    """Jagged diagonals of segments.

    Parameters
    ----------
    offsets : (segments + 1,) int
        Where each segment would start if they lay end to end.
    order : (segments,) int
        The segments by falling size.
    starts : (positions + 1,) int
        Where the values at each position start.
    source : (values,) int
        Index of each value if segments lay end to end.
    """

    offsets: Ints
    order: Ints
    starts: Ints
    source: Ints

    @classmethod
    def of(cls, offsets: Ints) -> Diagonals:
        """The diagonals of segments that lie end to end."""
        size = np.diff(offsets)
        order = np.argsort(-size, kind="stable")
        rank = np.empty_like(order)
        rank[order] = np.arange(len(order))
        position = np.arange(offsets[-1]) - np.repeat(offsets[:-1], size)
        starts = offsets_of(np.bincount(position, minlength=int(size.max(initial=0))))
        source = np.empty(len(position), dtype=np.int64)
        source[starts[position] + np.repeat(rank, size)] = np.arange(len(position))
        return cls(offsets, order, starts, source)

    @property
    def sizes(self) -> Ints:
        """Number of values of each segment."""
        return np.diff(self.offsets)

    @cached_property
    def place(self) -> Ints:
        """Index here of each value if segments lay end to end: the inverse of `source`."""
        out = np.empty_like(self.source)
        out[self.source] = np.arange(len(out))
        return out

    def sum(self, values: Array) -> Array:
        """Sum of each segment: (worlds, values) → (worlds, segments)."""
        if values.dtype.kind == "b":
            return self._by_segment(self._count(values.view(np.uint8).T))
        kind = np.int64 if values.dtype.kind in "ui" else values.dtype
        total = np.zeros((len(self.order), len(values)), dtype=kind)
        for rows in self._positions():
            some = total[: rows.stop - rows.start]
            np.add(some, values.T[rows], out=some)
        return self._by_segment(total)

    def _count(self, marked: Array) -> Array:
        """Number of marks of each segment, from 0 and 1 as bytes (values, worlds)."""
        if len(self.order) == 1:
            out: Array = marked.sum(axis=0, dtype=np.int64)
            return out[None]
        total = np.zeros((len(self.order), marked.shape[1]), dtype=np.int64)
        few = np.zeros(total.shape, dtype=np.uint8)
        for position, rows in enumerate(self._positions(), start=1):
            some = few[: rows.stop - rows.start]
            np.add(some, marked[rows], out=some)
            if position % _MOST_ADDED == 0:
                total += few
                few[:] = 0
        total += few
        return total

    def weighted(self, values: Array, weight: Array) -> Floats:
        """Sum of values times `weight` (values,): (worlds, segments)."""
        total = np.zeros((len(self.order), len(values)))
        term = np.empty_like(total)
        for rows in self._positions():
            n = rows.stop - rows.start
            np.multiply(values.T[rows], weight[rows, None], out=term[:n])
            np.add(total[:n], term[:n], out=total[:n])
        return self._by_segment(total)

    def sum_of_ratios(self, marked: Bools, divisor: Array) -> Floats:
        """Sum, over marked values, of the number of marked ones up to each by its `divisor`.

        Some positions at a time, always the same: a segment has the same bits beside others.
        """
        marks, (n, width) = marked.view(np.uint8).T, (len(self.order), len(marked))
        kind = np.min_scalar_type(len(self.starts))
        total, up_to = np.zeros((n, width)), np.zeros((n, width), dtype=kind)
        count = np.zeros((_TOGETHER, n, width), dtype=kind)
        value, inverse = np.empty(count.shape), np.zeros((_TOGETHER, n))
        positions = list(self._positions())
        for start in range(0, len(positions), _TOGETHER):
            group = positions[start : start + _TOGETHER]
            most = group[0].stop - group[0].start
            for place, rows in enumerate(group):
                some = slice(0, rows.stop - rows.start)
                np.add(up_to[some], marks[rows], out=up_to[some])
                np.multiply(up_to[some], marks[rows], out=count[place, some])
                count[place, some.stop : most] = 0
                inverse[place, some] = 1 / divisor[rows]
            part = slice(0, len(group)), slice(0, most)
            np.copyto(value[part], count[part])
            total[:most] += np.einsum("pqw,pq->qw", value[part], inverse[part])
        return self._by_segment(total)

    def running(self, counts: Array) -> Array:
        """Cumulative sum of whole numbers within each segment: (worlds, values)."""
        small = counts.dtype.kind == "b"
        return self._added_up(counts, np.int32 if small else np.int64)

    def accumulated(self, values: Array) -> Array:
        """Cumulative sum of fractions within each segment: (worlds, values)."""
        return self._added_up(values, np.float64)

    def _added_up(self, values: Array, kind: type[np.number[Any]]) -> Array:
        """Cumulative sum within each segment, of one type of number."""
        out = np.empty(values.T.shape, dtype=kind)
        for before, rows in self._steps():
            given = values.T[rows]
            if before is None:
                out[rows] = given
            else:
                np.add(out[before], given, out=out[rows])
        return out.T

    def product_before(self, values: Array) -> Floats:
        """Product of the earlier values of the segment, 1 for the first: (worlds, values)."""
        out = np.ones(values.T.shape)
        for before, rows in self._steps():
            if before is not None:
                np.multiply(out[before], values.T[before], out=out[rows])
        return out.T

    def largest(self, values: Array) -> Array:
        """Largest value of each segment, 0 for an empty one: (worlds, segments)."""
        total = np.zeros((len(self.order), len(values)), dtype=values.dtype)
        for position, rows in enumerate(self._positions()):
            some, given = total[: rows.stop - rows.start], values.T[rows]
            if position:
                np.maximum(some, given, out=some)
            else:
                some[:] = given
        return self._by_segment(total)

    def repeated(self, values: Array) -> Array:
        """Give each value that of its segment: (..., segments) → (..., values)."""
        return self.taken(np.asarray(values), segment_of(self.offsets)[self.source])

    def taken(self, values: Array, index: Ints) -> Array:
        """Some columns of (worlds, columns), with worlds contiguous as everywhere here."""
        return np.take(values.T, index, axis=0).T

    def kept(self, which: Bools) -> tuple[Diagonals, Ints]:
        """The layout of some values only, and their indices in this one."""
        at_end = which[self.place]
        size = np.bincount(segment_of(self.offsets)[at_end], minlength=len(self.order))
        layout = Diagonals.of(offsets_of(size))
        return layout, self.place[np.flatnonzero(at_end)[layout.source]]

    def _positions(self) -> Iterator[slice]:
        """The rows of values of each position."""
        bounds = self.starts.tolist()
        return map(slice, bounds[:-1], bounds[1:])

    def _steps(self) -> Iterator[tuple[slice | None, slice]]:
        """The rows of each position, and those of the same segments a position before."""
        before = None
        for rows in self._positions():
            n = rows.stop - rows.start
            yield None if before is None else slice(before.start, before.start + n), rows
            before = rows

    def _by_segment(self, totals: Array) -> Array:
        """(segments by size, worlds) → (worlds, segments)."""
        out = np.empty_like(totals)
        out[self.order] = totals
        return out.T


#: values of segments in an array (worlds, values)
Layout = EndToEnd | Diagonals
