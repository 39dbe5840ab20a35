"""Coefficients of agreement: variances by leaving out, intervals, and Wilson's proportions."""

from typing import Any

import numpy as np
import pytest
from scipy.stats import t as student
from statsmodels.stats.proportion import proportion_confint
from support.scores_for_tests import scores_of

import fuzzytruth as ft
from fuzzytruth.core.votes.unit_votes import Sums
from fuzzytruth.stats import agreement
from fuzzytruth.stats.laws import Fit


def part(variance: float, n: int) -> agreement.Part:
    return agreement.Part(np.array([variance]), n, np.zeros(1, dtype=np.int64))


def both_ways(value: float, *parts: agreement.Part) -> Fit:
    return agreement.two_way(np.array([value]), *parts)


def of_one(value: float, without: Any) -> agreement.Part:
    return agreement.jackknife(np.array([value]), [np.asarray(without)[:, None]])


def test_coefficients_from_sums() -> None:
    def value(chance: agreement.Chance, *sums: float) -> float:
        return float(chance.value(Sums(*(np.array([x]) for x in (*sums, 0.0))))[0])

    some = (4.0, 20.0, 20.0, 190.0)  # gaps, weight, size, squares
    assert value(agreement.Chance("alpha"), *some) == pytest.approx(1 - 0.2 / (190 / 380))
    assert value(agreement.Chance("fleiss"), *some) == pytest.approx(1 - 0.2 / (190 / 400))
    assert value(agreement.Chance("percent", largest=2.0), *some) == pytest.approx(0.9)
    expected = 1 - 0.1 / (1 - 0.5 * 190 / 400)
    assert value(agreement.Chance("ac2", largest=2.0, factor=0.5), *some) == pytest.approx(expected)
    assert np.isnan(value(agreement.Chance("alpha"), 0.0, 20.0, 20.0, 0.0))
    assert np.isnan(value(agreement.Chance("alpha"), 0.0, 0.0, 0.0, 0.0))


def test_the_jackknife() -> None:
    x = np.random.default_rng(0).normal(size=20)
    without = (x.sum() - x) / 19
    found = of_one(x.mean(), without)
    assert found.variance[0] == pytest.approx(x.var(ddof=1) / 20)
    assert (found.n, found.undefined[0]) == (20, 0)
    blocks = agreement.jackknife(np.array([x.mean()]), (without[:7, None], without[7:, None]))
    assert blocks.variance[0] == pytest.approx(found.variance[0])
    unknown = of_one(0.5, [0.4, np.nan, 0.6])
    assert (np.isnan(unknown.variance[0]), unknown.undefined[0]) == (True, 1)
    assert np.isnan(of_one(0.5, [0.4]).variance[0])
    step = np.spacing(0.5)  # rounding errors are no spread
    assert of_one(0.5, [0.5, 0.5 + step, 0.5 - step / 2]).variance.tolist() == [0.0]
    some = of_one(0.5, [0.4, 0.5 + step, 0.6])
    assert some.variance[0] == pytest.approx(2 / 3 * (0.1**2 + 0.1**2))


def test_degenerate_intervals() -> None:
    unknown = agreement.Part(np.array([np.nan]), 5, np.ones(1, dtype=np.int64))
    for fit in (
        agreement.one_way(np.array([0.5]), unknown),
        both_ways(0.5, part(0.1, 9), unknown, part(0.1, 9)),
        both_ways(0.5, part(0.1, 9), part(0.1, 1), part(0.1, 9)),
        both_ways(0.5, part(1.0, 1), part(1.0, 4), part(1.0, 4)),
    ):
        assert [end[0] for end in agreement.ends(fit, 0.95)] == [-np.inf, 1.0]
        assert (np.isnan(fit.std_error[0]), fit.df[0] in (0, 4)) == (True, True)
    for fit in (
        agreement.one_way(np.array([1.0]), part(0.0, 9)),
        both_ways(1.0, part(0.0, 9), part(0.0, 4), part(0.0, 36)),
    ):
        assert [end[0] for end in agreement.ends(fit, 0.95)] == [1.0, 1.0]
    assert np.isnan(agreement.ends(agreement.one_way(np.array([np.nan]), unknown), 0.95)).all()


def test_intervals_of_coefficients() -> None:
    value = np.array([0.5, 1.0, 0.0, np.nan, 0.5, -0.9, -1.0])
    error = np.array([0.1, 0.0, 0.0, np.nan, np.nan, 1.0, 0.0])
    chance, clusters = np.full(7, 0.5), np.array([11, 20, 11, 0, 1, 11, 20])
    lower, upper = agreement.chance_corrected_intervals(value, error, chance, clusters, 0.95)
    t = student.ppf(0.975, 10)
    expected = (1 - 0.5 * np.exp(t * 0.1 / 0.5), 1 - 0.5 / np.exp(t * 0.1 / 0.5))
    assert (lower[0], upper[0]) == pytest.approx(expected)
    t = student.ppf(0.975, 19)
    assert (lower[1], upper[1]) == pytest.approx((1 - t**2 / (20 + t**2) / 0.5, 1))
    assert np.isnan([lower[2], upper[2], lower[3], upper[3]]).all()
    assert (lower[4], upper[4], lower[5]) == (-1, 1, -1)
    assert (lower[6], upper[6]) == pytest.approx((-1, 1 - 20 / (20 + t**2) / 0.5))


def test_intervals_of_correlations_and_means() -> None:
    value, error = np.array([0.5, 1.0, 0.5, -1.0, -1.0]), np.array([0.1, 0.0, np.nan, 0.0, 0.5])
    clusters = np.array([11, 11, 1, 9, 9])
    lower, upper = agreement.correlation_intervals(value, error, clusters, 0.95)
    t = student.ppf(0.975, 10)
    expected = np.tanh(np.arctanh(0.5) + t * 0.1 / 0.75 * np.array([-1, 1]))
    assert (lower[0], upper[0]) == pytest.approx(tuple(expected))
    assert list(zip(lower[1:], upper[1:], strict=True)) == [(1, 1), (-1, 1), (-1, -1), (-1, -1)]
    lower, upper = agreement.mean_intervals(value[:3], error[:3], clusters[:3], 0.95, least=-1.0)
    assert upper[0] - lower[0] == pytest.approx(2 * t * 0.1)
    assert np.isnan(lower[1])
    assert (lower[2], upper[2]) == (-1, 1)


def test_wilson_is_statsmodels() -> None:
    n = np.repeat(np.arange(1, 41), 41)
    k = np.minimum(np.tile(np.arange(41), 40), n)
    for level in (0.5, 0.95, 0.999):
        expected = proportion_confint(k, n, alpha=1 - level, method="wilson")
        np.testing.assert_allclose(
            agreement.wilson(k, n, level=level), expected, rtol=0, atol=1e-12
        )
    lower, upper = agreement.wilson([0, 10, 0], [10, 10, 0])
    assert (lower[0], upper[1]) == (0.0, 1.0)
    assert upper[0] == pytest.approx(0.2775, abs=5e-5)  # Brown, Cai & DasGupta 2001: z²/(n + z²)
    assert np.isnan([lower[2], upper[2]]).all()
    assert np.sum(agreement.wilson([1, 2], 4), axis=0)[1] == pytest.approx(1)


@pytest.mark.parametrize(
    ("k", "n", "level", "error", "message"),
    [
        (
            [3, 11, 12],
            [10, 10, 9],
            0.95,
            ft.errors.DataError,
            "11 successes among 10: must be from 0 to",
        ),
        (-1, 10, 0.95, ft.errors.DataError, "-1 successes among 10"),
        ([1, 2], [3, 4, 5], 0.95, ft.errors.DataError, r"shape \(2,\) and n of shape \(3,\)"),
        (1, 10, 1, ft.errors.OptionError, "level"),
    ],
)
def test_what_is_no_proportion(k: Any, n: Any, level: float, error: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        agreement.wilson(k, n, level=level)


def test_summary_of_successes() -> None:
    values = np.array([[1.0] * 9 + [0], [1] * 3 + [0] * 7])
    values[1, 9] = np.nan
    table = scores_of(values).summary(method="wilson", level=0.9, full=True)
    expected = np.transpose(proportion_confint([9, 3], [10, 9], alpha=0.1, method="wilson"))
    np.testing.assert_allclose(table[["lower", "upper"]], expected, rtol=0, atol=1e-12)
    np.testing.assert_allclose(table["std_error"], [np.sqrt(0.09 / 10), np.sqrt(2 / 9 / 9)])
    assert table["df"].isna().all()
    assert table[["mean", "n_queries"]].values.tolist() == [[0.9, 10], [1 / 3, 9]]
    assert set(table["method"]) == {"Wilson score interval"}
    thirds = np.array([[[0.1, 0.0], [0.2, 0.0], [0.7, 0.0]]]) * 3  # means 1 + 2e-16 and 0
    table = scores_of(thirds).summary(method="wilson")
    assert table[["mean", "lower", "upper"]].values.tolist() == [[0.5, *agreement.wilson(1, 2)]]


def test_wilson_is_for_ones_and_zeros_of_one_system_over_queries() -> None:
    scores = scores_of([[1.0, 0, 1], [1, 0.5, 0]])
    with pytest.raises(
        ft.errors.OptionError, match=r"system 2 has 0.5 on query 2 \(counted from 1\)"
    ):
        scores.summary(method="wilson")
    crisp = scores_of([[[1.0, 0, 1], [1, 0, 1]], [[1, 0, 0], [1, 0, 0]]])
    assert len(crisp.summary(method="wilson")) == 2
    for given in ({"over": "subject"}, {"over": ("query", "subject")}, {"statistic": "median"}):
        with pytest.raises(
            ft.errors.OptionError, match="method='wilson': is for the mean of each system"
        ):
            crisp.summary(method="wilson", **given)
    with pytest.raises(ft.errors.OptionError, match="for differences"):
        ft.tests.difference_intervals(crisp, method="wilson")
