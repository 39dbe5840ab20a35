"""Intervals and tests from equally probable values, such as those in each world."""

from __future__ import annotations

import numpy as np

from fuzzytruth._typing import Floats


def quantile_interval(draws: Floats, level: float) -> tuple[Floats, Floats]:
    """Order statistics that leave (1 - level) / 2 on either side; -∞ and ∞ if draws are few.

    It excludes 0 exactly where `two_sided_share` is 1 - level or less.
    """
    ordered = np.sort(draws, axis=-1)
    n = draws.shape[-1]
    k = int(np.floor((1 - level) / 2 * (n + 1) * (1 + 1e-12)))
    if k < 1:
        infinite = np.full(len(draws), np.inf)
        return -infinite, infinite
    return ordered[:, k - 1], ordered[:, n - k]


def least_draws(level: float) -> int:
    """The fewest draws of which `quantile_interval` is finite.

    Examples
    --------
    >>> least_draws(0.95), least_draws(1 - 0.05 / 28)
    (39, 1119)
    """
    return int(np.ceil(2 / (1 - level) * (1 - 1e-12))) - 1


def two_sided_share(draws: Floats) -> Floats:
    """2 (b + 1) / (n + 1), b the draws on the rarer side of 0, those at 0 on both sides."""
    rarer: Floats = np.minimum(one_sided_share(draws), one_sided_share(-draws))
    return np.asarray(np.minimum(2 * rarer, 1.0))


def one_sided_share(draws: Floats) -> Floats:
    """(b + 1) / (n + 1), b the draws that are 0 or below."""
    reached: Floats = (draws <= 0).sum(axis=-1) + 1.0
    return np.asarray(reached / (draws.shape[-1] + 1))
