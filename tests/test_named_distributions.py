"""`ft.poisson_binomial`."""

import numpy as np
import pytest

import fuzzytruth as ft
from fuzzytruth.errors import DataError


def test_contract() -> None:
    found = ft.poisson_binomial([0.2, 0.5, 0.9]).pmf([0, 1, 2, 3])
    np.testing.assert_allclose(found, [0.04, 0.41, 0.46, 0.09], atol=1e-15)


def test_poisson_binomial_of_votes() -> None:
    d = ft.poisson_binomial([1, 0, 1])
    assert d.support() == (2, 2)
    assert d.std() == 0
    assert ft.poisson_binomial([]).support() == (0, 0)
    assert ft.poisson_binomial(np.full(4, 0.25)).mean() == pytest.approx(1)


@pytest.mark.parametrize(
    ("p", "message"),
    [
        ([0.5, 1.2], r"p\[1\] = 1.2: a probability must lie in \[0, 1\]"),
        ([-0.1], r"p\[0\] = -0.1: a probability"),
        ([0.1, np.nan], r"p\[1\] = nan: must be a number"),
        (0.5, r"p: must be a list of probabilities, not of shape \(\)"),
        ("no", "p='no': must be numbers"),
    ],
)
def test_bad_probabilities(p, message: str) -> None:
    with pytest.raises(DataError, match=message):
        ft.poisson_binomial(p)
