"""Distributions: against SciPy, by enumeration, and their identities."""

from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from support.distributions import DIE, distributions, random_distribution
from support.texts import is_stored

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
    frame = ft.Distribution.poisson_binomial([0.5, 1]).to_frame()
    assert frame.to_dict("list") == {"value": [1, 2], "probability": [0.5, 0.5]}


def test_a_point() -> None:
    d = Distribution.point(0.1)
    assert (d.mean(), d.var(), d.std(), d.median(), d.mc_error) == (0.1, 0, 0, 0.1, 0)
    assert d.support() == d.interval(0.95) == d.interval(0) == (0.1, 0.1)
    assert set(d.rvs(5, rng=0)) == {0.1}
    assert repr(d) == "Distribution(mean=0.1, std=0, 1 atom, exact)"


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


def test_at_least_is_what_is_not_below() -> None:
    d = Distribution.from_atoms([0, 0.3, 1], [0.25, 0.5, 0.25])
    x = [-1, 0, 0.1 + 0.2, 0.3 + 1e-10, 0.31, 1, 2]
    assert d.at_least(x).tolist() == [1, 1, 0.75, 0.75, 0.25, 0.25, 0]
    tail = Distribution.from_atoms([0, 1, 2], [1.0, 1e-30, 1e-40])
    assert tail.at_least(2) == 1e-40
    assert tail.at_least(1) == pytest.approx(1e-30, rel=1e-9)


def test_functions_of_a_number_give_a_plain_float() -> None:
    d = Distribution.from_atoms([0, 1], [0.25, 0.75])
    for name in ("pmf", "logpmf", "cdf", "sf", "at_least", "ppf", "isf"):
        for x in (1, 0.5, np.float64(1)):
            assert type(getattr(d, name)(x)) is float, name
            assert getattr(d, name)([x]).shape == (1,)
    assert type(d.rvs(rng=0)) is float
    assert repr({"half": d.at_least(0.5)}) == "{'half': 0.75}"


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
    assert (ft.Distribution.poisson_binomial([0.5] * 3) / 3).values.tolist() == [0, 1 / 3, 2 / 3, 1]


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


def test_printed() -> None:
    given = Distribution.from_atoms([0, 0.5, 1], [0.25, 0.5, 0.25])
    assert is_stored("distribution", given._answer().text(80))
    many = ft.Distribution.poisson_binomial(np.full(100, 0.3))
    assert is_stored("distribution_of_many", many._answer().text(80))
    improbable = Distribution.from_samples(np.arange(101) / 100)
    assert is_stored("distribution_by_quantiles", improbable._answer().text(80))
    samples = str(Distribution.from_samples([0, 1, 1, 1]))
    assert samples.startswith("Distribution of 2 values, 4 samples, Monte Carlo error 0.25\n")


def test_tiny_chances_are_no_error_where_underflow_is_one() -> None:
    with np.errstate(all="raise"):
        tiny = Distribution.from_atoms([1e-200, 2.0], [1e-200, 1.0])
        assert (tiny.mean(), tiny.std()) == (2.0, pytest.approx(0, abs=1e-90))
