"""Main effects of independent inputs, against known coefficients."""

import numpy as np
import pytest

from fuzzytruth.annotators.next_votes.truth_effects import main_effects


def signs(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).choice([-1.0, 1.0], shape)


@pytest.mark.parametrize("n_features", [5, 40, 300])
def test_no_bias_with_few_or_many_features(n_features: int) -> None:
    """Means over problems, within 4 standard errors or so."""
    features = signs(60, n_features, 200, seed=n_features)
    slope = np.random.default_rng(1).normal(0, 1 / np.sqrt(n_features), n_features)
    values = np.einsum("k,qkw->qw", slope, features) + features[:, 0] * features[:, 1]
    found = main_effects(features, values)
    error = np.sqrt(found.error.mean(axis=0) / 60)
    assert (np.abs(found.coefficient.mean(axis=0) - slope) < 4.5 * error).all()
    parts = found.parts.sum(axis=1)
    assert abs(parts.mean() - (slope**2).sum()) < 4 * parts.std() / np.sqrt(60)
    spread = found.coefficient.var(axis=0).mean()
    assert found.error.mean() == pytest.approx(spread, rel=0.15)
    assert found.variance.mean() == pytest.approx((slope**2).sum() + 1, rel=0.1)


def test_errors_of_parts() -> None:
    features = signs(200, 6, 100, seed=3)
    values = features[:, 0] + 0.5 * features[:, 1] + features[:, 2] * features[:, 3]
    found = main_effects(features, values)
    ratio = np.sqrt(found.errors_of_parts.mean(axis=0)) / found.parts.std(axis=0)
    np.testing.assert_allclose(ratio[:2], 1, rtol=0.15)
    assert ((ratio[2:] > 1) & (ratio[2:] < 1.8)).all()  # too large where there is no effect


def test_sums_of_features_are_nearly_exact() -> None:
    features = signs(1, 4, 1000)
    slope = np.array([1.0, -0.5, 0.0, 2.0])
    found = main_effects(features, np.einsum("k,qkw->qw", slope, features))
    np.testing.assert_allclose(found.coefficient[0], slope, atol=1e-3)


def test_padding_and_constants() -> None:
    features = signs(2, 3, 50)
    features[:, 2] = 0.0
    found = main_effects(features, np.stack((features[0, 0], np.ones(50))))
    assert (found.coefficient[:, 2] == 0).all()
    assert (found.parts[1] == 0).all()
    assert found.variance[1] == 0


def test_variance_is_the_unbiased_one() -> None:
    values = np.random.default_rng(0).normal(size=(2, 7))
    found = main_effects(signs(2, 3, 7), values)
    np.testing.assert_allclose(found.variance, values.var(axis=1, ddof=1), rtol=1e-12)
