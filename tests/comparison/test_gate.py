"""The gate against hand computation, `non_inferiority` and `compare`; what it must never pass."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from support.scores_for_tests import scores_of

import fuzzytruth as ft
from fuzzytruth.core.cells import Cells
from fuzzytruth.errors import ClusterWarning, DegenerateWarning, MissingCellWarning

RNG = np.random.default_rng(0)
TABLE = RNG.normal(0.0, 0.05, (2, 6, 25)) + RNG.normal(size=(1, 6, 25))  # (systems, subjects, ...)
PAIR = ("sys0", "sys1")
BOTH = ("query", "subject")


def of_measures(values: np.ndarray, **given: Any) -> ft.Scores:
    """Scores of (systems, measures, queries) values."""
    n = values.shape[1]
    return ft.Scores(
        systems=PAIR,
        queries=tuple(f"q{q}" for q in range(values.shape[2])),
        measures=tuple(f"m{m}" for m in range(n)),
        values=values,
        cells=Cells.of_queries(values.shape[2]),
        subjects=None,
        **{"higher_is_better": (True,) * n, **given},
    )


def test_over_queries_it_is_one_t_test() -> None:
    values = TABLE[:, 0]
    gap = values[0] - values[1]
    result = ft.gate(scores_of(values), *PAIR, margin=0.03)
    (test,) = result.tests
    expected = stats.ttest_1samp(gap, -0.03, alternative="greater")
    assert test.p == pytest.approx(expected.pvalue, rel=1e-9)
    assert test.difference == pytest.approx(gap.mean())
    assert test.bound == pytest.approx(expected.confidence_interval(0.95).low)
    error = gap.std(ddof=1) / 5
    assert test.std_error == pytest.approx(error)
    t = stats.t(24)
    assert test.detectable == pytest.approx((t.ppf(0.95) + t.ppf(0.8)) * error)
    assert (test.n_queries, test.n_units, test.n_subjects, test.over) == (25, 25, 0, ("query",))
    assert result.passed == (expected.pvalue <= 0.05) == (test.bound > -0.03)


@pytest.mark.parametrize("margin", [0.002, 0.008, 0.05])
@pytest.mark.parametrize("level", [0.9, 0.95])
def test_it_is_non_inferiority_over_queries_and_over_both(margin: float, level: float) -> None:
    scores = scores_of(TABLE)
    result = ft.gate(scores, *PAIR, margin=margin, level=level)
    assert [test.decides for test in result.tests] == [False, True]
    for test, over in zip(result.tests, ("query", BOTH), strict=True):
        same = ft.non_inferiority(scores, *PAIR, margin=margin, over=over, level=level)
        found = (test.p, test.bound, test.difference, test.n_queries)
        assert found == (same.p, same.lower, same.estimate, same.n)
        assert test.passed == (same.p <= 1 - level)
    assert result.passed == result.tests[1].passed


@pytest.mark.parametrize("sign", [1.0, -1.0])
@pytest.mark.parametrize("over", ["query", "subject", BOTH])
def test_better_is_the_one_sided_comparison(sign: float, over: Any) -> None:
    """`compare` is of raw differences: where lower is better, the alternative is less."""
    shifted = sign * (TABLE + np.array([0.03, 0.0])[:, None, None])
    scores = scores_of(shifted, higher_is_better=(sign > 0,))
    (test,) = ft.gate(scores, *PAIR, better=True, over=over).tests
    alternative = "greater" if sign > 0 else "less"
    row = ft.compare(scores, "sys1", over=over, alternative=alternative).to_frame(full=True).iloc[0]
    assert (test.p, test.difference) == (row["p"], row["difference"])
    assert test.bound == pytest.approx(row["lower" if sign > 0 else "upper"], rel=1e-12)
    assert test.detectable == pytest.approx(row["min_detectable"], rel=1e-12)
    assert test.passed == row["significant"]
    assert np.isnan(test.margin)


def test_lower_is_better() -> None:
    up = ft.gate(scores_of(TABLE), *PAIR, margin=0.01)
    down = ft.gate(scores_of(-TABLE, higher_is_better=(False,)), *PAIR, margin=0.01)
    for one, other in zip(up.tests, down.tests, strict=True):
        assert other.p == pytest.approx(one.p, rel=1e-12)
        assert (other.difference, other.bound) == pytest.approx((-one.difference, -one.bound))
        assert (one.higher_is_better, other.higher_is_better) == (True, False)
    worse = TABLE[:, 0] + np.array([1.0, 0.0])[:, None]
    result = ft.gate(scores_of(worse, higher_is_better=(False,)), *PAIR, margin=0.1)
    assert (result.passed, result.tests[0].outcome) == (False, "worse")


def test_several_measures_all_have_to_pass() -> None:
    gap = RNG.normal(0, 0.05, (3, 30)) + np.array([0.05, 0.05, -0.05])[:, None]
    scores = of_measures(np.stack([gap + 1, np.ones((3, 30))]))
    assert not ft.gate(scores, *PAIR, margin=0.03).passed
    assert [t.passed for t in ft.gate(scores, *PAIR, margin=0.03).tests] == [True, True, False]
    assert ft.gate(scores, *PAIR, ["m1", "m0"], margin=0.03).passed
    result = ft.gate(scores, *PAIR, margin={"m0": 0.03, "m1": 0.01, "m2": 0.2})
    assert result.passed
    assert [test.margin for test in result.tests] == [0.03, 0.01, 0.2]


def test_nested_subjects_come_with_their_queries() -> None:
    crossed = scores_of(TABLE)
    nested = ft.gate(replace(crossed, design="nested"), *PAIR, margin=0.02)
    assert [(test.over, test.decides) for test in nested.tests] == [(("query",), True)]
    one_each = np.full((2, 10, 10), np.nan)
    one_each[:, range(10), range(10)] = TABLE[:, 0, :10]
    result = ft.gate(scores_of(one_each), *PAIR, margin=0.5)
    assert [test.over for test in result.tests] == [("query",)]
    alone = ft.gate(scores_of(TABLE[:, :1]), *PAIR, margin=0.02)
    assert [test.over for test in alone.tests] == [("query",)]


def test_over_overrides_what_decides() -> None:
    result = ft.gate(scores_of(TABLE), *PAIR, margin=0.02, over="query")
    assert [(test.over, test.decides) for test in result.tests] == [(("query",), True)]


def test_clusters_and_strata() -> None:
    values = TABLE[:, 0]
    scores = scores_of(values)
    clusters = {f"q{q}": f"t{q // 5}" for q in range(25)}
    (test,) = ft.gate(scores, *PAIR, margin=0.05, clusters=clusters).tests
    same = ft.non_inferiority(scores, *PAIR, margin=0.05, clusters=clusters)
    assert (test.p, test.bound, test.n_units) == (same.p, same.lower, 5)
    strata = {f"q{q}": "x" if q < 5 else "y" for q in range(25)}
    (test,) = ft.gate(scores, *PAIR, margin=0.05, strata=strata).tests
    assert test.p == ft.non_inferiority(scores, *PAIR, margin=0.05, strata=strata).p
    with pytest.raises(ft.OptionError, match="use over='query'"):
        ft.gate(scores_of(TABLE), *PAIR, margin=0.05, clusters=clusters)
    few = {f"q{q}": "x" if q < 5 else "y" for q in range(24)}
    with pytest.warns(ClusterWarning) as caught:
        ft.gate(of_measures(TABLE[:, :2]), *PAIR, margin=0.05, clusters=few)
    assert len(caught) == 2  # once each: few clusters, and a query without one


def judged(worlds: str | None) -> ft.Scores:
    rows = [
        (f"s{s}", f"q{q}", item, int(RNG.random() < 0.5))
        for s in range(5)
        for q in range(6)
        for item in "abcd"
    ]
    truth = pd.DataFrame(rows, columns=["subject", "query", "item", "grade"])
    runs = {name: {f"q{q}": {i: RNG.random() for i in "abcd"} for q in range(6)} for name in PAIR}
    return ft.evaluate(truth, runs, ["P@2"], worlds=worlds, n_worlds=200, rng=0)


def test_resampled_subjects_decide() -> None:
    scores = judged("population")
    result = ft.gate(scores, *PAIR, margin=0.2)
    assert [(t.over, t.decides) for t in result.tests] == [
        (("query",), False),
        (("query", "world"), True),
    ]
    same = ft.non_inferiority(scores, *PAIR, margin=0.2, over=("query", "world"))
    assert (result.tests[1].p, result.tests[1].bound) == (same.p, same.lower)


def test_independent_worlds_are_no_sample_of_people() -> None:
    scores = judged(None)
    with pytest.raises(ft.OptionError, match=r"worlds='subject'.*'population'.*over='query'"):
        ft.gate(scores, *PAIR, margin=0.2)
    result = ft.gate(scores, *PAIR, margin=0.2, over="query")
    assert result.tests[0].p == ft.non_inferiority(scores, *PAIR, margin=0.2).p


@pytest.mark.parametrize("values", [TABLE[:1, 0], TABLE[:1], TABLE[:1, :2, :2]])
def test_identical_systems_are_no_worse_and_no_better(values: np.ndarray) -> None:
    scores = scores_of(np.concatenate([values, values]))
    with pytest.warns(DegenerateWarning, match="same values of m everywhere"):
        result = ft.gate(scores, *PAIR, margin=1e-6)
    assert result.passed
    for test in result.tests:
        assert (test.difference, test.bound, test.outcome) == (0.0, 0.0, "identical")
        assert np.isnan(test.p)
    with pytest.warns(DegenerateWarning):
        result = ft.gate(scores, *PAIR, better=True)
    assert not result.passed
    assert [test.p for test in result.tests] == [1.0] * len(result.tests)


@pytest.mark.parametrize("gap", [0.0, 0.3, -0.3])
@pytest.mark.parametrize("n_subjects", [0, 4])
def test_a_single_query_never_passes(gap: float, n_subjects: int) -> None:
    old = TABLE[0, :n_subjects, :1] if n_subjects else TABLE[0, 0, :1]
    scores = scores_of(np.stack([old + gap, old]))
    for better in (False, True):
        result = ft.gate(scores, *PAIR, margin=None if better else 0.2, better=better)
        assert not result.passed
        assert [test.outcome for test in result.tests] == ["unknown"] * len(result.tests)
        assert [test.p for test in result.tests] == [1.0] * len(result.tests)
        assert [test.bound for test in result.tests] == [-np.inf] * len(result.tests)


def test_a_single_cluster_never_passes() -> None:
    clusters = {f"q{q}": "t" for q in range(25)}
    for new in (TABLE[0, 0], TABLE[1, 0]):
        scores = scores_of(np.stack([new, TABLE[1, 0]]))
        result = ft.gate(scores, *PAIR, margin=0.2, clusters=clusters)
        assert (result.passed, result.tests[0].outcome) == (False, "unknown")


def test_a_constant_loss_is_judged_by_the_signs() -> None:
    """The same difference everywhere has no t: p is ½ⁿ, the chance that n signs agree."""
    old = np.ones(6)
    small = ft.gate(scores_of(np.stack([old - 0.01, old])), *PAIR, margin=0.02)
    assert small.tests[0].p == pytest.approx(0.5**6)
    assert small.passed
    few = ft.gate(scores_of(np.stack([old - 0.01, old])[:, :4]), *PAIR, margin=0.02)
    assert (few.passed, few.tests[0].outcome) == (False, "not shown")
    assert few.tests[0].bound == -np.inf
    at_margin = ft.gate(scores_of(np.stack([old - 0.02, old])), *PAIR, margin=0.02)
    assert (at_margin.passed, at_margin.tests[0].p) == (False, 1.0)
    large = ft.gate(scores_of(np.stack([old - 0.03, old])), *PAIR, margin=0.02)
    assert not large.passed


def test_a_new_system_must_leave_nothing_out() -> None:
    values = TABLE[:, 0].copy()
    values[0, 3] = np.nan
    with pytest.raises(ft.DataError, match=r"sys0: 1 value is missing of m where sys1 has one.*q3"):
        ft.gate(scores_of(values), *PAIR, margin=0.1)
    with pytest.warns(MissingCellWarning, match="sys0: 1 value is missing where sys1 has one"):
        result = ft.gate(scores_of(values), *PAIR[::-1], margin=0.1)
    assert result.tests[0].n_queries == 24
    with pytest.raises(ft.DataError, match="missing"):
        ft.gate(scores_of([[1.0, np.nan], [np.nan, 2.0]]), *PAIR, margin=0.1)
    nothing = scores_of([[1.0, 2.0], [np.nan, np.nan]])
    with (
        pytest.warns(MissingCellWarning),
        pytest.raises(ft.DataError, match="have no query in common"),
    ):
        ft.gate(nothing, *PAIR, margin=0.1)


def test_queries_missing_from_a_run_count_zero() -> None:
    truth = {f"q{q}": {"a": 1, "b": 0} for q in range(8)}
    old = {query: {"a": 2.0, "b": 1.0} for query in truth}
    new = {query: lists for query, lists in old.items() if query not in ("q0", "q1", "q2")}
    with pytest.warns(ft.FuzzytruthWarning, match="missing from new"):
        scores = ft.evaluate(truth, {"new": new, "old": old}, ["RR"])
    result = ft.gate(scores, "new", "old", margin=0.1)
    assert result.tests[0].difference == -3 / 8
    assert not result.passed


def test_at_the_margin_it_passes_as_rarely_as_said() -> None:
    """2,000 data sets of 12 queries whose true difference is -margin: within 3 Monte Carlo SE."""
    n, margin = 2000, 0.5
    rng = np.random.default_rng(5)
    values = np.stack([rng.normal(-margin, 1.0, (n, 12)), np.zeros((n, 12))])
    passed = np.mean(
        [test.passed for test in ft.gate(of_measures(values), *PAIR, margin=0.5).tests]
    )
    assert abs(passed - 0.05) <= 3 * np.sqrt(0.05 * 0.95 / n)


def test_over_queries_and_subjects_at_the_margin() -> None:
    """400 data sets of 15 queries and 4 subjects, both with effects; the test is conservative."""
    n, margin = 400, 0.5
    rng = np.random.default_rng(6)
    shape = (n, 15, 4)
    gap = rng.normal(size=(n, 15, 1)) + 0.7 * rng.normal(size=(n, 1, 4)) + rng.normal(size=shape)
    cells = Cells.complete(15, 4)
    scores = ft.Scores(
        systems=PAIR,
        queries=tuple(f"q{q}" for q in range(15)),
        measures=tuple(f"m{m}" for m in range(n)),
        values=np.stack([gap - margin, np.zeros(shape)]).reshape(2, n, 60),
        cells=cells,
        subjects=tuple("abcd"),
        higher_is_better=(True,) * n,
    )
    result = ft.gate(scores, *PAIR, margin=margin)
    rate = {d: np.mean([t.passed for t in result.tests if t.decides == d]) for d in (True, False)}
    assert rate[True] <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / n)
    assert rate[False] > 0.1  # over queries alone, the subjects' effects are taken for the systems'


@pytest.mark.parametrize("over", ["query", "subject", "cluster"])
def test_differences_that_cancel_in_each_unit_are_not_the_same_values(over: str) -> None:
    """Two units tell nothing, although each mean difference is 0 and so is its standard error."""
    gaps = {
        "query": np.array([[[0.1, -0.1], [-0.1, 0.1]]]),  # (1, subjects, queries)
        "subject": np.array([[[0.1, -0.1], [0.1, -0.1]]]),
        "cluster": np.array([[[0.1, -0.1, 0.1, -0.1]]]),
    }[over]
    old = np.full_like(gaps, 0.5)
    values = np.concatenate((old + gaps, old))
    groups = {"clusters": {"q0": "a", "q1": "a", "q2": "b", "q3": "b"}} if over == "cluster" else {}
    axis = "query" if over == "cluster" else over
    scores = scores_of(values if over != "cluster" else values[:, 0])
    result = ft.gate(scores, *PAIR, margin=0.02, over=axis, **groups)
    (test,) = result.tests
    assert (test.difference, test.std_error, test.p) == (0.0, 0.0, 0.25)
    assert (test.outcome, result.passed) == ("not shown", False)


def test_a_constant_loss_beyond_the_margin_is_worse() -> None:
    old = np.array([0.5, 0.6, 0.4, 0.7, 0.5, 0.6])
    (test,) = ft.gate(scores_of(np.array([old - 0.05, old])), *PAIR, margin=0.01).tests
    assert (test.outcome, test.p) == ("worse", 1 - 2.0**-6)
    (test,) = ft.gate(scores_of(np.array([old - 0.05, old])), *PAIR, margin=0.05).tests
    assert (test.outcome, test.p) == ("not shown", 1.0)
