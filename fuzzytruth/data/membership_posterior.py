"""Posterior of membership probabilities, given a prior and votes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.core.validation import number, numbers, probability
from fuzzytruth.errors import OptionError

if TYPE_CHECKING:
    from fuzzytruth.data.taxonomy.taxonomy import Taxonomy

_MOST = 1e12  # prior votes


def prior_votes(taxonomy: Taxonomy, prior: float | tuple[float, float]) -> tuple[Floats, Floats]:
    """Prior votes for and against each category; see `Membership.posterior`."""
    n = len(taxonomy)
    if (numbers("prior", prior) > _MOST).any():
        raise OptionError(f"prior={prior!r}: must be {_MOST:g} or less")
    if isinstance(prior, tuple):
        a, b = (number("prior", part) for part in prior)
        if a <= 0 or b <= 0:
            raise OptionError(f"prior={prior!r}: both numbers must be above 0")
        return np.full(n, a), np.full(n, b)
    weight = number("prior", prior)
    if weight <= 0:
        raise OptionError(f"prior={prior!r}: must be above 0")
    above = weight * np.diff(taxonomy.descendant_offsets) / n
    return above, weight - above


def credible_intervals(a: Floats, b: Floats, level: float) -> tuple[Floats, Floats, Floats]:
    """Mean and central interval of Beta(a, b); 1 where b is 0."""
    from scipy.stats import beta

    tail = (1 - probability("level", level)) / 2
    certain = b <= 0
    b = np.where(certain, 1.0, b)
    mean = np.where(certain, 1.0, a / (a + b))
    lower = np.where(certain, 1.0, beta.ppf(tail, a, b))
    upper = np.where(certain, 1.0, beta.ppf(1 - tail, a, b))
    return mean, lower, upper
