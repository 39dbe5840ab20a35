"""Prediction-powered means: algebra, formulas on small cases, variances by simulation."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from fuzzytruth.stats.powered_means import PoweredMeans, powered_means

Y = np.array([0.42, 0.61, 0.35, 0.80, 0.55, 0.47, 0.73, 0.29, 0.66, 0.51])
F = np.array([0.50, 0.58, 0.44, 0.79, 0.70, 0.52, 0.69, 0.41, 0.75, 0.49])
U = np.array([0.62, 0.38, 0.71, 0.55, 0.47, 0.83, 0.66, 0.59, 0.40, 0.74, 0.68, 0.53])


def of(y: np.ndarray, f: np.ndarray, **given: object) -> PoweredMeans:
    """One row: measurements of the first units."""
    measured = np.full((1, len(f)), np.nan)
    measured[0, : len(y)] = y
    return powered_means(measured, f[None], **given)  # type: ignore[arg-type]


EVERYTHING = np.r_[F, U]


@pytest.mark.parametrize(("weight", "value"), [(0.0, 0.539), (0.5, 0.54383333), (1.0, 0.54866667)])
def test_estimates_are_those_of_ppi_py(weight: float, value: float) -> None:
    """ppi-python 0.2.3, `ppi_mean_pointestimate(Y, F, U, lam=weight)`.

    Its weight is of the mean over the other units, ours of that over all.
    """
    tuning = weight * len(EVERYTHING) / len(U)
    out = of(Y, EVERYTHING, tuning=tuning)
    assert out.powered.value[0] == pytest.approx(value, abs=1e-8)
    rest = Y - weight * F
    variance = rest.var(ddof=1) / 10 + weight**2 * EVERYTHING.var(ddof=1) / 12
    assert out.powered.std_error[0] == pytest.approx(np.sqrt(variance), rel=1e-12)
    assert out.powered.df[0] == 9


def test_the_tuned_estimate_is_nearly_that_of_ppi_py() -> None:
    """`ppi_mean_ci(Y, F, U)`, normal quantiles, divisors n: 0.54441 [0.47258, 0.61625]."""
    out = of(Y, EVERYTHING)
    assert out.powered.value[0] == pytest.approx(0.54441422, abs=0.002)
    std_error = (0.61625335 - 0.47257509) / 2 / stats.norm.ppf(0.975)
    assert out.powered.std_error[0] == pytest.approx(std_error, rel=0.1)


def test_tuned_by_hand() -> None:
    fit = stats.linregress(F, Y)
    out = of(Y, EVERYTHING)
    assert out.tuning[0] == pytest.approx(fit.slope)
    assert out.correlation[0] == pytest.approx(fit.rvalue)
    assert out.powered.value[0] == pytest.approx(fit.intercept + fit.slope * EVERYTHING.mean())
    residual = ((Y - fit.intercept - fit.slope * F) ** 2).sum() / 8
    square = fit.slope**2 - residual / ((F - F.mean()) ** 2).sum()
    variance = residual / 10 + square * EVERYTHING.var(ddof=1) / 22
    assert out.powered.std_error[0] == pytest.approx(np.sqrt(variance), rel=1e-12)
    assert out.powered.df[0] == 8
    lower, upper = out.powered.interval(0.9)
    assert upper[0] - lower[0] == pytest.approx(2 * stats.t.ppf(0.95, 8) * np.sqrt(variance))
    finite = of(Y, EVERYTHING, finite=True).powered
    gap = (EVERYTHING.mean() - F.mean()) ** 2 / ((F - F.mean()) ** 2).sum()
    variance = residual * ((1 / 10 - 1 / 22) + gap)
    assert finite.std_error[0] == pytest.approx(np.sqrt(variance), rel=1e-12)


def test_beside_it() -> None:
    out = of(Y, EVERYTHING)
    for means, values in ((out.measured, Y), (out.predicted, EVERYTHING), (out.bias, F - Y)):
        expected = stats.ttest_1samp(values, 0).confidence_interval(0.95)
        assert np.ravel(means.interval(0.95)) == pytest.approx([*expected])
    assert (out.n[0], out.n_all[0]) == (10, 22)


def test_without_weight_it_is_the_interval_of_people_alone() -> None:
    for finite in (False, True):
        out = of(Y, EVERYTHING, tuning=0.0, finite=finite)
        ends = np.ravel(out.powered.interval(0.95))
        assert ends == pytest.approx(np.ravel(out.measured.interval(0.95)), rel=1e-12)


@pytest.mark.parametrize("tuning", [None, 0.0, 1.0, -2.0])
@pytest.mark.parametrize("cluster", [None, np.arange(10) // 2])
def test_where_all_is_measured_it_is_the_interval_of_people_alone(
    tuning: float | None, cluster: np.ndarray | None
) -> None:
    out = of(Y, F, tuning=tuning, cluster=cluster)
    assert out.alone.all()
    assert out.powered.value[0] == Y.mean()
    assert out.powered.interval(0.95) == out.measured.interval(0.95)
    whole = of(Y, F, tuning=tuning, finite=True)
    assert np.ravel(whole.powered.interval(0.95)) == pytest.approx([Y.mean()] * 2)


def test_close_to_all_measured_the_formulas_agree() -> None:
    """Nothing is counted twice: with all units, both variances are those of the mean of Y."""
    n = 4000
    rng = np.random.default_rng(1)
    f = rng.normal(size=n + 1)
    y = 0.7 * f[:n] + rng.normal(size=n)
    for tuning in (None, 1.0, 0.3):
        out = of(y, f, tuning=tuning)
        assert out.powered.std_error[0] == pytest.approx(out.measured.std_error[0], rel=2e-3)


def test_a_perfect_model_is_worth_all_units() -> None:
    out = of(F, EVERYTHING)
    assert out.tuning[0] == pytest.approx(1)
    assert out.powered.value[0] == pytest.approx(EVERYTHING.mean())
    assert out.powered.std_error[0] == pytest.approx(out.predicted.std_error[0])
    assert out.exact.all()
    assert not of(F[:-1] + np.eye(9)[0], EVERYTHING).exact.any()
    assert not of(F, 0 * EVERYTHING).exact.any()  # people's own interval
    same = of(F, EVERYTHING, tuning=1.0).powered
    expected = EVERYTHING.std(ddof=1) * np.sqrt(
        # weight lambda * share of the measured ones, by the other formula
        (10 / 22) ** 2 * F.var(ddof=1) / EVERYTHING.var(ddof=1) / 10 + 12 / 22 / 22
    )
    assert same.std_error[0] == pytest.approx(expected)


@given(
    shift=st.floats(-1e3, 1e3),
    factor=st.floats(1e-3, 1e3),
    sign=st.sampled_from([-1, 1]),
    finite=st.booleans(),
)
def test_affine_predictions_change_nothing(
    shift: float, factor: float, sign: int, finite: bool
) -> None:
    one = of(Y, EVERYTHING, finite=finite).powered
    other = of(Y, shift + sign * factor * EVERYTHING, finite=finite).powered
    assert other.value[0] == pytest.approx(one.value[0], rel=1e-6)
    assert other.std_error[0] == pytest.approx(one.std_error[0], rel=1e-6)


@given(shift=st.floats(-10, 10), factor=st.floats(0.1, 10))
def test_affine_measurements_carry_over(shift: float, factor: float) -> None:
    one, other = of(Y, EVERYTHING).powered, of(shift + factor * Y, EVERYTHING).powered
    assert other.value[0] == pytest.approx(shift + factor * one.value[0])
    assert other.std_error[0] == pytest.approx(factor * one.std_error[0])


@pytest.mark.parametrize("tuning", [None, 0.5, 1.0])
@pytest.mark.parametrize("finite", [False, True])
def test_variances_are_those_of_the_estimates(tuning: float | None, finite: bool) -> None:
    """Simulated: mean square of the error against the mean of the squared standard errors."""
    rng = np.random.default_rng(2)
    n, n_all, sets = 40, 60, 8000
    f = rng.normal(size=(sets, n_all))
    y = 0.8 * f + 0.6 * rng.normal(size=f.shape)
    measured = np.where(np.arange(n_all) < n, y, np.nan)
    out = powered_means(measured, f, tuning=tuning, finite=finite).powered
    error = out.value - (y.mean(axis=1) if finite else 0)
    ratio = (error**2).mean() / (out.std_error**2).mean()
    assert ratio == pytest.approx(1, abs=4 * np.sqrt(2 / sets))  # four Monte Carlo errors


def test_rows_with_other_missing_units_are_their_own() -> None:
    rng = np.random.default_rng(3)
    f = rng.normal(size=(5, 30))
    y = f + rng.normal(size=f.shape)
    y[rng.random(y.shape) < 0.6] = np.nan
    f[rng.random(f.shape) < 0.2] = np.nan
    whole = powered_means(y, f)
    for row in range(5):
        alone = powered_means(y[[row]], f[[row]])
        both = ~np.isnan(y[row]) & ~np.isnan(f[row])
        assert (whole.n[row], whole.n_all[row]) == (both.sum(), (~np.isnan(f[row])).sum())
        assert whole.powered.value[row] == pytest.approx(alone.powered.value[0])
        assert whole.powered.std_error[row] == pytest.approx(alone.powered.std_error[0])


def test_clusters_by_hand() -> None:
    cluster = np.r_[np.repeat(np.arange(5), 2), 5 + np.arange(12)]
    out = of(Y, EVERYTHING, cluster=cluster)
    fit = stats.linregress(F, Y)
    e = Y - fit.intercept - fit.slope * F
    rest = fit.slope * (EVERYTHING - EVERYTHING.mean()) / 22
    pairs = e.reshape(5, 2).sum(axis=1) / 10 + rest[:10].reshape(5, 2).sum(axis=1)
    variance = 5 / (5 - 1 - 5 / 10) * (pairs**2).sum() + (rest[10:] ** 2).sum()
    assert out.powered.std_error[0] == pytest.approx(np.sqrt(variance))
    assert out.powered.df[0] == 3
    assert out.measured.df[0] == 4
    means = Y.reshape(5, 2).mean(axis=1)
    assert out.measured.std_error[0] == pytest.approx(means.std(ddof=1) / np.sqrt(5))


def test_clusters_of_one_are_nearly_no_clusters() -> None:
    rng = np.random.default_rng(4)
    f = rng.normal(size=(1, 400))
    y = np.where(np.arange(400) < 200, 0.5 * f + rng.normal(size=f.shape), np.nan)
    one = powered_means(y, f).powered
    other = powered_means(y, f, cluster=np.arange(400)).powered
    assert other.df[0] == one.df[0] == 198
    assert other.std_error[0] == pytest.approx(one.std_error[0], rel=0.02)


def test_clusters_cover() -> None:
    rng = np.random.default_rng(5)
    who = np.repeat(np.arange(10), 3)
    f = rng.normal(size=(3000, 90))
    y = np.full(f.shape, np.nan)
    y[:, :30] = rng.normal(size=(3000, 10))[:, who] + rng.normal(size=(3000, 30)) + f[:, :30]
    cluster = np.r_[who, 10 + np.arange(60)]
    lower, upper = powered_means(y, f, cluster=cluster).powered.interval(0.95)
    assert ((lower <= 0) & (upper >= 0)).mean() == pytest.approx(0.95, abs=0.02)
    lower, upper = powered_means(y, f).powered.interval(0.95)
    assert ((lower <= 0) & (upper >= 0)).mean() < 0.9


def test_predictions_that_do_not_vary() -> None:
    constant = of(Y, np.full(22, 0.3))
    assert (constant.tuning[0], constant.alone[0]) == (0, True)
    assert np.isnan(constant.correlation[0])
    assert constant.powered.interval(0.95) == constant.measured.interval(0.95)
    noise = np.r_[np.full(10, 0.1 + 0.2), np.full(12, 0.3)]  # rounding errors alone
    assert of(Y, noise).alone[0]
    only_elsewhere = of(Y, np.r_[np.full(10, 0.3), U])
    assert only_elsewhere.alone[0]


def test_three_measured_units_have_one_degree_of_freedom() -> None:
    out = of(Y[:3], EVERYTHING)
    assert out.powered.df[0] == 1
    assert np.isfinite(out.powered.std_error[0])


@pytest.mark.parametrize(("n", "tuning"), [(0, None), (1, None), (2, None), (0, 0.5), (1, 0.5)])
@pytest.mark.parametrize("finite", [False, True])
def test_with_fewer_nothing_is_known(n: int, tuning: float | None, finite: bool) -> None:
    out = of(Y[:n], EVERYTHING, tuning=tuning, finite=finite)
    assert np.isnan(out.powered.std_error[0])
    assert out.powered.df[0] == 0
    lower, upper = out.powered.interval(0.95)
    if n:
        assert (lower[0], upper[0]) == (-np.inf, np.inf)
    else:
        assert np.isnan(out.powered.value[0])


def test_no_spread() -> None:
    """Two systems that are equal differ by 0; a constant is known as far as signs tell."""
    equal = of(np.zeros(10), np.zeros(22)).powered
    assert np.ravel(equal.interval(0.95)).tolist() == [0, 0]
    constant = of(np.full(10, 0.5), np.full(22, 0.5)).powered
    assert np.ravel(constant.interval(0.95)).tolist() == [0.5, 0.5]  # p = 2^-9
    constant = of(np.full(4, 0.5), np.full(22, 0.5)).powered
    assert np.ravel(constant.interval(0.95)).tolist() == [-np.inf, np.inf]
    people_only = of(np.zeros(10), EVERYTHING).powered  # p = 2^-9 that 0 is no accident
    assert people_only.std_error[0] == 0


def test_what_is_no_more_than_rounding_of_the_values_does_not_vary() -> None:
    """Differences of numbers of about 1; `scale` says of which they are."""
    noise = 1e-17 * np.arange(22.0)
    y_alone = of(noise[:10], EVERYTHING, scale=(1.0, 0.0))
    assert (y_alone.tuning[0], y_alone.measured.std_error[0]) == (0, 0)
    f_alone = of(Y, noise, scale=(0.0, 1.0))
    assert (f_alone.tuning[0], f_alone.alone[0], f_alone.predicted.std_error[0]) == (0, True, 0)
    assert of(noise[:10], EVERYTHING).tuning[0] != 0
    assert not of(Y, noise).alone[0]


def test_one_cluster_has_no_degrees_of_freedom() -> None:
    cluster = np.r_[np.zeros(10, dtype=int), 1 + np.arange(12)]
    out = of(Y, EVERYTHING, cluster=cluster)
    assert not out.alone[0]
    assert out.powered.df[0] == 0
    assert np.isnan(out.powered.std_error[0])


@pytest.mark.parametrize("cluster", [None, np.zeros(0, dtype=int)])
def test_without_units_there_is_no_mean(cluster: np.ndarray | None) -> None:
    out = powered_means(np.zeros((2, 0)), np.zeros((2, 0)), cluster=cluster)
    assert np.isnan([out.powered.value, out.powered.std_error, out.measured.value]).all()
    assert (out.n.tolist(), out.n_all.tolist()) == ([0, 0], [0, 0])
