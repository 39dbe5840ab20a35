"""Tests of mean differences on arrays: SciPy's numbers, many contrasts, missing values."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats as scipy_stats
from statsmodels.stats.weightstats import ttost_paired

import fuzzytruth as ft
from fuzzytruth.stats.settings import Resampling

D = np.random.default_rng(0).normal(0.05, 0.1, (12, 4))  # (queries, contrasts)
D[3, 1] = D[5, 1] = D[0, 2] = np.nan
MANY = {
    "paired_t": lambda d: ft.stats.paired_t(d),
    "equivalence": lambda d: ft.stats.equivalence(d, margin=0.1),
    "sign_flip": lambda d: ft.stats.sign_flip(d, Resampling()),
    "sign_test": lambda d: ft.stats.sign_test(d),
}


@pytest.mark.parametrize("name", MANY)
def test_contrasts_are_tested_as_if_alone(name: str) -> None:
    """NaN are left out, also where another contrast has a value."""
    together = MANY[name](D)
    for column in range(4):
        alone = MANY[name](D[~np.isnan(D[:, column]), column])
        for field in ("n", "estimate", "statistic", "p"):
            expected = pytest.approx(getattr(alone, field), rel=1e-12)
            assert getattr(together, field)[column] == expected, field


@pytest.mark.parametrize("name", MANY)
def test_no_value_gives_nan(name: str) -> None:
    empty = np.full((12, 1), np.nan)
    outcome = MANY[name](np.hstack([D, empty]))
    assert np.isnan([outcome.estimate[4], outcome.statistic[4], outcome.p[4]]).all()
    assert not np.isnan(outcome.p[:4]).any()
    assert np.isnan(MANY[name](np.array([])).p)


@pytest.mark.parametrize("name", MANY)
def test_other_shapes_are_refused(name: str) -> None:
    for shape in ((), (2, 3, 4)):
        with pytest.raises(ft.DataError, match="differences of shape"):
            MANY[name](np.zeros(shape))


def test_paired_t_and_equivalence_beside_scipy_and_statsmodels() -> None:
    d = D[:, 0]
    expected = scipy_stats.ttest_1samp(d, 0)
    outcome = ft.stats.paired_t(d, level=0.9)
    assert (outcome.statistic, outcome.p) == pytest.approx((expected.statistic, expected.pvalue))
    ends = expected.confidence_interval(0.9)
    assert (outcome.lower, outcome.upper) == pytest.approx((ends.low, ends.high))
    outcome = ft.stats.equivalence(d, margin=0.1)
    assert outcome.p == pytest.approx(ttost_paired(d, np.zeros(12), -0.1, 0.1)[0])
    assert outcome.level == 0.9


def test_sign_flip_beside_scipy() -> None:
    expected = scipy_stats.permutation_test(
        (D[:, 0],), np.mean, permutation_type="samples", n_resamples=np.inf
    )
    outcome = ft.stats.sign_flip(D[:, 0], Resampling())
    assert outcome.exact
    assert outcome.p == pytest.approx(expected.pvalue)
    drawn = ft.stats.sign_flip(D[:, 0], Resampling(999))
    assert not drawn.exact
    assert drawn.p == pytest.approx(expected.pvalue, abs=0.05)


def test_bootstrap_shift() -> None:
    outcome = ft.stats.bootstrap_shift(D[:, 0], Resampling(500, rng=1))
    with_nan = ft.stats.bootstrap_shift(np.insert(D[:, 0], 3, np.nan), Resampling(500, rng=1))
    assert (with_nan.n, with_nan.p) == (12, outcome.p)
    assert ft.stats.bootstrap_shift([0.4], Resampling(99)).p == 1
    assert np.isnan(ft.stats.bootstrap_shift([np.nan], Resampling(99)).p)
    with pytest.raises(ft.DataError, match="differences of shape"):
        ft.stats.bootstrap_shift(D, Resampling(99))


@pytest.mark.parametrize(("margin", "level"), [(0, 0.95), (-1, 0.95), (0.1, 0.5), (0.1, 1)])
def test_margin_and_level_are_checked(margin: float, level: float) -> None:
    with pytest.raises(ft.OptionError, match=r"margin|level"):
        ft.stats.equivalence(D, margin=margin, level=level)
