"""Base rates of votes by what is known of an item beforehand, by logistic regression.

Of grades in ascending order, the chance to go on from each to the next one is a logistic function
of the item's features and of its group (continuation ratios; Fienberg 1980). Groups have effects of
their own, which are drawn from a normal distribution whose variance is estimated.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.segments import segment_sum

_PRIOR = 5.0  # standard deviation of coefficients, on the scale of log-odds
_STEPS = 12  # of Newton, in each round
_ROUNDS = 6  # of estimates of the variance of groups
_FURTHEST = 4.0  # how far a coefficient may go in a step


@dataclass(frozen=True, slots=True, eq=False)
class _Fit:
    """Coefficients of features and of groups, and the variance of each group's."""

    slope: Floats
    group: Floats
    error: Floats


def vote_rates(counts: Floats, features: Floats, offsets: Ints, correlation: float) -> Floats:
    """Expected shares of each option: (items, options), above 0.

    Parameters
    ----------
    counts : (items, options) float
        Votes for each option, in ascending order; none for items that nobody judged.
    features : (items, features) float
    offsets : (groups + 1,) int
        Where the items of each group start.
    correlation : float
        Of two votes on an item: n votes weigh as n / (1 + (n - 1) · correlation).
    """
    scaled = np.column_stack((np.ones(len(counts)), _standardised(features)))
    reached = np.cumsum(counts[:, ::-1], axis=1)[:, ::-1]  # votes for an option or a higher one
    out = np.ones(counts.shape)
    for option in range(1, counts.shape[1]):
        trials, hits = reached[:, option - 1], reached[:, option]
        weight = 1 / (1 + np.maximum(trials - 1, 0.0) * correlation)
        go_on = _logistic_fit(hits * weight, trials * weight, scaled, offsets)
        out[:, option] = out[:, option - 1] * go_on
        out[:, option - 1] *= 1 - go_on
    return out


def _standardised(features: Floats) -> Floats:
    """Mean 0 and standard deviation 1; 0 where nothing varies."""
    centred = features - features.mean(axis=0)
    spread = centred.std(axis=0)
    out: Floats = centred / np.where(spread > 0, spread, 1.0)
    return out


def _logistic_fit(hits: Floats, trials: Floats, features: Floats, offsets: Ints) -> Floats:
    """Chances, by penalised maximum likelihood: (items,)."""
    size = np.diff(offsets)
    fit = _Fit(np.zeros(features.shape[1]), np.zeros(len(size)), np.ones(len(size)))
    spread = 1.0
    for _ in range(_ROUNDS):
        fit = _newton(hits, trials, features, offsets, fit, spread)
        spread = max(float((fit.group**2 + fit.error).mean()), 1e-4)
    return _chance(features @ fit.slope + np.repeat(fit.group, size))


def _chance(odds: Floats) -> Floats:
    """Chances of log-odds, never 0 or 1."""
    out: Floats = 1 / (1 + np.exp(-np.clip(odds, -30.0, 30.0)))
    return out


def _newton(
    hits: Floats, trials: Floats, features: Floats, offsets: Ints, fit: _Fit, spread: float
) -> _Fit:
    """Newton steps; the groups' equations are solved by elimination."""
    size = np.diff(offsets)
    slope, group = fit.slope.copy(), fit.group.copy()
    ridge = np.eye(len(slope)) / _PRIOR**2
    inverse = fit.error
    for _ in range(_STEPS):
        chance = _chance(features @ slope + np.repeat(group, size))
        weight, rest = trials * chance * (1 - chance), hits - trials * chance
        down = features.T @ rest - slope / _PRIOR**2
        of_group = segment_sum(rest, offsets) - group / spread
        inverse = 1 / (segment_sum(weight, offsets) + 1 / spread)
        shared = segment_sum(features.T * weight, offsets)  # (features, groups)
        matrix = (features.T * weight) @ features + ridge - (shared * inverse) @ shared.T
        step = np.linalg.solve(matrix, down - shared @ (inverse * of_group))
        step_of_group = inverse * (of_group - shared.T @ step)
        largest = max(np.abs(step).max(initial=0.0), np.abs(step_of_group).max(initial=0.0))
        factor = min(1.0, _FURTHEST / max(largest, 1e-300))
        slope, group = slope + factor * step, group + factor * step_of_group
        if largest < 1e-10:
            break
    return _Fit(slope, group, inverse)
