"""Tests of mean differences on arrays: SciPy's numbers, many contrasts, missing values."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import stats as scipy_stats
from statsmodels.stats.weightstats import ttost_paired

import fuzzytruth as ft
from fuzzytruth.stats.settings import Purpose, Resampling
from fuzzytruth.stats.sign_flips import random_signs

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


def test_mid_p_by_enumeration() -> None:
    d = np.array([0.1, 0.2, 0.3, -0.1, 0.2, 0.0, -0.3])
    whole = np.round(d * 10).astype(int)
    sums = np.array([abs(np.dot(s, whole)) for s in itertools.product((1, -1), repeat=7)])
    expected = (sums > whole.sum()).mean() + (sums == whole.sum()).mean() / 2
    for unit in (1.0, 1 / 3, 1e-150):
        outcome = ft.stats.sign_flip(d * unit, Resampling(), mid_p=True)
        assert outcome.p == expected
        assert not outcome.exact
    assert ft.stats.sign_flip(d, Resampling()).p == (sums >= whole.sum()).mean()


def test_mid_p_of_drawn_signs_halves_the_ties_and_the_data() -> None:
    whole = np.random.default_rng(5).integers(-3, 5, (40, 3)).astype(float)
    using = Resampling(3000, rng=2)
    sizes = -np.sort(-np.abs(whole), axis=0)  # as signs are given to differences
    blocks = using.run(Purpose.SIGNS, lambda seed, size: random_signs(seed, size, 40) @ sizes)
    sums, observed = np.abs(np.concatenate(blocks)), np.abs(whole.sum(axis=0))
    beyond, same = (sums > observed).sum(axis=0), (sums == observed).sum(axis=0)
    assert same.min() > 10
    outcome = ft.stats.sign_flip(whole / 10, using, mid_p=True)
    np.testing.assert_array_equal(outcome.p, (beyond + (same + 1) / 2) / 3001)
    assert ft.stats.sign_flip(whole[:, 0], using, mid_p=True).p == outcome.p[0]
    plain = ft.stats.sign_flip(whole / 10, using)
    np.testing.assert_array_equal(plain.p, (beyond + same + 1) / 3001)


def test_mid_p_of_equal_systems_is_1() -> None:
    for n in (5, 30):
        outcome = ft.stats.sign_flip(np.zeros((n, 2)), Resampling(99), mid_p=True)
        assert outcome.p.tolist() == [1.0, 1.0]
    assert np.isnan(ft.stats.sign_flip([np.nan], Resampling(), mid_p=True).p)


def test_ties_of_many_queries_count() -> None:
    """On a grid for 16,384 terms, thirds whose sum is 0 have a mean of more than 1e-12."""
    whole = np.repeat([3.0, 1, -2], [2**12, 2**12, 2**13])
    using = Resampling(2000)
    expected = ft.stats.sign_flip(whole, using, mid_p=True).p
    assert expected < ft.stats.sign_flip(whole, using).p == 1
    for unit in (1 / 3, 1 / 5, 1 / 11):
        assert ft.stats.sign_flip(whole * unit, using).p == 1
        assert ft.stats.sign_flip(whole * unit, using, mid_p=True).p == expected
