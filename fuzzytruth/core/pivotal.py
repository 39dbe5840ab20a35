"""Generalised pivotal intervals of means over queries and subjects that are both random.

The variance of the estimate is a sum of variance components. Each sum of squares over its expected
mean square is a χ²; with independent χ² in their place and the data's sums of squares, the variance
has a distribution, V* = k_q (θ_q - θ_e)₊ + k_s (θ_s - θ_e)₊ + k_e θ_e, where θ = SS / χ², and the
error of the estimate is a mixture of normal distributions with variances V*. Satterthwaite's t
takes a mean square of few subjects that is small by chance for certain; this does not.

References
----------
Weerahandi, S. (1993), Generalized confidence intervals, Journal of the American Statistical
Association 88.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from scipy.special import chdtri, gammaln, ndtr, ndtri

from fuzzytruth._typing import Floats, Ints

#: a χ² is below or above the nodes of quadrature with this probability
_TAIL = 1e-12
#: nodes for χ² of fewer degrees of freedom than this, whose logarithm spreads the wider
_NODES = ((2, 96), (6, 48), (20, 32), (100, 16), (np.inf, 12))
_BINS = 512
_BATCH = 2**20  # variances at the nodes of a batch of rows
_STEPS = 60
_CONVERGED = 1e-11
_SMALLEST = 1e-300  # share of the largest variance below which there is none


@dataclass(frozen=True, slots=True, eq=False)
class CrossedSquares:
    """Sums of squares of queries, subjects and the rest, and how they make up a variance.

    Parameters
    ----------
    query, subject, residual : (rows,) float
        Sums of squares, each of the first two adjusted for the other.
    df : tuple of float
        Their degrees of freedom: the first two above 0; without any for the residual it counts
        as 0.
    share : tuple of float
        Factors k_q, k_s and k_e.
    """

    query: Floats
    subject: Floats
    residual: Floats
    df: tuple[float, float, float]
    share: tuple[float, float, float]

    def in_own_units(self) -> tuple[Floats, CrossedSquares]:
        """The largest sum of squares of each row, and all over that: no scale overflows."""
        largest = np.maximum(np.maximum(self.query, self.subject), self.residual)
        unit = np.where(largest > 0, largest, 1.0)
        query, subject, residual = self.query / unit, self.subject / unit, self.residual / unit
        return unit, CrossedSquares(query, subject, residual, self.df, self.share)

    def variance(self) -> Floats:
        """Unbiased estimate, negative components counting as 0: (rows,)."""
        q, s, e = (
            squares / df if df > 0 else np.zeros(squares.shape)
            for squares, df in zip((self.query, self.subject, self.residual), self.df, strict=True)
        )
        k = self.share
        out: Floats = k[0] * np.maximum(q - e, 0) + k[1] * np.maximum(s - e, 0) + k[2] * e
        return out


@dataclass(frozen=True, slots=True, eq=False)
class NormalMixtures:
    """Mixtures of normal distributions of mean 0.

    Parameters
    ----------
    std : (rows, parts) float
        Above 0 in rows of any use.
    weight : (rows, parts) float
        Of sum 1.
    """

    std: Floats
    weight: Floats

    @classmethod
    def none(cls, rows: int) -> NormalMixtures:
        """Rows to be filled by `put`."""
        return cls(np.ones((rows, _BINS)), np.zeros((rows, _BINS)))

    def put(self, rows: Ints, mixtures: NormalMixtures) -> None:
        """Fill some rows, in place."""
        self.std[rows], self.weight[rows] = mixtures.std, mixtures.weight

    @np.errstate(divide="ignore", invalid="ignore", under="ignore")
    def two_sided(self, size: Floats) -> Floats:
        """P(|X| ≥ size) of each row: (rows,)."""
        z = np.nan_to_num(size[:, None] / self.std, nan=0.0)
        p: Floats = (2 * ndtr(-z) * self.weight).sum(axis=1)
        return np.minimum(p, 1.0)

    @np.errstate(divide="ignore", invalid="ignore", under="ignore")
    def quantile(self, alpha: float) -> Floats:
        """The size that |X| reaches with probability `alpha`: (rows,).

        By Newton's method on the logarithm of the probability, within a bracket.
        """
        low = np.zeros(len(self.std))
        high = self.std.max(axis=1, initial=0.0) * _normal_quantile(alpha)
        x: Floats = np.sqrt((self.std**2 * self.weight).sum(axis=1)) * _normal_quantile(alpha)
        active = np.flatnonzero(high > 0)
        for _ in range(_STEPS):
            if not len(active):
                break
            p, slope = self._tail(x[active], active)
            above = p > alpha
            low[active] = np.where(above, x[active], low[active])
            high[active] = np.where(above, high[active], x[active])
            step = p * np.log(p / alpha) / slope
            new = x[active] + step
            inside = (new > low[active]) & (new < high[active])
            new = np.where(inside, new, (low[active] + high[active]) / 2)
            moved = np.abs(new - x[active])
            x[active] = new
            active = active[moved > _CONVERGED * new]
        return x

    def _tail(self, size: Floats, rows: Ints) -> tuple[Floats, Floats]:
        """P(|X| ≥ size) of some rows, and minus its derivative."""
        std, weight = self.std[rows], self.weight[rows]
        z = size[:, None] / std
        p = (2 * ndtr(-z) * weight).sum(axis=1)
        density = np.exp(-z * z / 2) * (weight / std)
        slope = density.sum(axis=1) * np.sqrt(2 / np.pi)
        return np.asarray(p), np.asarray(slope)


def _normal_quantile(alpha: float) -> float:
    return float(-ndtri(alpha / 2))


@np.errstate(under="ignore")
def error_mixtures(squares: CrossedSquares) -> NormalMixtures:
    """Distributions of the errors of estimates, by quadrature over the three χ²: (rows, bins).

    Variances are gathered on a logarithmic grid of each row, at their mean in each bin.
    """
    unit, squares = squares.in_own_units()
    nodes = [chi2_nodes(df) for df in squares.df]
    (_, w_q), (_, w_s), (_, w_e) = nodes
    weight = (w_q[:, None, None] * w_s[None, :, None] * w_e).ravel()
    rows = len(squares.query)
    size = max(1, _BATCH // len(weight))
    parts = [
        binned(_variances(squares, nodes, slice(start, start + size)), weight)
        for start in range(0, rows, size)
    ]
    if not parts:
        return NormalMixtures(np.zeros((0, _BINS)), np.zeros((0, _BINS)))
    std, mass = (np.concatenate(part) for part in zip(*parts, strict=True))
    return NormalMixtures(std * np.sqrt(unit)[:, None], mass)


@lru_cache(maxsize=64)
@np.errstate(under="ignore")
def chi2_nodes(df: float) -> tuple[Floats, Floats]:
    """1 / χ² at nodes, and their weights, by Gauss-Legendre quadrature in log χ²."""
    if df <= 0:  # nothing is known of this component, which counts as 0
        return np.zeros(1), np.ones(1)
    count = next(count for most, count in _NODES if df < most)
    low, high = (float(np.log(chdtri(df, p))) for p in (1 - _TAIL, _TAIL))
    x, w = np.polynomial.legendre.leggauss(count)
    log = (high - low) / 2 * x + (high + low) / 2
    u = np.exp(log)
    density = df / 2 * log - u / 2 - df / 2 * np.log(2) - gammaln(df / 2)  # of log χ²
    w = w * np.exp(density)
    return 1 / u, w / w.sum()


def _variances(squares: CrossedSquares, nodes: list[tuple[Floats, Floats]], part: slice) -> Floats:
    """V* at all nodes: (rows, nodes)."""
    q = squares.query[part, None] * nodes[0][0]
    s = squares.subject[part, None] * nodes[1][0]
    e = squares.residual[part, None] * nodes[2][0]  # (rows, nodes of each)
    from_q = squares.share[0] * np.maximum(q[:, :, None] - e[:, None, :], 0.0)
    from_s = squares.share[1] * np.maximum(s[:, :, None] - e[:, None, :], 0.0)
    from_s += squares.share[2] * e[:, None, :]
    out: Floats = (from_q[:, :, None, :] + from_s[:, None, :, :]).reshape(len(q), -1)
    return out


def binned(variance: Floats, weight: Floats) -> tuple[Floats, Floats]:
    """Standard deviations and weights on a grid: (rows, bins) each."""
    rows = len(variance)
    largest = variance.max(axis=1, keepdims=True, initial=0.0)
    unit = np.where(largest > 0, largest, 1.0)
    log = np.log(np.maximum(variance / unit, _SMALLEST))
    low, high = log.min(axis=1, keepdims=True), log.max(axis=1, keepdims=True)
    place = log - low
    place *= (_BINS - 1e-9) / np.maximum(high - low, 1e-300)
    index = place.astype(np.int64)
    np.minimum(index, _BINS - 1, out=index)
    index += np.arange(rows)[:, None] * _BINS
    flat, repeated = index.ravel(), np.broadcast_to(weight, variance.shape).ravel()
    gathered: Any = np.bincount(flat, repeated, rows * _BINS)
    mass: Floats = gathered.reshape(rows, _BINS)
    total = np.bincount(flat, (log * weight).ravel(), rows * _BINS).reshape(rows, _BINS)
    mean = np.divide(total, mass, out=np.broadcast_to(low, mass.shape).copy(), where=mass > 0)
    return np.exp(mean / 2) * np.sqrt(unit), mass
