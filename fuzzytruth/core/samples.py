"""Means and spreads of samples side by side, with holes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fuzzytruth._typing import Floats, Ints

_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class Samples:
    """Moments of samples (..., units, samples).

    Parameters
    ----------
    n : (..., samples) int
        Values that there are.
    mean, std : (..., samples) float
        NaN where n < 1; `std` has divisor n - 1, is NaN where n < 2 and 0 where all values agree.
    centred : (..., units, samples) float
        Values minus their mean; 0 where a value is missing, and where all agree.
    """

    n: Ints
    mean: Floats
    std: Floats
    centred: Floats

    @property
    def std_error(self) -> Floats:
        """Standard error of the mean."""
        out: Floats = self.std / np.sqrt(np.maximum(self.n, 1))
        return out


def samples(values: Floats) -> Samples:
    """Moments of (..., units, samples); NaN is missing.

    Values that differ by less than 1e-12 of the largest agree: that is rounding.
    """
    there = ~np.isnan(values)
    n = there.sum(axis=-2)
    filled = np.where(there, values, 0.0)
    mean = np.full(n.shape, np.nan)
    np.divide(filled.sum(axis=-2), n, out=mean, where=n > 0)
    centred = np.where(there, filled - np.nan_to_num(mean)[..., None, :], 0.0)
    noise = _ROUNDING * np.abs(filled).max(axis=-2, initial=0.0)
    flat = np.abs(centred).max(axis=-2, initial=0.0) <= noise
    centred[np.broadcast_to(flat[..., None, :], centred.shape)] = 0.0
    variance = np.full(n.shape, np.nan)
    np.divide((centred**2).sum(axis=-2), n - 1, out=variance, where=n > 1)
    return Samples(n, mean, np.sqrt(variance), centred)


def difference(a: Floats, b: Floats) -> Floats:
    """Differences a - b, 0 where less than 1e-12 of the larger: that is rounding."""
    out: Floats = a - b
    out[np.abs(out) <= _ROUNDING * np.maximum(np.abs(a), np.abs(b))] = 0.0
    return out


def mean_where_there(values: Floats, axis: int) -> Floats:
    """Mean over the values there are; NaN where there are none."""
    there = ~np.isnan(values)
    count = there.sum(axis=axis)
    total = np.where(there, values, 0.0).sum(axis=axis)
    out: Floats = np.full(total.shape, np.nan)
    np.divide(total, count, out=out, where=count > 0)
    return out
