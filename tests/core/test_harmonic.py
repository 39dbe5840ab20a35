"""Sums of reciprocals against plain sums."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.special import psi, zeta

from fuzzytruth.core.arithmetic import digamma_sum, harmonic, inverse_square_tail


def test_harmonic_numbers() -> None:
    exact = [float(sum((Fraction(1, j) for j in range(1, n + 1)), Fraction())) for n in range(60)]
    np.testing.assert_allclose(harmonic(59), exact, rtol=1e-15)
    assert harmonic(0).tolist() == [0]


@pytest.mark.parametrize("x", [1.0, 1.01, 2.5, 17.3, 1e4])
def test_sums_of_digamma(x: float) -> None:
    total = digamma_sum(np.array([x, x]), np.array([40, 0]))
    assert total.tolist() == pytest.approx([psi(x + np.arange(40.0)).sum(), 0], abs=1e-9)


def test_tails_of_inverse_squares() -> None:
    x = np.concatenate((np.linspace(0.01, 40, 4001), [15.999, 16.0, 1e3, 1e7]))
    np.testing.assert_allclose(inverse_square_tail(x), zeta(2.0, x), rtol=2e-15)
    tail = sum(Fraction(1, (20 + j) ** 2) for j in range(80))
    difference = inverse_square_tail(np.array([20.0, 100.0]))
    assert difference[0] - difference[1] == pytest.approx(float(tail), rel=1e-14)
