"""Equivalence and non-inferiority over queries, subjects, both, worlds and clusters."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from support.scores_for_tests import scores_of

import fuzzytruth as ft
from fuzzytruth.core.cells import Cells
from fuzzytruth.core.crossed import crossed_layout, variance_components
from fuzzytruth.core.pivotal import error_mixtures

RNG = np.random.default_rng(0)
TABLE = RNG.normal(0.0, 0.05, (2, 6, 25)) + RNG.normal(size=(1, 6, 25))
PAIR = ("sys0", "sys1")


def tost(differences: np.ndarray, margin: float) -> float:
    below = stats.ttest_1samp(differences, margin, alternative="less").pvalue
    above = stats.ttest_1samp(differences, -margin, alternative="greater").pvalue
    return float(max(below, above))


@pytest.mark.parametrize("margin", [0.005, 0.02, 0.1])
def test_equivalence_is_two_t_tests(margin: float) -> None:
    gap = TABLE[0] - TABLE[1]  # (subjects, queries)
    scores = scores_of(TABLE)
    over_queries = ft.equivalence(scores, *PAIR, margin=margin)
    assert over_queries.p == pytest.approx(tost(gap.mean(axis=0), margin), rel=1e-9)
    over_subjects = ft.equivalence(scores, *PAIR, margin=margin, over="subject")
    assert over_subjects.p == pytest.approx(tost(gap.mean(axis=1), margin), rel=1e-9)
    assert over_queries.estimate == pytest.approx(gap.mean())
    assert over_subjects.estimate == pytest.approx(gap.mean())
    assert over_queries.n == 25
    assert over_queries.level == 0.9


def test_over_both_it_is_generalised_pivotal() -> None:
    result = ft.equivalence(scores_of(TABLE), *PAIR, margin=0.02, over=("query", "subject"))
    gap = (TABLE[0] - TABLE[1]).T.ravel()
    parts = variance_components(gap, crossed_layout(Cells.complete(25, 6)))
    squares = parts.squares
    rows = type(squares)(
        *(x[None] for x in (squares.query, squares.subject, squares.residual)),
        squares.df,
        squares.share,
    )
    mixtures = error_mixtures(rows)
    expected = mixtures.two_sided(np.array([0.02 - abs(gap.mean())]))[0] / 2
    assert result.p == pytest.approx(expected, rel=1e-9)
    half = mixtures.quantile(0.1)[0]
    assert (result.lower, result.upper) == pytest.approx((gap.mean() - half, gap.mean() + half))
    assert result.null == "the mean difference over queries and subjects is 0.02 or more in size"


def test_non_inferiority_is_one_t_test() -> None:
    gap = (TABLE[0] - TABLE[1]).mean(axis=0)
    result = ft.non_inferiority(scores_of(TABLE), *PAIR, margin=0.02)
    expected = stats.ttest_1samp(gap, -0.02, alternative="greater")
    assert result.p == pytest.approx(expected.pvalue, rel=1e-9)
    assert result.lower == pytest.approx(expected.confidence_interval(0.95).low)
    assert np.isposinf(result.upper)


def test_worse_is_higher_where_lower_is_better() -> None:
    up = ft.non_inferiority(scores_of(TABLE), *PAIR, margin=0.02)
    down = ft.non_inferiority(scores_of(-TABLE, higher_is_better=(False,)), *PAIR, margin=0.02)
    assert down.p == pytest.approx(up.p, rel=1e-12)
    assert down.estimate == pytest.approx(-up.estimate)
    assert (down.lower, down.upper) == (-np.inf, pytest.approx(-up.lower))
    both = [
        ft.equivalence(scores_of(sign * TABLE, higher_is_better=(sign > 0,)), *PAIR, margin=0.02)
        for sign in (1.0, -1.0)
    ]
    assert both[1].p == pytest.approx(both[0].p, rel=1e-12)
    assert (both[1].lower, both[1].upper) == pytest.approx((-both[0].upper, -both[0].lower))


def test_clusters_and_strata() -> None:
    values = TABLE[:, 0]
    clusters = {f"q{q}": f"t{q // 5}" for q in range(25)}
    means = (values[0] - values[1]).reshape(5, 5).mean(axis=1)
    result = ft.equivalence(scores_of(values), *PAIR, margin=0.05, clusters=clusters)
    assert result.p == pytest.approx(tost(means, 0.05), rel=1e-9)
    strata = {f"q{q}": "x" if q < 5 else "y" for q in range(25)}
    result = ft.equivalence(scores_of(values), *PAIR, margin=0.05, strata=strata)
    gap = values[0] - values[1]
    assert result.estimate == pytest.approx((gap[:5].mean() + gap[5:].mean()) / 2)


def test_worlds() -> None:
    rows = [
        (f"s{s}", f"q{q}", item, int(RNG.random() < 0.5))
        for s in range(5)
        for q in range(6)
        for item in "abcd"
    ]
    frame = pd.DataFrame(rows, columns=["subject", "query", "item", "grade"])
    truth = ft.Judgments.from_frame(frame)
    runs = {name: {f"q{q}": {i: RNG.random() for i in "abcd"} for q in range(6)} for name in PAIR}
    resampled = ft.evaluate(truth, runs, ["P@2"], worlds="population", n_worlds=200, rng=0)
    assert 0 < ft.equivalence(resampled, *PAIR, margin=0.2, over="world").p < 1
    assert 0 < ft.equivalence(resampled, *PAIR, margin=0.2, over=("query", "world")).p < 1


def test_what_is_refused() -> None:
    scores = scores_of(TABLE)
    for test in (ft.equivalence, ft.non_inferiority):
        with pytest.raises(ft.OptionError, match=r"margin=0\.0: must be above 0"):
            test(scores, *PAIR, margin=0.0)
        with pytest.raises(ft.OptionError, match=r"must be above 0\.5"):
            test(scores, *PAIR, margin=0.1, level=0.4)
        with pytest.raises(ft.OptionError, match="system 'x'"):
            test(scores, "x", "sys1", margin=0.1)
        with pytest.raises(ft.OptionError, match="over='world'"):
            test(scores, *PAIR, margin=0.1, over="world")
    apart = scores_of([[1.0, np.nan], [np.nan, 2.0]])
    with pytest.raises(ft.DataError, match="have no query in common"):
        ft.equivalence(apart, *PAIR, margin=0.1)
    truth = ft.Judgments.from_probabilities(["q", "q"], ["a", "b"], [0.9, 0.5])
    runs = {"sys0": {"q": {"a": 2, "b": 1}}, "sys1": {"q": {"b": 2, "a": 1}}}
    worlds = ft.evaluate(truth, runs, ["P@1"], rng=0)
    with pytest.raises(ft.OptionError, match="independent worlds are no sample"):
        ft.equivalence(worlds, *PAIR, margin=0.1, over="world")
