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

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike

from fuzzytruth._lazy import special
from fuzzytruth._typing import Bools, Floats, Ints
from fuzzytruth.core.arithmetic import divide, offsets_of, without_rounding
from fuzzytruth.core.cells import Cells
from fuzzytruth.core.clusters import Samples, nan_mean, samples, segment_samples
from fuzzytruth.core.crossed import crossed_layout, variance_components
from fuzzytruth.core.pivotal import GapSquares, GroupSquares, NormalMixtures, group_squares
from fuzzytruth.stats.bootstrap_max_t import Block, bootstrap_max_t
from fuzzytruth.stats.laws import Fit, mixture_fit, student_fit
from fuzzytruth.stats.multiplicity import MAX_T, Adjusted, Family, holm, significant
from fuzzytruth.stats.observations import Contrasts, Observations, QueryGroups, missing_patterns
from fuzzytruth.stats.settings import Over
from fuzzytruth.stats.world_estimates import Estimates

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
        each = segment_samples(differences[:, order], offsets_of(cells.subject_sizes), scale=scale)
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


# How differences of systems differ between two groups of subjects.


@dataclass(frozen=True, slots=True, eq=False)
class GroupGaps:
    """Gaps between groups: for each pair of groups, those of all pairs of systems; (rows,) each.

    Parameters
    ----------
    value_a, value_b : float
        Mean difference of the systems by each group, on the queries that both groups judged.
    by_query : (queries, rows) float
        NaN where one of the groups has no value.
    n_subjects_a, n_subjects_b : int
    estimates : Estimates
        Of the mean gaps.
    """

    value_a: Floats
    value_b: Floats
    by_query: Floats
    n_subjects_a: Ints
    n_subjects_b: Ints
    estimates: Estimates

    def adjusted(self, family: Family) -> Adjusted:
        """Lower and upper ends and adjusted p, all gaps being one family.

        Of `family` its correction ("sign-flips" and "permuted labels" excepted), level and
        resampling are used. Max-t of a single gap is Student's t.
        """
        one = self.estimates
        if family.correction != MAX_T:
            return replace(family, observed=()).adjusted([one])[0]
        block = Block(self.by_query, one.value, one.std_error, one.n_queries, one.law)
        (out,) = bootstrap_max_t([block], family.using, level=family.level)
        return Adjusted(out.lower, out.upper, out.p_adjusted, out.std_error)


@np.errstate(under="ignore")
def group_gaps(groups: Sequence[Observations], pairs: Contrasts, over: Over) -> GroupGaps:
    """Gaps of pairs of systems between all pairs of groups, in their order.

    `groups` are values by one measure of the same systems and queries.
    """
    each = [_Gaps.of(groups[a], groups[b], pairs) for a, b in combinations(range(len(groups)), 2)]
    value_a, value_b = (np.concatenate([one.mean(side) for one in each]) for side in (0, 1))
    by_query = np.concatenate([one.by_query for one in each])
    n_a, n_b = (np.concatenate([one.n_subjects(side) for one in each]) for side in (0, 1))
    gaps = samples(by_query.T, scale=np.concatenate([one.scale for one in each]))
    fit = _fit(each, gaps, (n_a, n_b), over)
    return GroupGaps(value_a, value_b, by_query.T, n_a, n_b, Estimates.of(fit, gaps.n, n_a + n_b))


@dataclass(frozen=True, slots=True, eq=False)
class _Gaps:
    """Those between two groups.

    Parameters
    ----------
    sides : tuple of Observations
    pairs : Contrasts
    scale : (pairs,) float
        Largest of the values that the differences are of.
    differences : tuple of (pairs, queries) float
        Of the systems by each group; NaN where either group has none.
    by_query : (pairs, queries) float
    """

    sides: tuple[Observations, Observations]
    pairs: Contrasts
    scale: Floats
    differences: tuple[Floats, Floats]
    by_query: Floats

    @classmethod
    def of(cls, one: Observations, other: Observations, pairs: Contrasts) -> _Gaps:
        scale = pairs.largest(np.maximum(one.scale, other.scale))
        first, second = one.by_query(pairs), other.by_query(pairs)
        gaps = without_rounding(first - second, scale[:, None])
        shared = ~np.isnan(gaps)
        on_shared = np.where(shared, first, np.nan), np.where(shared, second, np.nan)
        return cls((one, other), pairs, scale, on_shared, gaps)

    def mean(self, side: int) -> Floats:
        """Mean difference by one group: (pairs,)."""
        return without_rounding(nan_mean(self.differences[side], axis=1), self.scale)

    def tables(self, side: int) -> Iterator[tuple[Ints, Floats, Cells]]:
        """Differences by the subjects of one group on shared queries: pairs with the same cells.

        Each with the numbers of the pairs (rows,), differences (rows, cells), and the cells.
        """
        observed, shared, start = self.sides[side], ~np.isnan(self.by_query), 0
        for batch in observed.batches(self.pairs):
            values = observed.of(batch)
            of_batch = shared[start : start + len(batch)]
            present = ~np.isnan(values) & of_batch[:, observed.cells.query]
            for kept, rows in missing_patterns(present):
                yield start + rows, values[rows][:, kept], observed.cells.select(kept).compressed()
            start += len(batch)

    def n_subjects(self, side: int) -> Ints:
        """Subjects of one group with values: (pairs,)."""
        out = np.zeros(len(self.pairs), dtype=np.int64)
        for rows, _, cells in self.tables(side):
            out[rows] = cells.n_subjects
        return out

    def subject_variances(self, side: int) -> tuple[Floats, Floats]:
        """Variances of one group's means, its subjects random, and their df: (pairs,) each.

        NaN where unknown.
        """
        variance, df = np.full((2, len(self.pairs)), np.nan)
        for rows, values, cells in self.tables(side):
            scale = self.scale[rows]
            if cells.is_complete:
                subjects = samples(cells.mean_by_subject(values).T, scale=scale)
                variance[rows], df[rows] = subjects.std_error**2, subjects.n - 1
                continue
            parts = variance_components(values, crossed_layout(cells), scale=scale)
            if parts.squares.df[1] > 0:
                variance[rows], df[rows] = parts.subject_variance, parts.subject_df
        return variance, df

    def squares(self, side: int) -> list[GroupSquares | None]:
        """Sums of squares of one group, None where its subjects tell no spread: one a pair."""
        out: list[GroupSquares | None] = [None] * len(self.pairs)
        for rows, values, cells in self.tables(side):
            parts = variance_components(values, crossed_layout(cells), scale=self.scale[rows])
            if parts.squares.df[1] <= 0:
                continue
            for row, one in zip(rows.tolist(), group_squares(parts.squares, cells), strict=True):
                out[row] = one
        return out


def _fit(each: list[_Gaps], gaps: Samples, n_subjects: tuple[Ints, Ints], over: Over) -> Fit:
    """Errors of all gaps, by what is random."""
    if over == ("query",):
        df = np.maximum(gaps.n - 1.0, 0.0)
        return student_fit(gaps.mean, gaps.std_error, df, "t over queries", pairs=True)
    n_a, n_b = n_subjects
    natural = special.gammaln(n_a + n_b + 1) - special.gammaln(n_a + 1) - special.gammaln(n_b + 1)
    separated = natural / np.log(2) - 1  # log2 of the ways to divide subjects, but for one
    if over == ("subject",):
        std_error, df = _welch(each)
        method = "Welch's t over subjects"
        return student_fit(gaps.mean, std_error, df, method, pairs=True, flips=separated)
    std_error, mixtures = _pivotal(each, gaps)
    df = np.full(len(std_error), np.nan)
    least = np.where(np.isnan(std_error), 0.0, np.minimum(gaps.n - 1.0, separated))
    method = "generalised pivotal, queries × subjects"
    return mixture_fit(gaps.mean, std_error, df, least, mixtures, method, pairs=True)


def _welch(each: list[_Gaps]) -> tuple[Floats, Floats]:
    """Standard errors and Welch's degrees of freedom, 0 where unknown."""
    sides = [
        np.concatenate([one.subject_variances(side) for one in each], axis=1) for side in (0, 1)
    ]
    (var_a, df_a), (var_b, df_b) = sides
    total = var_a + var_b
    bottom = divide(divide(var_a, total) ** 2, df_a) + divide(divide(var_b, total) ** 2, df_b)
    df = np.where(total == 0, df_a + df_b, divide(1.0, bottom))
    return np.sqrt(total), np.where(np.isnan(total), 0.0, df)


def _pivotal(each: list[_Gaps], gaps: Samples) -> tuple[Floats, NormalMixtures]:
    """Standard errors, NaN where unknown, and mixtures of the errors."""
    rows = len(gaps.mean)
    std_error, mixtures = np.full(rows, np.nan), NormalMixtures.none(rows)
    of_sides = [[squares for one in each for squares in one.squares(side)] for side in (0, 1)]
    total = (gaps.centred**2).sum(axis=0)
    for row, (one, other) in enumerate(zip(*of_sides, strict=True)):
        if one is None or other is None or gaps.n[row] < 2:
            continue
        squares = GapSquares(float(total[row]), int(gaps.n[row]), (one, other))
        std_error[row] = np.sqrt(squares.variance())
        mixtures.std[row], mixtures.weight[row] = squares.mixture()
    return std_error, mixtures
