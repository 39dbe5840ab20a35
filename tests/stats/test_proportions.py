"""Wilson's intervals beside statsmodels'."""

from __future__ import annotations

import numpy as np
import pytest
from statsmodels.stats.proportion import proportion_confint
from support.scores_for_tests import scores_of

import fuzzytruth as ft


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.999])
def test_wilson_is_statsmodels(level: float) -> None:
    n = np.repeat(np.arange(1, 41), 41)
    k = np.minimum(np.tile(np.arange(41), 40), n)
    expected = proportion_confint(k, n, alpha=1 - level, method="wilson")
    np.testing.assert_allclose(ft.stats.wilson(k, n, level=level), expected, rtol=0, atol=1e-12)


def test_ends_of_the_scale_and_no_query() -> None:
    lower, upper = ft.stats.wilson([0, 10, 0], [10, 10, 0])
    assert (lower[0], upper[1]) == (0.0, 1.0)
    assert upper[0] == pytest.approx(0.2775, abs=5e-5)  # Brown, Cai & DasGupta 2001: z²/(n + z²)
    assert np.isnan([lower[2], upper[2]]).all()
    lower, upper = ft.stats.wilson([1, 2], 4)
    assert (lower + upper)[1] == pytest.approx(1)


def test_what_is_no_proportion() -> None:
    with pytest.raises(ft.DataError, match="11 successes among 10: must be from 0 to n"):
        ft.stats.wilson([3, 11, 12], [10, 10, 9])
    with pytest.raises(ft.DataError, match="-1 successes among 10"):
        ft.stats.wilson(-1, 10)
    with pytest.raises(ft.DataError, match=r"shape \(2,\) and n of shape \(3,\)"):
        ft.stats.wilson([1, 2], [3, 4, 5])
    with pytest.raises(ft.OptionError, match="level"):
        ft.stats.wilson(1, 10, level=1)


def test_summary_of_successes() -> None:
    values = np.array([[1.0] * 9 + [0], [1] * 3 + [0] * 7])
    values[1, 9] = np.nan
    table = scores_of(values).summary(method="wilson", level=0.9, full=True)
    expected = np.transpose(proportion_confint([9, 3], [10, 9], alpha=0.1, method="wilson"))
    np.testing.assert_allclose(table[["lower", "upper"]], expected, rtol=0, atol=1e-12)
    assert table["mean"].tolist() == [0.9, 1 / 3]
    np.testing.assert_allclose(table["std_error"], [np.sqrt(0.09 / 10), np.sqrt(2 / 9 / 9)])
    assert table["df"].isna().all()
    assert table["n_queries"].tolist() == [10, 9]
    assert set(table["method"]) == {"Wilson score interval"}


def test_subjects_who_agree_but_for_rounding() -> None:
    thirds = np.array([[[0.1, 0.0], [0.2, 0.0], [0.7, 0.0]]]) * 3  # means 1 + 2e-16 and 0
    table = scores_of(thirds).summary(method="wilson")
    lower, upper = ft.stats.wilson(1, 2)
    assert table[["mean", "lower", "upper"]].values.tolist() == [[0.5, lower, upper]]


def test_wilson_is_for_ones_and_zeros_of_one_system_over_queries() -> None:
    scores = scores_of([[1.0, 0, 1], [1, 0.5, 0]])
    with pytest.raises(ft.OptionError, match=r"system 2 has 0.5 on query 2 \(counted from 1\)"):
        scores.summary(method="wilson")
    crisp = scores_of([[[1.0, 0, 1], [1, 0, 1]], [[1, 0, 0], [1, 0, 0]]])
    assert len(crisp.summary(method="wilson")) == 2
    for given in ({"over": "subject"}, {"over": ("query", "subject")}, {"statistic": "median"}):
        with pytest.raises(ft.OptionError, match="method='wilson': is for the mean of each system"):
            crisp.summary(method="wilson", **given)
    with pytest.raises(ft.OptionError, match="for differences"):
        ft.difference_intervals(crisp, method="wilson")
