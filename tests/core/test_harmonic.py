"""Sums of reciprocals against plain sums."""

from fractions import Fraction

import numpy as np
import pytest

from fuzzytruth.core.harmonic import digamma, digamma_sum, harmonic

EULER = 0.5772156649015329


def test_harmonic_numbers() -> None:
    exact = [float(sum((Fraction(1, j) for j in range(1, n + 1)), Fraction())) for n in range(60)]
    np.testing.assert_allclose(harmonic(59), exact, rtol=1e-15)
    assert harmonic(0).tolist() == [0]


def test_digamma_of_whole_numbers() -> None:
    n = np.arange(1, 2000)
    np.testing.assert_allclose(digamma(n), harmonic(1999)[n - 1] - EULER, rtol=0, atol=1e-13)


@pytest.mark.parametrize("x", [1.0, 1.01, 2.5, 17.3, 1e4])
def test_differences_and_sums_of_digamma(x: float) -> None:
    terms = np.array([1 / (x + j) for j in range(40)])
    difference = digamma(np.array([x + 40])) - digamma(np.array([x]))
    assert difference.item() == pytest.approx(terms.sum(), abs=1e-13)
    values = digamma(x + np.arange(40.0))
    total = digamma_sum(np.array([x, x]), np.array([40, 0]))
    assert total.tolist() == pytest.approx([values.sum(), 0], abs=1e-9)
