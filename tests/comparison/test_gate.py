"""The gate against hand computation, `non_inferiority` and `compare`; what it must never pass."""

import json
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from support.compared import INDEPENDENT, POPULATION
from support.scores_for_tests import scores_of
from support.texts import flat, is_stored

import fuzzytruth as ft
from fuzzytruth.comparison.gate import Gate, GateConditions, GateTest
from fuzzytruth.core.cells import Cells
from fuzzytruth.errors import (
    ClusterWarning,
    DegenerateWarning,
    LevelWarning,
    MissingCellWarning,
)

RNG = np.random.default_rng(0)
TABLE = RNG.normal(0.0, 0.05, (2, 6, 25)) + RNG.normal(size=(1, 6, 25))  # (systems, subjects, ...)
PAIR = ("sys0", "sys1")
BOTH = ("query", "subject")


def of_measures(values: np.ndarray, **given: Any) -> ft.Scores:
    """Scores of (systems, measures, queries) values."""
    _, n, queries = values.shape
    return ft.Scores(
        systems=PAIR,
        queries=tuple(f"q{q}" for q in range(queries)),
        measures=tuple(f"m{m}" for m in range(n)),
        values=values,
        cells=Cells.of_queries(queries),
        **{"higher_is_better": (True,) * n, **given},
    )


def test_over_queries_it_is_one_t_test() -> None:
    gap = TABLE[0, 0] - TABLE[1, 0]
    result = ft.gate(scores_of(TABLE[:, 0]), *PAIR, margin=0.03)
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


@pytest.mark.parametrize(("margin", "level"), [(0.002, 0.9), (0.008, 0.95), (0.05, 0.95)])
def test_it_is_non_inferiority_over_queries_and_over_both(margin: float, level: float) -> None:
    scores = scores_of(TABLE)
    result = ft.gate(scores, *PAIR, margin=margin, level=level)
    assert [test.decides for test in result.tests] == [False, True]
    for test, over in zip(result.tests, ("query", BOTH), strict=True):
        same = ft.tests.non_inferiority(scores, *PAIR, margin=margin, over=over, level=level)
        found = (test.p, test.bound, test.difference, test.n_queries)
        assert found == (same.p, same.lower, same.estimate, same.n)
        assert test.passed == (same.p <= 1 - level)
    assert result.passed == result.tests[1].passed
    (only,) = ft.gate(scores, *PAIR, margin=margin, level=level, over="query").tests
    assert (only.p, only.decides) == (result.tests[0].p, True)


@pytest.mark.parametrize(("sign", "over"), [(1.0, "query"), (-1.0, "subject"), (-1.0, BOTH)])
def test_better_is_the_one_sided_comparison(sign: float, over: Any) -> None:
    """`compare` is of raw differences: where lower is better, the alternative is less."""
    shifted = sign * (TABLE + np.array([0.03, 0.0])[:, None, None])
    scores = scores_of(shifted, higher_is_better=(sign > 0,))
    (test,) = ft.gate(scores, *PAIR, better=True, over=over).tests
    alternative: Any = "greater" if sign > 0 else "less"
    row = ft.compare(scores, "sys1", over=over, alternative=alternative).table.iloc[0]
    assert (test.p, test.difference) == (row["p"], row["difference"])
    assert test.bound == pytest.approx(row["lower" if sign > 0 else "upper"], rel=1e-12)
    assert test.detectable == pytest.approx(row["min_detectable"], rel=1e-12)
    assert test.passed == row["significant"]
    assert np.isnan(test.margin)


SKEWED = pytest.mark.filterwarnings("ignore::fuzzytruth.errors.LevelWarning")


@SKEWED
def test_several_measures_all_have_to_pass() -> None:
    gap = RNG.normal(0, 0.05, (3, 30)) + np.array([0.05, 0.05, -0.05])[:, None]
    scores = of_measures(np.stack([gap + 1, np.ones((3, 30))]))
    result = ft.gate(scores, *PAIR, margin=0.03)
    assert (result.passed, [t.passed for t in result.tests]) == (False, [True, True, False])
    assert ft.gate(scores, *PAIR, ["m1", "m0"], margin=0.03).passed
    result = ft.gate(scores, *PAIR, margin={"m0": 0.03, "m1": 0.01, "m2": 0.2})
    assert (result.passed, [t.margin for t in result.tests]) == (True, [0.03, 0.01, 0.2])


def test_clusters_and_strata() -> None:
    scores = scores_of(TABLE[:, 0])
    clusters = {f"q{q}": f"t{q // 5}" for q in range(25)}
    (test,) = ft.gate(scores, *PAIR, margin=0.05, clusters=clusters).tests
    same = ft.tests.non_inferiority(scores, *PAIR, margin=0.05, clusters=clusters)
    assert (test.p, test.bound, test.n_units) == (same.p, same.lower, 5)
    strata = {f"q{q}": "x" if q < 5 else "y" for q in range(25)}
    (test,) = ft.gate(scores, *PAIR, margin=0.05, strata=strata).tests
    assert test.p == ft.tests.non_inferiority(scores, *PAIR, margin=0.05, strata=strata).p
    with pytest.raises(ft.errors.OptionError, match="use over='query', or clusters="):
        ft.gate(scores_of(TABLE), *PAIR, margin=0.05, strata=strata)
    result = ft.gate(scores_of(TABLE), *PAIR, margin=0.05, clusters=clusters)
    over: Any = {"over": ("query", "subject"), "clusters": clusters}
    both = ft.tests.non_inferiority(scores_of(TABLE), *PAIR, margin=0.05, **over)
    assert [(test.n_units, test.decides) for test in result.tests] == [(5, False), (5, True)]
    assert (result.tests[1].p, result.tests[1].bound) == (both.p, both.lower)
    assert "over 25 queries in 5 clusters and 6 subjects" in result.lines()[0]
    few = {f"q{q}": "x" if q < 5 else "y" for q in range(24)}
    with pytest.warns(ClusterWarning) as caught:
        ft.gate(of_measures(TABLE[:, :2]), *PAIR, margin=0.05, clusters=few)
    assert len(caught) == 2  # once each: few clusters, and a query without one
    with pytest.warns(ClusterWarning) as caught:
        ft.gate(scores_of(TABLE), *PAIR, margin=0.05, clusters=few)
    assert len(caught) == 2


def test_worlds() -> None:
    pair, over = ("r1", "r2"), ("query", "world")
    result = ft.gate(POPULATION, *pair, margin=0.2)
    assert [(t.over, t.decides) for t in result.tests] == [(("query",), False), (over, True)]
    same = ft.tests.non_inferiority(POPULATION, *pair, margin=0.2, over=over)
    assert (result.tests[1].p, result.tests[1].bound) == (same.p, same.lower)
    with pytest.raises(
        ft.errors.OptionError, match=r"worlds='subject'.*'population'.*over='query'"
    ):
        ft.gate(INDEPENDENT, *pair, margin=0.2)  # no sample of people
    result = ft.gate(INDEPENDENT, *pair, margin=0.2, over="query")
    assert result.tests[0].p == ft.tests.non_inferiority(INDEPENDENT, *pair, margin=0.2).p


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


@pytest.mark.parametrize(("gap", "n_subjects"), [(0.0, 4), (0.3, 4), (0.3, 0), (-0.3, 0)])
def test_a_single_query_never_passes(gap: float, n_subjects: int) -> None:
    old = TABLE[0, :n_subjects, :1] if n_subjects else TABLE[0, 0, :1]
    scores = scores_of(np.stack([old + gap, old]))
    for better in (False, True):
        result = ft.gate(scores, *PAIR, margin=None if better else 0.2, better=better)
        assert not result.passed
        found = [(test.outcome, test.p, test.bound) for test in result.tests]
        assert found == [("unknown", 1.0, -np.inf)] * len(found)
    with_clusters = scores_of(np.stack([TABLE[0, 0], TABLE[0, 0] - gap]))
    clusters = {f"q{q}": "t" for q in range(25)}
    result = ft.gate(with_clusters, *PAIR, margin=0.2, clusters=clusters)
    assert (result.passed, result.tests[0].outcome) == (False, "unknown")


@pytest.mark.parametrize(
    ("loss", "n", "passed", "outcome", "p"),
    [
        (0.01, 6, True, "shown", 0.5**6),  # the chance that n signs agree, for there is no t
        (0.01, 4, False, "not shown", 0.5**4),
        (0.02, 6, False, "not shown", 1.0),
        (0.05, 6, False, "worse", 1 - 0.5**6),
    ],
)
def test_a_constant_loss_is_judged_by_the_signs(loss, n, passed, outcome, p):
    old = np.array([0.5, 0.6, 0.4, 0.7, 0.5, 0.6])[:n]
    (test,) = ft.gate(scores_of(np.stack([old - loss, old])), *PAIR, margin=0.02).tests
    assert (test.passed, test.outcome, test.p) == (passed, outcome, pytest.approx(p))
    assert np.isinf(test.bound) == (n == 4)


def test_a_new_system_must_leave_nothing_out() -> None:
    values = TABLE[:, 0].copy()
    values[0, 3] = np.nan
    with pytest.raises(
        ft.errors.DataError, match=r"sys0: 1 value is missing of m where sys1 has one.*q3"
    ):
        ft.gate(scores_of(values), *PAIR, margin=0.1)
    with pytest.warns(MissingCellWarning, match="sys0: 1 value is missing where sys1 has one"):
        result = ft.gate(scores_of(values), *PAIR[::-1], margin=0.1)
    assert result.tests[0].n_queries == 24
    with (
        pytest.warns(MissingCellWarning),
        pytest.raises(ft.errors.DataError, match="have no query in common"),
    ):
        ft.gate(scores_of([[1.0, 2.0], [np.nan, np.nan]]), *PAIR, margin=0.1)
    truth = {f"q{q}": {"a": 1, "b": 0} for q in range(8)}
    old = {query: ["a", "b"] for query in truth}
    new = {query: items for query, items in old.items() if query not in ("q0", "q1", "q2")}
    with pytest.warns(ft.FuzzytruthWarning, match="missing from new"):
        scores = ft.evaluate(truth, {"new": new, "old": old}, ["RR"])
    result = ft.gate(scores, "new", "old", margin=0.1)  # what is missing counts 0
    assert (result.passed, result.tests[0].difference) == (False, -3 / 8)


ROWS = [
    (system, query, measure, value + shift)
    for system, shift in (("new", 0.01), ("old", 0.0))
    for query, value in enumerate([0.2, 0.4, 0.6, 0.5, 0.3, 0.4])
    for measure in ("AP", "nDCG@10")
]
SCORES = ft.Scores.from_frame(pd.DataFrame(ROWS, columns=["system", "query", "measure", "value"]))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "margin=None: name the loss that is too much"),
        ({"margin": 0}, "margin=0: must be above 0"),
        ({"margin": True}, "margin=True: must be a number above 0"),
        ({"margin": float("nan")}, "margin=nan: must be a finite number"),
        ({"margin": "x"}, "must be a finite number"),
        ({"margin": {"AP": 0.1}}, "must have one number for each of AP, nDCG@10; nDCG@10 has none"),
        ({"margin": {"AP": 0.1, "nDCG@5": 0.1}}, "'nDCG@5' is no measure of the gate"),
        ({"margin": {"AP": 0.1, "ap": 0.2, "nDCG@10": 0.1}}, "a measure is twice"),
        ({"margin": {"AP": 0.1, "nDCG@10": None}}, "margin=None: must be a number above 0"),
        ({"margin": 0.1, "better": True}, "leave it out with better=True"),
        ({"margin": 0.1, "level": 0.5}, "level=0.5: must be above 0.5"),
        ({"margin": 0.1, "over": "sun"}, "over='sun'"),
        ({"margin": 0.1, "over": "subject"}, "over='subject': these scores have no subjects"),
        ({"margin": 0.1, "measures": "P@3"}, "P@3"),
        ({"margin": 0.1, "new": "x"}, "new='x' is not among these scores"),
        ({"margin": 0.1, "old": "x"}, "old='x' is not among these scores"),
        ({"margin": 0.1, "old": "new"}, "new, old: 'new' is both; name two systems"),
        ({"margin": 0.5}, "a system that finds nothing would pass"),
    ],
)
def test_mistakes(options: dict[str, Any], words: str) -> None:
    with pytest.raises(ft.errors.OptionError, match=words):
        ft.gate(SCORES, **{"new": "new", "old": "old"} | options)


def test_the_result() -> None:
    result = ft.gate(scores_of(TABLE), *PAIR, margin=0.02)
    beside, deciding = result.tests
    assert repr(result) == "Gate(sys0 against sys1 on m: passed)"
    assert replace(result, tests=(replace(beside, passed=False), deciding)).passed
    assert not replace(result, tests=(beside, replace(deciding, passed=False))).passed
    frame = result.to_frame()
    assert frame["over"].tolist() == ["query", "query,subject"]
    assert list(frame) == ["measure", "over", "decides", "passed", "difference", "bound", "p"]
    assert frame["p"].tolist() == [beside.p, deciding.p]
    assert list(result.to_frame(full=True)) == [field.name for field in fields(GateTest)]
    found = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    tests = found.pop("tests")
    names = {"claim": "non-inferior", "new": "sys0", "old": "sys1", "level": 0.95, "groups": None}
    names |= dict.fromkeys(("attempts", "attempt", "looks", "next_look")) | {"level_used": 0.95}
    assert found == {"passed": True, "verdict": result.lines()[0], **names}
    assert (tests[1]["over"], tests[1]["bound"]) == (["query", "subject"], deciding.bound)
    html = result._repr_html_()
    assert html.count("<table>") == 1
    assert result.lines()[0] in html
    alone = ft.gate(scores_of(TABLE[:, 0, :1]), *PAIR, better=True)
    single = json.loads(json.dumps(alone.to_dict(), allow_nan=False))
    assert (single["claim"], single["passed"]) == ("better", False)
    numbers = single["tests"][0]
    assert [numbers[key] for key in ("margin", "bound", "std_error", "detectable")] == [None] * 4


NAN, INF = float("nan"), float("inf")
CONDITIONS = GateConditions(new="new", old="old", better=False, level=0.95)
TEST = GateTest(
    measure="nDCG@10", over=BOTH, decides=True, passed=True, outcome="shown", margin=0.01,
    difference=0.003, std_error=0.005, bound=-0.006, p=0.002, detectable=0.013, n_queries=50,
    n_subjects=7, n_units=50, higher_is_better=True,
)  # fmt: skip
NOT_SHOWN: dict[str, Any] = {"passed": False, "outcome": "not shown", "bound": -0.016, "p": 0.21}
UNKNOWN: dict[str, Any] = {"passed": False, "outcome": "unknown", "bound": -INF}
CONSTANT = NOT_SHOWN | {"std_error": 0.0, "detectable": NAN}
SAME = {"outcome": "identical", "difference": 0.0, "std_error": 0.0, "bound": 0.0, "p": NAN}
WORSE = {"passed": False, "outcome": "worse", "p": 0.98, "difference": -0.03, "bound": -0.04}
BETTER: dict[str, Any] = {"better": True, "margin": NAN}
CLUSTER: dict[str, Any] = {"groups": "clusters", "over": ("query",), "n_units": 1}
LINES: list[dict[str, Any]] = [
    {},
    NOT_SHOWN,
    NOT_SHOWN | {"detectable": 0.009},
    WORSE,
    SAME,
    UNKNOWN | {"n_queries": 1, "n_units": 1},
    UNKNOWN | {"n_subjects": 1},
    UNKNOWN | {"std_error": NAN},
    CONSTANT | {"bound": -INF},
    CONSTANT | {"bound": -0.01},
    {"higher_is_better": False, "difference": -0.003, "bound": 0.006},
    {"over": ("query", "world")},
    {"over": ("subject",)},
    BETTER | {"level": 0.9},
    BETTER | NOT_SHOWN,
    BETTER | WORSE,
    CLUSTER | UNKNOWN,
    CLUSTER | {"groups": "strata"},
    {"new": "\x1b[31mnew"},
    *({"bound": bound} for bound in (-0.0099996, -0.0100004, -0.01, -0.0092)),  # not rounded over
]
AP = replace(TEST, measure="AP")
FAILED = replace(AP, **NOT_SHOWN)
SEVERAL = [
    *((TEST, AP), (TEST, FAILED), (replace(TEST, **NOT_SHOWN), replace(AP, **WORSE))),
    (replace(TEST, **WORSE), replace(AP, **WORSE)),
]


def test_stored_lines() -> None:
    names, lines = {field.name for field in fields(GateConditions)}, []
    for changed in LINES:
        conditions = replace(CONDITIONS, **{k: v for k, v in changed.items() if k in names})
        test = replace(TEST, **{k: v for k, v in changed.items() if k not in names})
        lines += Gate(conditions, (test,)).lines()
    assert len(lines) == len(LINES)
    for better in (False, True):
        gates = [Gate(replace(CONDITIONS, better=better), tests) for tests in SEVERAL]
        lines += [gate.lines()[0] for gate in gates]
    assert is_stored("gate, lines", "\n\n".join(lines))


def test_printed() -> None:
    deciding = replace(TEST, higher_is_better=False)
    beside = replace(deciding, over=("query",), decides=False, p=NAN)
    gate = Gate(CONDITIONS, (beside, deciding))
    assert is_stored("gate", gate._answer().text(80))
    assert max(map(len, gate._answer().text(60).splitlines())) <= 60
    assert flat(Gate(CONDITIONS, (TEST,))) == Gate(CONDITIONS, (TEST,)).lines()[0]


@SKEWED
def test_a_published_mean_is_a_one_sample_t_test() -> None:
    new = TABLE[0, 0] + 1
    scores = scores_of(new[None])
    (test,) = (result := ft.gate(scores, "sys0", 1.1, margin=0.4)).tests
    expected = stats.ttest_1samp(new, 1.1 - 0.4, alternative="greater")
    assert test.p == pytest.approx(expected.pvalue, rel=1e-9)
    assert test.bound == pytest.approx(expected.confidence_interval(0.95).low - 1.1)
    assert test.difference == pytest.approx(new.mean() - 1.1)
    assert "worse than 1.1 by 0.4" in result.lines()[0]
    assert "the error of 1.1 itself is left out" in result.lines()[0]
    assert (result.to_dict()["old"], repr(result)[:23]) == (1.1, "Gate(sys0 against 1.1 o")
    better = ft.gate(scores, "sys0", np.float64(0.5), better=True).tests[0]
    assert better.p == pytest.approx(stats.ttest_1samp(new, 0.5, alternative="greater").pvalue)
    down = ft.gate(scores_of(-new[None], higher_is_better=(False,)), "sys0", -1.1, margin=0.4)
    assert (down.tests[0].p, down.tests[0].difference) == (test.p, -test.difference)
    constant = ft.gate(scores_of(np.full((1, 6), 0.5)), "sys0", 0.5, margin=0.1).tests[0]
    assert (constant.outcome, constant.p) == ("shown", 0.5**6)
    both = ft.gate(scores_of(TABLE[:1] + 1), "sys0", 0.9, margin=0.3)
    assert [t.over for t in both.tests] == [("query",), BOTH]
    three = scores_of([[1.0, np.nan, 2.0], [1.0, 2.0, 3.0]])
    with pytest.raises(
        ft.errors.DataError, match="1 value is missing of m where another system has one"
    ):
        ft.gate(three, "sys0", 1.0, margin=0.1)
    for old, words in ((True, "old=True"), (NAN, "old=nan"), ("0.5", "old='0.5'")):
        with pytest.raises(ft.errors.OptionError, match=words):
            ft.gate(scores, "sys0", old, margin=0.4)
    with pytest.raises(ft.errors.OptionError, match="one measure; name it, of AP, nDCG@10"):
        ft.gate(SCORES, "new", 0.4, margin=0.1)
    assert ft.gate(SCORES, "new", 0.4, "AP", margin=0.3).passed
    with pytest.raises(
        ft.errors.OptionError, match=r"margin=0\.3: the old mean AP is 0\.2, so that a sys"
    ):
        ft.gate(SCORES, "new", 0.2, "AP", margin=0.3)


def test_skewed_differences_warn_where_they_pass() -> None:
    losses = -np.random.default_rng(3).exponential(0.03, 15) + 0.02
    scores = scores_of(np.stack([losses + 1, np.ones(15)]))
    g = stats.skew(losses)
    many = np.ceil((g / 0.15) ** 2)
    words = rf"gate, m: .* 15 queries are skewed \({g:+.2g}\).* about {many:.0f} queries"
    assert -g / np.sqrt(15) > 0.15
    with pytest.warns(LevelWarning, match=words):
        ft.gate(scores, *PAIR, margin=0.05)
    assert not ft.gate(scores, *PAIR, margin=0.005).passed  # nothing is claimed
    assert ft.gate(scores, *PAIR[::-1], margin=0.05).passed  # the tail is of gains
