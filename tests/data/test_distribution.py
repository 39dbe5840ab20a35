"""`Distribution`: construction, samples, mixtures and arithmetic."""

import dataclasses
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.distributions import DIE, distributions, random_distribution

import fuzzytruth as ft
from fuzzytruth.data.distribution import Distribution
from fuzzytruth.errors import DataError

# Atoms


def test_atoms_are_sorted_merged_and_possible() -> None:
    d = Distribution.from_atoms([3, 0.1 + 0.2, 0.3, 3, 9], [0.125, 0.25, 0.25, 0.375, 0])
    assert d.values.tolist() == [0.3, 3]
    assert d.probabilities.tolist() == [0.5, 0.5]
    assert d.support() == (0.3, 3)


def test_atoms_beside_each_other_stay_apart() -> None:
    d = Distribution.from_atoms([0.5, 0.5 + 1e-10, 0.5 + 2e-10], [0.25, 0.5, 0.25])
    assert len(d.values) == 3
    assert d.pmf(d.values).tolist() == [0.25, 0.5, 0.25]
    assert d.cdf(d.values).tolist() == [0.25, 0.75, 1]


def test_nothing_can_be_changed() -> None:
    given = np.array([0.0, 1.0]), np.array([0.5, 0.5])
    d = Distribution.from_atoms(*given)
    given[0][0] = given[1][0] = 7
    assert d.support() == (0, 1)
    assert d.probabilities.tolist() == [0.5, 0.5]
    for array in (d.values, d.probabilities):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 3
    with pytest.raises(dataclasses.FrozenInstanceError):
        d.n_samples = 3
    again = pickle.loads(pickle.dumps(d))
    assert again.to_frame().equals(d.to_frame())
    assert again.cdf(0) == 0.5


def test_point() -> None:
    d = Distribution.point(0.1)
    assert (d.mean(), d.var(), d.std(), d.median(), d.mc_error) == (0.1, 0, 0, 0.1, 0)
    assert d.support() == d.interval(0.95) == d.interval(0) == (0.1, 0.1)
    assert set(d.rvs(5, rng=0)) == {0.1}
    assert repr(d) == "Distribution(mean=0.1, std=0, 1 atom, exact)"


def test_frame() -> None:
    frame = ft.poisson_binomial([0.5, 1]).to_frame()
    assert frame.to_dict("list") == {"value": [1, 2], "probability": [0.5, 0.5]}


# Samples


def test_samples() -> None:
    drawn = np.random.default_rng(0).integers(0, 4, 500) / 4
    d = Distribution.from_samples(drawn)
    assert (d.exact, d.n_samples) == (False, 500)
    assert d.mean() == pytest.approx(drawn.mean(), abs=1e-15)
    assert d.var() == pytest.approx(drawn.var(), abs=1e-15)
    assert d.mc_error == pytest.approx(drawn.std(ddof=1) / 500**0.5, rel=1e-12)
    assert repr(d).endswith("4 atoms, 500 samples)")
    assert DIE.exact
    assert DIE.n_samples is None


def test_equal_weights_are_no_weights() -> None:
    drawn = np.random.default_rng(0).normal(size=50)
    plain, weighted = (Distribution.from_samples(drawn, w) for w in (None, np.full(50, 0.3)))
    np.testing.assert_allclose(plain.probabilities, weighted.probabilities, rtol=1e-14)
    assert plain.mc_error == pytest.approx(weighted.mc_error, rel=1e-12)


def test_weights_count() -> None:
    d = Distribution.from_samples([0, 1], [1, 3])
    assert d.probabilities.tolist() == [0.25, 0.75]
    assert Distribution.from_samples([5, 1], [0, 3]).support() == (1, 1)


def test_error_of_one_draw_is_unknown_and_of_equal_draws_none() -> None:
    assert Distribution.from_samples([0.1]).mc_error == np.inf
    assert Distribution.from_samples([0.1] * 7).mc_error == 0
    assert Distribution.from_samples([0.1] * 7).std() == 0


# Mixtures and arithmetic


@given(distributions(), distributions(), st.floats(0, 1))
def test_mixture(a: Distribution, b: Distribution, w: float) -> None:
    mixed = Distribution.mixture([a, b], [w, 1 - w])
    assert mixed.mean() == pytest.approx(w * a.mean() + (1 - w) * b.mean(), abs=1e-10)
    assert mixed.probabilities.sum() == pytest.approx(1, abs=1e-14)
    second = w * (a.var() + a.mean() ** 2) + (1 - w) * (b.var() + b.mean() ** 2)
    assert mixed.var() + mixed.mean() ** 2 == pytest.approx(second, abs=1e-8)


def test_mixture_of_samples_knows_its_error() -> None:
    a, b = Distribution.from_samples([0, 1]), Distribution.from_samples([0, 1, 1])
    mixed = Distribution.mixture([a, b, DIE], [0.25, 0.25, 0.5])
    assert mixed.n_samples == 2
    assert mixed.mc_error == pytest.approx(0.25 * (a.mc_error + b.mc_error))
    assert Distribution.mixture([a, DIE], [0, 1]).exact


def test_affine_maps() -> None:
    d = random_distribution(1)
    x = np.float64(0.5)
    for mapped, by, plus in (
        (1 - d, -1, 1),
        (d * 2, 2, 0),
        (2 * d, 2, 0),
        (x * d + x, 0.5, 0.5),
        (-d - 3, -1, -3),
        (d / 4, 0.25, 0),
        (d * 0 + 3, 0, 3),
    ):
        assert mapped.mean() == pytest.approx(by * d.mean() + plus, abs=1e-14)
        assert mapped.std() == pytest.approx(abs(by) * d.std(), abs=1e-14)
    assert (1 - d).cdf(0.3) == pytest.approx(d.sf(0.7), abs=1e-15)
    drawn = Distribution.from_samples([0, 1, 1])
    assert (1 - 3 * drawn).mc_error == pytest.approx(3 * drawn.mc_error)
    assert (Distribution.from_samples([3]) * 0).mc_error == 0
    assert (ft.poisson_binomial([0.5] * 3) / 3).values.tolist() == [0, 1 / 3, 2 / 3, 1]


# Errors

BAD = {
    "values[1] = nan: must be finite": ([1, np.nan], [0.5, 0.5]),
    "values[0] = inf: must be finite": ([np.inf], [1]),
    "probabilities[1] = nan: must be a number": ([1, 2], [0.5, np.nan]),
    "probabilities[1] = -0.5: must not be negative": ([1, 2], [1.5, -0.5]),
    "probabilities: must add up to 1, but add up to 0.9": ([1, 2], [0.5, 0.4]),
    "values (length 0) and probabilities (length 0): must be two lists of the same": ([], []),
    "values (length 2) and probabilities (length 1): must be two lists of the same": ([1, 2], [1]),
    "values of shape (1, 1) and probabilities (length 1): must be": ([[1]], [1]),
    "values=['a']: must be numbers": (["a"], [1]),
}


@pytest.mark.parametrize("message", BAD)
def test_bad_atoms(message: str) -> None:
    with pytest.raises(DataError) as error:
        Distribution.from_atoms(*BAD[message])
    assert str(error.value).startswith(message)
    assert "\n" not in str(error.value)


def test_a_sum_off_by_rounding_is_made_1() -> None:
    d = Distribution.from_atoms([0, 1], [0.5, 0.5 + 5e-10])
    assert d.probabilities.sum() == 1
    with pytest.raises(DataError, match="add up to 1"):
        Distribution.from_atoms([0, 1], [0.5, 0.5 + 2e-9])


def test_bad_samples() -> None:
    with pytest.raises(DataError, match="not empty"):
        Distribution.from_samples([])
    with pytest.raises(DataError, match=r"values\[1\] = nan"):
        Distribution.from_samples([0, np.nan])
    for weights in ([0, 0], [1, -1]):
        with pytest.raises(DataError, match="weights: must be 0 or more, and not all 0"):
            Distribution.from_samples([0, 1], weights)


def test_bad_mixtures() -> None:
    with pytest.raises(DataError, match=r"add up to 1\.6; they are .* mutually exclusive"):
        Distribution.mixture([DIE, DIE], [0.6, 1])
    with pytest.raises(DataError, match=r"weights\[0\] = -1: must not be negative"):
        Distribution.mixture([DIE, DIE], [-1, 2])
    with pytest.raises(DataError, match=r"distributions \(length 1\) and weights \(length 2\)"):
        Distribution.mixture([DIE], [0.5, 0.5])
    with pytest.raises(DataError, match="not empty"):
        Distribution.mixture([], [])


def test_arithmetic_takes_finite_numbers_only() -> None:
    with pytest.raises(DataError, match="operand = nan"):
        DIE + np.nan
    with pytest.raises(DataError, match="must be one number"):
        DIE * np.ones(3)
    with pytest.raises(DataError, match="divided by 0"):
        DIE / 0
