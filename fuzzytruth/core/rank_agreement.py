"""Rank correlations with a reference order: Kendall's τ_b and τ_AP, with ties.

References
----------
Kendall, M. G. (1945), The treatment of ties in ranking problems, Biometrika 33. Yilmaz, E., Aslam,
J. & Robertson, S. (2008), A new rank correlation coefficient for information retrieval, SIGIR.
Urbano, J. & Marrero, M. (2017), The treatment of ties in AP correlation, ICTIR.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.core.harmonic import harmonic

_TIE = 1e-12


def beats(values: Floats) -> NDArray[np.int8]:
    """Sign of each pair's difference: (..., k) → (..., k, k), 1 where the first is larger.

    Differences of less than 1e-12 of the larger value are ties.
    """
    a, b = values[..., :, None], values[..., None, :]
    gap = a - b
    near = np.abs(gap) <= _TIE * np.maximum(np.abs(a), np.abs(b))
    return np.where(near, 0, np.sign(gap)).astype(np.int8)


@dataclass(frozen=True, slots=True, eq=False)
class SystemOrder:
    """An order of systems, with ties.

    Parameters
    ----------
    above : (..., k) int
        Number of systems above each.
    tied : (..., k) int
        Number of systems tied with each, itself included.
    """

    above: Ints
    tied: Ints

    @classmethod
    def of(cls, sign: NDArray[np.int8]) -> SystemOrder:
        """From the signs of pairwise differences (..., k, k); see `beats`."""
        return cls((sign < 0).sum(axis=-1), (sign == 0).sum(axis=-1))

    def shares(self) -> Floats:
        """Share of each place that each system takes: (..., k, places)."""
        place = np.arange(self.above.shape[-1])
        above, tied = self.above[..., None], self.tied[..., None]
        inside = (place >= above) & (place < above + tied)
        out: Floats = inside / tied
        return out


def tau_b(sign: NDArray[np.int8], reference: NDArray[np.int8]) -> Floats:
    """Kendall's τ_b of orders (..., k, k) and a reference (k, k); NaN where all is tied."""
    agree = (sign * reference).sum(axis=(-2, -1), dtype=np.float64)
    untied = np.abs(sign).sum(axis=(-2, -1), dtype=np.float64) * np.abs(reference).sum(dtype=float)
    return divide(agree, np.sqrt(untied), fill=np.nan)


def tau_ap(sign: NDArray[np.int8], reference: NDArray[np.int8]) -> Floats:
    """Top-weighted rank correlation τ_AP of orders (..., k, k) with a reference (k, k).

    Ties in an order: the expectation over random tie-breaks. A pair that is tied in the reference
    counts half in either order. NaN for a single system.
    """
    k = sign.shape[-1]
    if k < 2:
        return np.full(sign.shape[:-2], np.nan)
    right = (1 - reference.astype(np.float64)) / 2  # (i, o): 1 if o belongs above i
    order = SystemOrder.of(sign)
    from_above = np.where(sign < 0, right, 0.0).sum(axis=-1)
    among = np.where(sign == 0, right, 0.0).sum(axis=-1) - 0.5  # minus the system itself
    each = among / np.maximum(order.tied - 1, 1)
    sums = harmonic(k)
    p, t = order.above, order.tied
    # Of places p + 1 .. p + t: sums of 1 / (place - 1) and of (place - 1 - p) / (place - 1).
    inverse = sums[p + t - 1] - sums[np.maximum(p - 1, 0)]
    filled = np.where(p > 0, t, t - 1) - p * inverse
    expected = (from_above * inverse + each * filled) / t
    out: Floats = 2 / (k - 1) * expected.sum(axis=-1) - 1
    return out
