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


def test_functions_of_a_grade_are_orthonormal() -> None:
    for n_options in (1, 2, 5):
        chance = np.random.default_rng(1).dirichlet(np.ones(n_options), 7)
        functions = orthonormal_steps(chance)
        assert functions.shape == (7, n_options - 1, n_options)
        np.testing.assert_allclose(np.einsum("ig,ikg->ik", chance, functions), 0, atol=1e-12)
        products = np.einsum("ig,ikg,img->ikm", chance, functions, functions)
        wanted = np.broadcast_to(np.eye(n_options - 1), products.shape)
        np.testing.assert_allclose(products, wanted, atol=1e-12)
    # options without a chance
    functions = orthonormal_steps(np.array([[0.5, 0.0, 0.5], [0.0, 1.0, 0.0]]))
    np.testing.assert_allclose(functions[0], [[0, 0, 0], [-1, -1, 1]])
    assert (functions[1] == 0).all()


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


def test_under_the_same_probabilities_parts_are_squares_without_errors() -> None:
    rng = np.random.default_rng(4)
    chance = rng.dirichlet(np.ones(3), 5)
    coefficient, error = rng.normal(size=(5, 2)), rng.uniform(0.1, 0.2, (5, 2))
    part, _ = parts_under(orthonormal_steps(chance), chance, coefficient, error)
    np.testing.assert_allclose(part, (coefficient**2 - error).sum(axis=1))


@pytest.mark.parametrize(("concentration", "n_options"), [(0.5, 4), (12.0, 2)])
def test_recovers_the_concentration(concentration: float, n_options: int) -> None:
    rng = np.random.default_rng(7)
    rate = rng.dirichlet(np.full(n_options, 3.0), 4000)
    shares = np.stack([rng.dirichlet(concentration * r) for r in rate])
    counts = rng.multinomial(rng.integers(1, 6, 4000), shares).astype(float)
    found = concentration_of(counts, rate)
    # in terms of the correlation of two votes
    assert 1 / (1 + found) == pytest.approx(1 / (1 + concentration), abs=0.03)


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


def test_groups_have_effects_of_their_own() -> None:
    counts, features, offsets, chance = drawn(40, 50)
    found = vote_rates(counts, features, offsets, 0.0)
    np.testing.assert_allclose(found.sum(axis=1), 1)
    assert np.abs(found[:, 1] - chance).mean() < 0.04
    alone = vote_rates(counts, features, np.array([0, 2000]), 0.0)
    assert np.abs(alone[:, 1] - chance).mean() > 0.1
    hidden = np.arange(len(counts)) % 2 == 0  # items without votes follow their features
    seen = vote_rates(counts * ~hidden[:, None], features, offsets, 0.0)
    assert np.abs(seen[hidden, 1] - chance[hidden]).mean() < 0.06


def test_three_options() -> None:
    rng = np.random.default_rng(3)
    feature = rng.normal(size=(3000, 1))
    go_on = 1 / (1 + np.exp(-np.column_stack((feature, 0.5 - feature))))
    chance = np.column_stack(
        (1 - go_on[:, 0], go_on[:, 0] * (1 - go_on[:, 1]), go_on[:, 0] * go_on[:, 1])
    )
    counts = rng.multinomial(4, chance).astype(float)
    found = vote_rates(counts, feature, np.array([0, 3000]), 0.0)
    assert np.abs(found - chance).mean() < 0.01


@pytest.mark.parametrize("grade", [0, 1])
def test_one_grade_and_nothing_that_varies(grade: int) -> None:
    counts = np.zeros((30, 2))
    counts[:, grade] = 2.0
    found = vote_rates(counts, np.ones((30, 3)), np.array([0, 10, 10, 30]), 0.5)
    assert (found > 0).all()
    assert (found[:, grade] > 0.9).all()
    assert vote_rates(np.ones((4, 1)), np.ones((4, 1)), np.array([0, 4]), 0.5).tolist() == [[1]] * 4


@pytest.mark.parametrize("shift", [-40.0, 40.0])
def test_features_have_no_origin_and_no_unit(shift: float) -> None:
    counts, features, offsets, _ = drawn(5, 20)
    plain = vote_rates(counts, features, offsets, 0.0)
    moved = vote_rates(counts, shift + 7 * features, offsets, 0.0)
    np.testing.assert_allclose(moved, plain, rtol=1e-8)


def test_degenerate_votes() -> None:
    single = np.array([[1.0, 0.0], [0.0, 1.0]])
    assert concentration_of(single, np.full((2, 2), 0.5)) == pytest.approx(1.0)
    none = np.zeros((0, 2))
    assert concentration_of(none, none) == pytest.approx(1.0)
    unanimous = np.tile([[3.0, 0.0], [0.0, 3.0]], (50, 1))
    assert 0 < concentration_of(unanimous, np.full((100, 2), 0.5)) < 0.05
    even = np.tile([[5.0, 5.0]], (100, 1))
    assert 50 < concentration_of(even, np.full((100, 2), 0.5)) < 1e4


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
