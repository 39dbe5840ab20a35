"""Orthonormal functions of a drawn grade, and what the grade is worth in them.

A drawn grade is one of `n` options with probabilities p. The n - 1 functions have mean 0 and
variance 1 under p, and are uncorrelated, so that the variance of any function of the grade is the
sum of its squared coefficients. The g-th tells option g from all before it.
"""

from __future__ import annotations

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.core.arithmetic import divide


def orthonormal_steps(chance: Floats) -> Floats:
    """Values of the functions: (items, options) → (items, options - 1, options).

    A function that involves an option without a chance is 0 throughout.
    """
    n = chance.shape[-1]
    below = np.cumsum(chance, axis=-1)
    out = np.zeros((len(chance), n - 1, n))
    for g in range(1, n):
        own, before, both = chance[:, g], below[:, g - 1], below[:, g]
        taken = (own > 0) & (before > 0)
        up = np.sqrt(divide(before, own * both))
        down = np.sqrt(divide(own, before * both))
        out[:, g - 1, g] = np.where(taken, up, 0.0)
        out[:, g - 1, :g] = np.where(taken, -down, 0.0)[:, None]
    return out


def parts_under(
    functions: Floats, chance: Floats, coefficient: Floats, error: Floats
) -> tuple[Floats, Floats]:
    """Variance of a function of the grade under other probabilities, without bias, and its error.

    Parameters
    ----------
    functions : (items, options - 1, options) float
        As `orthonormal_steps` has them.
    chance : (items, options) float
        The other probabilities.
    coefficient, error : (items, options - 1) float
        Estimated coefficients, and the variance of each as an estimate.

    Returns
    -------
    part : (items,) float
        May be below 0.
    error : (items,) float
        Variance of each as an estimate; too large near 0.
    """
    mean = np.einsum("ifg,ig->if", functions, chance)
    moments = np.einsum("ifg,ig,ihg->ifh", functions, chance, functions, optimize=True)
    moments = moments - mean[:, :, None] * mean[:, None, :]
    slope = np.einsum("ifh,ih->if", moments, coefficient)
    excess = np.einsum("iff,if->i", moments, error)
    part = (coefficient * slope).sum(axis=1) - excess
    twice = np.einsum("ifh,ih,ihf,if->i", moments, error, moments, error, optimize=True)
    linear = np.maximum((slope**2 * error).sum(axis=1) - twice, 0.0)
    return part, 4 * linear + 2 * twice
