"""Distributions of variance components given the data: generalised pivotal quantities.

In a balanced table the mean squares over their expected values are independent χ²/df. With χ²
variables in their place, MS·df/χ² is a distribution of each expected mean square, and linear
combinations of these are distributions of the components, whose quantiles are the ends of
generalised confidence intervals.

In an unbalanced table an estimate is treated as a shifted χ²: (σ̂² + c) / (σ² + c) is χ²/df, with
the layout's df, and c, which the other components contribute, such that the variance is the
estimate's.

The χ² are taken at points of a rank-1 lattice, so that results need no seed.

References
----------
Weerahandi, S. (1993), Generalized confidence intervals, Journal of the American Statistical
Association 88.
Burdick, R. K. & Graybill, F. A. (1992), Confidence intervals on variance components, Dekker.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from scipy.special import chdtri

from fuzzytruth._typing import Floats
from fuzzytruth.core.minimum_variance import MOST_DENSE, minimum_variance
from fuzzytruth.core.random_effects import EffectsLayout

_POINTS = 2**14
#: steps of estimation in small tables, where the first guess may be far off
_STEPS = 2


def estimated_components(
    layout: EffectsLayout, values: Floats, mean_squares: Floats
) -> tuple[Floats, Floats]:
    """Components (effects,), and points of their distribution, not negative: (points, effects).

    Parameters
    ----------
    layout : EffectsLayout
    values : (n,) float
    mean_squares : (effects,) float
        Those of the values.
    """
    components = np.asarray(np.linalg.solve(layout.expected(), mean_squares), dtype=np.float64)
    if layout.is_balanced or not mean_squares.any():
        return components, balanced_draws(layout, mean_squares)
    covariance = np.zeros((len(components), len(components)))
    for _ in range(_STEPS if layout.n <= MOST_DENSE else 1):
        components, covariance = minimum_variance(layout, values, components)
    return components, unbalanced_draws(layout, components, np.diag(covariance))


def balanced_draws(layout: EffectsLayout, mean_squares: Floats) -> Floats:
    """Points of the distribution of the components of a balanced table."""
    of_squares = _over_chi2(tuple(layout.df.tolist())) * mean_squares
    draws = np.linalg.solve(layout.expected(), of_squares.T).T
    return np.asarray(np.maximum(draws, 0.0))


@lru_cache(maxsize=4)
def _over_chi2(df: tuple[float, ...]) -> Floats:
    """Degrees of freedom over χ² variables: (points, effects)."""
    out: Floats = np.array(df) / chdtri(np.array(df), lattice(_POINTS, len(df)))
    return out


def unbalanced_draws(layout: EffectsLayout, components: Floats, variance: Floats) -> Floats:
    """The same from estimates (effects,) and their variances (effects,)."""
    df, shift = shifted_chi2(layout, components, variance)
    positive = np.maximum(components, 0.0)
    draws = (positive + shift) * _over_chi2(tuple(df.tolist())) - shift
    return np.maximum(draws + np.minimum(components, 0.0), 0.0)


def shifted_chi2(
    layout: EffectsLayout, components: Floats, variance: Floats
) -> tuple[Floats, Floats]:
    """Degrees of freedom and shifts of the estimates' distributions: (effects,) each."""
    positive = np.maximum(components, 0.0)
    df = np.maximum(layout.df, 1.0)
    shift = np.sqrt(variance * df / 2) - positive
    # fewer degrees of freedom than the layout's where the levels are of very different sizes
    fewer = shift < 0
    df[fewer] = 2 * positive[fewer] ** 2 / variance[fewer]
    return df, np.maximum(shift, 0.0)


def lattice(points: int, dimensions: int) -> Floats:
    """Points that fill the unit cube evenly: (points, dimensions).

    Multiples of powers of the root of x^(d+1) = x + 1, modulo 1.
    """
    root = 1.5
    for _ in range(64):
        root = (1 + root) ** (1 / (dimensions + 1))
    step = root ** -np.arange(1.0, dimensions + 1)
    return np.asarray((0.5 + np.arange(1, points + 1)[:, None] * step) % 1)
