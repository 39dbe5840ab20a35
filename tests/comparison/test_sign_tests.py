"""Tests of signs and signed ranks, taken from Scores: beside SciPy and statsmodels."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import stats as scipy_stats
from statsmodels.stats.contingency_tables import mcnemar as reference_mcnemar
from support.scores_for_tests import scores_of

import fuzzytruth as ft

RNG = np.random.default_rng(0)
A = RNG.beta(1, 2, 30)
B = np.clip(A + RNG.normal(0.05, 0.1, 30), 0, 1)
SCORES = scores_of([B, A])
PAIR = ("sys0", "sys1")


def test_wilcoxon_is_scipys_and_estimates_the_pseudo_median() -> None:
    result = ft.wilcoxon(SCORES, *PAIR)
    assert result.p == scipy_stats.wilcoxon(B - A).pvalue
    d = B - A
    walsh = [(x + y) / 2 for x, y in itertools.combinations_with_replacement(d, 2)]
    assert result.estimate == pytest.approx(np.median(walsh))


def test_sign_test_is_the_binomial() -> None:
    d = np.array([1, 2, 0, -1, 3, 0, 2.0])
    result = ft.sign_test(scores_of([d, np.zeros(7)]), *PAIR)
    assert result.p == scipy_stats.binomtest(4, 5).pvalue
    assert (result.n, result.estimate) == (7, 0.8)
    lower_better = ft.sign_test(scores_of([d, np.zeros(7)], higher_is_better=(False,)), *PAIR)
    assert lower_better.estimate == pytest.approx(0.2)
    assert lower_better.p == result.p


def test_mcnemar_is_statsmodels() -> None:
    a, b = B >= 0.3, A >= 0.3
    table = [[(a & b).sum(), (a & ~b).sum()], [(~a & b).sum(), (~a & ~b).sum()]]
    result = ft.mcnemar(SCORES, *PAIR, success=0.3)
    assert result.p == pytest.approx(reference_mcnemar(table, exact=True).pvalue)
    assert result.estimate == pytest.approx(a.mean() - b.mean())


def test_mcnemar_counts_low_values_as_successes_where_lower_is_better() -> None:
    result = ft.mcnemar(scores_of([B, A], higher_is_better=(False,)), *PAIR, success=0.3)
    assert result.estimate == pytest.approx((B <= 0.3).mean() - (A <= 0.3).mean())
    assert result.statistic == ((B <= 0.3) & (A > 0.3)).sum()


@pytest.mark.parametrize("higher", [True, False])
def test_mcnemar_of_values_that_are_0_or_1(higher: bool) -> None:
    scores = scores_of([B >= 0.3, A >= 0.3], higher_is_better=(higher,))
    assert repr(ft.mcnemar(scores, *PAIR)) == repr(ft.mcnemar(scores, *PAIR, success=0.5))
    assert ft.mcnemar(scores, *PAIR).p < 0.5
    message = r"^success=None: values of .* are not all 0 or 1; give the least that is a success"
    with pytest.raises(ft.OptionError, match=message):
        ft.mcnemar(SCORES, *PAIR)


def test_identical_systems() -> None:
    same = scores_of([A, A])
    assert ft.wilcoxon(same, *PAIR).p == 1
    assert ft.sign_test(same, *PAIR).p == 1
    assert ft.mcnemar(same, *PAIR, success=0.5).p == 1


def test_success_is_reached_by_means_of_subjects() -> None:
    thirds = np.array([[[0.0] * 6, [0.0] * 6, [0.3] * 6], [[0.0] * 6] * 3])
    assert thirds[0].mean(axis=0).max() < 0.1  # by 1e-17
    for unit in (1.0, 1e150):
        result = ft.mcnemar(scores_of(thirds * unit), *PAIR, success=0.1 * unit)
        assert (result.estimate, result.p) == (1.0, 2 / 2**6)


def test_mid_p_is_named() -> None:
    for test, given in ((ft.sign_test, {}), (ft.mcnemar, {"success": 0.3})):
        plain, mid = (test(SCORES, *PAIR, mid_p=mid_p, **given) for mid_p in (False, True))
        assert mid.p < plain.p
        assert (plain.exact, mid.exact) == (True, False)
        assert mid.null == f"{plain.null} (mid-p)"
