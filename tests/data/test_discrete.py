"""Functions of a discrete distribution: against SciPy, by enumeration, and their identities."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.distributions import DIE, distributions, random_distribution

import fuzzytruth as ft
from fuzzytruth.data.distribution import Distribution
from fuzzytruth.errors import DataError, OptionError


def test_scipy_agrees() -> None:
    stats = pytest.importorskip("scipy.stats")
    chances = [0.1, 0.0, 0.25, 0.4, 0.25]
    ours = Distribution.from_atoms([0, 1, 2, 3, 7], chances)
    theirs = stats.rv_discrete(values=([0, 1, 2, 3, 7], chances))()
    x = [-1, 0, 0.5, 1, 2, 3, 6.9, 7, 8]
    for name in ("cdf", "sf"):
        np.testing.assert_allclose(getattr(ours, name)(x), getattr(theirs, name)(x), atol=1e-15)
    whole = [-1, 0, 1, 2, 3, 7, 8]
    np.testing.assert_allclose(ours.pmf(whole), theirs.pmf(whole), atol=1e-15)
    np.testing.assert_allclose(ours.logpmf(whole), theirs.logpmf(whole), atol=1e-15)
    q = [0.01, 0.1, 0.11, 0.3, 0.5, 0.76, 0.999, 1]
    np.testing.assert_array_equal(ours.ppf(q), theirs.ppf(q))
    q = [0.01, 0.26, 0.5, 0.8, 0.99]
    np.testing.assert_array_equal(ours.isf(q), theirs.isf(q))
    for name in ("mean", "var", "std", "median", "support"):
        assert getattr(ours, name)() == pytest.approx(getattr(theirs, name)(), abs=1e-14)
    assert ours.interval(0.9) == theirs.interval(0.9)
    assert ours.expect(lambda v: v**3) == pytest.approx(theirs.expect(lambda v: v**3), abs=1e-12)


def test_a_number_in_a_number_out() -> None:
    for answer in (DIE.pmf(3), DIE.logpmf(3), DIE.cdf(3), DIE.sf(3), DIE.ppf(0.5), DIE.isf(0.5)):
        assert np.ndim(answer) == 0
        assert isinstance(answer, float)
    assert isinstance(DIE.rvs(rng=0), float)
    for method in (DIE.pmf, DIE.logpmf, DIE.cdf, DIE.sf):
        assert method([[1, 2, 9]]).shape == (1, 3)
        assert method([]).shape == (0,)
    assert DIE.ppf([[0.1, 0.2]]).shape == DIE.isf([[0.1, 0.2]]).shape == (1, 2)
    assert DIE.rvs((2, 3), rng=0).shape == (2, 3)


@given(distributions())
def test_quantile_of_the_cdf_is_the_atom(d: Distribution) -> None:
    assert d.ppf(d.cdf(d.values)).tolist() == d.values.tolist()
    assert d.isf(d.sf(d.values)).tolist() == d.values.tolist()
    assert d.pmf(d.values).tolist() == d.probabilities.tolist()
    assert d.probabilities.sum() == pytest.approx(1, abs=1e-14)
    np.testing.assert_allclose(d.cdf(d.values) + d.sf(d.values), 1, atol=1e-15)


@given(distributions(), st.floats(0, 1))
def test_galois(d: Distribution, q: float) -> None:
    """ppf(q) ≤ x if and only if q ≤ cdf(x), but for the last bits of q."""
    for x in d.values:
        if q <= d.cdf(x):
            assert d.ppf(q) <= x
        if q > d.cdf(x) * (1 + 1e-15):
            assert d.ppf(q) > x
        if d.sf(x) <= q:
            assert d.isf(q) <= x


@pytest.mark.parametrize("n", [10, 40, 49, 1000])
def test_quantiles_do_not_suffer_from_rounding(n: int) -> None:
    equal = Distribution.from_samples(range(1, n + 1))
    exact = [Fraction(k, n) for k in range(1, n + 1)]
    assert equal.ppf([float(q) for q in exact]).tolist() == list(range(1, n + 1))
    assert equal.isf([float(1 - q) for q in exact]).tolist() == list(range(1, n + 1))


def test_interval_is_the_quantiles() -> None:
    d = Distribution.from_samples(range(1000))
    assert d.interval(0.95) == tuple(d.ppf([0.025, 0.975])) == (24, 974)
    assert d.interval(1) == d.support() == (d.ppf(0), d.ppf(1)) == (d.isf(1), d.isf(0))
    assert d.interval(0) == (499, 499)


def test_tails_keep_their_relative_accuracy() -> None:
    d = ft.poisson_binomial([1e-3] * 100)
    assert d.pmf(60) == pytest.approx(1.3637e-152, rel=1e-3)
    assert d.sf(59) == pytest.approx(d.pmf(60), rel=1e-2)
    assert d.isf(d.sf(59)) == 59
    assert d.ppf(1) == d.isf(0) == d.support()[1] == 100


def test_expectations_by_hand() -> None:
    assert DIE.mean() == pytest.approx(3.5, abs=1e-15)
    assert DIE.var() == pytest.approx(35 / 12, abs=1e-14)
    assert DIE.expect() == DIE.mean()
    assert DIE.expect(lambda x: 1 if x > 4 else 0) == pytest.approx(1 / 3)


def test_draws_follow_the_distribution_and_the_seed() -> None:
    d = random_distribution(3)
    drawn = d.rvs(100_000, rng=1)
    assert set(drawn) == set(d.values)
    result = Distribution.from_samples(drawn)
    error = np.sqrt(d.probabilities * (1 - d.probabilities) / len(drawn))
    assert (np.abs(result.probabilities - d.probabilities) < 4 * error).all()
    np.testing.assert_array_equal(drawn, d.rvs(100_000, rng=np.random.default_rng(1)))
    assert (drawn != d.rvs(100_000, rng=2)).any()
    assert len(d.rvs(4)) == 4
    assert d.rvs(0, rng=0).shape == (0,)


def test_bad_questions() -> None:
    for method in (DIE.pmf, DIE.logpmf, DIE.cdf, DIE.sf):
        with pytest.raises(DataError, match=r"x\[1\] = nan"):
            method([1, np.nan])
    for method in (DIE.ppf, DIE.isf):
        with pytest.raises(DataError, match=r"q = 1\.5: a probability must lie in \[0, 1\]"):
            method(1.5)
        with pytest.raises(DataError, match="q = nan"):
            method(np.nan)
    with pytest.raises(DataError, match="confidence = 95"):
        DIE.interval(95)
    with pytest.raises(DataError, match=r"func of the values\[0\] = nan"):
        DIE.expect(lambda _: float("nan"))
    with pytest.raises(OptionError, match="rng=-1: must be"):
        DIE.rvs(3, rng=-1)


def test_numbers_near_an_atom_are_that_atom() -> None:
    d = ft.poisson_binomial([0.5] * 10) / 10
    for shift in (-9e-10, 0, 9e-10):
        np.testing.assert_array_equal(d.pmf(np.arange(11) / 10 + shift), d.probabilities)
        np.testing.assert_array_equal(d.cdf(np.arange(11) / 10 + shift), d.cdf(d.values))
    assert d.pmf([0.3 + 2e-9, 0.3 - 2e-9, np.inf, -np.inf]).tolist() == [0, 0, 0, 0]
    assert d.logpmf(0.35) == -np.inf
    assert d.cdf([-np.inf, np.inf]).tolist() == [0, 1]
    assert d.sf([-np.inf, np.inf]).tolist() == [1, 0]
    large = Distribution.from_atoms([1e12, 2e12], [0.5, 0.5])
    assert large.pmf(1e12 + 500) == 0.5
