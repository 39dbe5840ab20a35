"""Sums of reciprocals against plain sums."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.special import psi

from fuzzytruth.core.harmonic import digamma_sum, harmonic


def test_harmonic_numbers() -> None:
    exact = [float(sum((Fraction(1, j) for j in range(1, n + 1)), Fraction())) for n in range(60)]
    np.testing.assert_allclose(harmonic(59), exact, rtol=1e-15)
    assert harmonic(0).tolist() == [0]


@pytest.mark.parametrize("x", [1.0, 1.01, 2.5, 17.3, 1e4])
def test_sums_of_digamma(x: float) -> None:
    total = digamma_sum(np.array([x, x]), np.array([40, 0]))
    assert total.tolist() == pytest.approx([psi(x + np.arange(40.0)).sum(), 0], abs=1e-9)
