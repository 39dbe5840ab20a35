"""A prior for the shares of votes on items, estimated from all items (empirical Bayes).

An item's votes are drawn from shares of its own, which follow a Dirichlet distribution: its mean is
the base rate of each option, its concentration says how many votes it is worth. The concentration
is 1 / rho - 1, where rho is the correlation of two votes on one item (the intraclass correlation).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fuzzytruth._typing import Floats, Ints

_GRID = 400  # values of the correlation, whose prior is uniform
_OF_STRATUM = 10.0  # votes that the rates of the stratum before are worth


@dataclass(frozen=True, slots=True, eq=False)
class VotePrior:
    """A Dirichlet prior.

    Parameters
    ----------
    rate : (strata, options) float
        Mean share of each option.
    concentration : float
        How many votes the prior is worth.
    """

    rate: Floats
    concentration: float


def base_rates(counts: Floats, stratum: Ints, n_strata: int) -> Floats:
    """Share of each option among the votes of each stratum: (strata, options).

    Parameters
    ----------
    counts : (items, options) float
        Votes for each option.
    stratum : (items,) int
        Each stratum is shrunk towards the one before, as if that were ten votes; the first one
        towards all votes. To these, one vote is added that is spread over the options, so that no
        rate is 0.
    n_strata : int
        A stratum without votes has the rates of the one before.
    """
    n_options = counts.shape[1]
    votes = np.zeros((n_strata, n_options))
    np.add.at(votes, stratum, counts)
    total = votes.sum(axis=0) + 1 / n_options
    before = total / total.sum()
    out = np.empty_like(votes)
    for s in range(n_strata):
        mass = votes[s] + _OF_STRATUM * before
        before = out[s] = mass / mass.sum()
    return out


def concentration_of(counts: Floats, rate: Floats) -> float:
    """How many votes a prior with such rates is worth, by the votes on all items.

    The posterior mean of the correlation of two votes on an item, under a uniform prior; it is 1/2
    where no item has two votes, and never 0 or 1.

    Parameters
    ----------
    counts, rate : (items, options) float

    References
    ----------
    Mosimann 1962 (Dirichlet-multinomial); Griffiths 1973 (maximum likelihood of its two-option
    form).
    """
    from scipy.special import gammaln

    rho = (np.arange(_GRID) + 0.5) / _GRID
    alpha = (1 / rho - 1)[:, None]
    size, times = np.unique(counts.sum(axis=1), return_counts=True)
    given = np.stack((counts, np.broadcast_to(rate, counts.shape)), axis=-1).reshape(-1, 2)
    (count, mean), often = _distinct(given[given[:, 0] > 0])
    fit = ((gammaln(alpha * mean + count) - gammaln(alpha * mean)) * often).sum(axis=1)
    fit -= ((gammaln(alpha + size) - gammaln(alpha)) * times).sum(axis=1)
    chance = np.exp(fit - fit.max())
    correlation = float((rho * chance).sum() / chance.sum())
    return 1 / correlation - 1


def _distinct(rows: Floats) -> tuple[Floats, Floats]:
    """Distinct rows, as columns, and how often each occurs."""
    distinct, often = np.unique(rows, axis=0, return_counts=True)
    return distinct.T, often
