"""Agreement of pairs of subjects beyond chance, with standard errors by linearisation.

A coefficient of a pair is 1 - D / E: D is the mean disagreement of the two on the units that both
judged, and E the disagreement to be expected by chance. `kappa` takes E from the marginal shares of
each of the two (Cohen 1960, weighted 1968), `alpha` from the values of both together, each unit's
two values drawn without replacement (Krippendorff 1970), and `percent` is 1 - D.

The effect of a unit on the coefficient is its derivative (the delta method of Fleiss, Cohen &
Everitt 1969); effects add up within a cluster, and the variance is the delete-one-cluster
jackknife's for ratios, as in `core.clusters`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core import student
from fuzzytruth.core.arithmetic import ROUNDING, divide
from fuzzytruth.core.clusters import jackknife_error
from fuzzytruth.core.votes.value_distances import CoratedVotes, PairDesign
from fuzzytruth.stats.agreement import wilson

Coefficient = Literal["percent", "kappa", "alpha", "tau_b"]


def nominal_table(n_values: int) -> Floats:
    """1 between different values: (values, values)."""
    return np.ones((n_values, n_values)) - np.eye(n_values)


@dataclass(frozen=True, slots=True, eq=False)
class PairCounts:
    """What pairs of subjects have in common: all (pairs, ...), or (groups of clusters, pairs, ...).

    Parameters
    ----------
    n : (pairs,) float
        Units that both judged.
    left, right : (pairs, values) float
        How many of them the first, and the second, gave each value.
    disagreement : (pairs,) float
        Sum of the distances between the two.
    """

    n: Floats
    left: Floats
    right: Floats
    disagreement: Floats

    def mapped(self, change: Callable[[Floats], Floats]) -> PairCounts:
        """The same with all counts changed."""
        of = (self.n, self.left, self.right, self.disagreement)
        return PairCounts(*map(change, of))


def pair_counts(design: PairDesign, distance: Floats) -> PairCounts:
    """Counts over all units; `distance` is (values, values), symmetric with a diagonal of 0."""
    return grouped_counts(design, distance, 1).mapped(lambda counts: counts[0])


def grouped_counts(design: PairDesign, distance: Floats, groups: int) -> PairCounts:
    """Counts of each group of clusters."""
    shape, values = (groups, design.n_pairs), design.n_values
    n, apart = np.zeros((2, groups * design.n_pairs))
    left, right = np.zeros((2, groups * design.n_pairs * values))
    for votes in design.blocks():
        key = votes.cluster % groups * design.n_pairs + votes.pair
        n += np.bincount(key, votes.weight, len(n))
        apart += np.bincount(key, votes.weight * distance[votes.left, votes.right], len(n))
        left += np.bincount(key * values + votes.left, votes.weight, len(left))
        right += np.bincount(key * values + votes.right, votes.weight, len(right))
    left, right = (side.reshape(*shape, values) for side in (left, right))
    return PairCounts(n.reshape(shape), left, right, apart.reshape(shape))


@dataclass(frozen=True, slots=True, eq=False)
class PairCoefficients:
    """A coefficient of each pair, and what its derivative consists of.

    The effect of a unit at which the two gave g and h is
    ``slope * distance[g, h] + left[g] + right[h]``, and of mean 0 over the units.

    Parameters
    ----------
    value : (pairs,) float
        NaN where the two share no unit, or chance leaves nothing to disagree about.
    chance : (pairs,) float
        Disagreement expected by chance.
    slope : (pairs,) float
    left, right : (pairs, values) float
    table : (pairs, values, values) float or None
        What else a unit's effect depends on: the cell of the two values.
    """

    value: Floats
    chance: Floats
    slope: Floats
    left: Floats
    right: Floats
    table: Floats | None = None

    def effects(self, votes: CoratedVotes, distance: Floats) -> Floats:
        """Weighted effect of each pair of votes: (votes,)."""
        apart = distance[votes.left, votes.right]
        effect = self.slope[votes.pair] * apart + self.left[votes.pair, votes.left]
        effect = effect + self.right[votes.pair, votes.right]
        if self.table is not None:
            effect = effect + self.table[votes.pair, votes.left, votes.right]
        return np.asarray(votes.weight * effect)


def agreement_of(
    counts: PairCounts, distance: Floats, coefficient: Coefficient
) -> PairCoefficients:
    """The coefficients of all pairs, by their counts."""
    n = counts.n
    observed = divide(counts.disagreement, n, fill=np.nan)  # D
    if coefficient == "percent":
        one = np.where(n > 0, 1.0, np.nan)
        nothing = np.zeros_like(counts.left)
        left = nothing + np.nan_to_num(observed)[:, None]
        return PairCoefficients(1 - observed, one, -one, left, nothing)
    if coefficient == "kappa":
        r, c = divide(counts.left, n[:, None]), divide(counts.right, n[:, None])
        to_right, to_left = c @ distance, r @ distance
        chance = (r * to_right).sum(axis=1)
    else:
        both = counts.left + counts.right
        norm = 2 * n * (2 * n - 1)
        away = both @ distance
        chance = divide((both * away).sum(axis=1), norm)
        to_right = to_left = divide(2 * n[:, None] * away, norm[:, None])
    share = divide(observed, chance, fill=np.nan)  # D / E
    slope = -divide(1.0, chance, fill=np.nan)
    of_chance = divide(share, chance, fill=np.nan)[:, None]
    left, right = of_chance * to_right, of_chance * to_left
    mean = slope * observed + divide((counts.left * left + counts.right * right).sum(axis=1), n)
    return PairCoefficients(1 - share, chance, slope, left - mean[:, None], right)


@dataclass(frozen=True, slots=True, eq=False)
class Spread:
    """Standard errors of the coefficients of pairs, and of subjects' means of them.

    Parameters
    ----------
    std_error : (pairs,) float
        NaN below two clusters.
    clusters : (pairs,) int
        Clusters with a unit that both judged.
    mean : (subjects,) float
        Mean coefficient of a subject with all others; NaN if there is none.
    mean_std_error : (subjects,) float
    mean_clusters : (subjects,) int
    partners : (subjects,) int
        Others with whom the coefficient is defined.
    """

    std_error: Floats
    clusters: Ints
    mean: Floats
    mean_std_error: Floats
    mean_clusters: Ints
    partners: Ints


def spread_of(
    design: PairDesign, counts: PairCounts, effects: PairCoefficients, distance: Floats
) -> Spread:
    """Standard errors over clusters."""
    n, s = counts.n, design.n_subjects
    known = ~np.isnan(effects.value)
    ends = (design.first, design.second)
    both = np.concatenate([one[known] for one in ends])
    partners = np.bincount(both, minlength=s)
    sums = np.bincount(both, np.tile(effects.value[known], 2), s)
    squares, clusters = np.zeros(design.n_pairs), np.zeros(design.n_pairs, dtype=np.int64)
    of_subject, n_clusters = np.zeros(s), np.zeros(s, dtype=np.int64)
    for votes in design.blocks():
        cluster, pair, effect, weight = _by_cluster(votes, effects.effects(votes, distance))
        kept = known[pair]
        cluster, pair, effect, weight = cluster[kept], pair[kept], effect[kept], weight[kept]
        shift = divide(effect, n[pair] - weight)  # as large as the jackknife's
        squares += np.bincount(pair, shift**2, design.n_pairs)
        clusters += np.bincount(pair, minlength=design.n_pairs)
        key = [cluster * s + one[pair] for one in ends]
        found, place = np.unique(np.concatenate(key), return_inverse=True)
        by_subject = np.bincount(place.reshape(-1), np.tile(shift, 2), len(found))
        of_subject += np.bincount(found % s, by_subject**2, s)
        n_clusters += np.bincount(found % s, minlength=s)
    return Spread(
        _jackknife(squares, clusters),
        clusters,
        divide(sums, partners, fill=np.nan),
        divide(_jackknife(of_subject, n_clusters), partners, fill=np.nan),
        n_clusters,
        partners,
    )


def _by_cluster(votes: CoratedVotes, effect: Floats) -> tuple[Ints, Ints, Floats, Floats]:
    """Cluster, pair, sum of the effects and number of units of each cluster and pair."""
    if not len(votes.pair):
        return votes.cluster, votes.pair, effect, votes.weight
    width = int(votes.pair.max()) + 1
    key = votes.cluster * width + votes.pair
    if (np.diff(key) > 0).all():  # each its own
        return votes.cluster, votes.pair, effect, votes.weight
    found, place = np.unique(key, return_inverse=True)
    place = place.reshape(-1)
    total: Floats = np.bincount(place, effect, len(found)).astype(np.float64)
    weight: Floats = np.bincount(place, votes.weight, len(found)).astype(np.float64)
    return found // width, found % width, total, weight


def _jackknife(squares: Floats, clusters: Ints) -> Floats:
    """Standard error from the sum of squared shifts; NaN below two clusters."""
    squares = np.where(squares <= ROUNDING**2 * clusters, 0.0, squares)
    return np.asarray(jackknife_error(squares, clusters))


# Kendall's rank correlation of the grades that pairs of subjects gave.


def contingency_tables(design: PairDesign) -> Floats:
    """How often each pair gave each two values: (pairs, values, values)."""
    k = design.n_values
    out = np.zeros(design.n_pairs * k * k)
    for votes in design.blocks():
        cell = (votes.pair * k + votes.left) * k + votes.right
        out += np.bincount(cell, votes.weight, len(out))
    return out.reshape(-1, k, k)


def tau_b_of(design: PairDesign) -> PairCoefficients:
    """Kendall's τ_b of all pairs, by their contingency tables of ascending grades.

    NaN where one of the two gave a single grade. The effect of a unit is the derivative by its
    cell's count (Brown & Benedetti 1977).
    """
    tables = contingency_tables(design)
    n = tables.sum(axis=(1, 2))
    excess = _concordance(tables)  # concordant minus discordant units, beside each cell
    score = (tables * excess).sum(axis=(1, 2))
    rows, columns = tables.sum(axis=2), tables.sum(axis=1)
    untied_rows = n**2 - (rows**2).sum(axis=1)
    untied_columns = n**2 - (columns**2).sum(axis=1)
    scale = np.sqrt(untied_rows * untied_columns)
    value = divide(score, scale, fill=np.nan)
    of_rows = divide(value, untied_rows, fill=np.nan)[:, None] * (n[:, None] - rows)
    of_columns = divide(value, untied_columns, fill=np.nan)[:, None] * (n[:, None] - columns)
    table = n[:, None, None] * (
        divide(2 * excess, scale[:, None, None], fill=np.nan)
        - of_rows[:, :, None]
        - of_columns[:, None, :]
    )
    nothing = np.zeros_like(rows)
    return PairCoefficients(value, np.ones(len(n)), np.zeros(len(n)), nothing, nothing, table)


def _concordance(tables: Floats) -> Floats:
    """Units concordant with each cell, minus those discordant with it: (pairs, k, k)."""
    shape = (tables.shape[0], tables.shape[1] + 1, tables.shape[2] + 1)
    below = np.zeros(shape)  # of both values less than
    below[:, 1:, 1:] = tables.cumsum(axis=1).cumsum(axis=2)
    all_of = below[:, -1:, -1:]
    low, high = below[:, :-1, :-1], below[:, 1:, 1:]
    after = below[:, -1:, 1:]  # columns up to this one, all rows
    lower_right = below[:, :-1, -1:] - below[:, :-1, 1:]  # rows above, columns after
    upper_left = below[:, -1:, :-1] - below[:, 1:, :-1]  # rows after, columns before
    both_after = all_of - after - below[:, 1:, -1:] + high
    return np.asarray(low + both_after - lower_right - upper_left)


# Clusters of subjects who agree more than two different people plausibly would.


def sure_agreement(
    disagreement: Floats, n: Floats, chance: Floats, expected: Floats | None, level: float
) -> tuple[Floats, Floats]:
    """Least agreement of pairs beyond chance, and beyond that of the panel: (pairs,) each.

    Both are 1 - D / E with the upper end, one-sided with confidence `level`, of Wilson's interval
    for the share D of units on which the two differ. E is the disagreement expected by chance,
    from the shares of values that each of them gave, or (`expected`) if both erred independently
    beside what the panel has in common. NaN where the two share no unit, or E is unknown.
    """
    one_sided = max(2 * level - 1, 1e-9)
    known = n > 0
    some = np.where(known, n, 1.0)
    differ = np.minimum(np.where(known, disagreement, 0.0), some)
    most = np.asarray(wilson(differ, some, level=one_sided)[1])
    most = np.where(known, most, np.nan)
    by_chance = 1 - divide(most, chance, fill=np.nan)
    if expected is None:
        return by_chance, np.full(len(n), np.nan)
    return by_chance, 1 - divide(most, expected, fill=np.nan)


def duplicate_clusters(first: Ints, second: Ints, alike: Floats, threshold: float) -> list[Ints]:
    """Clusters of subjects in which every pair is alike, the largest first, by complete linkage.

    Parameters
    ----------
    first, second : (pairs,) int
    alike : (pairs,) float
        Of those pairs; NaN counts as not alike.
    threshold : float
    """
    from scipy.cluster.hierarchy import fcluster, linkage

    close = np.nan_to_num(alike, nan=-np.inf) >= threshold
    if not close.any():
        return []
    some = np.unique(np.concatenate((first[close], second[close])))
    a, b = np.searchsorted(some, first[close]), np.searchsorted(some, second[close])
    far = 2.0
    table = np.full((len(some), len(some)), far)
    table[a, b] = table[b, a] = 1 - alike[close]
    tree = linkage(table[np.triu_indices(len(some), 1)], "complete")
    number = fcluster(tree, (far + 1 - threshold) / 2, "distance")
    clusters = [some[number == one] for one in np.unique(number)]
    clusters = [one for one in clusters if len(one) > 1]
    return sorted(clusters, key=lambda one: (-len(one), one[0]))


# How many independent subjects a panel is worth, by the agreement of its pairs.
#
# Let c_st be the disagreement of s and t that is expected by chance, from the marginal shares of
# both, minus the one observed: the covariance of their grades (times 2, of squared differences),
# or the sum of the covariances of their votes for each category. Where subjects err
# independently, c_st = λ_s·λ_t for all s ≠ t: they agree by as much as each of them follows what
# all have in common, be that with noise of different size, on scales of different width, or on
# units of different difficulty. λ is fitted by least squares. Of each subject's own c_ss, u_s =
# c_ss - λ_s² is its error, and r_st = (c_st - λ_s·λ_t) / √(u_s·u_t) is the correlation of two
# subjects' errors. An error that all share is not seen: without another truth it looks like the
# truth.
#
# The effective number is 1 + (S - 1) / (1 + S·mean(r²)): one for what all have in common, and the
# participation ratio (Σe)² / Σe² of eigenvalues e for the S - 1 directions in which subjects can
# deviate from it. It is S for independent subjects, and m for k copies of each of m; for copies
# in different numbers k_j it is within about a tenth of (Σk)² / Σk², Kish's effective size of a
# sample with such weights.
#
# References
# ----------
# Bretherton et al. 1999, The effective number of spatial degrees of freedom of a time-varying
# field, Journal of Climate 12. Del Giudice 2021, Effective dimensionality: a tutorial,
# Multivariate Behavioral Research 56. Kish 1965, Survey Sampling. Harman & Jones 1966, Factor
# analysis by minimizing residuals (minres), Psychometrika 31.


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
    counts = grouped_counts(design, distance, groups)
    whole = counts.mapped(lambda each: each.sum(axis=0))
    if 2 * np.count_nonzero(whole.n) < len(whole.n):
        return _unknown("fewer than half of the pairs have judged a unit in common")
    if not whole.disagreement.any():
        return _unknown("nobody ever disagrees, so that copies and independent subjects look alike")
    errors = _correlated_errors(design, counts.mapped(_left_out), distance)
    expected = _without_correlated_pairs(design, errors, whole.n)
    if groups < 2:
        return _unknown("it takes two units or more (two queries, over queries)", expected)
    factor = (groups - 1) / groups
    left_out = errors.covariance[1:]
    noise = factor * ((left_out - left_out.mean(axis=0)) ** 2).sum(axis=0)
    square = errors.mean_squares(noise, whole.n)
    spread = np.sqrt(factor * ((square[1:] - square[1:].mean()) ** 2).sum())
    half = float(student.quantile(level, groups - 1) * spread)
    n, centre = design.n_subjects, max(float(square[0]), 0.0)
    value, lower, upper = (
        1 + (n - 1) / (1 + n * min(max(centre + shift, 0.0), 1.0)) for shift in (0.0, half, -half)
    )
    return EffectiveNumber(value, lower, upper, "", expected)


def _left_out(counts: Floats) -> Floats:
    """Counts of all groups, then without each of them."""
    whole = counts.sum(axis=0)
    return np.concatenate((whole[None], whole - counts))


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
        return np.asarray((weight * divide(square, self.scale)).sum(axis=1) / weight.sum())


def _correlated_errors(design: PairDesign, tables: PairCounts, distance: Floats) -> _Errors:
    """Errors beside one common factor, in each of several tables of counts."""
    n = tables.n
    p, q = divide(tables.left, n[..., None]), divide(tables.right, n[..., None])
    chance = np.einsum("tpv,tpv->tp", p @ distance, q)
    observed = divide(tables.disagreement, n)
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
    return np.asarray(np.where(correlated, np.maximum(again, expected), expected))


def _own_variances(design: PairDesign, tables: PairCounts, distance: Floats) -> Floats:
    """Disagreement of each subject with itself by chance: (tables, subjects)."""
    given = np.zeros((len(tables.n), design.n_subjects, design.n_values))
    for t in range(len(given)):
        np.add.at(given[t], design.first, tables.left[t])
        np.add.at(given[t], design.second, tables.right[t])
    share = divide(given, given.sum(axis=2, keepdims=True))
    return np.asarray(np.einsum("tsv,tsv->ts", share @ distance, share))


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
