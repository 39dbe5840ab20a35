"""Pairwise preferences drawn from a Bradley-Terry model, and statsmodels' estimates from them."""

from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import statsmodels.api as sm
from scipy.special import expit, ndtr


def drawn_preferences(
    strength: np.ndarray, *, queries: int, subjects: int, correlation: float = 0.0, seed: int = 0
) -> pd.DataFrame:
    """Every subject compares every two items of each query once.

    Each outcome has the model's probability; those of one subject in one query depend on each other
    through a Gaussian copula of this correlation.
    """
    rng = np.random.default_rng(seed)
    a, b = np.array(list(combinations(range(len(strength)), 2))).T
    shared = rng.standard_normal((queries, subjects, 1))
    own = rng.standard_normal((queries, subjects, len(a)))
    latent = np.sqrt(correlation) * shared + np.sqrt(1 - correlation) * own
    won = ndtr(latent) < expit(strength[a] - strength[b])
    query, subject, pair = np.indices(won.shape).reshape(3, -1)
    return pd.DataFrame(
        {
            "query": query,
            "subject": subject,
            "left": a[pair],
            "right": b[pair],
            "preferred": np.where(won.ravel(), "left", "right"),
        }
    )


def by_statsmodels(
    first: np.ndarray,
    second: np.ndarray,
    share: np.ndarray,
    cluster: np.ndarray | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Centred strengths and their covariance from a binomial GLM in which item 0 has strength 0."""
    n = int(max(first.max(), second.max())) + 1
    rows = np.arange(len(first))
    design = np.zeros((len(first), n))
    design[rows, first] = 1
    design[rows, second] = -1
    model = sm.GLM(share, design[:, 1:], family=sm.families.Binomial())
    kinds: dict[str, Any] = {}
    if cluster is not None:
        n_clusters = len(np.unique(cluster))
        kinds = {"cov_type": "cluster", "cov_kwds": {"groups": cluster, "use_correction": False}}
    fit = model.fit(tol=1e-14, maxiter=100, **kinds)
    covariance = fit.cov_params()
    if cluster is not None:
        covariance = covariance * n_clusters / (n_clusters - 1)
    centring = (np.eye(n) - 1 / n)[:, 1:]
    return centring @ fit.params, centring @ covariance @ centring.T
