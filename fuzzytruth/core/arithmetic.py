"""Arithmetic of arrays and of their segments; division where the denominator may be 0."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from fuzzytruth._lazy import special
from fuzzytruth._typing import Array, Bools, Floats, Ints


@np.errstate(under="ignore")
def divide(numerator: Any, denominator: Any, *, fill: float = 0.0) -> Floats:
    """Quotient, with `fill` where the denominator is 0.

    Parameters
    ----------
    numerator, denominator : array_like
        Broadcast against each other.
    fill : float
        Value where the denominator is 0.
    """
    top, bottom = np.broadcast_arrays(
        np.asarray(numerator, dtype=np.float64), np.asarray(denominator, dtype=np.float64)
    )
    out = np.full(top.shape, fill, dtype=np.float64)
    np.divide(top, bottom, out=out, where=bottom != 0)
    return out


# Sums of reciprocals: closed forms of means over ranks.


def harmonic(depth: int) -> Floats:
    """Harmonic numbers H_0 = 0, H_1, ..., H_depth: (depth + 1,) float."""
    out = np.zeros(depth + 1)
    np.cumsum(1 / np.arange(1, depth + 1, dtype=np.float64), out=out[1:])
    return out


def digamma_sum(x: Array, n: Array) -> Floats:
    """Sum of ψ(x + j) over j = 0..n-1, for x ≥ 1 and n ≥ 0."""
    return np.asarray((x + n - 1) * special.psi(x + n) - (x - 1) * special.psi(x) - n)


#: B_2, ..., B_10 of Bernoulli, of the Euler–Maclaurin series below
_BERNOULLI = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66)
_STEPS = 16  # from here on, the series is exact to the last digits


def inverse_square_tail(x: Array) -> Floats:
    """Sum of 1 / (x + j)² over j = 0, 1, ... without end, for x > 0."""
    out = _series(x)
    small = x < _STEPS
    x = x[small]
    tail = _series(x + _STEPS)
    for step in reversed(range(_STEPS)):
        tail += 1 / np.square(x + step)
    out[small] = tail
    return out


def _series(x: Array) -> Floats:
    """Euler–Maclaurin series of the same, for large x."""
    inverse = 1 / x
    square = np.square(inverse)
    series = np.full_like(square, _BERNOULLI[-1])
    for number in _BERNOULLI[-2::-1]:
        series *= square
        series += number
    return inverse * (1 + inverse * (0.5 + inverse * series))


# One rule for rounding errors, in everything that ranks, counts or divides.
#
# Numbers computed from values are equal if they differ by less than 1e-12 of the largest value. The
# rule is for results: means and differences of means, not the single values they are made of.


#: share of the largest value below which a difference is a rounding error
ROUNDING = 1e-12


def without_rounding(results: Floats, scale: ArrayLike) -> Floats:
    """The results, 0 where they are rounding errors; NaN stays NaN.

    Parameters
    ----------
    results : (...) float
    scale : float, broadcast against them
        Largest of the values that the results were computed from.
    """
    return np.where(np.abs(results) <= ROUNDING * np.asarray(scale), 0.0, results)


def tie_groups(results: Floats, scale: ArrayLike) -> Ints:
    """Numbers of groups of equal results along the last axis, ascending from 0: (..., n).

    Neighbours that differ by rounding errors share a group; all NaN are in the last one.

    Examples
    --------
    >>> tie_groups(np.array([0.3 - 0.2, 0.5, 0.2 - 0.1]), 0.5).tolist()
    [0, 1, 0]
    """
    order = np.argsort(results, axis=-1, kind="stable")
    ordered = np.take_along_axis(results, order, axis=-1)
    least = ROUNDING * np.asarray(scale)[..., None]
    new = np.zeros(ordered.shape, dtype=np.int64)
    below, above = ordered[..., :-1], ordered[..., 1:]
    with np.errstate(invalid="ignore"):  # infinite values, whose gap is NaN, are equal as they are
        same = (above - below <= least) | (above == below)
    new[..., 1:] = ~(same | np.isnan(below))
    out = np.empty(ordered.shape, dtype=np.int64)
    np.put_along_axis(out, order, np.cumsum(new, axis=-1), axis=-1)
    return out


# Operations on segments: values laid end to end, with `offsets` where each segment starts.


def offsets_of(lengths: Array) -> Ints:
    """Offsets of segments of the given `lengths`: (segments + 1,)."""
    out = np.zeros(len(lengths) + 1, dtype=np.int64)
    np.cumsum(lengths, out=out[1:])
    return out


def ragged(offsets: Array, chosen: Array) -> tuple[Ints, Ints]:
    """All values of the `chosen` segments, in order.

    Returns
    -------
    owner : (values,) int
        Index into `chosen`: the segment each value is from.
    index : (values,) int
        Index of the value itself.
    """
    start = offsets[chosen]
    size = offsets[chosen + 1] - start
    ends = offsets_of(size)
    owner = np.repeat(np.arange(len(size)), size)
    return owner, np.arange(ends[-1]) + (start - ends[:-1])[owner]


def segment_of(offsets: Array) -> Ints:
    """The segment of each value: (values,)."""
    return np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))


def begins(column: Array, *others: Array) -> Bools:
    """Which rows begin a run: they differ from the row before in some column, or are the first.

    Examples
    --------
    >>> begins(np.array([5, 5, 5, 7]), np.array([1, 1, 2, 2])).tolist()
    [True, False, True, True]
    """
    out = np.ones(len(column), dtype=bool)
    np.not_equal(column[1:], column[:-1], out=out[1:])
    for other in others:
        out[1:] |= other[1:] != other[:-1]
    return out


def run_lengths(values: Array) -> Ints:
    """How often each value occurs, equal values being adjacent: (values,)."""
    length = np.diff(np.append(np.flatnonzero(begins(values)), len(values)))
    return np.repeat(length, length)


def spread_over(values: Array, known: Bools) -> Array:
    """Values at the places that are `known`, NaN at the others: (..., places)."""
    out = np.full((*values.shape[:-1], len(known)), np.nan)
    out[..., known] = values
    return out


def sum_in_order(values: Array) -> Array:
    """Sum along the last axis, one value after the other: zeros at its end change no bit."""
    if not values.shape[-1]:
        return np.zeros(values.shape[:-1])
    return np.cumsum(values, axis=-1)[..., -1]


def segment_sum(values: Array, offsets: Array) -> Array:
    """Sum of each segment: (..., segments); 0 for an empty one."""
    if values.shape[-1] == 0:
        return np.zeros((*values.shape[:-1], len(offsets) - 1), dtype=_wide(values))
    # reduceat gives values[start] for an empty segment and cannot start at the end, so sum only the
    # segments that are not empty; they adjoin each other.
    filled = np.flatnonzero(np.diff(offsets))
    if len(filled) == len(offsets) - 1:
        return np.add.reduceat(values, offsets[:-1], axis=-1, dtype=_wide(values))
    out = np.zeros((*values.shape[:-1], len(offsets) - 1), dtype=_wide(values))
    if len(filled):
        out[..., filled] = np.add.reduceat(values, offsets[filled], axis=-1, dtype=_wide(values))
    return out


def segment_sum_in_order(values: Array, offsets: Array) -> Array:
    """Sum of each segment, one value after the other: zeros change no bit."""
    lead, n = values.shape[:-1], len(offsets) - 1
    place = segment_of(offsets) + n * np.arange(math.prod(lead))[:, None]
    sums: Array = np.bincount(place.ravel(), weights=values.ravel(), minlength=n * len(place))
    return sums.reshape(*lead, n)


def segment_cumsum(values: Array, offsets: Array) -> Array:
    """Cumulative sum within each segment.

    Meant for whole numbers (counts of hits): subtracting the sum before the segment is then exact.
    """
    # 32 bits hold any count of hits, and take half the memory traffic, and so half the time.
    small = values.dtype.kind == "b" and values.shape[-1] < 2**31
    running: Array = np.cumsum(values, axis=-1, dtype=np.int32 if small else _wide(values))
    if running.shape[-1] == 0:
        return running
    starts = offsets[:-1]
    before = np.where(starts > 0, running[..., np.maximum(starts, 1) - 1], 0)
    running -= np.repeat(before, np.diff(offsets), axis=-1)
    return running


def segment_cumprod(values: Array, offsets: Array) -> Array:
    """Cumulative product within each segment.

    A cumulative product over all segments could underflow, which division cannot undo.
    """
    return _scan(np.multiply, values, offsets)


def segment_float_cumsum(values: Array, offsets: Array) -> Array:
    """Cumulative sum of fractions within each segment, free of rounding by other segments."""
    return _scan(np.add, values, offsets)


def _scan(combine: np.ufunc, values: Array, offsets: Array) -> Array:
    """Cumulative results within each segment, as float.

    Those of 1, 2, 4, ... values are built up: log2(longest segment) passes.
    """
    out: Array = values.astype(np.float64)
    place = np.arange(values.shape[-1]) - np.repeat(offsets[:-1], np.diff(offsets))
    span, longest = 1, int(np.diff(offsets).max(initial=0))
    while span < longest:
        reaches = place >= span  # the value `span` places before is in the same segment
        before = out[..., np.flatnonzero(reaches) - span]
        out[..., reaches] = combine(out[..., reaches], before)
        span *= 2
    return out


def segment_max(values: Array, offsets: Array) -> Array:
    """Largest value of each segment: (..., segments); 0 for an empty one."""
    out = np.zeros((*values.shape[:-1], len(offsets) - 1), dtype=values.dtype)
    filled = np.flatnonzero(np.diff(offsets))
    if len(filled):
        out[..., filled] = np.maximum.reduceat(values, offsets[filled], axis=-1)
    return out


def padded(values: Array, offsets: Array, *, fill: float = 0.0, width: int | None = None) -> Array:
    """Segments side by side, with `fill` beyond their ends.

    Parameters
    ----------
    values : (..., values)
    fill : float
    width : int, optional
        By default the length of the longest segment; not less than that.

    Returns
    -------
    (..., segments, width), of the type of `values`
    """
    size = np.diff(offsets)
    width = int(size.max(initial=0)) if width is None else width
    out = np.full((*values.shape[:-1], len(size), width), fill, dtype=values.dtype)
    segment = np.repeat(np.arange(len(size)), size)
    out[..., segment, np.arange(len(segment)) - np.repeat(offsets[:-1], size)] = values
    return out


def _wide(values: Array) -> Any:
    """The type to accumulate in: 64 bits for booleans and integers."""
    return np.int64 if values.dtype.kind in "bui" else values.dtype


# Lists side by side: the items of many ragged lists as rows, each list a column.
#
# Every step over the rows is then elementwise over the lists, so that a list's result has the same
# bits whatever lists lie beside it: padding has probability 0, and 0 is added and 1 is multiplied
# exactly.


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
