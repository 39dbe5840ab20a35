"""Student's t against SciPy, also where its spread is unknown or none."""

import numpy as np
import pytest
from scipy import stats

from fuzzytruth.core.student import quantile, statistic, two_sided

NAN, INF = np.nan, np.inf


@pytest.mark.parametrize("df", [1, 2.5, 10, 1e6])
def test_quantiles_and_tails_are_scipys(df: float) -> None:
    level = np.array([0.0, 0.5, 0.9, 0.95, 0.999])
    np.testing.assert_allclose(quantile(level, df), stats.t.ppf((1 + level) / 2, df), atol=1e-12)
    t = np.array([0.0, 0.3, -2.0, 40.0, INF, -INF])
    np.testing.assert_allclose(two_sided(t, df), 2 * stats.t.sf(np.abs(t), df), rtol=1e-9)
    np.testing.assert_allclose(two_sided(quantile(0.95, df), df), 0.05, rtol=1e-9)


def test_the_statistic_is_that_of_a_t_test() -> None:
    x = np.random.default_rng(1).normal(size=(12, 5)) + 0.4
    reference = stats.ttest_1samp(x, 0)
    np.testing.assert_allclose(statistic(x.mean(0), stats.sem(x)), reference.statistic)
