"""Minimum variance quadratic estimates, against dense matrices and simulation."""

from __future__ import annotations

import numpy as np
import pytest
from core.test_random_effects import crossed, estimates, simulated

from fuzzytruth.annotators.planning.estimated_components import minimum_variance
from fuzzytruth.core.crossed import EffectsLayout

TRUE = np.array([0.2, 1.0, 0.1, 0.5, 0.05, 0.1, 0.3])


def by_matrices(
    layout: EffectsLayout, y: np.ndarray, guess: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The definition, with every matrix written out."""
    same = [(code[:, None] == code).astype(float) for code in layout.codes]
    inverse = np.linalg.inv(sum(g * one for g, one in zip(guess, same, strict=True)))
    one = np.ones((layout.n, 1))
    p = inverse - inverse @ one @ one.T @ inverse / (one.T @ inverse @ one)
    traces = np.array([[np.trace(p @ a @ p @ b) for b in same] for a in same])
    forms = np.array([y @ p @ a @ p @ y for a in same])
    return np.linalg.solve(traces, forms), 2 * np.linalg.inv(traces)


def test_they_are_what_the_definition_gives() -> None:
    layout = crossed(np.random.default_rng(3).random((3, 6, 4)) < 0.6)
    y = simulated(layout, TRUE, 1)
    wanted = by_matrices(layout, y, TRUE)
    found = minimum_variance(layout, y, TRUE)
    np.testing.assert_allclose(found[0], wanted[0], rtol=1e-8)
    np.testing.assert_allclose(found[1], wanted[1], rtol=1e-8)


def test_a_balanced_table_has_the_analysis_of_variance_whatever_the_guess() -> None:
    layout = crossed(np.ones((3, 6, 4), dtype=bool))
    y = simulated(layout, TRUE, 1)
    for guess in (TRUE, TRUE[::-1], -TRUE):
        found, _ = minimum_variance(layout, y, guess)
        np.testing.assert_allclose(found, estimates(layout, y), rtol=1e-7)


@pytest.mark.parametrize("share", [0.8, 0.1])
def test_conjugate_gradients_agree_with_the_inverse(share: float) -> None:
    """To the error of traces by random signs, small beside the standard errors."""
    layout = crossed(np.random.default_rng(5).random((6, 30, 20 if share < 0.5 else 4)) < share)
    y = simulated(layout, TRUE, 2)
    wanted, covariance = minimum_variance(layout, y, TRUE)
    found, similar = minimum_variance(layout, y, TRUE, most_dense=0)
    error = np.sqrt(np.diag(covariance))
    assert (np.abs(found - wanted) < 4 / np.sqrt(20) * error).all()
    assert (np.abs(found - wanted) < 0.1 * error)[:3].all()
    np.testing.assert_allclose(np.sqrt(np.diag(similar)), error, rtol=0.1)


def test_conjugate_gradients_are_exact_with_few_levels() -> None:
    """No effect has more levels than there are vectors of signs."""
    layout = crossed(np.random.default_rng(5).random((2, 3, 4)) < 0.8)
    assert 12 < layout.n <= 20
    y = simulated(layout, TRUE, 2)
    wanted, found = (minimum_variance(layout, y, TRUE, most_dense=n) for n in (99, 0))
    np.testing.assert_allclose(found[0], wanted[0], rtol=1e-4)
    np.testing.assert_allclose(found[1], wanted[1], rtol=1e-4)


def test_they_vary_as_the_covariance_says_and_less_than_by_group_means() -> None:
    layout = crossed(np.random.default_rng(3).random((4, 10, 8)) < 0.3)
    tables = [simulated(layout, TRUE, seed) for seed in range(100)]
    found = np.array([minimum_variance(layout, y, TRUE)[0] for y in tables])
    by_means = np.array([estimates(layout, y) for y in tables])
    error = np.sqrt(np.diag(minimum_variance(layout, tables[0], TRUE)[1]))
    assert (np.abs(found.mean(axis=0) - TRUE) < 4 * error / np.sqrt(100)).all()
    np.testing.assert_allclose(found.std(axis=0), error, rtol=0.3)
    assert by_means[:, -1].std() > 1.3 * found[:, -1].std()
