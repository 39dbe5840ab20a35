"""Studentised maxima under sign flips of centred differences.

Differences are centred at their mean, one common sign a query is flipped for all contrasts, and
each contrast is studentised anew. What is left varies as the errors do, whatever the true means.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fuzzytruth.core.exact_sums import on_grid

Floats = NDArray[np.float64]

_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class Contrasts:
    """Means of differences, and their centred units.

    Parameters
    ----------
    n : (..., contrasts) int
        Differences that there are.
    mean, std : (..., contrasts) float
        `std` has divisor n - 1; NaN where n < 2, and 0 where all differences agree.
    unit : (..., queries, contrasts) float
        Centred differences over √(n Σ c²): a sum under signs then lies in [-1, 1]. 0 where a
        difference is missing, and where all agree.
    """

    n: NDArray[np.int64]
    mean: Floats
    std: Floats
    unit: Floats

    @property
    def std_error(self) -> Floats:
        """Standard error of the mean."""
        out: Floats = self.std / np.sqrt(np.maximum(self.n, 1))
        return out

    @property
    def statistic(self) -> Floats:
        """Student's t; 0 where mean and spread are 0, infinite where only the spread is."""
        error = self.std_error
        t = np.where(self.mean == 0, 0.0, np.copysign(np.inf, self.mean))
        np.divide(self.mean, error, out=t, where=error > 0)
        return np.where(self.n < 2, 0.0, t)


def contrasts(differences: Floats) -> Contrasts:
    """Centre and scale differences (..., queries, contrasts); NaN is missing."""
    there = ~np.isnan(differences)
    n = there.sum(axis=-2)
    filled = np.where(there, differences, 0.0)
    mean = np.full(n.shape, np.nan)
    np.divide(filled.sum(axis=-2), n, out=mean, where=n > 0)
    centred = np.where(there, filled - np.nan_to_num(mean)[..., None, :], 0.0)
    flat = np.abs(centred).max(axis=-2, initial=0) <= _ROUNDING * np.abs(filled).max(-2, initial=0)
    centred[np.broadcast_to(flat[..., None, :], centred.shape)] = 0.0
    squares = (centred**2).sum(axis=-2)
    std = np.full(n.shape, np.nan)
    np.divide(squares, n - 1, out=std, where=n > 1)
    scale = np.sqrt(n * squares)
    unit = np.zeros(centred.shape)
    np.divide(centred, scale[..., None, :], out=unit, where=scale[..., None, :] > 0)
    return Contrasts(n, mean, np.sqrt(std), on_grid(unit, -2))


def maxima(unit: Floats, n: NDArray[np.int64], signs: Floats, columns: int) -> Floats:
    """Largest |t| over contrasts under each row of signs: (..., flips).

    Parameters
    ----------
    unit : (..., queries, contrasts) float
        Of `Contrasts`.
    n : (..., contrasts) int
    signs : (flips, queries) float
    columns : int
        Contrasts at a time; changes the memory and not the result.
    """
    largest = np.zeros((*unit.shape[:-2], len(signs)))
    same = bool((n == n.flat[0]).all()) if n.size else True
    for start in range(0, unit.shape[-1], columns):
        part = slice(start, start + columns)
        share = signs @ unit[..., part]  # (..., flips, contrasts)
        if same:
            top = np.maximum(share.max(axis=-1), -share.min(axis=-1))
        else:
            top = _student(np.abs(share), n[..., None, part]).max(axis=-1)
        np.maximum(largest, top, out=largest)
    return _student(largest, n.flat[0]) if same and n.size else largest


def _student(share: Floats, n: NDArray[np.int64]) -> Floats:
    """From r = Σ s c / √(n Σ c²) to t = r √(n - 1) / √(1 - r²)."""
    rest = 1 - np.minimum(share, 1.0) ** 2
    t = np.full(share.shape, np.inf)
    wide = np.broadcast_to(np.sqrt(np.maximum(n - 1.0, 0.0)), share.shape)
    np.divide(share * wide, np.sqrt(rest), out=t, where=rest > _ROUNDING)
    return t
