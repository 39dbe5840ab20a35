"""Moderated variances: each drawn towards the geometric mean of all.

The variances s_j² of few differences vary by chance alone; that of a pair that happens to be small
makes a large t. A prior of d₀ degrees of freedom, estimated from how much the variances differ,
steadies them. The prior of a pair is the geometric mean of all variances, and at most ten times its
own, so that one noisy system takes no power from the others.

References
----------
Smyth, G. K. (2004), Linear models and empirical Bayes methods for assessing differential expression
in microarray experiments, Statistical Applications in Genetics and Molecular Biology 3.
"""

from __future__ import annotations

import numpy as np
from scipy.special import digamma, polygamma

from fuzzytruth._typing import Floats

#: a variance counts as at least this share of the pair's own in the mean of a resample
FLOOR = 0.1
#: the prior of a pair is at most this many times its own variance
CAP = 10.0
#: variances that it takes to tell their spread, and so to moderate them
MIN_VARIANCES = 3

_SAME = 1e-4  # excess variance of the logarithms below which all variances are one
_STEPS = 50
_CONVERGED = 1e-12


def prior_df(variance: Floats, df: Floats) -> float:
    """Degrees of freedom d₀ of the prior: at most the largest of `df`, 0 for fewer than three.

    Parameters
    ----------
    variance, df : (pairs,) float
        Variances with their degrees of freedom; those that are 0 say nothing.
    """
    known = (variance > 0) & (df > 0)
    if known.sum() < MIN_VARIANCES:
        return 0.0
    half = df[known] / 2
    log = np.log(variance[known]) - digamma(half) + np.log(half)
    excess = float(log.var(ddof=1) - polygamma(1, half).mean())
    most = float(df[known].max())
    return most if excess <= _SAME else min(2 * _inverse_trigamma(excess), most)


def _inverse_trigamma(x: float) -> float:
    """Solution y of ψ'(y) = x > 0, by Newton's method on 1 / ψ', which is nearly linear."""
    y = 0.5 + 1 / x
    for _ in range(_STEPS):
        trigamma = float(polygamma(1, y))
        step = trigamma * (1 - trigamma / x) / float(polygamma(2, y))
        y += step
        if abs(step) <= _CONVERGED * y:
            break
    return y


def log_pool(variance: Floats) -> float:
    """Mean of the logarithms of the variances (pairs,) that are not 0."""
    return float(np.log(variance[variance > 0]).mean())


def moderated(variance: Floats, prior: Floats, df: Floats, d0: Floats) -> Floats:
    """Mean of variance and prior, weighted by their degrees of freedom; 0 without any."""
    total = df + d0
    out = np.zeros(np.broadcast_shapes(total.shape, variance.shape))
    np.divide(d0 * prior + df * variance, total, out=out, where=total > 0)
    return out
