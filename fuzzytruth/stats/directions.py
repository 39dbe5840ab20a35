"""Whose truths prefer which of two systems: directions of a difference by subject.

D_qs is the difference of two systems on query q by the truth of subject s. Subjects are these
people, queries a sample. Three questions:

- which subjects' mean differences are above 0, and which below: Student's t over the queries of
  each subject, one-sided in both directions. Holm's method over the 2S hypotheses of the S subjects
  makes the numbers rejected in either direction simultaneous lower bounds, whatever the dependence
  of subjects who share queries;
- whether both directions occur: the range test, p = max(S min p⁺, S min p⁻), an intersection-union
  of two Bonferroni tests, under any dependence. Gail and Simon's test takes independent subjects:
  with shared queries it rejects .16 of true hypotheses at .05;
- whether the differences of subjects vary by more than chance: F = MSs / MSe of the crossed model
  D = μ + query + subject + error, subjects being adjusted for the queries that each judged. Errors
  must be independent from query to query: not so where one vote serves many queries.

References
----------
Holm, S. (1979), A simple sequentially rejective multiple test procedure, Scandinavian Journal of
Statistics 6. Piantadosi, S. & Gail, M. H. (1993), A comparison of the power of two tests for
qualitative interactions, Statistics in Medicine 12. Berger, R. L. (1982), Multiparameter hypothesis
testing and acceptance sampling, Technometrics 24. Gail, M. & Simon, R. (1985), Testing for
qualitative interactions between treatment effects and patient subsets, Biometrics 41.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from fuzzytruth._lazy import special
from fuzzytruth._typing import Bools, Floats, Ints
from fuzzytruth.core.arithmetic import divide, offsets_of
from fuzzytruth.core.cells import Cells
from fuzzytruth.core.clusters import segment_samples
from fuzzytruth.core.crossed import crossed_layout, variance_components
from fuzzytruth.stats.laws import student_fit
from fuzzytruth.stats.multiplicity import holm, significant
from fuzzytruth.stats.observations import QueryGroups, missing_patterns

_ROUNDING = 1e-14  # share of all squares that the rounding errors of sums may have


@dataclass(frozen=True, slots=True, eq=False)
class Directions:
    """Directions of the differences of pairs of systems.

    Parameters
    ----------
    p : (2, pairs, subjects) float
        One-sided p of the mean being 0 or below, and of its being 0 or above. NaN of a subject
        with fewer than two queries (or clusters of them), about whom nothing can be shown.
    p_adjusted : (2, pairs, subjects) float
        The same, adjusted by Holm over both directions of all subjects of a pair.
    p_differs : (pairs,) float
        Of the subjects' differences being the same, by F. NaN where nothing is left to tell chance
        from the rest: one query or one subject, or no residual spread; 1 of identical differences.
    sd_subjects, sd_chance : (pairs,) float
        Standard deviation of the subjects' means, and the one expected by chance, so that F is the
        square of their quotient. Of complete tables that of the means; else of what subjects are
        adjusted for the queries that each judged.
    level : float
        Of the counts.
    """

    p: Floats
    p_adjusted: Floats
    p_differs: Floats
    sd_subjects: Floats
    sd_chance: Floats
    level: float

    @property
    def alone(self) -> Ints:
        """Subjects whose own two-sided p is 1 - level or less, above 0 and below: (2, pairs)."""
        return np.asarray(significant(2 * self.p, self.level).sum(axis=-1))

    @property
    def shown(self) -> Bools:
        """Subjects shown to be above 0, and below, all of a pair at once: (2, pairs, subjects)."""
        return significant(self.p_adjusted, self.level)

    @property
    def at_least(self) -> Ints:
        """Simultaneous lower bounds of the subjects above 0, and below: (2, pairs)."""
        return np.asarray(self.shown.sum(axis=-1))

    @property
    def p_both_ways(self) -> Floats:
        """Of no subject being above 0, or none below, by the range test; NaN without any."""
        tested = (~np.isnan(self.p[0])).sum(axis=-1)
        least = np.where(np.isnan(self.p), 1.0, self.p).min(axis=-1, initial=1.0)  # (2, pairs)
        return np.where(tested > 0, np.minimum(tested * least.max(axis=0), 1.0), np.nan)


def directions(
    differences: Floats,
    cells: Cells,
    *,
    level: float = 0.95,
    scale: ArrayLike = 0.0,
    groups: QueryGroups | None = None,
) -> Directions:
    """Directions of differences (pairs, cells) by subject; NaN is missing.

    Where a subject's differences have no spread about another value than 0, they all have one sign,
    which under a symmetric null has the one-sided p 2⁻ⁿ; see `stats.laws`. Identical systems have
    p = 1 in both directions.

    Parameters
    ----------
    differences : (pairs, cells) float
    cells : Cells
        With subjects, crossed with the queries.
    level : float
    scale : (pairs,) float, optional
        Largest |value| that each pair's differences come from: what is below 1e-12 of it is
        rounding.
    groups : QueryGroups, optional
        Clusters or strata of the queries, over which t is taken; F is then not defined.

    Examples
    --------
    >>> cells = Cells.complete(3, 2)
    >>> found = directions(np.array([[0.3, -0.2, 0.4, -0.3, 0.5, -0.4]]), cells)
    >>> found.alone.tolist(), found.at_least.tolist()
    ([[1], [1]], [[1], [0]])
    """
    scale = np.fmax(np.fmax.reduce(np.abs(differences), axis=1, initial=0.0), scale)
    p = _one_sided(differences, cells, scale, groups)
    both = np.concatenate(list(p), axis=-1)  # (pairs, 2 subjects)
    adjusted = np.stack(np.split(holm(both), 2, axis=-1))
    p_differs, sd_subjects, sd_chance = _varying(differences, cells, scale)
    if groups is not None:
        p_differs, sd_chance = np.full((2, len(differences)), np.nan)
    return Directions(p, adjusted, p_differs, sd_subjects, sd_chance, level)


def _one_sided(
    differences: Floats, cells: Cells, scale: Floats, groups: QueryGroups | None
) -> Floats:
    """See `Directions.p`."""
    shape = len(differences), cells.n_subjects
    if groups is None:
        order = np.argsort(cells.subject_codes, kind="stable")
        offsets = offsets_of(cells.subject_sizes)
        each = segment_samples(differences[:, order], offsets, scale=scale)
        mean, error, df = each.mean, each.std_error, np.maximum(each.n - 1.0, 0.0)
    else:
        table = cells.dense(differences).swapaxes(-1, -2)  # (pairs, subjects, queries)
        rows = table.reshape(-1, cells.n_queries)
        mean, error, df = groups.estimate(rows, scale=np.repeat(scale, cells.n_subjects))
    fit = student_fit(mean.ravel(), error.ravel(), df.ravel(), pairs=True)
    p = np.stack([fit.p_value("greater"), fit.p_value("less")])
    return np.where(df.ravel() > 0, p, np.nan).reshape(2, *shape)


def _varying(differences: Floats, cells: Cells, scale: Floats) -> Floats:
    """Whether subjects vary: p by F, standard deviation, and that by chance: (3, pairs)."""
    out = np.full((3, len(differences)), np.nan)
    for present, rows in missing_patterns(~np.isnan(differences)):
        some = cells.select(present).compressed()
        table = differences[rows][:, present]
        squares = variance_components(table, crossed_layout(some), scale=scale[rows]).squares
        _, df, df_residual = squares.df
        if df <= 0 or df_residual <= 0:
            continue
        each = np.stack([squares.query, squares.subject, squares.residual])
        _, own, residual = np.where(each > _ROUNDING * each.sum(axis=0), each, 0.0)
        residual *= df / df_residual
        f = divide(own, residual, fill=np.nan)
        p = np.where(own + residual > 0, special.fdtrc(df, df_residual, f), 1.0)
        # E(own) is n - queries times the variance of subjects, and df times that of errors
        out[:, rows] = p, *np.sqrt(np.stack([own, residual]) / (len(some) - some.n_queries))
    return out
