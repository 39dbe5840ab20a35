"""What runs of systems add to the errors of data to come.

As in `stats.replicates`: each system's runs add (G - I)₊ to the variance of an estimate, G having
the χ² of the runs and I, of many degrees of freedom, being taken as its expectation; likewise for
what a variance over queries and subjects owes to queries.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.annotators.planning.future_errors import FutureErrors, hermite_chi2
from fuzzytruth.core.bootstrap_maxima import MIN_VARIANCES
from fuzzytruth.core.pivotal import CrossedSquares, chi2_nodes, error_mixtures
from fuzzytruth.core.variance_sums import Variances, scaled

_BASE, _RUNS = 4, 5  # nodes of future sums of squares
_BINS = 96


@lru_cache(maxsize=256)
def errors_with_runs(
    parts: tuple[float, float, float],
    sizes: tuple[float, int],
    runs: tuple[float, float, int],
    systems: tuple[int, int],
    alpha: float,
) -> FutureErrors:
    """Errors of a mean over queries, subjects perhaps, and the runs of each system.

    Parameters
    ----------
    parts : (float, float, float)
        Variances over queries, subjects and both of y_qs = μ + α_q + β_s + ε_qs.
    sizes : (float, int)
        Numbers of queries (perhaps infinite) and of subjects; 1 subject: these are fixed, or come
        with their query.
    runs : (float, float, int)
        What runs add to the variance of a system's mean, what their interactions have in it, and
        their number.
    systems : (int, int)
        How many are in the estimate, and in the study, where three or more of three runs or more
        steady each other.
    alpha : float
    """
    (own, inner, n_runs), (in_estimate, n_systems) = runs, systems
    base, weight, variance = _without_runs(parts, sizes)
    variance += in_estimate * own
    if n_runs < 2 or not len(weight):
        return FutureErrors(variance, np.full(1, np.inf), np.ones(1), alpha)
    if variance <= 0:
        return FutureErrors(0.0, np.zeros(1), np.ones(1), alpha)
    prior = n_runs - 1 if n_systems >= MIN_VARIANCES and n_runs > 2 else 0
    chi2, chance = hermite_chi2(n_runs - 1.0, _RUNS)
    inverse, share = chi2_nodes(n_runs - 1.0 + prior)
    of_runs = np.maximum((own + inner) * (chi2 + prior)[:, None] * inverse - inner, 0.0)
    part = Variances(of_runs, np.broadcast_to(share, of_runs.shape))
    if in_estimate == 2:
        a, b = np.triu_indices(len(chi2))
        part = part.take(a).plus(part.take(b))
        chance = chance[a] * chance[b] * np.where(a == b, 1, 2)
    rows = np.indices((len(weight), len(chance))).reshape(2, -1)
    half = base.take(rows[0]).plus(part.take(rows[1]), _BINS).mixtures().quantile(alpha)
    return FutureErrors(variance, half, weight[rows[0]] * chance[rows[1]], alpha)


def _without_runs(
    parts: tuple[float, float, float], sizes: tuple[float, int]
) -> tuple[Variances, Floats, float]:
    """Variances over queries and subjects at nodes, their probabilities, and their expectation.

    No nodes where a single unit tells nothing.
    """
    (query, subject, both), (n, m) = parts, sizes
    alone = m < 2  # queries alone are random
    variance = query / n + both / (n * m) + (0.0 if alone else subject / m)
    df_q, df_s = n - 1.0, m - 1.0
    if df_q <= 0:
        return Variances.zero(0), np.zeros(0), variance
    if variance <= 0:
        return Variances.zero(1), np.ones(1), 0.0
    if alone or np.isinf(n):
        df = df_q if alone else df_s
        chi2, weight = hermite_chi2(df, _BASE)
        return scaled(variance * chi2, df), weight, variance
    chi2, weight = hermite_chi2(df_s, _BASE)
    ones = np.ones(len(chi2))
    squares = CrossedSquares(
        (both + m * query) * df_q * ones,
        (both + n * subject) * chi2,
        both * df_q * df_s * ones,
        (df_q, df_s, df_q * df_s),
        (1 / (n * m),) * 3,
    )
    mixtures = error_mixtures(squares, _BINS)
    return Variances(mixtures.std**2, mixtures.weight), weight, variance
