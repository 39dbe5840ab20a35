"""Distributions that have a name."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from fuzzytruth.checks import probabilities
from fuzzytruth.core.poisson_binomial import pmf
from fuzzytruth.distribution import Distribution
from fuzzytruth.errors import DataError


def poisson_binomial(p: ArrayLike) -> Distribution:
    """How many of n independent events happen; exact.

    Parameters
    ----------
    p : (n,) float
        Probability of each event, for example that an item of a ranking is relevant. Without
        events the distribution is sure of 0.

    Returns
    -------
    Distribution
        Over 0, 1, ..., n. Each probability is right to 1e-12 of itself, however small, down to
        1e-290; numbers of events that are impossible, or less probable than about 1e-308, are
        no atoms.

    Raises
    ------
    DataError
        A probability outside [0, 1] or NaN, named with its position; not a list.

    References
    ----------
    Hong, Y. (2013), On computing the distribution function for the Poisson binomial distribution,
    Computational Statistics & Data Analysis 59. Here by direct convolution.

    Examples
    --------
    >>> hits = poisson_binomial([0.2, 0.5, 0.9])
    >>> hits.pmf([0, 1, 2, 3]).round(6).tolist()
    [0.04, 0.41, 0.46, 0.09]
    >>> precision = hits / 3
    >>> round(precision.mean(), 6)
    0.533333
    """
    chances = probabilities("p", p)
    if chances.ndim != 1:
        raise DataError(f"p: must be a list of probabilities, not of shape {chances.shape}")
    return Distribution(np.arange(len(chances) + 1.0), pmf(chances))
