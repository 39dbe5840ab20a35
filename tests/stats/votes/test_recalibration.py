"""Recalibration by known truths."""

import numpy as np
import pytest
import statsmodels.api as sm
from scipy.special import expit, logit

from fuzzytruth.stats.votes.recalibration import recalibrated


def test_against_logistic_regression_and_out_of_sample() -> None:
    rng = np.random.default_rng(0)
    p = rng.uniform(0.6, 0.995, 4000)
    right = (rng.random(4000) < expit(-0.5 + 0.6 * logit(p))).astype(float)
    found = recalibrated(p, right)
    oracle = sm.Logit(right, sm.add_constant(logit(p))).fit(disp=False).params
    assert found.slope == pytest.approx(oracle[1], abs=0.01)
    assert found.intercept == pytest.approx(oracle[0], abs=0.02)
    assert found.right == right.mean()
    assert found.before == p.mean()
    assert found.after == pytest.approx(found.right, abs=0.01)
    np.testing.assert_allclose(found.of(p), expit(found.intercept + found.slope * logit(p)))


def test_few_and_certain() -> None:
    """All right, or probabilities of 1: nothing overflows, and nothing becomes certain."""
    found = recalibrated(np.ones(12), np.ones(12))
    assert 0.95 < found.after < 1
    wrong = recalibrated(np.full(20, 0.999), np.r_[np.ones(10), np.zeros(10)])
    assert wrong.after == pytest.approx(0.5, abs=0.1)
