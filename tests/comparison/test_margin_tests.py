"""Equivalence and non-inferiority over queries, subjects, both, worlds and clusters."""

import warnings
from typing import Any

import numpy as np
import pytest
from scipy import stats
from support.compared import INDEPENDENT, POPULATION
from support.scores_for_tests import scores_of

import fuzzytruth as ft
from fuzzytruth.comparison.margin_tests import HARMFUL_SKEW, Skew, oriented_difference
from fuzzytruth.core.cells import Cells
from fuzzytruth.errors import LevelWarning
from fuzzytruth.stats.observations import Observations, all_pairs
from fuzzytruth.stats.world_estimates import estimate

RNG = np.random.default_rng(0)
TABLE = RNG.normal(0.0, 0.05, (2, 6, 25)) + RNG.normal(size=(1, 6, 25))
PAIR = ("sys0", "sys1")


def tost(differences: np.ndarray, margin: float) -> Any:
    below = stats.ttest_1samp(differences, margin, alternative="less").pvalue
    above = stats.ttest_1samp(differences, -margin, alternative="greater").pvalue
    return pytest.approx(float(max(below, above)), rel=1e-9)


@pytest.mark.parametrize("margin", [0.005, 0.1])
def test_equivalence_is_two_t_tests(margin: float) -> None:
    gap = TABLE[0] - TABLE[1]  # (subjects, queries)
    for axis, over in enumerate(("query", "subject")):
        result = ft.tests.equivalence(scores_of(TABLE), *PAIR, margin=margin, over=over)
        assert result.p == tost(gap.mean(axis=axis), margin)
        assert result.estimate == pytest.approx(gap.mean())
        assert (result.n, result.level, result.alpha) == (25, 0.9, 0.05)
        inside = -margin < result.lower and result.upper < margin
        assert inside == result.rejected


def test_over_both_it_is_generalised_pivotal() -> None:
    result = ft.tests.equivalence(scores_of(TABLE), *PAIR, margin=0.02, over=("query", "subject"))
    observed = Observations(TABLE.transpose(0, 2, 1).reshape(2, -1), Cells.complete(25, 6))
    fitted = estimate(observed, all_pairs(2), ("query", "subject"))
    above, below = (
        type(fitted.law).p_value(fitted.law, np.abs(fitted.value) * sign + 0.02, "greater")
        for sign in (1, -1)
    )
    assert result.p == pytest.approx(max(above[0], below[0]), rel=1e-9)
    ends = [end[0] for end in fitted.interval(0.9)]
    assert [result.lower, result.upper] == pytest.approx(ends)
    assert result.null == "the mean difference over queries and subjects is 0.02 or more in size"
    assert result.over == "queries and subjects"


def test_non_inferiority_is_one_t_test() -> None:
    gap = (TABLE[0] - TABLE[1]).mean(axis=0)
    result = ft.tests.non_inferiority(scores_of(TABLE), *PAIR, margin=0.02)
    expected = stats.ttest_1samp(gap, -0.02, alternative="greater")
    assert result.p == pytest.approx(expected.pvalue, rel=1e-9)
    assert result.statistic == pytest.approx(expected.statistic)
    assert result.lower == pytest.approx(expected.confidence_interval(0.95).low)
    assert np.isposinf(result.upper)


def test_worse_is_higher_where_lower_is_better() -> None:
    for test in (ft.tests.non_inferiority, ft.tests.equivalence):
        up = test(scores_of(TABLE), *PAIR, margin=0.02)
        down = test(scores_of(-TABLE, higher_is_better=(False,)), *PAIR, margin=0.02)
        assert (down.p, down.estimate) == pytest.approx((up.p, -up.estimate), rel=1e-12)
        assert (down.lower, down.upper) == pytest.approx((-up.upper, -up.lower))


def test_worlds() -> None:
    for over in ("world", ("query", "world")):
        assert 0 < ft.tests.equivalence(POPULATION, "r1", "r2", margin=0.2, over=over).p < 1
    with pytest.raises(ft.errors.OptionError, match="independent worlds are no sample"):
        ft.tests.equivalence(INDEPENDENT, "r1", "r2", margin=0.1, over="world")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"margin": 0}, "margin=0: must be above 0"),
        ({"level": 0.4}, r"must be above 0\.5"),
        ({"system": "x"}, "system 'x'"),
        ({"system": "sys1"}, "'sys1' is both; name two systems"),
        ({"over": "world"}, "over='world'"),
    ],
)
def test_mistakes(options: dict[str, Any], words: str) -> None:
    given: dict[str, Any] = {"system": "sys0", "other": "sys1", "margin": 0.1} | options
    for test in (ft.tests.equivalence, ft.tests.non_inferiority):
        with pytest.raises(ft.errors.OptionError, match=words):
            test(scores_of(TABLE), **given)
        with pytest.raises(ft.errors.DataError, match="have no query in common"):
            test(scores_of([[1.0, np.nan], [np.nan, 2.0]]), *PAIR, margin=0.1)


def test_skewed_claims_warn_towards_the_nearer_margin() -> None:
    gap = np.random.default_rng(3).exponential(0.03, 15)
    gap -= gap.mean() + 0.005
    tail = stats.skew(gap)
    assert tail > HARMFUL_SKEW * np.sqrt(15)

    def warned(test: Any, differences: np.ndarray) -> bool:
        scores = scores_of(np.stack([differences + 1, np.ones(len(differences))]))
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            assert test(scores, *PAIR, margin=0.06).rejected
        assert all(one.category is LevelWarning for one in caught)
        assert all(test.__name__ in str(one.message) for one in caught)
        return bool(caught)

    assert not warned(ft.tests.non_inferiority, gap)
    assert warned(ft.tests.non_inferiority, -gap)
    assert not warned(ft.tests.equivalence, gap)  # the tail is on the side of the farther margin
    assert warned(ft.tests.equivalence, gap + 0.01)
    assert warned(ft.tests.equivalence, -gap - 0.01)
    assert not warned(ft.tests.non_inferiority, np.resize(-gap, 150))
    assert not warned(ft.tests.non_inferiority, -gap[:9])  # too few to know


def test_skewness_of_queries_clusters_and_subjects() -> None:
    values = np.random.default_rng(5).exponential(size=(2, 12, 20))  # (systems, subjects, queries)
    gap, scores = values[0] - values[1], scores_of(values)
    for axis, over in enumerate(("query", "subject")):
        found = oriented_difference(scores, 0, PAIR, (over,)).skew
        assert found.value == pytest.approx(stats.skew(gap.mean(axis=axis)))
        assert found.n == gap.shape[1 - axis]
    both = oriented_difference(scores, 0, PAIR, ("query", "subject")).skew
    assert both == oriented_difference(scores, 0, PAIR, ("query",)).skew
    clusters = {f"q{q}": f"t{q // 2}" for q in range(20)}
    found = oriented_difference(scores, 0, PAIR, ("query",), clusters).skew
    assert found.value == pytest.approx(stats.skew(gap.mean(axis=0).reshape(10, 2).mean(axis=1)))
    assert oriented_difference(POPULATION, 0, ("r1", "r2"), ("world",)).skew == Skew(0.0, 0)
    assert Skew.of(np.full(12, 0.1)) == Skew(0.0, 12)
