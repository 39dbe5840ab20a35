"""How many votes a prior for the votes on an item is worth, by the votes on all items.

An item's votes are drawn from shares of its own, which follow a Dirichlet distribution: its mean is
the base rate of each option, its concentration says how many votes it is worth. The concentration
is 1 / rho - 1, where rho is the correlation of two votes on one item (the intraclass correlation).
"""

from __future__ import annotations

import numpy as np

from fuzzytruth._typing import Floats, Ints

_GRID = 48  # values of the correlation, twice: all, and those that the votes leave possible
_NEGLIGIBLE = -30.0  # log-likelihood, relative to the largest, of what is not possible


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
    size, times = np.unique(counts.sum(axis=1), return_counts=True)
    given = np.stack((counts, np.broadcast_to(rate, counts.shape)), axis=-1).reshape(-1, 2)
    rows, often = np.unique(given[given[:, 0] > 0], axis=0, return_counts=True)
    least, most = 0.0, 1.0
    for _ in range(2):
        step = (most - least) / _GRID
        rho = least + step * (np.arange(_GRID) + 0.5)
        fit = _log_likelihood(1 / rho - 1, rows, often, size, times)
        fit -= fit.max()
        possible = rho[fit > _NEGLIGIBLE]
        least, most = float(possible[0]) - step / 2, float(possible[-1]) + step / 2
    chance = np.exp(fit)
    return 1 / float((rho * chance).sum() / chance.sum()) - 1


def _log_likelihood(alpha: Floats, rows: Floats, often: Ints, size: Floats, times: Ints) -> Floats:
    """Of each concentration: distinct (votes, rate) of options, and distinct numbers of votes."""
    from scipy.special import gammaln

    each = alpha[:, None]
    mass = each * rows[:, 1]
    fit = ((gammaln(mass + rows[:, 0]) - gammaln(mass)) * often).sum(axis=1)
    out: Floats = fit - ((gammaln(each + size) - gammaln(each)) * times).sum(axis=1)
    return out
