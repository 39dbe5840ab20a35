"""Student's t where degrees of freedom or spread may be unknown."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from fuzzytruth._lazy import special
from fuzzytruth._typing import Floats

#: nodes in 0 … 1 and weights of an integral over it (tanh-sinh quadrature)
_STEPS = np.arange(-54, 55) / 16
_NODES = 1 / (1 + np.exp(-np.pi * np.sinh(_STEPS)))
_WEIGHTS = np.pi / 64 * np.cosh(_STEPS) / np.cosh(np.pi / 2 * np.sinh(_STEPS)) ** 2
#: levels and degrees of freedom of our own quantiles, which have 13 digits there
_LOWEST, _HIGHEST, _MOST = 0.5, 0.999, 1e12


def quantile(level: ArrayLike, df: ArrayLike) -> Any:
    """The |t| that is exceeded with probability 1 - level; infinite where df is 0 or unknown."""
    level, df = np.asarray(level, dtype=float), np.asarray(df, dtype=float)
    known = df > 0
    others = (df != np.floor(df)) | (df > _MOST)
    if level.ndim or not _LOWEST <= level <= _HIGHEST or others[known].any():
        exceeded = special.stdtrit(np.where(known, df, 1.0), (1 + level) / 2)
        return np.where(known, exceeded, np.inf)[()]
    kinds, place = np.unique(df[known], return_inverse=True)
    out = np.full(df.shape, np.inf)
    out[known] = _whole(float(level), kinds)[place]
    return out[()]


def _whole(level: float, df: Floats) -> Floats:
    """The quantiles for whole numbers of degrees of freedom, without SciPy, which loads slowly.

    Of the angle θ, |T| being √df tan θ, the density is proportional to cos(θ)^(df - 1). Newton's
    method finds where the share of its tail is 1 - level; the tail is convex, so that it starts
    at 0 and never goes too far.
    """
    theta = np.zeros(len(df))
    step = np.ones(len(df))
    with np.errstate(under="ignore"):
        tail = (1 - level) * _tail(theta, df)
        while (np.abs(step) > 1e-8 * theta + 1e-15).any():  # each squares the error
            step = (_tail(theta, df) - tail) / _density(theta, df)
            theta += step
    return np.asarray(np.sqrt(df) * np.tan(theta))


def _density(theta: Floats, df: Floats) -> Floats:
    """cos(θ)^(df - 1), where θ is small as precisely as elsewhere."""
    return np.asarray(np.exp((1 - df) / 2 * np.log1p(np.tan(theta) ** 2)))


def _tail(theta: Floats, df: Floats) -> Floats:
    """The integral of the density from θ, up to where nothing is left."""
    width = np.minimum(np.pi / 2, 14 / np.sqrt(df)) - theta
    nodes = theta[:, None] + width[:, None] * _NODES  # degrees of freedom × nodes
    return np.asarray((_density(nodes, df[:, None]) @ _WEIGHTS) * width)


def two_sided(statistic: ArrayLike, df: ArrayLike) -> Any:
    """P(|T| ≥ |t|); 1 where df is 0 or unknown."""
    t, df = np.broadcast_arrays(np.abs(statistic), np.asarray(df, dtype=float))
    known = df > 0
    p = np.minimum(2 * special.stdtr(np.where(known, df, 1.0), -t), 1.0)
    return np.where(known, p, 1.0)[()]


def statistic(mean: Floats, std_error: Floats) -> Floats:
    """Mean over standard error; 0 for 0 / 0 and where the spread is unknown."""
    t = np.where((mean == 0) | np.isnan(std_error), 0.0, np.copysign(np.inf, mean))
    with np.errstate(over="ignore"):  # infinite
        np.divide(mean, std_error, out=t, where=std_error > 0)
    return t
