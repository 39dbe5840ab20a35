"""Distributions of variance components given the data: generalised pivotal quantities.

In a balanced table the mean squares over their expected values are independent χ²/df. With χ²
variables in their place, MS·df/χ² is a distribution of each expected mean square, and linear
combinations of these are distributions of the components, whose quantiles are the ends of
generalised confidence intervals.

In an unbalanced table an estimate is treated as a shifted χ²: (σ̂² + c) / (σ² + c) is χ²/df, with
the layout's df, and c, which the other components contribute, from the variance that the estimate
has in tables simulated from the fitted components.

The χ² are taken at points of a rank-1 lattice, so that results need no seed.

References
----------
Weerahandi, S. (1993), Generalized confidence intervals, Journal of the American Statistical
Association 88.
Burdick, R. K. & Graybill, F. A. (1992), Confidence intervals on variance components, Dekker.
"""

from __future__ import annotations

import numpy as np
from scipy.special import chdtri

from fuzzytruth._typing import Floats
from fuzzytruth.core.random_effects import EffectsLayout

_POINTS = 2**15
_MOST_SIMULATED = 2_000
_LEAST_SIMULATED = 250
_NUMBERS = 2**23  # observations simulated, at most, beyond the least tables
_BLOCK = 2**21


def component_draws(
    layout: EffectsLayout, components: Floats, mean_squares: Floats, *, seed: int = 0
) -> Floats:
    """Points of the distribution of the components, not negative: (points, effects).

    Parameters
    ----------
    layout : EffectsLayout
    components, mean_squares : (effects,) float
        As estimated.
    seed : int
        Of the tables simulated for unbalanced layouts.
    """
    uniform = lattice(_POINTS, len(components))
    if layout.is_balanced:
        of_squares = layout.df / chdtri(layout.df, uniform) * mean_squares
        draws: Floats = np.linalg.solve(layout.expected(), of_squares.T).T
    else:
        df, shift = shifted_chi2(layout, components, seed=seed)
        draws = (np.maximum(components, 0.0) + shift) * df / chdtri(df, uniform) - shift
        draws += np.minimum(components, 0.0)
    return np.maximum(draws, 0.0)


def shifted_chi2(
    layout: EffectsLayout, components: Floats, *, seed: int = 0
) -> tuple[Floats, Floats]:
    """Degrees of freedom and shifts of the estimates' distributions: (effects,) each."""
    positive = np.maximum(components, 0.0)
    variance = simulated_variance(layout, positive, seed=seed)
    df = np.maximum(layout.df, 1.0)
    shift = np.sqrt(variance * df / 2) - positive
    # fewer degrees of freedom than the layout's where the levels are of very different sizes
    fewer = (shift < 0) & (variance > 0)
    df[fewer] = 2 * positive[fewer] ** 2 / variance[fewer]
    return df, np.maximum(shift, 0.0)


def simulated_variance(layout: EffectsLayout, components: Floats, *, seed: int = 0) -> Floats:
    """Variance of the estimates in normal tables of these components: (effects,)."""
    tables = int(np.clip(_NUMBERS // layout.n, _LEAST_SIMULATED, _MOST_SIMULATED))
    inverse = np.linalg.inv(layout.expected())
    rng = np.random.default_rng(seed)
    size = max(1, _BLOCK // layout.n)
    parts = []
    for start in range(0, tables, size):
        rows = min(size, tables - start)
        y = np.zeros((rows, layout.n))
        for code, levels, component in zip(layout.codes, layout.n_levels, components, strict=True):
            if component > 0:
                y += np.sqrt(component) * rng.standard_normal((rows, levels))[:, code]
        parts.append(layout.mean_squares(y) @ inverse.T)
    return np.asarray(np.concatenate(parts).var(axis=0, ddof=1))


def lattice(points: int, dimensions: int) -> Floats:
    """Points that fill the unit cube evenly: (points, dimensions).

    Multiples of powers of the root of x^(d+1) = x + 1, modulo 1.
    """
    root = 1.5
    for _ in range(64):
        root = (1 + root) ** (1 / (dimensions + 1))
    step = root ** -np.arange(1.0, dimensions + 1)
    return np.asarray((0.5 + np.arange(1, points + 1)[:, None] * step) % 1)
