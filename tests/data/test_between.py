"""Two distributions beside each other: enumeration, SciPy, and what is not answered."""

from itertools import product

import numpy as np
import pytest
from support.distributions import DIE, random_distribution

import fuzzytruth as ft
from fuzzytruth.data.distribution import Distribution
from fuzzytruth.errors import IndependenceError, OptionError


@pytest.mark.parametrize("seed", range(5))
def test_two_independent_ones_by_enumeration(seed: int) -> None:
    rng = np.random.default_rng(seed)
    a, b = (
        Distribution.from_atoms(rng.integers(0, 6, 8) / 10, rng.dirichlet(np.ones(8)))
        for _ in range(2)
    )
    greater = equal = 0.0
    pairs = product(zip(a.values, a.probabilities, strict=True), b.to_frame().to_numpy())
    for (x, p), (y, q) in pairs:
        greater += p * q * (x > y + 1e-9)
        equal += p * q * (abs(x - y) <= 1e-9)
    assert a.prob_greater(b, independent=True) == pytest.approx(greater, abs=1e-14)
    assert a.prob_equal(b, independent=True) == pytest.approx(equal, abs=1e-14)
    both = a.prob_greater(b, independent=True) + b.prob_greater(a, independent=True)
    assert both + equal == pytest.approx(1, abs=1e-14)
    gap = a.difference(b, independent=True)
    assert gap.sf(0) == pytest.approx(greater, abs=1e-14)
    assert gap.pmf(0) == pytest.approx(equal, abs=1e-14)
    assert gap.var() == pytest.approx(a.var() + b.var(), abs=1e-14)
    assert len(gap.values) <= 11


def test_equal_up_to_rounding_is_a_tie() -> None:
    a, b = Distribution.point(0.1 + 0.2), Distribution.point(0.3)
    assert a.prob_greater(b, independent=True) == 0
    assert a.prob_equal(b, independent=True) == 1
    assert a.difference(b, independent=True).values.tolist() == [0]


def test_difference_of_samples_knows_its_error() -> None:
    a, b = Distribution.from_samples([0, 2]), Distribution.from_samples([0, 1, 1])
    gap = a.difference(b, independent=True)
    assert gap.n_samples == 2
    assert gap.mc_error == pytest.approx(np.hypot(a.mc_error, b.mc_error))


def test_wasserstein() -> None:
    a, b = random_distribution(1), random_distribution(2, 14)
    grid = np.linspace(-5, 5, 400_001)
    area = np.abs(a.cdf(grid) - b.cdf(grid)).mean() * 10
    assert a.wasserstein(b) == pytest.approx(area, abs=1e-4)
    assert a.wasserstein(b) == pytest.approx(b.wasserstein(a), abs=1e-14)
    assert a.wasserstein(a) == 0
    assert a.wasserstein(a + 0.25) == pytest.approx(0.25, abs=1e-14)
    assert (2 * a).wasserstein(2 * b) == pytest.approx(2 * a.wasserstein(b), abs=1e-14)


def test_wasserstein_as_scipy() -> None:
    stats = pytest.importorskip("scipy.stats")
    a, b = random_distribution(4), random_distribution(5, 30)
    theirs = stats.wasserstein_distance(a.values, b.values, a.probabilities, b.probabilities)
    assert a.wasserstein(b) == pytest.approx(theirs, abs=1e-13)


def test_dominance() -> None:
    low, high = ft.poisson_binomial([0.2, 0.5, 0.4]), ft.poisson_binomial([0.2, 0.6, 0.4])
    assert high.dominates(low)
    assert not low.dominates(high)
    assert not low.dominates(low)
    assert (low + 1e-3).dominates(low)
    assert not (low + 1e-15).dominates(low)
    wide = Distribution.from_atoms([0, 3], [0.5, 0.5])
    assert not wide.dominates(Distribution.point(1))
    assert not Distribution.point(1).dominates(wide)


@pytest.mark.parametrize(
    "compare",
    [
        lambda: DIE.prob_greater(DIE),
        lambda: DIE.prob_equal(DIE),
        lambda: DIE.difference(DIE),
        lambda: DIE.difference(DIE, independent=False),
        lambda: DIE - DIE,
        lambda: DIE + DIE,
    ],
)
def test_two_are_compared_only_as_independent(compare) -> None:
    with pytest.raises(IndependenceError, match="how they vary together"):
        compare()


def test_a_difference_has_a_size() -> None:
    many = Distribution.from_samples(range(5000))
    with pytest.raises(OptionError, match="5,000 × 5,000 atoms"):
        many.difference(many, independent=True)
    assert many.prob_greater(many, independent=True) == pytest.approx(0.4999)


@pytest.mark.parametrize("seed", range(30))
def test_second_order_is_about_losses(seed):
    """A dominates iff E[(x - A)+] is nowhere larger than E[(x - B)+]; gaps of any width."""
    rng = np.random.default_rng(seed)
    laws = []
    for _ in range(2):
        values = rng.choice([0.0, 0.1, 0.15, 0.7, 1.0], size=3, replace=False)
        laws.append(ft.Distribution.from_atoms(values, rng.dirichlet(np.ones(3))))
    a, b = laws
    points = np.unique(np.concatenate((a.values, b.values, [2.0])))

    def losses(law):
        return np.array([law.expect(lambda v, x=x: max(x - v, 0.0)) for x in points])

    gap = losses(b) - losses(a)
    want = bool(gap.min() >= -1e-12 and gap.max() > 1e-12)
    assert a.dominates(b, order=2) == want
    if a.dominates(b):
        assert want
