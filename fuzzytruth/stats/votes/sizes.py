"""How many votes or people a study needs: consensus of an item, and agreement of a panel."""

from __future__ import annotations

import numpy as np

from fuzzytruth._typing import Floats


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
    from scipy import stats

    k = np.arange(n + 1)
    if rho <= 0:
        chance = stats.binom.pmf(k, n, accuracy)
    else:
        chance = stats.betabinom.pmf(k, n, *_shapes(accuracy, rho))
    return float(chance[k > n / 2].sum() + chance[2 * k == n].sum() / 2)


def consensus_limit(accuracy: float, rho: float = 0.0) -> float:
    """The same of infinitely many votes: the share of items on which most people are right."""
    from scipy import stats

    if rho <= 0:
        return float(np.sign(accuracy - 0.5) / 2 + 0.5)
    return float(stats.beta.sf(0.5, *_shapes(accuracy, rho)))


def _shapes(accuracy: float, rho: float) -> tuple[float, float]:
    size = 1 / rho - 1
    return accuracy * size, (1 - accuracy) * size


def people_variance(agree: Floats, scale: float = 1.0) -> float:
    """Variance of a coefficient of agreement from one person, times the number of people.

    Parameters
    ----------
    agree : (items, people) float
        Mean agreement of each person with the others on each item; of a complete panel.
    scale : float
        How much the coefficient moves with the mean agreement.

    Notes
    -----
    A person is in two of each pair, so that a person's effect on the mean counts twice: 4 times the
    variance of the effects, by analysis of variance.
    """
    n, s = agree.shape
    rest = agree - agree.mean(axis=1, keepdims=True) - agree.mean(axis=0) + agree.mean()
    of_rest = (rest**2).sum() / max((n - 1) * (s - 1), 1)
    of_people = n * ((agree.mean(axis=0) - agree.mean()) ** 2).sum() / max(s - 1, 1)
    return float(4 * max(of_people - of_rest, 0.0) / n * scale**2)
