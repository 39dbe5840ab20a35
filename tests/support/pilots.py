"""Scores of a pilot, and components of a variance, for plans of collections."""

from typing import Any

import numpy as np
from scipy import stats

import fuzzytruth as ft
from support.scores_for_tests import scores_of

#: variances of a difference of two systems: .04 over queries, .004 over subjects, .1 of both
CROSSED = {"system:query": 0.02, "system:subject": 0.002, "residual": 0.05}


#: a target that anything meets
WIDE: dict[str, Any] = {"half_width": 1e9, "queries": 50}


def t_half_width(variance: float, n: int, tests: int = 1) -> float:
    """Expected half-width of Student's interval for a mean of n values of a variance."""
    c4 = stats.chi.mean(n - 1) / np.sqrt(n - 1)
    return float(stats.t.ppf(1 - 0.025 / tests, n - 1) * np.sqrt(variance / n) * c4)


def pilot(n_systems: int = 4, n_subjects: int = 5, n_queries: int = 30) -> ft.Scores:
    rng = np.random.default_rng(5)
    shape = (n_systems, n_subjects, n_queries)
    parts = [(1, 1, n_queries), (1, n_subjects, 1), (n_systems, 1, n_queries), shape]
    scale = [0.1, 0.03, 0.1, 0.12]
    values = sum(s * rng.standard_normal(one) for s, one in zip(scale, parts, strict=True))
    values = values + np.linspace(0.3, 0.5, n_systems)[:, None, None]
    values += 0.02 * rng.standard_normal((n_systems, n_subjects, 1))
    return scores_of(values[:, 0] if n_subjects == 1 else values)


def said(found: ft.results.Plan) -> str:
    return " ".join(str(found).split())
