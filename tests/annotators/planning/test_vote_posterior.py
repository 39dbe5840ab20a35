"""What votes say of items: base rates, the weight of a prior, and parts of a variance."""

import numpy as np
import pytest

from fuzzytruth.annotators.planning.vote_posterior import (
    concentration_of,
    main_effects,
    orthonormal_steps,
    parts_under,
    vote_rates,
)


def test_variance_under_other_probabilities() -> None:
    rng = np.random.default_rng(3)
    chance, other = rng.dirichlet(np.ones(4), (2, 5))
    value = rng.normal(size=(5, 4))
    functions = orthonormal_steps(chance)
    coefficient = np.einsum("ifg,ig,ig->if", functions, chance, value)
    exact = (other * value**2).sum(axis=1) - (other * value).sum(axis=1) ** 2
    part, error = parts_under(functions, other, coefficient, np.zeros((5, 3)))
    np.testing.assert_allclose(part, exact)
    assert (error == 0).all()
    # with errors in the coefficients: no bias, and the error that is told
    size = rng.uniform(0.01, 0.1, (5, 3))
    seen = coefficient + size * rng.normal(size=(4000, 5, 3))
    parts, errors = zip(*(parts_under(functions, other, c, size**2) for c in seen), strict=True)
    spread = np.std(parts, axis=0)
    np.testing.assert_allclose(np.mean(parts, axis=0), exact, atol=4 * spread.max() / 60)
    np.testing.assert_allclose(np.sqrt(np.mean(errors, axis=0)), spread, rtol=0.1)


def test_matches_quadrature() -> None:
    """Posterior mean of the correlation, by 20,000 points."""
    counts = np.array([[2.0, 0], [1, 1], [0, 3], [1, 0]])
    rate = np.full(counts.shape, 0.5)
    rho = (np.arange(20_000) + 0.5) / 20_000
    alpha = 1 / rho - 1
    likelihood = np.ones_like(rho)
    for votes in counts.astype(int):  # votes drawn from an urn, one after the other
        total = 0
        for grade, n in enumerate(votes):
            for nth in range(n):
                likelihood *= (alpha * rate[0, grade] + nth) / (alpha + total)
                total += 1
    expected = (rho * likelihood).sum() / likelihood.sum()
    assert 1 / (1 + concentration_of(counts, rate)) == pytest.approx(expected, abs=1e-4)


def drawn(n_groups: int, size: int, seed: int = 0):
    rng = np.random.default_rng(seed)
    features = rng.normal(size=(n_groups * size, 2))
    effect = np.repeat(rng.normal(0, 1, n_groups), size)
    odds = -0.5 + features @ [1.0, -0.7] + effect
    chance = 1 / (1 + np.exp(-odds))
    hits = rng.binomial(3, chance)
    offsets = np.arange(n_groups + 1) * size
    return np.stack((3 - hits, hits), axis=1).astype(float), features, offsets, chance


def test_one_group_is_logistic_regression() -> None:
    """Sums of residuals times features are 0 at the maximum of the likelihood."""
    counts, features, _, _ = drawn(1, 2000)
    found = vote_rates(counts, features, np.array([0, 2000]), 0.0)
    residual = counts[:, 1] - 3 * found[:, 1]
    scale = np.sqrt((3 * found[:, 0] * found[:, 1])[:, None] * features**2).sum(axis=0)
    assert (np.abs(features.T @ residual) < 1e-3 * scale).all()
    assert abs(residual.sum()) < 1


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
