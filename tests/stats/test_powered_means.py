"""Prediction-powered means: algebra, formulas on small cases, variances by simulation."""

from typing import Any

import numpy as np
import pytest
from scipy import stats

from fuzzytruth.stats.powered_means import Means, PoweredMeans, equivalent_units, powered_means

Y = np.array([0.42, 0.61, 0.35, 0.80, 0.55, 0.47, 0.73, 0.29, 0.66, 0.51])
F = np.array([0.50, 0.58, 0.44, 0.79, 0.70, 0.52, 0.69, 0.41, 0.75, 0.49])
U = np.array([0.62, 0.38, 0.71, 0.55, 0.47, 0.83, 0.66, 0.59, 0.40, 0.74, 0.68, 0.53])
ALL = np.r_[F, U]


def of(y: np.ndarray, f: np.ndarray, **given: Any) -> PoweredMeans:
    """One row: measurements of the first units."""
    measured = np.full((1, len(f)), np.nan)
    measured[0, : len(y)] = y
    return powered_means(measured, f[None], **given)


def numbers(means: Means) -> tuple[float, float]:
    return means.value[0], means.std_error[0]


@pytest.mark.parametrize(("weight", "value"), [(0.0, 0.539), (0.5, 0.54383333), (1.0, 0.54866667)])
def test_estimates_are_those_of_ppi_py(weight: float, value: float) -> None:
    """ppi-python 0.2.3, `ppi_mean_pointestimate(Y, F, U, lam=weight)`.

    Its weight is of the mean over the other units, ours of that over all.
    """
    out = of(Y, ALL, tuning=weight * len(ALL) / len(U))
    variance = (Y - weight * F).var(ddof=1) / 10 + weight**2 * ALL.var(ddof=1) / 12
    assert numbers(out.powered) == pytest.approx((value, np.sqrt(variance)), rel=1e-7)
    assert out.powered.df[0] == 9
    of_these = of(Y, ALL, tuning=weight, finite=True)  # 12 of the 22 are unknown
    error = (Y - weight * F).std(ddof=1) * np.sqrt((1 / 10) * (12 / 22))
    assert of_these.powered.std_error[0] == pytest.approx(error)


def test_tuned_by_hand() -> None:
    fit = stats.linregress(F, Y)
    out = of(Y, ALL)
    assert (out.tuning[0], out.correlation[0]) == pytest.approx((fit.slope, fit.rvalue))
    residual = ((Y - fit.intercept - fit.slope * F) ** 2).sum() / 8
    spread = ((F - F.mean()) ** 2).sum()
    square = fit.slope**2 - residual / spread
    variance = residual / 10 + square * ALL.var(ddof=1) / 22
    value = fit.intercept + fit.slope * ALL.mean()
    assert numbers(out.powered) == pytest.approx((value, np.sqrt(variance)), rel=1e-12)
    assert out.powered.df[0] == 8
    lower, upper = out.powered.interval(0.9)
    assert upper[0] - lower[0] == pytest.approx(2 * stats.t.ppf(0.95, 8) * np.sqrt(variance))
    finite = of(Y, ALL, finite=True).powered
    variance = residual * ((1 / 10 - 1 / 22) + (ALL.mean() - F.mean()) ** 2 / spread)
    assert finite.std_error[0] == pytest.approx(np.sqrt(variance), rel=1e-12)
    for means, values in ((out.measured, Y), (out.predicted, ALL), (out.bias, F - Y)):
        expected = stats.ttest_1samp(values, 0).confidence_interval(0.95)
        assert np.ravel(means.interval(0.95)) == pytest.approx([*expected])
    assert (out.n[0], out.n_all[0]) == (10, 22)


@pytest.mark.parametrize("tuning", [None, 1.0, 0.3])
def test_with_all_units_measured(tuning: float | None) -> None:
    whole = of(Y, F, tuning=tuning, finite=True)
    assert np.ravel(whole.powered.interval(0.95)) == pytest.approx([Y.mean()] * 2)
    rng = np.random.default_rng(1)  # but one: both variances are nearly those of the mean of Y
    f = rng.normal(size=4001)
    out = of(0.7 * f[:-1] + rng.normal(size=4000), f, tuning=tuning)
    assert out.powered.std_error[0] == pytest.approx(out.measured.std_error[0], rel=2e-3)


def test_clusters_by_hand() -> None:
    cluster = np.r_[np.repeat(np.arange(5), 2), 5 + np.arange(12)]
    out = of(Y, ALL, cluster=cluster)
    fit = stats.linregress(F, Y)
    e = Y - fit.intercept - fit.slope * F
    rest = fit.slope * (ALL - ALL.mean()) / 22
    pairs = e.reshape(5, 2).sum(axis=1) / 10 + rest[:10].reshape(5, 2).sum(axis=1)
    variance = 5 / (5 - 1 - 5 / 10) * (pairs**2).sum() + (rest[10:] ** 2).sum()
    assert out.powered.std_error[0] == pytest.approx(np.sqrt(variance))
    assert (out.powered.df[0], out.measured.df[0]) == (3, 4)
    means = Y.reshape(5, 2).mean(axis=1)
    assert out.measured.std_error[0] == pytest.approx(means.std(ddof=1) / np.sqrt(5))
    one = of(Y, ALL, cluster=np.r_[np.zeros(10, dtype=int), 1 + np.arange(12)])
    assert (one.alone[0], one.powered.df[0], np.isnan(one.powered.std_error[0])) == (False, 0, True)
    rng = np.random.default_rng(4)  # clusters of one are nearly none
    f = rng.normal(size=400)
    y = 0.5 * f[:200] + rng.normal(size=200)
    none, each = of(y, f).powered, of(y, f, cluster=np.arange(400)).powered
    assert each.df[0] == none.df[0] == 198
    assert each.std_error[0] == pytest.approx(none.std_error[0], rel=0.02)


def known(std_error: float, units: float) -> Means:
    row = (np.array([x]) for x in (0.0, std_error, units - 1, units))
    return Means(*row, np.array([False]))


def test_equivalent_units_invert_the_width() -> None:
    """A sample of standard deviation 2, of which 10 units are known."""
    rows = [(4.0, np.inf), (12.0, np.inf), (57.0, np.inf), (25.0, 60.0)]
    for units, population in rows:
        half = stats.t.ppf(0.975, units - 1) * 2 * np.sqrt(1 / units - 1 / population)
        means = known(2 * np.sqrt(1 / 10 - 1 / population), 10)
        given: Any = {"n_all": np.array([min(population, 100.0)]), "finite": population < np.inf}
        found = equivalent_units(np.array([half]), means, 0.95, **given)
        assert found[0] == pytest.approx(units, rel=1e-6)
    for half, error, units, expected in (
        (1e-9, 1, 10, 50),  # no more than all
        (1.0, 0, 10, np.nan),
        (1.0, np.nan, 1, np.nan),
    ):
        all_units = np.array([50.0])
        found = equivalent_units(np.array([half]), known(error, units), 0.95, n_all=all_units)
        np.testing.assert_array_equal(found, expected)
