"""How many independent subjects a panel is worth, by the agreement of its pairs.

Let c_st be the disagreement of s and t that is expected by chance, from the marginal shares of
both, minus the one observed: the covariance of their grades (times 2, of squared differences), or
the sum of the covariances of their votes for each category. Where subjects err independently,
c_st = λ_s·λ_t for all s ≠ t: they agree by as much as each of them follows what all have in common,
be that with noise of different size, on scales of different width, or on units of different
difficulty. λ is fitted by least squares. Of each subject's own c_ss, u_s = c_ss - λ_s² is its
error, and r_st = (c_st - λ_s·λ_t) / √(u_s·u_t) is the correlation of two subjects' errors. An error
that all share is not seen: without another truth it looks like the truth.

The effective number is 1 + (S - 1) / (1 + S·mean(r²)): one for what all have in common, and the
participation ratio (Σe)² / Σe² of eigenvalues e for the S - 1 directions in which subjects can
deviate from it. It is S for independent subjects, and m for k copies of each of m; for copies in
different numbers k_j it is within about a tenth of (Σk)² / Σk², Kish's effective size of a sample
with such weights.

References
----------
Bretherton et al. 1999, The effective number of spatial degrees of freedom of a time-varying field,
Journal of Climate 12. Del Giudice 2021, Effective dimensionality: a tutorial, Multivariate
Behavioral Research 56. Kish 1965, Survey Sampling. Harman & Jones 1966, Factor analysis by
minimizing residuals (minres), Psychometrika 31.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.core import student
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.core.votes.value_distances import PairDesign

#: fewer subjects cannot tell errors that two have in common from the accuracy of both
LEAST_SUBJECTS = 4
MOST_SUBJECTS = 500
_GROUPS = 50  # of clusters, for the jackknife
_ROOM = 1e7  # numbers in the counts of all groups
_STEPS = 500
#: errors below this share of their mean say that subjects hardly err, or are copies
_FLOOR = 0.05
_SQUARE = 1.96**2  # of Wilson's 95 % interval


@dataclass(frozen=True, slots=True, eq=False)
class EffectiveNumber:
    """An effective number of subjects.

    Parameters
    ----------
    value, lower, upper : float
        NaN if unknown.
    why : str
        Why it is unknown; "" if it is not.
    expected : (pairs,) float or None
        Disagreement of each pair if the two erred independently; of two who hardly err, the mean
        error of the panel. None if the panel does not determine it.
    """

    value: float
    lower: float
    upper: float
    why: str = ""
    expected: Floats | None = None


def effective_number(design: PairDesign, distance: Floats, level: float) -> EffectiveNumber:
    """The effective number of subjects, with a delete-a-group jackknife interval over clusters.

    Squared correlations are freed of their sampling error, as the jackknife finds it.
    """
    if why := _why_not(design):
        return _unknown(why)
    groups = _groups(design)
    counts = _grouped_counts(design, distance, groups)
    whole = [part.sum(axis=0) for part in counts]
    if 2 * np.count_nonzero(whole[0]) < len(whole[0]):
        return _unknown("fewer than half of the pairs have judged a unit in common")
    if not whole[1].any():
        return _unknown("nobody ever disagrees, so that copies and independent subjects look alike")
    # the whole first, then without each group
    tables = [np.concatenate((one[None], one - c)) for one, c in zip(whole, counts, strict=True)]
    errors = _correlated_errors(design, tables, distance)
    expected = _without_correlated_pairs(design, errors, whole[0])
    if groups < 2:
        return _unknown("it takes two units or more (two queries, over queries)", expected)
    factor = (groups - 1) / groups
    left_out = errors.covariance[1:]
    noise = factor * ((left_out - left_out.mean(axis=0)) ** 2).sum(axis=0)
    square = errors.mean_squares(noise, whole[0])
    spread = np.sqrt(factor * ((square[1:] - square[1:].mean()) ** 2).sum())
    half = float(student.quantile(level, groups - 1) * spread)
    n, centre = design.n_subjects, max(float(square[0]), 0.0)
    value, lower, upper = (
        1 + (n - 1) / (1 + n * min(max(centre + shift, 0.0), 1.0)) for shift in (0.0, half, -half)
    )
    return EffectiveNumber(value, lower, upper, "", expected)


def _unknown(why: str, expected: Floats | None = None) -> EffectiveNumber:
    nan = float("nan")
    return EffectiveNumber(nan, nan, nan, why, expected)


def _why_not(design: PairDesign) -> str:
    """Why the number cannot be computed, whatever the votes are."""
    if design.n_subjects < LEAST_SUBJECTS:
        return f"it takes {LEAST_SUBJECTS} subjects or more"
    if design.n_subjects > MOST_SUBJECTS:
        return f"it is computed for up to {MOST_SUBJECTS} subjects"
    if design.n_pairs * design.n_values * 2 > _ROOM:
        return "there are too many pairs and different values"
    return ""


def _groups(design: PairDesign) -> int:
    """In how many groups of clusters the jackknife leaves out."""
    clusters = int(design.cluster.max(initial=-1)) + 1
    room = int(_ROOM / (design.n_pairs * design.n_values))
    return max(min(clusters, _GROUPS, room), 1)


@dataclass(frozen=True, slots=True, eq=False)
class _Errors:
    """Errors of subjects beside what all have in common, in several tables.

    Parameters
    ----------
    covariance, scale, expected, chance : (tables, pairs) float
        Covariance of the two subjects' errors, the product of their variances, the disagreement
        if the covariance were 0, and the one expected by chance.
    loading : (tables, subjects) float
        λ.
    common : (tables, pairs) float
        c.
    """

    covariance: Floats
    scale: Floats
    expected: Floats
    chance: Floats
    loading: Floats
    common: Floats

    def mean_squares(self, noise: Floats, weight: Floats) -> Floats:
        """Mean squared correlations, those of covariances less `noise` (pairs,): (tables,)."""
        square = np.minimum(self.covariance**2, self.scale) - noise
        out: Floats = (weight * divide(square, self.scale)).sum(axis=1) / weight.sum()
        return out


def _correlated_errors(design: PairDesign, tables: list[Floats], distance: Floats) -> _Errors:
    """Errors beside one common factor, in each of several tables of counts."""
    n, apart, left, right = tables
    p, q = divide(left, n[..., None]), divide(right, n[..., None])
    chance = np.einsum("tpv,tpv->tp", p @ distance, q)
    observed = divide(apart, n)
    own = _own_variances(design, tables, distance)
    common = np.where(n > 0, chance - observed, 0.0)  # (tables, pairs)
    loading = _common_factor(design, common, np.where(n > 0, n[0], 0.0))
    error = np.maximum(own - loading**2, 0.0)
    mean = error.mean(axis=1, keepdims=True)
    small, error = error <= _FLOOR * mean, np.maximum(error, _FLOOR * mean)
    first, second = design.first, design.second
    both_small = small[:, first] & small[:, second]
    expected = chance - loading[:, first] * loading[:, second]
    covariance = expected - observed
    # Two who hardly err count as copies if they would have been seen to err as others do.
    seen = observed + _SQUARE / (n + _SQUARE) * chance < mean / 2
    covariance[both_small] = np.where(seen, _FLOOR * mean - observed, 0.0)[both_small]
    covariance[n <= 0] = 0.0
    expected = np.where(both_small, mean, expected)
    scale = error[:, first] * error[:, second]
    return _Errors(covariance, scale, expected, chance, loading, common)


def _without_correlated_pairs(design: PairDesign, errors: _Errors, weight: Floats) -> Floats:
    """Disagreement of independent subjects, copies taking no part in what is in common: (pairs,).

    Copies draw λ towards themselves, as if they were accurate. For pairs whose errors correlate by
    more than 1/2 it is fitted once more, without these pairs.
    """
    correlated = errors.covariance[0] > np.sqrt(errors.scale[0]) / 2
    expected: Floats = errors.expected[0]
    if not correlated.any():
        return expected
    weight = np.where(correlated, 0.0, weight)[None]
    loading = _common_factor(design, errors.common[:1], weight, errors.loading[:1])[0]
    again = errors.chance[0] - loading[design.first] * loading[design.second]
    out: Floats = np.where(correlated, np.maximum(again, expected), expected)
    return out


def _own_variances(design: PairDesign, tables: list[Floats], distance: Floats) -> Floats:
    """Disagreement of each subject with itself by chance: (tables, subjects)."""
    _, _, left, right = tables
    shape = (len(left), design.n_subjects, design.n_values)
    given = np.zeros(shape)
    for t in range(len(left)):
        np.add.at(given[t], design.first, left[t])
        np.add.at(given[t], design.second, right[t])
    share = divide(given, given.sum(axis=2, keepdims=True))
    out: Floats = np.einsum("tsv,tsv->ts", share @ distance, share)
    return out


def _common_factor(
    design: PairDesign, common: Floats, weight: Floats, start: Floats | None = None
) -> Floats:
    """λ with common[s, t] ≈ λ_s·λ_t for s ≠ t, by weighted least squares: (tables, subjects).

    `common` and `weight` are (tables, pairs).
    """
    s = design.n_subjects
    w, c = np.zeros((2, len(common), s, s))
    w[:, design.first, design.second] = weight / max(weight.max(initial=0.0), 1.0)
    w += w.transpose(0, 2, 1)
    c[:, design.first, design.second] = common
    c = w * (c + c.transpose(0, 2, 1))
    if start is None:
        start = np.full((1, s), np.sqrt(max(c[0].sum() / w[0].sum(), 0.0)))
    whole = _rank_one(c[:1], w[:1], start)
    # from there, so that all find the same minimum
    return np.concatenate((whole, _rank_one(c[1:], w[1:], np.repeat(whole, len(c) - 1, axis=0))))


def _rank_one(weighted: Floats, weight: Floats, loading: Floats) -> Floats:
    """Least squares by alternation from a start; `weighted` are tables times their weights."""
    for _ in range(_STEPS):
        new = (weighted @ loading[:, :, None])[..., 0]
        new = (loading + divide(new, (weight @ loading[:, :, None] ** 2)[..., 0])) / 2
        change = np.abs(new - loading).max(initial=0.0)
        loading = new
        if change <= 1e-10 * np.abs(new).max(initial=0.0):
            break
    return loading


def _grouped_counts(design: PairDesign, distance: Floats, groups: int) -> list[Floats]:
    """Counts of each group of clusters and pair.

    Returns
    -------
    units, distances : (groups, pairs) float
    left, right : (groups, pairs, values) float
    """
    pairs, values = design.n_pairs, design.n_values
    units, apart = np.zeros(groups * pairs), np.zeros(groups * pairs)
    left, right = np.zeros(groups * pairs * values), np.zeros(groups * pairs * values)
    for votes in design.blocks():
        key = votes.cluster % groups * pairs + votes.pair
        units += np.bincount(key, votes.weight, len(units))
        weight = votes.weight * distance[votes.left, votes.right]
        apart += np.bincount(key, weight, len(apart))
        left += np.bincount(key * values + votes.left, votes.weight, len(left))
        right += np.bincount(key * values + votes.right, votes.weight, len(right))
    shape = (groups, pairs)
    tables = [units.reshape(shape), apart.reshape(shape)]
    return [*tables, left.reshape(*shape, values), right.reshape(*shape, values)]
