"""How differences of systems differ between two groups of subjects.

The gap of a query is the mean difference of two systems over the subjects of one group, minus that
over the subjects of the other; what is estimated is the mean gap over the queries that both groups
judged. What is random says how it errs:

- queries: Student's t of the gaps;
- subjects: Welch's t of both groups' per-subject means, each group being a sample of its own; where
  a group lacks cells, its variance is that of crossed components with queries fixed;
- both: a generalised pivotal quantity, see `core.group_pivotal`.

No spread about a gap other than 0: over subjects, p is the two-sided probability 2 / C(n, n_g) that
a random division of both groups' n subjects separates them as the groups do; see `stats.laws`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from fuzzytruth._lazy import special
from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.arithmetic import divide, without_rounding
from fuzzytruth.core.cells import Cells
from fuzzytruth.core.clusters import Samples, nan_mean, samples
from fuzzytruth.core.crossed import crossed_layout, variance_components
from fuzzytruth.core.pivotal import GapSquares, GroupSquares, NormalMixtures, group_squares
from fuzzytruth.stats.bootstrap_max_t import Block, bootstrap_max_t
from fuzzytruth.stats.laws import Fit, mixture_fit, student_fit
from fuzzytruth.stats.multiplicity import MAX_T, Adjusted, Family
from fuzzytruth.stats.observations import Contrasts, Observations, missing_patterns
from fuzzytruth.stats.settings import Over
from fuzzytruth.stats.world_estimates import Estimates


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
                cells = observed.cells.select(kept).compressed()
                yield start + rows, values[rows][:, kept], cells
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
