"""t tests over clusters and over strata."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats as scipy_stats
from support.query_groups import jackknife, mean_of_strata

import fuzzytruth as ft

RNG = np.random.default_rng(0)
X = RNG.normal(0.3, 1, (30, 3))
X[4:7, 1] = np.nan
NAMES = RNG.permutation(np.repeat(list("abcde"), [4, 9, 5, 5, 7]))
TESTS = {
    "clusters": (ft.stats.cluster_t, jackknife),
    "strata": (ft.stats.stratified_t, mean_of_strata),
}


@pytest.mark.parametrize("kind", TESTS)
def test_outcomes_by_a_loop(kind: str) -> None:
    test, by_loop = TESTS[kind]
    outcome = test(X, NAMES, level=0.9)
    assert outcome.n.tolist() == [30, 27, 30]
    for row in range(3):
        mean, error, df = by_loop(X[:, row], NAMES)
        t, half = mean / error, scipy_stats.t.ppf(0.95, df) * error
        p = 2 * scipy_stats.t.sf(abs(t), df)
        found = [outcome.estimate, outcome.statistic, outcome.p, outcome.lower, outcome.upper]
        expected = [mean, t, p, mean - half, mean + half]
        assert [number[row] for number in found] == pytest.approx(expected, rel=1e-12)
    single = test(X[:, 1], list(NAMES), level=0.9)
    assert (single.p, single.lower) == (outcome.p[1], outcome.lower[1])
    assert (single.level, single.exact) == (0.9, True)


def test_clusters_of_one_are_the_paired_t() -> None:
    one, other = ft.stats.cluster_t(X, range(30)), ft.stats.paired_t(X)
    for name in ("estimate", "statistic", "p", "lower", "upper"):
        np.testing.assert_allclose(getattr(one, name), getattr(other, name), rtol=1e-13)


@pytest.mark.parametrize("kind", TESTS)
@pytest.mark.parametrize("factor", [10, 1 / 3, 1e-150, 1e150])
def test_scale_and_order_do_not_matter(kind: str, factor: float) -> None:
    test = TESTS[kind][0]
    p = test(X, NAMES).p
    np.testing.assert_allclose(test(factor * X, NAMES).p, p, rtol=1e-11)
    order = np.random.default_rng(1).permutation(30)
    np.testing.assert_allclose(test(X[order], NAMES[order]).p, p, rtol=1e-11)
    np.testing.assert_allclose(test(-X, NAMES).p, p, rtol=1e-12)


def test_degenerate_data() -> None:
    alone = ft.stats.cluster_t([0.1, 0.3], ["x", "x"])
    assert (alone.p, alone.lower, alone.upper) == (1, -np.inf, np.inf)
    none = ft.stats.cluster_t([np.nan, np.nan], [1, 2])
    assert np.isnan([none.estimate, none.statistic, none.p, none.lower]).all()
    assert none.n == 0
    same = ft.stats.stratified_t([0.0] * 4, [1, 1, 2, 2])
    assert (same.p, same.lower, same.upper) == (1, 0, 0)


def test_a_stratum_of_one_is_an_error() -> None:
    message = r"^strata: stratum 'b' is a stratum of one: nothing is known of"
    with pytest.raises(ft.DataError, match=message):
        ft.stats.stratified_t([1, 2, 3], ["a", "a", "b"])
    lost = np.array([[1, 1], [2, 2], [3, 3], [4, np.nan]])
    with pytest.raises(ft.DataError, match="stratum '7' is a stratum of one"):
        ft.stats.stratified_t(lost, [5, 5, 7, 7])


@pytest.mark.parametrize(
    ("labels", "words"),
    [
        (["a", "b"], r"clusters of shape \(2,\): must be one label for each of 3 queries"),
        ("abc", r"clusters of shape \(\)"),
        (["a", None, "b"], "must be text or numbers, none of them missing"),
        ([1.0, float("nan"), 2.0], "none of them missing"),
        (["a", float("nan"), "b"], "none of them missing"),
    ],
)
def test_labels_that_do_not_fit(labels, words: str) -> None:
    with pytest.raises(ft.DataError, match=words):
        ft.stats.cluster_t([0.1, 0.2, 0.3], labels)
