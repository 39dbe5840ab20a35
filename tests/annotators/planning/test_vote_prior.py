"""How many votes a prior is worth."""

import numpy as np
import pytest

from fuzzytruth.annotators.planning.vote_posterior import concentration_of


@pytest.mark.parametrize("concentration", [0.5, 2.0, 12.0])
@pytest.mark.parametrize("n_options", [2, 4])
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


def test_degenerate_votes() -> None:
    single = np.array([[1.0, 0.0], [0.0, 1.0]])
    assert concentration_of(single, np.full((2, 2), 0.5)) == pytest.approx(1.0)
    none = np.zeros((0, 2))
    assert concentration_of(none, none) == pytest.approx(1.0)
    unanimous = np.tile([[3.0, 0.0], [0.0, 3.0]], (50, 1))
    assert 0 < concentration_of(unanimous, np.full((100, 2), 0.5)) < 0.05
    even = np.tile([[5.0, 5.0]], (100, 1))
    assert 50 < concentration_of(even, np.full((100, 2), 0.5)) < 1e4
