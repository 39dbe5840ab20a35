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

from dataclasses import dataclass
from typing import Literal

import numpy as np

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.arithmetic import ROUNDING, divide
from fuzzytruth.core.clusters import jackknife_error
from fuzzytruth.core.votes.value_distances import CoratedVotes, PairDesign

Coefficient = Literal["percent", "kappa", "alpha", "tau_b"]


@dataclass(frozen=True, slots=True, eq=False)
class PairCounts:
    """What pairs of subjects have in common: all (pairs, ...).

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


def pair_counts(design: PairDesign, distance: Floats) -> PairCounts:
    """Counts over all units; `distance` is (values, values), symmetric with a diagonal of 0."""
    pairs, values = design.n_pairs, design.n_values
    n, apart = np.zeros(pairs), np.zeros(pairs)
    left, right = np.zeros(pairs * values), np.zeros(pairs * values)
    for votes in design.blocks():
        n += np.bincount(votes.pair, votes.weight, pairs)
        weight = votes.weight * distance[votes.left, votes.right]
        apart += np.bincount(votes.pair, weight, pairs)
        left += np.bincount(votes.pair * values + votes.left, votes.weight, pairs * values)
        right += np.bincount(votes.pair * values + votes.right, votes.weight, pairs * values)
    shape = (pairs, values)
    return PairCounts(n, left.reshape(shape), right.reshape(shape), apart)


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
        out: Floats = votes.weight * effect
        return out


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
    out: Floats = low + both_after - lower_right - upper_left
    return out
