"""O'Brien–Fleming spending against published boundaries and Brownian motion."""

import numpy as np
import pytest
from scipy import stats

from fuzzytruth.comparison.repeated import largest_p


def test_published_boundaries() -> None:
    """Five equal looks at .025: gsDesign 3.6 (sfLDOF), as gsdesign for Python has them."""
    found = -stats.norm.ppf(largest_p((0.2, 0.4, 0.6, 0.8, 1.0), 0.025))
    assert found == pytest.approx([4.8769, 3.3570, 2.6803, 2.2898, 2.0310], abs=5e-5)


def test_one_and_two_looks() -> None:
    assert largest_p((1.0,), 0.05) == pytest.approx((0.05,))
    shares = (0.3, 1.0)
    first, last = -stats.norm.ppf(largest_p(shares, 0.05))
    spent = 2 * stats.norm.sf(stats.norm.ppf(0.975) / np.sqrt(0.3))
    assert stats.norm.sf(first) == pytest.approx(spent)
    law = stats.multivariate_normal([0, 0], [[1, np.sqrt(0.3)], [np.sqrt(0.3), 1]])
    assert 1 - law.cdf([first, last]) == pytest.approx(0.05, abs=1e-5)


@pytest.mark.parametrize(
    ("shares", "alpha", "spent"),
    [
        (np.arange(1, 6) / 5, 0.025, {1: 0.00039, 2: 0.00381, 3: 0.01221, 4: 0.025}),
        (np.arange(1, 51) / 50, 0.05, {49: 0.05}),
        ((0.01, 0.02, 0.5, 0.501, 0.995, 1.0), 0.05, {5: 0.05}),
    ],
)
def test_error_of_brownian_motion(shares, alpha, spent) -> None:
    """What is spent up to each look, within four Monte Carlo errors."""
    rng, draws = np.random.default_rng(7), 400_000
    bounds = -stats.norm.ppf(largest_p(tuple(map(float, shares)), alpha))
    motion, crossed = np.zeros(draws), np.zeros(draws, dtype=bool)
    steps = np.sqrt(np.diff(shares, prepend=0))
    for look, (share, step, bound) in enumerate(zip(shares, steps, bounds, strict=True)):
        motion += step * rng.standard_normal(draws)
        crossed |= motion >= bound * np.sqrt(share)
        if look in spent:
            error = np.sqrt(spent[look] / draws)
            assert crossed.mean() == pytest.approx(spent[look], abs=4 * error)


def test_a_first_look_too_early_passes_nothing() -> None:
    found = largest_p((0.01, 1.0), 0.05)
    assert 0 < found[0] < 1e-14
    assert found[1] == pytest.approx(0.05)
