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

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from fuzzytruth._lazy import special
from fuzzytruth._typing import Bools, Floats, Ints
from fuzzytruth.core.cells import Cells

# Distributions of variances that are sums of independent parts, and the normal mixtures of them.
#
# Each part is a function of sums of squares over χ² variables, see `core.pivotal`; parts are
# gathered on few nodes before they are added.

_NODES_OF_PART = 96  # of a part
_SUM = 256  # of the sum of all parts
_NUMBERS_AT_ONCE = 2**21  # numbers of a batch of rows


@dataclass(frozen=True, slots=True, eq=False)
class Variances:
    """Variances at nodes, and their probabilities: (rows, nodes) each."""

    value: Floats
    weight: Floats

    @classmethod
    def zero(cls, rows: int) -> Variances:
        """None at all."""
        return cls(np.zeros((rows, 1)), np.ones((rows, 1)))

    @classmethod
    def joined(cls, parts: list[Variances]) -> Variances:
        """Rows below each other, of as many nodes each."""
        values, weights = ([getattr(one, name) for one in parts] for name in ("value", "weight"))
        return cls(np.concatenate(values), np.concatenate(weights))

    @classmethod
    def placed(cls, parts: list[tuple[Ints, Variances]], rows: int) -> Variances:
        """Parts at their rows, filled with nodes of no probability; other rows have none."""
        most = max((part.value.shape[1] for _, part in parts), default=1)
        out = cls(np.zeros((rows, most)), np.zeros((rows, most)))
        for at, part in parts:
            n = part.value.shape[1]
            out.value[at, :n], out.weight[at, :n] = part.value, part.weight
        return out

    def take(self, rows: Ints) -> Variances:
        """Some rows."""
        return Variances(self.value[rows], self.weight[rows])

    def times(self, factor: Floats) -> Variances:
        """Each row by a factor of its own: (rows,)."""
        return Variances(factor[:, None] * self.value, self.weight)

    def plus(self, other: Variances, nodes: int = _NODES_OF_PART) -> Variances:
        """Sums with another independent part of each row."""
        rows, count = self.value.shape[0], self.value.shape[1] * other.value.shape[1]
        if count <= nodes:
            return self._outer(other, slice(None))
        size = max(1, _NUMBERS_AT_ONCE // count)
        parts = [
            self._outer(other, slice(start, start + size)).gathered(nodes)
            for start in range(0, max(rows, 1), size)
        ]
        return Variances.joined(parts)

    def _outer(self, other: Variances, rows: slice) -> Variances:
        value = self.value[rows, :, None] + other.value[rows, None, :]
        weight = self.weight[rows, :, None] * other.weight[rows, None, :]
        return Variances(value.reshape(len(value), -1), weight.reshape(len(value), -1))

    def gathered(self, nodes: int = _NODES_OF_PART) -> Variances:
        """Nodes close to each other as one, at their mean; zeros stay apart."""
        rows, positive = len(self.value), self.value > 0
        with np.errstate(divide="ignore"):
            log = np.log(self.value)
        low = np.where(positive, log, np.inf).min(axis=1, keepdims=True, initial=np.inf)
        high = np.where(positive, log, -np.inf).max(axis=1, keepdims=True, initial=-np.inf)
        span = np.maximum(high - low, 1e-9)
        with np.errstate(invalid="ignore"):
            place = np.minimum((log - low) / span * (nodes - 1), nodes - 2)
        place = np.where(positive, place, -1).astype(np.int64) + 1
        flat = (place + np.arange(rows)[:, None] * nodes).ravel()
        mass = np.bincount(flat, self.weight.ravel(), rows * nodes).reshape(rows, nodes)
        total = np.bincount(flat, (self.weight * self.value).ravel(), rows * nodes)
        value = np.divide(
            total.reshape(rows, nodes), mass, out=np.zeros((rows, nodes)), where=mass > 0
        )
        return Variances(value, np.asarray(mass, dtype=np.float64))

    def mixtures(self) -> NormalMixtures:
        """Normal laws with these variances; rows without any have no law."""
        kept = self if self.value.shape[1] <= _SUM else self.gathered(_SUM)
        weight = np.where(kept.value > 0, kept.weight, 0.0)
        return NormalMixtures(np.sqrt(np.where(kept.value > 0, kept.value, 1.0)), weight)


def scaled(squares: Floats, df: float) -> Variances:
    """Of SS / χ² of sums of squares (rows,)."""
    inverse, weight = chi2_nodes(df)
    value = squares[:, None] * inverse
    return Variances(value, np.broadcast_to(weight, value.shape))


def excess(squares: Floats, df: tuple[float, float]) -> Variances:
    """Of (θ - θ_e)₊ of two sums of squares: (2, rows)."""
    (inverse, weight), (inverse_e, weight_e) = (chi2_nodes(each) for each in df)
    gap = squares[0, :, None, None] * inverse[:, None] - squares[1, :, None, None] * inverse_e
    value = np.maximum(gap, 0.0).reshape(squares.shape[1], -1)
    weights = np.multiply.outer(weight, weight_e).ravel()
    return Variances(value, np.broadcast_to(weights, value.shape)).gathered()


def excess_of_both(squares: Floats, df: tuple[float, float, float, float]) -> Variances:
    """Of (G - max(H, L) - max(K, L) + L)₊ of four sums of squares: (4, rows)."""
    nodes = [chi2_nodes(each) for each in df]
    parts = []
    weight = nodes[0][1][:, None, None, None] * nodes[1][1][:, None, None] * nodes[2][1][:, None]
    weights = (weight * nodes[3][1]).ravel()
    for row in squares.T:  # a row of 300,000 nodes at a time
        g, h, k, rest = (ss * inverse for ss, (inverse, _) in zip(row, nodes, strict=True))
        both = np.maximum(h[:, None, None], rest) + np.maximum(k[:, None], rest) - rest
        value = np.maximum(g[:, None, None, None] - both, 0.0).reshape(1, -1)
        parts.append(Variances(value, weights[None]).gathered())
    return Variances.joined(parts) if parts else Variances.zero(0)


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
    per_subject : float
        Factor of σ²_s in the expected mean square of subjects.
    """

    query: Floats
    subject: Floats
    residual: Floats
    df: tuple[float, float, float]
    share: tuple[float, float, float]
    per_subject: float = 1.0

    def in_own_units(self) -> tuple[Floats, CrossedSquares]:
        """The largest sum of squares of each row, and all over that: no scale overflows."""
        largest = np.maximum(np.maximum(self.query, self.subject), self.residual)
        unit = np.where(largest > 0, largest, 1.0)
        query, subject, residual = self.query / unit, self.subject / unit, self.residual / unit
        return unit, replace(self, query=query, subject=subject, residual=residual)

    def with_prior(self, subject: Floats, df: float) -> CrossedSquares:
        """The same, a prior mean square (rows,) of `df` degrees of freedom added to subjects'."""
        df_q, df_s, df_e = self.df
        return replace(self, subject=self.subject + df * subject, df=(df_q, df_s + df, df_e))

    def parts(self) -> tuple[Floats, Floats, Floats]:
        """Variance from queries, subjects and the rest; negative components count as 0."""
        q, s, e = (
            squares / df if df > 0 else np.zeros(squares.shape)
            for squares, df in zip((self.query, self.subject, self.residual), self.df, strict=True)
        )
        k = self.share
        return k[0] * np.maximum(q - e, 0), k[1] * np.maximum(s - e, 0), k[2] * e

    def variance(self) -> Floats:
        """Unbiased estimate, negative components counting as 0: (rows,)."""
        q, s, e = self.parts()
        return q + s + e


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
    def none(cls, rows: int, bins: int = _BINS) -> NormalMixtures:
        """Rows to be filled by `put`."""
        return cls(np.ones((rows, bins)), np.zeros((rows, bins)))

    def put(self, rows: Ints, mixtures: NormalMixtures) -> None:
        """Fill some rows, in place."""
        self.std[rows], self.weight[rows] = mixtures.std, mixtures.weight

    def take(self, rows: Bools | Ints) -> NormalMixtures:
        """Some of the rows."""
        return NormalMixtures(self.std[rows], self.weight[rows])

    @np.errstate(divide="ignore", invalid="ignore", under="ignore")
    def two_sided(self, size: Floats) -> Floats:
        """P(|X| ≥ size) of each row: (rows,)."""
        z = np.nan_to_num(size[:, None] / self.std, nan=0.0)
        p: Floats = (2 * special.ndtr(-z) * self.weight).sum(axis=1)
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
            # A step below the rounding of p may leave the bracket, and is no reason to halve it.
            done = np.abs(step) <= _CONVERGED * x[active]
            inside = done | ((new > low[active]) & (new < high[active]))
            x[active] = np.where(inside, new, (low[active] + high[active]) / 2)
            active = active[~done]
        return x

    def _tail(self, size: Floats, rows: Ints) -> tuple[Floats, Floats]:
        """P(|X| ≥ size) of some rows, and minus its derivative."""
        std, weight = self.std[rows], self.weight[rows]
        z = size[:, None] / std
        p = (2 * special.ndtr(-z) * weight).sum(axis=1)
        density = np.exp(-z * z / 2) * (weight / std)
        slope = density.sum(axis=1) * np.sqrt(2 / np.pi)
        return np.asarray(p), np.asarray(slope)


def _normal_quantile(alpha: float) -> float:
    return float(-special.ndtri(alpha / 2))


@np.errstate(under="ignore")
def error_mixtures(squares: CrossedSquares, bins: int = _BINS) -> NormalMixtures:
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
        binned(_variances(squares, nodes, slice(start, start + size)), weight, bins)
        for start in range(0, rows, size)
    ]
    if not parts:
        return NormalMixtures(np.zeros((0, bins)), np.zeros((0, bins)))
    std, mass = (np.concatenate(part) for part in zip(*parts, strict=True))
    return NormalMixtures(std * np.sqrt(unit)[:, None], mass)


@lru_cache(maxsize=64)
@np.errstate(under="ignore")
def chi2_nodes(df: float) -> tuple[Floats, Floats]:
    """1 / χ² at nodes, and their weights, by Gauss-Legendre quadrature in log χ²."""
    if df <= 0:  # nothing is known of this component, which counts as 0
        return np.zeros(1), np.ones(1)
    count = next(count for most, count in _NODES if df < most)
    low, high = (float(np.log(special.chdtri(df, p))) for p in (1 - _TAIL, _TAIL))
    x, w = np.polynomial.legendre.leggauss(count)
    log = (high - low) / 2 * x + (high + low) / 2
    u = np.exp(log)
    density = df / 2 * log - u / 2 - df / 2 * np.log(2) - special.gammaln(df / 2)  # of log χ²
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
    return (from_q[:, :, None, :] + from_s[:, None, :, :]).reshape(len(q), -1)


def binned(variance: Floats, weight: Floats, bins: int = _BINS) -> tuple[Floats, Floats]:
    """Standard deviations and weights on a grid: (rows, bins) each."""
    rows = len(variance)
    largest = variance.max(axis=1, keepdims=True, initial=0.0)
    unit = np.where(largest > 0, largest, 1.0)
    log = np.log(np.maximum(variance / unit, _SMALLEST))
    low, high = log.min(axis=1, keepdims=True), log.max(axis=1, keepdims=True)
    place = log - low
    place *= (bins - 1e-9) / np.maximum(high - low, 1e-300)
    index = place.astype(np.int64)
    np.minimum(index, bins - 1, out=index)
    index += np.arange(rows)[:, None] * bins
    flat, repeated = index.ravel(), np.broadcast_to(weight, variance.shape).ravel()
    gathered: Any = np.bincount(flat, repeated, rows * bins)
    mass: Floats = gathered.reshape(rows, bins)
    total = np.bincount(flat, (log * weight).ravel(), rows * bins).reshape(rows, bins)
    mean = np.divide(total, mass, out=np.broadcast_to(low, mass.shape).copy(), where=mass > 0)
    return np.exp(mean / 2) * np.sqrt(unit), mass


# Generalised pivotal law of the difference between two groups of subjects, queries random, too.
#
# Subjects are crossed with queries and in one group each. The model of group g:
# y_qs = μ_g + α_gq + β_s + ε_qs, all random. What is estimated is μ_g - μ_h; its error has the
# variance σ²_γ/Q + Σ_g (k_s σ²_s + k_e σ²_ε), where γ_q = α_gq - α_hq, so that what a query does to
# both groups alike cancels. The mean square of the per-query gaps estimates
# σ²_γ + Σ_g (c_s σ²_s + c_e σ²_ε), and each group's own sums of squares estimate its σ²_s and σ²_ε.
# In complete tables c_s is 0.
#
# As in `core.pivotal`, χ² variables take the place of all sums of squares over their expected mean
# squares, and the error is a mixture of normal laws of the variances that follow.


#: nodes of so little probability together are left out
_NEGLIGIBLE = 1e-9
_GAP_BINS = 32
_MEAN_BINS = 192


@dataclass(frozen=True, slots=True)
class GroupSquares:
    """Sums of squares of one group's table, and how they make up variances.

    Parameters
    ----------
    subject, residual : float
        Sums of squares.
    df : tuple of float
        Their degrees of freedom: the first above 0; without any for the residual it counts as 0.
    of_mean : tuple of float
        Factors of (θ_s - θ_e)₊ and of θ_e in the variance of the group's mean, θ being SS / χ².
    of_gaps : tuple of float
        Likewise in the expected mean square of per-query gaps.
    """

    subject: float
    residual: float
    df: tuple[float, float]
    of_mean: tuple[float, float]
    of_gaps: tuple[float, float]


def group_squares(squares: CrossedSquares, cells: Cells) -> list[GroupSquares]:
    """Of each row of tables with these cells, every query and subject of which has one."""
    _, df_s, df_e = squares.df
    _, k_s, k_e = squares.share
    return [
        GroupSquares(float(subject), float(residual), (df_s, df_e), (k_s, k_e), of_gaps)
        for of_gaps in [_shares_of_gaps(cells, df_s)]
        for subject, residual in zip(squares.subject, squares.residual, strict=True)
    ]


def _shares_of_gaps(cells: Cells, df_s: float) -> tuple[float, float]:
    """Factors in the mean square of the means of queries about their mean."""
    queries = cells.n_queries
    weight = 1 / cells.sizes[cells.query]
    of_residual = float((1 / cells.sizes).sum()) / queries
    if cells.is_complete or queries < 2:
        return 0.0, of_residual
    spread = (1 / cells.sizes).sum() - (cells.sum_by_subject(weight) ** 2).sum() / queries
    return float(spread) / (queries - 1) * df_s / max(len(cells) - queries, 1), of_residual


@dataclass(frozen=True, slots=True)
class GapSquares:
    """Sums of squares of one comparison of two groups.

    Parameters
    ----------
    gap : float
        Of the per-query gaps between both groups' means.
    n_queries : int
        At least 2.
    groups : tuple of GroupSquares
    """

    gap: float
    n_queries: int
    groups: tuple[GroupSquares, GroupSquares]

    def variance(self) -> float:
        """Unbiased estimate, negative components counting as 0."""
        of_mean = of_gaps = 0.0
        for group in self.groups:
            residual = group.residual / group.df[1] if group.df[1] > 0 else 0.0
            excess = max(group.subject / group.df[0] - residual, 0.0)
            of_mean += group.of_mean[0] * excess + group.of_mean[1] * residual
            of_gaps += group.of_gaps[0] * excess + group.of_gaps[1] * residual
        queries = self.n_queries
        return max(self.gap / (queries - 1) - of_gaps, 0.0) / queries + of_mean

    def mixture(self) -> tuple[Floats, Floats]:
        """Standard deviations and probabilities of the normal laws: (bins,) each."""
        one, other = (_nodes(group) for group in self.groups)
        both = _Nodes(
            np.add.outer(one.of_mean, other.of_mean).ravel(),
            np.add.outer(one.of_gaps, other.of_gaps).ravel(),
            np.multiply.outer(one.weight, other.weight).ravel(),
        )
        both = both.gathered()
        inverse, weight = chi2_nodes(float(self.n_queries - 1))
        of_queries = np.maximum(np.subtract.outer(self.gap * inverse, both.of_gaps), 0.0)
        variance = of_queries / self.n_queries + both.of_mean
        mass = np.multiply.outer(weight, both.weight).ravel()
        std, mass = binned(variance.reshape(1, -1), mass)
        return std[0], mass[0] / mass.sum()


@dataclass(frozen=True, slots=True, eq=False)
class _Nodes:
    """What subjects and residuals add to the variance of a mean and of gaps, at nodes: (nodes,)."""

    of_mean: Floats
    of_gaps: Floats
    weight: Floats

    def likely(self) -> _Nodes:
        """Those of more than negligible probability."""
        order = np.argsort(self.weight)
        kept = order[np.cumsum(self.weight[order]) > _NEGLIGIBLE]
        return _Nodes(self.of_mean[kept], self.of_gaps[kept], self.weight[kept])

    def gathered(self) -> _Nodes:
        """Nodes close to each other as one, at their mean."""
        place = _places(self.of_mean, _MEAN_BINS) * _GAP_BINS + _places(self.of_gaps, _GAP_BINS)
        count = _MEAN_BINS * _GAP_BINS
        weight, of_mean, of_gaps = (
            np.asarray(np.bincount(place, numbers, count), dtype=np.float64)
            for numbers in (self.weight, self.weight * self.of_mean, self.weight * self.of_gaps)
        )
        kept = weight > 0
        mass = weight[kept]
        return _Nodes(of_mean[kept] / mass, of_gaps[kept] / mass, mass).likely()


def _nodes(group: GroupSquares) -> _Nodes:
    """Nodes of both χ² of a group."""
    (inverse_s, weight_s), (inverse_e, weight_e) = (chi2_nodes(df) for df in group.df)
    residual = group.residual * inverse_e
    excess = np.maximum(np.subtract.outer(group.subject * inverse_s, residual), 0.0)
    of_mean, of_gaps = (
        (share[0] * excess + share[1] * residual).ravel()
        for share in (group.of_mean, group.of_gaps)
    )
    return _Nodes(of_mean, of_gaps, np.multiply.outer(weight_s, weight_e).ravel()).likely()


def _places(values: Floats, bins: int) -> Ints:
    """Places on a logarithmic grid."""
    log = np.log(np.maximum(values, max(values.max() * 1e-300, 1e-300)))
    low = log.min()
    place = (log - low) * ((bins - 1e-9) / max(log.max() - low, 1e-300))
    return np.asarray(np.minimum(place.astype(np.int64), bins - 1))
