"""Variance components of queries × subjects, of complete and of incomplete tables.

The model: y_qs = μ + α_q + β_s + ε_qs, all random, of mean 0 and variances σ²_q, σ²_s, σ²_ε (which
includes the interaction: a cell has one value). The estimate of μ is the mean over queries of each
query's mean over its subjects, Σ w_qs y_qs.

Each factor's sum of squares is adjusted for the other (Henderson's third method), so that none is
negative and all are unbiased with values missing; in a complete table they are those of the usual
analysis of variance. A negative component counts as 0, and where nothing is left to tell ε from
the rest, ε counts as 0: both make the interval wider.

The adjustment takes the normal equations of the smaller factor: an eigendecomposition up to
2,000 levels, above that one sparse solve a table.

References
----------
Henderson, C. R. (1953), Estimation of variance and covariance components, Biometrics 9.
Satterthwaite, F. E. (1946), An approximate distribution of estimates of variance components,
Biometrics Bulletin 2.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from fuzzytruth._lazy import sparse
from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.arithmetic import ROUNDING, divide
from fuzzytruth.core.cells import Cells, grouped_sum
from fuzzytruth.core.pivotal import CrossedSquares

# Normal equations of one of two crossed factors, adjusted for the other.
#
# The matrix N = D - B' E⁻¹ B of the smaller factor (D and E the numbers of cells of both factors'
# levels, B which cells exist) is a graph Laplacian: singular, with one vector of its null space for
# each part that no cell connects with the others.


_RANK_OF_EQUATIONS = 1e-9
_TOLERANCE = 1e-13  # of residuals; the error of a quadratic form is of the order of its square
_ITERATIONS = 2_000


def eigenvectors(cells: Cells, exists: Any, *, by_query: bool) -> tuple[Floats, int]:
    """Eigenvectors of N over the roots of their eigenvalues (levels, rank), and number of parts.

    Here and below, `exists` are the cells as ones of a table (queries, subjects): an array or a
    sparse matrix here, a sparse matrix below.
    """
    small, size, other = _factors(cells, exists, by_query=by_query)
    if isinstance(exists, np.ndarray):
        product = (small / other[:, None]).T @ small
    else:
        product = (small.T @ small.multiply(1 / other[:, None])).toarray()
    value, vector = np.linalg.eigh(np.diag(size) - product)
    kept = value > _RANK_OF_EQUATIONS * max(float(value.max(initial=0.0)), 1.0)
    return vector[:, kept] / np.sqrt(value[kept]), len(value) - int(kept.sum())


def n_parts(exists: Any) -> int:
    """Groups of queries and subjects that no cell connects."""
    return len(np.unique(_part_of(exists)))


def quadratic_forms(adjusted: Floats, cells: Cells, exists: Any, *, by_query: bool) -> Floats:
    """Values of x' N⁻ x for vectors x in the range of N: (..., levels) → (...,).

    By conjugate gradients, which converge in a few dozen steps where cells are scattered; where
    they do not (long chains of queries and subjects), by a sparse LU decomposition, which is then
    cheap.
    """
    from scipy.sparse.linalg import LinearOperator, cg

    small, size, other = _factors(cells, exists, by_query=by_query)
    small, transposed = small.tocsr(), small.T.tocsr()

    def product(x: Floats) -> Floats:
        return np.asarray(size * x - transposed @ ((small @ x) / other))

    operator = LinearOperator((len(size), len(size)), matvec=product)
    scaling = LinearOperator(operator.shape, matvec=lambda x: x / size)
    rows = adjusted.reshape(-1, len(size))
    out = np.zeros(len(rows))
    for number, row in enumerate(rows):
        try:
            with np.errstate(divide="raise", invalid="raise"):
                solution, failed = cg(
                    operator, row, rtol=_TOLERANCE, maxiter=_ITERATIONS, M=scaling
                )
        except FloatingPointError:  # rounding led the search into the null space
            failed = True
        if failed:
            out[number:] = _by_elimination(rows[number:], cells, exists, by_query=by_query)
            break
        out[number] = row @ solution
    return out.reshape(adjusted.shape[:-1])


def _by_elimination(rows: Floats, cells: Cells, exists: Any, *, by_query: bool) -> Floats:
    """As `quadratic_forms`, by a sparse LU decomposition of the equations of both factors.

    One level of the smaller factor of each part is set to 0, which makes them regular.
    """
    from scipy.sparse.linalg import splu

    small, size, other = _factors(cells, exists, by_query=by_query)
    part = _part_of(exists)
    part = part[: len(size)] if by_query else part[len(part) - len(size) :]
    free = np.setdiff1d(np.arange(len(size)), np.unique(part, return_index=True)[1])
    kept = small.tocsc()[:, free]
    own, rest = sparse.diags_array(other), sparse.diags_array(size[free])
    both = sparse.block_array([[own, kept], [kept.T, rest]])
    right = np.zeros((both.shape[0], len(rows)))
    right[len(other) :] = rows[:, free].T
    solution = splu(both.tocsc()).solve(right)[len(other) :]
    return np.asarray((rows[:, free] * solution.T).sum(axis=-1))


def _factors(cells: Cells, exists: Any, *, by_query: bool) -> tuple[Any, Floats, Floats]:
    """B (other factor, smaller factor), and the numbers of cells of the smaller and the other."""
    sizes = cells.sizes.astype(np.float64), cells.subject_sizes.astype(np.float64)
    return (exists.T, *sizes) if by_query else (exists, *sizes[::-1])


def _part_of(exists: Any) -> Any:
    """Number of the part of each query, then of each subject: (queries + subjects,)."""
    from scipy.sparse.csgraph import connected_components

    both = sparse.block_array([[None, exists], [exists.T, None]])
    return connected_components(both, directed=False)[1]


_RANK = 1e-9
#: the largest smaller factor whose normal equations are decomposed as a dense matrix
_MOST_DENSE = 2_000


@dataclass(frozen=True, slots=True, eq=False)
class CrossedLayout:
    """The cells of a table, with what variance components need of them.

    Parameters
    ----------
    cells : Cells
        At least one of each query and subject.
    by_query : bool
        Whether the smaller factor is the queries.
    parts : int
        Groups of queries and subjects that no cell connects.
    vectors : (levels, rank) float or None
        Eigenvectors of the smaller factor's normal matrix, over the roots of their eigenvalues;
        None where the factor is so large that each table needs a sparse solve of its own.
    exists : (queries, subjects) float
        1 where there is a cell, 0 elsewhere: an array if most cells exist and the smaller factor
        is decomposed, else a sparse matrix.
    """

    cells: Cells
    by_query: bool
    parts: int
    vectors: Floats | None
    exists: Any

    @property
    def residual_df(self) -> int:
        """Degrees of freedom of ε."""
        return len(self.cells) - self.cells.n_queries - self.cells.n_subjects + self.parts


def crossed_layout(cells: Cells, *, most_dense: int = _MOST_DENSE) -> CrossedLayout:
    """Layout of cells; `most_dense` is the largest number of levels to decompose densely."""
    by_query = cells.n_queries < cells.n_subjects
    exists: Any
    if min(cells.n_queries, cells.n_subjects) > most_dense:
        exists = cells.incidence()
        return CrossedLayout(cells, by_query, n_parts(exists), None, exists)
    exists = cells.dense(np.ones(len(cells)), fill=0.0) if cells.is_dense else cells.incidence()
    vectors, parts = eigenvectors(cells, exists, by_query=by_query)
    return CrossedLayout(cells, by_query, parts, vectors, exists)


@dataclass(frozen=True, slots=True, eq=False)
class VarianceComponents:
    """Estimates for each table of a batch; all (...,) float.

    Parameters
    ----------
    mean : estimate of μ
    query, subject, residual : estimates of σ²_q, σ²_s, σ²_ε; the first two may be negative
    variance, df : of the estimate of μ if queries and subjects are both random
    subject_variance, subject_df : likewise, if only subjects are random
    squares : CrossedSquares, the sums of squares, and their shares in `variance`
    """

    mean: Floats
    query: Floats
    subject: Floats
    residual: Floats
    variance: Floats
    df: Floats
    subject_variance: Floats
    subject_df: Floats
    squares: CrossedSquares


@np.errstate(under="ignore")
def variance_components(
    values: Floats, layout: CrossedLayout, *, scale: ArrayLike = 0.0
) -> VarianceComponents:
    """Variance components of tables (..., cells) of one layout, without missing values.

    `scale` (...,) is the largest of the values that those of the tables were computed from, if
    they are differences: what is below 1e-12 of it is a rounding error.
    """
    cells = layout.cells
    queries, subjects, n = cells.n_queries, cells.n_subjects, len(cells)
    weight = 1 / (queries * cells.sizes[cells.query])
    mean = (weight * values).sum(axis=-1)
    noise = n * (ROUNDING * np.asarray(scale)) ** 2
    q_squares, s_squares, residual_squares = _squares(values - mean[..., None], layout, noise)
    residual = _mean_square(residual_squares, layout.residual_df)
    df_q, df_s = queries - layout.parts, subjects - layout.parts
    share_q, share_e = 1 / queries, float((weight**2).sum())
    share_s = float((cells.sum_by_subject(weight) ** 2).sum())
    sigma_q = _mean_square(q_squares - df_q * residual, n - subjects)
    sigma_s = _mean_square(s_squares - df_s * residual, n - queries)
    positive_s = share_s * np.maximum(sigma_s, 0.0)
    variance = share_q * np.maximum(sigma_q, 0.0) + positive_s + share_e * residual
    from_q = _mean_square(share_q * q_squares, n - subjects)
    from_s = _mean_square(share_s * s_squares, n - queries)
    subject_variance = positive_s + share_e * residual
    return VarianceComponents(
        mean,
        sigma_q,
        sigma_s,
        residual,
        variance,
        _df(variance, (from_q, df_q), (from_s, df_s)),
        subject_variance,
        _df(subject_variance, (from_s, df_s)),
        CrossedSquares(
            q_squares,
            s_squares,
            residual_squares,
            (float(df_q), float(df_s), float(layout.residual_df)),
            (share_q * df_q / max(n - subjects, 1), share_s * df_s / max(n - queries, 1), share_e),
            (n - queries) / max(df_s, 1),
        ),
    )


def _squares(y: Floats, layout: CrossedLayout, noise: Floats) -> tuple[Floats, Floats, Floats]:
    """Sums of squares of queries and of subjects, each adjusted for the other, and of the rest."""
    cells = layout.cells
    total_q, total_s = cells.sum_by_query(y), cells.sum_by_subject(y)
    mean_q, mean_s = total_q / cells.sizes, total_s / cells.subject_sizes
    plain_q, plain_s = (total_q * mean_q).sum(axis=-1), (total_s * mean_s).sum(axis=-1)
    if cells.is_complete:  # neither factor needs an adjustment
        q_squares, s_squares = plain_q, plain_s
    elif layout.by_query:
        q_squares = _adjusted_squares(total_q - _spread(mean_s, layout, by_query=True), layout)
        s_squares = plain_s + q_squares - plain_q
    else:
        s_squares = _adjusted_squares(total_s - _spread(mean_q, layout, by_query=False), layout)
        q_squares = plain_q + s_squares - plain_s
    whole = (y**2).sum(axis=-1)
    residual = whole - plain_q - s_squares
    tiny = np.maximum(_RANK**2 * (whole + 1e-300), noise)
    clean = [np.where(part > tiny, part, 0.0) for part in (q_squares, s_squares, residual)]
    return clean[0], clean[1], clean[2]


def _spread(means: Floats, layout: CrossedLayout, *, by_query: bool) -> Floats:
    """Sums of one factor's means over the cells of each level of the other factor."""
    out: Floats = np.atleast_2d(means) @ (layout.exists.T if by_query else layout.exists)
    return out.reshape(*means.shape[:-1], -1)


def _adjusted_squares(adjusted: Floats, layout: CrossedLayout) -> Floats:
    """Sum of squares of the smaller factor, adjusted for the other: (..., levels) → (...,)."""
    if layout.vectors is None:
        return quadratic_forms(adjusted, layout.cells, layout.exists, by_query=layout.by_query)
    return np.asarray(((adjusted @ layout.vectors) ** 2).sum(axis=-1))


def _mean_square(value: Floats, divisor: int) -> Floats:
    """Quotient; 0 without degrees of freedom."""
    return value / divisor if divisor > 0 else np.zeros(value.shape)


def _df(variance: Floats, *terms: tuple[Floats, int]) -> Floats:
    """Satterthwaite's degrees of freedom; 0 where no term has any."""
    # By shares of the variance, whose squares neither overflow nor vanish.
    shares = [(divide(term, variance), df) for term, df in terms if df > 0]
    bottom = sum((share**2 / df for share, df in shares), np.zeros(variance.shape))
    least = min((df for _, df in terms), default=0)
    out = np.full(variance.shape, float(least))
    np.divide(1.0, bottom, out=out, where=bottom > 0)
    return out if least > 0 else np.zeros(variance.shape)


# Clusters of queries, which are drawn whole, crossed with subjects: the same law, with clusters in
# the place of queries.
#
# References
# ----------
# Cameron, A. C., Gelbach, J. B. & Miller, D. L. (2011), Robust inference with multiway clustering,
# Journal of Business & Economic Statistics 29.


def pseudo_values(values: Floats, cells: Cells, cluster: Ints, n_clusters: int) -> Floats:
    """A complete table of clusters × subjects for each of (..., cells): (..., clusters, subjects).

    In a complete table these are the jackknife's pseudo-values of each subject's mean m_s, without
    one cluster at a time: C m_s - (C - 1) m_s(-c). With cells missing they are those of the mean
    over queries of each query's mean, linearised; where a subject judged nothing of a cluster,
    there is no deviation. `cluster` (queries,) is from 0 to `n_clusters` - 1.
    """
    n_subjects, subject = cells.n_subjects, cells.subject_codes
    if cells.is_complete:
        centre = cells.mean_by_subject(values)
    else:
        mean = cells.mean_by_query(values).mean(axis=-1, keepdims=True)
        centre = np.repeat(mean, n_subjects, axis=-1)
    gap = (values - centre[..., subject]) * (n_subjects / cells.sizes)[cells.query]
    code = cluster[cells.query] * n_subjects + subject
    excess = grouped_sum(gap, code, n_clusters * n_subjects)
    others = cells.n_queries - np.bincount(cluster, minlength=n_clusters)
    change = excess.reshape(*centre.shape[:-1], n_clusters, n_subjects)
    return np.asarray(centre[..., None, :] + change * divide(n_clusters - 1, others)[:, None])


def clustered_components(
    values: Floats, cells: Cells, cluster: Ints, n_clusters: int, *, scale: ArrayLike = 0.0
) -> VarianceComponents:
    """As `variance_components`, of clusters in the place of queries; the mean is over queries.

    Clusters of one query each are queries.
    """
    if n_clusters == cells.n_queries:
        return variance_components(values, crossed_layout(cells), scale=scale)
    table = pseudo_values(values, cells, cluster, n_clusters)
    shape = table.shape[-2:]
    where = cluster[cells.query], cells.subject_codes
    exists = sparse.csr_array((np.ones(len(cells)), where), shape)
    layout = CrossedLayout(Cells.complete(*shape), True, n_parts(exists), None, exists)
    parts = variance_components(table.reshape(*table.shape[:-2], -1), layout, scale=scale)
    return replace(parts, mean=cells.mean_by_query(values).mean(axis=-1))


SYSTEM, REPLICATE, QUERY, SUBJECT = 1, 2, 4, 8
#: equations this close to singular do not tell components apart
_SINGULAR = 1e-9
#: smallest share of a component in a combination that the equations leave open
_INVOLVED = 0.05


@dataclass(frozen=True, slots=True, eq=False)
class EffectsLayout:
    """Which levels of which effects the observations have.

    Parameters
    ----------
    effects : tuple of int
        Sets of factors; the last one is the residual, of which every observation is a level. Two
        effects' common factors, and the factors of both together, are effects or none.
    codes : tuple of (n,) int
        Level of each observation, by effect.
    counts : tuple of (n,) float
        How many observations share each one's level, by effect.
    n_levels : (effects,) int
    """

    effects: tuple[int, ...]
    codes: tuple[Ints, ...]
    counts: tuple[Floats, ...]
    n_levels: Ints

    @classmethod
    def of(cls, codes: Mapping[int, Ints]) -> EffectsLayout:
        """The layout of levels (n,) by effect, in the order of the effects."""
        numbered = [np.unique(code, return_inverse=True)[1].reshape(-1) for code in codes.values()]
        sizes = [np.bincount(code) for code in numbered]
        counts = [size[code].astype(np.float64) for size, code in zip(sizes, numbered, strict=True)]
        return cls(
            tuple(codes), tuple(numbered), tuple(counts), np.array([len(size) for size in sizes])
        )

    @property
    def n(self) -> int:
        """Number of observations."""
        return len(self.codes[-1])

    @property
    def df(self) -> Floats:
        """Degrees of freedom of each effect, those of an analysis of variance: (effects,)."""
        return self._between((self.n_levels - 1).astype(np.float64))

    @property
    def is_balanced(self) -> bool:
        """Whether all effects are orthogonal, with equally many observations at every level."""
        count = {0: float(self.n)}
        for effect, counts in zip(self.effects, self.counts, strict=True):
            if np.ptp(counts) > 0:
                return False
            count[effect] = float(counts[0])
        return all(
            count[e | f] * count[e & f] == count[e] * count[f]
            for e in self.effects
            for f in self.effects
        )

    def expected(self) -> Floats:
        """Factors of the components in the mean squares' expected values: (effects, effects)."""
        counts = {0: np.full(self.n, float(self.n))}
        counts |= dict(zip(self.effects, self.counts, strict=True))
        of_sums = np.array(
            [[(counts[e | f] / counts[e]).sum() for f in self.effects] for e in (0, *self.effects)]
        )
        return self._over_df(self._between(of_sums[1:] - of_sums[0]))

    def mean_squares(self, values: Floats) -> Floats:
        """Sums of squares of the effects over `df`: (..., n) → (..., effects).

        Not adjusted for one another: in unbalanced tables those of interactions may be negative.
        """
        y = values - values.mean(axis=-1, keepdims=True)
        sums = []
        for code, counts, levels in zip(self.codes, self.counts, self.n_levels, strict=True):
            size = np.empty(levels)
            size[code] = counts
            sums.append((grouped_sum(y, code, int(levels)) ** 2 / size).sum(axis=-1))
        squares = self._between(np.stack(sums))
        # what is below the rounding errors of the values is none
        largest = np.abs(values).max(axis=-1, initial=0.0)
        squares[np.abs(squares) <= self.n * (ROUNDING * largest) ** 2] = 0.0
        squares[np.abs(squares) <= 1e-14 * sums[-1]] = 0.0
        return np.moveaxis(self._over_df(squares), 0, -1)

    def confounded(self) -> list[int]:
        """Places of effects whose components these observations do not tell apart; [] if none."""
        factors = self.expected()
        scaled = factors / np.abs(factors).max(axis=1, keepdims=True, initial=1e-300)
        _, size, rows = np.linalg.svd(scaled)
        open_ = rows[size <= _SINGULAR * max(float(size.max(initial=0.0)), 1.0)]
        return np.flatnonzero((np.abs(open_) > _INVOLVED).any(axis=0)).tolist()

    def _between(self, sums: Floats) -> Floats:
        """Each effect's own part of sums (effects, ...) that include those of its parts."""
        own: list[Floats] = []
        for place, effect in enumerate(self.effects):
            inner = [own[p] for p in range(place) if self.effects[p] & effect == self.effects[p]]
            own.append(sums[place] - sum(inner, np.zeros(sums[place].shape)))
        return np.stack(own)

    def _over_df(self, sums: Floats) -> Floats:
        df = self.df
        divisor = np.where(df > 0, df, 1.0)
        return sums / divisor.reshape(-1, *(1,) * (sums.ndim - 1))


def variance_of_mean(layout: EffectsLayout, weight: Floats, group: Ints) -> Floats:
    """Factors of the components in the variance of weighted means: (effects,).

    `weight` (n,) adds up to 1 in each `group` (n,); the factors are means over the groups.
    """
    n_groups = int(group.max(initial=-1)) + 1
    out = []
    for code in layout.codes:
        both = np.unique(group * (int(code.max(initial=0)) + 1) + code, return_inverse=True)[1]
        out.append(float((np.bincount(both.reshape(-1), weight) ** 2).sum()) / n_groups)
    return np.array(out)


def variance_of_difference(layout: EffectsLayout, weight: Floats, group: Ints) -> Floats:
    """Half the factors of the components in the variance of two such means' difference: (effects,).

    Means over the pairs of groups. Of effects that all groups share with the same weights it is 0;
    of those that no two share, the factor in `variance_of_mean`.
    """
    n_groups = int(group.max(initial=-1)) + 1
    if n_groups < 2:
        return variance_of_mean(layout, weight, group)
    out = []
    for code, levels in zip(layout.codes, layout.n_levels, strict=True):
        both, place = np.unique(group * int(levels) + code, return_inverse=True)
        sums = np.bincount(place.reshape(-1), weight)
        squares, common = (sums**2).sum(), np.bincount(both % int(levels), sums)
        gap = n_groups * squares - (common**2).sum()
        gap = gap if gap > ROUNDING * n_groups * squares else 0.0
        out.append(float(gap) / (n_groups * (n_groups - 1)))
    return np.array(out)
