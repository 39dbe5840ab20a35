"""What a gate says, in one line for a log and as a printed result."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from fuzzytruth.comparison.gate import Gate, GateConditions, GateTest

NAN, INF = float("nan"), float("inf")
CONDITIONS = GateConditions(new="new", old="old", better=False, level=0.95)
TEST = GateTest(
    measure="nDCG@10",
    over=("query", "subject"),
    decides=True,
    passed=True,
    outcome="shown",
    margin=0.01,
    difference=0.003,
    std_error=0.005,
    bound=-0.006,
    p=0.002,
    detectable=0.013,
    n_queries=50,
    n_subjects=7,
    n_units=50,
    higher_is_better=True,
)
NOT_SHOWN: dict[str, Any] = {"passed": False, "outcome": "not shown", "bound": -0.016, "p": 0.21}


def line(conditions: GateConditions = CONDITIONS, **changed: Any) -> str:
    (only,) = Gate(conditions, (replace(TEST, **changed),)).lines()
    return only


def test_the_line_of_a_log() -> None:
    assert line() == (
        "passed: new is not worse than old by 0.01 or more on nDCG@10 over 50 queries and 7 "
        "subjects (difference +0.0030, 95 % lower bound -0.0060, p = 0.002)"
    )


@pytest.mark.parametrize(
    ("changed", "start", "end"),
    [
        (
            NOT_SHOWN,
            "not passed: new may be worse than old by 0.01 or more on nDCG@10 over",
            "p = 0.21; too few data: equal systems need a margin of 0.013 for 80 % power)",
        ),
        (
            NOT_SHOWN | {"detectable": 0.009},
            "not passed: new may be worse",
            "p = 0.21; equal systems would have passed with 80 % power or more)",
        ),
        (
            {"passed": False, "outcome": "worse", "p": 0.98, "difference": -0.03, "bound": -0.04},
            "not passed: new is worse than old by 0.01 or more on nDCG@10",
            "(difference -0.030, 95 % lower bound -0.040, p = 0.98)",
        ),
        (
            {"outcome": "identical", "difference": 0.0, "std_error": 0.0, "bound": 0.0, "p": NAN},
            "passed: new and old have the same nDCG@10 on all 50 queries and 7 subjects",
            "subjects (difference 0)",
        ),
        (
            {
                "passed": False,
                "outcome": "unknown",
                "bound": -INF,
                "n_queries": 1,
                "n_units": 1,
            },
            "not passed: new may be worse than old by 0.01 or more on nDCG@10 over 1 query and",
            "(difference +0.003; a single query decides nothing)",
        ),
        (
            {"passed": False, "outcome": "unknown", "n_subjects": 1, "bound": -INF},
            "not passed: ",
            "(difference +0.003; a single subject decides nothing)",
        ),
        (
            {"passed": False, "outcome": "unknown", "bound": -INF, "std_error": NAN},
            "not passed: ",
            "(difference +0.003; how much it varies is unknown)",
        ),
        (
            NOT_SHOWN | {"std_error": 0.0, "bound": -INF, "detectable": NAN, "p": 0.0625},
            "not passed: ",
            "95 % lower bound -inf, p = 0.062; the same difference everywhere, on too few to tell)",
        ),
        (
            NOT_SHOWN | {"std_error": 0.0, "bound": -0.01, "detectable": NAN, "p": 1.0},
            "not passed: ",
            "95 % lower bound -0.010, p = 1.00; the same difference everywhere)",
        ),
        (
            {"higher_is_better": False, "difference": -0.003, "bound": 0.006},
            "passed: new is not worse",
            "(difference -0.0030, 95 % upper bound +0.0060, p = 0.002; lower is better)",
        ),
        ({"over": ("query", "world")}, "passed: ", "and resampled subjects (difference +0.0030,"),
        ({"over": ("subject",)}, "passed: ", "on nDCG@10 over 7 subjects ("),
    ],
)
def test_other_outcomes(changed: dict[str, Any], start: str, end: str) -> None:
    text = line(**changed)
    assert text.startswith(start), text
    assert end in text, text


def test_better() -> None:
    conditions = replace(CONDITIONS, better=True, level=0.9)
    assert line(conditions, margin=NAN, bound=0.001).startswith(
        "passed: new is better than old on nDCG@10 over 50 queries and 7 subjects (difference "
        "+0.0030, 90 % lower bound +0.0010"
    )
    text = line(conditions, margin=NAN, **NOT_SHOWN)
    assert text.startswith("not passed: new is not shown to be better than old on nDCG@10 over")
    assert text.endswith("; a gain of 0.013 would have been found with 80 % power)")
    worse = line(conditions, margin=NAN, **{**NOT_SHOWN, "outcome": "worse"})
    assert worse.startswith("not passed: new is worse than old on nDCG@10 over")


def test_groups_of_queries() -> None:
    clusters = replace(CONDITIONS, groups="clusters")
    assert "over 50 queries in 9 clusters (" in line(clusters, over=("query",), n_units=9)
    one = {"passed": False, "outcome": "unknown", "over": ("query",), "n_units": 1}
    assert line(clusters, **one).endswith("a single cluster decides nothing)")
    strata = replace(CONDITIONS, groups="strata")
    assert "over 50 queries in strata (" in line(strata, over=("query",))


@pytest.mark.parametrize(
    ("bound", "shown"),
    [
        (-0.0099996, "-0.0099996"),
        (-0.0100004, "-0.0100004"),
        (-0.01, "-0.010"),
        (-0.0092, "-0.009"),
    ],
)
def test_a_bound_is_not_rounded_over_the_margin(bound: float, shown: str) -> None:
    assert f"lower bound {shown}," in line(bound=bound)


def test_several_measures_and_tests() -> None:
    beside = replace(TEST, over=("query",), decides=False, bound=-0.002, p=0.0004)
    failed = replace(TEST, measure="AP", **NOT_SHOWN)
    out = Gate(CONDITIONS, (beside, TEST, failed)).lines()
    assert out[0] == ("not passed: new may be worse by the margin than old on 1 of 2 measures (AP)")
    assert out[1].startswith("  passed: new is not worse than old by 0.01 or more on nDCG@10 over")
    assert out[2] == (
        "    over 50 queries alone, not deciding: passed (difference +0.0030, 95 % lower bound "
        "-0.0020, p = 0.0004)"
    )
    assert out[3].startswith("  not passed: new may be worse than old by 0.01 or more on AP")
    assert len(out) == 4
    passed = Gate(CONDITIONS, (TEST, replace(TEST, measure="AP"))).lines()
    assert passed[0] == "passed: new is not worse by the margin than old on all of nDCG@10, AP"
    better = replace(CONDITIONS, better=True)
    assert Gate(better, (TEST, failed)).lines()[0] == (
        "not passed: new is not shown to be better than old on 1 of 2 measures (AP)"
    )


def test_names_are_printable() -> None:
    assert "\\x1b[31mnew" in line(replace(CONDITIONS, new="\x1b[31mnew"))


@pytest.mark.parametrize("width", [60, 80])
def test_printed(width: int) -> None:
    beside = replace(TEST, over=("query",), decides=False, p=NAN, higher_is_better=False)
    deciding = replace(TEST, higher_is_better=False)
    text = Gate(CONDITIONS, (beside, deciding))._answer().text(width)
    assert max(map(len, text.splitlines())) <= width
    assert text.startswith("passed: new is not worse than old by 0.01 or more on")
    for part in ("+0.0030", "-0.0060", "0.002", "–", "Lower is better: nDCG@10."):
        assert part in text
    assert "The tests over queries and subjects decide." in text
    assert np.all([word in text for word in ("50 queries", "7 subjects", "95 % bound")])
    single = Gate(CONDITIONS, (TEST,))._answer().text(width)
    assert " ".join(single.split()) == line()


def test_several_measures_of_which_some_are_shown_to_be_worse() -> None:
    worse = replace(TEST, measure="AP", **NOT_SHOWN | {"outcome": "worse", "p": 0.99})
    unclear = replace(TEST, **NOT_SHOWN)
    assert Gate(CONDITIONS, (unclear, worse)).lines()[0] == (
        "not passed: new is worse by the margin than old on 1 of 2 measures (AP) and may be worse "
        "by the margin than old on 1 of 2 measures (nDCG@10)"
    )
    both = [replace(worse, measure=name) for name in ("AP", "RR")]
    assert Gate(replace(CONDITIONS, better=True), tuple(both)).lines()[0] == (
        "not passed: new is worse than old on 2 of 2 measures (AP, RR)"
    )
