"""Friedman and Nemenyi beside SciPy, and a published table."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats as scipy_stats
from support.scores_for_tests import scores_of

import fuzzytruth as ft

# Demšar 2006, JMLR 7, Table 6: AUC of four variants of C4.5 on 14 data sets.
DEMSAR = np.array(
    [
        [0.763, 0.768, 0.771, 0.798],
        [0.599, 0.591, 0.590, 0.569],
        [0.954, 0.971, 0.968, 0.967],
        [0.628, 0.661, 0.654, 0.657],
        [0.882, 0.888, 0.886, 0.898],
        [0.936, 0.931, 0.916, 0.931],
        [0.661, 0.668, 0.609, 0.685],
        [0.583, 0.583, 0.563, 0.625],
        [0.775, 0.838, 0.866, 0.875],
        [1.000, 1.000, 1.000, 1.000],
        [0.940, 0.962, 0.965, 0.962],
        [0.619, 0.666, 0.614, 0.669],
        [0.972, 0.981, 0.9751, 0.975],
        [0.957, 0.978, 0.946, 0.970],
    ]
).T


def test_published_mean_ranks() -> None:
    result = ft.friedman(scores_of(DEMSAR))
    # Demšar: average ranks 3.143, 2.000, 2.893, 1.964; chi-squared 9.28 without ties' correction.
    assert result.mean_ranks.round(3).tolist() == [3.143, 2.0, 2.893, 1.964]
    assert (result.n, result.df) == (14, 3)
    pair = result.post_hoc.iloc[0]  # beyond the critical difference at .10, not at .05
    assert 0.05 < pair["p_adjusted"] < 0.10


def test_scipys_statistic_and_corrections() -> None:
    values = np.random.default_rng(0).normal(size=(5, 20)) + np.arange(5)[:, None] * 0.3
    result = ft.friedman(scores_of(values), post_hoc="holm")
    expected = scipy_stats.friedmanchisquare(*values)
    assert (result.statistic, result.p) == pytest.approx((expected.statistic, expected.pvalue))
    z = abs(result.post_hoc["difference"]) / np.sqrt(5 * 6 / (6 * 20))
    expected = ft.stats.adjust(2 * scipy_stats.norm.sf(z), "holm")
    np.testing.assert_allclose(result.post_hoc["p_adjusted"], expected)
    lower = ft.friedman(scores_of(values, higher_is_better=(False,)))
    assert lower.mean_ranks.tolist() == pytest.approx((6 - result.mean_ranks).tolist())


def test_identical_systems_and_too_few() -> None:
    result = ft.friedman(scores_of(np.ones((3, 4))))
    assert (result.p, result.post_hoc["p_adjusted"].tolist()) == (1.0, [1.0] * 3)
    with pytest.raises(ft.OptionError, match="three systems"):
        ft.friedman(scores_of(np.ones((2, 4))))
    missing = np.random.default_rng(0).normal(size=(3, 5))
    missing[0, 2] = np.nan
    assert ft.friedman(scores_of(missing)).n == 4
