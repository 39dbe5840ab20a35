"""Tests of pairs beside SciPy and statsmodels, each with its null."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest
from scipy import stats as scipy_stats
from statsmodels.stats.contingency_tables import mcnemar as reference_mcnemar
from statsmodels.stats.weightstats import ttost_paired
from support.scores_for_tests import scores_of

import fuzzytruth as ft
from fuzzytruth.core.cells import Cells
from fuzzytruth.stats.bootstrap import resampled_means
from fuzzytruth.stats.settings import Purpose, Resampling

RNG = np.random.default_rng(0)
A = RNG.beta(1, 2, 30)
B = np.clip(A + RNG.normal(0.05, 0.1, 30), 0, 1)
SCORES = scores_of([B, A])
PAIR = ("sys0", "sys1")


def test_paired_t_is_scipys() -> None:
    found = ft.stats.paired_t(SCORES, *PAIR, level=0.9)
    expected = scipy_stats.ttest_rel(B, A)
    assert (found.statistic, found.p) == pytest.approx((expected.statistic, expected.pvalue))
    ends = expected.confidence_interval(0.9)
    assert (found.lower, found.upper) == pytest.approx((ends.low, ends.high))
    assert found.null == "the mean difference over queries is 0"
    assert (found.n, found.estimate) == (30, pytest.approx((B - A).mean()))


def test_wilcoxon_is_scipys_and_estimates_the_pseudo_median() -> None:
    found = ft.stats.wilcoxon(SCORES, *PAIR)
    assert found.p == scipy_stats.wilcoxon(B - A).pvalue
    d = B - A
    walsh = [(x + y) / 2 for x, y in itertools.combinations_with_replacement(d, 2)]
    assert found.estimate == pytest.approx(np.median(walsh))


def test_sign_test_is_the_binomial() -> None:
    d = np.array([1, 2, 0, -1, 3, 0, 2.0])
    found = ft.stats.sign(scores_of([d, np.zeros(7)]), *PAIR)
    assert found.p == scipy_stats.binomtest(4, 5).pvalue
    assert found.estimate == 0.8
    turned = ft.stats.sign(scores_of([d, np.zeros(7)], higher_is_better=(False,)), *PAIR)
    assert turned.estimate == pytest.approx(0.2)
    assert turned.p == found.p


def test_sign_flip_and_bootstrap_shift_by_brute_force() -> None:
    d = np.array([0.3, -0.1, 0.2, 0.25, 0.05])
    scores = scores_of([d, np.zeros(5)])
    sums = [abs(np.dot(s, d)) for s in itertools.product((1, -1), repeat=5)]
    found = ft.stats.sign_flip(scores, *PAIR)
    assert (found.p, found.exact) == (np.mean(np.array(sums) >= d.sum() - 1e-12), True)
    shifted = ft.stats.bootstrap_shift(scores, *PAIR, n_resamples=500, rng=1)
    centred = d[None, :] - d.mean()
    drawn = resampled_means(centred, Resampling(500, rng=1), Purpose.QUERIES)[0]
    assert shifted.p == ((np.abs(drawn) >= d.mean() - 1e-12).sum() + 1) / 501
    assert not shifted.exact


def test_mcnemar_is_statsmodels() -> None:
    a, b = B >= 0.3, A >= 0.3
    table = [[(a & b).sum(), (a & ~b).sum()], [(~a & b).sum(), (~a & ~b).sum()]]
    found = ft.stats.mcnemar(SCORES, *PAIR, success=0.3)
    assert found.p == pytest.approx(reference_mcnemar(table, exact=True).pvalue)
    assert found.estimate == pytest.approx(a.mean() - b.mean())


@pytest.mark.parametrize("margin", [0.02, 0.08, 0.2])
def test_equivalence_is_statsmodels(margin: float) -> None:
    found = ft.stats.equivalence(SCORES, *PAIR, margin=margin)
    assert found.p == pytest.approx(ttost_paired(B, A, -margin, margin)[0])
    inside = -margin < found.lower and found.upper < margin
    assert inside == (found.p <= 0.05)
    assert f"{margin:g} or more" in found.null
    with pytest.raises(ft.OptionError, match="margin"):
        ft.stats.equivalence(SCORES, *PAIR, margin=0)


def test_identical_systems() -> None:
    same = scores_of([A, A])
    for name in ("paired_t", "sign_flip", "bootstrap_shift", "wilcoxon", "sign", "wasserstein"):
        found = getattr(ft.stats, name)(same, *PAIR)
        assert found.p == 1.0, name
    found = ft.stats.paired_t(same, *PAIR)
    assert (found.estimate, found.lower, found.upper) == (0.0, 0.0, 0.0)
    assert ft.stats.mcnemar(same, *PAIR, success=0.5).p == 1
    assert ft.stats.equivalence(same, *PAIR, margin=0.1).p == 0
    found = ft.stats.dominance(same, *PAIR)
    assert (found.dominates, found.lead, found.behind, found.test.p) == (False, 0.0, 0.0, 1.0)


def test_a_single_query() -> None:
    one = scores_of([[0.5], [0.2]])
    found = ft.stats.paired_t(one, *PAIR)
    assert (found.p, found.lower, found.upper) == (1.0, -np.inf, np.inf)
    assert ft.stats.sign_flip(one, *PAIR).p == 1
    assert ft.stats.equivalence(one, *PAIR, margin=1).p == 1


def test_nan_is_left_out_of_pairs() -> None:
    b = B.copy()
    b[4] = np.nan
    found = ft.stats.paired_t(scores_of([b, A]), *PAIR)
    kept = np.delete(B, 4), np.delete(A, 4)
    assert (found.n, found.p) == (29, pytest.approx(scipy_stats.ttest_rel(*kept).pvalue))
    with pytest.raises(ft.DataError, match="no query in common"):
        ft.stats.paired_t(scores_of([[1, np.nan], [np.nan, 1]]), *PAIR)
    with pytest.raises(ft.OptionError, match="'sys9' is not among"):
        ft.stats.paired_t(SCORES, "sys9", "sys0")


def test_wasserstein_is_scipys_with_p_by_enumeration() -> None:
    a, b = np.array([0.1, 0.5, 0.5, 0.9, 0.3]), np.array([0.2, 0.5, 0.1, 0.4, 0.3])
    found = ft.stats.wasserstein(scores_of([a, b]), *PAIR)
    assert found.estimate == pytest.approx(scipy_stats.wasserstein_distance(a, b))
    every = []
    for swap in itertools.product((False, True), repeat=5):
        x, y = np.where(swap, b, a), np.where(swap, a, b)
        every.append(scipy_stats.wasserstein_distance(x, y))
    assert found.exact
    assert found.p == np.mean(np.array(every) >= found.estimate - 1e-12)


def test_dominance_by_definition() -> None:
    rng = np.random.default_rng(3)
    for _ in range(20):
        a, b = rng.integers(0, 5, (2, 8)) / 4
        found = ft.stats.dominance(scores_of([a, b]), *PAIR, n_resamples=99)
        points = np.unique([a, b])
        gap = np.array([(a >= x).mean() - (b >= x).mean() for x in points])
        assert found.lead == pytest.approx(max(gap.max(), 0))
        assert found.behind == pytest.approx(max(-gap.min(), 0))
        assert found.dominates == (gap.min() >= -1e-12 and gap.max() > 1e-12)


def test_superiority_is_joint_over_worlds() -> None:
    votes = ft.Judgments.from_columns(
        ["q"] * 8, list("aabbccdd"), [1.0, 0, 1, 0, 1, 1, 0, 0], subject=list("xyxyxyxy")
    )
    runs = {"A": {"q": {"a": 2, "c": 1}}, "B": {"q": {"b": 2, "d": 1}}}
    scores = ft.evaluate(votes, runs, ["P@2"], worlds="independent", n_worlds=4000, rng=0)
    found = ft.stats.superiority(scores, "A", "B")
    # A has 1 + Bernoulli(½), B Bernoulli(½): A is better unless it has 1 and B has 1.
    assert found.better == pytest.approx(0.75, abs=4 * np.sqrt(0.75 * 0.25 / 4000))
    assert found.equal == pytest.approx(1 - found.better)
    assert found.worse == 0
    with pytest.raises(ft.OptionError, match="worlds='independent'"):
        ft.stats.superiority(SCORES, *PAIR)


def test_several_measures_must_be_named() -> None:
    values = np.zeros((2, 2, 3))
    scores = ft.Scores(
        ("a", "b"),
        ("1", "2", "3"),
        ("AP", "RR"),
        values,
        Cells.of_queries(3),
        higher_is_better=(True, True),
    )
    with pytest.raises(ft.OptionError, match="AP, RR"):
        ft.stats.paired_t(scores, "a", "b")
    assert ft.stats.paired_t(scores, "a", "b", "map").p == 1


def test_one_query_tells_nothing():
    scores = ft.Scores.from_frame(
        pd.DataFrame({"system": ["a", "b"], "query": 1, "value": [0.4, 0.0]})
    )
    assert ft.stats.bootstrap_shift(scores, "a", "b").p == 1.0
