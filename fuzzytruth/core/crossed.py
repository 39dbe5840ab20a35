"""Variance components of a table of queries × subjects, complete or with holes.

The model: y_qs = μ + α_q + β_s + ε_qs, all random, of mean 0 and variances σ²_q, σ²_s, σ²_ε (which
holds the interaction: a cell has one value). The estimate of μ is the mean over queries of each
query's mean over its subjects, Σ w_qs y_qs.

Each factor's sum of squares is adjusted for the other (Henderson's third method), so that none is
negative and all are unbiased with holes; in a complete table they are those of the usual analysis
of variance. A negative component counts as 0, and where nothing is left to tell ε from the rest,
ε counts as 0: both make the interval wider.

References
----------
Henderson, C. R. (1953), Estimation of variance and covariance components, Biometrics 9.
Satterthwaite, F. E. (1946), An approximate distribution of estimates of variance components,
Biometrics Bulletin 2.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fuzzytruth._typing import Bools, Floats

_RANK = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """Which cells are there, and what follows from that alone.

    Parameters
    ----------
    there : (queries, subjects) bool
        At least one cell in each row and column.
    vectors : (k, rank) float
        Eigenvectors of the smaller factor's normal matrix, over the roots of their eigenvalues.
    by_query : bool
        Whether the smaller factor is the queries.
    parts : int
        Groups of queries and subjects that no cell connects.
    """

    there: Bools
    vectors: Floats
    by_query: bool
    parts: int

    @property
    def cells(self) -> int:
        """How many cells are there."""
        return int(self.there.sum())

    @property
    def rest_df(self) -> int:
        """Degrees of freedom of ε."""
        return self.cells - sum(self.there.shape) + self.parts


def layout(there: Bools) -> Layout:
    """Work out a layout (queries, subjects)."""
    by_query = there.shape[0] < there.shape[1]
    small = there.T if by_query else there  # (other factor, smaller factor)
    mask = small.astype(np.float64)
    normal = np.diag(mask.sum(axis=0)) - (mask / mask.sum(axis=1, keepdims=True)).T @ mask
    value, vector = np.linalg.eigh(normal)
    kept = value > _RANK * max(float(value.max(initial=0.0)), 1.0)
    parts = len(value) - int(kept.sum())
    return Layout(there, vector[:, kept] / np.sqrt(value[kept]), by_query, parts)


@dataclass(frozen=True, slots=True, eq=False)
class Components:
    """Estimates for each table of a batch; all (...,) float.

    Parameters
    ----------
    mean : estimate of μ
    query, subject, rest : estimates of σ²_q, σ²_s, σ²_ε; may be negative, but the last
    variance, df : of the estimate of μ where queries and subjects are both random
    subject_variance, subject_df : where only subjects are
    """

    mean: Floats
    query: Floats
    subject: Floats
    rest: Floats
    variance: Floats
    df: Floats
    subject_variance: Floats
    subject_df: Floats


def components(cells: Floats, of: Layout) -> Components:
    """Variance components of tables (..., queries, subjects) that all have one layout."""
    there = of.there
    n_q = there.sum(axis=1)
    queries, subjects, n = *there.shape, of.cells
    weight = there / (queries * n_q[:, None])
    filled = np.where(there, cells, 0.0)
    mean = (weight * filled).sum(axis=(-2, -1))
    y = np.where(there, filled - mean[..., None, None], 0.0)
    q_squares, s_squares, rest_squares = _squares(y, of)
    ms_rest = rest_squares / of.rest_df if of.rest_df > 0 else np.zeros(mean.shape)
    df_q, df_s = queries - of.parts, subjects - of.parts
    share_q, share_s, share_e = 1 / queries, (weight.sum(0) ** 2).sum(), (weight**2).sum()
    sigma_q = _component(q_squares, df_q, ms_rest, n - subjects)
    sigma_s = _component(s_squares, df_s, ms_rest, n - queries)
    positive_s = share_s * np.maximum(sigma_s, 0.0)
    variance = share_q * np.maximum(sigma_q, 0.0) + positive_s + share_e * ms_rest
    from_q = _over(share_q * q_squares, n - subjects)
    from_s = _over(share_s * s_squares, n - queries)
    subject_variance = positive_s + share_e * ms_rest
    return Components(
        mean,
        sigma_q,
        sigma_s,
        ms_rest,
        variance,
        _df(variance, (from_q, df_q), (from_s, df_s)),
        subject_variance,
        _df(subject_variance, (from_s, df_s)),
    )


def _squares(y: Floats, of: Layout) -> tuple[Floats, Floats, Floats]:
    """Sums of squares of queries and of subjects, each adjusted for the other, and of the rest."""
    there = of.there
    total_q, total_s = y.sum(axis=-1), y.sum(axis=-2)
    n_q, n_s = there.sum(axis=1), there.sum(axis=0)
    plain_q, plain_s = (total_q**2 / n_q).sum(axis=-1), (total_s**2 / n_s).sum(axis=-1)
    mask = there.astype(np.float64)
    if of.by_query:
        adjusted = total_q - (total_s / n_s) @ mask.T
        q_squares = ((adjusted @ of.vectors) ** 2).sum(axis=-1)
        s_squares = plain_s + q_squares - plain_q
    else:
        adjusted = total_s - (total_q / n_q) @ mask
        s_squares = ((adjusted @ of.vectors) ** 2).sum(axis=-1)
        q_squares = plain_q + s_squares - plain_s
    whole = (y**2).sum(axis=(-2, -1))
    rest = whole - plain_q - s_squares
    tiny = _RANK**2 * (whole + 1e-300)
    clean = [np.where(part > tiny, part, 0.0) for part in (q_squares, s_squares, rest)]
    return clean[0], clean[1], clean[2]


def _component(squares: Floats, df: int, rest: Floats, divisor: int) -> Floats:
    """Unbiased variance of a factor; 0 where each of its levels is another one's."""
    return _over(squares - df * rest, divisor)


def _over(value: Floats, divisor: int) -> Floats:
    return value / divisor if divisor > 0 else np.zeros(value.shape)


def _df(variance: Floats, *terms: tuple[Floats, int]) -> Floats:
    """Satterthwaite's degrees of freedom; 0 where no term has any."""
    bottom = sum((term**2 / df for term, df in terms if df > 0), np.zeros(variance.shape))
    least = min((df for _, df in terms), default=0)
    out = np.full(variance.shape, float(least))
    np.divide(variance**2, bottom, out=out, where=bottom > 0)
    return out if least > 0 else np.zeros(variance.shape)
