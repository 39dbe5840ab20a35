import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import digamma, polygamma

from fuzzytruth.core.bootstrap_maxima import log_pool, moderated, prior_df


def test_prior_degrees_of_freedom_by_root_finding() -> None:
    rng = np.random.default_rng(0)
    variance = 1 / rng.gamma(2.0, size=200) * rng.chisquare(9, 200) / 9
    df = np.full(200, 9.0)
    log = np.log(variance) - digamma(4.5) + np.log(4.5)
    excess = log.var(ddof=1) - polygamma(1, 4.5)
    half = brentq(lambda y: polygamma(1, y) - excess, 1e-3, 1e6)
    assert prior_df(variance, df) == pytest.approx(2 * half, rel=1e-9)


def test_prior_is_at_most_the_degrees_of_freedom() -> None:
    assert prior_df(np.ones(5), np.full(5, 7.0)) == 7.0
    nearly = np.array([1.0, 1.01, 0.99, 1.0])
    assert prior_df(nearly, np.array([4.0, 7.0, 7.0, 7.0])) == 7.0


def test_fewer_than_three_variances_say_nothing() -> None:
    assert prior_df(np.array([1.0, 2.0]), np.full(2, 9.0)) == 0.0
    assert prior_df(np.array([1.0, 2.0, 0.0]), np.full(3, 9.0)) == 0.0
    assert prior_df(np.array([1.0, 2.0, 3.0]), np.array([9.0, 9.0, 0.0])) == 0.0


def test_pool_is_the_mean_of_logarithms() -> None:
    assert log_pool(np.array([1.0, 0.0, np.e**3])) == pytest.approx(1.5)


def test_moderated_variances_are_weighted_means() -> None:
    out = moderated(np.array([1.0, 4.0]), np.array([2.0, 2.0]), np.array([9.0, 1.0]), np.array(3.0))
    np.testing.assert_allclose(out, [(3 * 2 + 9) / 12, (3 * 2 + 4) / 4])
    assert moderated(np.ones(1), np.ones(1), np.zeros(1), np.array(0.0)).tolist() == [0.0]
