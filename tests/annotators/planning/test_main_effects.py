"""Main effects of independent inputs, against known coefficients."""

import numpy as np
import pytest

from fuzzytruth.annotators.planning.vote_posterior import main_effects


def signs(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).choice([-1.0, 1.0], shape)


@pytest.mark.parametrize("n_features", [5, 40, 300])
def test_no_bias_with_few_or_many_features(n_features: int) -> None:
    """Means over problems, within 4 standard errors or so."""
    features = signs(60, n_features, 200, seed=n_features)
    slope = np.random.default_rng(1).normal(0, 1 / np.sqrt(n_features), n_features)
    values = np.einsum("k,qkw->qw", slope, features) + features[:, 0] * features[:, 1]
    coefficient, variance = main_effects(features, values)
    error = np.sqrt(variance.mean(axis=0) / 60)
    assert (np.abs(coefficient.mean(axis=0) - slope) < 4.5 * error).all()
    parts = (coefficient**2 - variance).sum(axis=1)
    assert abs(parts.mean() - (slope**2).sum()) < 4 * parts.std() / np.sqrt(60)
    assert variance.mean() == pytest.approx(coefficient.var(axis=0).mean(), rel=0.15)


def test_sums_of_features_are_nearly_exact() -> None:
    features = signs(1, 4, 1000)
    slope = np.array([1.0, -0.5, 0.0, 2.0])
    coefficient, _ = main_effects(features, np.einsum("k,qkw->qw", slope, features))
    np.testing.assert_allclose(coefficient[0], slope, atol=1e-3)


def test_padding_and_constants() -> None:
    features = signs(2, 3, 50)
    features[:, 2] = 0.0
    coefficient, error = main_effects(features, np.stack((features[0, 0], np.ones(50))))
    assert (coefficient[:, 2] == 0).all()
    assert (coefficient[1] == 0).all()
    assert (error[1] == 0).all()
