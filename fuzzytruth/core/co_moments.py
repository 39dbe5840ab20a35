"""Weighted covariances of series, accumulated block by block without loss of precision."""

from __future__ import annotations

import numpy as np

from fuzzytruth._typing import Bools, Floats
from fuzzytruth.core.arithmetic import divide


class CoMoments:
    """Covariances of series over the last axis of all blocks added so far; NaN is left out.

    Blocks are merged as in `Moments`. The bits of a covariance depend on its two series alone, and
    equal series have equal covariances.

    Parameters
    ----------
    shape : tuple of int
        (..., series)
    """

    def __init__(self, shape: tuple[int, ...]) -> None:
        self._weight: Floats = np.zeros(shape)
        self._mean: Floats = np.zeros(shape)
        self._products: Floats = np.zeros((*shape, shape[-1]))
        self._apart: Bools = np.zeros((1, 1), dtype=bool)

    def add(self, values: Floats, weight: Floats) -> None:
        """Add a block of values (..., series, n), each n with its weight (n,)."""
        values = np.ascontiguousarray(values)
        defined = ~np.isnan(values)
        each = np.broadcast_to(weight, values.shape)
        if not defined.all():
            each = weight * defined
            lacks = inner_products(defined.astype(np.float64), (~defined).astype(np.float64)) > 0
            self._apart = self._apart | lacks | lacks.swapaxes(-1, -2)
        total = each.sum(axis=-1)
        # Relative to one of the values: the mean of equal values is then exact.
        first = np.nan_to_num(np.fmax.reduce(values, axis=-1))
        shifted = np.where(defined, values - first[..., None], 0.0)
        block = first + divide((each * shifted).sum(axis=-1), total)
        centred = np.where(defined, values - block[..., None], 0.0)
        both = self._weight + total
        gap = np.where(self._weight > 0, block - self._mean, 0.0)
        share = divide(total, both)
        between = gap * np.sqrt(self._weight * share)
        rows = np.concatenate((centred * np.sqrt(each), between[..., None]), axis=-1)
        self._products += inner_products(rows, rows)
        self._mean = np.where(self._weight > 0, self._mean + gap * share, block)
        self._weight = both

    @property
    def covariance(self) -> Floats:
        """Covariances by the weights: (..., series, series).

        NaN for two series of which one lacks a value where the other has one, 0 where neither has
        any.
        """
        return np.where(self._apart, np.nan, divide(self._products, self._weight[..., None]))


def inner_products(one: Floats, other: Floats) -> Floats:
    """Inner products of all pairs of rows: (..., a, n), (..., b, n) → (..., a, b).

    Each has the same bits whatever the other rows are, which a matrix product does not promise.
    """
    out: Floats = np.einsum("...an,...bn->...ab", one, other, optimize=False)
    return out
