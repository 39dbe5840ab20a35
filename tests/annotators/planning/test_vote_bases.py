"""Orthonormal functions of a drawn grade."""

import numpy as np
import pytest

from fuzzytruth.annotators.planning.vote_posterior import orthonormal_steps, parts_under


@pytest.mark.parametrize("n_options", [1, 2, 5])
def test_functions_are_orthonormal(n_options: int) -> None:
    chance = np.random.default_rng(1).dirichlet(np.ones(n_options), 7)
    functions = orthonormal_steps(chance)
    assert functions.shape == (7, n_options - 1, n_options)
    np.testing.assert_allclose(np.einsum("ig,ikg->ik", chance, functions), 0, atol=1e-12)
    products = np.einsum("ig,ikg,img->ikm", chance, functions, functions)
    np.testing.assert_allclose(
        products, np.broadcast_to(np.eye(n_options - 1), products.shape), atol=1e-12
    )


def test_variance_of_any_function_is_the_sum_of_squared_coefficients() -> None:
    rng = np.random.default_rng(2)
    chance, value = rng.dirichlet(np.ones(4)), rng.normal(size=4)
    coefficient = orthonormal_steps(chance[None])[0] @ (chance * value)
    assert (coefficient**2).sum() == pytest.approx(chance @ value**2 - (chance @ value) ** 2)


def test_options_without_a_chance() -> None:
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
