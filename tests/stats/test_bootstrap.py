"""Bootstrap intervals beside SciPy's and brute loops."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats as scipy_stats

import fuzzytruth as ft
from fuzzytruth.core.clusters import counts, drawn_units
from fuzzytruth.stats.effects import named_statistic
from fuzzytruth.stats.intervals import bootstrap, grouped_bootstrap
from fuzzytruth.stats.observations import QueryGroups
from fuzzytruth.stats.settings import Resampling

X = np.random.default_rng(0).beta(0.6, 1.5, size=(3, 40))


@pytest.mark.parametrize("statistic", [np.mean, np.median, np.std])
@pytest.mark.parametrize("method", ["percentile", "basic", "bca"])
def test_bootstrap_intervals_are_scipys_of_the_same_resamples(statistic, method) -> None:
    result = bootstrap(X, statistic, method=method, level=0.9, resampling=Resampling(2000))
    for row, x in enumerate(X):
        drawn = scipy_stats._resampling.BootstrapResult(
            None, result.distribution[row], float(result.std_error[row])
        )
        expected = scipy_stats.bootstrap(
            (x,),
            statistic,
            n_resamples=0,
            bootstrap_result=drawn,
            confidence_level=0.9,
            method={"bca": "BCa"}.get(method, method),
        ).confidence_interval
        assert result.lower[row] == pytest.approx(expected.low, rel=1e-9)
        assert result.upper[row] == pytest.approx(expected.high, rel=1e-9)


@pytest.mark.parametrize("method", ["percentile", "basic", "bca", "studentized"])
def test_a_row_has_the_interval_that_it_has_alone(method) -> None:
    settings = {"method": method, "level": 0.9, "resampling": Resampling(999)}
    together = bootstrap(X, np.mean, **settings)
    for row in range(3):
        alone = bootstrap(X[row : row + 1], np.mean, **settings)
        ends = alone.lower[0], alone.upper[0]
        assert ends == pytest.approx((together.lower[row], together.upper[row]), rel=1e-9)


def test_resamples_by_a_loop() -> None:
    seed = np.random.SeedSequence(Resampling(100).entropy, spawn_key=(1, 0))
    units = drawn_units(seed, 100, 40)
    assert counts(units).sum(axis=1).tolist() == [40.0] * 100
    for statistic in (np.mean, np.median):
        result = bootstrap(X, statistic, method="basic", level=0.9, resampling=Resampling(100))
        brute = [[statistic(x[chosen]) for chosen in units] for x in X]
        np.testing.assert_allclose(result.distribution, brute, rtol=1e-12)


def test_studentised_by_a_loop() -> None:
    seed = np.random.SeedSequence(Resampling(999).entropy, spawn_key=(1, 0))
    x = X[0]
    t = []
    for chosen in drawn_units(seed, 999, 40):
        again = x[chosen]
        t.append((again.mean() - x.mean()) / scipy_stats.sem(again))
    t.sort()
    result = bootstrap(X, np.mean, method="studentized", level=0.9, resampling=Resampling(999))
    se = scipy_stats.sem(x)
    expected = (x.mean() - t[949] * se, x.mean() - t[49] * se)
    assert (result.lower[0], result.upper[0]) == pytest.approx(expected)


@pytest.mark.parametrize("name", ["mean", "median"])
def test_bca_of_few_units_does_not_hang_on_rounding(name: str) -> None:
    """Adding a constant to all values moves the interval by it."""
    rng = np.random.default_rng(0)
    _, statistic = named_statistic(name)
    for _ in range(60):
        values = np.round(rng.integers(0, 6, (1, rng.integers(3, 6))) / 10, 1)
        ends = []
        for shift in (0.0, 0.1, 0.3, 0.7):
            result = bootstrap(
                values + shift,
                statistic,
                method="bca",
                level=0.9,
                resampling=Resampling(500, 0),
            )
            ends.append((result.lower[0] - shift, result.upper[0] - shift))
        np.testing.assert_allclose(ends, [ends[0]] * 4, rtol=0, atol=1e-12)


def test_clusters_and_strata_by_a_loop() -> None:
    cluster = np.repeat(np.arange(8), 5)
    for kind in ("clusters", "strata"):
        groups = QueryGroups(kind, cluster, 8)
        for method in ("percentile", "basic"):
            result = bootstrap(
                X, np.mean, method=method, level=0.9, resampling=Resampling(300), groups=groups
            )
            low, high = np.quantile(result.distribution, [0.05, 0.95], axis=1)
            ends = (low, high) if method == "percentile" else (2 * result.value - high,) * 2
            np.testing.assert_allclose(result.lower, ends[0], rtol=1e-12)
            np.testing.assert_allclose(result.value, X.mean(axis=1), rtol=1e-14)
            np.testing.assert_allclose(result.std_error, result.distribution.std(axis=1))
    seed = np.random.SeedSequence(Resampling(300).entropy, spawn_key=(1, 0))
    by_cluster = X.reshape(3, 8, 5)
    groups = QueryGroups("clusters", cluster, 8)
    result = grouped_bootstrap(X, groups, method="basic", level=0.9, resampling=Resampling(300))
    brute = [by_cluster[:, units].mean(axis=(1, 2)) for units in drawn_units(seed, 300, 8)]
    np.testing.assert_allclose(result.distribution.T, brute, rtol=1e-12)


def test_groups_without_known_spread() -> None:
    values = np.array([[0.1, 0.1, 0.1], [1.0, 2.0, 3.0]])
    alone = QueryGroups("clusters", np.zeros(3, dtype=int), 1)
    using = {"method": "basic", "level": 0.9, "resampling": Resampling(50)}
    result = bootstrap(values, np.mean, groups=alone, **using)
    assert (result.lower.tolist(), result.upper.tolist()) == ([-np.inf] * 2, [np.inf] * 2)
    assert np.isnan(result.std_error).all()
    each = bootstrap(values, np.mean, groups=QueryGroups("clusters", np.arange(3), 3), **using)
    assert (each.lower[0], each.upper[0], each.std_error[0]) == (each.value[0], each.value[0], 0)


@pytest.mark.parametrize("method", ["bca", "studentized"])
def test_other_methods_are_not_for_groups(method) -> None:
    groups = QueryGroups("strata", np.arange(40) % 2, 2)
    with pytest.raises(ft.OptionError, match=f"method='{method}': over strata of queries, use 'p"):
        bootstrap(X, np.mean, method=method, level=0.9, resampling=Resampling(9), groups=groups)
    with pytest.raises(ft.OptionError, match="statistic: over clusters or strata only the mean"):
        bootstrap(X, np.median, method="basic", level=0.9, resampling=Resampling(9), groups=groups)


@pytest.mark.parametrize("unit", [1.0, 1 / 3, 0.1, 1e-150, 1e150])
def test_resamples_without_spread_have_an_infinite_t(unit: float) -> None:
    settings = {"method": "studentized", "level": 0.9, "resampling": Resampling(999)}
    values = np.array([[0.0, 0, 0, 0, 1], [0.1, 0.1, 0.1, 0.1, 0.3]]) * unit
    result = bootstrap(values, np.mean, **settings)
    assert result.upper.tolist() == [np.inf, np.inf]  # a third of the resamples are one value
    assert np.isfinite(result.lower).all()
    middle = bootstrap(np.array([[0.1, 0.2, 0.3]]) * unit, np.mean, **settings)
    whole = bootstrap(np.array([[1.0, 2, 3]]), np.mean, **settings)
    np.testing.assert_allclose(middle.lower, whole.lower * unit / 10, rtol=1e-12)


@pytest.mark.parametrize("units", [2, 40])
@pytest.mark.parametrize("level", [0.3, 0.9, 0.999])
def test_percentiles_of_few_resamples_are_numpys(level: float, units: int) -> None:
    for resamples in (1, 2, 7):
        using = Resampling(resamples)
        values = X[:, :units]
        result = bootstrap(values, np.mean, method="percentile", level=level, resampling=using)
        assert result.distribution.shape == (3, resamples)
        tails = [(1 - level) / 2, (1 + level) / 2]
        expected = np.quantile(result.distribution, tails, axis=1)
        np.testing.assert_allclose([result.lower, result.upper], expected, rtol=1e-12)
