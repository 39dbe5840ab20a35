"""Generalised pivotal law of the difference between two groups of subjects, queries random, too.

Subjects are crossed with queries and in one group each. The model of group g:
y_qs = μ_g + α_gq + β_s + ε_qs, all random. What is estimated is μ_g - μ_h; its error has the
variance σ²_γ/Q + Σ_g (k_s σ²_s + k_e σ²_ε), where γ_q = α_gq - α_hq, so that what a query does to
both groups alike cancels. The mean square of the per-query gaps estimates
σ²_γ + Σ_g (c_s σ²_s + c_e σ²_ε), and each group's own sums of squares estimate its σ²_s and σ²_ε.
In complete tables c_s is 0.

As in `core.pivotal`, χ² variables take the place of all sums of squares over their expected mean
squares, and the error is a mixture of normal laws of the variances that follow.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.cells import Cells
from fuzzytruth.core.pivotal import CrossedSquares, binned, chi2_nodes

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
