"""Distributions: against SciPy, by enumeration, and their identities."""

import dataclasses
import pickle
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from support.distributions import DIE, distributions, random_distribution

import fuzzytruth as ft
from fuzzytruth.data.distribution import Distribution
from fuzzytruth.errors import IndependenceError


def test_atoms_are_sorted_merged_and_possible() -> None:
    d = Distribution.from_atoms([3, 0.1 + 0.2, 0.3, 3, 9], [0.125, 0.25, 0.25, 0.375, 0])
    assert (d.values.tolist(), d.probabilities.tolist()) == ([0.3, 3], [0.5, 0.5])
    assert d.support() == (0.3, 3)
    apart = Distribution.from_atoms([0.5, 0.5 + 1e-10, 0.5 + 2e-10], [0.25, 0.5, 0.25])
    assert apart.pmf(apart.values).tolist() == [0.25, 0.5, 0.25]
    assert apart.cdf(apart.values).tolist() == [0.25, 0.75, 1]
    rounded = Distribution.from_atoms([0, 1], [0.5, 0.5 + 5e-10])
    assert rounded.probabilities.sum() == 1
    frame = ft.poisson_binomial([0.5, 1]).to_frame()
    assert frame.to_dict("list") == {"value": [1, 2], "probability": [0.5, 0.5]}


def test_nothing_can_be_changed() -> None:
    arrays = np.array([0.0, 1.0]), np.array([0.5, 0.5])
    d = Distribution.from_atoms(*arrays)
    arrays[0][0] = arrays[1][0] = 7
    assert (d.support(), d.probabilities.tolist()) == ((0, 1), [0.5, 0.5])
    for array in (d.values, d.probabilities):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 3
    with pytest.raises(dataclasses.FrozenInstanceError):
        d.n_samples = 3  # type: ignore[misc]
    again = pickle.loads(pickle.dumps(d))
    assert again.to_frame().equals(d.to_frame())
    assert again.cdf(0) == 0.5


def test_a_point() -> None:
    d = Distribution.point(0.1)
    assert (d.mean(), d.var(), d.std(), d.median(), d.mc_error) == (0.1, 0, 0, 0.1, 0)
    assert d.support() == d.interval(0.95) == d.interval(0) == (0.1, 0.1)
    assert set(d.rvs(5, rng=0)) == {0.1}
    assert repr(d) == "Distribution(mean=0.1, std=0, 1 atom, exact)"


def test_samples() -> None:
    drawn = np.random.default_rng(0).integers(0, 4, 500) / 4
    for weights in (None, np.full(500, 0.3)):
        d = Distribution.from_samples(drawn, weights)
        assert d.mean() == pytest.approx(drawn.mean(), abs=1e-15)
        assert d.var() == pytest.approx(drawn.var(), abs=1e-15)
        assert d.mc_error == pytest.approx(drawn.std(ddof=1) / 500**0.5, rel=1e-12)
    assert (d.exact, d.n_samples) == (False, 500)
    assert repr(d).endswith("4 atoms, 500 samples)")
    assert (DIE.exact, DIE.n_samples) == (True, None)
    assert Distribution.from_samples([0, 1], [1, 3]).probabilities.tolist() == [0.25, 0.75]
    assert Distribution.from_samples([5, 1], [0, 3]).support() == (1, 1)
    assert Distribution.from_samples([0.1]).mc_error == np.inf
    equal = Distribution.from_samples([0.1] * 7)
    assert (equal.mc_error, equal.std()) == (0, 0)


def test_scipy_agrees() -> None:
    atoms: Any = ([0, 1, 2, 3, 7], [0.1, 0.0, 0.25, 0.4, 0.25])
    ours, theirs = Distribution.from_atoms(*atoms), stats.rv_discrete(values=atoms)()
    for names, x in (
        (("cdf", "sf"), [-1, 0, 0.5, 1, 2, 3, 6.9, 7, 8]),
        (("pmf", "logpmf"), [-1, 0, 1, 2, 3, 7, 8]),
        (("ppf",), [0.01, 0.1, 0.11, 0.3, 0.5, 0.76, 0.999, 1]),
        (("isf",), [0.01, 0.26, 0.5, 0.8, 0.99]),
    ):
        for name in names:
            got, want = (getattr(d, name)(x) for d in (ours, theirs))
            np.testing.assert_allclose(got, want, atol=1e-15)
    for name in ("mean", "var", "std", "median", "support"):
        assert getattr(ours, name)() == pytest.approx(getattr(theirs, name)(), abs=1e-14)
    assert ours.interval(0.9) == theirs.interval(0.9)
    assert ours.expect(lambda v: v**3) == pytest.approx(theirs.expect(lambda v: v**3), abs=1e-12)
    assert ours.expect() == ours.mean()
    assert DIE.expect(lambda x: 1 if x > 4 else 0) == pytest.approx(1 / 3)


def test_a_number_in_a_number_out() -> None:
    for answer in (DIE.pmf(3), DIE.logpmf(3), DIE.cdf(3), DIE.sf(3), DIE.ppf(0.5), DIE.isf(0.5)):
        assert isinstance(answer, float)
    for method in (DIE.pmf, DIE.logpmf, DIE.cdf, DIE.sf, DIE.ppf, DIE.isf):
        assert method([[0.1, 0.2, 1]]).shape == (1, 3)
        assert method([]).shape == (0,)


@settings(max_examples=50)
@given(distributions(), st.floats(0, 1))
def test_quantiles_and_chances_belong_together(d: Distribution, q: float) -> None:
    """ppf(q) ≤ x if and only if q ≤ cdf(x), but for the last bits of q."""
    assert d.ppf(d.cdf(d.values)).tolist() == d.values.tolist()
    assert d.isf(d.sf(d.values)).tolist() == d.values.tolist()
    assert d.pmf(d.values).tolist() == d.probabilities.tolist()
    assert d.probabilities.sum() == pytest.approx(1, abs=1e-14)
    np.testing.assert_allclose(d.cdf(d.values) + d.sf(d.values), 1, atol=1e-15)
    for x in d.values:
        if q <= d.cdf(x):
            assert d.ppf(q) <= x
        if q > d.cdf(x) * (1 + 1e-15):
            assert d.ppf(q) > x
        if d.sf(x) <= q:
            assert d.isf(q) <= x


@pytest.mark.parametrize("n", [10, 49, 1000])
def test_quantiles_do_not_suffer_from_rounding(n: int) -> None:
    equal = Distribution.from_samples(range(1, n + 1))
    exact = [Fraction(k, n) for k in range(1, n + 1)]
    assert equal.ppf([float(q) for q in exact]).tolist() == list(range(1, n + 1))
    assert equal.isf([float(1 - q) for q in exact]).tolist() == list(range(1, n + 1))


def test_intervals_and_tails() -> None:
    d = Distribution.from_samples(range(1000))
    assert d.interval(0.95) == tuple(d.ppf([0.025, 0.975])) == (24, 974)
    assert d.interval(1) == d.support() == (d.ppf(0), d.ppf(1)) == (d.isf(1), d.isf(0))
    assert d.interval(0) == (499, 499)
    d = ft.poisson_binomial([1e-3] * 100)
    assert d.pmf(60) == pytest.approx(1.3637e-152, rel=1e-3)
    assert d.sf(59) == pytest.approx(d.pmf(60), rel=1e-2)
    assert d.isf(d.sf(59)) == 59
    assert d.ppf(1) == d.isf(0) == d.support()[1] == 100


def test_numbers_near_an_atom_are_that_atom() -> None:
    d = ft.poisson_binomial([0.5] * 10) / 10
    for shift in (-9e-10, 0, 9e-10):
        np.testing.assert_array_equal(d.pmf(np.arange(11) / 10 + shift), d.probabilities)
        np.testing.assert_array_equal(d.cdf(np.arange(11) / 10 + shift), d.cdf(d.values))
    assert d.pmf([0.3 + 2e-9, 0.3 - 2e-9, np.inf, -np.inf]).tolist() == [0, 0, 0, 0]
    assert d.logpmf(0.35) == -np.inf
    assert d.cdf([-np.inf, np.inf]).tolist() == [0, 1]
    assert d.sf([-np.inf, np.inf]).tolist() == [1, 0]
    assert Distribution.from_atoms([1e12, 2e12], [0.5, 0.5]).pmf(1e12 + 500) == 0.5


def test_draws_follow_the_distribution_and_the_seed() -> None:
    d = random_distribution(3)
    drawn = d.rvs(20_000, rng=1)
    assert set(drawn) == set(d.values)
    error = np.sqrt(d.probabilities * (1 - d.probabilities) / len(drawn))
    found = Distribution.from_samples(drawn).probabilities
    assert (np.abs(found - d.probabilities) < 4 * error).all()
    np.testing.assert_array_equal(drawn, d.rvs(20_000, rng=np.random.default_rng(1)))
    assert (drawn != d.rvs(20_000, rng=2)).any()
    assert isinstance(d.rvs(rng=0), float)
    assert (d.rvs(4).shape, d.rvs(0, rng=0).shape, d.rvs((2, 3), rng=0).shape) == (
        *((4,), (0,), (2, 3)),
    )


@settings(max_examples=50)
@given(distributions(), distributions(), st.floats(0, 1))
def test_mixtures(a: Distribution, b: Distribution, w: float) -> None:
    mixed = Distribution.mixture([a, b], [w, 1 - w])
    assert mixed.mean() == pytest.approx(w * a.mean() + (1 - w) * b.mean(), abs=1e-10)
    assert mixed.probabilities.sum() == pytest.approx(1, abs=1e-14)
    second = w * (a.var() + a.mean() ** 2) + (1 - w) * (b.var() + b.mean() ** 2)
    assert mixed.var() + mixed.mean() ** 2 == pytest.approx(second, abs=1e-8)


def test_mixtures_and_differences_of_samples_know_their_error() -> None:
    a, b = Distribution.from_samples([0, 1]), Distribution.from_samples([0, 1, 1])
    mixed = Distribution.mixture([a, b, DIE], [0.25, 0.25, 0.5])
    assert mixed.n_samples == 2
    assert mixed.mc_error == pytest.approx(0.25 * (a.mc_error + b.mc_error))
    assert Distribution.mixture([a, DIE], [0, 1]).exact
    gap = a.difference(b, independent=True)
    assert gap.n_samples == 2
    assert gap.mc_error == pytest.approx(np.hypot(a.mc_error, b.mc_error))


def test_affine_maps() -> None:
    d = random_distribution(1)
    x = np.float64(0.5)
    for mapped, by, plus in (
        *((1 - d, -1, 1), (d * 2, 2, 0), (2 * d, 2, 0), (x * d + x, 0.5, 0.5)),
        *((-d - 3, -1, -3), (d / 4, 0.25, 0), (d * 0 + 3, 0, 3)),
    ):
        assert mapped.mean() == pytest.approx(by * d.mean() + plus, abs=1e-14)
        assert mapped.std() == pytest.approx(abs(by) * d.std(), abs=1e-14)
    assert (1 - d).cdf(0.3) == pytest.approx(d.sf(0.7), abs=1e-15)
    drawn = Distribution.from_samples([0, 1, 1])
    assert (1 - 3 * drawn).mc_error == pytest.approx(3 * drawn.mc_error)
    assert (Distribution.from_samples([3]) * 0).mc_error == 0
    assert (ft.poisson_binomial([0.5] * 3) / 3).values.tolist() == [0, 1 / 3, 2 / 3, 1]


@pytest.mark.parametrize("seed", range(3))
def test_two_independent_ones_by_enumeration(seed: int) -> None:
    rng = np.random.default_rng(seed)
    a, b = (
        Distribution.from_atoms(rng.integers(0, 6, 8) / 10, rng.dirichlet(np.ones(8)))
        for _ in range(2)
    )
    greater = equal = 0.0
    for (x, p), (y, q) in product(a.to_frame().to_numpy(), b.to_frame().to_numpy()):
        greater += p * q * (x > y + 1e-9)
        equal += p * q * (abs(x - y) <= 1e-9)
    gap = a.difference(b, independent=True)
    for found in (a.prob_greater(b, independent=True), gap.sf(0)):
        assert found == pytest.approx(greater, abs=1e-14)
    for found in (a.prob_equal(b, independent=True), gap.pmf(0)):
        assert found == pytest.approx(equal, abs=1e-14)
    both = greater + b.prob_greater(a, independent=True)
    assert both + equal == pytest.approx(1, abs=1e-14)
    assert gap.var() == pytest.approx(a.var() + b.var(), abs=1e-14)
    assert len(gap.values) <= 11


def test_equal_up_to_rounding_is_a_tie() -> None:
    a, b = Distribution.point(0.1 + 0.2), Distribution.point(0.3)
    assert a.prob_greater(b, independent=True) == 0
    assert a.prob_equal(b, independent=True) == 1
    assert MANY.prob_greater(MANY, independent=True) == pytest.approx(0.4999)
    assert a.difference(b, independent=True).values.tolist() == [0]


def test_wasserstein() -> None:
    for seed in range(3):
        a, b = random_distribution(seed), random_distribution(seed + 3, 30)
        want = stats.wasserstein_distance(a.values, b.values, a.probabilities, b.probabilities)
        assert a.wasserstein(b) == pytest.approx(want, abs=1e-13)
        assert a.wasserstein(b) == pytest.approx(b.wasserstein(a), abs=1e-14)
    assert a.wasserstein(a) == 0
    assert a.wasserstein(a + 0.25) == pytest.approx(0.25, abs=1e-14)


def test_dominance() -> None:
    low, high = ft.poisson_binomial([0.2, 0.5, 0.4]), ft.poisson_binomial([0.2, 0.6, 0.4])
    assert high.dominates(low)
    assert (low + 1e-3).dominates(low)
    wide, point = Distribution.from_atoms([0, 3], [0.5, 0.5]), Distribution.point(1)
    for one, other in ((low, high), (low, low), (low + 1e-15, low), (wide, point), (point, wide)):
        assert not one.dominates(other)


@pytest.mark.parametrize("seed", range(15))
def test_second_order_dominance_is_about_losses(seed: int) -> None:
    """A dominates iff E[(x - A)+] is nowhere larger than E[(x - B)+]; gaps of any width."""
    rng = np.random.default_rng(seed)
    choices = [0.0, 0.1, 0.15, 0.7, 1.0]
    a, b = (
        Distribution.from_atoms(rng.choice(choices, 3, replace=False), rng.dirichlet(np.ones(3)))
        for _ in range(2)
    )
    points = np.unique(np.concatenate((a.values, b.values, [2.0])))

    def losses(law: Distribution) -> Any:
        return np.array([law.expect(lambda v, x=x: max(x - v, 0.0)) for x in points])

    gap = losses(b) - losses(a)
    want = bool(gap.min() >= -1e-12 and gap.max() > 1e-12)
    assert a.dominates(b, order=2) == want
    if a.dominates(b):
        assert want


MANY = Distribution.from_samples(range(5000))


@pytest.mark.parametrize(
    ("make", "given", "message"),
    [
        (Distribution.from_atoms, ([1, np.nan], [0.5, 0.5]), r"^values\[1\] = nan: must be finite"),
        (Distribution.from_atoms, ([np.inf], [1]), r"^values\[0\] = inf: must be finite"),
        (Distribution.from_atoms, ([1, 2], [0.5, np.nan]), r"^probabilities\[1\] = nan: must be a"),
        (
            Distribution.from_atoms,
            ([1, 2], [1.5, -0.5]),
            r"^probabilities\[1\] = -0.5: must not be",
        ),
        (Distribution.from_atoms, ([1, 2], [0.5, 0.4]), "^probabilities: .* but add up to 0.9"),
        (Distribution.from_atoms, ([0, 1], [0.5, 0.5 + 2e-9]), "must add up to 1"),
        (Distribution.from_atoms, ([], []), r"^values \(length 0\) and probabilities \(length 0\)"),
        (
            Distribution.from_atoms,
            ([1, 2], [1]),
            r"^values \(length 2\) and probabilities \(length 1",
        ),
        (Distribution.from_atoms, ([[1]], [1]), r"^values of shape \(1, 1\) and probabilities"),
        (Distribution.from_atoms, (["a"], [1]), r"^values=\['a'\]: must be numbers"),
        (Distribution.from_samples, ([],), "not empty"),
        (Distribution.from_samples, ([0, np.nan],), r"values\[1\] = nan"),
        (Distribution.from_samples, ([0, 1], [0, 0]), "weights: must be 0 or more, and not all 0"),
        (Distribution.from_samples, ([0, 1], [1, -1]), "weights: must be 0 or more, and not all 0"),
        (Distribution.mixture, ([DIE] * 2, [0.6, 1]), r"add up to 1\.6; .* mutually exclusive"),
        (Distribution.mixture, ([DIE] * 2, [-1, 2]), r"weights\[0\] = -1: must not be negative"),
        (Distribution.mixture, ([DIE], [0.5, 0.5]), r"\(length 1\) and weights \(length 2\)"),
        (Distribution.mixture, ([], []), "not empty"),
        (DIE.__add__, (np.nan,), "operand = nan"),
        (DIE.__mul__, (np.ones(3),), "must be one number"),
        (DIE.__truediv__, (0,), "divided by 0"),
        (DIE.pmf, ([1, np.nan],), r"x\[1\] = nan"),
        (DIE.logpmf, ([1, np.nan],), r"x\[1\] = nan"),
        (DIE.cdf, ([1, np.nan],), r"x\[1\] = nan"),
        (DIE.sf, ([1, np.nan],), r"x\[1\] = nan"),
        (DIE.ppf, (1.5,), r"q = 1\.5: a probability must lie in \[0, 1\]"),
        (DIE.isf, (np.nan,), "q = nan"),
        (DIE.interval, (95,), "confidence = 95"),
        (DIE.expect, (lambda _: float("nan"),), r"func of the values\[0\] = nan"),
        (lambda: DIE.rvs(3, rng=-1), (), "rng=-1: must be"),
        (lambda: MANY.difference(MANY, independent=True), (), "5,000 × 5,000 atoms"),
    ],
)
def test_mistakes(make: Any, given: tuple[Any, ...], message: str) -> None:
    with pytest.raises(ft.FuzzytruthError, match=message) as caught:
        make(*given)
    assert "\n" not in str(caught.value)


def test_two_are_compared_only_as_independent() -> None:
    for compare in (DIE.prob_greater, DIE.prob_equal, DIE.difference, DIE.__sub__, DIE.__add__):
        with pytest.raises(IndependenceError, match="how they vary together"):
            compare(DIE)


def test_printed(stored: Any) -> None:
    given = Distribution.from_atoms([0, 0.5, 1], [0.25, 0.5, 0.25])
    assert given._answer().text(80) == stored("distribution")
    many = ft.poisson_binomial(np.full(100, 0.3))
    assert many._answer().text(80) == stored("distribution_of_many")
    improbable = Distribution.from_samples(np.arange(101) / 100)
    assert improbable._answer().text(80) == stored("distribution_by_quantiles")
    samples = str(Distribution.from_samples([0, 1, 1, 1]))
    assert samples.startswith("Distribution of 2 values, 4 samples, Monte Carlo error 0.25\n")
