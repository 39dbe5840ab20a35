"""Numbers whose weighted sums are exact, so that the order of addition does not matter.

A matrix product adds in an order that depends on the machine, the number of threads and the size
of the block. Numbers on a common binary grid, coarse enough for the largest sum to be exact, have
the same sum in every order. Rounding to it costs a relative error of n · 2⁻⁵² of the largest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np

from fuzzytruth._typing import Array, Floats, Ints
from fuzzytruth.core.arithmetic import ROUNDING, column_sums, divide, segment_max

_MANTISSA = 52


def on_grid(values: Floats, axis: int | None, n_terms: int | None = None) -> Floats:
    """Round so that sums along `axis` with whole weights of total size n are exact.

    Parameters
    ----------
    values : (..., n, ...) float, finite
    axis : int or None
        Axis of the sums; each line along it has its own grid. None: one grid.
    n_terms : int, optional
        Largest possible sum of absolute weights; by default how many numbers share a grid.
    """
    n = n_terms or (values.size if axis is None else values.shape[axis])
    return _rounded(values, np.abs(values).max(axis=axis, keepdims=True, initial=0.0), n)


def on_segment_grids(values: Floats, offsets: Ints, n_terms: int) -> Floats:
    """As `on_grid`, for sums over segments (..., offsets[j]:offsets[j + 1]), each with a grid."""
    largest = np.repeat(segment_max(np.abs(values), offsets), np.diff(offsets), axis=-1)
    return _rounded(values, largest, n_terms)


def tied_share(n_terms: int) -> float:
    """Share of the largest number within which two means of n numbers on a grid are equal.

    It is `ROUNDING`, or above 2,251 terms what rounding both to the grid may add up to.
    """
    return float(max(ROUNDING, n_terms * 2.0 ** (1 - _MANTISSA)))


def _rounded(values: Floats, largest: Floats, n_terms: int) -> Floats:
    _, exponent = np.frexp(largest * max(n_terms, 1))
    out: Floats = np.ldexp(np.rint(np.ldexp(values, _MANTISSA - exponent)), exponent - _MANTISSA)
    return out


# Exact sums of floating-point numbers, in fixed point: added in any order, in any parts.
#
# A number is cut into multiples of 2^10, 2^-20, 2^-50 and so on, each of which is a whole number of
# 30 bits. Sums of up to 2^20 such multiples are exact as floating-point numbers; what is too much
# for a unit goes to the next one. Rounded is once, when all parts have been added.


_STEP = 30  # binary digits from one unit to the next
_FIRST = 10  # exponent of one of the units
_HUGE = 2.0**900


@dataclass(frozen=True, slots=True, eq=False)
class ExactSum:
    """Sums of many numbers each, without rounding.

    Parameters
    ----------
    shape : tuple of int
        Of the sums.
    parts : dict of int to (...) float
        Sums of multiples of 2 to this power; others are 0.
    special : (...) float or None
        Sums of the numbers that are not finite, or huge.

    References
    ----------
    Demmel & Nguyen 2015, Parallel reproducible summation, IEEE Transactions on Computers.

    Examples
    --------
    >>> import numpy as np
    >>> tenths = ExactSum.of(np.full((1, 10), 0.1))
    >>> (tenths + ExactSum.of(np.array([[-1.0]]))).value.tolist()  # ten times what 0.1 stands for
    [5.551115123125783e-17]
    """

    shape: tuple[int, ...]
    parts: dict[int, Floats]
    special: Floats | None = None

    @classmethod
    def zero(cls, shape: tuple[int, ...]) -> ExactSum:
        """Sums of nothing."""
        return cls(shape, {})

    @classmethod
    def of(cls, values: Floats) -> ExactSum:
        """Sums along the last axis."""
        special = None
        usual = np.abs(values) < _HUGE  # false for NaN
        if not usual.all():
            special = np.where(usual, 0.0, values).sum(axis=-1)
            values = np.where(usual, values, 0.0)
        parts = {}
        unit = _unit_of(float(np.abs(values).max(initial=0.0)))
        while values.any():
            rounded = _in_units(values, unit)
            parts[unit] = rounded.sum(axis=-1)
            values = values - rounded
            unit -= _STEP
        return cls(values.shape[:-1], parts, special)

    def __add__(self, other: ExactSum) -> ExactSum:
        parts = dict(self.parts)
        for unit, sums in other.parts.items():
            parts[unit] = parts[unit] + sums if unit in parts else sums
        for unit in sorted(parts):  # what a unit has too much of goes to the next
            if np.abs(parts[unit]).max(initial=0.0) > 2.0 ** (unit + _MANTISSA - 2):
                carry = _in_units(parts[unit], unit + _STEP)
                parts[unit] = parts[unit] - carry
                parts[unit + _STEP] = parts.get(unit + _STEP, np.zeros(self.shape)) + carry
        given = [one for one in (self.special, other.special) if one is not None]
        return ExactSum(self.shape, parts, reduce(np.add, given) if given else None)

    @property
    def value(self) -> Floats:
        """The sums, rounded: (...) float."""
        total = np.zeros(self.shape)
        units = sorted(self.parts)
        if units:
            total = self._rounded(range(units[0], units[-1] + 1, _STEP))
        return total if self.special is None else total + self.special

    def _rounded(self, units: range) -> Floats:
        """Sum of all parts, from the lowest up; what a unit has too much of goes to the next."""
        carry, kept = np.zeros(self.shape), []
        for unit in units:
            here = carry + self.parts.get(unit, 0.0)
            carry = np.zeros(self.shape)
            if unit < units[-1]:
                carry = _in_units(here, unit + _STEP)
            kept.append(here - carry)
        high, low = kept[-1], np.zeros(self.shape)
        for part in reversed(kept[:-1]):
            high, rest = _two_sum(high, part)
            low = low + rest
        return high + low

    @classmethod
    def concatenate(cls, parts: Sequence[ExactSum]) -> ExactSum:
        """Sums one after the other along the first axis."""

        def joined(arrays: Sequence[Floats | None]) -> Floats:
            return np.concatenate(
                [
                    np.zeros(part.shape) if array is None else array
                    for part, array in zip(parts, arrays, strict=True)
                ]
            )

        shape = (sum(part.shape[0] for part in parts), *parts[0].shape[1:])
        units = sorted({unit for part in parts for unit in part.parts})
        special = [part.special for part in parts]
        return cls(
            shape,
            {unit: joined([part.parts.get(unit) for part in parts]) for unit in units},
            None if all(one is None for one in special) else joined(special),
        )


def _in_units(values: Floats, unit: int) -> Floats:
    """The nearest multiples of 2 to this power; numbers have less than 2^51 of them."""
    shift = 1.5 * 2.0 ** (unit + _MANTISSA)
    return (values + shift) - shift


def _unit_of(largest: float) -> int:
    """Exponent of the unit of which numbers up to the largest are some 30-bit multiples."""
    exponent = int(np.frexp(largest)[1])  # it is less than 2 to this power
    return _FIRST + -(-(exponent - _STEP + 1 - _FIRST) // _STEP) * _STEP


def _two_sum(a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """The rounded sum, and its exact error."""
    total = a + b
    of_b = total - a
    return total, (a - (total - of_b)) + (b - of_b)


# Weighted means and variances, accumulated block by block without loss of precision.


class Moments:
    """Mean and variance over the first axis of all blocks added so far; NaN is left out.

    Blocks are merged by their means and their sums of squared deviations (Chan, Golub & LeVeque
    1983), which avoids cancellation; equal values have variance exactly 0.

    Parameters
    ----------
    shape : tuple of int
        Shape of a value.
    """

    def __init__(self, shape: tuple[int, ...]) -> None:
        self.weight: Array = np.zeros(shape)
        self._mean: Array = np.zeros(shape)
        self._squares: Array = np.zeros(shape)

    def add(self, values: Array, weight: Array) -> None:
        """Add a block of values (n, ...), each with its weight (n,)."""
        values = np.ascontiguousarray(values)  # the order of summation depends on the layout
        defined = ~np.isnan(values)
        whole = bool(defined.all())
        shaped = weight.reshape(-1, *[1] * (values.ndim - 1))
        each = np.broadcast_to(shaped, values.shape) if whole else shaped * defined
        total = np.full(values.shape[1:], np.cumsum(weight)[-1]) if whole else column_sums(each)
        first = values[0] if whole else np.where(defined[0], values[0], self._mean)
        # Relative to the first value: the mean of equal values is then exact.
        shifted = values - first if whole else np.where(defined, values - first, 0.0)
        block = first + divide(column_sums(each * shifted), total)
        centred = values - block if whole else np.where(defined, values - block, 0.0)
        squares = column_sums(each * centred**2)
        both = self.weight + total
        gap = np.where(self.weight > 0, block - self._mean, 0.0)
        share = divide(total, both)
        self._mean = np.where(self.weight > 0, self._mean + gap * share, block)
        self._squares += squares + gap**2 * self.weight * share
        self.weight = both

    @property
    def mean(self) -> Array:
        """Mean; NaN where nothing has weight."""
        return np.where(self.weight > 0, self._mean, np.nan)

    @property
    def variance(self) -> Array:
        """Variance about the mean, by the weights; NaN where nothing has weight."""
        return np.where(self.weight > 0, divide(self._squares, self.weight), np.nan)
