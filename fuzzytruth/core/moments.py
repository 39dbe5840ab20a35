"""Weighted means and variances gathered block by block, without loss of precision."""

from __future__ import annotations

import numpy as np

from fuzzytruth._typing import Array


class Moments:
    """Mean and variance over the first axis of all blocks added so far.

    NaN has no weight. Blocks are merged by their means and sums of squares about them (Chan,
    Golub & LeVeque 1983), so that nothing cancels; equal values have variance exactly 0.
    """

    def __init__(self, shape: tuple[int, ...]) -> None:
        self.weight: Array = np.zeros(shape)
        self._mean: Array = np.zeros(shape)
        self._squares: Array = np.zeros(shape)

    def add(self, values: Array, weight: Array) -> None:
        """Add a block of values (n, ...), each with its weight (n,)."""
        there = ~np.isnan(values)
        whole = bool(there.all())
        shaped = weight.reshape(-1, *[1] * (values.ndim - 1))
        each = np.broadcast_to(shaped, values.shape) if whole else shaped * there
        total = each.sum(axis=0)
        first = values[0] if whole else np.where(there[0], values[0], self._mean)
        # About the first value: equal values then have exactly that mean.
        shifted = values - first if whole else np.where(there, values - first, 0.0)
        block = first + _ratio((each * shifted).sum(axis=0), total)
        centred = values - block if whole else np.where(there, values - block, 0.0)
        squares = (each * centred**2).sum(axis=0)
        both = self.weight + total
        gap = np.where(self.weight > 0, block - self._mean, 0.0)
        share = _ratio(total, both)
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
        return np.where(self.weight > 0, _ratio(self._squares, self.weight), np.nan)


def _ratio(top: Array, bottom: Array) -> Array:
    out: Array = np.zeros(np.broadcast(top, bottom).shape)
    np.divide(top, bottom, out=out, where=bottom > 0)
    return out
