"""Intervals and tests of data that are not yet there: what to expect of their half-widths.

Scores are normal, tables complete. The half-width of an interval then depends on the future sums
of squares alone, which are variances times independent χ²; and the estimate is independent of
them. Expectations are sums over nodes of the χ², by Gauss-Hermite quadrature of their normal
scores. An interval over queries and subjects is the generalised pivotal one (`core.pivotal`),
which is a quadrature of its own at each node.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from fuzzytruth._lazy import special
from fuzzytruth._typing import Floats
from fuzzytruth.core import student

#: most degrees of freedom, and nodes, of the future sums of squares of queries, subjects, the rest
_FUTURE = (
    ((2, 6), (4, 5), (np.inf, 4)),
    ((2, 10), (4, 7), (9, 5), (np.inf, 4)),
    ((9, 4), (np.inf, 2)),
)
#: most degrees of freedom, and step of the finer nodes that half-widths are interpolated to; where
#: these end
_FINE = ((2, 0.05), (9, 0.1), (np.inf, 0.0))
_END = 4.25
#: step and end of the nodes of one χ² alone
_ALONE = (0.05, 7.0)
#: nodes of the pivotal χ² of queries and of the rest
_PIVOTAL = (6, 4)
#: distance of the nodes of the subjects' one, by its degrees of freedom, and where they end
_STEPS = ((1, 0.3, 7.2), (4, 0.5, 7.0), (8, 0.75, 6.75), (np.inf, 1.0, 6.0))
#: the same for queries, where these are as few; collections have more
_STEPS_OF_FEW = ((1, 0.5, 7.0), (4, 0.8, 6.4))
_SMALLEST = 1e-150
_STEPS_AT_MOST = 50
_CONVERGED = 1e-7


@dataclass(frozen=True, slots=True, eq=False)
class FutureErrors:
    """The errors of an estimate of data to come, and the half-widths of its interval.

    Parameters
    ----------
    variance : float
        Of the estimate.
    half : (nodes,) float
        Half-widths; infinite where there are no degrees of freedom.
    weight : (nodes,) float
        Their probabilities.
    alpha : float
        1 - level of the interval.
    """

    variance: float
    half: Floats
    weight: Floats
    alpha: float

    @property
    def half_width(self) -> float:
        """The expected half-width."""
        return float(self.half @ self.weight)

    def power(self, difference: float) -> float:
        """Probability that the interval of a true difference excludes 0.

        A difference of 0 has no power, and one without variance has all.
        """
        if not np.isfinite(self.half).all() or difference == 0:
            return 0.0
        if self.variance <= 0:
            return 1.0
        error = np.sqrt(self.variance)
        above = special.ndtr((abs(difference) - self.half) / error)
        below = special.ndtr((-abs(difference) - self.half) / error)
        return float((above + below) @ self.weight)


def student_errors(variance: float, df: int, alpha: float) -> FutureErrors:
    """Errors of a mean with Student's interval; `variance` is the mean's."""
    if df <= 0:
        return _without_end(variance, alpha)
    chi2, weight = _even_chi2(float(df), *_ALONE)
    half = student.quantile(1 - alpha, df) * np.sqrt(variance * chi2 / df)
    return FutureErrors(variance, half, weight, alpha)


@lru_cache(maxsize=256)
def crossed_errors(
    query: float, subject: float, residual: float, queries: int, subjects: int, alpha: float
) -> FutureErrors:
    """Errors of a mean over queries and subjects, both random, of a complete table.

    Parameters
    ----------
    query, subject, residual : float
        Variances: of y_qs = μ + α_q + β_s + ε_qs.
    queries, subjects : int
    alpha : float
    """
    variance = query / queries + subject / subjects + residual / (queries * subjects)
    df = (queries - 1, subjects - 1, (queries - 1) * (subjects - 1))
    if min(df) <= 0 or not np.isfinite(variance):
        return _without_end(variance, alpha)
    if variance <= 0:
        return FutureErrors(0.0, np.zeros(1), np.ones(1), alpha)
    unit = variance * queries * subjects  # whose multiples neither overflow nor vanish
    squares = [
        (residual + subjects * query) / unit,
        (residual + queries * subject) / unit,
        residual / unit,
    ]
    counts = [next(n for most, n in each if d <= most) for d, each in zip(df, _FUTURE, strict=True)]
    nodes = [hermite_chi2(float(d), n) for d, n in zip(df, counts, strict=True)]
    grid = np.meshgrid(*(s * n[0] for s, n in zip(squares, nodes, strict=True)), indexing="ij")
    half = _half_widths([one.ravel() for one in grid], df, alpha) * np.sqrt(variance)
    return FutureErrors(variance, *_finer(half, counts, df, nodes[2][1]), alpha)


def _finer(
    half: Floats, counts: Sequence[int], df: tuple[int, int, int], weight: Floats
) -> tuple[Floats, Floats]:
    """Half-widths at more nodes of queries and subjects, on which power depends steeply.

    `half` is at (queries, subjects, rest) nodes, whose numbers are `counts`; `weight` is of the
    last.
    """
    (to_q, of_q), (to_s, of_s) = (
        _interpolation(count, next(step for most, step in _FINE if d <= most))
        for count, d in zip(counts[:2], df[:2], strict=True)
    )
    coarse = np.log(half).reshape(counts)
    fine = np.exp(np.einsum("aq,bs,qse->abe", to_q, to_s, coarse, optimize=True))
    return fine.ravel(), np.einsum("a,b,e->abe", of_q, of_s, weight).ravel()


@lru_cache(maxsize=32)
def _interpolation(count: int, step: float) -> tuple[Floats, Floats]:
    """Factors that interpolate a polynomial from Hermite nodes to even ones, and their weights.

    A step of 0 leaves the nodes as they are.
    """
    coarse, weight = np.polynomial.hermite_e.hermegauss(count)
    if not step:
        return np.eye(count), weight / weight.sum()
    fine = np.arange(-_END, _END + step / 2, step)
    same = np.eye(count, dtype=bool)
    apart = np.where(same, 1.0, coarse[:, None] - coarse)
    ratios = np.where(same, 1.0, (fine[:, None, None] - coarse) / apart)  # (fine, coarse, others)
    weight = np.exp(-fine * fine / 2)
    return ratios.prod(axis=2), weight / weight.sum()


def _half_widths(squares: list[Floats], df: tuple[int, int, int], alpha: float) -> Floats:
    """Half-widths for future sums of squares (rows,) each, in units of the root of a variance."""
    (u_q, w_q), (u_s, w_s) = _pivotal_chi2(df[0], _STEPS_OF_FEW), _pivotal_chi2(df[1], _STEPS)
    u_e, w_e = hermite_chi2(float(df[2]), _PIVOTAL[1])
    q, s, e = (
        one[:, None] / u for one, u in zip(squares, (u_q, u_s, u_e), strict=True)
    )  # (rows, nodes of each)
    from_q = np.maximum(q[:, :, None] - e[:, None, :], 0.0)
    from_s = np.maximum(s[:, :, None] - e[:, None, :], 0.0) + e[:, None, :]
    variance = (from_q[:, :, None, :] + from_s[:, None, :, :]).reshape(len(q), -1)
    std = np.sqrt(np.maximum(variance, _SMALLEST))
    weight = np.einsum("i,j,k->ijk", w_q, w_s, w_e).ravel()
    size = np.sqrt(sum(one / d for one, d in zip(squares, df, strict=True)))
    return _quantiles(std, weight, alpha, size * student.quantile(1 - alpha, min(df)))


@np.errstate(divide="ignore", invalid="ignore", under="ignore")
def _quantiles(std: Floats, weight: Floats, alpha: float, start: Floats) -> Floats:
    """Sizes that |X| reaches with probability `alpha`, X being mixtures of normal laws: (rows,).

    By Newton's method on log P(|X| ≥ size), which is concave in log size, or nearly. That of
    `NormalMixtures` is exact to more digits, and takes several times as long.
    """
    x = np.log(start)
    for _ in range(_STEPS_AT_MOST):
        z = np.exp(x)[:, None] / std
        p = 2 * (special.ndtr(-z) @ weight)
        slope = 2 / np.sqrt(2 * np.pi) * ((np.exp(-z * z / 2) * z) @ weight)  # -dp / dx
        step = p * np.log(p / alpha) / slope
        step = np.clip(np.nan_to_num(step, nan=-1.0), -1.0, 1.0)
        x = x + step
        if np.abs(step).max(initial=0.0) < _CONVERGED:
            break
    return np.asarray(np.exp(x))


def _pivotal_chi2(df: int, steps: tuple[tuple[float, float, float], ...]) -> tuple[Floats, Floats]:
    """Nodes of a pivotal χ², many in the tails where its degrees of freedom are few."""
    for most, step, end in steps:
        if df <= most:
            return _even_chi2(float(df), step, end)
    return hermite_chi2(float(df), _PIVOTAL[0])


@lru_cache(maxsize=1024)
def hermite_chi2(df: float, count: int) -> tuple[Floats, Floats]:
    """χ² at Gauss-Hermite nodes of its normal score, and their weights.

    Examples
    --------
    >>> chi2, weight = hermite_chi2(3.0, 6)
    >>> round(float(chi2 @ weight), 3), round(float(weight.sum()), 12)
    (3.0, 1.0)
    """
    z, weight = np.polynomial.hermite_e.hermegauss(count)
    return _chi2_of_score(df, z), weight / weight.sum()


@lru_cache(maxsize=1024)
def _even_chi2(df: float, step: float, end: float) -> tuple[Floats, Floats]:
    """χ² at even nodes of its normal score, which reach far into the tails."""
    z = np.arange(-end, end + step / 2, step)
    weight = np.exp(-z * z / 2)
    return _chi2_of_score(df, z), weight / weight.sum()


def _chi2_of_score(df: float, z: Floats) -> Floats:
    """The χ² below which lies as much as a normal variable has below z."""
    below = special.gammaincinv(df / 2, special.ndtr(np.minimum(z, 0.0)))
    above: Any = special.gammainccinv(df / 2, special.ndtr(-np.maximum(z, 0.0)))
    return np.asarray(2 * np.where(z < 0, below, above))


def _without_end(variance: float, alpha: float) -> FutureErrors:
    """Those of one unit, or of an unknown variance: an interval that is the whole line."""
    return FutureErrors(float(variance), np.full(1, np.inf), np.ones(1), alpha)
