"""`Distribution`: against SciPy, enumeration, and its own laws."""

import dataclasses
import pickle
import sys
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fuzzytruth as ft
from fuzzytruth.data.distribution.distribution import Distribution
from fuzzytruth.errors import DataError, MissingPackageError, OptionError

DIE = Distribution.from_atoms(range(1, 7), [1 / 6] * 6)


def some(seed: int, atoms: int = 9) -> Distribution:
    rng = np.random.default_rng(seed)
    return Distribution.from_atoms(rng.normal(size=atoms), rng.dirichlet(np.ones(atoms)))


@st.composite
def distributions(draw: st.DrawFn) -> Distribution:
    values = draw(st.lists(st.floats(-100, 100), min_size=1, max_size=12))
    counts = draw(
        st.lists(st.integers(0, 50), min_size=len(values), max_size=len(values)).filter(any)
    )
    return Distribution.from_atoms(values, np.array(counts) / sum(counts))


# Against SciPy


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


# Quantiles


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


# Expectations and draws


def test_expectations_by_hand() -> None:
    assert DIE.mean() == pytest.approx(3.5, abs=1e-15)
    assert DIE.var() == pytest.approx(35 / 12, abs=1e-14)
    assert DIE.expect() == DIE.mean()
    assert DIE.expect(lambda x: 1 if x > 4 else 0) == pytest.approx(1 / 3)


def test_draws_follow_the_distribution_and_the_seed() -> None:
    d = some(3)
    drawn = d.rvs(100_000, rng=1)
    assert set(drawn) == set(d.values)
    found = Distribution.from_samples(drawn)
    error = np.sqrt(d.probabilities * (1 - d.probabilities) / len(drawn))
    assert (np.abs(found.probabilities - d.probabilities) < 4 * error).all()
    np.testing.assert_array_equal(drawn, d.rvs(100_000, rng=np.random.default_rng(1)))
    assert (drawn != d.rvs(100_000, rng=2)).any()
    assert len(d.rvs(4)) == 4
    assert d.rvs(0, rng=0).shape == (0,)


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
    d = some(1)
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
    with pytest.raises(DataError, match=r"add up to 1\.6; they are .* exclude each other"):
        Distribution.mixture([DIE, DIE], [0.6, 1])
    with pytest.raises(DataError, match=r"weights\[0\] = -1: must not be negative"):
        Distribution.mixture([DIE, DIE], [-1, 2])
    with pytest.raises(DataError, match=r"distributions \(length 1\) and weights \(length 2\)"):
        Distribution.mixture([DIE], [0.5, 0.5])
    with pytest.raises(DataError, match="not empty"):
        Distribution.mixture([], [])


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


def test_arithmetic_takes_finite_numbers_only() -> None:
    with pytest.raises(DataError, match="operand = nan"):
        DIE + np.nan
    with pytest.raises(DataError, match="must be one number"):
        DIE * np.ones(3)
    with pytest.raises(DataError, match="divided by 0"):
        DIE / 0


# Pictures


def steps(ax: Any) -> Any:
    """Heights of a filled histogram's bins, whose outline goes back along the bottom."""
    outline = ax.patches[0].get_xy()
    return outline[1 : len(outline) // 2 : 2, 1]


def test_plot_draws_where_it_is_told() -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, (left, right) = plt.subplots(1, 2)
    assert DIE.plot(ax=right) is right
    assert len(right.collections) == 1
    assert not left.collections
    many = Distribution.from_samples(range(500)).plot(left)
    heights = steps(many)  # 56 bins of 9 atoms, the last of 5
    assert heights.tolist() == pytest.approx([9 / 500] * 55 + [5 / 500])
    plt.close(figure)
    plt.close(DIE.plot().figure)


def test_plots_of_many_atoms_have_no_teeth() -> None:
    """If 59 atoms went into 40 bins, some would hold two and others one."""
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    coins = ft.poisson_binomial([0.5] * 150)
    figure, (left, right) = plt.subplots(1, 2)
    segments = coins.plot(left).collections[0].get_segments()
    assert len(segments) == 59  # 46 to 104: P(X ≤ 45) < 1e-6 < P(X ≤ 46)
    assert segments[0][0][0] == 46
    low, high = left.get_xlim()
    assert 40 < low < 46 < 104 < high < 110
    ft.poisson_binomial([0.5] * 4000).plot(right)
    heights = steps(right)
    top = heights.argmax()
    assert (np.diff(heights[:top]) >= 0).all()
    assert (np.diff(heights[top:]) <= 0).all()
    assert heights.max() > 0.03
    plt.close(figure)


def test_plots_beside_each_other() -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, ax = plt.subplots()
    ax.set_xlabel("P@10")
    ft.poisson_binomial([0.5] * 12).plot(ax, label="one")
    ft.poisson_binomial([0.01] * 12).plot(ax, label="two")
    Distribution.from_samples(np.random.default_rng(0).normal(5, 1, 500)).plot(ax, label="three")
    Distribution.point(1).plot(ax, color="black", alpha=0.5, linewidth=7)
    colours = {tuple(c.get_color()[0][:3]) for c in ax.collections}
    assert len(colours | {ax.patches[0].get_facecolor()[:3]}) == 4
    assert ax.collections[-1].get_linewidth() == 7
    assert ax.get_ylim()[0] == 0
    assert ax.get_ylim()[1] > 1
    assert [t.get_text() for t in ax.legend().get_texts()] == ["one", "two", "three"]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("P@10", "probability")
    plt.close(figure)


def test_plot_without_matplotlib(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(MissingPackageError, match=r"pip install 'fuzzytruth\[plots\]'"):
        DIE.plot()
