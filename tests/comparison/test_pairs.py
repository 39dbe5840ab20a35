"""What tests take from Scores."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from scipy import stats as scipy_stats
from support.scores_for_tests import scores_of

import fuzzytruth as ft
from fuzzytruth.comparison.pair_tests import oriented_values, pair_of
from fuzzytruth.core.cells import Cells

RNG = np.random.default_rng(0)
A = RNG.beta(1, 2, 30)
B = np.clip(A + RNG.normal(0.05, 0.1, 30), 0, 1)
PAIR = ("sys0", "sys1")


def test_nan_is_left_out_of_pairs() -> None:
    b = B.copy()
    b[4] = np.nan
    result = ft.paired_t(scores_of([b, A]), *PAIR)
    kept = np.delete(B, 4), np.delete(A, 4)
    assert (result.n, result.p) == (29, pytest.approx(scipy_stats.ttest_rel(*kept).pvalue))
    with pytest.raises(ft.DataError, match="no query in common"):
        ft.paired_t(scores_of([[1, np.nan], [np.nan, 1]]), *PAIR)
    with pytest.raises(ft.OptionError, match="'sys9' is not among"):
        ft.paired_t(scores_of([B, A]), "sys9", "sys0")


def test_means_are_over_the_subjects_that_both_have() -> None:
    values = np.array([[[0.2, 0.4], [0.6, 0.8]], [[0.1, np.nan], [0.3, 0.5]]])
    pair = pair_of(scores_of(values), *PAIR, None)
    np.testing.assert_allclose(pair.a, [0.4, 0.8])
    np.testing.assert_allclose(pair.b, [0.2, 0.5])


def test_all_systems_have_means_over_their_own_subjects() -> None:
    values = np.array([[[0.2, 0.4], [0.6, 0.8]], [[0.1, np.nan], [0.3, 0.5]]])
    expected = [[0.4, 0.2], [0.6, 0.5]]
    means, scale = oriented_values(scores_of(values), None)
    np.testing.assert_allclose(means, expected)
    assert scale == 0.8
    lower_better, scale = oriented_values(scores_of(values, higher_is_better=(False,)), None)
    np.testing.assert_allclose(lower_better, np.negative(expected))
    assert scale == 0.8


def test_several_measures_must_be_named() -> None:
    scores = ft.Scores(
        ("a", "b"),
        ("1", "2", "3"),
        ("AP", "RR"),
        np.zeros((2, 2, 3)),
        Cells.of_queries(3),
        higher_is_better=(True, True),
    )
    with pytest.raises(ft.OptionError, match="AP, RR"):
        ft.paired_t(scores, "a", "b")
    assert ft.paired_t(scores, "a", "b", "map").p == 1


def test_results_are_plain_numbers_and_pickle() -> None:
    result = ft.paired_t(scores_of([B, A]), *PAIR)
    assert {type(x) for x in (result.estimate, result.statistic, result.p, result.lower)} == {float}
    assert pickle.loads(pickle.dumps(result)).p == result.p
    dominance = ft.dominance(scores_of([B, A]), *PAIR, n_resamples=99)
    assert pickle.loads(pickle.dumps(dominance)).lead == dominance.lead
    friedman = ft.friedman(scores_of([A, B, B / 2]))
    assert pickle.loads(pickle.dumps(friedman)).p == friedman.p


BALANCED = np.array([0.1, 0.2, -0.3])  # of three subjects; their mean is 1.85e-17 in floats
NO_WINNER = {
    "paired_t": lambda s: ft.paired_t(s, *PAIR).p,
    "sign_flip": lambda s: ft.sign_flip(s, *PAIR).p,
    "sign_flip, mid-p": lambda s: ft.sign_flip(s, *PAIR, mid_p=True).p,
    "bootstrap_shift": lambda s: ft.bootstrap_shift(s, *PAIR, n_resamples=99).p,
    "sign_test": lambda s: ft.sign_test(s, *PAIR).p,
    "mcnemar": lambda s: ft.mcnemar(s, *PAIR, success=1e-17).p,
    "wilcoxon": lambda s: ft.wilcoxon(s, *PAIR).p,
    "wasserstein": lambda s: ft.wasserstein(s, *PAIR).p,
    "dominance": lambda s: ft.dominance(s, *PAIR).test.p,
    "friedman": lambda s: ft.friedman(s).p,
}


@pytest.mark.parametrize("higher_is_better", [True, False])
@pytest.mark.parametrize("name", NO_WINNER)
def test_rounding_makes_no_winner(name: str, higher_is_better: bool) -> None:
    assert BALANCED.mean() != 0
    cube = np.zeros((3, 3, 8))
    cube[0] = BALANCED[:, None]
    for unit in (1.0, 10.0, 1e-150):
        scores = scores_of(cube * unit, higher_is_better=(higher_is_better,))
        assert NO_WINNER[name](scores) == 1, unit
    dominance = ft.dominance(scores, *PAIR)
    assert (dominance.dominates, dominance.lead, dominance.behind) == (False, 0, 0)
