"""The alternative annotator test, on arrays.

Who is closer to the other people, a person or a model, is asked unit by unit. A vote's alignment
with the other people who judged a unit is the mean similarity of its value and theirs, or minus the
root mean squared difference. Only its order matters here, and all compared votes of a unit have the
same others.

References
----------
Calderon, N., Reichart, R. & Dror, R. (2025), The alternative annotator test for LLM-as-a-judge: how
to statistically justify replacing human annotators with LLMs, ACL, 16051-16081.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fuzzytruth._lazy import special
from fuzzytruth._typing import Bools, Floats, Ints
from fuzzytruth.core.arithmetic import ROUNDING, divide, ragged
from fuzzytruth.core.clusters import jackknife_error
from fuzzytruth.core.student import quantile

#: similarity of values, by their codes, element by element
Similarity = Callable[[Ints, Ints], Floats]


def similarity_gaps(
    unit: Ints, value: Ints, n_units: int, rival: Ints, similarity: Similarity | None = None
) -> NDArray[np.int8]:
    """Sign of each vote's similarity to the others minus that of a rival's value: (votes,).

    Parameters
    ----------
    unit, value : (votes,) int
        Votes of people, units ascending.
    n_units : int
    rival : (votes,) int
        The value that is compared with each vote.
    similarity : callable, optional
        By default 1 for equal values, else 0.
    """
    if similarity is None:
        n_values = max(int(value.max(initial=0)), int(rival.max(initial=0))) + 1
        keys, count = np.unique(unit * n_values + value, return_counts=True)
        given, wanted = (
            np.where(keys[place] == key, count[place], 0)  # who gave this value to this unit
            for key in (unit * n_values + value, unit * n_values + rival)
            for place in [np.minimum(np.searchsorted(keys, key), len(keys) - 1)]
        )
        return np.asarray(np.sign(given - 1 - wanted + (rival == value))).astype(np.int8)
    totals = [_sums(unit, value, n_units, one, similarity) for one in (value, rival)]
    own = totals[0] - similarity(value, value)
    other = totals[1] - similarity(rival, value)
    largest = np.maximum(np.abs(totals[0]), np.abs(totals[1]))
    gap = own - other
    return np.where(np.abs(gap) <= ROUNDING * largest, 0, np.sign(gap)).astype(np.int8)


def squared_error_gaps(unit: Ints, grade: Floats, n_units: int, rival: Floats) -> NDArray[np.int8]:
    """Sign of a rival's mean squared difference from the others minus that of each vote: (votes,).

    Positive where the vote is closer. The parameters are those of `similarity_gaps`, as numbers.
    """
    n = np.bincount(unit, minlength=n_units)[unit] - 1.0  # others
    others: Any = np.bincount(unit, grade, n_units)[unit] - grade
    between = n * (rival + grade) - 2 * others
    largest = n * np.maximum(np.abs(rival), np.abs(grade)) + np.abs(others)
    between = np.where(np.abs(between) <= ROUNDING * largest, 0.0, between)
    return np.asarray(np.sign(rival - grade) * np.sign(between)).astype(np.int8)


def _sums(unit: Ints, value: Ints, n_units: int, compared: Ints, similarity: Similarity) -> Floats:
    """Sum of the similarities of each compared value and all votes of its unit: (votes,)."""
    owner, vote = ragged(np.searchsorted(unit, np.arange(n_units + 1)), unit)
    each = similarity(compared[owner], value[vote])
    return np.bincount(owner, each, len(unit)).astype(np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class PersonTests:
    """One-sided tests of a model against each person: (people,) each.

    Parameters
    ----------
    n_items, n_clusters : int
    model_share, person_share : float
        Share of the items on which the model, or the person, is at least as close to the others as
        the other one; ties count for both. NaN where there are no items.
    difference, std_error, df : float
        The person's share minus the model's.
    p : float
        Of the difference being `epsilon` or more.
    advantage : float
        Mean of `model_share` over people.
    advantage_error : float
        Its standard error; NaN for a single cluster.
    advantage_df : float
    """

    n_items: Ints
    n_clusters: Ints
    model_share: Floats
    person_share: Floats
    difference: Floats
    std_error: Floats
    df: Floats
    p: Floats
    advantage: float
    advantage_error: float
    advantage_df: float

    def interval(self, level: float) -> tuple[float, float]:
        """Ends of Student's interval for the average advantage, within [0, 1].

        Without spread: the means under which all G clusters are what they are with a probability of
        at least (1 - level) / 2; of clusters without exception, Clopper and Pearson's interval.
        """
        if np.isnan(self.advantage_error):
            return 0.0, 1.0
        if self.advantage_error == 0:
            share = ((1 - level) / 2) ** (1 / (self.advantage_df + 1))
            return self.advantage * share, 1 - (1 - self.advantage) * share
        half = float(quantile(level, self.advantage_df)) * self.advantage_error
        return max(self.advantage - half, 0.0), min(self.advantage + half, 1.0)


def person_tests(
    gap: NDArray[np.int8],
    person: Ints,
    cluster: Ints,
    *,
    n_people: int,
    epsilon: float,
    tested: Bools | None = None,
) -> PersonTests:
    """Test for each person that the model's share is less than `epsilon` below the person's.

    The test is Student's t of the differences, items that vary together being clusters: the
    variance is the delete-one-cluster jackknife's, with G - 1 degrees of freedom (G clusters with
    items of the person); of clusters of one item this is the paired t test. Differences d without
    spread have no t. Of a mean of `epsilon` or more, at most the share (1 - epsilon) / (1 - d) of
    differences is d < `epsilon`, the others being 1: p is that share to the power of G, and 1 of
    larger differences. Of a single cluster p is 1.

    Parameters
    ----------
    gap : (items,) int
        1 where the person is closer to the others, -1 where the model is, 0 for a tie.
    person, cluster : (items,) int
    n_people : int
    epsilon : float
    tested : (people,) bool, optional
        Who counts for the average advantage; by default all with an item.

    Examples
    --------
    >>> tests = person_tests(
    ...     np.array([1, 0, -1, 0]), np.zeros(4, int), np.arange(4), n_people=1, epsilon=0.2)
    >>> tests.model_share.item(), tests.person_share.item(), round(tests.p.item(), 3)
    (0.75, 0.75, 0.329)
    """
    n_clusters = int(cluster.max(initial=-1)) + 1
    key, place = np.unique(person * n_clusters + cluster, return_inverse=True)
    place = place.reshape(-1)
    of_person = key // max(n_clusters, 1)
    n_items = np.bincount(person, minlength=n_people)
    groups = np.bincount(of_person, minlength=n_people)
    size: Any = np.bincount(place, minlength=len(key)).astype(np.float64)

    def jackknifed(values: Any) -> tuple[Floats, Floats]:
        """Means of people, and by how much leaving out a cluster changes them: (clusters,)."""
        sums: Any = np.bincount(place, values, len(key))
        totals: Any = np.bincount(of_person, sums, n_people)
        mean = divide(totals, n_items, fill=np.nan)
        excess = sums * n_items[of_person] - size * totals[of_person]  # whole numbers, exact
        left = n_items[of_person] - size
        return mean, divide(excess, left * n_items[of_person], fill=np.nan)

    difference, shift = jackknifed(gap.astype(np.float64))
    std_error = jackknife_error(np.bincount(of_person, shift**2, n_people), groups)
    model, moved = jackknifed((gap <= 0).astype(np.float64))
    who = (n_items > 0) if tested is None else tested
    counted = who[of_person]
    cluster_of = key[counted] % max(n_clusters, 1)
    together: Any = np.bincount(cluster_of, moved[counted], n_clusters) / max(int(who.sum()), 1)
    used = len(np.unique(cluster_of))
    return PersonTests(
        n_items,
        groups,
        model,
        divide(np.bincount(person, gap >= 0, n_people), n_items, fill=np.nan),
        difference,
        std_error,
        np.maximum(groups - 1.0, 0.0),
        _p_values(difference, epsilon, std_error, groups),
        float(model[who].mean()) if who.any() else np.nan,
        float(jackknife_error((together**2).sum(), used)),
        used - 1.0,
    )


def _p_values(difference: Floats, epsilon: float, std_error: Floats, groups: Ints) -> Floats:
    """P of means this far below `epsilon`: (people,)."""
    excess, spread = difference - epsilon, std_error > 0
    t = np.divide(excess, std_error, out=np.zeros(len(excess)), where=spread)
    below = (excess < 0) & (groups > 1)
    share = divide(1 - epsilon, np.where(below, 1 - difference, 1.0))
    p = np.where(
        spread, special.stdtr(np.maximum(groups - 1.0, 1.0), t), np.where(below, share**groups, 1)
    )
    return np.where(np.isnan(excess), np.nan, p)
