"""Posterior of a mean difference."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats as scipy_stats

from fuzzytruth.stats.laws import student_fit
from fuzzytruth.stats.rank_tests import posterior
from fuzzytruth.stats.world_estimates import Estimates


def estimates(value: list[float], std_error: list[float], df: list[float]) -> Estimates:
    counts = np.full(len(value), 10)
    fit = student_fit(*map(np.array, (value, std_error, df)), pairs=True)
    return Estimates.of(fit, counts, counts)


def test_posterior_is_students_t() -> None:
    given = estimates([0.1, -0.2, 0.1], [0.05, 0.2, 0.05], [9.0, 4.0, np.inf])
    probabilities = posterior(given, 0.03, higher_is_better=True)
    for row, t in enumerate(
        (scipy_stats.t(9, 0.1, 0.05), scipy_stats.t(4, -0.2, 0.2), scipy_stats.norm(0.1, 0.05))
    ):
        assert probabilities["posterior_better"][row] == pytest.approx(t.sf(0.03))
        assert probabilities["posterior_worse"][row] == pytest.approx(t.cdf(-0.03))
        assert probabilities["posterior_rope"][row] == pytest.approx(t.cdf(0.03) - t.cdf(-0.03))
    reversed_order = posterior(given, 0.03, higher_is_better=False)
    assert reversed_order["posterior_better"].tolist() == probabilities["posterior_worse"].tolist()


def test_no_spread_is_certain_and_unknown_spread_is_nan() -> None:
    given = estimates([0.1, 0.1], [0.0, np.nan], [9.0, 0.0])
    probabilities = posterior(given, 0.0, higher_is_better=True)
    assert probabilities["posterior_better"][0] == 1
    assert np.isnan(probabilities["posterior_better"][1])
