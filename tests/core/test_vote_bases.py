"""Orthonormal functions of a drawn grade."""

import numpy as np
import pytest

from fuzzytruth.core.vote_bases import orthonormal_steps


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
