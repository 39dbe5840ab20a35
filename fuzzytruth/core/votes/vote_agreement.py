"""Agreement of two sets of votes, on all units and without each cluster of units.

Each unit counts 1, whoever judged it. References: Cohen, J. (1960), A coefficient of agreement for
nominal scales; Cohen, J. (1968), Weighted kappa. With several people, a unit's second vote is that
of one of them drawn at random.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from fuzzytruth._lazy import sparse
from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.arithmetic import ROUNDING, divide


@dataclass(frozen=True, slots=True, eq=False)
class AgreementCounts:
    """Sums over the units of each cluster.

    Parameters
    ----------
    units, equal, difference, squares : (clusters,) float
        Number of units; sums of the share of equal pairs, of the mean difference of grades (first
        minus second) and of the mean squared difference. The last two are 0 without grades.
    first, second : sparse (clusters, values)
        Number of units with each value, by the first and by the second votes.
    """

    units: Floats
    equal: Floats
    difference: Floats
    squares: Floats
    first: Any
    second: Any


def agreement_counts(
    unit_first: Ints,
    first: Ints,
    unit_second: Ints,
    second: Ints,
    cluster: Ints,
    grades: Floats | None,
    n_values: int,
) -> AgreementCounts:
    """Counts of one vote a unit beside the votes of people.

    Parameters
    ----------
    unit_first, first : (units judged,) int
        Each unit once.
    unit_second, second : (votes,) int
        Votes of people on units; those on other units do not count.
    cluster : (units,) int
    grades : (values,) float or None
    """
    n_units, n_clusters = len(cluster), int(cluster.max(initial=-1)) + 1
    answer = np.full(n_units, -1)
    answer[unit_first] = first
    voters = np.bincount(unit_second, minlength=n_units)
    kept = answer[unit_second] >= 0
    of, vote = unit_second[kept], second[kept]
    weight = 1.0 / voters[of]
    judged = unit_first[voters[unit_first] > 0]
    at = cluster[of]

    def summed(values: Floats) -> Floats:
        return np.bincount(at, weight * values, n_clusters).astype(np.float64)

    gap = np.zeros(len(of)) if grades is None else grades[answer[of]] - grades[vote]
    return AgreementCounts(
        np.bincount(cluster[judged], minlength=n_clusters).astype(np.float64),
        summed((answer[of] == vote).astype(np.float64)),
        summed(gap),
        summed(gap**2),
        _table(cluster[judged], answer[judged], np.ones(len(judged)), n_clusters, n_values),
        _table(at, vote, weight, n_clusters, n_values),
    )


def counts_among(
    unit: Ints, value: Ints, cluster: Ints, grades: Floats | None, n_values: int
) -> AgreementCounts:
    """Counts of each person beside the other people who judged a unit, all pairs alike.

    Units that one person judged do not count. The parameters are those of `agreement_counts`.
    """
    n_units, n_clusters = len(cluster), int(cluster.max(initial=-1)) + 1
    voters = np.bincount(unit, minlength=n_units)
    kept = voters[unit] > 1
    unit, value = unit[kept], value[kept]
    pairs: Any = np.maximum(voters * (voters - 1.0), 1.0)  # ordered
    key, count = np.unique(unit * n_values + value, return_counts=True)
    same: Any = np.bincount(key // n_values, count * (count - 1.0), n_units) / pairs
    grade = np.zeros(len(unit)) if grades is None else grades[value]
    mean: Any = divide(np.bincount(unit, grade, n_units), voters)
    deviations: Any = np.bincount(unit, (grade - mean[unit]) ** 2, n_units)
    shared = voters > 1
    table = _table(cluster[unit], value, 1.0 / voters[unit], n_clusters, n_values)
    return AgreementCounts(
        np.bincount(cluster[shared], minlength=n_clusters).astype(np.float64),
        np.bincount(cluster, same, n_clusters).astype(np.float64),
        np.zeros(n_clusters),
        np.bincount(cluster, 2 * voters * deviations / pairs, n_clusters).astype(np.float64),
        table,
        table,
    )


def _table(cluster: Ints, value: Ints, weight: Floats, n_clusters: int, n_values: int) -> Any:
    return sparse.csr_array((weight, (cluster, value)), shape=(n_clusters, n_values))


def share_equal(counts: AgreementCounts) -> Floats:
    """Share of equal votes: (1 + clusters,), of all units and without each cluster."""
    return _without(counts.equal, counts.units)


def mean_difference(counts: AgreementCounts) -> Floats:
    """Mean difference of grades, the same way."""
    return _without(counts.difference, counts.units)


def share_of(counts: AgreementCounts, value: int) -> Floats:
    """Share of one value among the second votes, the same way."""
    return _without(counts.second[:, [value]].toarray()[:, 0], counts.units)


def kappa(counts: AgreementCounts) -> Floats:
    """Cohen's κ, the same way; NaN where all votes of both are one value."""
    first, second = counts.first, counts.second
    all_first, all_second = _total(first), _total(second)
    whole = float(all_first @ all_second)
    part = whole - first @ all_second - second @ all_first + (first * second).sum(axis=1)
    n = _left(counts.units, counts.units.sum())
    chance = divide(np.concatenate(([whole], np.asarray(part))), n**2, fill=np.nan)
    return _above_chance(1 - share_equal(counts), 1 - chance)


def quadratic_kappa(counts: AgreementCounts, grades: Floats) -> Floats:
    """Cohen's κ weighted by squared differences of grades, the same way."""
    centred = grades - grades.mean()
    moments = [
        _without(np.asarray(table @ centred**power), counts.units)
        for table in (counts.first, counts.second)
        for power in (1, 2)
    ]
    chance = moments[1] + moments[3] - 2 * moments[0] * moments[2]
    return _above_chance(_without(counts.squares, counts.units), chance)


def jackknife_values(statistic: Floats, clusters: Floats) -> Floats:
    """A value for each cluster whose mean is the statistic and whose spread is the jackknife's.

    Student's interval for their mean is the delete-one-cluster jackknife's for the statistic.

    Parameters
    ----------
    statistic : (1 + clusters,) float
        Of all units and without each cluster.
    clusters : (clusters,) float
        Number of units of each; clusters without units have no value.
    """
    present = clusters > 0
    n = int(present.sum())
    parts = statistic[1:][present]
    out = np.full(len(clusters), np.nan)
    if n:
        deviation = (n - 1) * (parts.mean() - parts)
        deviation -= deviation.mean()  # what n - 1 makes of the rounding error of that mean
        small = np.abs(deviation) <= n * ROUNDING * np.abs(parts).max(initial=0.0)
        out[present] = statistic[0] + np.where(small, 0.0, deviation)
    return out


def _above_chance(observed: Floats, expected: Floats) -> Floats:
    """One minus the ratio of two disagreements; NaN where none is expected."""
    ratio = divide(observed, np.where(expected > ROUNDING, expected, 0.0), fill=np.nan)
    return np.asarray(1 - ratio)


def _total(table: Any) -> Floats:
    return np.asarray(table.sum(axis=0)).ravel()


def _left(sums: Floats, total: float) -> Floats:
    """A total and what is left of it without each cluster: (1 + clusters,)."""
    return np.concatenate(([total], total - sums))


def _without(sums: Floats, units: Floats) -> Floats:
    return divide(_left(sums, float(sums.sum())), _left(units, float(units.sum())), fill=np.nan)
