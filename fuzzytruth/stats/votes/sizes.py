"""How many votes or people a study needs: consensus of an item, and agreement of a panel."""

from __future__ import annotations

import numpy as np

from fuzzytruth._lazy import sparse, stats
from fuzzytruth._typing import Ints

_LEAST = 1e-9


def consensus(n: int, accuracy: float, rho: float = 0.0) -> float:
    """Probability that most of `n` votes on an item are right, ties counting half.

    Parameters
    ----------
    n : int
    accuracy : float
        Probability that a vote is right.
    rho : float
        Correlation of two people's being right on one item: beta-binomial; 0 for independent ones.

    Examples
    --------
    >>> round(consensus(3, 0.8), 3), round(consensus(3, 0.8, 0.1), 3)
    (0.896, 0.871)
    """
    k = np.arange(n + 1)
    if rho <= 0:
        chance = stats.binom.pmf(k, n, accuracy)
    else:
        chance = stats.betabinom.pmf(k, n, *_shapes(accuracy, rho))
    return float(chance[k > n / 2].sum() + chance[2 * k == n].sum() / 2)


def consensus_limit(accuracy: float, rho: float = 0.0) -> float:
    """The same of infinitely many votes: the share of items on which most people are right."""
    if rho <= 0:
        return float(np.sign(accuracy - 0.5) / 2 + 0.5)
    return float(stats.beta.sf(0.5, *_shapes(accuracy, rho)))


def _shapes(accuracy: float, rho: float) -> tuple[float, float]:
    size = 1 / rho - 1
    return accuracy * size, (1 - accuracy) * size


def people_variance(unit: Ints, subject: Ints, value: Ints, scale: float = 1.0) -> float:
    """Variance of a coefficient of agreement from one person, times the number of people.

    NaN where no two units have three votes and a person in common.

    Parameters
    ----------
    unit, subject, value : (votes,) int
    scale : float
        How much the coefficient moves with the mean agreement of pairs of votes.

    Notes
    -----
    A person's effect on agreement with others, within a unit: y = (votes alike - their mean) /
    (votes - 2), whose expectation is the effect minus the mean effect on the unit. Products of a
    person's y on different units have no common noise; their sum over its expectation per unit of
    variance is the variance of effects. A person is in two of each pair of votes, so that an effect
    on the mean agreement counts twice; people with unequal numbers of votes count as fewer (Kish).
    """
    n_votes = np.bincount(unit)
    every = np.bincount(subject[n_votes[unit] > 1]).astype(float)  # votes that have a partner
    fewer = np.count_nonzero(every) * (every**2).sum() / max(every.sum() ** 2, 1.0)
    enough = n_votes[unit] > 2
    unit, subject, value = unit[enough], subject[enough], value[enough]
    if not len(unit):
        return np.nan
    key = np.unique([unit, value], axis=1, return_inverse=True)[1].ravel()
    alike, m = np.bincount(key)[key].astype(float), n_votes[unit]
    y = (alike - (np.bincount(unit, alike) / np.maximum(np.bincount(unit), 1))[unit]) / (m - 2)
    of = np.bincount(subject).astype(float)
    table = sparse.csr_array((np.ones(len(unit)), (unit, subject)))
    shared = table.T @ sparse.csr_array((1 / m, (unit, subject)))  # (subjects, subjects)
    expected = of**2 - 2 * of * shared.diagonal() + (shared**2).sum(axis=1)
    expected -= np.bincount(subject, 1 - 1 / m)
    if expected.sum() <= _LEAST:
        return np.nan
    products = np.bincount(subject, y) ** 2 - np.bincount(subject, y**2)
    return float(4 * max(products.sum() / expected.sum(), 0.0) * fewer * scale**2)
