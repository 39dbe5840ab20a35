"""Student's t against SciPy, and the policy for degenerate data."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from fuzzytruth.core.student import ends, p_value, quantile, statistic, two_sided

NAN, INF = np.nan, np.inf


@pytest.mark.parametrize("df", [1, 2.5, 10, 1e6])
def test_quantiles_and_tails_are_scipys(df: float) -> None:
    level = np.array([0.0, 0.5, 0.9, 0.95, 0.999])
    np.testing.assert_allclose(quantile(level, df), stats.t.ppf((1 + level) / 2, df), atol=1e-12)
    t = np.array([0.0, 0.3, -2.0, 40.0, INF, -INF])
    np.testing.assert_allclose(two_sided(t, df), 2 * stats.t.sf(np.abs(t), df), rtol=1e-9)
    np.testing.assert_allclose(two_sided(quantile(0.95, df), df), 0.05, rtol=1e-9)


def test_no_degrees_of_freedom_say_nothing() -> None:
    for df in (0.0, -1.0, NAN):
        assert (quantile(0.95, df), two_sided(7.0, df)) == (INF, 1)
    assert quantile([0.5, 0.9], [0, 0]).tolist() == [INF, INF]
    assert quantile(0.5, np.empty(0)).shape == (0,)


def test_interval_and_p_are_those_of_a_t_test() -> None:
    x = np.random.default_rng(1).normal(size=(12, 5)) + 0.4
    mean, error = x.mean(0), stats.sem(x)
    reference = stats.ttest_1samp(x, 0)
    interval = reference.confidence_interval(0.9)
    np.testing.assert_allclose(statistic(mean, error), reference.statistic)
    np.testing.assert_allclose(p_value(mean, error, np.full(5, 11.0)), reference.pvalue)
    lower, upper = ends(mean, error, quantile(0.9, 11))
    np.testing.assert_allclose([lower, upper], [interval.low, interval.high])


#: mean, standard error, df -> statistic, p, interval
DEGENERATE = [
    (NAN, NAN, 0.0, None, NAN, (NAN, NAN)),
    (0.3, NAN, 0.0, 0.0, 1.0, (-INF, INF)),
    (0.3, 0.0, 4.0, INF, 0.0, (0.3, 0.3)),
    (-0.3, 0.0, 4.0, -INF, 0.0, (-0.3, -0.3)),
    (0.0, 0.0, 4.0, 0.0, 1.0, (0.0, 0.0)),
    (0.0, 0.5, 4.0, 0.0, 1.0, None),
]


@pytest.mark.parametrize(("mean", "error", "df", "t", "p", "interval"), DEGENERATE)
def test_degenerate_data(mean, error, df, t, p, interval) -> None:
    one = (np.array([mean]), np.array([error]))
    if t is not None:
        assert statistic(*one).tolist() == [t]
    np.testing.assert_array_equal(p_value(*one, np.array([df])), [p])
    lower, upper = ends(*one, quantile(0.95, df))
    if interval is None:
        interval = -0.5 * stats.t.ppf(0.975, df), 0.5 * stats.t.ppf(0.975, df)
        np.testing.assert_allclose((lower[0], upper[0]), interval)
    else:
        np.testing.assert_array_equal((lower[0], upper[0]), interval)


def test_unknown_degrees_of_freedom_leave_the_interval_open() -> None:
    lower, upper = ends(np.array([1.0, 0.0]), np.array([0.0, 0.0]), INF)
    assert (lower.tolist(), upper.tolist()) == ([-INF, 0.0], [INF, 0.0])
    for multiple in (INF, NAN):
        lower, upper = ends(np.array([-2.0, 0.5]), np.zeros(2), np.array([multiple, 1.0]))
        assert (lower.tolist(), upper.tolist()) == ([-INF, 0.5], [INF, 0.5])
    assert p_value(np.array([1.0]), np.array([0.2]), np.array([0.0])).tolist() == [1]
