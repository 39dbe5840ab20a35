"""Tests of mean differences, taken from Scores: beside SciPy and statsmodels."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest
from scipy import stats as scipy_stats
from statsmodels.stats.weightstats import ttost_paired
from support.scores_for_tests import scores_of

import fuzzytruth as ft
from fuzzytruth.stats.intervals import resampled_means
from fuzzytruth.stats.settings import Purpose, Resampling

RNG = np.random.default_rng(0)
A = RNG.beta(1, 2, 30)
B = np.clip(A + RNG.normal(0.05, 0.1, 30), 0, 1)
SCORES = scores_of([B, A])
PAIR = ("sys0", "sys1")


def test_paired_t_is_scipys() -> None:
    result = ft.paired_t(SCORES, *PAIR, level=0.9)
    expected = scipy_stats.ttest_rel(B, A)
    assert (result.statistic, result.p) == pytest.approx((expected.statistic, expected.pvalue))
    ends = expected.confidence_interval(0.9)
    assert (result.lower, result.upper) == pytest.approx((ends.low, ends.high))
    assert result.null == "the mean difference over queries is 0"
    assert (result.n, result.estimate) == (30, pytest.approx((B - A).mean()))


def test_sign_flip_and_bootstrap_shift_by_brute_force() -> None:
    d = np.array([0.3, -0.1, 0.2, 0.25, 0.05])
    scores = scores_of([d, np.zeros(5)])
    sums = [abs(np.dot(s, d)) for s in itertools.product((1, -1), repeat=5)]
    result = ft.sign_flip(scores, *PAIR)
    assert (result.p, result.exact) == (np.mean(np.array(sums) >= d.sum() - 1e-12), True)
    shifted = ft.bootstrap_shift(scores, *PAIR, n_resamples=500, rng=1)
    centred = d[None, :] - d.mean()
    drawn = resampled_means(centred, Resampling(500, rng=1), Purpose.QUERIES)[0]
    assert shifted.p == ((np.abs(drawn) >= d.mean() - 1e-12).sum() + 1) / 501
    assert not shifted.exact


@pytest.mark.parametrize("margin", [0.02, 0.08, 0.2])
def test_equivalence_is_statsmodels(margin: float) -> None:
    result = ft.equivalence(SCORES, *PAIR, margin=margin)
    assert result.p == pytest.approx(ttost_paired(B, A, -margin, margin)[0])
    inside = -margin < result.lower and result.upper < margin
    assert inside == (result.p <= 0.05)
    assert f"{margin:g} or more" in result.null
    with pytest.raises(ft.OptionError, match="margin"):
        ft.equivalence(SCORES, *PAIR, margin=0)


def test_identical_systems() -> None:
    same = scores_of([A, A])
    for name in ("paired_t", "sign_flip", "bootstrap_shift"):
        assert getattr(ft, name)(same, *PAIR).p == 1.0, name
    result = ft.paired_t(same, *PAIR)
    assert (result.estimate, result.lower, result.upper) == (0.0, 0.0, 0.0)
    assert ft.equivalence(same, *PAIR, margin=0.1).p == 2.0**-30


def test_a_single_query() -> None:
    one = scores_of([[0.5], [0.2]])
    result = ft.paired_t(one, *PAIR)
    assert (result.p, result.lower, result.upper) == (1.0, -np.inf, np.inf)
    assert ft.sign_flip(one, *PAIR).p == 1
    assert ft.equivalence(one, *PAIR, margin=1).p == 1
    scores = ft.Scores.from_frame(
        pd.DataFrame({"system": ["a", "b"], "query": 1, "value": [0.4, 0.0]})
    )
    assert ft.bootstrap_shift(scores, "a", "b").p == 1.0


def test_mid_p_is_named() -> None:
    d = np.array([0.3, -0.1, 0.2, 0.2, 0.1])
    scores = scores_of([d, np.zeros(5)])
    plain, mid = ft.sign_flip(scores, *PAIR), ft.sign_flip(scores, *PAIR, mid_p=True)
    assert mid.p < plain.p
    assert (plain.exact, mid.exact) == (True, False)
    assert mid.null == f"{plain.null} (mid-p)"
