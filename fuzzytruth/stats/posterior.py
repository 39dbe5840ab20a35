"""Bayesian comparison: the posterior of a mean difference.

Prior: the standard noninformative one for a normal mean and variance, p(μ, σ) ∝ 1 / σ. The
posterior of μ is then Student's t about the observed mean, scaled by its standard error, with as
many degrees of freedom. Over more than queries, where the standard error combines several
variance components, the same form is an approximation.

References
----------
Benavoli, A., Corani, G., Demšar, J. & Zaffalon, M. (2017), Time for a change: a tutorial for
comparing multiple classifiers through Bayesian analysis, JMLR 18.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import ndtr, stdtr

from fuzzytruth._typing import Floats
from fuzzytruth.stats.estimates import Estimates


def posterior(estimates: Estimates, rope: float, *, higher_is_better: bool) -> dict[str, Any]:
    """Probabilities that the first system is practically better, the same, worse: (rows,) each.

    Parameters
    ----------
    estimates : Estimates
    rope : float
        Differences up to this size count as none ("region of practical equivalence").
    """
    above = 1 - _cdf(estimates, rope)
    below = _cdf(estimates, -rope)
    same = np.maximum(1 - above - below, 0.0) if rope > 0 else np.zeros(len(above))
    better, worse = (above, below) if higher_is_better else (below, above)
    return {"posterior_better": better, "posterior_rope": same, "posterior_worse": worse}


def _cdf(estimates: Estimates, point: float) -> Floats:
    """Posterior probability of less than a point; NaN where the spread is unknown."""
    gap = point - estimates.value
    z = np.where(gap == 0, 0.0, np.copysign(np.inf, gap))
    np.divide(gap, estimates.std_error, out=z, where=estimates.std_error > 0)
    df = np.maximum(np.where(np.isinf(estimates.df), 1.0, estimates.df), 1e-9)
    out = np.where(np.isinf(estimates.df), ndtr(z), stdtr(df, z))
    return np.where(np.isnan(estimates.value) | np.isnan(estimates.std_error), np.nan, out)
