"""Distributions of variance components given the data: generalised pivotal quantities.

In a balanced table the mean squares over their expected values are independent χ²/df. With χ²
variables in their place, MS·df/χ² is a distribution of each expected mean square, and linear
combinations of these are distributions of the components, whose quantiles are the ends of
generalised confidence intervals. Degrees of freedom are those of the layout for normal effects, and
fewer where parts of a sum of squares stand out (`core.effective_df`).

In an unbalanced table an estimate is treated as a shifted χ²: (σ̂² + c) / (σ² + c) is χ²/df, with
c, which the other components contribute, such that the variance is the estimate's.

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
from scipy.special import chdtri, ndtr, ndtri

from fuzzytruth._typing import Floats
from fuzzytruth.core.effective_df import effective_df
from fuzzytruth.core.minimum_variance import MOST_DENSE, minimum_variance
from fuzzytruth.core.random_effects import EffectsLayout

_POINTS = 2**14
_NODES = 1_001
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
    df = effective_df(layout, values)
    if layout.is_balanced or not mean_squares.any():
        return components, balanced_draws(layout, mean_squares, df)
    covariance = np.zeros((len(components), len(components)))
    for _ in range(_STEPS if layout.n <= MOST_DENSE else 1):
        components, covariance = minimum_variance(layout, values, components)
    variance = np.diag(covariance) * np.maximum(layout.df, 1.0) / df
    return components, unbalanced_draws(components, variance, df)


def balanced_draws(layout: EffectsLayout, mean_squares: Floats, df: Floats) -> Floats:
    """Points of the distribution of the components of a balanced table."""
    of_squares = _over_chi2(df) * mean_squares
    draws = np.linalg.solve(layout.expected(), of_squares.T).T
    return np.asarray(np.maximum(draws, 0.0))


def unbalanced_draws(components: Floats, variance: Floats, df: Floats) -> Floats:
    """The same from estimates, their variances and degrees of freedom (effects,)."""
    df, shift = shifted_chi2(components, variance, df)
    positive = np.maximum(components, 0.0)
    draws = (positive + shift) * _over_chi2(df) - shift
    return np.maximum(draws + np.minimum(components, 0.0), 0.0)


def shifted_chi2(components: Floats, variance: Floats, df: Floats) -> tuple[Floats, Floats]:
    """Degrees of freedom and shifts of the estimates' distributions: (effects,) each."""
    positive = np.maximum(components, 0.0)
    shift = np.sqrt(variance * df / 2) - positive
    # fewer degrees of freedom than the layout's where the levels are of very different sizes
    fewer = (shift < 0) & (variance > 0)
    df = np.where(fewer, 2 * positive**2 / np.where(fewer, variance, 1.0), df)
    return df, np.maximum(shift, 0.0)


def _over_chi2(df: Floats) -> Floats:
    """Degrees of freedom over χ² variables: (points, effects).

    Interpolated between quantiles, on a scale on which these are nearly a line.
    """
    normal = _normal_lattice(len(df))
    nodes = np.linspace(normal.min(), normal.max(), _NODES)
    log = np.log(chdtri(df, ndtr(nodes)[:, None]))
    columns = [np.interp(z, nodes, y) for z, y in zip(normal.T, log.T, strict=True)]
    return np.asarray(df * np.exp(-np.stack(columns, axis=1)))


@lru_cache(maxsize=4)
def _normal_lattice(dimensions: int) -> Floats:
    """The lattice as quantiles of a normal distribution: (points, dimensions)."""
    return np.asarray(ndtri(lattice(_POINTS, dimensions)))


def lattice(points: int, dimensions: int) -> Floats:
    """Points that fill the unit cube evenly: (points, dimensions).

    Multiples of powers of the root of x^(d+1) = x + 1, modulo 1.
    """
    root = 1.5
    for _ in range(64):
        root = (1 + root) ** (1 / (dimensions + 1))
    step = root ** -np.arange(1.0, dimensions + 1)
    return np.asarray((0.5 + np.arange(1, points + 1)[:, None] * step) % 1)
