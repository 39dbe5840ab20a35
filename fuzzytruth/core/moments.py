"""Weighted means and variances, accumulated block by block without loss of precision."""

from __future__ import annotations

import numpy as np

from fuzzytruth._typing import Array
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.core.columns import column_sums


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
