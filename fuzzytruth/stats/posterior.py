"""Bayesian comparison: the posterior of a mean difference.

Under the standard noninformative prior of a normal mean and variance, p(μ, σ) ∝ 1 / σ, the
posterior of μ is Student's t about the observed mean, scaled by its standard error, with the same
degrees of freedom. Where the standard error combines several variance components, this form is an
approximation.

References
----------
Benavoli, A., Corani, G., Demšar, J. & Zaffalon, M. (2017), Time for a change: a tutorial for
comparing multiple classifiers through Bayesian analysis, JMLR 18.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from fuzzytruth.stats.estimates import Estimates


def posterior(estimates: Estimates, rope: float, *, higher_is_better: bool) -> dict[str, Any]:
    """Probabilities that the first system is practically better, the same, worse: (rows,) each.

    Parameters
    ----------
    estimates : Estimates
        Of differences; NaN in, NaN out.
    rope : float
        Differences of at most this size count as none ("region of practical equivalence").
    higher_is_better : bool

    Returns
    -------
    dict
        The arrays ``posterior_better``, ``posterior_rope`` and ``posterior_worse``.
    """
    above = 1 - estimates.below(rope)
    below = estimates.below(-rope)
    same = np.maximum(1 - above - below, 0.0) if rope > 0 else np.zeros(len(above))
    better, worse = (above, below) if higher_is_better else (below, above)
    return {"posterior_better": better, "posterior_rope": same, "posterior_worse": worse}
