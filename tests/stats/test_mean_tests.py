"""Tests of mean differences and of two distributions: SciPy's numbers, enumeration, contrasts."""

import itertools
from typing import Any

import numpy as np
import pytest
from scipy import stats as scipy_stats
from statsmodels.stats.weightstats import ttost_paired

import fuzzytruth as ft
from fuzzytruth.stats.settings import Resampling

D = np.random.default_rng(0).normal(0.05, 0.1, (12, 4))  # (queries, contrasts)
D[3, 1] = D[5, 1] = D[0, 2] = np.nan
MANY: dict[str, Any] = {
    "paired_t": lambda d: ft.stats.paired_t(d),
    "equivalence": lambda d: ft.stats.equivalence(d, margin=0.1),
    "sign_flip": lambda d: ft.stats.sign_flip(d, Resampling()),
    "sign_test": lambda d: ft.stats.sign_test(d),
}


@pytest.mark.parametrize("name", MANY)
def test_contrasts_are_tested_as_if_alone(name: str) -> None:
    """NaN are left out, also where another contrast has a value."""
    together = MANY[name](np.hstack([D, np.full((12, 1), np.nan)]))
    for column in range(4):
        alone = MANY[name](D[~np.isnan(D[:, column]), column])
        for field in ("n", "estimate", "statistic", "p"):
            expected = pytest.approx(getattr(alone, field), rel=1e-12)
            assert getattr(together, field)[column] == expected, field
    assert np.isnan([together.estimate[4], together.statistic[4], together.p[4]]).all()
    assert np.isnan(MANY[name](np.array([])).p)
    for shape in ((), (2, 3, 4)):
        with pytest.raises(ft.errors.DataError, match="differences of shape"):
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
    assert (outcome.exact, outcome.p) == (True, pytest.approx(expected.pvalue))
    drawn = ft.stats.sign_flip(D[:, 0], Resampling(999))
    assert (drawn.exact, drawn.p) == (False, pytest.approx(expected.pvalue, abs=0.05))


def test_mid_p_by_enumeration() -> None:
    d = np.array([0.1, 0.2, 0.3, -0.1, 0.2, 0.0, -0.3])
    whole = np.round(d * 10).astype(int)
    sums = np.array([abs(np.dot(s, whole)) for s in itertools.product((1, -1), repeat=7)])
    expected = (sums > whole.sum()).mean() + (sums == whole.sum()).mean() / 2
    for unit in (1.0, 1 / 3, 1e-150):
        outcome = ft.stats.sign_flip(d * unit, Resampling(), mid_p=True)
        assert (outcome.p, outcome.exact) == (expected, False)
    assert ft.stats.sign_flip(d, Resampling()).p == (sums >= whole.sum()).mean()
    for n in (5, 30):
        same = ft.stats.sign_flip(np.zeros((n, 2)), Resampling(99), mid_p=True)
        assert same.p.tolist() == [1.0, 1.0]


def test_bootstrap_shift() -> None:
    using = Resampling(500, rng=1)
    outcome = ft.stats.bootstrap_shift(D[:, 0], using)
    with_nan = ft.stats.bootstrap_shift(np.insert(D[:, 0], 3, np.nan), using)
    assert (with_nan.n, with_nan.p, outcome.exact) == (12, outcome.p, False)
    t = scipy_stats.ttest_1samp(D[:, 0], 0).pvalue
    assert outcome.p == pytest.approx(t, abs=0.1)
    assert ft.stats.bootstrap_shift([0.4], using).p == 1
    assert np.isnan(ft.stats.bootstrap_shift([np.nan], using).p)
    with pytest.raises(ft.errors.DataError, match="differences of shape"):
        ft.stats.bootstrap_shift(D, using)


A, B = np.array([0.1, 0.5, 0.5, 0.9, 0.3]), np.array([0.2, 0.5, 0.1, 0.4, 0.3])
SWAPPED = [
    (np.where(swap, B, A), np.where(swap, A, B))
    for swap in itertools.product((False, True), repeat=5)
]


def test_wasserstein_is_scipys_with_p_by_enumeration() -> None:
    outcome = ft.stats.wasserstein(A, B, Resampling())
    every = np.array([scipy_stats.wasserstein_distance(*pair) for pair in SWAPPED])
    assert outcome.estimate == pytest.approx(every[0])
    assert (outcome.exact, outcome.p) == (True, np.mean(every >= every[0] - 1e-12))
    drawn = ft.stats.wasserstein(A, B, Resampling(20))
    assert (drawn.exact, drawn.p) == (False, pytest.approx(outcome.p, abs=0.4))
    assert drawn.p * 21 == pytest.approx(round(drawn.p * 21))
    a, b = np.append(A, [np.nan, 0.2]), np.append(B, [0.1, np.nan])
    missing = ft.stats.wasserstein(a, b, Resampling())
    assert (missing.n, missing.p) == (5, outcome.p)
    assert np.isnan(ft.stats.wasserstein([np.nan], [1.0], Resampling()).p)


def test_dominance_is_one_sided_kolmogorov_smirnov_with_p_by_enumeration() -> None:
    leads = ft.stats.dominance(A, B, Resampling())
    every = np.array([scipy_stats.ks_2samp(x, y, alternative="less").statistic for x, y in SWAPPED])
    assert leads.test.estimate == pytest.approx(every[0])
    assert leads.test.p == np.mean(every >= every[0] - 1e-12)
    assert leads.behind == pytest.approx(scipy_stats.ks_2samp(A, B, "greater").statistic)
    assert leads.dominates == (leads.behind == 0)
    nothing = ft.stats.dominance([], [], Resampling())
    assert (np.isnan(nothing.behind), nothing.dominates) == (True, False)
    with pytest.raises(ft.errors.DataError, match=r"\(5,\) and \(4,\)"):
        ft.stats.dominance(A, B[:4], Resampling())
    a, b = np.random.default_rng(0).integers(0, 6, (2, 49)) / 7
    one, other = ft.stats.dominance(a, b, Resampling(99)), ft.stats.dominance(b, a, Resampling(99))
    assert (one.test.statistic, one.behind) == (other.behind, other.test.statistic)
    assert one.behind * 49 == pytest.approx(round(one.behind * 49), abs=1e-14)
